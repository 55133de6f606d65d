"""Who is in formation, by how the bases lie. Places in yards, headings in degrees."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.barker import formations
from battles.engine.rulesets.barker.state import Battle, Formation, Status, Unit
from tests.engine.barker.builders import battle, unit
from tests.support.answers import unerring

Where = tuple[float, float, float]


def at(number: int, where: Where, kind: str = "BB", **over: Any) -> Unit:
    return unit(f"A{number}", where[:2], where[2], kind, **over)


def line(*places: Where, **over: Any) -> Battle:
    return battle(*(at(n, where, **over) for n, where in enumerate(places, 1)), unit("B1", (20_000, 0)))


@unerring
def found(made: Battle) -> list[tuple[str, tuple[str, ...]]]:
    formations.gather(made)
    return [(one.kind, one.members) for one in made.formations]


@pytest.mark.clause("P.M09", "P.Z03")
@pytest.mark.parametrize(
    ("place", "joined"),
    [
        ((0, -400, 0), True),
        ((0, -420, 0), True),
        ((0, -421, 0), False),
        ((0, -380, 0), True),
        ((0, -379, 0), False),
        ((20, -400, 0), True),
        ((-21, -400, 0), False),
        # Her front edge turns about itself, so the middle of the base goes aside.
        ((-7, -400, 2), True),
        ((-7, -400, 2.1), False),
        ((0, 400, 180), False),
    ],
)
def test_a_line_ahead_is_made_of_edges_in_contact(place: Where, joined: bool) -> None:
    assert found(line((0, 0, 0), place)) == ([("ahead", ("A1", "A2"))] if joined else [])


@pytest.mark.clause("P.M10", "P.Z03")
@pytest.mark.parametrize(
    ("place", "joined"),
    [
        ((200, 0, 0), True),
        ((420, 0, 0), True),
        ((421, 0, 0), False),
        ((300, 20, 0), True),
        ((300, 21, 0), False),
        ((300, 0, 358), True),
        ((300, 0, 357.9), False),
    ],
)
def test_a_line_abreast_is_dressed_and_no_more_than_a_base_length_apart(place: Where, joined: bool) -> None:
    assert found(line((0, 0, 0), place)) == ([("abreast", ("A1", "A2"))] if joined else [])


@pytest.mark.clause("P.K47", "P.M09", "P.M10")
def test_the_van_of_a_line_and_the_leftmost_of_a_row_come_first_whatever_their_order_in_the_list() -> None:
    assert found(line((0, -400, 0), (0, 0, 0), (0, -800, 0))) == [("ahead", ("A2", "A1", "A3"))]
    assert found(line((300, 0, 0), (600, 0, 0), (0, 0, 0))) == [("abreast", ("A3", "A1", "A2"))]
    assert found(line((300, 0, 180), (600, 0, 180), (0, 0, 180))) == [("abreast", ("A2", "A1", "A3"))]


@pytest.mark.clause("P.M09", "P.M10")
def test_two_columns_side_by_side_are_two_lines_ahead() -> None:
    made = line((0, 0, 0), (0, -400, 0), (400, 0, 0), (400, -400, 0))
    assert found(made) == [("ahead", ("A1", "A2")), ("ahead", ("A3", "A4"))]


@pytest.mark.clause("P.M09")
def test_only_ships_of_one_squadron_form_up() -> None:
    made = battle(at(1, (0, 0, 0)), at(2, (0, -400, 0), squadron="A-2", group="A-2"))
    assert found(made) == []


@pytest.mark.clause("P.M11")
def test_mixed_types_may_share_a_line() -> None:
    made = battle(at(1, (0, 0, 0)), at(2, (0, -400, 0), "C2"), at(3, (0, -800, 0), "TBD"))
    assert found(made) == [("ahead", ("A1", "A2", "A3"))]


@pytest.mark.clause("P.M11")
@pytest.mark.parametrize(
    "change",
    [
        {"crippled": True},
        {"status": Status.SUNK},
        {"status": Status.RETREATED},
        {"aground": True},
        {"stopped": True},
        {"prize": True},
    ],
)
def test_a_line_is_cut_where_a_ship_falls_out(change: dict[str, Any]) -> None:
    made = line(*((0, -400 * n, 0) for n in range(5)))
    assert found(made) == [("ahead", ("A1", "A2", "A3", "A4", "A5"))]
    for name, value in change.items():
        setattr(made.units["A3"], name, value)
    assert found(made) == [("ahead", ("A1", "A2")), ("ahead", ("A4", "A5"))]


@pytest.mark.clause("P.M11", "P.M24")
def test_a_gap_that_is_closed_makes_one_line_again() -> None:
    made = line((0, 0, 0), (0, -400, 0), (0, -1_200, 0), (0, -1_600, 0))
    assert found(made) == [("ahead", ("A1", "A2")), ("ahead", ("A3", "A4"))]
    for code in ("A3", "A4"):
        made.units[code].y += 40_000
    assert found(made) == [("ahead", ("A1", "A2", "A3", "A4"))]


@pytest.mark.clause("P.M13")
def test_a_line_in_a_bend_stays_together_and_its_rear_keeps_the_track() -> None:
    made = line((300, 700, 90), (0, 400, 0), (0, 0, 0), (0, -400, 0))
    rows = [(0, 60_000, 0), (10_000, 70_000, 9_000)]
    made.formations = [Formation("ahead", ("A1", "A2", "A3"), rows)]
    assert found(made) == [("ahead", ("A1", "A2", "A3", "A4"))]
    assert made.formations[0].track == rows
    made.units["A1"].crippled = True
    assert found(made) == [("ahead", ("A2", "A3", "A4"))]
    # Who leads now has nobody's wake to follow.
    assert made.formations[0].track == []


@pytest.mark.clause("P.M13", "P.M11")
def test_the_rear_of_a_line_that_is_cut_in_a_bend_follows_its_own_leader_round() -> None:
    made = line((700, 700, 90), (300, 700, 90), (0, 400, 0), (0, 0, 0))
    rows = [(0, 60_000, 0), (10_000, 70_000, 9_000)]
    made.formations = [Formation("ahead", ("A1", "A2", "A3", "A4"), rows)]
    made.units["A1"].status = Status.SUNK
    assert found(made) == [("ahead", ("A2", "A3", "A4"))]
    assert made.formations[0].track == rows


@pytest.mark.clause("P.M13", "P.M24")
def test_a_line_in_a_bend_that_comes_up_astern_keeps_its_track_in_the_longer_line() -> None:
    # A1, A2 steer east; A3 leads A4 round the corner behind them.
    made = line((1_100, 700, 90), (700, 700, 90), (300, 700, 90), (0, 400, 0))
    rows = [(0, 60_000, 0), (10_000, 70_000, 9_000)]
    made.formations = [Formation("ahead", ("A1", "A2")), Formation("ahead", ("A3", "A4"), rows)]
    assert found(made) == [("ahead", ("A1", "A2", "A3", "A4"))]
    track = made.formations[0].track
    assert track[:2] == rows
    assert track[2:] == [(50_000, 70_000, 9_000)]


@pytest.mark.clause("P.M11")
def test_neither_submarines_nor_merchants_form_up() -> None:
    made = battle(
        at(1, (0, 0, 0), "TRANSPORT", squadron="A-1", group="merchants/A"),
        at(2, (0, -400, 0), "TRANSPORT", squadron="A-1", group="merchants/A"),
        at(3, (1_000, 0, 0), "SUB"),
        at(4, (1_000, -400, 0), "SUB"),
    )
    assert found(made) == []
