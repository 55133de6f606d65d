"""Objectives at their bounds: the least that holds, and the most that does not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.aims.bodies import bodies
from campaign.rules.aims.grading import Degree, Grade, alliances, grade, pooled
from campaign.rules.aims.holding import delivered_share, first_hour, last_hour, readers, share_left
from campaign.rules.aims.objectives import objective_step, settle
from campaign.rules.chart.objectives import FirstDay, Pay
from campaign.rules.chart.types import OnArrival, Settings, ShipKind, SightingReport
from campaign.rules.state.aims import Aims, Tally, Watch
from campaign.rules.state.duties import Convoy, Duties
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from tests.campaign.rules.aims.builders import aimed, morning, row, told
from tests.campaign.rules.aims.test_objectives import holds, off, ships
from tests.campaign.rules.builders import fleet, ship


@pytest.mark.clause("G.OB1")
def test_a_share_of_the_opening_value_asks_nothing_of_a_side_that_had_no_ship() -> None:
    made = aimed([fleet("E", "ENG", "a")], row("gather", least_percent=100, at=["a"]))
    assert holds(made)
    late = replace(made, opening=replace(made.opening, ships={}))
    assert holds(late)


@pytest.mark.clause("G.OB1")
def test_an_enemy_without_strength_does_not_hold_the_sea() -> None:
    aim = row("sea", least_marks=1, places=["b"])
    assert holds(aimed([fleet("E", "ENG", "b")], aim, mark=40))
    assert not holds(aimed([fleet("E", "ENG", "b")], aim, mark=41))
    assert not holds(aimed([fleet("E", "ENG", "b"), fleet("D", "NLD", "b")], aim, mark=40))


@pytest.mark.clause("G.OB1")
def test_ports_are_owned_all_or_with_each_at_least_one() -> None:
    for each, owners, so in (
        (False, ("England", "Dutch Republic"), False), (False, ("England", "England"), True),
        (True, ("Dutch Republic", "Dutch Republic"), False), (True, ("England", "Dutch Republic"), True),
    ):  # fmt: skip
        made = aimed([fleet("E", "ENG", "a")], row("own", ports=["home", "theirs"], each=each))
        state = standing(made)
        state.holdings.owners = dict(zip(("home", "theirs"), owners, strict=True))
        assert holds(made, state) is so


@pytest.mark.clause("G.OB1", "G.OB2")
def test_a_convoy_counts_by_the_share_of_its_cargo() -> None:
    aim = row("bring", what="C", to=["home"], share=60, pay="share", marks=7)
    made = aimed([fleet("E", "ENG", "a")], aim)
    for delivered, value, marks in ((60, 100, [4]), (59, 100, []), (100, 100, [7]), (0, 0, [])):
        state = standing(made)
        state.duties = Duties(convoys={"C": Convoy(("E1",), value, delivered)})
        assert delivered_share(state.duties, aim) == (Fraction(delivered, value) if value else 0)
        assert [event.data["marks"] for event in settle(made, state)[0]] == marks
    assert delivered_share(Duties(), aim) == 0
    assert [event.data["marks"] for event in settle(made, standing(made))[0]] == []


@pytest.mark.clause("G.OB1")
def test_a_group_that_began_with_nothing_has_lost_nothing() -> None:
    group = {"A": FirstDay("ENG", "E", True, Fraction(30)), "B": FirstDay("ENG", "E", True, Fraction(10))}
    assert share_left({}, ()) == 1
    assert [share_left(group, lost) for lost in ((), ("A",), ("B",), ("A", "B"))] == [
        1, Fraction(1, 4), Fraction(3, 4), 0,
    ]  # fmt: skip


@pytest.mark.clause("G.OB1", "G.OB4")
def test_days_of_an_objective_are_counted_in_hours_of_the_campaign() -> None:
    made = aimed([fleet("E", "ENG", "a"), fleet("D", "NLD", "c")])
    whole = row("gather", least_line=1, at=["a"])
    assert (first_hour(whole, made), last_hour(whole, made)) == (0, None)
    some = replace(whole, from_="1666-06-03", by="1666-06-05")
    assert (first_hour(some, made), last_hour(some, made)) == (48, 96)
    assert list(readers(made, whole)) == ["ENG", "NLD"]
    assert list(readers(made, replace(whole, public=False))) == ["ENG"]


@pytest.mark.clause("G.OB1")
def test_a_body_says_who_is_in_it_and_what_of_the_line() -> None:
    made = aimed(
        [fleet("E", "ENG", "a"), fleet("F", "ENG", "a")],
        ships=[
            *ships("E", "ENG", 2, condition={"lost": 3}),
            ship("F1", "ENG", "F", kind=ShipKind.FRIGATE),
            ship("F2", "ENG", "F", prize=True),
        ],
    )
    (body,) = bodies(Chart(made, standing(made), ScriptedDice(())))
    assert body.places == {"a"} and body.line == 2 and body.liners == {"ENG": ("E0", "E1")}
    assert body.value == body.values["ENG"] < body.whole
    assert body.whole == sum(Fraction(made.ships[code].card["value"]) for code in ("E0", "E1", "F1"))


@pytest.mark.clause("G.OB4")
@pytest.mark.parametrize(
    ("latitude", "near"), [(0, True), (16, True), (17, False), (-16, True), (-17, False)]
)
def test_a_reported_body_is_at_a_place_within_ten_miles_north_and_south(latitude: int, near: bool) -> None:
    made = aimed([fleet("E", "ENG", "c"), fleet("D", "NLD", "home")], row("gather", least_line=3, at=["n"]))
    state = standing(made)
    place = made.theatre.places["n"]
    assert place.latitude >= 1
    state.reports = [
        SightingReport(
            "NLD", 1, 40, round(place.latitude * 100) + latitude, round(place.longitude * 100), None, "2-4", (), "D", "E"
        )
    ]  # fmt: skip
    assert morning(made, state, day=2).aims.known["aim", "NLD"].now is near


@pytest.mark.clause("G.OB4")
@pytest.mark.parametrize(
    ("kinds", "line", "sea"),
    [((), True, True), (("line",), True, True), (("line", "merchant"), True, True), (("frigate",), False, True),
     (("merchant",), False, False), (("frigate", "merchant"), False, True)],
)  # fmt: skip
def test_a_ship_reported_as_not_of_the_line_or_not_of_war_does_not_count(
    kinds: tuple[str, ...], line: bool, sea: bool
) -> None:
    gather = row("gather", least_line=1, at=["c"], id="line")
    value = row("sea", least_marks=1, places=["c"], id="sea")
    made = aimed([fleet("E", "ENG", "c"), fleet("D", "NLD", "home")], gather, value, mark=1)
    state = standing(made)
    state.reports = [SightingReport("NLD", 1, 40, 0, 300, None, "2-4", kinds, "D", "E")]
    known = morning(made, state, day=2).aims.known
    assert (known["line", "NLD"].now, known["sea", "NLD"].now) == (line, sea)


@pytest.mark.clause("G.OB1")
def test_only_a_fleet_that_blockades_closes_a_port() -> None:
    aim = row("close", port="theirs")
    for number, (one, hours) in enumerate(
        (
            (off("E"), 1),
            (replace(off("E"), order=replace(off("E").order, on_arrival=OnArrival.SHELTER)), 0),
            (replace(off("E"), position=fleet("E", "ENG", "c").position), 0),
        )
    ):
        made = aimed([one], aim)
        state = standing(made)
        state.hour = 5
        objective_step(Chart(made, state, ScriptedDice(())))
        assert state.aims.watches["aim"] == Watch(hours=hours), number


@pytest.mark.clause("G.OB2")
def test_daily_marks_without_a_most_never_end() -> None:
    aim = row("gather", least_line=1, at=["a"], marks=3, pay="daily")
    made = aimed([fleet("E", "ENG", "a")], aim)
    state = standing(made)
    state.aims = Aims({"aim": Tally(9, 9, True, 0, 900)})
    assert told(morning(made, state, day=9)) == [(216, "paid", 3)]
    capped = replace(made, objectives=(replace(aim, most=902),))
    for paid, marks in ((900, [2]), (901, [1]), (902, [])):
        state = standing(capped)
        state.aims = Aims({"aim": Tally(9, 9, True, 0, paid)})
        assert [event[2] for event in told(morning(capped, state, day=9))] == marks


def sums(**points: int | Fraction) -> dict[str, Fraction]:
    return {side: Fraction(value) for side, value in points.items()}


WAR = frozenset({frozenset({"ENG", "NLD"}), frozenset({"ENG", "FRA"})})


@pytest.mark.clause("G.OB3", "G.CO7")
def test_allies_of_allies_are_one_alliance() -> None:
    pairs = [frozenset(pair) for pair in (("A", "C"), ("C", "E"), ("B", "F"))]
    assert alliances("FEDCBA", pairs) == [("A", "C", "E"), ("B", "F"), ("D",)]
    assert alliances("BA", ()) == [("A",), ("B",)] and alliances("", ()) == []


@pytest.mark.clause("G.OB3")
def test_allies_pool_their_points_and_a_lead_is_over_the_best_enemy() -> None:
    allied = frozenset({frozenset({"NLD", "FRA"})})
    together = grade(sums(ENG=100, NLD=60, FRA=60), 10, (), WAR, allied, Settings())
    assert (together.winners, together.lead) == (("FRA", "NLD"), 2)
    points = sums(ENG=100, FRA=60, NLD=Fraction(1, 2))
    assert pooled(points, allied) == {("ENG",): 100, ("FRA", "NLD"): Fraction(121, 2)}
    apart = grade(sums(ENG=100, NLD=60, FRA=70), 10, (), WAR, (), Settings())
    assert (apart.winners, apart.lead) == (("ENG",), 3)
    assert grade(sums(ENG=100, NLD=60), 0, (), WAR, (), Settings()).lead == 40
    assert grade(sums(ENG=109, NLD=60), 10, (), WAR, (), Settings()).lead == 4


@pytest.mark.clause("G.OB3")
def test_without_enemies_no_one_wins_or_loses() -> None:
    assert grade(sums(ENG=100, NLD=60), 10, (), (), (), Settings()) == Grade(Degree.DRAW, (), 0)
    won = grade(sums(ENG=100, NLD=60), 10, ("NLD",), (), (), Settings())
    assert won == Grade(Degree.DECISIVE, ("NLD",), 0)


@pytest.mark.clause("G.OB3")
def test_a_decisive_objective_wins_unless_an_enemy_achieved_one_too() -> None:
    points = sums(ENG=100, NLD=60)
    assert grade(points, 10, ("NLD",), WAR, (), Settings()) == Grade(Degree.DECISIVE, ("NLD",), -4)
    both = grade(points, 10, ("NLD", "ENG"), WAR, (), Settings())
    assert both.degree is not Degree.DECISIVE and both.winners == ("ENG",)
    level = grade(sums(ENG=60, NLD=60), 10, (), WAR, (), Settings())
    assert level == Grade(Degree.DRAW, (), 0)


@pytest.mark.clause("G.OB3")
def test_each_degree_begins_at_its_own_lead() -> None:
    rules = Settings()
    steps = (
        (rules.grade_narrow, Degree.NARROW, Degree.DRAW),
        (rules.grade_clear, Degree.CLEAR, Degree.NARROW),
        (rules.grade_great, Degree.GREAT, Degree.CLEAR),
    )
    for marks, degree, below in steps:
        assert grade(sums(ENG=marks, NLD=0), 1, (), WAR, (), rules).degree is degree
        assert grade(sums(ENG=marks - 1, NLD=0), 1, (), WAR, (), rules).degree is below


@pytest.mark.clause("G.OB1", "G.OB2", "G.OB3")
def test_an_event_names_the_clause_by_which_it_came() -> None:
    lies = [fleet("E", "ENG", "a")]
    plain = row("gather", least_line=1, at=["a"])
    for aim, clause in (
        (plain, "G.OB1"), (replace(plain, decisive=True), "G.OB3"), (replace(plain, pay=Pay.END, by="1666-06-01"), "G.OB2"),
    ):  # fmt: skip
        assert [event.clause for event in morning(aimed(lies, aim)).events] == [clause]
    daily = aimed(lies, replace(plain, pay=Pay.DAILY, decisive=True))
    state = morning(daily, morning(daily), day=1)
    assert [(event.clause, event.kind) for event in state.events] == [
        ("G.OB3", "objective_achieved"), ("G.OB2", "objective_paid"),
    ]  # fmt: skip


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(
    ("dutch", "at", "alone", "holds"),
    [
        (0, "a", True, True),
        (1, "a", True, True),
        (2, "a", True, False),
        (2, "a", False, True),
        (4, "c", True, True),
    ],
)
def test_a_gathering_that_is_to_be_alone_fails_while_an_enemy_half_as_strong_is_there(
    dutch: int, at: str, alone: bool, holds: bool
) -> None:
    aim = row("gather", least_line=4, at=["a", "n"], alone=alone)
    made = aimed(
        [fleet("E", "ENG", "n"), fleet("D", "NLD", at if dutch else "theirs")], aim,
        ships=[*ships("E", "ENG", 4), *ships("D", "NLD", max(dutch, 1))],
    )  # fmt: skip
    assert morning(made, standing(made), day=1).aims.tallies["aim"].now is holds
