"""The admin site in words: what its pages show as stored is shown as people write it.

Every registered admin is built on `Spoken`. Dates of the chart, choices, yes and no and the codes of places and fleets are written out
in columns and read-only fields; stored documents are left out. Forms keep their fields. `Sealed` has removed secrets before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import (
    BooleanField,
    CharField,
    F,
    Field,
    ForeignKey,
    JSONField,
    OuterRef,
    Subquery,
    TextField,
    Value,
)
from django.db.models import PositiveIntegerField as Count
from django.db.models.constants import LOOKUP_SEP
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import formats, timezone
from django.utils.text import capfirst

from campaign.models import Place, Station
from fleets.record_words import spoken

_CHART_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?")
_CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
NOTHING = "-"
_PLAIN_NUMBERS = frozenset({"number", "year", "engine_version"})


def said(value: Any) -> Any:
    """A stored value as people write it; a dash for one that says nothing."""
    if value is True or value is False:
        return "Yes" if value else "No"
    if isinstance(value, datetime):
        return formats.localize(timezone.localtime(value))
    if not isinstance(value, str):
        return f"{value:,}" if isinstance(value, int) else NOTHING if value is None else value
    if _CHART_TIME.fullmatch(value):
        return spoken(value)
    return NOTHING if value in ("", "<unknown>") else value


def from_code(code: str) -> str:
    """A code that names a kind of thing, in words."""
    return capfirst(code.replace("_", " ")) if _CODE.fullmatch(code) else str(said(code))


class SaidValues(admin.AllValuesFieldListFilter):
    """A filter by the values of a column, in words."""

    def choices(self, changelist: Any) -> Any:
        """With the codes in words."""
        for one in super().choices(changelist):
            yield {**one, "display": from_code(str(one["display"] or "none"))}


class SaidChoices(admin.ChoicesFieldListFilter):
    """A filter by choices, each with a capital."""

    def choices(self, changelist: Any) -> Any:
        """As above."""
        for one in super().choices(changelist):
            yield {**one, "display": capfirst(str(one["display"]))}


class SpokenFields:
    """Read-only fields of a page, or of its inlines. book_path: the way to the book.

    places, fleets: columns that hold the code of a place or a fleet.
    """

    model: Any
    opts: Any

    def _coded(self, what: str) -> tuple[str, ...]:
        return tuple(getattr(self, what, ()))

    def get_queryset(self, request: HttpRequest) -> Any:
        """With the names of places and fleets."""
        rows = super().get_queryset(request)  # type: ignore[misc]
        path = getattr(self, "book_path", "book")
        for name in {*self._coded("places"), *self._coded("fleets")}:
            of_place = Place.objects.filter(theatre__campaigns__book=OuterRef(path), code=OuterRef(name))
            of_fleet = Station.objects.filter(fleet__navy__book=OuterRef(path), fleet__code=OuterRef(name))
            found = [Subquery(of_fleet.values("fleet__name")[:1])] if name in self._coded("fleets") else []
            if name in self._coded("places"):
                found.append(Subquery(of_place.order_by().values("name")[:1]))
            rows = rows.annotate(
                **{f"said_{name}": Coalesce(*found, F(name), Value(""), output_field=CharField())}
            )
        return rows

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """In words."""
        return self._spoken(super().get_readonly_fields(request, obj))  # type: ignore[misc]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Read-only fields in words, and without stored documents."""
        found = super().get_fieldsets(request, obj)  # type: ignore[misc]
        read = set(super().get_readonly_fields(request, obj))  # type: ignore[misc]
        if self._all_read(request, obj):
            read = {name for _, options in found for name in _flat(options["fields"])}
        rows = [
            (title, {**options, "fields": self._spoken(options["fields"], read)}) for title, options in found
        ]
        return [row for row in rows if row[1]["fields"]] or rows[:1]

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Options with a capital."""
        if "choices" not in kwargs:
            blank = db_field.blank or not (db_field.has_default() or "initial" in kwargs)
            kwargs["choices"] = [
                (value, capfirst(str(words))) for value, words in db_field.get_choices(include_blank=blank)
            ]
        return super().formfield_for_choice_field(db_field, request, **kwargs)  # type: ignore[misc]

    def _all_read(self, request: HttpRequest, obj: Any) -> bool:
        """Whether every field of the page is read-only, declared so or not. Django makes no form of them then."""
        return False

    def _spoken(self, names: Iterable[Any], only: Iterable[Any] | None = None) -> list[Any]:
        """Names of fields as what shows them. only: the names that are read here, None for all."""
        shown: list[Any] = []
        for name in names:
            if isinstance(name, list | tuple):
                shown.append(type(name)(self._spoken(name, only)))
            elif only is not None and name not in only:
                shown.append(name)
            elif not isinstance(self._field(name), JSONField):
                shown.append(self._shown(name))
        return shown

    def _field(self, name: Any) -> Field[Any, Any] | None:
        """The field of a column, None for what is no field or has a method of its own."""
        if not isinstance(name, str) or hasattr(self, name):
            return None
        model, field = self.model, None
        for part in name.split(LOOKUP_SEP):
            field = {found.name: found for found in model._meta.fields}.get(part)
            if field is None:
                return None
            model = field.related_model
        return field

    def _shown(self, name: Any) -> Any:
        field = self._field(name)
        if field is None or (isinstance(field, ForeignKey) and LOOKUP_SEP not in name):
            return name
        known = self.__dict__.setdefault("_shown_fields", {})
        if name not in known:
            known[name] = self._teller(name, field)
        return known[name]

    def _teller(self, name: str, field: Field[Any, Any]) -> Any:
        """A column that shows a field in words; its name where Django's words will do."""
        in_words = (
            isinstance(field, CharField | TextField | BooleanField | Count | ForeignKey)
            or str(field.verbose_name) in LABELS
        )
        if not in_words or name in _PLAIN_NUMBERS or "year" in name:
            return name

        coded = {*self._coded("places"), *self._coded("fleets")}

        def show(row: Any) -> Any:
            if name in coded:
                return getattr(row, f"said_{name}", getattr(row, name)).split(" (")[0] or NOTHING
            if field.choices and LOOKUP_SEP not in name:
                return capfirst(getattr(row, f"get_{name}_display")())
            for part in name.split(LOOKUP_SEP):
                row = getattr(row, part, None)
            return said(row)

        show.__name__ = name
        show.short_description = LABELS.get(str(field.verbose_name), field.verbose_name)  # type: ignore[attr-defined]
        show.admin_order_field = name  # type: ignore[attr-defined]
        return show


class SpokenAdmin(SpokenFields):
    """The same for an admin class, which has a list too."""

    def _all_read(self, request: HttpRequest, obj: Any) -> bool:
        return obj is not None and not self.has_change_permission(request, obj)  # type: ignore[attr-defined]

    def get_list_display(self, request: HttpRequest) -> Any:
        """Columns in words."""
        return self._spoken(super().get_list_display(request))  # type: ignore[misc]

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Filters in words."""
        return [self._worded(found) for found in super().get_list_filter(request)]  # type: ignore[misc]

    def _worded(self, found: Any) -> Any:
        field = self._field(found) if isinstance(found, str) else None
        if field is None or isinstance(field, ForeignKey):
            return found
        if field.choices:
            return (found, SaidChoices)
        return (found, SaidValues) if isinstance(field, CharField) else found


# Labels of the library that keeps track of logins.
LABELS = {
    "Attempt Time": "time",
    "Logout Time": "logged out",
    "IP Address": "IP address",
    "User Agent": "browser",
    "HTTP Accept": "accepted formats",
    "Path": "page",
    "Username": "username",
    "Failed Logins": "failed logins",
    "Access lock out": "locked out",
}


def _flat(names: Iterable[Any]) -> Iterable[Any]:
    for name in names:
        if isinstance(name, list | tuple):
            yield from _flat(name)
        else:
            yield name
