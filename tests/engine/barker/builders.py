"""Units, battles and plays for tests of Barker's rules, with no scenario behind them. Places in yards, headings in degrees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.log import Log
from battles.engine.core.parties import SideState
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.barker import sight
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.options import with_defaults
from battles.engine.rulesets.barker.play import Orders, Play
from battles.engine.rulesets.barker.state import BarkerSquadron, Battle, Group, Hull, Party, Status, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase, Type
from battles.engine.rulesets.barker.view import View

_MOVES = {
    "BB": 2,
    "C1": 3,
    "C2": 3,
    "C3": 2,
    "SC": 4,
    "TBD": 4,
    "TB": 4,
    "SUB": 1,
    "LINER": 3,
    "AMC": 3,
    "TRANSPORT": 2,
}
_RANK = {
    "BB": 6,
    "C1": 5,
    "C2": 4,
    "LINER": 4,
    "AMC": 4,
    "C3": 3,
    "TRANSPORT": 3,
    "TRAMP": 3,
    "SC": 2,
    "TBD": 1,
    "TB": 1,
}
_SP = {
    "BB": 12,
    "C1": 8,
    "C2": 6,
    "C3": 4,
    "SC": 4,
    "TBD": 2,
    "TB": 1,
    "SUB": 6,
    "BATTERY": 6,
    "LINER": 3,
    "TRANSPORT": 3,
}


def unit(
    code: str = "A1", at: tuple[float, float] = (0, 0), heading: float = 0, kind: str = "BB", **over: Any
) -> Unit:
    """A battleship on the table, field by field otherwise; the side is the first letter of the id."""
    side = code[0]
    alone = kind in ("SUB", "BATTERY", "INSTALLATION", "LINER", "TRANSPORT", "TRAMP", "SAIL", "FISH", "AMC")
    squadron = "" if alone or kind.startswith("RAIDER") or kind == "MINELAYER" else f"{side}-1"
    fields: dict[str, Any] = {
        "id": code, "name": f"Ship {code}", "side": side, "squadron": squadron, "group": squadron or code, "nation": side,
        "type": Type(kind), "hulls": (code,), "sp2": 2 * _SP.get(kind, 2), "moves": _MOVES.get(kind, 1),
        "extra_free": kind in ("C1", "C2", "LINER", "AMC"), "obsolete": kind == "TB", "signal_miles": 10 if kind[0] in "BC" else 4,
        "rank": _RANK.get(kind, 0), "wt": False, "searchlight": kind in ("BB", "C1", "C2", "C3", "SC", "TBD", "AMC", "BATTERY"),
        "deep": kind in ("BB", "C1", "TRANSPORT"), "x": round(at[0] * 100), "y": round(at[1] * 100), "h": round(heading * 100),
        "status": Status.IN_PLAY,
    }  # fmt: skip
    return Unit(**{**fields, **over})


def battle(*units: Unit, **over: Any) -> Battle:
    """A combat by day in 1904, spell 0, side A on move, with these units; squadrons and groups come from the units, the first its Flag."""
    sides = ("A", "B")
    squadrons: dict[str, BarkerSquadron] = {}
    groups: dict[str, Group] = {}
    for one in units:
        if one.squadron and one.squadron not in squadrons:
            own = [other for other in units if other.squadron == one.squadron]
            squadrons[one.squadron] = BarkerSquadron(
                id=one.squadron, name=one.squadron, side=one.side, ships=tuple(other.id for other in own),
                flagship=one.id, flotilla=all(other.boat or other.type is Type.SC for other in own),
            )  # fmt: skip
        kind = (
            "single" if not one.squadron else "flotilla" if squadrons[one.squadron].flotilla else "squadron"
        )
        groups.setdefault(one.group, Group(one.group, one.side, kind))
    fields: dict[str, Any] = {
        "title": "Test", "year": 1904, "turn": 0, "last_turn": 288, "towards": 180, "strength": "moderate",
        "sides": {code: SideState(code, f"Side {code}", code) for code in sides}, "squadrons": squadrons,
        "units": {one.id: one for one in units},
        "ships": {
            hull: Hull(hull, one.name, one.side, one.squadron, one, Condition().to_dict(), one.sp2, 700, 700)
            for one in units for hull in one.hulls
        },
        "groups": groups,
        "parties": {
            "A": Party("A", 18_000, next((code for code in squadrons if code[0] == "A"), "")),
            "B": Party("B", 0, next((code for code in squadrons if code[0] == "B"), "")),
        },
        "options": with_defaults({}), "table": (-3_000_000, -4_800_000, 3_000_000, 4_800_000), "initiative": "A", "opened": 43_200,
        "sunrise": 21_600, "sunset": 64_800, "wind": 4_500, "weather": "none", "mode": Mode.COMBAT, "phase": Phase.DAY,
        "allotted": 14_400, "contact": 0,
    }  # fmt: skip
    return Battle(**{**fields, **over})


def field(*units: Unit, doctrine: Doctrine | None = None, nips: int = 6, **over: Any) -> Battle:
    """A battle with contacts and dice; side A obeys a doctrine."""
    made = battle(*units, **over)
    if doctrine is not None:
        made.sides["A"].doctrine = doctrine
    for group in made.groups.values():
        group.nip = group.left = nips
    for side in made.sides:
        made.parties[side].opening2 = sum(one.sp2 for one in units if one.side == side)
    sight.refresh(made)
    return made


def view(*units: Unit, **over: Any) -> View:
    """What the captain of side A sees of that battle."""
    return View(field(*units, **over), "A")


def play(
    made: Battle,
    *faces: int,
    orders: Mapping[str, Orders] | None = None,
    captains: Mapping[str, Any] | None = None,
) -> Play:
    """What a spell is played with: these faces in their order."""
    log = Log()
    table = Play(dice=ScriptedDice(faces, log=log), log=log, orders=orders or {}, captains=captains or {})
    table.views = {code: View(made, code) for code in made.sides}
    return table


def told(table: Play, kind: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Ship and data of every event of a kind so far."""
    assert table.log is not None
    return [(event.ship, event.data) for event in table.log.events if event.kind == kind]


def in_line(*kinds: str, kind: str = "ahead", apart: float = 400, **over: Any) -> Mover:
    """Ships of one squadron in line ahead or abreast, the first at the origin, heading north; one by herself is in no formation."""
    across = kind == "abreast"
    units = [
        unit(f"A{n}", ((apart * n, 0) if across else (0, -apart * n)), 0, one, **over)
        for n, one in enumerate(kinds)
    ]
    return Mover(kind if len(units) > 1 else "loose", units)
