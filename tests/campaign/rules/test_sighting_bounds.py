"""Sighting to the mile and the hour: how near two tracks come, how long contact lasts, and when a report is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import hypot
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.chart.land import Land
from campaign.rules.chart.points import Point
from campaign.rules.chart.types import Position, Settings, ShipKind, TurnFacts
from campaign.rules.contact.sighting import Track, nearest, sighting_step, track_of
from campaign.rules.state.state import Contact, FleetState, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.support.answers import result_of

NOON, DUSK, NIGHT = 6, 13, 16


def track(*corners: tuple[int, float, float]) -> Track:
    """Corners as (thousandth of the hour, miles north, miles east) near the equator."""
    return [
        (time, Point(round(north * 100_000 / 60), round(east * 100_000 / 60)))
        for time, north, east in corners
    ]


def miles_at(corners: Track, time: int) -> tuple[float, float]:
    """Where a track is, in thousandths of a mile, reckoned by its legs."""
    here = corners[0]
    for after in corners:
        if after[0] >= time > here[0]:
            part = (time - here[0]) / (after[0] - here[0])
            return tuple((s + (e - s) * part) * 0.6 for s, e in zip(here[1], after[1], strict=True))  # type: ignore[return-value]
        here = after
    return here[1].latitude * 0.6, here[1].longitude * 0.6


STILL = track((0, 3, 4))
EAST = track((0, 0, 0), (1000, 0, 8))
NORTH_EAST = track((0, -2, 1), (1000, 5, 4))
DOG_LEG = track((0, 1, 9), (400, 4, 7), (1000, -3, 6))
SOUTH = track((0, 6, 5), (700, 2, 5), (1000, 2, 5))


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize("a", [STILL, EAST, NORTH_EAST, DOG_LEG, SOUTH], ids=["still", "e", "ne", "leg", "s"])
@pytest.mark.parametrize(
    "b_", [EAST, NORTH_EAST, DOG_LEG, SOUTH, STILL], ids=["e", "ne", "leg", "s", "still"]
)
def test_the_least_distance_of_two_tracks_is_that_of_the_hour_and_known_to_its_moment(
    a: Track, b_: Track
) -> None:
    def apart(time: int) -> float:
        one, two = miles_at(a, time), miles_at(b_, time)
        return hypot(one[0] - two[0], one[1] - two[1])

    least, time = nearest(a, b_)
    assert least == pytest.approx(min(map(apart, range(1001))), abs=6)
    assert apart(time) == pytest.approx(least, abs=10)
    assert 0 <= time <= 1000


def facts(**over: Any) -> TurnFacts:
    """An English fleet at a, a Dutch one five miles east of it, in clear moderate weather."""
    fleets = [b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "a", to="b", run=5_000)]
    return b.facts(fleets, weather=b.weather(), **over)


def opened(made: TurnFacts, **fleets: dict[str, Any]) -> TurnState:
    state = turn.begin(made, {}, b.dice(made))
    state.events.clear()
    for code, changes in fleets.items():
        state.fleets[code] = replace(state.fleets[code], **changes)
    return state


def look(made: TurnFacts, state: TurnState, faces: Iterable[int] = (), *, hour: int = NOON) -> TurnState:
    """The look-out of one hour, fleets lying still; the state that it leaves."""
    state = state.copy()
    state.hour = hour
    with ScriptedDice(faces) as dice:
        sighting_step(Chart(made, state, dice))
    return state


def in_contact(state: TurnState, miles: int, **over: Any) -> TurnState:
    """e seeks d, so many thousandths of a mile off."""
    state.contacts["e", "d"] = Contact("e", "d", miles, 90, since=0, **over)
    return state


def seen(state: TurnState) -> set[str]:
    return {touch.observer for touch in state.touches.values() if touch.seen}


def lost(state: TurnState) -> list[tuple[str, int]]:
    return [(e.data["fleet"], e.data["number"]) for e in state.events if e.kind == "touch_lost"]


BOTH = {("e", "d"): Touch("e", "d", True, 3, 900, 0), ("d", "e"): Touch("d", "e", True, 4, 900, 0)}


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize(
    ("miles", "faces", "who"),
    [(6_000, (), {"e", "d"}), (6_001, (3, 2), {"d"}), (12_000, (2, 3), {"e"}), (12_001, (), set())],
)
def test_half_the_range_and_the_whole_range_still_count_as_within_it(
    miles: int, faces: tuple[int, ...], who: set[str]
) -> None:
    made = facts()
    assert seen(look(made, in_contact(opened(made), miles), faces)) == who


@pytest.mark.clause("G.SI1", "G.CO3")
@pytest.mark.parametrize(
    ("hour", "night", "kept"),
    [
        (NOON, False, False),
        (DUSK, False, True),
        (DUSK + 1, False, False),
        (DUSK + 1, True, True),
        (20, True, True),
    ],
)
def test_fleets_in_contact_keep_it_without_looking_at_dusk_and_once_the_nights_dice_are_thrown(
    hour: int, night: bool, kept: bool
) -> None:
    made = facts()
    for pair in (("e", "d"), ("d", "e")):
        state = opened(made)
        state.contacts[pair] = Contact(*pair, 30_000, 90, since=0, night=night)
        state.touches = dict(BOTH)
        after = look(made, state, hour=hour)
        assert after.touches == (BOTH if kept else {})
        assert lost(after) == ([] if kept else [("d", 4), ("e", 3)])


@pytest.mark.clause("G.SI1")
def test_fleets_both_off_the_chart_keep_their_knowledge_and_one_that_is_left_loses_sight() -> None:
    made, away = facts(), {"off_until": NOON + 1}
    state = opened(made, e=away, d=away)
    state.touches = dict(BOTH)
    both = look(made, state)
    assert (both.touches, lost(both)) == (BOTH, [])
    state = opened(made, d=away)
    state.touches = dict(BOTH)
    one = look(made, state)
    assert (one.touches, lost(one)) == ({}, [("d", 4), ("e", 3)])


@pytest.mark.clause("G.SI1")
def test_a_fleet_that_was_never_seen_is_not_lost_but_one_hidden_by_night_is() -> None:
    made = facts()
    state = opened(made, d={"position": Position("c")})
    state.touches = {("e", "d"): Touch("e", "d", False)}
    assert lost(look(made, state)) == []
    state = in_contact(opened(made), 1_000)
    state.touches = dict(BOTH)
    after = look(made, state, (4, 5), hour=NIGHT)
    assert sorted(after.touches) == [("d", "e"), ("e", "d")]
    assert (seen(after), lost(after)) == ({"e"}, [("d", 4)])


@pytest.mark.clause("G.CO3")
@pytest.mark.parametrize(
    ("until", "whom", "hidden"),
    [(NOON + 1, ("e",), True), (NOON, ("e",), False), (NOON + 1, ("f",), False)],
)
def test_an_escaped_fleet_is_not_sighted_by_its_pursuers_until_its_hour(
    until: int, whom: tuple[str, ...], hidden: bool
) -> None:
    made = facts()
    after = look(made, opened(made, d={"free_until": until, "free_from": whom}))
    assert seen(after) == ({"d"} if hidden else {"e", "d"})


@pytest.mark.clause("G.SI1", "G.BL1")
@pytest.mark.parametrize(
    ("miles", "observer", "sees"),
    [
        (6_100, {}, True),
        (6_101, {}, False),
        (3_000, {"under_way": True}, False),
        (3_000, {"position": Position("theirs")}, False),
    ],
)
def test_a_fleet_in_port_is_seen_only_by_one_that_lies_off_it(
    miles: int, observer: dict[str, Any], sees: bool
) -> None:
    made = facts(settings=Settings(see_clear=40))
    after = look(made, in_contact(opened(made, d={"position": Position("home")}, e=observer), miles))
    assert ("e" in seen(after)) is sees


def reported(state: TurnState) -> list[tuple[int, int, tuple[str, ...]]]:
    return [(r.hour, r.number, r.kinds) for r in state.reports if r.side == "ENG"]


@pytest.mark.clause("G.SI2", "G.SI3")
def test_a_report_is_written_at_first_at_each_watch_and_once_more_when_kinds_can_be_told() -> None:
    made = facts(settings=Settings(kinds_miles=2))
    state = look(made, in_contact(opened(made), 2_001), hour=0)
    assert reported(state) == [(1, 1, ())]
    state = look(made, in_contact(state, 2_001), hour=1)
    assert reported(state) == [(1, 1, ())]
    state = look(made, in_contact(state, 2_000), hour=2)
    assert reported(state)[1:] == [(3, 1, ("line",))]
    state = look(made, in_contact(state, 2_000), hour=3)
    assert len(reported(state)) == 2
    state = look(made, in_contact(state, 2_001), hour=4)
    assert reported(state)[2:] == [(5, 1, ("line",))], "what was told apart once is known"
    assert state.touches["e", "d"].reported == 4


@pytest.mark.clause("G.SI3")
def test_a_fleet_sighted_again_at_an_odd_hour_is_reported_at_once_under_a_new_number() -> None:
    made = facts(settings=Settings(kinds_miles=1))
    state = in_contact(opened(made), 2_000)
    state.touches = {
        pair: replace(touch, seen=False, band="5-9", let_go=True) for pair, touch in BOTH.items()
    }
    state.numbers = {"ENG": 3, "NLD": 4}
    after = look(made, state, hour=7)
    assert reported(after) == [(8, 4, ())]
    assert after.touches["e", "d"] == Touch("e", "d", True, 4, 2_000, 7, "1", (), False)
    assert after.numbers == {"ENG": 4, "NLD": 5}


@pytest.mark.clause("G.SI2", "G.CO1", "G.CL3")
@pytest.mark.parametrize(("sail", "equal"), [((1, 1), True), ((2, 1), False), ((1, 5), True), ((2, 2), True)])
def test_a_sighting_says_where_and_whether_the_enemy_is_at_least_as_strong(
    sail: tuple[int, int], equal: bool
) -> None:
    ships = [b.ship(f"e{n}", "ENG", "e") for n in range(sail[0])]
    ships += [b.ship(f"d{n}", "NLD", "d", kind=ShipKind.LINE) for n in range(sail[1])]
    fleets = [b.fleet("e", "ENG", "n"), b.fleet("d", "NLD", "n")]
    made = b.facts(fleets, ships, weather=b.weather())
    after = look(made, opened(made))
    (event,) = [e for e in after.events if e.kind == "sighted" and e.knows == ("ENG",)]
    assert event.data["equal"] is equal
    assert (event.data["latitude"], event.data["longitude"], event.hour) == (100, 200, NOON + 1)


def drawn(west: float, east: float) -> Land:
    """Land from north to south between two longitudes, in miles."""
    corners = ((-60, west), (60, west), (60, east), (-60, east))
    ring = [Point(round(n * 100_000 / 60), round(e * 100_000 / 60)) for n, e in corners]
    return Land(lambda: [ring])


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize(("run", "sees"), [(5_990, True), (6_010, False)])
def test_land_around_a_port_can_be_seen_over_within_six_miles_of_it(run: int, sees: bool) -> None:
    made = facts()
    places = {**made.theatre.places, "a": replace(made.theatre.places["a"], longitude=0.15)}
    sea = replace(made.theatre, places=places, land=drawn(6.5, 7.5))
    made = replace(made, theatre=sea)
    state = opened(made, e={"position": Position("home", "a", run)})
    assert bool(look(made, state, (3, 3) if sees else ()).touches) is sees


@pytest.mark.clause("G.SI1")
def test_contacts_and_fleets_without_details_are_unseen_new_and_free() -> None:
    assert Touch("e", "d") == Touch("e", "d", False, 0, 0, -1, "", (), False)
    assert Contact("e", "d", 1, 2, 3) == Contact("e", "d", 1, 2, 3, 0, "", False, 0, False, False)
    order = b.fleet("e", "ENG", "a").order
    fleet = FleetState("e", "ENG", Position("a"), order)
    assert (fleet.off_until, fleet.still_until, fleet.free_until) == (0, 0, 0)
    assert TurnState("trial", 1, 0, 24).battles == 0


@pytest.mark.clause("G.SI1")
def test_a_fleet_without_a_track_has_lain_where_it_is_for_the_whole_hour() -> None:
    made = facts()
    chart = Chart(made, opened(made), ScriptedDice(()))
    fleet = chart.state.fleets["e"]
    corners = track((0, 1, 2), (1000, 3, 4))
    chart.tracks["e"] = corners
    assert track_of(chart, fleet) == corners
    for none in ([], None):
        chart.tracks = {} if none is None else {"e": none}
        assert result_of(track_of, chart, fleet) == [(0, chart.point(fleet.position))]
