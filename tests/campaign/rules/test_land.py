"""Land between two fleets, with a square island and with random shapes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.chart.land import Land
from campaign.rules.chart.points import Point
from campaign.rules.chart.types import FleetFacts, PlaceKind, Position, Theatre, TurnFacts
from campaign.rules.contact.sighting import sighting_step
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import fingerprint, turn
from tests.campaign.rules import builders as b

MILE = 100_000 / 60  # in hundred-thousandths of a degree, at the equator


def ring(*miles: tuple[float, float]) -> list[Point]:
    """A ring of corners, miles north and east of the crossing of the equator and Greenwich."""
    return [Point(round(north * MILE), round(east * MILE)) for north, east in miles]


def square(south: float, west: float, north: float, east: float) -> list[Point]:
    return ring((south, west), (south, east), (north, east), (north, west))


def land(*rings: list[Point]) -> Land:
    return Land(lambda: rings)


def at(north: float, east: float) -> Point:
    return ring((north, east))[0]


ISLAND = land(square(-2, 4, 2, 6))
ATOLL = land(square(-4, 2, 4, 8), square(-2, 4, 2, 6))


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize(
    ("a", "b", "hidden"),
    [
        ((0, 0), (0, 10), True),
        ((0, 10), (0, 0), True),
        ((2.1, 0), (2.1, 10), False),  # past its shore
        ((0, 0), (0, 3.9), False),  # both on this side of it
        ((-8, 5), (8, 5), True),
        ((-3, 3), (3, 9), True),  # across its southern half
        ((4, 3), (0, 7), True),  # across a corner
        ((5.1, 3), (1, 7.1), False),  # past that corner
    ],
)
def test_an_island_hides_what_lies_behind_it(
    a: tuple[float, float], b: tuple[float, float], hidden: bool
) -> None:
    assert ISLAND.hides(at(*a), at(*b)) is hidden


@pytest.mark.clause("G.SI1")
def test_a_lagoon_is_water_and_its_reef_is_land() -> None:
    assert not ATOLL.hides(at(1, 4.5), at(-1, 5.5))
    assert ATOLL.hides(at(0, 5), at(0, 10))
    reef = [part for stretch in ATOLL.stretches(at(0, 0), at(0, 10)) for part in stretch]
    assert reef == pytest.approx([200_000, 400_000, 600_000, 800_000], abs=50)


@pytest.mark.clause("G.SI1")
def test_a_fleet_on_drawn_land_sees_over_the_exempt_stretch_and_no_farther() -> None:
    quay, out = at(0, 4.5), at(0, 10)
    assert ISLAND.hides(quay, out)
    assert ISLAND.hides(quay, out, spare=(1_499, 0))
    assert not ISLAND.hides(quay, out, spare=(1_501, 0))
    assert not ISLAND.hides(out, quay, spare=(0, 1_501))
    assert ISLAND.hides(out, quay, spare=(1_501, 0))


@pytest.mark.clause("G.SI1")
@given(
    far=st.lists(st.integers(500, 9_000), min_size=5, max_size=9),
    ends=st.tuples(*[st.integers(-10_000, 10_000)] * 4),
)
def test_a_quick_search_for_land_agrees_with_a_walk_along_any_line(
    far: list[int], ends: tuple[int, int, int, int]
) -> None:
    angles = [2 * math.pi * n / len(far) for n in range(len(far))]
    star = [Point(round(r * math.cos(w)), round(r * math.sin(w))) for r, w in zip(far, angles, strict=True)]
    a, c = Point(*ends[:2]), Point(*ends[2:])
    found = land(star).stretches(a, c)
    assert all(start <= end for start, end in found)
    for n in range(1, 40):
        part = n * 1_000_000 // 40
        edge = any(abs(part - stop) < 3_000 for stretch in found for stop in stretch)
        here = (a[0] + (c[0] - a[0]) * n / 40, a[1] + (c[1] - a[1]) * n / 40)
        if not edge and found:
            assert any(start < part < end for start, end in found) is _inside(here, star)


def _inside(point: tuple[float, float], corners: Iterable[Point]) -> bool:
    """By the angles at which the corners are seen from a point: all round it, or not."""
    rows = list(corners)
    seen = [math.atan2(y - point[0], x - point[1]) for y, x in rows]
    turns = [
        (there - here + math.pi) % (2 * math.pi) - math.pi
        for here, there in zip(seen, seen[1:] + seen[:1], strict=True)
    ]
    return abs(sum(turns)) > math.pi


def sea(*rings: list[Point]) -> Theatre:
    """The square sea with land in it."""
    return replace(b.facts([]).theatre, land=land(*rings))


def look(made: TurnFacts) -> TurnState:
    """One hour's look-out by day; the fleets lie still."""
    state = turn.begin(made, {}, b.dice(made))
    state.hour = 4
    chart = Chart(made, state, b.dice(made))
    for fleet in chart.fleets():
        chart.tracks[fleet.code] = [(0, chart.point(fleet.position))]
    b.step(sighting_step, chart)
    return state


def near_b(theatre: Theatre) -> TurnFacts:
    """A fleet three miles west of b, another three miles north of it: four miles and a quarter apart."""
    fleets: list[FleetFacts] = [
        b.fleet("e", "ENG", "a", to="b", run=57_000),
        b.fleet("d", "NLD", "n", to="b", run=57_000),
    ]
    return b.facts(fleets, sea=theatre, weather=b.weather())


HEADLAND = square(1, 118, 2, 119)  # between the two, a mile wide


@pytest.mark.clause("G.SI1")
def test_fleets_do_not_see_each_other_across_a_headland() -> None:
    assert {touch.observer for touch in look(near_b(sea())).touches.values()} == {"e", "d"}
    assert {touch.observer for touch in look(near_b(b.facts([]).theatre)).touches.values()} == {"e", "d"}
    assert not look(near_b(sea(HEADLAND))).touches
    assert {touch.observer for touch in look(near_b(sea(square(1, 121, 2, 122)))).touches.values()} == {
        "e",
        "d",
    }


@pytest.mark.clause("G.SI1", "G.CH2")
@pytest.mark.parametrize(
    ("e", "d"),
    [
        (Position("a", "b", 20_000), Position("a", "b", 24_000)),
        (Position("a", "b", 20_000), Position("b", "a", 36_000)),
        (Position("a"), Position("a", "b", 4_000)),
        (Position("a"), Position("a")),
    ],
)
def test_a_passage_is_open_water_whatever_is_drawn(e: Position, d: Position) -> None:
    fleets = [b.fleet("e", "ENG", e.at, to=e.to, run=e.run), b.fleet("d", "NLD", d.at, to=d.to, run=d.run)]
    everywhere = sea(square(-5, 50, 5, 100))
    assert len(look(b.facts(fleets, sea=everywhere, weather=b.weather())).touches) == 2


@pytest.mark.clause("G.SI1")
def test_contact_is_lost_when_land_comes_between() -> None:
    made = near_b(sea(HEADLAND))
    state = look(near_b(sea()))
    chart = Chart(made, state, b.dice(made))
    state.hour = 5
    for fleet in chart.fleets():
        chart.tracks[fleet.code] = [(0, chart.point(fleet.position))]
    b.step(sighting_step, chart)
    assert not state.touches
    assert [event.data["fleet"] for event in state.events if event.kind == "touch_lost"] == ["d", "e"]


@pytest.mark.clause("G.SI1")
def test_the_line_of_sight_is_that_of_the_moment_at_which_they_are_nearest() -> None:
    made = near_b(sea(HEADLAND))
    state = turn.begin(made, {}, b.dice(made))
    state.hour = 4
    chart = Chart(made, state, b.dice(made))
    here = chart.point(state.fleets["e"].position)
    # The Dutch run down from the north to b in this hour: nearest at its end, with the headland behind them.
    chart.tracks = {"e": [(0, here)], "d": [(0, at(3, 120)), (1000, at(0, 120))]}
    b.step(sighting_step, chart)
    assert {touch.approach for touch in state.touches.values()} == {3_000}
    chart.tracks = {"e": [(0, here)], "d": [(0, at(3, 120)), (1000, at(6, 120))]}
    state.touches.clear()
    b.step(sighting_step, chart)
    assert not state.touches


@pytest.mark.clause("G.SI1")
def test_a_fleet_leaving_or_making_for_a_port_sees_over_the_land_around_it() -> None:
    fleets = [b.fleet("e", "ENG", "home", to="a", run=4_000), b.fleet("d", "NLD", "a", to="b", run=5_000)]
    rows = {"home": (0.0, 0.0), "a": (0.0, 0.15)}  # nine miles off
    theatre = b.facts([]).theatre
    places = {
        code: replace(place, latitude=rows[code][0], longitude=rows[code][1]) if code in rows else place
        for code, place in theatre.places.items()
    }
    at_port, beyond = land(square(-1, 5, 1, 8)), land(square(-1, 10.5, 1, 10.8))
    for drawn, seen in ((at_port, 2), (beyond, 0), (land(), 2)):
        made = b.facts(fleets, sea=replace(theatre, places=places, land=drawn), weather=b.weather())
        assert len(look(made).touches) == seen
    roads = replace(places["home"], kind=PlaceKind.ANCHORAGE)
    no_port = replace(theatre, places={**places, "home": roads}, land=at_port)
    assert not look(b.facts(fleets, sea=no_port, weather=b.weather())).touches


@pytest.mark.clause("G.FA1", "G.SI1")
def test_another_coast_is_another_set_of_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint.chart_hash.__wrapped__()
    for coast in fingerprint._COASTS.glob("*.json"):
        (tmp_path / coast.name).write_bytes(coast.read_bytes())
    monkeypatch.setattr(fingerprint, "_COASTS", tmp_path)
    (tmp_path / "caribbean.json").write_text("{}")
    assert fingerprint.chart_hash.__wrapped__() != before


DIAMOND = [Point(0, 15_000), Point(5_000, 20_000), Point(10_000, 15_000), Point(5_000, 10_000)]


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize("corners", [DIAMOND, DIAMOND[::-1]], ids=["one way", "the other way"])
@pytest.mark.parametrize(
    ("a", "b", "over"),
    [
        (Point(5_000, 15_000), Point(20_000, 16_000), [(0, 312_500)]),  # level with the corner to the east
        (Point(5_000, 5_000), Point(8_000, 15_000), [(714_285, 1_000_000)]),  # level with two corners
        (Point(5_000, 25_000), Point(9_000, 15_000), [(833_333, 1_000_000)]),
        (Point(0, 12_000), Point(5_000, 18_000), [(272_727, 1_000_000)]),
        (Point(2_500, 15_000), Point(2_500, 30_000), [(0, 166_666)]),
        (Point(2_500, 0), Point(2_500, 30_000), [(416_666, 583_333)]),
        (Point(10_001, 0), Point(10_001, 30_000), []),
    ],
)
def test_corners_level_with_a_line_do_not_change_where_it_crosses_land(
    a: Point, b: Point, over: list[tuple[int, int]], corners: list[Point]
) -> None:
    shape = Land(lambda: [corners])
    assert list(shape.stretches(a, b)) == over
    back = [(1_000_000 - end, 1_000_000 - start) for start, end in reversed(over)]
    for (start, end), (first, last) in zip(shape.stretches(b, a), back, strict=True):
        assert abs(start - first) <= 1 and abs(end - last) <= 1
