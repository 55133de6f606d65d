"""What an officer makes of a ship they see: her size, her guns and her men, from her kind, her rate and what shows of her hurts.

Nothing here is known for certain (T.S18); own ships are known exactly. Section 12.
"""

from __future__ import annotations

from functools import cache

from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import REACH, Arc, Gun, Kind
from battles.engine.rulesets.thomas.view import Seen

# Sixths of a hit that a battery makes at a range: a half in the close band, a third in the long one (T.B9).
CLOSE, FAR = 3, 2
BANDS = (4_000, 8_000, 16_000)
SHORT_GUNS, LONG_GUNS = (3_000, 0), (5_000, 0)
Fire = tuple[int, int, int]
NO_FIRE: Fire = (0, 0, 0)
_HALF = 2
# Guns of one battery of a broadside, both sides counted, by kind; what is left of them by whole quarters of damage, %.
_A_BATTERY_NELSON = {Kind.LINE: 14, Kind.FIFTY: 14, Kind.FRIGATE: 18}
_LEFT = (90, 40, 12, 3)


@cache
def length_of(kind: Kind, tons: int, *, nelson: bool) -> int:
    """The length of a hull of so many tons, thousandths of an inch. Rule: T.S1."""
    fixed = {Kind.GALLEY: 1_400, Kind.GALLEASSE: 1_600, Kind.PINNACE: 500}.get(kind)
    if fixed is not None:
        return fixed
    cube, root = (145 if nelson else 130) ** 3 * tons, 1
    while (root + 1) ** 3 <= cube:
        root += 1
    return root


def crippled(seen: Seen, *, nelson: bool) -> bool:
    """Whether she is past much resistance: no mast that drives her, or half of her flotation or her men seem to be gone. Rule: G.MV5."""
    if seen.dismasted or seen.quarters_lost >= _HALF:
        return True
    return 2 * men_of(seen, nelson=nelson) <= men_when_whole(seen, nelson=nelson)


def men_when_whole(seen: Seen, *, nelson: bool) -> int:
    """Fighters she may have begun with: by her tons, a merchantman of the Nelson period fewer. Rule: T.S2."""
    share = 10 if seen.kind is not Kind.MERCHANT else 40 if nelson else 10
    return max(1, seen.tons // share)


def men_of(seen: Seen, *, nelson: bool) -> int:
    """Fighters she may have left: by her tons, less half of what shows of her damage, less those seen to fall.

    Rules: T.S2, T.B9b, T.B12n, T.O6h.
    """
    if seen.prize:
        return max(1, seen.tons // 40)
    whole = men_when_whole(seen, nelson=nelson)
    hurt = (2 * seen.quarters_lost + 1) * seen.tons // 160 if seen.quarters_lost else 0
    return max(1, whole - hurt - seen.fallen)


@cache
def broadside(kind: Kind, guns: int, quarters: int, *, nelson: bool) -> Fire:
    """Sixths of a hit that one of her broadsides may make within 4, 8 and 16 inches."""
    left = _LEFT[min(quarters, 3)]
    if kind is Kind.GALLEY:
        return NO_FIRE
    if nelson:
        tenths = guns * 10 * left // (100 * _A_BATTERY_NELSON.get(kind, 40))
        return CLOSE * tenths // 10, CLOSE * tenths // 10, FAR * tenths // 10
    tenths = guns * 10 * left // (100 * (9 if kind is Kind.MERCHANT else 7))
    # Of the older ships half the guns reach close only, a quarter each far and farthest.
    return CLOSE * tenths // 10, 2 * tenths // 10, tenths * 7 // 100


@cache
def bow_fire(kind: Kind, quarters: int) -> Fire:
    """The same for guns that fire ahead, of vessels that carry most of theirs so. Rule: T.O4k."""
    batteries = {Kind.GALLEY: 2, Kind.GALLEASSE: 4}.get(kind, 0)
    whole = batteries * _LEFT[min(quarters, 3)] // 100
    return CLOSE * whole, FAR * whole, 0


def own_fire(ship: Ship, arc: Arc) -> tuple[Fire, Fire]:
    """Sixths of a hit that a group makes within 4, 8 and 16 inches, and the same of its batteries that would rake. Rules: T.B9, T.N1."""
    fire, raking = [], []
    standing = ship.standing(arc)
    for reach in BANDS:
        plain = doubled = 0
        for one in standing:
            close, most = REACH[one.gun]
            if reach <= close:
                plain += 1 if one.half else CLOSE
                doubled += 2 if one.half else 2 * CLOSE
            elif reach <= most:
                plain += 1 if one.half else FAR
                doubled += 1 if one.half else FAR
        fire.append(plain)
        raking.append(doubled)
    return (fire[0], fire[1], fire[2]), (raking[0], raking[1], raking[2])


def best_range(ship: Ship) -> tuple[int, int]:
    """The farthest and the nearest she likes to be: short and medium guns within 4 inches, long ones up to 8, where a fan is wide.

    Section 12.
    """
    standing = ship.standing()
    near = sum(one.gun is not Gun.LONG for one in standing)
    return SHORT_GUNS if 2 * near >= max(1, len(standing)) else LONG_GUNS
