"""Forms of pages that change entries: one entry with the reason, or chosen columns of many. Their checks are those of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from fleets.forms import EXTRA_COLUMNS, RegisterEntryForm, WordField, clean_extra_value


def return_reason(instance: Any) -> str:
    """The reason suggested where a page shows an earlier version of something, to restore it."""
    version = getattr(instance, "_history", None)
    return f"Restored the version of {version.history_date:%d %B %Y, %H:%M}" if version is not None else ""


class ExtraField(forms.Field):
    """A column that only some registers have."""

    def __init__(self, column: str, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.column = column

    def prepare_value(self, value: Any) -> Any:
        """Lists with semicolons between their words."""
        return "; ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        """Raises ValidationError with reason and right."""
        return clean_extra_value(self.column, value or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compared as a page shows them."""
        return str(self.prepare_value(initial) or "").strip() != str(data or "").strip()


class ChosenForm(RegisterEntryForm):
    """Some columns of an entry, changed on their own. chosen: which, including those that only some registers have."""

    def __init__(self, *args: Any, chosen: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        wanted = list(chosen)
        for column in set(self.fields) - set(wanted):
            del self.fields[column]
        for column in wanted:
            if column in EXTRA_COLUMNS:
                self.fields[column] = ExtraField(column)


class ReasonField(WordField):
    """Why something is changed."""

    cure = "enter what you found, and where"


class EntryPageForm(RegisterEntryForm):
    """An entry on its own page: every change with its reason, and the columns that only some registers have one by one."""

    reason = ReasonField(
        max_length=300,
        label="Reason for the change",
        help_text="One line for the history: what you found, and where.",
    )

    built_by = ExtraField("built_by")
    tags = ExtraField("tags")
    soldiers = ExtraField("soldiers")
    mariners = ExtraField("mariners")
    rowers = ExtraField("rowers")
    main_guns = ExtraField("main_guns")
    secondary_guns = ExtraField("secondary_guns")
    torpedo_tubes = ExtraField("torpedo_tubes")
    squadron_1905 = ExtraField("squadron_1905")
    commander_1905 = ExtraField("commander_1905")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "reason" in self.fields:
            self.fields["reason"].required = bool(self.instance.pk)
            self.initial.setdefault("reason", return_reason(self.instance))
        for column in EXTRA_COLUMNS:
            if column in self.fields:
                self.initial.setdefault(column, (self.instance.extra or {}).get(column))

    def _post_clean(self) -> None:
        super()._post_clean()
        extra = dict(self.instance.extra or {})
        for column in EXTRA_COLUMNS:
            if column in self.fields:
                extra[column] = self.cleaned_data.get(column)
        self.instance.extra = {name: value for name, value in extra.items() if value not in (None, "", [])}
