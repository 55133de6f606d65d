"""Marks, points for them, and how a campaign is graded, with the worked examples of the rules."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from campaign.accounts.objectives import ending_in_words
from campaign.rules.aims.grading import Degree, Grade, alliances, grade
from campaign.rules.aims.marks import in_points, mark_of, mark_points
from campaign.rules.chart.objectives import Opening
from campaign.rules.chart.types import Settings
from campaign.rules.turn.score import OBJECTIVE, points_of, totals
from tests.campaign.rules.aims.builders import aimed
from tests.campaign.rules.builders import fleet

WAR = frozenset({frozenset({"ENG", "NLD"})})


@pytest.mark.clause("G.OB2")
@pytest.mark.parametrize(
    ("values", "mark"),
    [
        ((Fraction(1_707), Fraction("1858.5")), 18),  # 1666 in Kohler's set: 17.8275
        ((Fraction(3_279), Fraction(8_921)), 61),  # 1588 in Thomas's
        ((Fraction(3_279), Fraction(500), Fraction(8_921)), 61),
        ((Fraction(150), Fraction(150)), 2),
        ((Fraction(149), Fraction(150)), 1),
        ((Fraction(10), Fraction(10)), 1),
        ((), 1),
    ],
)
def test_a_mark_is_a_hundredth_of_the_mean_of_the_two_greatest_sides(
    values: tuple[Fraction, ...], mark: int
) -> None:
    assert mark_of(values) == mark


@pytest.mark.clause("G.OB2")
def test_marks_and_parts_of_one_are_points() -> None:
    made = aimed([fleet("E", "ENG", "a")], mark=18)
    assert mark_points(made, 24) == 432 and mark_points(made, "1/2") == 9
    assert in_points(Fraction(1, 3), 18) == 6
    assert Opening.read(json.loads(json.dumps(made.opening.doc()))) == made.opening
    assert Opening().doc() == {} and Opening.read({}) == Opening()


def paid(marks: int, kind: str = "objective_achieved") -> tuple[int, str, dict[str, object]]:
    return (24, kind, {"objective": "aim", "side": "ENG", "marks": marks, "words": "Do it."})


@pytest.mark.clause("G.OB2", "G.VP1")
def test_objectives_score_their_marks_in_points_by_the_setting() -> None:
    (point,) = points_of([paid(24)], {}, Settings(), 18)
    assert (point.side, point.points, point.reason, point.subject, point.words) == (
        "ENG",
        432,
        OBJECTIVE,
        "aim",
        "Do it.",
    )
    assert [p.points for p in points_of([paid(2, "objective_paid"), paid(0)], {}, Settings(), 18)] == [36]
    assert totals(points_of([paid(24)], {}, Settings(objective_percent=50), 18)) == {"ENG": 216}
    assert totals(points_of([paid(24)], {}, Settings(objective_percent=1_000), 18)) == {"ENG": 4_320}


def graded(
    england: int, dutch: int, mark: int = 18, *, decisive: tuple[str, ...] = (), **changed: int
) -> Grade:
    sums = {"ENG": Fraction(england), "NLD": Fraction(dutch)}
    return grade(sums, mark, decisive, WAR, (), Settings(**changed))


@pytest.mark.clause("G.OB3")
@pytest.mark.parametrize(
    ("lead", "degree"),
    [
        (0, Degree.DRAW),
        (9, Degree.DRAW),
        (10, Degree.NARROW),
        (29, Degree.NARROW),
        (30, Degree.CLEAR),
        (59, Degree.CLEAR),
        (60, Degree.GREAT),
    ],
)
def test_the_lead_in_whole_marks_grades_the_end(lead: int, degree: Degree) -> None:
    assert graded(18 * lead, 0).degree is degree
    # one point less is one whole mark less
    assert graded(18 * lead + 17, 0).lead == lead
    assert graded(0, 18 * lead).degree is degree


@pytest.mark.clause("G.OB3")
def test_the_settings_grade() -> None:
    assert graded(180, 0, grade_narrow=11).degree is Degree.DRAW
    assert graded(360, 0, grade_clear=20).degree is Degree.CLEAR
    assert graded(540, 0, grade_great=30).degree is Degree.GREAT


@pytest.mark.clause("G.OB2", "G.OB3")
def test_the_worked_example_of_1666() -> None:
    mark = mark_of((Fraction(1_707), Fraction("1858.5")))
    england = 260 + in_points(20, mark) + in_points(15, mark)
    dutch = -260 + in_points(24, mark) + in_points(15, mark)
    assert (england, dutch) == (890, 442)
    ended = grade({"ENG": england, "NLD": dutch}, mark, (), WAR, (), Settings())
    assert ended == Grade(Degree.NARROW, ("ENG",), 24)
    assert (
        ending_in_words(ended, mark, {"ENG": "England"})
        == "England has won a narrow victory, with a lead of 24 whole marks of 18 points each."
    )


@pytest.mark.clause("G.OB3")
@pytest.mark.parametrize(
    ("spain", "england", "degree", "winner"),
    [
        (25 + 15, 30 + 15, Degree.DRAW, "ENG"),  # three days at Calais and nothing else
        (25 + 15 + 7, 30 + 15 - 7, Degree.DRAW, "ESP"),  # after four days of battle
        (25 + 15 + 18, 30 - 18, Degree.CLEAR, "ESP"),  # a third of England's ships lost
        (15 - 12, 30 + 15 + 15 + 12, Degree.GREAT, "ENG"),  # as it happened
    ],
)
def test_the_balance_of_1588(spain: int, england: int, degree: Degree, winner: str) -> None:
    sums = {"ESP": Fraction(61 * spain), "ENG": Fraction(61 * england)}
    ended = grade(sums, 61, (), frozenset({frozenset({"ENG", "ESP"})}), (), Settings())
    assert (ended.degree, ended.winners) == (degree, (winner,))
    landed = grade(sums, 61, ("ESP",), frozenset({frozenset({"ENG", "ESP"})}), (), Settings())
    assert (landed.degree, landed.winners) == (Degree.DECISIVE, ("ESP",))


@pytest.mark.clause("G.OB3")
def test_a_decisive_objective_wins_unless_an_enemy_has_achieved_one_too() -> None:
    assert graded(0, 18 * 50, decisive=("ENG",)) == Grade(Degree.DECISIVE, ("ENG",), -50)
    assert graded(0, 18 * 50, decisive=("ENG", "NLD")) == Grade(Degree.CLEAR, ("NLD",), 50)


@pytest.mark.clause("G.OB3")
def test_allied_sides_have_one_score() -> None:
    sums = {"ENG": Fraction(50), "FRA": Fraction(30), "NLD": Fraction(40), "SWE": Fraction(400)}
    war = frozenset({frozenset({"ENG", "NLD"}), frozenset({"ENG", "FRA"})})
    allied = frozenset({frozenset({"FRA", "NLD"})})
    assert alliances(sums, allied) == [("ENG",), ("FRA", "NLD"), ("SWE",)]
    # whoever has no enemy has not won anything
    assert grade(sums, 1, (), war, allied, Settings()) == Grade(Degree.NARROW, ("FRA", "NLD"), 20)
    assert grade(sums, 1, ("FRA",), war, allied, Settings()) == Grade(Degree.DECISIVE, ("FRA", "NLD"), 20)
    assert grade({"SWE": Fraction(4)}, 1, (), war, allied, Settings()) == Grade(Degree.DRAW, (), 0)


@pytest.mark.clause("G.OB3")
def test_the_end_is_reported_in_a_sentence() -> None:
    names = {"ENG": "England", "NLD": "Dutch Republic", "FRA": "France"}
    assert ending_in_words(graded(0, 0), 18, names) == "The campaign is a draw."
    drawn = "The campaign is a draw: England leads by only 5 whole marks of 18 points each."
    assert ending_in_words(graded(90, 0), 18, names) == drawn
    together = Grade(Degree.GREAT, ("FRA", "NLD"), 61)
    assert (
        ending_in_words(together, 1, names)
        == "France and the Dutch Republic have won a great victory, with a lead of 61 whole marks of 1 point each."
    )
    behind = Grade(Degree.DECISIVE, ("NLD",), -3)
    after = "The Dutch Republic has won a decisive victory, 3 whole marks of 18 points each behind."
    assert ending_in_words(behind, 18, names) == after
