"""Paths that a captain tries, and what speaks for each. Rules: A.Q4, A.Q5, A.Q12-A.Q14."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.engine.core import shore
from battles.engine.rulesets.age_of_sail.bearing import band
from battles.engine.rulesets.age_of_sail.captain.odds import BLOWS_UP, BOX
from battles.engine.rulesets.age_of_sail.captain.scene import Target
from battles.engine.rulesets.age_of_sail.sailing import Sails, Spot, headings, lawful, track
from battles.engine.rulesets.age_of_sail.state import Ship
from battles.engine.rulesets.age_of_sail.tables import CM, CONTACT, HITS_ON, POINTS, SLACK, WAY
from battles.engine.rulesets.age_of_sail.view import View

CLOSE, BEST, LONG = 3 * CM, 4 * CM, 10 * CM
HURT = 8 * CM
SHOAL = 3 * BOX
GAUGE = BOX // 2
# A path that ends ashore is as good as none.
ASHORE = 1_000 * BOX
# What the fire of another is to be feared, in boxes and by her fire stage: at the second she blows up before one can move again.
BLAST = (0, 2 * BLOWS_UP[1], 8 * BLOWS_UP[2])
# Ships whose centres lie nearer touch. Rules: A.B1, A.P6.
TOUCH = (CONTACT - SLACK) ** 2
# How many enemies a captain keeps his eye on: the nearest.
WATCHED = 6
# Points that a ship alone, and a leader of three or more, tries to turn. Rules: A.Q4, A.Q13.
ALONE = (0, 1, -1, 2, -2, 3, -3, 4, -4, 6, -6, 8, -8)
LEADING = (0, 1, -1, 2, -2, 4, -4, 8, -8)
Turns = tuple[int, ...]


class Way(NamedTuple):
    """A path to try. turns: of -1, 0 or 1 points. spots: its places, the first included, by number in the fan. turned: points in all."""

    turns: Turns
    spots: tuple[int, ...]
    turned: int


class Fan(NamedTuple):
    """All paths to try. spots: every place on them once, counted from where she lies; number 0 is that place."""

    spots: tuple[Spot, ...]
    ways: tuple[Way, ...]


@lru_cache(maxsize=512)
def fan(h: int, sails: Sails, points: tuple[int, ...], *, full: bool) -> Fan:
    """Paths to try, each lawful and tried once: ahead, a turn, ahead. full: of the whole length only. Rules: A.Q4, A.M21."""
    most = sails.allowed[h]
    lengths = (most,) if full else (most, -(-most // 2))
    numbers: dict[Spot, int] = {}
    ways: dict[Turns, Way] = {}

    def add(turns: Turns) -> None:
        if turns and turns not in ways:
            spots = tuple(numbers.setdefault(spot, len(numbers)) for spot in track((0, 0, h), turns))
            ways[turns] = Way(turns, spots, sum(map(abs, turns)))

    for ahead in (0, most // 2):
        for turn in points:
            step = 1 if turn > 0 else -1
            whole = ([0] * ahead + [step] * abs(turn) + [0] * most)[:most]
            for length in lengths:
                turns = whole[:length]
                add(tuple(turns[: lawful(headings(h, turns), h, sails)]))
    if not full:
        add((0,))
    return Fan(tuple(numbers), tuple(ways.values()))


def in_the_way(paths: Fan, ship: Ship, others: Sequence[Ship]) -> set[int]:
    """Places of a fan, by number, that another ship denies to her. Rule: A.B2."""
    taken: set[int] = set()
    for other in others:
        x, y = other.x - ship.x, other.y - ship.y
        left, right = x - CONTACT, x + CONTACT
        taken.update(
            [
                n
                for n, spot in enumerate(paths.spots)
                if left < spot[0] < right and (x - spot[0]) ** 2 + (y - spot[1]) ** 2 < TOUCH
            ]
        )
    taken.discard(0)
    return taken


def cut(way: Way, paths: Fan, taken: set[int], sails: Sails) -> Way | None:
    """A path as far as it is free; None where that would leave her in the wind's eye. Rules: A.B2, A.M21."""
    n = next((n for n, spot in enumerate(way.spots) if spot in taken), 0)
    if not n:
        return way
    if sails.shut[paths.spots[way.spots[n - 1]][2]]:
        return None
    turns = way.turns[: n - 1]
    return Way(turns, way.spots[:n], sum(map(abs, turns)))


def liked(view: View, ship: Ship) -> int:
    """The distance at which a ship likes to fight. Rules: A.Q4, A.Q12."""
    wanted = {"close": CLOSE, "long": LONG}.get(view.doctrine_of(ship).fight_at, BEST)
    return max(wanted, HURT) if 2 * ship.boxes_lost >= ship.start_boxes else wanted


def hazards(view: View, path: Sequence[Spot]) -> int:
    """What shoals and shores on a path speak against it. Rule: A.Q4."""
    against = 0
    for area in view.shoals:
        inside = [shore.inside(spot[:2], area) for spot in path]
        against += SHOAL * sum(b and not a for a, b in zip(inside, inside[1:], strict=False))
    for land in view.land:
        against += ASHORE * any(shore.inside(spot[:2], land) for spot in path)
    return against


def fires_about(about: Sequence[Ship], ship: Ship) -> list[tuple[int, int, int]]:
    """Where fire may pass from ship to ship, and its stage: burning ships about one, or friends about one that burns."""
    burns = bool(ship.fire_stage)
    return [
        (other.x, other.y, other.fire_stage or ship.fire_stage)
        for other in about
        if bool(other.fire_stage) is not burns
        and other is not ship
        and (other.fire_stage or other.owner == ship.owner)
    ]


def embers(fires: Iterable[tuple[int, int, int]], spot: Spot) -> int:
    """What fire speaks against the end of a path. fires: as `fires_about` gives them. Rule: A.Q4."""
    against = 0
    for x, y, stage in fires:
        far = band(x - spot[0], y - spot[1])
        if far >= 0:
            against += BLAST[stage] * (7 - HITS_ON["hull"][far]) // 6
    return against


def gauge(view: View, wanted: str, spot: Spot, rows: Sequence[Target]) -> int:
    """What the wished-for side of the wind is worth, as seen from the nearest enemy. Rule: A.Q12."""
    if wanted not in ("windward", "leeward") or not rows:
        return 0
    x, y, _ = min((row.next for row in rows), key=lambda at: (at[0] - spot[0]) ** 2 + (at[1] - spot[1]) ** 2)
    eye = 2 * view.wind_from
    sin, cos = WAY[eye if wanted == "windward" else (eye + POINTS // 2) % POINTS]
    dx, dy = spot[0] - x, spot[1] - y
    along, across = dx * sin + dy * cos, abs(dx * cos - dy * sin)
    # tan 67.5 degrees
    return GAUGE if along > 0 and 10_000 * across <= 24_142 * along else 0


def path_of(ship: Ship, way: Way, paths: Fan) -> list[Spot]:
    """The places of a ship on a path, the first included."""
    return [(ship.x + x, ship.y + y, h) for x, y, h in (paths.spots[n] for n in way.spots)]
