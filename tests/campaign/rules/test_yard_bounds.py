"""Yards at their edges: whose port it is, which jobs continue, which berth is given, when a date is reported, and who stays in port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.ashore.yards import estimates, leave_step, own_port, port_of, ready_hours, yard_step
from campaign.rules.chart.side_orders import SideOrder
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetOrder, Position, Settings
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import AFLOAT, NO_BERTH, Job
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

QUEUE = ("s1", "s2", "s3", "s4")


def yard(
    lost: Mapping[str, int], *, dockyard: int = 3, berths: int = 2, owner: str = "England", queue: tuple[str, ...] = QUEUE,
    strength: str = "moderate", **over: Any,
) -> Chart:  # fmt: skip
    """English ships with so many of twenty lost at home, all of them ordered into the yard; the Dutch d1, hurt, at theirs."""
    doc = b.square_doc()
    home = next(node for node in doc["nodes"] if node["id"] == "home")
    home |= {"dockyard_capacity": dockyard, "berths": berths, "owner": owner, "name": "Home (Kent)"}
    ships = [b.ship(code, "ENG", "e", condition={"lost": n}) for code, n in lost.items()]
    ships.append(b.ship("d1", "NLD", "d", condition={"lost": 10}))
    made = b.facts(
        [b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "theirs")], ships, sea=read_theatre(doc),
        weather=b.weather(strength=strength), **over,
    )  # fmt: skip
    chart = Chart(made, turn.begin(made, {}, b.dice(made)), ScriptedDice(()))
    chart.state.economy.orders["ENG"] = SideOrder("ENG", queue=queue)
    chart.state.events.clear()
    return chart


def mornings(chart: Chart, count: int = 1) -> Chart:
    for _ in range(count):
        b.step(yard_step, chart)
        chart.state.hour += DAY
    return chart


def jobs(chart: Chart) -> dict[str, int]:
    """Berths of the ships in the books."""
    return {code: job.berth for code, job in sorted(chart.state.economy.jobs.items())}


def told(chart: Chart, *kinds: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in chart.state.events if event.kind in kinds]


@pytest.mark.clause("G.RP2", "G.NE1", "G.BT4")
@pytest.mark.parametrize(
    ("over", "port"),
    [
        ({}, "home"),
        ({"ended": True}, ""),
        ({"held_by": "b1"}, ""),
        ({"position": Position("home", "a", 1)}, ""),
        ({"position": Position("theirs")}, ""),
        ({"position": Position("n")}, ""),
        ({"side": "NLD"}, ""),
    ],
)
def test_a_friendly_port_belongs_to_the_nation_of_the_fleet_that_lies_there(
    over: dict[str, Any], port: str
) -> None:
    chart = yard({"s1": 0})
    chart.alter(chart.state.fleets["e"], **over)
    assert own_port(chart, chart.state.fleets["e"]) == port
    assert port_of(chart, chart.state.ships["s1"]) == port
    assert own_port(chart, None) == ""
    assert port_of(chart, replace(chart.state.ships["s1"], fate=Fate.SUNK)) == ""


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize("why", ["", "gone", "taken", "sailed", "called off"])
def test_a_job_ends_without_result_for_a_ship_that_left_or_was_taken_or_cancelled(why: str) -> None:
    chart = mornings(yard({"s1": 10, "s2": 10}))
    state = chart.state
    if why == "gone":
        del state.ships["s1"]
    elif why == "taken":
        state.ships["s1"] = replace(state.ships["s1"], side="NLD")
    elif why == "sailed":
        chart.alter(state.fleets["e"], position=Position("home", "a", 5))
    elif why == "called off":
        state.economy.orders["ENG"] = SideOrder("ENG", queue=("s2",))
    chart.ships_changed()
    mornings(chart)
    left = {"": [], "sailed": ["s1", "s2"]}.get(why, ["s1"])
    assert [row["ship"] for row in told(chart, "yard_left")] == left
    assert sorted(jobs(chart)) == [code for code in ("s1", "s2") if code not in left]


@pytest.mark.clause("G.RP2")
def test_nothing_happens_in_a_yard_except_at_six() -> None:
    chart = yard({"s1": 10})
    chart.state.hour = 1
    b.step(yard_step, chart)
    assert jobs(chart) == {}


@pytest.mark.clause("G.RP2")
def test_a_ship_waiting_for_a_berth_is_not_worked_on_and_a_job_ends_with_its_last_yard_day() -> None:
    chart = mornings(yard({"s1": 10, "s2": 10}, berths=1), 7)
    assert {code: job.done for code, job in chart.state.economy.jobs.items()} == {"s1": 42, "s2": 0}
    mornings(chart)
    assert jobs(chart) == {"s2": 1}
    assert [(row["ship"], row["hull"]) for row in told(chart, "repaired")] == [("s1", "medium")]
    slow = yard({"s1": 5}, settings=Settings(work_light=15))
    mornings(slow, 3)
    assert slow.state.economy.jobs["s1"].done == 14
    mornings(slow)
    assert jobs(slow) == {}


@pytest.mark.clause("G.RP2")
def test_a_yard_accepts_only_its_sides_damaged_ships_that_are_not_prizes_or_in_a_battle() -> None:
    chart = yard({"s1": 0, "s2": 10, "s3": 10}, queue=("s1", "s2", "s3", "d1", "x9"))
    chart.state.ships["s3"] = replace(chart.state.ships["s3"], prize=True)
    mornings(chart)
    assert jobs(chart) == {"s2": 1}
    away = yard({"s1": 10})
    away.alter(away.state.fleets["e"], off_until=1)
    assert jobs(mornings(away)) == {}
    assert jobs(mornings(yard({"s1": 5}, dockyard=0))) == {}
    assert jobs(mornings(yard({"s1": 5}, owner="Denmark"))) == {}


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize(
    ("dockyard", "lost", "berth"),
    [(3, 15, 1), (2, 15, NO_BERTH), (2, 10, 1), (1, 10, NO_BERTH), (1, 5, AFLOAT)],
)
def test_a_berth_is_given_in_a_yard_of_the_required_class_or_better(
    dockyard: int, lost: int, berth: int
) -> None:
    chart = mornings(yard({"s1": lost}, dockyard=dockyard))
    assert jobs(chart) == {"s1": berth}
    (row,) = told(chart, "yard_dated", "yard_redated")
    days = {15: 13, 10: 7, 5: 2}[lost]
    assert (row["ready"], row["days"], row["fresh"]) == (
        (0, 0, False) if berth == NO_BERTH else (days * DAY, days, True)
    )


@pytest.mark.clause("G.RP2")
def test_berths_are_numbered_from_one_and_the_lowest_free_one_is_given() -> None:
    chart = mornings(yard({"s1": 10, "s2": 15, "s3": 10, "s4": 10}, berths=2))
    assert jobs(chart) == {"s1": 1, "s2": 2, "s3": NO_BERTH, "s4": NO_BERTH}
    assert {code: job.ready // DAY for code, job in chart.state.economy.jobs.items()} == {
        "s1": 7, "s2": 13, "s3": 14, "s4": 20,
    }  # fmt: skip
    mornings(chart, 7)
    assert jobs(chart) == {"s2": 2, "s3": 1, "s4": NO_BERTH}
    rows = told(chart, "yard_dated", "yard_redated")
    assert [(row["ship"], row["berth"], row["fresh"]) for row in rows] == [
        ("s1", 1, True), ("s2", 2, True), ("s3", -1, False), ("s4", -1, False), ("s3", 1, True),
    ]  # fmt: skip


@pytest.mark.clause("G.RP2")
def test_a_date_is_reported_again_only_when_it_has_moved() -> None:
    chart = mornings(yard({"s1": 10, "s2": 10}, berths=1), 3)
    assert [row["ship"] for row in told(chart, "yard_dated", "yard_redated")] == ["s1", "s2"]
    chart.state.economy.orders["ENG"] = SideOrder("ENG", queue=("s2",))
    mornings(chart)
    (row,) = told(chart, "yard_redated")
    assert (row["ship"], row["was"], row["ready"], row["days"], row["fresh"]) == (
        "s2", 14 * DAY, 10 * DAY, 7, True,
    )  # fmt: skip


@pytest.mark.clause("G.RP2")
def test_an_estimate_is_for_a_damaged_ship_in_a_yard_and_changes_no_other() -> None:
    chart = yard({"s1": 10, "s2": 10, "s3": 5, "s4": 0}, berths=1, queue=("s1",))
    mornings(chart)
    chart.state.hour = 0
    free = [chart.state.ships[code] for code in ("s2", "s3", "s4", "d1")]
    assert estimates(chart, free) == {"s2": 14 * DAY, "s3": 2 * DAY, "d1": 7 * DAY}
    assert estimates(yard({"s1": 15}, dockyard=2), [yard({"s1": 15}).state.ships["s1"]]) == {}
    chart.state.hour = 30
    assert ready_hours(chart, ["s1"]) == {"s1": 30 + 7 * DAY}
    job = Job("s2", "ENG", "home", "medium", 0, 0, 50, 2, 0)
    assert ready_hours(chart, ["s1"], [job, job]) == {"s1": 30 + 7 * DAY, "s2": 30 + 15 * DAY}
    assert ready_hours(yard({"s1": 10}, berths=0), [], [job]) == {}


@pytest.mark.clause("G.RP2", "G.RP3", "G.MV4")
@pytest.mark.parametrize(
    ("over", "strength", "stays"),
    [
        ({}, "moderate", True),
        ({"order": FleetOrder("e")}, "moderate", False),
        ({"position": Position("a")}, "moderate", False),
        ({"off_until": 1}, "moderate", False),
        ({"under_way": True}, "moderate", False),
        ({}, "still", False),
    ],
)
def test_a_fleet_leaves_ships_behind_when_it_sails_from_a_port_and_not_in_a_calm(
    over: dict[str, Any], strength: str, stays: bool
) -> None:
    chart = yard({"s1": 0, "s2": 0}, strength=strength)
    chart.state.ships["s2"] = replace(chart.state.ships["s2"], men=29)
    chart.ships_changed()
    chart.alter(chart.state.fleets["e"], **{"order": FleetOrder("e", ("a",)), **over})
    b.step(leave_step, chart)
    assert [ship.code for ship in chart.ships_of("e")] == (["s1"] if stays else ["s1", "s2"])
    assert [(row["name"], row["ships"]) for row in told(chart, "left_in_yard")] == (
        [("Ships at Home", ["s2"])] if stays else []
    )


@pytest.mark.clause("G.RP3")
def test_a_prize_sails_with_few_men_and_a_fleet_of_prizes_alone_stays_together() -> None:
    chart = yard({"s1": 0, "s2": 0})
    chart.state.ships["s2"] = replace(chart.state.ships["s2"], men=5, prize=True)
    chart.alter(chart.state.fleets["e"], order=FleetOrder("e", ("a",)))
    chart.ships_changed()
    b.step(leave_step, chart)
    assert len(chart.ships_of("e")) == 2
    chart.state.ships["s1"] = replace(chart.state.ships["s1"], men=5)
    chart.state.ships["s2"] = replace(chart.state.ships["s2"], prize=False)
    chart.ships_changed()
    b.step(leave_step, chart)
    assert len(chart.ships_of("e")) == 2 and told(chart, "left_in_yard") == []
