"""Fleets set down in columns, reckoned yard by yard, and squares of land that lines cross and bases lie on. Places in yards."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.rulesets.barker import land, orders
from battles.engine.rulesets.barker.layout import Field, columns
from battles.engine.rulesets.barker.pairs import bases
from battles.engine.rulesets.barker.play import Orders
from tests.engine.barker.builders import battle, field, play, unit
from tests.engine.barker.test_setup import against, scenario, ship, squadron
from tests.support.answers import flawless

ENDS = {0: (0, 1), 9_000: (1, 0), 18_000: (0, -1), 27_000: (-1, 0)}
WAYS = [pytest.param(axis, first, id=f"{axis}-{first}") for axis in (0, 9_000) for first in (True, False)]
LINE = [
    squadron("A-1", ship("A1"), ship("A2"), ship("A3", "C1")), squadron("A-2", ship("A4", "C2")),
    squadron("A-3", ship("A5", "TBD"), ship("A6", "TBD"), ship("A7", "TBD"), ship("A8", "TBD")), squadron("A-4", ship("A9", "TRANSPORT")),
    squadron("A-5", ship("A10", "TRANSPORT")),
]  # fmt: skip


def laid(rows: list[dict[str, Any]], axis: int, first: bool, gap: int) -> tuple[dict[str, Any], int]:
    """Where the bases of side A lie, and the bearing of its end."""
    ends = Field(axis, {"A": first, "B": not first})
    found = flawless(columns, bases(scenario(rows)), ends, gap * 100)
    return found, ends.edge("A")


def spot(end: int, astern: float, port: int = 0) -> tuple[int, int, int]:
    """A pose so many yards out towards an end of the table and to port of the fleet, which faces the other end."""
    (x, y), course = ENDS[end], (end + 18_000) % 36_000
    # the fleet's course is the other way, so its port side is to starboard of the bearing of its own end
    return round(100 * (x * astern + y * port)), round(100 * (y * astern - x * port)), course


@pytest.mark.clause("P.K42")
@pytest.mark.parametrize(("axis", "first"), WAYS)
@pytest.mark.parametrize("gap", [2_000, 12_001])
def test_a_fleet_lies_in_column_with_boats_to_port_and_the_train_astern(
    axis: int, first: bool, gap: int
) -> None:
    found, end = laid(LINE, axis, first, gap)
    lead = gap / 2 + 200
    wanted = {
        "A1": (0, 0), "A2": (400, 0), "A3": (800, 0), "A4": (1_600, 0),
        "A5": (0, 2_000), "A7": (400, 2_000), "A9": (6_000, 0), "A10": (6_800, 0),
    }  # fmt: skip
    for code, (astern, port) in wanted.items():
        assert found[code] == spot(end, lead + astern, port), code


@pytest.mark.clause("P.K42")
@pytest.mark.parametrize(("axis", "first"), WAYS)
def test_a_fleet_of_one_kind_begins_at_the_front_whatever_it_is(axis: int, first: bool) -> None:
    for rows in (
        [squadron("A-1", ship("A1", "TRANSPORT"), ship("A2", "TRANSPORT"))],
        [squadron("A-1", ship("A1", "TBD"), ship("A3", "TBD"), ship("A2", "TBD"), ship("A4", "TBD"))],
        [squadron("A-1", ship("A1"), ship("A2"))],
    ):
        found, end = laid(rows, axis, first, 3_000)
        assert found["A1"] == spot(end, 1_700)
        assert found["A2"] == spot(end, 2_100)


def reference(a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    """The squares along a line, from the places at which it crosses an edge of the grid."""
    side = land.SIDE
    cuts = {Fraction(0), Fraction(1)}
    for axis in (0, 1):
        low, high = sorted((a[axis], b[axis]))
        if low != high:
            cuts |= {
                Fraction(n * side - a[axis], b[axis] - a[axis])
                for n in range(low // side + 1, high // side + 1)
            }
    rows = sorted(cut for cut in cuts if 0 <= cut <= 1)
    found = []
    for one, two in zip(rows, rows[1:], strict=False):
        half = (one + two) / 2
        cell = tuple(int((a[n] + half * (b[n] - a[n])) // side) for n in (0, 1))
        if not found or found[-1] != cell:
            found.append(cell)
    return found  # type: ignore[return-value]


@pytest.mark.clause("P.F21", "P.F22")
def test_a_line_crosses_the_squares_between_and_no_others() -> None:
    drawn = random.Random("squares")
    near, far = 3 * land.SIDE, 40
    for n in range(1_500):
        reach = near if n % 3 else far * near
        a, b = ((drawn.randrange(-reach, reach), drawn.randrange(-reach, reach)) for _ in range(2))
        if n % 5 == 0:
            b = (b[0], a[1])
        if n % 7 == 0:
            b = (a[0], b[1])
        if any(place % land.SIDE == 0 for place in (*a, *b)) or a == b:
            continue
        assert list(land.crossed(a, b)) == reference(a, b), (a, b)
    # through the corners
    side = land.SIDE
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        a, b = (x * side // 2, y * side // 2), (x * side * 5 // 2, y * side * 5 // 2)
        assert len(list(land.crossed(a, b))) == 3
        assert list(land.crossed(a, b)) == reference(a, b)


@pytest.mark.clause("P.A01", "P.Z03")
@pytest.mark.parametrize("cell", [(0, 0), (-4, 6), (5, -7)])
@pytest.mark.parametrize("course", ENDS)
@pytest.mark.parametrize("place", ["land", "shoal"])
def test_a_base_is_aground_by_more_than_five_yards_on_every_side_of_a_square(
    cell: tuple[int, int], course: int, place: str
) -> None:
    half, beam = 200, 100
    middle = (500 * cell[0] + 250, 500 * cell[1] + 250)
    for x, y in ENDS.values():
        along = bool(x) is (course in (9_000, 27_000))
        own = half if along else beam
        for off, fast in ((250 + own - 6, True), (250 + own - 4, False), (250 + own + 300, False)):
            at = (middle[0] + x * off, middle[1] + y * off)
            made = battle(unit("A1", at, course / 100), unit("B1", (60_000, 0)), **{place: frozenset({cell})})
            hull = made.units["A1"]
            assert 2 * beam * 100 == hull.beam and 2 * half * 100 == hull.length
            assert land.aground(made, hull) is fast, (x, y, off)


@pytest.mark.clause("P.Z08", "P.K42")
@pytest.mark.parametrize(
    ("start", "year", "fine"),
    [
        ("1889-12-31T12:00", None, False), ("1890-01-01T12:00", None, True), ("1913-12-31T12:00", None, True),
        ("1914-01-01T12:00", None, False),
        ("", 1900, True), ("", None, False), ("1904", None, False), ("1904-08-10T25:00", None, False),
    ],
)  # fmt: skip
def test_a_battle_has_an_hour_of_the_age_or_its_year(start: str, year: int | None, fine: bool) -> None:
    found = against(start=start, options={} if year is None else {"year": year})
    assert ("start" not in found) is fine


@pytest.mark.clause("P.K48")
def test_what_the_speller_made_before_is_forgotten_and_what_the_enemy_made_is_kept() -> None:
    made = field(unit("A1"), unit("A2", (0, -900)), unit("B1", (0, 9_000)))
    table = play(made, orders={"A1": Orders(flag="A2")})
    table.made = {"A1": Orders(), "A2": Orders(hail="X"), "B1": Orders(hail="Y")}
    flawless(orders.give, made, table)
    assert table.made["B1"].hail == "Y"
    assert "A2" not in table.made or not table.made["A2"].hail
