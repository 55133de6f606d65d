"""The result sheet of a battle on the tabletop: one form for the battle, one for each ship. Rules: G.BT2, G.BT3.

The figures of a ship's condition are those that its rule set names (`AtSea.marks`), so the sheet need not know any rule set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from battles.engine.core.crews import prize_crew
from battles.engine.core.fates import Fate
from battles.models import Battle
from battles.pins import rule_set_of
from battles.roster import Entered
from battles.services.outcomes import ENDED, MOST_MINUTES, SETTLED
from campaign.forms import choose, number, pick

_ENDS = {
    "parted": "the fleets parted",
    "beaten": "one side was beaten",
    "nightfall": "night fell",
    "limit": "time ran out",
    "gale": "a gale blew up",
}
_FATES = [(fate.value, "taken" if fate is Fate.CAPTURED else fate.value) for fate in Fate]
_HURT = ("unhurt", "wounded", "killed", "captured")


class BattleHeadForm(forms.Form):
    """How long the battle took, why it ended, and who holds the field."""

    hours = number("Hours", 0, MOST_MINUTES // 60)
    minutes = number("Minutes", 0, 59)
    ended = pick("It ended because", *((end, _ENDS[end]) for end in ENDED), required=True)
    held_field = pick("Who holds the field")

    def __init__(self, *args: Any, sides: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "held_field", [("", "no one"), *sides.items()])

    @staticmethod
    def initial_from(document: Mapping[str, Any]) -> dict[str, Any]:
        """As a document has it."""
        hours, minutes = divmod(document["minutes"], 60)
        return {
            "hours": hours,
            "minutes": minutes,
            "ended": document["ended"],
            "held_field": document["held_field"],
        }

    def entered_in(self, document: dict[str, Any], minutes_a_turn: int) -> dict[str, Any]:
        """A document with what was entered."""
        data = self.cleaned_data
        minutes = 60 * data["hours"] + data["minutes"]
        head = {"minutes": minutes, "turns": -(-minutes // minutes_a_turn)}
        return {**document, **head, "ended": data["ended"], "held_field": data["held_field"]}


class ShipLineForm(forms.Form):
    """What became of one ship: its fate, its condition by its own rule set, and who has it if it was taken.

    known: whether the reader knows how the ship was before the battle. If not, figures start empty, and those left empty do not change.
    """

    fate = pick("Fate", *_FATES, required=True)
    flags = forms.MultipleChoiceField(
        choices=[(flag.value, flag.value) for flag in SETTLED],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Also",
    )
    captor_ship = pick("Taken by")
    prize_crew = number("Prize crew (men)", required=False)
    prisoners = number("Prisoners", required=False)
    captain = pick("Captain", *((word, word) for word in _HURT))

    def __init__(
        self, data: Any = None, *, battle: Battle, ship: Entered, ships: Mapping[str, Entered], line: Mapping[str, Any],
        captain: str = "unhurt", known: bool = True,
    ) -> None:  # fmt: skip
        self.known = known
        self.ship, self.ships, self.line = ship, ships, line
        self.at_sea = rule_set_of(battle).at_sea
        self.marks = self.at_sea.marks(ship.card, line["condition"])
        initial = {
            "fate": line["fate"],
            "flags": line["flags"],
            "captor_ship": line["captor_ship"],
            "prize_crew": line["prize_crew"] or None,
            "prisoners": line["prisoners"] or None,
            "captain": captain,
            **({mark.name: mark.value for mark in self.marks} if known else {}),
        }
        super().__init__(data, initial=initial, prefix=ship.code)
        for mark in self.marks:
            self.fields[mark.name] = number(
                mark.label, mark.least, mark.most, f"of {mark.most}", required=False
            )
        takers = [(one.code, one.name) for one in ships.values() if one.side != ship.side]
        choose(self, "captor_ship", [("", "–"), *takers])
        if not ship.captain:
            del self.fields["captain"]

    @property
    def summary(self) -> str:
        """The ship's line in a few words, for the closed sheet."""
        fate = dict(_FATES)[self.line["fate"]]
        lost = self.at_sea.hull_fraction(self.ship.card, self.line["condition"])
        if self.line["fate"] != Fate.AFLOAT.value or not self.known:
            return fate
        return f"{fate}, hull {max(0, 100 - round(lost * 100))}%"

    def mark_fields(self) -> list[forms.BoundField]:
        """The figures of its condition."""
        return [self[mark.name] for mark in self.marks]

    def prize_fields(self) -> list[forms.BoundField]:
        """Who has it, if it was taken."""
        return [self[name] for name in ("captor_ship", "prize_crew", "prisoners")]

    def clean(self) -> dict[str, Any]:
        """The condition as the rule set makes it from the figures."""
        data = super().clean() or {}
        given = {mark.name: data[mark.name] for mark in self.marks if data.get(mark.name) is not None}
        try:
            self.condition = self.at_sea.marked(self.ship.card, self.line["condition"], given)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None
        if data.get("fate") == Fate.CAPTURED.value and not data.get("captor_ship"):
            self.add_error("captor_ship", "Choose the ship that captured it.")
        return data

    def entered_line(self) -> dict[str, Any]:
        """The ship's line of the document. A prize's men that were left blank are worked out. Rule: G.PR1."""
        data, ship = self.cleaned_data, self.ship
        line = {
            **self.line, "fate": data["fate"], "flags": sorted(data["flags"]), "condition": self.condition,
            "captor": "", "captor_ship": "", "prize_crew": 0, "prisoners": 0,
        }  # fmt: skip
        if data["fate"] != Fate.AFLOAT.value:
            line["flags"] = []
        if data["fate"] != Fate.CAPTURED.value:
            return line
        by = self.ships[data["captor_ship"]]
        left = min(ship.men, self.at_sea.men(ship.card, self.condition, ship.complement))
        prisoners = left if data["prisoners"] is None else data["prisoners"]
        crew = data["prize_crew"]
        if crew is None:
            crew = min(by.men, prize_crew(prisoners, ship.complement))
        return {**line, "captor": by.side, "captor_ship": by.code, "prize_crew": crew, "prisoners": prisoners}

    def officers(self) -> list[dict[str, str]]:
        """What befell its captain, for the document."""
        fate = self.cleaned_data.get("captain") or "unhurt"
        if fate == "unhurt" or not self.ship.captain:
            return []
        return [{"name": self.ship.captain, "ship": self.ship.code, "fate": fate, "clause": "G.AF1"}]


def entered_ships(document: dict[str, Any], forms_: Iterable[ShipLineForm]) -> dict[str, Any]:
    """A document with the lines of some ships as they were entered; officers named otherwise are kept."""
    rows = list(forms_)
    lines = {form.ship.code: form.entered_line() for form in rows}
    captains = {form.ship.captain for form in rows}
    kept = [row for row in document["officers"] if row["ship"] not in lines or row["name"] not in captains]
    officers = [*kept, *(row for form in rows for row in form.officers())]
    ships = [lines.get(row["ship"], row) for row in document["ships"]]
    return {**document, "ships": ships, "officers": officers}
