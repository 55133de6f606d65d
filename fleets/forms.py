"""The form of a register entry: the one set of checks for a row of a file and for the page that edits an entry.

Every error says what is there, why it cannot be used and what would be right; `faults_of` gives them column by column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError

from battles.engine import registry
from fleets.facts import facts_of
from fleets.models import Confidence, Nation, Register, RegisterEntry, Role, ShipType

_WHOLE = re.compile(r"\d+")
_KNOTS = re.compile(r"\d{1,2}(\.\d{1,2})?")
_GUNS = re.compile(r"\d+x\d+(\.\d+)?(pdr|in|mm|cm)(_\w+)?")
_FORMULA = re.compile(r"[=@+\t]|-\D|#(REF|N/A|NAME|VALUE|DIV/0|NULL|NUM)")
_ABOUT = re.compile(r"((c\.?|ca\.?|circa|about|approx\.?|~|<|>)\s*\d)|(\d+\s*\?$)", re.IGNORECASE)
_RANGE = re.compile(r"\d+\s*([-–/]|to|or)\s*\d+", re.IGNORECASE)
_DATE = re.compile(
    r"(\d{4})-\d{1,2}-\d{1,2}.*|\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})|\d{1,2}\.?\s+\w{3,9}\.?\s+(\d{4})"
)
_UNIT = re.compile(r"(\d+)\s*(tons?|guns?|men|lbs?|pounds?|ft|t|kn|knots?)\.?", re.IGNORECASE)
_MARKUP = re.compile(r"<\s*[a-z/!?]", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd\u202a-\u202e\u2066-\u2069]")
_LONGEST_NUMBER = 12  # digits; anything longer is not a figure of a ship, and would be slow to convert


class EntryFault(NamedTuple):
    """Something wrong in one cell: its column, the value, why, and what would be right."""

    column: str
    value: str
    reason: str
    right: str


def two_sentences(reason: str, right: str) -> str:
    """Both halves of an error as they are read one after the other."""
    return f"{reason}. {right[:1].upper()}{right[1:]}."


def refusal(reason: str, right: str, *, subject: str = "This value ", **more: Any) -> ValidationError:
    """An error with both its halves, readable as two sentences on a page and as two cells in a table."""
    params = {"told": two_sentences(subject + reason, right), "reason": reason, "right": right, **more}
    return ValidationError("%(told)s", params=params)


def _refuse_formula(value: str) -> None:
    if _FORMULA.match(value):
        raise refusal("is a formula or a spreadsheet's error", "enter the value itself")


def _refuse_unreadable(value: str) -> None:
    """Raises ValidationError for what does not belong in a register: unprintable characters, and pieces of a web page."""
    if _CONTROL.search(value):
        raise refusal("has characters that cannot be shown", "type the text again, or save the file as UTF-8")
    if _MARKUP.search(value):
        raise refusal("has an HTML tag in it", "use plain text without < and >")


class WordField(forms.CharField):
    """A text that no spreadsheet would take for a formula. cure: what to do when it is empty."""

    cure = "every row needs this column"

    def clean(self, value: Any) -> Any:
        """Raises ValidationError with reason and right."""
        text = self.to_python(value) or ""
        if not text and self.required:
            raise refusal("is empty", self.cure)
        _refuse_formula(text)
        _refuse_unreadable(text)
        if self.max_length and len(text) > self.max_length:
            raise refusal(f"has {len(text)} characters", f"use up to {self.max_length}")
        return text


class ChoiceWordField(forms.ChoiceField):
    """One of a list of words; capitals, spaces and hyphens do not matter."""

    def clean(self, value: Any) -> Any:
        """Raises ValidationError that lists the allowed words."""
        words = [key for key, _ in self.choices if key]  # type: ignore[misc,union-attr]
        text = str(value or "").strip()
        if not text:
            if self.required:
                raise refusal("is empty", f"use one of {', '.join(words)}")
            return self.initial or ""
        _refuse_formula(text)
        word = re.sub(r"[\s-]+", "_", text.lower())
        if word not in words:
            raise refusal(
                f"is not a known {str(self.label or 'value').lower()}", f"use one of {', '.join(words)}"
            )
        return word


def whole_number(text: str, *, least: int, most: int, unit: str) -> int | None:
    """The number in a cell, None for an empty one. Raises ValidationError with reason and right."""
    text = text.strip()
    if not text:
        return None
    if text.startswith("-") and _WHOLE.fullmatch(text[1:].strip()):
        raise refusal(
            "is negative", f"enter a whole number from {least} to {most} ({unit}), or leave the cell empty"
        )
    if _ABOUT.match(text):
        raise refusal("is a guess, not a number", "enter the number alone and put the doubt in the note")
    if date := _DATE.fullmatch(text):
        year = next((part for part in date.groups() if part and len(part) == 4), "")
        raise refusal(
            "is a date, not a number", f"write {year} alone" if year else f"enter digits only ({unit})"
        )
    if _RANGE.fullmatch(text):
        raise refusal("is a range, not a number", "enter one number and put the doubt in the note")
    if worded := _UNIT.fullmatch(text):
        raise refusal("has its unit in the cell", f"write {worded.group(1)}")
    _refuse_formula(text)
    if re.fullmatch(r"\d{1,3}([, .']\d{3})+", text):
        raise refusal("has a thousands separator", f"write {re.sub(r'[^0-9]', '', text)}")
    if re.fullmatch(r"\d+\.0+", text):
        text = text.split(".")[0]
    if not _WHOLE.fullmatch(text):
        raise refusal("is not a whole number", f"enter digits only ({unit}), or leave the cell empty")
    if len(text) > _LONGEST_NUMBER:
        raise refusal("is out of range", f"enter a number from {least} to {most} ({unit})")
    if not least <= int(text) <= most:
        raise refusal("is out of range", f"enter a number from {least} to {most} ({unit})")
    return int(text)


class WholeNumberField(forms.Field):
    """A whole number within limits, or nothing."""

    widget = forms.NumberInput

    def __init__(self, *, least: int = 0, most: int, unit: str, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.limits = {"least": least, "most": most, "unit": unit}

    def clean(self, value: Any) -> int | None:
        """Raises ValidationError with reason and right."""
        return whole_number("" if value is None else str(value), **self.limits)  # type: ignore[arg-type]


class KnotsField(forms.Field):
    """Knots with up to two decimals, or nothing."""

    widget = forms.NumberInput

    def clean(self, value: Any) -> Decimal | None:
        """Raises ValidationError with reason and right."""
        text = "" if value is None else str(value).strip()
        if not text:
            return None
        if not _KNOTS.fullmatch(text):
            _refuse_formula(text)
            raise refusal(
                "is not a speed", "enter knots with a decimal point and up to 2 decimals, such as 18.25"
            )
        return Decimal(text)


class NationField(forms.ModelChoiceField):
    """A nation by name or id, looked up in one table given to the form, so that a file takes one query."""

    known: Mapping[str, Nation] | None = None

    def to_python(self, value: Any) -> Nation | None:
        """Raises ValidationError that lists the nations that are known."""
        text = str(value or "").strip()
        if not text:
            raise refusal("is empty", "every row needs this column")
        if self.known is None:
            self.known = nations_by_name()
        found = self.known.get(text.casefold())
        if found is None:
            _refuse_formula(text)
            names = sorted({nation.name for nation in self.known.values()})
            raise refusal(
                "is not a known nation", f"use one of {', '.join(names)}, or add the nation in the admin"
            )
        return found

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compared as ids, the way a page sends them."""
        return str(initial or "") != str(data or "")


def nations_by_name() -> dict[str, Nation]:
    """Every nation by its name without regard to capitals, and by its id as a page sends it."""
    found: dict[str, Nation] = {}
    for nation in Nation.objects.all():
        found[nation.name.casefold()] = nation
        found[str(nation.pk)] = nation
    return found


class RegisterEntryForm(forms.ModelForm):
    """A ship of a register. nations: as `nations_by_name` gives them, to check many rows with one query."""

    name = WordField(max_length=80)
    nation = NationField(queryset=Nation.objects.all())
    side = WordField(max_length=60)
    squadron = WordField(max_length=120, required=False)
    division = WordField(max_length=120, required=False)
    role = ChoiceWordField(choices=Role.choices, required=False, initial=Role.PRIVATE.value, label="Role")
    ship_type = ChoiceWordField(choices=ShipType.choices, label="Ship type")
    rate = WordField(max_length=10, required=False)
    guns = WholeNumberField(most=140, unit="guns")
    gun_detail = WordField(max_length=200, required=False)
    broadside_lb = WholeNumberField(most=20_000, unit="pounds")
    tons_burthen = WholeNumberField(least=1, most=100_000, unit="tons")
    displacement_tons = WholeNumberField(least=1, most=100_000, unit="tons")
    year_built = WholeNumberField(least=1200, most=1950, unit="year")
    crew = WholeNumberField(most=5_000, unit="men")
    speed_knots = KnotsField(required=False)
    commander = WordField(max_length=200, required=False)
    fate_or_note = WordField(required=False, widget=forms.Textarea(attrs={"rows": 3}))
    source = WordField(required=False, widget=forms.Textarea(attrs={"rows": 3}))
    confidence = ChoiceWordField(
        choices=[("", "---"), *Confidence.choices], required=False, label="Confidence"
    )
    extra = forms.JSONField(required=False)
    overrides = forms.JSONField(required=False)

    class Meta:
        model = RegisterEntry
        fields = [
            "name", "nation", "side", "squadron", "division", "role", "ship_type", "rate", "guns", "gun_detail",
            "broadside_lb", "tons_burthen", "displacement_tons", "year_built", "crew", "speed_knots", "commander",
            "fate_or_note", "source", "confidence", "extra", "overrides",
        ]  # fmt: skip

    def __init__(self, *args: Any, nations: Mapping[str, Nation] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields.get("nation")
        if isinstance(field, NationField):
            field.known = nations

    def clean_gun_detail(self) -> str:
        """Raises ValidationError on a part that is not NUMBERxCALIBRE."""
        text = str(self.cleaned_data["gun_detail"])
        parts = [part.strip() for part in text.split(";") if part.strip()]
        wrong = [part for part in parts if not _GUNS.fullmatch(part)]
        if wrong:
            raise refusal(
                f"{wrong[0]!r} is not NUMBERxCALIBRE",
                "write, for example, 30x32pdr;28x24pdr or 4x12in",
                subject="",
            )
        return ";".join(parts)

    def clean_extra(self) -> dict[str, Any]:
        """Checks the columns that only some registers have. Raises ValidationError that names the column."""
        given = self.cleaned_data["extra"] or {}
        if not isinstance(given, dict):
            raise refusal("is not a set of names and values", 'write, for example, {"soldiers": 300}')
        kept: dict[str, Any] = {}
        faults = []
        for column, value in given.items():
            try:
                cleaned = clean_extra_value(column, value)
            except ValidationError as error:
                told = error.params or {}
                faults.append(
                    ValidationError(error.message, params={**told, "column": column, "value": value})
                )
            else:
                if cleaned not in (None, "", []):
                    kept[column] = cleaned
        if faults:
            raise ValidationError(faults)
        return kept

    def clean_overrides(self) -> dict[str, Any]:
        """Raises ValidationError unless it is card fields by rule set."""
        given = self.cleaned_data["overrides"] or {}
        right = 'enter card figures by rule set, for example {"kohler": {"hull": 45}}'
        if not isinstance(given, dict) or not all(isinstance(fields, dict) for fields in given.values()):
            raise refusal("is not a set of card figures", right)
        return given

    def _post_clean(self) -> None:
        """The entry as a whole: whether the rule sets can use what is set by hand for them."""
        super()._post_clean()  # type: ignore[misc]
        if self.cleaned_data.get("overrides") and not self.errors:
            faults = list(override_faults(self.instance))
            if faults:
                self.add_error("overrides", ValidationError(faults))

    def _get_validation_exclusions(self) -> set[str]:
        """The nation was looked up by its field; checking it again would take one query per row."""
        return super()._get_validation_exclusions() | {"nation"}  # type: ignore[misc,no-any-return]


def override_faults(entry: RegisterEntry) -> Iterator[ValidationError]:
    """What is wrong with the card figures that an entry sets by hand, each error with its reason and what would be right."""
    for rule_set, fields in (entry.overrides or {}).items():
        if rule_set not in registry.names():
            words = ", ".join(registry.names())
            yield refusal(f"{rule_set!r} is not an installed rule set", f"use one of {words}", subject="")
            continue
        rules = registry.rule_set(rule_set)
        if entry.register_id is None:
            entry.register = Register()  # a row of a file, whose register is known when it is saved
        facts = facts_of(entry, rule_set=rule_set)
        try:
            rules.card(replace(facts, overrides={}))
        except ValueError:
            continue  # no card with or without them: the entry's page says why
        try:
            rules.card(facts)
        except ValueError as error:
            yield refusal(
                f"{rules.title} cannot use {', '.join(fields)}", str(error), subject="", value=str(fields)
            )


EXTRA_NUMBERS = {"soldiers": 2_000, "mariners": 2_000, "rowers": 2_000, "torpedo_tubes": 50}
EXTRA_WORDS = ("main_guns", "secondary_guns", "squadron_1905", "commander_1905", "built_by")
EXTRA_COLUMNS = (*EXTRA_NUMBERS, *EXTRA_WORDS, "tags")


def clean_extra_value(column: str, value: Any) -> Any:
    """The value of a column that only some registers have. Raises ValidationError with reason and right."""
    if column in EXTRA_NUMBERS:
        return whole_number(str(value), least=0, most=EXTRA_NUMBERS[column], unit=column.replace("_", " "))
    if column == "tags":
        words = value if isinstance(value, list) else str(value).split(";")
        return [str(word).strip() for word in words if str(word).strip()]
    if column in EXTRA_WORDS:
        return WordField(required=False, max_length=120).clean(value)
    raise refusal("is not in a known column", f"known columns are {', '.join(EXTRA_COLUMNS)}")


def faults_of(form: RegisterEntryForm) -> Iterator[EntryFault]:
    """Everything wrong in a form, cell by cell, in the order of the form's fields."""
    for field, errors in form.errors.as_data().items():
        for error in errors:
            params = error.params or {}
            column = params.get("column", field)
            value = params.get("value", form.data.get(field, ""))
            yield EntryFault(
                column=column,
                value=str(value if value is not None else ""),
                reason=params.get("reason", " ".join(error.messages)),
                right=params.get("right", "see the list of columns"),
            )
