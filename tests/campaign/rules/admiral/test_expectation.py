"""What the automatic admiral expects of the enemy. Rule: G.AA3."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from campaign.rules.admiral.expectation import radius_at, weight_at
from tests.campaign.rules import builders as b
from tests.campaign.rules.admiral.builders import expectation, known, row, seen, war


@pytest.mark.clause("G.AA3")
@pytest.mark.parametrize(("age", "miles"), [(0, 6), (1, 10), (10, 46), (148, 598), (149, 600), (240, 600)])
def test_a_report_stands_for_a_circle_of_six_miles_and_four_an_hour_up_to_six_hundred(
    age: int, miles: int
) -> None:
    assert radius_at(age) == miles * 1_000


@pytest.mark.clause("G.AA3")
@pytest.mark.parametrize(
    ("age", "weight"),
    [
        (0, 1),
        (48, 1),
        (49, Fraction(1, 2)),
        (120, Fraction(1, 2)),
        (121, Fraction(1, 4)),
        (240, Fraction(1, 4)),
        (241, 0),
    ],
)
def test_a_report_counts_whole_for_two_days_half_to_five_and_a_quarter_to_ten(
    age: int, weight: Fraction
) -> None:
    assert weight_at(age) == weight


@pytest.mark.clause("G.AA3")
@pytest.mark.parametrize(
    ("longitude", "course", "hours", "weight"),
    [
        (400, None, 48, 1),
        (400, None, 121, Fraction(1, 2)),
        (400, None, 720, Fraction(1, 2)),
        (400, None, 721, 0),
        (397, None, 241, 0),
        (400, 90, 241, 0),
    ],  # an hour over thirty days; at anchor two miles off; on its way out
)
def test_a_fleet_that_was_seen_in_its_port_and_not_since_lies_there_for_thirty_days(
    longitude: int, course: int | None, hours: int, weight: Fraction
) -> None:
    told = expectation(war(reports=[seen(longitude, course=course, hour=-hours)]))
    assert told.total == weight * 3 * 40


@pytest.mark.clause("G.AA3")
def test_a_fleet_seen_at_sea_no_longer_lies_in_its_port() -> None:
    told = expectation(war(reports=[seen(400, hour=-200), seen(200, hour=0, number=2)]))
    assert [circle.number for circle in told.circles] == [2]


@pytest.mark.clause("G.AA3", "G.CO1")
def test_what_is_expected_at_a_place_is_the_middle_of_the_band_times_the_mean_value_of_a_ship() -> None:
    told = expectation(war(row("destroy", group="all", left=50), reports=[seen(200)]))
    assert told.at("b") == 3 * 40
    assert told.at("a") == 0
    assert told.total == 120


@pytest.mark.clause("G.AA3")
def test_circles_that_overlap_with_the_same_band_or_the_next_count_once_the_latest() -> None:
    same = [seen(200, hour=-2, band="5-9"), seen(205, hour=0, number=2)]
    assert expectation(war(reports=same)).total == 120
    far_band = [seen(200, hour=-2, band="10-19"), seen(205, hour=0, number=2)]
    assert expectation(war(reports=far_band)).total == 120 + Fraction(29, 2) * 40
    apart = [seen(200), seen(300, number=2)]
    assert expectation(war(reports=apart)).total == 240


@pytest.mark.clause("G.AA3")
@pytest.mark.parametrize(
    ("later", "miles_east", "both"),
    [("10-19", 0, False), ("10-19", 90, False), ("10-19", 110, True), ("20-39", 110, False), ("40+", 110, False),
     ("5-9", 0, True), ("20-39", 500, True)],
)  # fmt: skip
def test_a_smaller_squadron_far_off_does_not_stand_for_a_great_fleet_that_was_lost_sight_of(
    later: str, miles_east: int, both: bool
) -> None:
    """Four days old, the great fleet may be 390 miles off; one band smaller is taken for it within 100 miles alone."""
    old = seen(200, hour=-96, band="20-39")
    new = seen(200 + miles_east * 100 // 60, hour=0, number=2, band=later)
    assert (len(expectation(war(reports=[old, new])).circles) == 2) is both


@pytest.mark.clause("G.AA3")
def test_five_enemies_met_in_battle_give_the_mean_value_and_a_crowd_is_as_many_as_were_met() -> None:
    ships = [b.ship(f"x{n}", "NLD", "d", card={"hull": 20, "value": 100}) for n in range(70)]
    reports = [seen(200, band="40+")]

    def total(met: int) -> Fraction:
        facts = war(ships=ships, reports=reports, carried={"met": {"ENG": [f"x{n}" for n in range(met)]}})
        return expectation(facts).total

    assert total(0) == 60 * 40
    assert total(4) == 60 * 40
    assert total(5) == 60 * 100
    assert total(70) == 70 * 100


@pytest.mark.clause("G.AA3")
def test_merchantmen_alone_are_nothing_to_reckon_with() -> None:
    assert expectation(war(reports=[seen(200, kinds=("merchant",))])).total == 0
    assert expectation(war(reports=[seen(200, kinds=("merchant", "line"))])).total == 120


@pytest.mark.clause("G.AA3")
def test_a_contact_is_looked_for_until_its_circle_has_grown_to_a_hundred_miles() -> None:
    def in_time(age: int) -> bool:
        told = expectation(war(at="b", reports=[seen(200, hour=-age)]))
        return told.in_time(told.known.fleets["e"], told.circles[0])

    assert in_time(23)  # 6 + 4 x 23 = 98
    assert not in_time(24)


@pytest.mark.clause("G.AA3")
def test_the_gate_is_where_most_marks_pass_and_the_fleet_comes_twelve_hours_sooner() -> None:
    # a Dutch fleet at c, 60 miles from b, means to be at a; England lies at home, 60 miles from a
    goal = row("gather", "NLD", at=["a"], least_line=1)
    told = expectation(war(goal, at="a", reports=[seen(300)]))
    fleet, circle = told.known.fleets["e"], told.circles[0]
    assert told.gate(circle, told.known.war.aims, fleet) == "a"  # b is 60 miles from both: too late
    told = expectation(war(goal, at="b", reports=[seen(300)]))
    assert told.gate(told.circles[0], told.known.war.aims, told.known.fleets["e"]) == "b"


@pytest.mark.clause("G.AA3")
def test_a_gate_is_kept_unless_another_is_worth_a_third_more() -> None:
    goals = [row("gather", "NLD", at=["a"], least_line=1, id="one", marks=12)]
    told = expectation(war(*goals, at="b", reports=[seen(300)]))
    fleet, circle = told.known.fleets["e"], told.circles[0]
    assert told.gate(circle, told.known.war.aims, fleet, kept="a") == "a"
    goals.append(row("gather", "NLD", at=["b"], least_line=1, id="two", marks=4))
    told = expectation(war(*goals, at="b", reports=[seen(300)]))
    assert told.gate(told.circles[0], told.known.war.aims, told.known.fleets["e"], kept="a") == "b"  # 16 : 12


@pytest.mark.clause("G.AA3")
def test_where_every_gate_is_too_far_it_is_the_nearest_place_that_the_contact_is_bound_for() -> None:
    goal = row("gather", "NLD", at=["b"], least_line=1)
    told = expectation(war(goal, at="home", reports=[seen(300)]))
    assert told.gate(told.circles[0], told.known.war.aims, told.known.fleets["e"]) == "b"
    nothing = expectation(war(at="home", reports=[seen(300)]))
    assert nothing.gate(nothing.circles[0], (), nothing.known.fleets["e"]) == ""


@pytest.mark.clause("G.AA3", "G.OB4")
def test_an_objective_that_the_enemy_has_achieved_tells_where_he_lay() -> None:
    goal = row("gather", "NLD", at=["b"], least_line=1)
    carried = {"aims": {"tallies": {goal.id: {
        "held": 1, "mornings": 1, "now": True, "achieved": 0, "paid": 10, "asked": False, "ships": [],
    }}}}  # fmt: skip
    told = expectation(war(goal, carried=carried))
    (circle,) = told.circles
    assert (circle.number, circle.age, told.at("b")) == (-1, 0, Fraction(59, 2) * 40)
    assert expectation(war(row("gather", at=["b"], least_line=1), carried=carried)).circles == ()


@pytest.mark.clause("G.AA4")
def test_of_ways_a_quarter_longer_at_most_he_takes_the_one_with_least_of_the_enemy() -> None:
    doc = b.square_doc()
    node = {"zone": "sea", "kind": "sea_area"}
    doc["nodes"].append({"id": "round", "name": "Round", "latitude": -0.5, "longitude": 2.0, **node})
    doc["edges"] += [["a", "round"], ["round", "c"]]
    facts = war(reports=[seen(200)])
    facts = facts.__class__(
        **{**{f: getattr(facts, f) for f in facts.__dataclass_fields__}, "theatre": b.read_theatre(doc)}
    )
    told = expectation(facts)
    assert told.quiet_way(told.known.fleets["e"], "c") == ("round", "c")
    quiet = expectation(
        facts.__class__(**{**{f: getattr(facts, f) for f in facts.__dataclass_fields__}, "carried": {}})
    )
    assert quiet.quiet_way(quiet.known.fleets["e"], "c") == ("b", "c")


@pytest.mark.clause("G.IN1", "G.AA3")
def test_the_war_as_a_side_knows_it_has_no_secret_objective_of_the_enemy() -> None:
    facts = war(row("raid", "NLD", ports=["home"], public=False), row("keep", "NLD", group="all", left=50))
    assert [aim.row.id for aim in known(facts).war.aims] == ["NLD_keep"]
    assert [aim.own for aim in known(facts, "NLD").war.aims] == [True, True]


@pytest.mark.clause("G.AA3")
def test_an_enemy_bound_for_its_own_port_is_met_off_it() -> None:
    goal = row("bring", "NLD", what="line", number=2, to=["theirs"])
    told = expectation(war(goal, at="home", reports=[seen(300)]))
    off = told.gate(told.circles[0], told.known.war.aims, told.known.fleets["e"])
    assert off in told.view.geometry.neighbours["theirs"] and off not in told.view.closed


@pytest.mark.clause("G.AA3", "G.ST1")
def test_passages_are_reckoned_at_four_knots_and_under_steam_at_eight() -> None:
    told = expectation(war(at="a", reports=[seen(300)]))
    fleet = told.known.fleets["e"]
    assert (told.known.pace, told.hours(fleet, "b")) == (4, 15)  # 60 miles
    told.known = told.view.known = replace(told.known, pace=8)
    assert told.hours(fleet, "b") == 7
