"""Blockades at their edges: which wind drives a blockader off, when it comes back, and who meets a fleet that leaves the port."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Position, TurnFacts
from campaign.rules.contact.blockade import blockade_step, driven_off, running_step
from campaign.rules.state.state import Contact, Touch, ZoneWeather
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_blockade import OFF, blockader, chart_at, made


def told(chart: Chart, kind: str) -> list[Any]:
    return [event for event in chart.state.events if event.kind == kind]


def blow(chart: Chart, hour: int, wind: int, strength: str = "strong") -> bool:
    """Whether the blockader has been driven off by the weather of an hour."""
    chart.state.hour = hour
    chart.state.weather["sea"] = ZoneWeather.read(b.weather(wind, strength)["sea"])
    b.step(blockade_step, chart)
    return bool(told(chart, "driven_off"))


@pytest.mark.clause("G.BL1")
@pytest.mark.parametrize(
    ("wind", "strength", "driven"),
    [(337, "strong", True), (338, "strong", False), (203, "strong", True), (202, "strong", False), (270, "moderate", False)],
)  # fmt: skip
def test_a_wind_is_onshore_when_it_blows_hard_to_within_67_degrees_of_the_port(
    wind: int, strength: str, driven: bool
) -> None:
    chart = chart_at(made(wind=wind, strength=strength), 3)
    assert not blow(chart, 3, wind, strength)
    assert blow(chart, 51, wind, strength) is driven


@pytest.mark.clause("G.BL1")
def test_two_days_count_from_the_last_time_the_wind_turned_onshore() -> None:
    chart = chart_at(made(), 3)
    winds = [(3, 270), (20, 90), (21, 270), (51, 270), (68, 270)]
    assert not any(blow(chart, hour, wind) for hour, wind in winds)
    assert chart.state.duties.onshore == {"e": 21}
    assert blow(chart, 69, 270)
    assert chart.state.duties.onshore == {}


@pytest.mark.clause("G.BL1")
def test_a_fleet_in_contact_off_the_chart_or_attacking_is_not_driven_off() -> None:
    for key in (("e", "x"), ("x", "e")):
        chart = chart_at(made(strength="gale"), 3)
        chart.state.contacts[key] = Contact(*key, 5_000, 0, since=0)
        b.step(blockade_step, chart)
        assert not told(chart, "driven_off")
    chart = chart_at(made(strength="gale"), 3)
    chart.alter(chart.state.fleets["e"], off_until=4)
    b.step(blockade_step, chart)
    assert not told(chart, "driven_off")
    chart = chart_at(made(strength="gale"), 3)
    fleet = chart.state.fleets["e"]
    chart.alter(fleet, order=replace(fleet.order, on_arrival=OnArrival.ATTACK))
    b.step(blockade_step, chart)
    assert not told(chart, "driven_off")


@pytest.mark.clause("G.BL1")
def test_a_fleet_with_neither_named_shelter_nor_port_keeps_its_station() -> None:
    facts = made(strength="gale")
    homeless = replace(facts.sides["ENG"], nations=("Nowhere",))
    order = replace(facts.fleets["e"].order, instructions=Instructions())
    facts = replace(facts, sides={**facts.sides, "ENG": homeless})
    facts = replace(facts, fleets={**facts.fleets, "e": replace(facts.fleets["e"], order=order)})
    chart = chart_at(facts, 3)
    b.step(blockade_step, chart)
    assert chart.state.fleets["e"].order.route == ("theirs",)
    assert not told(chart, "driven_off")


def sheltering(
    hour: int,
    *,
    here: str = "moderate",
    port: str = "moderate",
    route: tuple[str, ...] = (),
    steam: bool = False,
) -> Chart:
    """A blockader that was driven off lies at n; the port that it watches has a weather of its own."""
    doc = b.square_doc()
    zone = doc["weather_zones"][0]
    doc["weather_zones"].append({**zone, "id": "coast"})
    next(node for node in doc["nodes"] if node["id"] == "theirs")["zone"] = "coast"
    facts = replace(made(), theatre=read_theatre(doc))
    steamer = replace(facts.ships["e1"], card={**b.CARD, "steam": steam})
    facts = replace(facts, ships={**facts.ships, "e1": steamer})
    facts = replace(facts, weather={"sea": b.weather(0, here)["sea"], "coast": b.weather(0, port)["sea"]})
    chart = chart_at(facts, hour)
    chart.state.weather["coast"] = ZoneWeather.read(b.weather(0, port)["sea"])
    fleet = chart.state.fleets["e"]
    order = replace(fleet.order, route=route, target="theirs")
    chart.alter(fleet, position=Position("n"), order=order, path=("c", "b", "n"))
    b.step(blockade_step, chart)
    return chart


BACK, SHELTERED = ("b", "c", "theirs"), ()


@pytest.mark.clause("G.BL1")
@pytest.mark.parametrize(
    ("hour", "here", "port", "route"),
    [
        (24, "moderate", "moderate", BACK),
        (48, "light", "still", BACK),
        (23, "moderate", "moderate", SHELTERED),
        (25, "moderate", "moderate", SHELTERED),
        (24, "strong", "moderate", SHELTERED),
        (24, "gale", "moderate", SHELTERED),
        (24, "moderate", "strong", SHELTERED),
        (24, "moderate", "gale", SHELTERED),
    ],
)
def test_a_fleet_driven_off_returns_at_six_when_it_blows_hard_neither_here_nor_there(
    hour: int, here: str, port: str, route: tuple[str, ...]
) -> None:
    fleet = sheltering(hour, here=here, port=port).state.fleets["e"]
    assert fleet.order.route == route
    assert fleet.path == (() if route else ("c", "b", "n"))


@pytest.mark.clause("G.BL1")
def test_a_fleet_on_its_way_to_its_station_is_left_alone() -> None:
    fleet = sheltering(24, route=("b", "a", "b", "c", "theirs")).state.fleets["e"]
    assert fleet.order.route == ("b", "a", "b", "c", "theirs")
    assert fleet.path == ("c", "b", "n")


@pytest.mark.clause("G.BL1")
def test_a_blockader_of_a_named_port_is_driven_off_when_its_route_does_not_end_there() -> None:
    fleet = sheltering(23).state.fleets["e"]
    assert driven_off(fleet)
    on_station = replace(fleet, order=replace(fleet.order, route=("c", "theirs")))
    without = replace(fleet, order=replace(fleet.order, target=""))
    patrol = replace(fleet, order=replace(fleet.order, on_arrival=OnArrival.PATROL))
    assert not any(map(driven_off, (on_station, without, patrol)))


def leaves(facts: TurnFacts, *faces: int, hour: int = 4, miles: int = 3_000) -> Chart:
    """The Dutch fleet has come out of the port in this hour; the step is still to be played."""
    chart = chart_at(facts, hour, *faces)
    chart.alter(chart.state.fleets["d"], position=Position("theirs", "c", miles), under_way=True)
    chart.departed.append(("d", "theirs"))
    return chart


def run(chart: Chart) -> list[str]:
    """What is told of it: met_off_port, slipped_out or nothing."""
    chart.state.events.clear()
    b.step(running_step, chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    assert chart.departed == []
    return [event.kind for event in chart.state.events]


@pytest.mark.clause("G.BL1")
@pytest.mark.parametrize(
    ("hour", "visibility", "thrown"),
    [
        (4, "clear", False), (4, "haze", False), (4, "fog", True), (12, "clear", False), (13, "clear", True),
        (22, "clear", True), (23, "clear", False),
    ],
)  # fmt: skip
def test_a_die_is_thrown_for_a_fleet_that_leaves_only_in_the_dark_or_in_fog(
    hour: int, visibility: str, thrown: bool
) -> None:
    chart = leaves(made(visibility=visibility), *([6] if thrown else []), hour=hour)
    assert run(chart) == ["slipped_out" if thrown else "met_off_port"]


@pytest.mark.clause("G.BL1")
def test_no_one_meets_a_fleet_that_is_back_in_port_or_gone_or_unwatched() -> None:
    back = leaves(made())
    back.alter(back.state.fleets["d"], position=Position("theirs"))
    ended = leaves(made())
    ended.alter(ended.state.fleets["d"], ended=True)
    off = leaves(made(off=Position("c", "theirs", 50_000)))
    away = leaves(made())
    away.alter(away.state.fleets["e"], off_until=5)
    attack = leaves(made())
    order = replace(attack.state.fleets["e"].order, on_arrival=OnArrival.ATTACK)
    attack.alter(attack.state.fleets["e"], position=Position("c", "theirs", 59_500), order=order)
    other_port = leaves(made())
    other_port.departed[:] = [("d", "home")]
    peace = leaves(replace(made(), at_war=frozenset({frozenset({"ENG", "FRA"})})))
    for chart in (back, ended, off, away, attack, other_port, peace):
        assert run(chart) == []


@pytest.mark.clause("G.BL1", "G.CO3")
@pytest.mark.parametrize(("free", "until"), [(0, 25), (24, 25), (26, 26)])
def test_a_fleet_that_slips_out_is_free_for_12_hours_and_keeps_a_longer_freedom_from_others(
    free: int, until: int
) -> None:
    chart = leaves(made(), 4, hour=13)
    chart.alter(chart.state.fleets["d"], free_until=free, free_from=("x",))
    assert run(chart) == ["slipped_out"]
    fleet = chart.state.fleets["d"]
    assert (fleet.free_until, fleet.free_from) == (until, ("e", "x"))


@pytest.mark.clause("G.BL1", "G.CO1")
def test_a_fleet_that_is_met_is_chased_from_the_next_hour_at_its_sighted_distance_and_bearing() -> None:
    chart = leaves(made())
    assert run(chart) == ["met_off_port"]
    contact = chart.state.contacts["e", "d"]
    assert (contact.range, contact.bearing, contact.since, contact.not_before) == (2_956, 90, 4, 5)
    for key in (("e", "d"), ("d", "e")):
        touch = chart.state.touches[key]
        assert (touch.seen, touch.approach, touch.band) == (True, 2_956, "1")
    far = leaves(made(visibility="fog"), 1)
    run(far)
    assert far.state.contacts["e", "d"].range == 1_000


@pytest.mark.clause("G.BL1", "G.SI3")
def test_an_existing_contact_with_a_fleet_that_comes_out_continues() -> None:
    chart = leaves(made())
    chart.state.touches["e", "d"] = Touch("e", "d", False, 7, 9_000, 2, "5-9", ("line",))
    run(chart)
    touch = chart.state.touches["e", "d"]
    assert (touch.seen, touch.number, touch.band, touch.approach) == (True, 7, "5-9", 2_956)


@pytest.mark.clause("G.BL1", "G.CO1", "G.CO6")
def test_a_blockader_in_another_chase_or_under_a_truce_or_too_weak_lets_the_fleet_pass() -> None:
    chases = leaves(made())
    chases.state.contacts["e", "x"] = Contact("e", "x", 5_000, 0, since=0)
    chased = leaves(made())
    chased.state.contacts["x", "e"] = Contact("x", "e", 5_000, 0, since=0)
    truce = leaves(made())
    truce.state.truces["d", "e"] = 9
    facts = made()
    timid = replace(facts.fleets["e"].order, instructions=Instructions(greatest_odds="0.9"))
    weak = leaves(replace(facts, fleets={**facts.fleets, "e": blockader(position=OFF, order=timid)}))
    for chart in (chases, chased, truce, weak):
        assert run(chart) == ["met_off_port"]
        assert ("e", "d") not in chart.state.contacts
        assert chart.state.touches["e", "d"].seen


@pytest.mark.clause("G.BL1")
def test_either_every_blockader_of_the_port_meets_the_fleet_that_comes_out_or_none_does() -> None:
    facts = made()
    order = FleetOrder("f", ("theirs",), Stance.SEEK, OnArrival.BLOCKADE, Instructions(greatest_odds="9"))
    second = replace(b.fleet("f", "ENG", "c", order=order), position=OFF)
    facts = replace(
        facts, fleets={**facts.fleets, "f": second}, ships={**facts.ships, "f1": b.ship("f1", "ENG", "f")}
    )
    assert run(leaves(facts)) == ["met_off_port"]
    met = leaves(facts)
    run(met)
    assert set(met.state.contacts) == {("e", "d"), ("f", "d")}
    slipped = leaves(facts, 4, hour=16)
    run(slipped)
    assert slipped.state.fleets["d"].free_from == ("e", "f")
    assert isinstance(slipped.dice, ScriptedDice)
