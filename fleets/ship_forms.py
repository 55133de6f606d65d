"""The form on which an umpire corrects a ship: who and how many are aboard, and its condition in the marks of its own rule set.

No rule set is known here. Labels, bounds and what goes together come from `AtSea.marks`, as they do on a table's result sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from battles.engine import registry
from battles.engine.core.at_sea import Mark
from fleets.entry_forms import return_reason
from fleets.forms import WordField
from fleets.keeping import keeper
from fleets.models import Ship
from fleets.services.ship_edits import AMENDED, amend_faults, held_fault

MARK = "mark_"
ABOARD = tuple(name for name in AMENDED if name != "condition")
_HALVES = ", half points"
_COUNTS = re.compile(r"\b(left|lost|away|passed|markers|off|aboard)\b")


def mark_names(ship: Ship) -> list[str]:
    """The names of the form's fields for a ship's condition, in the order of the result sheet."""
    at_sea = registry.rule_set(ship.book.rule_set).at_sea
    return [MARK + mark.name for mark in at_sea.marks(ship.card, ship.condition)]


class MarkField(forms.Field):
    """One figure of a condition as its card counts it: whole or half points, or a tick for what is so or not."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.parts = 2 if mark.label.endswith(_HALVES) else 1
        self.ticked = (mark.least, mark.most) == (0, 1) and not _COUNTS.search(mark.label)
        most = Decimal(mark.most) / self.parts
        widget: forms.Widget = forms.CheckboxInput()
        if not self.ticked:
            bounds = {"min": mark.least, "max": f"{most:f}", "step": "0.5" if self.parts == 2 else "1"}
            widget = forms.NumberInput({**bounds, "inputmode": "decimal" if self.parts == 2 else "numeric"})
        self.bounds = f"{mark.least} to {most:f}"
        super().__init__(
            label=mark.label.removesuffix(_HALVES),
            required=False,
            widget=widget,
            help_text="" if self.ticked else f"{self.bounds}{', halves allowed' if self.parts == 2 else ''}",
        )

    def prepare_value(self, value: Any) -> Any:
        """A mark's figure as the card counts it; what was typed stays as it was."""
        if self.ticked or not isinstance(value, int):
            return value
        return f"{Decimal(value) / self.parts:f}"

    def clean(self, value: Any) -> int:
        """In the rule set's own smallest unit. Raises ValidationError with the bounds."""
        if self.ticked:
            return int(bool(value))
        right = f"Enter a number from {self.bounds}{', in halves' if self.parts == 2 else ''}."
        try:
            figure = Decimal(str(value).strip().replace("½", ".5")) * self.parts
        except ArithmeticError:
            raise ValidationError(right) from None
        if not figure.is_finite() or figure != int(figure) or not self.mark.least <= figure <= self.mark.most:
            raise ValidationError(right)
        return int(figure)


class ShipForm(forms.ModelForm):
    """What an umpire may correct of a ship, with the reason. Every error is shown at once."""

    name = WordField(max_length=80, required=False)
    captain = WordField(max_length=120, required=False)
    void_battle = forms.BooleanField(
        required=False,
        label="Void the battle and set it up again",
        help_text="Results entered for it are lost.",
    )
    reason = WordField(
        max_length=300,
        required=False,
        label="Reason",
        help_text="Appears in the ship's service record, which its side can read. The umpire's log says only that a ship was corrected.",
    )

    class Meta:
        model = Ship
        fields = ABOARD
        labels = {"men": "Men aboard"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.at_sea = registry.rule_set(self.instance.book.rule_set).at_sea
        self.was = self.instance.condition
        for mark in self.at_sea.marks(self.instance.card, self.was):
            self.fields[MARK + mark.name] = MarkField(mark)
            self.initial[MARK + mark.name] = mark.value
        if "reason" in self.fields:
            self.initial.setdefault("reason", return_reason(self.instance))
        if "void_battle" in self.fields and not keeper().held_by(self.instance.book, self.instance.code):
            del self.fields["void_battle"]

    def aboard_fields(self) -> Iterator[forms.BoundField]:
        """Who and how many are aboard."""
        return (self[name] for name in ABOARD)

    def mark_fields(self) -> Iterator[forms.BoundField]:
        """Its condition."""
        return (self[name] for name in self.fields if name.startswith(MARK))

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError with every error of the ship as a whole, and while a battle or a turn has it in hand."""
        cleaned = super().clean() or {}
        faults: list[str] = []
        if "reason" in self.fields and "reason" not in self.errors and not cleaned.get("reason", "").strip():
            self.add_error("reason", "Enter a reason.")
        given = {name.removeprefix(MARK): value for name, value in cleaned.items() if name.startswith(MARK)}
        marks = [name for name in self.fields if name.startswith(MARK)]
        if len(given) == len(marks):
            try:
                cleaned["condition"] = self.at_sea.marked(self.instance.card, self.was, given)
            except ValueError as error:
                faults.append(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        if set(AMENDED) <= set(cleaned):
            faults += amend_faults(self.instance, cleaned)
        try:
            keeper().chart_time(self.instance.book)
        except ValidationError as error:
            faults += error.messages
        held = held_fault(self.instance, void_battle=bool(cleaned.get("void_battle")))
        if faults or held:
            raise ValidationError([*faults, *([held] if held else [])])
        return cleaned

    def values(self) -> dict[str, Any]:
        """What `ship_amend` takes. Only for a valid form."""
        return {name: self.cleaned_data[name] for name in AMENDED}
