"""A squadron's line as it lies: who follows whom, how far it is drawn out, how fast its head may run for the others to keep up.

Guidance: K.AI2, K.AI4.
"""

from __future__ import annotations

from battles.engine.core.hexes import STEPS, Hex, distance
from battles.engine.rulesets.kohler.state import Ship

# Ships so near in the order of battle may change places when they have been thrown out of it.
WINDOW = 4


def as_it_lies(ships: list[Ship]) -> list[Ship]:
    """Ships of a line, given from van to rear by the order of battle, in the order in which they can best follow each other.

    Disorder and collisions make neighbours change places: each next ship is the nearest to the one before her of the next few.
    A line in good order stays as it is. Guidance: K.AI2.
    """
    if len(ships) < 3:
        return ships
    along = _heading(ships)
    left = list(ships)
    head = max(left[:WINDOW], key=lambda ship: _dot(ship.pos, along))
    left.remove(head)
    line = [head]
    while left:
        q, r = line[-1].pos
        best, least = left[0], 10**9
        for ship in left[:WINDOW]:
            dq, dr = ship.pos[0] - q, ship.pos[1] - r
            # Of two equally near the one farther ahead, lest she be left out.
            cost = 64 * max(abs(dq), abs(dr), abs(dq + dr)) - _dot((dq, dr), along) // len(ships)
            if cost < least:
                best, least = ship, cost
        left.remove(best)
        line.append(best)
    return line


def _heading(ships: list[Ship]) -> Hex:
    """The sum of the ways they head."""
    return sum(STEPS[s.facing][0] for s in ships), sum(STEPS[s.facing][1] for s in ships)


def _dot(a: Hex, b: Hex) -> int:
    """Twice the scalar product of two vectors on the hex grid."""
    return 2 * (a[0] * b[0] + a[1] * b[1]) + a[0] * b[1] + a[1] * b[0]


def drawn_out(line: list[Ship]) -> int:
    """The widest gap between neighbours of a line, in hexes beyond the one they should have."""
    return max((distance(a.pos, b.pos) for a, b in zip(line, line[1:], strict=False)), default=1) - 1


def clear_ahead_first(ships: list[Ship]) -> list[Ship]:
    """Ships in the order in which they should act, changed only so that whoever lies right ahead of another acts before her.

    Else that other would find her way barred, lose her way and drift on a friend. Rules: K.M12, K.M22, K.M24. Guidance: K.AI2.
    """
    lying = {ship.pos: ship for ship in ships}
    order: list[Ship] = []
    done: set[str] = set()
    for ship in ships:
        waiting: list[Ship] = []
        one: Ship | None = ship
        while one is not None and one.id not in done:
            done.add(one.id)
            waiting.append(one)
            dq, dr = STEPS[one.facing]
            one = lying.get((one.pos[0] + dq, one.pos[1] + dr))
        order += reversed(waiting)
    return order
