"""Blockades: where the blockader lies, whom it meets, who slips out, and the weather that drives it away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import (
    Battles,
    FleetFacts,
    FleetOrder,
    Instructions,
    OnArrival,
    Position,
    TurnFacts,
)
from campaign.rules.contact.blockade import blockade_step, running_step
from campaign.rules.orders.orders import order_faults
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

OFF = Position("c", "theirs", 60_044 - 6_000)


def blockader(at: str = "c", **over: object) -> FleetFacts:
    order = FleetOrder(
        "e", ("theirs",), Stance.SEEK, OnArrival.BLOCKADE, Instructions(greatest_odds="9", shelter="n")
    )
    return replace(b.fleet("e", "ENG", at, order=order), **over)


def made(*dutch_route: str, off: Position = OFF, wind: int = 0, **over: object) -> TurnFacts:
    """An English fleet off the Dutch port, and a Dutch one that lies in it."""
    fleets = [
        blockader(position=off),
        b.fleet("d", "NLD", "theirs", *dutch_route, stance=Stance.AVOID),
    ]
    return b.facts(fleets, weather=b.weather(wind=wind, **over))


def chart_at(facts: TurnFacts, hour: int, *faces: int) -> Chart:
    state = turn.begin(facts, {}, b.dice(facts))
    state.hour = hour
    return Chart(facts, state, ScriptedDice(faces))


@pytest.mark.clause("G.BL1")
def test_a_blockader_sails_to_its_station_six_miles_off_and_stays_there() -> None:
    facts = b.facts([blockader(), b.fleet("d", "NLD", "theirs")], weather=b.weather(wind=0))
    state, _ = b.play(facts, reload=True)
    length = Chart(facts, state, b.dice(facts)).geometry.legs["c", "theirs"].length
    assert state.fleets["e"].position == Position("c", "theirs", length - 6_000)
    assert not state.fleets["e"].under_way
    assert [e.data["place"] for e in state.events if e.kind == "lies_off"] == ["theirs"]
    assert state.fleets["e"].order.target == "theirs"
    later, _ = b.play(b.next_facts(facts, state))
    assert later.fleets["e"].position == state.fleets["e"].position


@pytest.mark.clause("G.BL1", "G.SI1")
def test_the_blockader_sees_the_ships_in_the_port() -> None:
    state, _ = b.play(made())
    assert ("e", "d") in state.touches
    assert state.touches["e", "d"].seen


@pytest.mark.clause("G.BL1")
def test_a_friendly_or_unowned_port_is_not_blockaded() -> None:
    facts = made()
    for route in (("b",), ("b", "a", "home"), ()):
        order = FleetOrder("e", route, on_arrival=OnArrival.BLOCKADE)
        at_c = replace(facts, fleets={"e": replace(facts.fleets["e"], position=Position("c"))})
        assert "order/no-enemy-port" in [f.code for f in order_faults(at_c, order, "ENG")]
    through = FleetOrder("e", ("theirs", "c"), on_arrival=OnArrival.BLOCKADE)
    assert "order/enemy-port" in [f.code for f in order_faults(facts, through, "ENG")]


@pytest.mark.clause("G.BL1")
def test_a_fleet_that_leaves_by_day_is_met_and_brought_to_battle() -> None:
    state, stops = b.play(made("c"))
    met = [e for e in state.events if e.kind == "met_off_port"]
    assert [(e.data["fleet"], e.data["face"], e.knows) for e in met] == [("d", None, ("NLD",))]
    assert any(isinstance(stop, Battles) for stop in stops)


@pytest.mark.clause("G.BL1")
@pytest.mark.parametrize(("face", "slips"), [(3, False), (4, True)])
@pytest.mark.parametrize(("hour", "seen"), [(16, "clear"), (4, "fog")])
def test_by_night_or_in_fog_a_fleet_slips_out_on_four_or_more(
    face: int, slips: bool, hour: int, seen: str
) -> None:
    chart = chart_at(made("c", visibility=seen), hour, face)
    chart.alter(chart.state.fleets["d"], position=Position("theirs", "c", 3_000), under_way=True)
    chart.departed.append(("d", "theirs"))
    b.step(running_step, chart)
    (event,) = chart.state.events
    assert event.kind == ("slipped_out" if slips else "met_off_port")
    assert (("e", "d") in chart.state.contacts) is not slips
    free = chart.state.fleets["d"]
    assert (free.free_until, free.free_from) == ((hour + 12, ("e",)) if slips else (0, ()))


def test_a_blockader_that_does_not_mean_to_fight_lets_the_fleet_pass() -> None:
    facts = made("c")
    hold = replace(facts.fleets["e"], order=replace(facts.fleets["e"].order, stance=Stance.HOLD))
    state, stops = b.play(replace(facts, fleets={**facts.fleets, "e": hold}))
    assert not any(isinstance(stop, Battles) for stop in stops)
    assert any(e.kind == "met_off_port" for e in state.events)


@pytest.mark.clause("G.BL1", "G.MV5")
def test_a_gale_drives_the_blockader_to_its_shelter_until_it_is_over() -> None:
    chart = chart_at(made(strength="gale"), 3)
    b.step(blockade_step, chart)
    fleet = chart.state.fleets["e"]
    assert fleet.order.route[-1] == "n"
    assert (fleet.order.on_arrival, fleet.order.target) == (OnArrival.BLOCKADE, "theirs")
    assert [e.data["shelter"] for e in chart.state.events if e.kind == "driven_off"] == ["n"]
    assert order_faults(chart.facts, fleet.order, standing=True) == ()
    calm = chart_at(made(), 24)
    calm.alter(fleet, position=Position("n"), order=replace(fleet.order, route=()))
    b.step(blockade_step, calm)
    assert calm.state.fleets["e"].order.route == ("b", "c", "theirs")
    assert lies_off(calm, calm.state.fleets["e"]) == ""


@pytest.mark.clause("G.BL1")
@pytest.mark.parametrize(("wind", "driven"), [(270, True), (90, False), (0, False)])
def test_two_days_of_strong_onshore_wind_drive_it_off(wind: int, driven: bool) -> None:
    facts = made(wind=wind, strength="strong")
    chart = chart_at(facts, 3)
    b.step(blockade_step, chart)
    for hour in (50, 51):
        assert not [e for e in chart.state.events if e.kind == "driven_off"]
        chart.state.hour = hour
        b.step(blockade_step, chart)
    assert bool([e for e in chart.state.events if e.kind == "driven_off"]) is driven


def test_without_a_named_shelter_it_uses_the_nearest_friendly_port() -> None:
    facts = made(strength="gale")
    order = replace(facts.fleets["e"].order, instructions=Instructions())
    chart = chart_at(replace(facts, fleets={"e": replace(facts.fleets["e"], order=order)}), 3)
    b.step(blockade_step, chart)
    assert chart.state.fleets["e"].order.route[-1] == "home"
