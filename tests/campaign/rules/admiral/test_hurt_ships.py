"""What the automatic admiral does with hurt ships and spent fleets, and with fleets shut up in a port. Rules: G.AA5, G.AA6."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.admiral.decision import Decision
from campaign.rules.admiral.plan import admiral_plan
from campaign.rules.chart.objectives import Row
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetOrder, Instructions, SightingReport, Theatre, TurnFacts
from tests.campaign.rules import builders as b
from tests.campaign.rules.admiral.builders import done, known, plan, row, seen, two, war


def two_yards() -> Theatre:
    """The square sea with a small yard at home and a great one at n, north of b."""
    doc = b.square_doc()
    for node in doc["nodes"]:
        if node["id"] == "home":
            node["dockyard_capacity"] = 1
        if node["id"] == "n":
            node |= {"kind": "port", "owner": "England", "dockyard_capacity": 3, "berths": 8}
    return read_theatre(doc)


def hurt_at_home(hurt: int, report: SightingReport) -> FleetOrder:
    """What fifteen ships do whose yard is not fit for those of them that are badly hurt, when the enemy wants to gather at b."""
    goal = row("gather", "NLD", at=["b"], least_line=1, decisive=True)
    made = war(goal, at="home", english=15, reports=[report], sea=two_yards())
    ships = {
        code: replace(sheet, condition={"lost": 14}) if code in [f"e{n}" for n in range(hurt)] else sheet
        for code, sheet in made.ships.items()
    }
    return plan(replace(made, ships=ships)).orders["e"]


# 24 miles are near enough, two days are not too old
SHUT_IN = [
    (0, 30, "10-19", True),
    (-48, 40, "10-19", True),
    (-49, 30, "10-19", False),
    (0, 41, "10-19", False),
    (0, 30, "1", False),
]


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(("hour", "longitude", "band", "stays"), SHUT_IN)
def test_a_fleet_does_not_leave_its_port_for_a_yard_past_an_enemy_who_is_too_strong(
    hour: int, longitude: int, band: str, stays: bool
) -> None:
    order = hurt_at_home(15, seen(longitude, hour=hour, band=band))
    assert order.route == (() if stays else ("a", "b", "n"))


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(("hour", "longitude", "band", "stays"), SHUT_IN)
def test_nor_do_its_hurt_ships(hour: int, longitude: int, band: str, stays: bool) -> None:
    order = hurt_at_home(3, seen(longitude, hour=hour, band=band))
    assert [part.route for part in order.parts] == ([] if stays else [("a", "b", "n")])


def main_at_b(english: int, at: str, ships: int, *reports: SightingReport) -> TurnFacts:
    """The English main fleet at b, which seeks the enemy at c, and some ships elsewhere that are to join it."""
    aims = row("destroy", group="all", left=50), row("sea", places=["c"], least_marks=1)
    return two(war(*aims, at="b", english=english, reports=reports, reserve_percent=0), ships, at)


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(
    ("ships", "longitude", "hour", "stays"),
    [(2, 30, 0, True), (3, 30, 0, False), (2, 41, 0, False), (2, 30, -49, False)],
)
def test_ships_that_are_to_join_another_fleet_do_not_leave_their_port_past_an_enemy_who_is_too_strong(
    ships: int, longitude: int, hour: int, stays: bool
) -> None:
    facts = main_at_b(20, "home", ships, seen(300, number=2), seen(longitude, band="2-4", hour=hour))
    assert done(facts, "s")[0] == ("in being" if stays else "join")
    made = plan(facts)
    (why,) = [one.why for one in made.decisions if one.fleet == "s"]
    assert why.endswith("But the enemy off its port is stronger.") is stays
    assert made.orders["s"].route == (() if stays else made.orders["s"].route) and (
        stays or made.orders["s"].route
    )


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(("run", "stays"), [(24_000, False), (24_600, True)])
def test_unless_friends_within_24_miles_are_as_strong_as_he_is(run: int, stays: bool) -> None:
    facts = main_at_b(20, "home", 2, seen(300, number=2), seen(30, band="2-4"))
    rows = {**facts.fleets, "f": b.fleet("f", "ENG", "home", to="a", run=run)}
    more = {"f0": b.ship("f0", "ENG", "f")}
    made = replace(facts, fleets=rows, ships={**facts.ships, **more})
    assert (done(made, "s")[0] == "in being") is stays


@pytest.mark.clause("G.AA6")
@pytest.mark.parametrize(
    ("slowed", "had", "slowest"),
    [(0, "leave", "keep"), (1, "keep", "leave"), (2, "keep", "leave"), (3, "leave", "keep")],
)
def test_a_few_ships_that_damage_slows_are_left_to_pursuers_and_many_are_not(
    slowed: int, had: str, slowest: str
) -> None:
    facts = war(row("destroy", group="all", left=50), english=8)
    ships = {
        code: replace(sheet, condition={"lost": 10}) if code in [f"e{n}" for n in range(slowed)] else sheet
        for code, sheet in facts.ships.items()
    }
    fleet = facts.fleets["e"]
    order = replace(fleet.order, instructions=replace(fleet.order.instructions, slowest=had))
    made = replace(facts, ships=ships, fleets={**facts.fleets, "e": replace(fleet, order=order)})
    assert plan(made).orders["e"].instructions.slowest == slowest
    told = {"e": Instructions(slowest="leave")}
    assert plan(made, instructions=told).orders["e"].instructions.slowest == "leave"
    assert plan(made, instructions={"e": Instructions()}).orders["e"].instructions.slowest == slowest


# Of a ship of the square sea, in points.
VALUE = 40


def cruising(
    ships: int, back: int, fought: int, worth: int, *aims: Row, at: str = "b"
) -> tuple[Decision, Stance]:
    """What a fleet of so many ships does that came back from a battle at an hour, and from the one before at 24, two days on."""
    goal = row("destroy", group="all", left=50, decisive=True)
    facts = war(goal, *aims, at=at, english=ships, reports=[seen(300, hour=40)])
    knows = known(replace(facts, first_hour=48))
    knows = replace(knows, fleets={"e": replace(knows.fleets["e"], off_until=back)})
    last = [Decision("e", "seek", "c", "", 0, "", fought=fought, back=24, worth=worth)]
    made = admiral_plan(knows, last=last)
    return made.decisions[0], made.orders["e"].stance


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(
    ("back", "fought", "now", "goes_in"),
    [(25, 3, 4, True), (48, 3, 4, True), (24, 3, 3, False), (25, 2, 3, False), (24, 4, 4, True)],
)
def test_a_fleet_that_has_fought_on_four_days_goes_in_for_ammunition(
    back: int, fought: int, now: int, goes_in: bool
) -> None:
    decision, stance = cruising(8, back, fought, 0)
    assert (decision.fought, decision.back) == (now, back)
    assert (decision.verb == "refit", "ammunition" in decision.why) == (goes_in, goes_in)
    assert (stance is Stance.AVOID) is goes_in


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(("worth", "goes_in"), [(12, False), (13, True)])
def test_a_fleet_that_has_lost_a_third_of_its_strength_goes_in(worth: int, goes_in: bool) -> None:
    decision, _ = cruising(8, 0, 0, worth * VALUE)
    assert (decision.verb == "refit", "a third" in decision.why) == (goes_in, goes_in)
    assert decision.worth == worth * VALUE, "it is not forgotten"
    assert cruising(8, 0, 0, 7 * VALUE)[0].worth == 8 * VALUE, "nor are ships that have come to it"


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(
    ("aim", "goes_in"),
    [
        (row("gather", "NLD", at=["n"], least_line=3, decisive=True), False),
        (row("gather", "ENG", at=["n"], least_line=3, decisive=True), False),
        (row("gather", "NLD", at=["n"], least_line=3), True),
    ],
)
def test_no_fleet_goes_in_while_the_war_can_be_decided_at_a_place(aim: Row, goes_in: bool) -> None:
    assert (cruising(8, 25, 3, 0, aim)[0].verb == "refit") is goes_in


@pytest.mark.clause("G.AA5")
def test_a_fleet_in_a_port_of_its_own_has_its_cruise_before_it() -> None:
    decision, _ = cruising(8, 40, 4, 99 * VALUE, at="home")
    assert (decision.fought, decision.worth) == (0, 8 * VALUE)
    assert decision.verb != "refit"


@pytest.mark.clause("G.AA5")
def test_a_decision_is_kept_with_what_has_to_be_remembered() -> None:
    made = Decision("e", "seek", "c", "", 0, "It looks.", fought=2, worth=40)
    assert Decision(**made.doc()) == made
    assert Decision("e", "seek", "c", "", 0, "It looks.").doc() == {
        "fleet": "e", "verb": "seek", "place": "c", "aim": "", "contact": 0, "why": "It looks.",
    }  # fmt: skip
