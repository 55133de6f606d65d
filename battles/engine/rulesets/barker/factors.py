"""Attack and defence factors, and all that is taken from them. Rules: P.F24-P.F37, Table 5, P.R04-P.R06, P.L02, P.L03, P.L07."""

from __future__ import annotations

from battles.engine.core import bases, plane
from battles.engine.rulesets.barker import clock
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import (
    BOATS,
    HALF_LIGHT,
    MAJOR,
    SLACK,
    YARD,
    Phase,
    Type,
)

Row = tuple[int | None, int | None, int | None, int | None]

# Attack by band and defence, None where no shot is possible. Rules: P.F25, P.F16, P.F37, P.R04-P.R06, Table 5.
_C2: Row = (2, 2, 0, None)
_C3: Row = (2, 1, 0, None)
_BOAT: Row = (2, 0, None, None)
ATTACK: dict[Type, Row] = {
    Type.BATTERY: (2, 2, 2, 1),
    Type.BB: (3, 3, 2, 1),
    Type.C1: (3, 2, 1, 0),
    Type.C2: _C2,
    Type.AMC: _C2,
    Type.RAIDER_L: _C2,
    Type.C3: _C3,
    Type.RAIDER_T: _C3,
    Type.SC: (2, 1, None, None),
    Type.TBD: _BOAT,
    Type.TB: _BOAT,
    Type.SUB: _BOAT,
    Type.MINELAYER: (1, 1, None, None),
}
# Of the hull; a minelayer has none of her own. Rules: P.Y10, P.R04-P.R06.
DEFENCE: dict[Type, int] = {
    Type.BATTERY: 5,
    Type.INSTALLATION: 2,
    Type.BB: 4,
    Type.C1: 3,
    Type.C2: 2,
    Type.C3: 2,
    Type.AMC: 2,
    Type.RAIDER_L: 2,
    Type.RAIDER_T: 1,
    Type.SC: 1,
    Type.TBD: 1,
    Type.TB: 1,
    Type.SUB: 3,
    Type.MINELAYER: 0,
    Type.LINER: 2,
    Type.TRANSPORT: 1,
    Type.TRAMP: 1,
    Type.SAIL: 0,
    Type.FISH: 1,
}
# Rules: P.F27-P.F33.
CRIPPLED, OBSOLETE, REDUCED, BAD_LIGHT, HINDERED, NOT_FIRST = 2, 1, 2, 1, 1, 1
# How far a dark ship is seen at night. Rules: P.V05, P.F32.
DARK = 1_000 * YARD
GUNNERY, PAINT, CHIVALROUS = 1, 2, 6


def attack_factors(unit: Unit) -> Row | None:
    """Attack by band; None for who cannot shoot: unarmed, a prize, disguised, submerged, off the table.

    Rules: P.F25, P.K32, P.R02, P.U06.
    """
    if unit.disguised or unit.prize or unit.neutral or not unit.on_table:
        return None
    return ATTACK.get(unit.type)


def shooter(battle: Battle, unit: Unit, target: Unit, band: Band, *, reduced: bool) -> int:
    """Attack factor less each modifier that holds, once; damage short of crippling is none. The die is not in it.

    The band must be one with a factor. Rules: P.F24, P.F25, P.F26, P.F27, P.F28, P.F29, P.F30, P.F31, P.F32, P.F33, P.F35.
    """
    factor = ATTACK[unit.type][band]
    assert factor is not None
    if unit.crippled:
        factor -= CRIPPLED
    if unit.obsolete:
        factor -= OBSOLETE
    if reduced or (unit.type in BOATS and unit.fired):
        factor -= REDUCED
    if target.type in BOATS and bad_light(battle, unit, target):
        factor -= BAD_LIGHT
    if hindered(battle, unit, target):
        factor -= HINDERED
    if any(code != unit.id for code in battle.tallies.get(target.id, ())):
        factor -= NOT_FIRST
    return factor


def defender(target: Unit) -> int:
    """Defence factor and modifiers, without the die. Rules: P.F24, P.F25, P.F27, P.F28, P.X05, P.Y10."""
    return DEFENCE[target.type] - CRIPPLED * target.crippled - OBSOLETE * target.obsolete


def bad_light(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a boat is hard to hit: at dusk or dawn, at night unless one of the shooter's side lights it. Rule: P.F31."""
    if battle.phase in HALF_LIGHT:
        return True
    return battle.phase is Phase.NIGHT and not lit(battle, target, unit.side)


def lit(battle: Battle, target: Unit, side: str = "") -> bool:
    """Whether a searchlight lies on a unit, one of a side when it is named. Rules: P.V14, P.F31, P.F32."""
    return any(user.light == target.id for user in battle.on_table(side))


def hindered(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether the sun is in the gunner's eyes, or the target shows by nothing but its own searchlight. Rules: P.F32, P.T08."""
    if battle.phase in (Phase.SUNRISE, Phase.SUNSET):
        return unit.at != target.at and clock.sun_hinders(battle.phase, plane.bearing(unit.at, target.at))
    return (
        battle.phase is Phase.NIGHT
        and bool(target.light)
        and not target.crippled
        and bases.gap(unit, target) > DARK + SLACK
        and not lit(battle, target)
    )


def gunner_die(battle: Battle, unit: Unit, band: Band, die: int) -> int:
    """The firing die as the squadron's commander makes it count. Rules: P.L02, P.L03, P.F34."""
    squadron = battle.squadrons.get(unit.squadron)
    if squadron is None or band is Band.CLOSE:
        return die
    if squadron.character == GUNNERY and unit.id in (squadron.flagship, squadron.partner):
        return die + die % 2
    if squadron.character == PAINT and band >= Band.LONG:
        return die - 1
    return die


def chivalry_bars(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a chivalrous commander leaves a target to the friendly warship that has shot at it this spell. Rule: P.L07."""
    squadron = battle.squadrons.get(unit.squadron)
    if squadron is None or squadron.character != CHIVALROUS or unit.torpedo_craft or target.type not in MAJOR:
        return False
    firers = (battle.units[code] for code in battle.tallies.get(target.id, ()) if code != unit.id)
    return any(one.side == unit.side and not one.torpedo_craft and not one.ashore for one in firers)
