"""Speed and sailing at their edges: the wind's eye, tows, the track of an hour, and what is done at a place."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance, Strength
from campaign.rules.chart.types import FleetOrder, OnArrival, Position
from campaign.rules.sailing.movement import (
    fleet_speed,
    may_sail,
    off_wind,
    sail,
    sail_factor,
    speed_of,
    stay,
    untowed,
)
from campaign.rules.state.economy import Job
from campaign.rules.state.state import AGROUND, ZoneWeather
from campaign.rules.state.world import Chart, Hull
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

SOUND = Hull(4500, Fraction(1), 60, Fraction(40))
HULK = SOUND._replace(factor=Fraction(0))


def chart_of(at: str, *route: str, to: str = "", run: int = 0, arrival: OnArrival = OnArrival.ANCHOR,
             wind: int = 0, strength: str = "moderate", **over: Any) -> Chart:  # fmt: skip
    """One English fleet in a wind that stands."""
    order = FleetOrder("e", route, Stance.HOLD, arrival)
    made = b.facts([b.fleet("e", "ENG", at, to=to, run=run, order=order)], **over)
    state = turn.standing(made)
    state.weather["sea"] = ZoneWeather.read(b.weather(wind, strength)["sea"])
    return Chart(made, state, ScriptedDice(()))


def sailed(chart: Chart, hours: int = 1) -> Chart:
    for _ in range(hours):
        chart.entered.clear()
        sail(chart, chart.state.fleets["e"])
        chart.state.hour += 1
    return chart


def where(chart: Chart) -> Position:
    return chart.state.fleets["e"].position


def kinds(chart: Chart) -> list[str]:
    return [event.kind for event in chart.state.events if event.kind != "sailed"]


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(
    ("bearing", "wind", "angle"),
    [(359, 0, 1), (0, 359, 1), (181, 0, 179), (180, 0, 180), (179, 0, 179), (400, 10, 30), (10, 400, 30)],
)
def test_the_angle_off_the_wind_never_exceeds_half_a_turn(bearing: int, wind: int, angle: int) -> None:
    assert off_wind(bearing, wind) == angle


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(
    ("angle", "no_go", "factor"),
    [
        (88, 89, "0.35"),
        (89, 90, "0"),
        (90, 91, "0"),
        (90, 90, "1"),
        (79, 60, "0.7"),
        (80, 80, "0.7"),
        (80, 81, "0.35"),
    ],
)
def test_a_fleet_that_cannot_lie_within_ninety_degrees_gains_nothing_by_tacking(
    angle: int, no_go: int, factor: str
) -> None:
    assert sail_factor(angle, no_go) == Fraction(factor)


@pytest.mark.clause("G.MV1")
def test_no_ships_and_no_wind_make_no_way() -> None:
    assert speed_of((), 90, Strength.MODERATE) == 0
    assert speed_of((SOUND,), 90, Strength.STILL) == speed_of((SOUND, HULK), 90, Strength.STILL) == 0


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(
    ("size", "knots", "speed"),
    [(40, 6_000, 2_250), (41, 6_000, 3_000), (39, 6_000, 2_250), (80, 6_000, 3_000), (81, 6_000, 0)],
)
def test_tug_and_tow_make_half_the_speed_of_the_greater_and_the_tug_is_at_least_half_as_great(
    size: int, knots: int, speed: int
) -> None:
    tow = HULK._replace(size=Fraction(size), knots=knots)
    assert speed_of((SOUND, tow), 90, Strength.MODERATE) == speed
    assert untowed((SOUND, tow)) == ([] if speed else [1])


@pytest.mark.clause("G.MV1")
def test_the_greatest_tow_chooses_first_and_takes_the_smallest_adequate_tug() -> None:
    great, small = (SOUND._replace(size=Fraction(size)) for size in (80, 20))
    hulks = tuple(HULK._replace(size=Fraction(size)) for size in (30, 100))
    assert untowed((*hulks, great, small)) == []
    assert untowed((*hulks, small, small)) == [1]
    assert untowed((*hulks, great, small._replace(size=Fraction(14)))) == [0]
    assert untowed((hulks[1], hulks[0], HULK)) == [0, 1, 2]
    frigate = SOUND._replace(knots=6_000, size=Fraction(10))
    assert speed_of((HULK, SOUND, frigate), 90, Strength.MODERATE) == 2_250
    slow = SOUND._replace(knots=2_000, size=Fraction(10))
    assert speed_of((HULK, SOUND, slow), 90, Strength.MODERATE) == 2_000
    assert speed_of((HULK, SOUND), 90, Strength.STRONG) == 2_700
    assert speed_of((HULK, SOUND), 70, Strength.MODERATE) == 1_575


@pytest.mark.clause("G.MV1")
def test_a_fleets_speed_follows_its_ships_and_the_local_weather_and_does_not_change_when_asked_again() -> (
    None
):
    chart = chart_of("a", "b", wind=0)
    fleet = chart.state.fleets["e"]
    assert [fleet_speed(chart, fleet, bearing) for bearing in (90, 0, 180, 90)] == [
        4_500,
        1_575,
        3_825,
        4_500,
    ]
    chart.state.weather["sea"] = ZoneWeather.read(b.weather(0, "light")["sea"])
    assert fleet_speed(chart, fleet, 90) == 1_800


@pytest.mark.clause("G.CL2", "G.CO3", "G.CH4")
def test_a_fleet_may_sail_when_it_is_on_the_chart_not_held_and_afloat() -> None:
    chart = chart_of("a", "b")
    chart.state.hour = 5
    fleet = chart.state.fleets["e"]
    assert may_sail(chart, fleet)
    for name in ("off_until", "still_until"):
        assert may_sail(chart, replace(fleet, **{name: 5}))
        assert not may_sail(chart, replace(fleet, **{name: 6}))
    assert not may_sail(chart, replace(fleet, held_by="T1-b01"))
    chart.state.mark("e1", AGROUND)
    assert not may_sail(chart, fleet)


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize(
    ("at", "yard", "sails"),
    [("home", "home", False), ("home", "", True), ("a", "home", True), ("home", "theirs", True)],
)
def test_a_ship_in_a_yard_does_not_sail_but_one_merely_in_port_does(at: str, yard: str, sails: bool) -> None:
    chart = chart_of(at, "b")
    if yard:
        chart.state.economy.jobs["e1"] = Job("e1", "ENG", yard, "light", 0, 0, 14, 1, 0)
    assert may_sail(chart, chart.state.fleets["e"]) is sails


@pytest.mark.clause("G.MV2")
def test_sailing_is_reported_only_when_a_fleet_leaves_a_place_where_it_lay() -> None:
    def sails(chart: Chart) -> list[tuple[str, str]]:
        told = [event.data for event in sailed(chart).state.events if event.kind == "sailed"]
        return [(data["place"], data["to"]) for data in told]

    assert sails(chart_of("a", "b")) == [("a", "b")]
    assert sails(chart_of("a", "b", to="b", run=9_000)) == []
    passing = chart_of("a", "b")
    passing.alter(passing.state.fleets["e"], under_way=True)
    assert sails(passing) == []
    assert sails(chart_of("a", "b", strength="still")) == []


def test_a_fleet_that_stays_is_at_one_point_for_the_hour_and_no_longer_under_way() -> None:
    chart = chart_of("a", "b", to="b", run=9_000)
    fleet = chart.alter(chart.state.fleets["e"], under_way=True)
    stay(chart, fleet)
    assert chart.tracks == {"e": [(0, chart.point(fleet.position))]}
    assert not chart.state.fleets["e"].under_way


@pytest.mark.clause("G.SI1", "G.MV2")
def test_the_track_of_an_hour_has_a_timed_point_at_every_place_passed() -> None:
    chart = chart_of("a", "b", "n", to="b", run=57_750)
    points = [Position("a", "b", 57_750), Position("b"), Position("b", "n", 787)]
    sailed(chart)
    assert chart.tracks["e"] == [
        (moment, chart.point(at)) for moment, at in zip((0, 500, 1000), points, strict=True)
    ]
    assert chart.entered == [("e", "b")]
    off = chart_of("c", "theirs", to="theirs", run=54_000 - 1_125, arrival=OnArrival.BLOCKADE)
    sailed(off)
    assert where(off) == Position("c", "theirs", 54_000)
    start = Position("c", "theirs", 52_875)
    assert off.tracks["e"] == [(0, off.point(start)), (250, off.point(where(off)))]
    assert (kinds(off), off.entered) == (["lies_off"], [])


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize(
    ("run", "at", "entered"),
    [(55_499, Position("a", "b", 59_999), []), (55_500, Position("b"), [("e", "b")]), (55_501, Position("b"), [("e", "b")])],
)  # fmt: skip
def test_a_place_is_reached_when_the_hours_miles_bring_a_fleet_to_it(
    run: int, at: Position, entered: list[tuple[str, str]]
) -> None:
    chart = sailed(chart_of("a", "b", to="b", run=run))
    assert (where(chart), chart.entered) == (at, entered)
    assert kinds(chart) == (["arrived"] if entered else [])
    assert chart.state.fleets["e"].under_way


@pytest.mark.clause("G.MV2", "G.BL1")
def test_only_a_fleet_that_moves_out_of_a_port_has_departed() -> None:
    out = sailed(chart_of("home", "a"))
    assert out.departed == [("e", "home")]
    sailed(out)
    assert out.departed == [("e", "home")]
    assert sailed(chart_of("home")).departed == []
    assert sailed(chart_of("home", "a", strength="still")).departed == []
    assert sailed(chart_of("a", "b")).departed == []


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize("route", [("a",), ("a", "a")])
def test_a_route_to_the_fleets_own_position_is_at_its_end(route: tuple[str, ...]) -> None:
    chart = sailed(chart_of("a", *route))
    assert (where(chart), chart.state.fleets["e"].order.route) == (Position("a"), ())
    on = sailed(chart_of("a", *route, "b"))
    assert (where(on), on.state.fleets["e"].order.route) == (Position("a", "b", 4_500), ("b",))


@pytest.mark.clause("G.CH2")
def test_a_fleet_carried_off_its_route_goes_to_the_next_place_by_the_shortest_way_then_to_the_others() -> (
    None
):
    placed = sailed(chart_of("a", "n", "b", "c"))
    assert placed.state.fleets["e"].order.route == ("b", "n", "b", "c")
    passing = sailed(chart_of("a", "n", "b", "c", to="b", run=20_000))
    assert passing.state.fleets["e"].order.route == ("b", "n", "b", "c")
    assert where(passing) == Position("a", "b", 24_500)
    back = sailed(chart_of("a", "home", "a", to="b", run=20_000))
    assert back.state.fleets["e"].order.route == ("a", "home", "a")
    assert where(back) == Position("b", "a", 44_500)


@pytest.mark.clause("G.MV1", "G.CH2")
def test_in_a_calm_a_fleet_stays_where_it_is_whether_at_a_place_or_on_its_way() -> None:
    for chart in (chart_of("a", "b", strength="still"), chart_of("a", "b", to="b", run=7, strength="still")):
        before = where(chart)
        assert where(sailed(chart)) == before
        assert not chart.state.fleets["e"].under_way
        assert chart.state.fleets["e"].order.route == ("b",)


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize(
    ("arrival", "path", "told", "route", "then"),
    [
        (OnArrival.ANCHOR, ("a", "b"), "arrived", (), OnArrival.ANCHOR),
        (OnArrival.PATROL, ("a", "b"), "passed", ("a",), OnArrival.PATROL),
        (OnArrival.RETURN, ("a", "b"), "passed", ("a",), OnArrival.ANCHOR),
        (OnArrival.PATROL, (), "arrived", (), OnArrival.PATROL),
        (OnArrival.RETURN, ("b",), "arrived", (), OnArrival.RETURN),
        (OnArrival.PATROL, ("c", "b", "a"), "passed", ("a", "b", "c"), OnArrival.PATROL),
        (OnArrival.SHELTER, ("a", "b"), "arrived", (), OnArrival.SHELTER),
    ],
)
def test_at_the_end_of_its_route_a_fleet_turns_back_along_its_path_if_it_patrols_or_returns(
    arrival: OnArrival, path: tuple[str, ...], told: str, route: tuple[str, ...], then: OnArrival
) -> None:
    chart = chart_of("a", "b", to="b", run=59_000, arrival=arrival, strength="moderate")
    chart.alter(chart.state.fleets["e"], path=path)
    fleet = sailed(chart).state.fleets["e"]
    assert kinds(chart) == [told]
    assert (fleet.order.route, fleet.order.on_arrival) == (route, then)
    assert fleet.path == (("b", *route) if route else path)
