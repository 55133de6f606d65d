"""The tables that are worked out once from the printed ones: hits, allowances, lines of fire, reasons of refusal."""

from __future__ import annotations

import pytest

from battles.engine.core.hexes import STEPS
from battles.engine.rulesets.kohler import arcs, notation, passage, tables
from battles.engine.rulesets.kohler.passage import REFUSALS
from battles.engine.rulesets.kohler.state import WindForce
from tests.engine.kohler.builders import battle, ship

# T1: doubled fire points from and to, then hits for scores of 0 or less, 1 ... 7, 8 or more.
PRINTED = [
    (1, 1, (1, 1, 0, 0, 0, 0, 0, 0, 0)),
    (2, 2, (1, 1, 1, 0, 0, 0, 0, 0, 0)),
    (3, 3, (2, 1, 1, 1, 0, 0, 0, 0, 0)),
    (4, 4, (2, 1, 1, 1, 1, 0, 0, 0, 0)),
    (6, 6, (3, 2, 1, 1, 1, 0, 0, 0, 0)),
    (8, 8, (3, 2, 2, 1, 1, 1, 0, 0, 0)),
    (10, 10, (4, 3, 2, 1, 1, 1, 0, 0, 0)),
    (12, 12, (4, 3, 3, 2, 1, 1, 1, 0, 0)),
    (14, 16, (4, 3, 3, 2, 2, 1, 1, 1, 0)),
    (18, 22, (5, 4, 3, 3, 2, 2, 1, 1, 0)),
]


@pytest.mark.clause("K.F14", "K.F15")
def test_hits_by_every_half_point_come_from_the_printed_row_below_or_above() -> None:
    lower, upper = tables._by_points(upper=False), tables._by_points(upper=True)
    assert len(lower) == len(upper) == 23
    assert lower[0] == upper[0] == (0,) * 9
    for points in range(1, 23):
        assert lower[points] == [row for low, _, row in PRINTED if low <= points][-1], points
        assert upper[points] == next(row for _, top, row in PRINTED if points <= top), points
    assert (lower, upper) == (tables.HITS, tables.HITS_UPPER)


@pytest.mark.clause("K.M2", "K.M3", "K.M4", "K.M19", "K.M20", "K.A2.4", "K.A2.5")
def test_every_wind_level_and_attitude_has_its_allowance() -> None:
    none = (0, 0, 0, 0, 0, 0)
    rows = {  # close hauled, reach, run by strength; then the same for a fast ship
        (WindForce.LIGHT, 0): ((1, 2, 1), (1, 3, 2)),
        (WindForce.LIGHT, 1): ((1, 1, 1), (1, 2, 1)),
        (WindForce.NORMAL, 0): ((1, 3, 2), (1, 4, 3)),
        (WindForce.NORMAL, 1): ((1, 2, 1), (1, 3, 2)),
        (WindForce.STRONG, 0): ((1, 4, 3), (1, 5, 4)),
        (WindForce.STRONG, 1): ((1, 3, 2), (1, 4, 3)),
    }
    for strength in (WindForce.LIGHT, WindForce.NORMAL, WindForce.STRONG):
        rows[strength, 2] = ((0, 1, 1), (0, 1, 1))
    for strength in WindForce:
        for level in range(4):
            for fast in (False, True):
                found = passage._row(strength, level, fast)
                if (strength, level) in rows:
                    hauled, reach, run = rows[strength, level][fast]
                    assert found == (0, hauled, reach, run, reach, hauled), (strength, level, fast)
                else:
                    assert found == none, (strength, level, fast)
                assert passage.ALLOWANCES[strength][level][fast] == found


# By arc coordinates: the hexes between, one line or two.
LINES = {
    (1, 0): [[]], (0, 1): [[]],
    (2, 0): [[(1, 0)]], (0, 2): [[(0, 1)]], (1, 1): [[(1, 0)], [(0, 1)]],
    (3, 0): [[(1, 0), (2, 0)]], (0, 3): [[(0, 1), (0, 2)]],
    (2, 1): [[(1, 0), (1, 1)]], (1, 2): [[(0, 1), (1, 1)]],
    (4, 0): [[(1, 0), (2, 0), (3, 0)]], (0, 4): [[(0, 1), (0, 2), (0, 3)]],
    (3, 1): [[(1, 0), (1, 1), (2, 1)], [(1, 0), (2, 0), (2, 1)]],
    (1, 3): [[(0, 1), (1, 1), (1, 2)], [(0, 1), (0, 2), (1, 2)]],
    (2, 2): [[(1, 0), (1, 1), (2, 1)], [(0, 1), (1, 1), (1, 2)]],
}  # fmt: skip


@pytest.mark.clause("K.F3", "K.F4", "K.F5")
def test_the_lines_of_fire_to_every_hex_of_an_arc_are_right() -> None:
    for (a, b), lines in LINES.items():
        assert [list(line) for line in arcs._lines(a, b)] == lines, (a, b)


@pytest.mark.clause("K.F3", "K.F4", "K.F5")
@pytest.mark.parametrize(("side", "turn"), [("port", -1), ("starboard", 1)])
@pytest.mark.parametrize("facing", range(6))
def test_an_arc_is_spanned_by_the_two_hexsides_of_its_broadside(facing: int, side: str, turn: int) -> None:
    u, v = STEPS[(facing + turn) % 6], STEPS[(facing + 2 * turn) % 6]

    def cell(a: int, b: int) -> tuple[int, int]:
        return a * u[0] + b * v[0], a * u[1] + b * v[1]

    expected = [
        (
            *cell(reach - b, b),
            side,
            reach,
            tuple(tuple(cell(*ab) for ab in line) for line in LINES[reach - b, b]),
        )
        for reach in (1, 2, 3, 4)
        for b in range(reach + 1)
    ]
    assert [tuple(bearing) for bearing in arcs._arc(facing, side)] == expected
    assert arcs.ARCS[facing][side] == arcs._arc(facing, side)


CLAUSES = {
    "unknown": "K.M31", "ended": "K.M31", "halted": "K.B7", "irons": "K.M15", "disabled": "K.M20",
    "allowance": "K.M6", "occupied": "K.M22", "wreck": "K.M23", "land": "K.M32", "shoal": "K.G13",
    "helm": "K.M21", "unhandy": "K.M17", "not-underway": "K.M8", "turned": "K.M8", "no-tack": "K.M9",
    "not-still": "K.A2.4", "still": "K.A2.4", "tow": "K.A2.4", "aground": "K.G13", "anchored": "K.S9",
    "locked": "K.M28", "no-enemy": "K.B1", "tried": "K.B13", "no-boarders": "K.B24", "guarded": "K.B25",
}  # fmt: skip


@pytest.mark.clause("K.M31")
def test_every_refusal_has_its_clause_and_its_own_sentence() -> None:
    assert {code: row[0] for code, row in REFUSALS.items()} == CLAUSES
    assert all(len(row) == 2 and " " in row[1] for row in REFUSALS.values())
    assert len({row[1] for row in REFUSALS.values()}) == len(REFUSALS)
    one = ship(facing=2)
    (fault,) = notation.faults(battle(one), "ENG", "E1", notation.parse("S"))
    assert (fault.code, fault.clause) == ("order/not-underway", "K.M8")
    assert fault.text == "Ship E1, S (order 1): it must go one hex ahead before it can change course."
