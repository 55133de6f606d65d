"""What the characters of commanders do to movement: the torpedophobe, the gallant and the cautious. Rules: P.L04-P.L06, P.L08, P.L10."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.core.plane import STRAIGHT, angle
from battles.engine.rulesets.barker import nip
from battles.engine.rulesets.barker.arcs import NORMAL, range_between
from battles.engine.rulesets.barker.courses import Pose
from battles.engine.rulesets.barker.formations import ABREAST
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.state import Battle
from battles.engine.rulesets.barker.tables import BOATS, SLACK, YARD, Type

# Characters by the CHARACTER die. Rules: P.L04-P.L06.
TORPEDOPHOBE, GALLANT, CAUTIOUS = 3, 4, 5
CHOOSY = (GALLANT, CAUTIOUS)
# A torpedophobe turns off by so much, from boats that bear less than so much off his heading. Rule: P.L04.
_TURN, _BOW = 4_500, 13_500
# A change of distance under this is none. Rule: P.L08.
_CHANGE = YARD


def turn_off(battle: Battle, mover: Mover) -> int:
    """From who leads, the bearing of the nearest boat that a torpedophobe sees within range and not far enough abaft; -1 none.

    Rule: P.L04.
    """
    if mover.character != TORPEDOPHOBE or mover.lead.stopped:
        return -1
    foes = [battle.units[code] for code in battle.parties[mover.lead.side].contacts]
    boats = [foe for foe in foes if foe.type in BOATS and foe.on_table]
    near: tuple[int, str] | None = None
    for unit in mover.units:
        for foe in boats:
            if foe.at == unit.at or angle(plane.bearing(unit.at, foe.at), unit.h) >= _BOW:
                continue
            far = range_between(unit, foe)
            if far <= NORMAL + SLACK and (near is None or (far, foe.id) < near):
                near = far, foe.id
    if near is None or battle.units[near[1]].at == mover.lead.at:
        return -1
    return plane.bearing(mover.lead.at, battle.units[near[1]].at)


def turns_off(mover: Mover, turn: int) -> bool:
    """Whether a turn is one by which a torpedophobe turns off: of 45 degrees or more, and away from the boat. Rule: P.L04."""
    lead = mover.units[-1] if mover.kind == ABREAST and turn > 0 else mover.lead
    was = angle(mover.turn_off, lead.h)
    now = angle(mover.turn_off, plane.turned(lead.h, turn))
    return abs(turn) >= _TURN and now > was


def away(mover: Mover) -> int:
    """The turn by 45 degrees that takes a torpedophobe's ship off; dead ahead, to starboard. Rule: P.L04."""
    return -_TURN if 0 < plane.swing(mover.lead.h, mover.turn_off) < STRAIGHT else _TURN


def disliked(battle: Battle, mover: Mover, before: Pose, after: Pose) -> int:
    """What a turn costs more because it opens the range, or closes it, on the nearest enemy in sight. Rules: P.L05, P.L06, P.L08."""
    foes = [battle.units[code] for code in battle.parties[mover.lead.side].contacts]
    near = min(
        ((plane.distance(before[:2], foe.at), foe.id) for foe in foes if foe.on_table and not foe.ashore), default=None
    )  # fmt: skip
    if near is None:
        return 0
    foe = battle.units[near[1]]
    change = plane.distance(after[:2], foe.at) - near[0]
    if mover.character == GALLANT:
        return nip.DISLIKED if change >= _CHANGE and foe.type is not Type.SUB else 0
    return nip.DISLIKED if change <= -_CHANGE else 0
