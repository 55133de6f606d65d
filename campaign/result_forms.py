"""The result sheet of a battle on the tabletop: one form for the battle, one for each ship. Rules: G.BT2, G.BT3.

The figures of a ship's condition are those that its rule set names (`AtSea.marks`), so the sheet need not know any rule set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from battles.engine.core.at_sea import Mark
from battles.engine.core.crews import prize_crew
from battles.engine.core.fates import Fate
from battles.roster import Entered, Squadron
from battles.services.outcomes import ENDED, MOST_MINUTES, SETTLED, untouched
from campaign.forms import choose, number, pick

_ENDS = {
    "parted": "the fleets parted",
    "beaten": "one side was beaten",
    "nightfall": "night fell",
    "limit": "time ran out",
    "gale": "a gale blew up",
}
AS_IT_WAS = ""
# What the list of fates offers: as it was, afloat but changed, and what else can become of a ship.
FATES = (
    (AS_IT_WAS, "as it was"),
    (Fate.AFLOAT.value, "changed"),
    *(
        (fate.value, "taken" if fate is Fate.CAPTURED else fate.value)
        for fate in Fate
        if fate is not Fate.AFLOAT
    ),
)
_NO_ONE = "none"
_HURT = ("unhurt", "wounded", "killed", "captured")


@dataclass(frozen=True, slots=True)
class ShipLine:
    """A ship of a roster and its line of the result sheet. ships: of the roster. row: its line of the document. captain: what befell
    its captain. known: whether the reader knows how it was before the battle.
    """

    ship: Entered
    ships: Mapping[str, Entered]
    row: Mapping[str, Any]
    captain: str
    known: bool
    at_sea: Any

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The figures of its condition, as the line has them."""
        found: tuple[Mark, ...] = self.at_sea.marks(self.ship.card, self.row["condition"])
        return found

    @property
    def fate(self) -> str:
        """What the list of fates shows for it."""
        same = self.captain == _HURT[0] and self.row == untouched(self.ship)
        return AS_IT_WAS if same else str(self.row["fate"])

    @property
    def summary(self) -> str:
        """The line in a few words, "" for a ship as it was."""
        if not self.fate:
            return ""
        words = [dict(FATES)[self.fate], *self.row["flags"]]
        if self.fate == Fate.AFLOAT.value:
            words[0] = "afloat"
        if self.row["captor_ship"]:
            words[0] += f" by {self.ships[self.row['captor_ship']].name}"
        if self.fate == Fate.AFLOAT.value and self.known:
            lost = self.at_sea.hull_fraction(self.ship.card, self.row["condition"])
            words.append(f"hull {max(0, 100 - round(lost * 100))}%")
        return ", ".join(words)

    def initial(self) -> dict[str, Any]:
        """Its form as the line has it."""
        row = self.row
        return {
            "fate": self.fate,
            "flags": list(row["flags"]),
            "captor_ship": row["captor_ship"],
            "prize_crew": row["prize_crew"] or None,
            "prisoners": row["prisoners"] or None,
            "captain": self.captain,
            **({mark.name: mark.value for mark in self.marks} if self.known else {}),
        }


class BattleHeadForm(forms.Form):
    """How long the battle took, why it ended, and who holds the field. Nothing is filled in until someone has entered it."""

    hours = number("Hours", 0, MOST_MINUTES // 60)
    minutes = number("Minutes", 0, 59)
    ended = pick("It ended because", ("", "Choose"), *((end, _ENDS[end]) for end in ENDED), required=True)
    held_field = pick("Who holds the field", required=True)

    def __init__(self, *args: Any, sides: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "held_field", [("", "Choose"), *sides.items(), (_NO_ONE, "no one")])

    @staticmethod
    def initial_from(document: Mapping[str, Any]) -> dict[str, Any]:
        """As a document has it."""
        hours, minutes = divmod(document["minutes"], 60)
        return {
            "hours": hours,
            "minutes": minutes,
            "ended": document["ended"],
            "held_field": document["held_field"] or _NO_ONE,
        }

    def entered_in(self, document: dict[str, Any], minutes_a_turn: int) -> dict[str, Any]:
        """A document with what was entered."""
        data = self.cleaned_data
        minutes = 60 * data["hours"] + data["minutes"]
        head = {"minutes": minutes, "turns": -(-minutes // minutes_a_turn)}
        holder = "" if data["held_field"] == _NO_ONE else data["held_field"]
        return {**document, **head, "ended": data["ended"], "held_field": holder}


class ShipLineForm(forms.Form):
    """What became of one ship: its fate, its condition by its own rule set, and who has it if it was taken.

    known: whether the reader knows how the ship was before the battle. If not, figures start empty, and those left empty do not change.
    """

    fate = pick("Fate", *FATES)
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

    def __init__(self, data: Any = None, *, line: ShipLine, prefix: str = "") -> None:
        ship, self.line = line.ship, line
        super().__init__(data, initial=line.initial(), prefix=prefix or ship.code)
        for mark in line.marks:
            self.fields[mark.name] = number(
                mark.label, mark.least, mark.most, f"of {mark.most}", required=False
            )
        takers = [(one.code, one.name) for one in line.ships.values() if one.side != ship.side]
        choose(self, "captor_ship", [("", "–"), *takers])
        if not ship.captain:
            del self.fields["captain"]

    @property
    def ship(self) -> Entered:
        """The ship."""
        return self.line.ship

    def mark_fields(self) -> list[forms.BoundField]:
        """The figures of its condition."""
        return [self[mark.name] for mark in self.line.marks]

    def prize_fields(self) -> list[forms.BoundField]:
        """Who has it, if it was taken."""
        return [self[name] for name in ("captor_ship", "prize_crew", "prisoners")]

    def clean(self) -> dict[str, Any]:
        """The condition as the rule set makes it from the figures."""
        data = super().clean() or {}
        line, self.condition = self.line, self.line.ship.condition
        if data.get("fate") == AS_IT_WAS:
            return data
        given = {mark.name: data[mark.name] for mark in line.marks if data.get(mark.name) is not None}
        try:
            self.condition = line.at_sea.marked(line.ship.card, line.row["condition"], given)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None
        if data.get("fate") == Fate.CAPTURED.value and not data.get("captor_ship"):
            self.add_error("captor_ship", "Choose the ship that captured it.")
        return data

    def entered_line(self) -> dict[str, Any]:
        """The ship's line of the document. A prize's men that were left blank are worked out. Rule: G.PR1."""
        data, ship, at_sea = self.cleaned_data, self.ship, self.line.at_sea
        if data["fate"] == AS_IT_WAS:
            return untouched(ship)
        line = {
            **self.line.row, "fate": data["fate"], "flags": sorted(data["flags"]), "condition": self.condition,
            "captor": "", "captor_ship": "", "prize_crew": 0, "prisoners": 0,
        }  # fmt: skip
        if data["fate"] != Fate.AFLOAT.value:
            line["flags"] = []
        if data["fate"] != Fate.CAPTURED.value:
            return line
        by = self.line.ships[data["captor_ship"]]
        left = min(ship.men, at_sea.men(ship.card, self.condition, ship.complement))
        prisoners = left if data["prisoners"] is None else data["prisoners"]
        crew = data["prize_crew"]
        if crew is None:
            crew = min(by.men, prize_crew(prisoners, ship.complement))
        return {**line, "captor": by.side, "captor_ship": by.code, "prize_crew": crew, "prisoners": prisoners}

    def officers(self) -> list[dict[str, str]]:
        """What befell its captain, for the document."""
        fate = self.cleaned_data.get("captain") or _HURT[0]
        if fate == _HURT[0] or not self.ship.captain or self.cleaned_data["fate"] == AS_IT_WAS:
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


def untouched_ships(document: dict[str, Any], squadrons: Iterable[Squadron]) -> dict[str, Any]:
    """A document in which nothing has happened to the ships of some squadrons, nor to their captains."""
    lines = {ship.code: (untouched(ship), ship.captain) for one in squadrons for ship in one.ships}
    ships = [lines[row["ship"]][0] if row["ship"] in lines else row for row in document["ships"]]
    officers = [
        row
        for row in document["officers"]
        if row["ship"] not in lines or row["name"] != lines[row["ship"]][1]
    ]
    return {**document, "ships": ships, "officers": officers}
