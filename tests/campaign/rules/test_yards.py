"""Yards: work by the clause's table, berths that hold one ship, READY dates, what stays when a fleet sails."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.core.dice import ScriptedDice
from campaign.rules.ashore.yards import estimates, leave_step, ready_hours, refit, yard_step
from campaign.rules.chart.side_orders import SideOrder
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetOrder, Settings, ShipKind, TurnFacts
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import NO_BERTH
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def port(*, dockyard: int = 3, berths: int = 2, **over: Any) -> Any:
    """The square sea with a home port of this class."""
    doc = b.square_doc()
    home = next(node for node in doc["nodes"] if node["id"] == "home")
    home |= {"dockyard_capacity": dockyard, "berths": berths, **over}
    return read_theatre(doc)


def yard(
    lost: dict[str, int],
    queue: tuple[str, ...] | None = None,
    *,
    sea: Any = None,
    at: str = "home",
    **over: Any,
) -> TurnFacts:
    """English ships with so many points of twenty lost in one fleet at a port, committed in this order."""
    ships = [b.ship(code, "ENG", "e", condition={"lost": n}, **over) for code, n in lost.items()]
    order = SideOrder("ENG", queue=tuple(lost) if queue is None else queue)
    return b.facts([b.fleet("e", "ENG", at)], ships, sea=sea or port(), side_orders={"ENG": order}, days=1)


def opened(made: TurnFacts) -> Chart:
    """The chart at the first 06:00, yards not yet asked."""
    return Chart(made, turn.begin(made, {}, b.dice(made)), ScriptedDice(()))


def days(chart: Chart, count: int) -> None:
    """Let so many mornings come in the yards."""
    for _ in range(count):
        b.step(yard_step, chart)
        chart.state.hour += DAY


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize(
    ("condition", "kind", "total", "needs"),
    [
        ({"lost": 0}, ShipKind.LINE, 0, 0),
        ({"lost": 5}, ShipKind.LINE, 14, 0),
        ({"lost": 6}, ShipKind.LINE, 49, 2),
        ({"lost": 10}, ShipKind.FRIGATE, 49, 1),
        ({"lost": 10}, ShipKind.SMALL, 49, 1),
        ({"lost": 10}, ShipKind.MERCHANT, 49, 2),
        ({"lost": 15}, ShipKind.LINE, 91, 3),
        ({"lost": 15}, ShipKind.FRIGATE, 91, 3),
        ({"lost": 16}, ShipKind.LINE, 133, 3),
        ({"lost": 0, "masts": 2, "batteries": 3}, ShipKind.LINE, 12, 0),
        ({"lost": 6, "masts": 1}, ShipKind.LINE, 52, 2),
    ],
)
def test_each_repair_needs_its_number_of_yard_days_and_its_class_of_berth(
    condition: dict[str, int], kind: ShipKind, total: int, needs: int
) -> None:
    sheet = b.ship("s", "ENG", "e", kind=kind)
    found = refit(Settings(), b.PLAIN.at_sea, sheet, condition)
    assert (found.days, found.needs) == (total, needs)


@pytest.mark.clause("G.RP2")
def test_light_work_needs_no_berth_and_takes_two_days_of_the_chart() -> None:
    chart = opened(yard({"s1": 5, "s2": 3, "s3": 1}, sea=port(dockyard=1, berths=0)))
    days(chart, 1)
    assert {job.berth for job in chart.state.economy.jobs.values()} == {0}
    assert {job.ready for job in chart.state.economy.jobs.values()} == {48}
    days(chart, 1)
    assert [chart.state.ships[code].condition["lost"] for code in ("s1", "s2", "s3")] == [5, 3, 1]
    days(chart, 1)
    assert chart.state.economy.jobs == {}
    assert [chart.state.ships[code].condition["lost"] for code in ("s1", "s2", "s3")] == [0, 0, 0]
    assert chart.state.economy.order("ENG").queue == ()
    told = [event for event in chart.state.events if event.kind == "repaired"]
    assert [(event.hour, event.knows, event.data["place"]) for event in told] == [(48, ("ENG",), "home")] * 3


@pytest.mark.clause("G.RP2")
def test_a_ship_that_finds_no_berth_waits_and_berths_go_in_the_admirals_order() -> None:
    chart = opened(yard({"s1": 10, "s2": 10, "s3": 10}, ("s3", "s1", "s2")))
    days(chart, 1)
    jobs = chart.state.economy.jobs
    assert {code: job.berth for code, job in jobs.items()} == {"s3": 1, "s1": 2, "s2": NO_BERTH}
    assert {code: job.ready // DAY for code, job in jobs.items()} == {"s3": 7, "s1": 7, "s2": 14}
    days(chart, 7)
    assert {code: job.berth for code, job in chart.state.economy.jobs.items()} == {"s2": 1}
    days(chart, 7)
    assert chart.state.economy.jobs == {}
    assert not [event for event in chart.state.events if event.kind == "yard_redated"]


@pytest.mark.clause("G.RP2")
@given(
    lost=st.lists(st.integers(1, 20), min_size=1, max_size=8),
    order=st.randoms(),
    berths=st.integers(1, 4),
    dockyard=st.integers(1, 3),
)
@settings(max_examples=40)
def test_a_berth_never_holds_two_ships_and_they_are_ready_when_the_yard_said(
    lost: list[int], order: Any, berths: int, dockyard: int
) -> None:
    ships = {f"s{n}": points for n, points in enumerate(lost)}
    queue = sorted(ships)
    order.shuffle(queue)
    made = yard(ships, (), sea=port(dockyard=dockyard, berths=berths))
    chart = opened(made)
    chart.state.economy.orders["ENG"] = SideOrder("ENG", queue=tuple(queue))  # past the validators
    days(chart, 1)
    said = {code: job.ready for code, job in chart.state.economy.jobs.items()}
    for _ in range(200):
        held = Counter(job.berth for job in chart.state.economy.jobs.values() if job.berth > 0)
        assert all(count == 1 for count in held.values())
        assert all(number <= berths for number in held)
        days(chart, 1)
    whole = {e.data["ship"]: e.hour for e in chart.state.events if e.kind == "repaired"}
    assert whole == {code: ready for code, ready in said.items() if ready}
    assert set(chart.state.economy.jobs) == {code for code, ready in said.items() if not ready}


@pytest.mark.clause("G.RP2")
def test_a_date_is_given_before_sending_as_for_the_last_in_the_queue() -> None:
    chart = opened(yard({"s1": 10, "s2": 16, "s3": 10, "s4": 2}, ("s1", "s2")))
    days(chart, 1)
    chart.state.hour -= DAY
    free = [chart.state.ships[code] for code in ("s3", "s4")]
    assert estimates(chart, free) == {"s3": 14 * DAY, "s4": 2 * DAY}
    assert ready_hours(chart, ["s1", "s2"]) == {"s1": 7 * DAY, "s2": 19 * DAY}


@pytest.mark.clause("G.RP2")
def test_a_ship_withdrawn_from_the_queue_loses_her_berth_unrepaired_and_the_others_get_new_dates() -> None:
    chart = opened(yard({"s1": 10, "s2": 10}, sea=port(berths=1)))
    days(chart, 3)
    chart.state.economy.orders["ENG"] = SideOrder("ENG", queue=("s2",))
    days(chart, 1)
    jobs = chart.state.economy.jobs
    assert set(jobs) == {"s2"}
    assert (jobs["s2"].berth, jobs["s2"].ready) == (1, 3 * DAY + 7 * DAY)
    assert chart.state.ships["s1"].condition["lost"] == 10
    kinds = [event.kind for event in chart.state.events if event.hour == 3 * DAY]
    assert kinds == ["yard_left", "yard_redated"]


@pytest.mark.clause("G.RP2", "G.NE1")
@pytest.mark.parametrize(
    ("sea", "at", "lost"),
    [
        (port(dockyard=1), "home", 10),
        (port(dockyard=2), "home", 15),
        (port(dockyard=0, berths=0), "home", 2),
        (port(owner="Denmark"), "home", 2),
        (port(), "a", 2),
    ],
    ids=["medium in class 1", "heavy in class 2", "no yard", "neutral port", "at sea"],
)
def test_no_yard_repairs_what_it_is_unfit_for(sea: Any, at: str, lost: int) -> None:
    chart = opened(yard({"s1": lost}, (), sea=sea, at=at))
    chart.state.economy.orders["ENG"] = SideOrder("ENG", queue=("s1",))
    days(chart, 30)
    assert chart.state.ships["s1"].condition["lost"] == lost


@pytest.mark.clause("G.RP2", "G.MV2")
def test_a_fleet_that_sails_leaves_ships_in_the_yard_as_their_own_fleet() -> None:
    made = yard({"s1": 10, "s2": 0, "s3": 0}, ("s1",))
    made = replace(made, weather=b.weather(), days=3)
    state, _ = b.play(made, {"e": FleetOrder("e", ("a", "b"))}, reload=True)
    left = next(fleet for fleet in state.fleets.values() if fleet.code != "e")
    assert (left.position.at, left.position.to, left.name) == ("home", "", "Ships at Home")
    assert state.ships["s1"].fleet == left.code
    assert {ship.code for ship in state.ships.values() if ship.fleet == "e"} == {"s2", "s3"}
    assert state.economy.jobs["s1"].done == 14
    assert state.fleets["e"].position.at == "b"


@pytest.mark.clause("G.RP2")
def test_a_fleet_wholly_in_the_yard_waits_there_with_its_orders_and_sails_when_repaired() -> None:
    made = replace(yard({"s1": 2}), weather=b.weather(), days=4)
    state, _ = b.play(made, {"e": FleetOrder("e", ("a",))})
    sailed = next(event for event in state.events if event.kind == "sailed")
    assert sailed.hour == 48
    assert len(state.fleets) == 1


@pytest.mark.clause("G.RP3")
def test_a_ship_with_too_few_men_to_sail_stays_in_port() -> None:
    made = yard({"s1": 0, "s2": 0}, ())
    made = replace(made, ships={**made.ships, "s2": replace(made.ships["s2"], men=29)}, weather=b.weather())
    chart = opened(made)
    chart.alter(chart.state.fleets["e"], order=FleetOrder("e", ("a",)))
    b.step(leave_step, chart)
    assert [ship.code for ship in chart.ships_of("e")] == ["s1"]
    assert chart.state.events[-1].kind == "left_in_yard"


@pytest.mark.clause("G.RP2", "G.CL2")
def test_yards_work_on_from_turn_to_turn() -> None:
    made = replace(yard({"s1": 10}), weather=b.weather())
    for _ in range(8):
        state, _ = b.play(made, reload=True)
        assert TurnState.from_dict(state.to_dict()).economy == state.economy
        made = replace(b.next_facts(made, state), side_orders={"ENG": state.economy.order("ENG")})
    assert made.ships["s1"].condition["lost"] == 0
