"""The result sheet of a battle as one member sees it: one line a ship, as entered, with what they have typed since on top.

What is typed is kept as the member's own draft until they enter it, squadron by squadron. Rules: G.BT2, G.IN1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict

from battles.models import Battle, BattleOutcome
from battles.pins import rule_set_of
from battles.roster import Squadron, entered, squadrons
from battles.services.outcomes import HEAD
from campaign.as_typed import plain
from campaign.models import ResultDraft
from campaign.result_forms import AS_IT_WAS, BattleHeadForm, ShipLine, ShipLineForm

UNHURT = "unhurt"
# A field that says that the figures of a ship were open when the form was sent, so that an unticked box means something.
OPENED = "opened"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the sheet. fate: as the list has it. summary: as entered. typed: whether the reader has typed something since.

    kind: of its figures, see `ResultSheet.kinds`. figures: what they say, as JSON for the script, "" for a ship as it was. form: of a
    ship whose figures are open.
    """

    line: ShipLine
    fate: str
    summary: str
    typed: bool
    kind: str
    most: str
    figures: str
    form: ShipLineForm | None


@dataclass(frozen=True, slots=True)
class SquadronRows:
    """A squadron of the sheet. done: who has entered it, "" for no one yet. changed: ships that are not as they were."""

    squadron: Squadron
    side: str
    rows: tuple[Row, ...]
    done: str
    open: bool

    @property
    def typed(self) -> int:
        """Ships of which the reader has typed something that is not entered."""
        return sum(row.typed for row in self.rows)

    @property
    def changed(self) -> int:
        """Ships that are not as they were."""
        return sum(row.fate != AS_IT_WAS for row in self.rows)


class ResultSheet:
    """The sheet of a battle for one reader.

    own: code of the reader's side, "" for the umpire. sides: names by code. draft: what the reader has typed.
    """

    def __init__(
        self,
        battle: Battle,
        outcome: BattleOutcome,
        draft: ResultDraft | None,
        own: str,
        sides: Mapping[str, str],
    ) -> None:
        self.battle, self.outcome, self.own, self.sides = battle, outcome, own, sides
        self.typed: dict[str, Any] = draft.document if draft is not None else {"head": {}, "ships": {}}
        self.ships = entered(battle)
        # their own first, as on the slips that were printed
        self.squadrons = sorted(squadrons(self.ships.values()), key=lambda one: own not in ("", one.side))
        self.forms: dict[str, ShipLineForm] = {}

    @cached_property
    def lines(self) -> dict[str, ShipLine]:
        """The lines as they are entered, by ship."""
        document = self.outcome.document
        rows = {row["ship"]: row for row in document["ships"]}
        fates = {(row["ship"], row["name"]): row["fate"] for row in document["officers"]}
        at_sea = rule_set_of(self.battle).at_sea
        return {
            code: ShipLine(
                ship, self.ships, rows[code], fates.get((code, ship.captain), UNHURT), self.own in ("", ship.side), at_sea
            )
            for code, ship in self.ships.items()
        }  # fmt: skip

    def fields(self, code: str) -> dict[str, Any]:
        """The fields of a ship: as entered, with what was typed on top."""
        return {**self.lines[code].initial(), **self.typed["ships"].get(code, {})}

    def form(self, code: str, *, bound: bool = False) -> ShipLineForm:
        """The form of a ship with what was typed. bound: to be checked."""
        fields = self.fields(code)
        if not bound:
            made = ShipLineForm(line=self.lines[code])
            made.initial = {**made.initial, **fields}
            return made
        data = {f"{code}-{name}": value for name, value in fields.items() if value is not None}
        return ShipLineForm(data, line=self.lines[code])

    def head(self, *, bound: bool = False) -> BattleHeadForm:
        """The form about the whole battle. It is empty until someone has entered it."""
        there = BattleHeadForm.initial_from(self.outcome.document) if HEAD in self.outcome.sheet else {}
        fields = {**there, **self.typed["head"]}
        sides = {code: self.sides.get(code, code) for code in self.battle.roster.navies}
        return BattleHeadForm(fields if bound else None, sides=sides, initial=fields)

    def take(self, post: QueryDict) -> None:
        """Put what a form holds on top of what was typed; what says the same as the sheet is not a draft."""
        empty = self.head()
        stored = BattleHeadForm.initial_from(self.outcome.document) if HEAD in self.outcome.sheet else {}
        sent = {name: post[name] for name in empty.fields if name in post}
        same = all(plain(value) == plain(stored.get(name)) for name, value in sent.items())
        if sent:
            self.typed["head"] = {} if same else sent
        for code, fields in _by_ship(post, self.lines).items():
            there = self.lines[code].initial()
            known = ShipLineForm(line=self.lines[code]).fields if len(fields) > 1 else {"fate": None}
            fields = {name: value for name, value in fields.items() if name in known}
            typed = {**self.typed["ships"].get(code, {}), **fields}
            if typed.get("fate") == AS_IT_WAS:
                typed = {"fate": AS_IT_WAS}
            if all(plain(value) == plain(there.get(name)) for name, value in typed.items()):
                self.typed["ships"].pop(code, None)
            else:
                self.typed["ships"][code] = typed

    def kinds(self) -> dict[str, ShipLineForm]:
        """The figures that ships have, each sort once: a form for a ship of that sort, with SHIP for its code. For the script."""
        found = {kind: ShipLineForm(line=line, prefix="SHIP") for kind, line in self._sorts.items()}
        for form in found.values():
            form.initial = {}
        return found

    @cached_property
    def _sorts(self) -> dict[str, ShipLine]:
        found: dict[str, ShipLine] = {}
        for line in self.lines.values():
            found.setdefault(self._kind(line), line)
        return found

    def _kind(self, line: ShipLine) -> str:
        names = "-".join(mark.name for mark in line.marks)
        return f"{line.ship.side}-{names}{'-captain' if line.ship.captain else ''}"

    def rows(self, *, open_ship: str = "", open_squadron: int = 0) -> tuple[SquadronRows, ...]:
        """All lines by squadron. open_ship: whose figures are open; those with errors are open besides."""
        done = self.outcome.sheet
        undone = [one.number for one in self.squadrons if str(one.number) not in done]
        wanted = open_squadron or (undone[0] if undone else 0)
        found = []
        for one in self.squadrons:
            rows = tuple(self._row(ship.code, open_ship) for ship in one.ships)
            opened = one.number == wanted or any(row.form is not None for row in rows)
            by = done.get(str(one.number))
            who = "" if by is None else self.sides.get(by["side"], by["side"]) or "the umpire"
            found.append(SquadronRows(one, self.sides.get(one.side, one.side), rows, who, opened))
        return tuple(found)

    def _row(self, code: str, open_ship: str) -> Row:
        line, typed = self.lines[code], self.typed["ships"].get(code, {})
        fate = typed.get("fate", line.fate)
        form = self.forms.get(code)
        if form is not None and form.is_valid():
            form = None
        if form is None and code == open_ship:
            form = self.form(code)
        figures = ""
        if fate != AS_IT_WAS:
            fields = self.fields(code)
            figures = json.dumps(
                {name: value for name, value in fields.items() if value not in (None, "", [])}
            )
        most = " ".join(f"{mark.most}:{mark.value if line.known else ''}" for mark in line.marks)
        return Row(line, fate, line.summary, bool(typed), self._kind(line), most, figures, form)

    def checked(self, numbers: Iterable[int]) -> list[ShipLineForm]:
        """The forms of some squadrons with what was typed; they are kept, so that the page shows their errors."""
        wanted = set(numbers)
        codes = [ship.code for one in self.squadrons if one.number in wanted for ship in one.ships]
        self.forms |= {code: self.form(code, bound=True) for code in codes}
        return [self.forms[code] for code in codes]


def _by_ship(post: QueryDict, lines: Mapping[str, ShipLine]) -> dict[str, dict[str, Any]]:
    """The fields of each ship in a form that was sent. A list of boxes with no tick counts only where the figures were open."""
    found: dict[str, dict[str, Any]] = {}
    for key in post:
        code, _, name = key.rpartition("-")
        if code in lines and name != OPENED:
            value: Any = post.getlist(key) if name == "flags" else post[key]
            found.setdefault(code, {})[name] = value
    for code, fields in found.items():
        if f"{code}-{OPENED}" in post:
            fields.setdefault("flags", [])
    return found
