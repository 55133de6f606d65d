"""Whom to fire at. Guidance: K.AI7."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.rulesets.kohler.captain.odds import BEARS, CENTRE, STARBOARD, WIDTH
from battles.engine.rulesets.kohler.captain.scene import Foe, foes_near
from battles.engine.rulesets.kohler.state import Ship
from battles.engine.rulesets.kohler.view import View

# A burning fire ship near is to be sunk before she strikes. Guidance: K.AI10.
AFIRE = 3


def worth_firing_at(foe: Foe, sixths: int) -> int:
    """How much a broadside of so many expected sixths of a hit is worth on this enemy: what she can lose, and how near her end."""
    useful = min(sixths, foe.hull * 6)
    near_end = 3 if foe.hull <= 3 else 2 if foe.hull <= 6 else 0
    if foe.ship.prize:
        return useful * 3
    return useful * (8 + near_end + min(2, foe.ship.steps_lost)) + (2 if foe.ship.flagship else 0)


def concentrated(view: View, ship: Ship, laid: dict[str, int], bonus: int) -> Mapping[str, str]:
    """The target of each broadside, together with the ships that have aimed before: on the enemies they have begun with.

    laid: expected sixths that our guns have laid on each enemy this turn; what is chosen is added. No one gets more than she has
    hull for while another bears. Guidance: K.AI7.
    """
    best: dict[str, tuple[int, Foe, int]] = {}
    q, r = ship.pos
    bears = BEARS[ship.facing]
    for foe in foes_near(view, ship, 4):
        rel = (foe.q - q) * WIDTH + foe.r - r
        bearing = bears[CENTRE + rel]
        if not bearing:
            continue
        rng = bearing & 7
        sixths = foe.mine[5] if rng == 1 and -rel == foe.astern else foe.mine[rng]
        side = "starboard" if bearing & STARBOARD else "port"
        before = laid.get(foe.ship.id, 0)
        value = worth_firing_at(foe, max(1, min(sixths, foe.hull * 6 - before))) if sixths else 0
        if foe.ship.fired and rng <= 2:
            value *= AFIRE
        if before:
            value += value * bonus // 100
        if value > 0 and (side not in best or value > best[side][0]):
            best[side] = (value, foe, sixths)
    for _, foe, sixths in best.values():
        laid[foe.ship.id] = laid.get(foe.ship.id, 0) + sixths
    return {side: foe.ship.id for side, (_, foe, _) in best.items()}


def best_targets(view: View, ship: Ship) -> Mapping[str, str]:
    """The target of each broadside that bears on an enemy; a broadside with none is left out and so left to the rules.

    Whether a friend is in the way is the rules' business: they choose again when the shot is barred. So is who lies on which side
    of a ship with enemies in her own hex and no hold on her: the nearest come first, and the rules know them. Guidance: K.AI7.
    """
    best: dict[str, tuple[int, str]] = {}
    q, r = ship.pos
    bears = BEARS[ship.facing]
    for foe in foes_near(view, ship, 4):
        rel = (foe.q - q) * WIDTH + foe.r - r
        bearing = bears[CENTRE + rel]
        if not bearing:
            if not rel and not ship.locks:
                return {}
            continue
        rng = bearing & 7
        sixths = foe.mine[5] if rng == 1 and -rel == foe.astern else foe.mine[rng]
        side = "starboard" if bearing & STARBOARD else "port"
        value = worth_firing_at(foe, sixths)
        if value > 0 and value > best.get(side, (0, ""))[0]:
            best[side] = (value, foe.ship.id)
    return {side: code for side, (_, code) in best.items()}
