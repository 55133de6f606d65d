"""Sighting: who sees whom, the dice, the reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.chart.points import Point
from campaign.rules.chart.types import FleetFacts, ShipKind, TurnFacts
from campaign.rules.contact.sighting import band, nearest, sighting_step
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

DAY, NIGHT = 4, 16


def look(
    made: TurnFacts,
    faces: Iterable[int],
    state: TurnState | None = None,
    *,
    hour: int = DAY,
    moving: bool = False,
) -> TurnState:
    """One hour's look-out with given dice; the fleets lie still."""
    state = (state or turn.begin(made, {}, b.dice(made))).copy()
    state.hour = hour
    with ScriptedDice(faces) as dice:
        chart = Chart(made, state, dice)
        for fleet in chart.fleets():
            chart.tracks[fleet.code] = [(0, chart.point(fleet.position))]
            if moving:
                chart.alter(fleet, under_way=True)
        b.step(sighting_step, chart)
    return state


def apart(miles: float, **over: object) -> TurnFacts:
    """An English fleet at a and a Dutch one some miles east of it."""
    fleets: list[FleetFacts] = [
        b.fleet("e", "ENG", "a"),
        b.fleet("d", "NLD", "a", to="b", run=int(miles * 1000)),
    ]
    return b.facts(fleets, weather=b.weather(**over))  # type: ignore[arg-type]


def seen(state: TurnState) -> set[str]:
    return {touch.observer for touch in state.touches.values() if touch.seen}


@pytest.mark.clause("G.SI2")
@pytest.mark.parametrize(
    ("sail", "name"),
    [(1, "1"), (2, "2-4"), (4, "2-4"), (5, "5-9"), (9, "5-9"), (10, "10-19"), (19, "10-19"), (20, "20-39"),
     (39, "20-39"), (40, "40+"), (90, "40+")],
)  # fmt: skip
def test_sail_are_counted_in_bands(sail: int, name: str) -> None:
    assert band(sail) == name


@pytest.mark.clause("G.SI1")
def test_the_closest_approach_lies_within_the_hour_and_not_at_its_ends() -> None:
    east, west = Point(0, 0), Point(0, 10_000)  # six miles apart on the equator
    crossing, _ = nearest([(0, east), (1000, west)], [(0, west), (1000, east)])
    assert crossing == 0
    abeam, _ = nearest([(0, Point(0, 0)), (1000, Point(0, 10_000))], [(0, Point(5_000, 5_000))])
    assert abeam == 3_000
    turned, _ = nearest(
        [(0, Point(0, 0)), (500, Point(0, 10_000)), (1000, Point(10_000, 10_000))], [(0, Point(0, 12_000))]
    )
    assert turned == 1_200
    assert nearest([(0, east)], [(0, west)])[0] == 6_000


@pytest.mark.clause("G.SI1")
def test_by_day_within_half_the_range_both_see_without_a_throw() -> None:
    assert seen(look(apart(6), ())) == {"e", "d"}


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize(
    ("faces", "who"), [((3, 2), {"d"}), ((2, 3), {"e"}), ((2, 2), set()), ((6, 3), {"e", "d"})]
)
def test_beyond_half_the_range_each_side_throws_and_needs_a_three(
    faces: tuple[int, int], who: set[str]
) -> None:
    assert seen(look(apart(6.1), faces)) == who


@pytest.mark.clause("G.SI1")
def test_out_of_range_no_one_throws() -> None:
    assert look(apart(12.1), ()).touches == {}


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize(
    ("miles", "visibility", "hour", "least"),
    [(5, "haze", DAY, 4), (1.5, "clear", NIGHT, 5), (0.8, "fog", DAY, 6), (0.8, "fog", NIGHT, 6)],
)
def test_haze_night_and_fog_need_higher_throws(miles: float, visibility: str, hour: int, least: int) -> None:
    made = apart(miles, visibility=visibility)
    assert seen(look(made, (least, least), hour=hour)) == {"e", "d"}
    assert seen(look(made, (least - 1, least - 1), hour=hour)) == set()


@pytest.mark.clause("G.SI1")
def test_a_fleet_that_has_not_seen_throws_again_only_each_watch() -> None:
    made = apart(8)
    first = look(made, (1, 1), hour=5)
    assert seen(look(made, (), first, hour=6)) == set()
    assert seen(look(made, (3, 3), first, hour=8)) == {"e", "d"}


@pytest.mark.clause("G.SI1")
def test_contact_holds_by_day_within_range_and_is_lost_beyond_it() -> None:
    made = apart(8)
    first = look(made, (3, 3), hour=5)
    assert seen(look(made, (), first, hour=8)) == {"e", "d"}
    far = replace(first, fleets=look(apart(13), ()).fleets)
    lost = look(made, (), far, hour=6)
    assert lost.touches == {}
    assert {e.data["fleet"] for e in lost.events if e.kind == "touch_lost"} == {"e", "d"}


@pytest.mark.clause("G.SI1")
def test_by_night_contact_is_thrown_for_again_each_watch() -> None:
    made = apart(1.5)
    first = look(made, (5, 5), hour=16)
    assert seen(look(made, (), first, hour=17)) == {"e", "d"}
    assert seen(look(made, (4, 5), first, hour=20)) == {"e"}


@pytest.mark.clause("G.SI1")
def test_fleets_at_peace_do_not_look_for_each_other() -> None:
    assert look(replace(apart(2), at_war=frozenset()), ()).touches == {}


@pytest.mark.clause("G.SI1")
def test_a_fleet_in_port_is_seen_only_from_outside_within_six_miles() -> None:
    def off(miles: int) -> TurnFacts:
        fleets = [b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "home", to="a", run=miles * 1000)]
        return b.facts(fleets, weather=b.weather())

    assert seen(look(off(6), ())) == {"e", "d"}
    assert seen(look(off(6), (), moving=True)) == {"e"}
    assert seen(look(off(7), (3,))) == {"e"}


@pytest.mark.clause("G.SI2")
def test_a_report_says_where_when_course_and_how_many_but_kinds_only_within_six_miles() -> None:
    fleets = [b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "a", to="b", run=8000)]
    ships = [b.ship("e1", "ENG", "e")]
    ships += [b.ship(f"d{n}", "NLD", "d", kind=ShipKind.FRIGATE if n else ShipKind.LINE) for n in range(6)]
    made = b.facts(fleets, ships, weather=b.weather())
    state = look(made, (2, 3))
    (report,) = state.reports
    assert (report.side, report.observer, report.hour, report.band, report.kinds) == (
        "ENG",
        "e",
        5,
        "5-9",
        (),
    )
    assert (report.latitude, report.longitude, report.course) == (0, 113, None)
    near = replace(made, fleets={**made.fleets, "d": b.fleet("d", "NLD", "a", to="b", run=6000)})
    close = [r for r in look(near, ()).reports if r.side == "ENG"]
    assert close[0].kinds == ("frigate", "line")


@pytest.mark.clause("G.SI2")
def test_a_report_belongs_to_the_side_that_saw() -> None:
    state = look(apart(8), (2, 3))
    (event,) = [e for e in state.events if e.kind == "sighted"]
    assert event.knows == ("ENG",)
    assert not {"d", "d1", "Ship d1", "Fleet d"} & set(map(str, event.data.values()))


@pytest.mark.clause("G.SI2")
def test_a_course_is_reported_for_a_fleet_under_way() -> None:
    state = look(apart(5), (), moving=True)
    assert {report.side: report.course for report in state.reports} == {"ENG": 90, "NLD": None}


@pytest.mark.clause("G.SI3")
def test_a_contact_has_a_number_for_the_side_that_sees_it_and_a_new_one_after_contact_is_lost() -> None:
    made = apart(8)
    first = look(made, (2, 3), hour=5)
    again = look(made, (2,), first, hour=8)
    assert [report.number for report in again.reports] == [1, 1]
    away = replace(again, fleets=look(apart(20), ()).fleets)
    lost = look(made, (), away, hour=9)
    back = replace(lost, fleets=first.fleets)
    assert [r.number for r in look(made, (2, 3), back, hour=10).reports] == [1, 1, 2]


@pytest.mark.clause("G.SI3")
def test_two_sightings_of_one_fleet_have_two_numbers() -> None:
    made = b.facts(
        [b.fleet("e", "ENG", "a"), b.fleet("f", "ENG", "a"), b.fleet("d", "NLD", "a", to="b", run=3000)],
        weather=b.weather(),
    )
    numbers = [report.number for report in look(made, ()).reports if report.side == "ENG"]
    assert sorted(numbers) == [1, 2]


@pytest.mark.clause("G.SI1")
def test_only_what_is_in_sight_is_chased() -> None:
    fleets = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK),
        b.fleet("d", "NLD", "c", stance=Stance.HOLD),
    ]
    state, _ = b.play(b.facts(fleets, weather=b.weather()))
    assert not [e for e in state.events if e.kind in ("chase", "battle", "sighted")]
