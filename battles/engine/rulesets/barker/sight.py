"""Who sees whom: limits of sight, contacts of a side, and what it remembers. Rules: P.V01-P.V15, P.W12.

Lengths are hundredths of a yard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battles.engine.core import bases
from battles.engine.core.grid import Grid
from battles.engine.core.plane import Box, Hull, Point, segment_cuts
from battles.engine.core.ruleset import Table
from battles.engine.rulesets.barker import land
from battles.engine.rulesets.barker.state import Bank, Battle, Sighting, Unit
from battles.engine.rulesets.barker.tables import (
    CABLE,
    DAYLIGHT,
    HALF_LIGHT,
    MILE,
    OVERLAP,
    SLACK,
    YARD,
    Phase,
    Type,
)

# Rules: P.V02-P.V06, P.V08.
CLEAR, THICK, LIT, DARK, FOG = 16 * MILE, 6 * MILE, 2 * MILE, 1_000 * YARD, CABLE
MINES = CABLE
# From the middle of a base to its corners and to its sides: so two bases lie nearer than their middles by twice the one at most, by twice
# the other at least.
_CORNER, _SIDE = 22_361, 10_000
# Side of the cells by which observers are found in the dark.
_CELL = LIT


def limit(battle: Battle, observer: Unit, target: Unit) -> int:
    """How far the observer sees the target now: the smallest limit that applies, half of it for a surfaced submarine.

    Rules: P.V02, P.V03, P.V06, P.V07, P.V09, P.W12.
    """
    far = _by_light(battle, target)
    return min(far, _cap(battle, observer, target, far)) if battle.banks else far


def _by_light(battle: Battle, target: Unit) -> int:
    """The limit without banks on the line. Rules: P.V02-P.V05, P.V07, P.V12."""
    if battle.phase in DAYLIGHT:
        far = THICK if battle.haze else CLEAR
    elif battle.phase in HALF_LIGHT or target.crippled or target.light or target.id in lit(battle):
        far = LIT
    else:
        far = DARK
    return far // 2 if target.type is Type.SUB else far


def _cap(battle: Battle, observer: Unit, target: Unit, far: int) -> int:
    """The limit that the banks on the line set, `far` when there is none. Rules: P.V03, P.V06, P.V07, P.V09, P.W12."""
    kinds = between(battle, observer, target)
    if "fog" in kinds:
        return FOG // 2 if target.type is Type.SUB else FOG
    if kinds and battle.phase in DAYLIGHT:
        return THICK // 2 if target.type is Type.SUB else THICK
    return far


def lit(battle: Battle) -> frozenset[str]:
    """Units on which a searchlight lies. Rule: P.V14."""
    if battle.phase is not Phase.NIGHT:
        return frozenset()
    return frozenset([unit.light for unit in battle.units.values() if unit.light])


def visible(battle: Battle, observer: Unit, target: Unit) -> bool:
    """Whether the observer sees the target: near enough, both on the table, no land between. Rules: P.V01, P.V10, P.V11, P.U03, P.S34."""
    return (
        observer.on_table and target.on_table and _sees(battle, observer, target, _by_light(battle, target))
    )


def _sees(battle: Battle, observer: Unit, target: Unit, far: int) -> bool:
    """Whether the observer sees the target, which the light alone shows at `far`. Rules: P.V01, P.V09, P.V10, P.F21, P.Z03."""
    dx, dy = observer.x - target.x, observer.y - target.y
    square = dx * dx + dy * dy
    if square > (far + SLACK + 2 * _CORNER) ** 2:
        return False
    if battle.banks:
        far = min(far, _cap(battle, observer, target, far))
    if square > (far + SLACK + 2 * _SIDE) ** 2:
        if square > (far + SLACK + 2 * _CORNER) ** 2 or bases.gap(observer, target) > far + SLACK:
            return False
    if not battle.land:
        return True
    beside = frozenset(unit.id for unit in (observer, target) if unit.ashore)
    return not land.blocks(battle, *bases.nearest_points(observer, target), beside)


def between(battle: Battle, one: Unit, other: Unit) -> frozenset[str]:
    """The kinds of bank on the line between the nearest points of two bases. Rules: P.W12, P.V01.

    That line keeps within half a base and its corner of the line between the middles, which settles most cases.
    """
    kinds: set[str] = set()
    for bank in battle.banks:
        core = _core(bank)
        if bank.kind not in kinds and segment_cuts(one.at, other.at, _grown(core, _CORNER)):
            heart = _heart(core)
            if (
                heart is not None
                and segment_cuts(one.at, other.at, heart)
                or segment_cuts(*bases.nearest_points(one, other), core)
            ):
                kinds.add(bank.kind)
    return frozenset(kinds)


def _grown(box: Box, by: int) -> Box:
    """A rectangle with its sides moved outwards."""
    return Box(box.x, box.y, box.heading, box.length + 2 * by, box.beam + 2 * by)


def _heart(core: Box) -> Box | None:
    """The part of a bank where a whole base lies inside it, however it heads; None of a small one."""
    return _grown(core, -_CORNER) if min(core.length, core.beam) > 2 * _CORNER else None


def crossing(battle: Battle, a: Point, b: Point) -> frozenset[str]:
    """The kinds of bank that a line crosses or ends in; one that it grazes does not count. Rule: P.W12."""
    return frozenset(bank.kind for bank in battle.banks if segment_cuts(a, b, _core(bank)))


def in_fog(battle: Battle, hull: Hull) -> bool:
    """Whether any part of a base lies in fog. Rule: P.A05."""
    return any(bank.kind == "fog" and bases.gap(hull, _core(bank)) == 0 for bank in battle.banks)


def _core(bank: Bank) -> Box:
    """A bank without what the tolerance leaves out. Rule: P.Z03."""
    return Box(bank.x, bank.y, bank.h, bank.length - 2 * OVERLAP, bank.beam - 2 * OVERLAP)


def shown_type(unit: Unit) -> Type:
    """What a unit looks like: an armed merchant cruiser is a liner until it acts. Rules: P.R05, P.K45."""
    return Type.LINER if unit.type is Type.AMC and not unit.acting else unit.type


def seen_by_side(battle: Battle, side: str) -> Iterator[Unit]:
    """Enemy units that any unit of a side sees, in id order of the scenario; one in disguise reports nothing. Rules: P.V15, P.R02."""
    watch = [unit for unit in battle.on_table(side) if not (unit.neutral or unit.disguised)]
    dark: Grid[Unit] | None = None
    fogs = [heart for bank in battle.banks if bank.kind == "fog" and (heart := _heart(_core(bank)))]
    for target in battle.enemies(side):
        far = _by_light(battle, target)
        if any(segment_cuts(target.at, target.at, fog) for fog in fogs):
            far = min(far, FOG)
        near: Iterable[Unit] = watch
        if far <= LIT:
            if dark is None:
                dark = Grid(_CELL)
                for unit in watch:
                    dark.place(unit)
            near = dark.near(target.at, far + SLACK + 2 * _CORNER)
        if any(_sees(battle, one, target, far) for one in near):
            yield target


def refresh(battle: Battle, play: Table | None = None) -> None:
    """Find the contacts of both sides anew and remember how they lay; with a play, tell who came in sight and who is lost to it.

    Rules: P.V15, P.K45.
    """
    for side, party in battle.parties.items():
        before = party.contacts
        found = list(seen_by_side(battle, side))
        party.contacts = tuple(unit.id for unit in found)
        for unit in found:
            party.remembered[unit.id] = Sighting(
                unit.id, shown_type(unit), unit.x, unit.y, unit.h, unit.damage, unit.crippled, battle.spell
            )
        if play is not None:
            _tell(battle, play, side, before)


def _tell(battle: Battle, play: Table, side: str, before: tuple[str, ...]) -> None:
    now = battle.parties[side].contacts
    for code in now:
        if code not in before:
            unit = battle.units[code]
            pair = unit.hulls[1] if len(unit.hulls) > 1 else ""
            play.tell(
                "sighted", "P.V15", code, side=side, x=unit.x, y=unit.y, h=unit.h, type=shown_type(unit).value,
                steps=unit.damage + 3 * unit.crippled, pair=pair,
            )  # fmt: skip
    for code in before:
        if code not in now and battle.units[code].on_table:
            play.tell("lost_sight", "P.V15", code, side=side)
