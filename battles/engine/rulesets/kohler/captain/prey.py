"""Whom to board, and when to cast off. Guidance: K.AI8."""

from __future__ import annotations

from battles.engine.core.dice import AVERAGE_FACES
from battles.engine.core.hexes import Hex
from battles.engine.rulesets.kohler.captain.odds import their_hull
from battles.engine.rulesets.kohler.captain.weights import Weights
from battles.engine.rulesets.kohler.state import Ship
from battles.engine.rulesets.kohler.view import Seen, View


def _chances() -> tuple[int, ...]:
    """Chance in 36 that the catcher's die plus its lead in modifiers, -6 to 6, is not beaten. Rule: K.B3."""
    return tuple(sum(a + lead >= b for a in AVERAGE_FACES for b in AVERAGE_FACES) for lead in range(-6, 7))


_CHANCES = _chances()


def lead(ship: Ship, seen: Seen) -> int:
    """Hull points by which we are ahead of her, by what shows. Rule: K.B16."""
    return ship.hull_left - their_hull(seen)


def worth_it(view: View, ship: Ship, enemy: str, weights: Weights, *, picky: bool = False) -> bool:
    """Whether to board that enemy: a clear lead, no fire aboard either, and she is worth having. picky: only who is crippled."""
    try:
        seen = view.enemy(enemy)
    except KeyError:
        return False
    return _worth(view, ship, seen, weights, picky=picky)


def is_crippled(seen: Seen) -> bool:
    """Whether she has lost half her steps or more, or cannot move: whom a fleet in line may board. Rule: G.MV5. Guidance: K.AI8."""
    return 2 * seen.steps_lost >= seen.n_steps or seen.disabled or seen.aground


def _worth(view: View, ship: Ship, seen: Seen, weights: Weights, *, picky: bool) -> bool:
    if seen.prize:
        if weights.retake:
            return open_prize(view, ship, seen)
        # Ours again as soon as she is grappled, but only while no captor lies by her (K.B25).
        alone = all(other.prize for other in view.enemies_at(seen.pos))
        return seen.came_with == ship.side and alone and not ship.prize_of
    if ship.prize_of or ship.fires or seen.alight or seen.fired or (picky and not is_crippled(seen)):
        return False
    return lead(ship, seen) >= weights.lead


def open_prize(view: View, ship: Ship, seen: Seen) -> bool:
    """Whether a prize falls without a fight to a ship that grapples her: one of ours, or one that the enemy has taken back.

    No one of the enemy may lie by her. Rules: K.B24, K.B25.
    """
    if ship.prize_of or not seen.prize or seen.came_with not in (ship.side, seen.flag):
        return False
    return all(other.prize for other in view.enemies_at(seen.pos))


def still_ahead(view: View, ship: Ship, enemy: str) -> bool:
    """Whether to fight on: the lead is not gone."""
    try:
        return lead(ship, view.enemy(enemy)) > 0
    except KeyError:
        return False


def best_prey(
    view: View, ship: Ship, cell: Hex, weights: Weights, *, picky: bool = False
) -> tuple[int, str] | None:
    """The best enemy to grapple in a hex and how much trying weighs, in the unit of the gunnery; None when none is worth it.

    A ship that gets alongside is safe from the guns of the enemy's friends while she fights (K.F6).
    """
    if ship.grapple_tried:
        return None
    best: tuple[int, str] | None = None
    for seen in view.enemies_at(cell):
        if not _worth(view, ship, seen, weights, picky=picky):
            continue
        if seen.prize and weights.retake:
            return weights.retake, seen.id
        gain = weights.prize * (min(lead(ship, seen), 14) // 2 + 3) * _chance(ship, seen) // 36
        if best is None or gain > best[0]:
            best = gain, seen.id
    return best


def _chance(ship: Ship, seen: Seen) -> int:
    """Chance in 36 to grapple her, as far as it can be reckoned from outside: her handiness is not known. Rules: K.B4, K.B11."""
    if seen.locked or seen.aground or seen.prize:
        return 36
    mine = (
        ship.is_handy
        - ship.unhandy
        - ship.steps_lost
        + (ship.band < seen.band)
        + (ship.group_init > seen.group_init)
    )
    hers = (seen.band < ship.band) + (seen.group_init > ship.group_init) - seen.steps_lost
    return _CHANCES[max(-6, min(6, mine - hers)) + 6]
