"""The printed tables of the set that firing and ship cards read. Fire points are doubled throughout (K.0.6).

T1 hits by fire points and score, T3 fire modifiers, T6 value ranges by size band, T7 qualities; and the building yards' columns.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Column(StrEnum):
    """Whose column of T6 and T7 a ship takes, by her builder. Rule: K.A1.9."""

    ENGLISH = "english"
    DUTCH = "dutch"
    NAPOLEONIC = "napoleonic"


_ENGLISH = frozenset({"england", "english", "great britain", "britain", "british"})
_DUTCH = frozenset({"dutch republic", "dutch", "netherlands", "united provinces", "holland"})
_BALTIC = frozenset(
    {"sweden", "denmark", "denmark-norway", "hanse", "hamburg", "bremen", "lubeck", "danzig", "brandenburg"}
    | {"poland", "russia"}
)


def is_english(nation: str) -> bool:
    """Whether a nation is the English of the rules; Great Britain is. Rule: K.0.7."""
    return nation.casefold() in _ENGLISH


def is_dutch(nation: str) -> bool:
    """Whether a nation is the Dutch of the rules, and no other of their column. Rule: K.A1.9."""
    return nation.casefold() in _DUTCH


def column(built_by: str, *, napoleonic: bool = False) -> Column:
    """The column of a builder: Dutch and Baltic yards the Dutch one, everyone else the English one. Rules: K.A1.9, K.A1.14."""
    if napoleonic:
        return Column.NAPOLEONIC
    code = built_by.casefold()
    return Column.DUTCH if code in _DUTCH or code in _BALTIC else Column.ENGLISH


# T1, by the lowest fire points of the row (doubled): hits for scores of 0 or less, 1, 2 ... 7, 8 or more.
T1: dict[int, tuple[int, ...]] = {
    1: (1, 1, 0, 0, 0, 0, 0, 0, 0),
    2: (1, 1, 1, 0, 0, 0, 0, 0, 0),
    3: (2, 1, 1, 1, 0, 0, 0, 0, 0),
    4: (2, 1, 1, 1, 1, 0, 0, 0, 0),
    6: (3, 2, 1, 1, 1, 0, 0, 0, 0),
    8: (3, 2, 2, 1, 1, 1, 0, 0, 0),
    10: (4, 3, 2, 1, 1, 1, 0, 0, 0),
    12: (4, 3, 3, 2, 1, 1, 1, 0, 0),
    14: (4, 3, 3, 2, 2, 1, 1, 1, 0),
    18: (5, 4, 3, 3, 2, 2, 1, 1, 0),
}
# Highest fire points that a row still covers (doubled): the 7-8 row is the only one with a span inside the table.
_ROW_TOPS = (1, 2, 3, 4, 6, 8, 10, 12, 16, 22)
MOST_FIRE = 22


def _by_points(*, upper: bool) -> tuple[tuple[int, ...], ...]:
    rows: list[tuple[int, ...]] = [(0,) * 9]
    for points in range(1, MOST_FIRE + 1):
        if upper:
            rows.append(next(row for row, top in zip(T1.values(), _ROW_TOPS, strict=True) if points <= top))
        else:
            rows.append(next(row for low, row in reversed(T1.items()) if low <= points))
    return tuple(rows)


# Hits by doubled fire points 0..22 and score 0..8; values between two rows take the lower one, or by option the upper one.
HITS = _by_points(upper=False)
HITS_UPPER = _by_points(upper=True)


def row_higher(points: int) -> int:
    """The lowest fire points (doubled) of the row of T1 above that of these; the highest row stays. Rule: K.A1.14."""
    lows = list(T1)
    row = max((n for n, low in enumerate(lows) if low <= points), default=-1)
    return lows[row + 1] if row + 1 < len(lows) else points


def hits(points: int, score: int, *, upper: bool = False) -> int:
    """Hits of a broadside: points doubled, score the modified die of any size. Rules: K.F14, K.F15, K.A1.4 (over 11 as 11)."""
    rows = HITS_UPPER if upper else HITS
    return rows[min(max(points, 0), MOST_FIRE)][min(max(score, 0), 8)]


# T3
LONG_RANGE = 2
ON_FIRE = 2
SMALL_TARGET = 1
STRONG_WIND = 1
SHORT_RANGE = -1
STERN_RAKE = -2
# Modifier by range in hexes; 0 is a shared hex, which is Short (K.F4, K.F7).
BY_RANGE = (SHORT_RANGE, SHORT_RANGE, 0, LONG_RANGE, LONG_RANGE)
MOST_RANGE = 4


def _expected() -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(sum(row[min(max(die + shift, 0), 8)] for die in range(1, 7)) for shift in range(-3, 7))
        for row in HITS
    )


_EXPECTED = _expected()


def expected_sixths(points: int, modifier: int) -> int:
    """Expected hits of a broadside, in sixths: T1 summed over the six faces. modifier -3..6. Guidance: K.AI1."""
    return _EXPECTED[min(max(points, 0), MOST_FIRE)][modifier + 3]


def three_quarters(points: int) -> int:
    """Three quarters, rounded up: the hull of a later age. Rule: K.A1.14."""
    return -(-3 * points // 4)


class Row(NamedTuple):
    """A row of T6: fire ranges (doubled) of both columns, common hull range."""

    name: str
    english: tuple[int, int]
    dutch: tuple[int, int]
    hull: tuple[int, int]

    def fire(self, of: Column) -> tuple[int, int]:
        """The fire range of a column."""
        return self.dutch if of is Column.DUTCH else self.english

    def points(self, of: Column) -> tuple[int, int]:
        """The hull range of a column. Rules: K.A1.3, K.A1.14."""
        low, high = self.hull
        return (three_quarters(low), three_quarters(high)) if of is Column.NAPOLEONIC else (low, high)


# The Dutch built no 90s and 100s: such a ship takes their 80 row (K.A1.8), see `row_of`.
T6: dict[int, Row] = {
    100: Row("100", (20, 22), (12, 15), (40, 50)),
    90: Row("90", (20, 20), (12, 15), (33, 50)),
    80: Row("80", (15, 19), (12, 15), (30, 36)),
    70: Row("70", (13, 15), (11, 12), (27, 33)),
    60: Row("60", (10, 12), (8, 8), (21, 33)),
    50: Row("50", (6, 10), (5, 7), (19, 27)),
    40: Row("40", (6, 6), (5, 5), (14, 26)),
    30: Row("30", (3, 3), (3, 3), (10, 13)),
    20: Row("20", (2, 2), (2, 2), (6, 9)),
}
LARGE_MERCHANT = Row("large merchant", (2, 2), (2, 2), (6, 9))
SMALL_MERCHANT = Row("small merchant", (1, 1), (1, 1), (3, 6))


def band_of(guns: int) -> int:
    """Size band: tens of guns from 20 to 100; 0 for a ship below 20. Rule: K.S11."""
    return min(guns // 10 * 10, 100) if guns >= 20 else 0


def row_of(band: int, of: Column) -> Row:
    """The T6 row of a warship; below 20 guns the small merchant's values. Rules: K.A1.3, K.A1.7, K.A1.8."""
    if band < 20:
        return SMALL_MERCHANT
    return T6[min(band, 80) if of is Column.DUTCH else band]


def middle_fire(row: Row, of: Column) -> int:
    """The fire points (doubled) of a ship whose broadside is unknown: middle of the range, quarters down. Rule: K.A1.3."""
    low, high = row.fire(of)
    return (low + high) // 2


# T7: Fast, Handy of warships by band, before the rulings of K.A1.11 and K.A1.13; bands left out have neither.
T7: dict[Column, dict[int, tuple[bool, bool]]] = {
    Column.ENGLISH: {20: (False, True), 0: (False, True)},
    Column.DUTCH: {60: (False, True), 50: (False, True), 40: (True, True), 30: (True, True), 20: (True, True), 0: (True, True)},
}  # fmt: skip


def steps_of(guns: int) -> int:
    """Number of damage steps by guns. Rules: K.D2, K.D3."""
    return 4 if guns >= 40 else 3 if guns >= 30 else 2


def thresholds(hull: int, n_steps: int) -> tuple[int, ...]:
    """Hull points lost at which each step is lost, the last being the whole hull. Rule: K.D4."""
    return tuple(-(-k * hull // n_steps) for k in range(1, n_steps + 1))


def fire_track(points: int, n_steps: int) -> tuple[int, ...]:
    """Fire points (doubled) after 0..n-1 steps: in proportion, down to the next half, never below a half. Rule: K.D5."""
    return tuple(max(1, points * (n_steps - k) // n_steps) for k in range(n_steps))


# T4: movement level after so many steps: hexes off, 3 = disabled or sunk.
LEVELS: dict[int, tuple[int, ...]] = {2: (0, 1, 3), 3: (0, 1, 2, 3), 4: (0, 1, 2, 3, 3)}
