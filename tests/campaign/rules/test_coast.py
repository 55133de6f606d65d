"""What is seen from the shore: by day, off a side's own ports, without a die. Rule: G.SI4."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.chart.types import FleetFacts, ShipKind, TurnFacts
from campaign.rules.contact.coast import coast_step
from campaign.rules.state.state import Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.knowledge import knowledge_of
from tests.campaign.rules import builders as b

pytestmark = pytest.mark.clause("G.SI4")
# 10:00, 11:00, 14:00 and 22:00 of the first day
MORNING, HOUR_LATER, AFTERNOON, NIGHT = 4, 5, 8, 16


def off(miles: float, code: str = "d", side: str = "NLD") -> FleetFacts:
    """A fleet so many miles out of home, on the way to a."""
    return b.fleet(code, side, "home", to="a", run=round(miles * 1000))


def facts(
    *fleets: FleetFacts, sail: int = 1, weather: dict[str, Any] | None = None, **over: Any
) -> TurnFacts:
    ships = [b.ship(f"{f.code}{n}", f.side, f.code, kind=ShipKind.LINE) for f in fleets for n in range(sail)]
    played = b.settings(**{"end_turn_on": "none", "coast_miles": 24, "one_report": "on", **over})
    return b.facts([*fleets], ships, weather=b.weather(**(weather or {})), settings=played)


def look(made: TurnFacts, state: TurnState | None = None, *, hour: int = MORNING, **touch: bool) -> TurnState:
    """An hour's look-out from the shore, which throws no die."""
    after = (state or turn.begin(made, {}, b.dice(made))).copy()
    after.hour = hour
    for code, fleet in made.fleets.items():
        after.fleets[code] = turn.begin(made, {}, b.dice(made)).fleets[code]
        assert after.fleets[code].position == fleet.position
    for code, seen in touch.items():
        after.touches[code, "d"] = Touch(code, "d", seen=seen)
    with ScriptedDice(()) as none:
        coast_step(Chart(made, after, none))
    return after


def seen(state: TurnState) -> list[tuple[Any, ...]]:
    return [(r.side, r.number, r.band, r.observer) for r in state.reports]


def test_a_body_off_a_sides_own_port_is_reported_from_there_to_that_side_alone() -> None:
    made = facts(off(20), off(22, "g"), sail=3)
    state = look(made)
    assert seen(state) == [("ENG", 1, "5-9", "home")]
    (report,) = state.reports
    assert (report.hour, report.longitude, report.kinds, report.observers) == (MORNING + 1, 33, (), ("home",))
    (event,) = state.events
    assert (event.kind, event.knows, event.data["place"]) == ("sighted", ("ENG",), "home")
    assert "fleet" not in event.data
    assert look(facts(off(20, "e", "ENG"))).reports == []  # its own


@pytest.mark.parametrize(
    ("miles", "hour", "weather", "sees"),
    [
        (24, MORNING, {}, True),
        (24.1, MORNING, {}, False),
        (20, HOUR_LATER, {}, False),  # between two looks
        (20, NIGHT, {}, False),
        (6, MORNING, {"visibility": "haze"}, True),
        (6.1, MORNING, {"visibility": "haze"}, False),
        (1, MORNING, {"visibility": "fog"}, False),
        (12, MORNING, {"strength": "gale"}, True),
        (12.1, MORNING, {"strength": "gale"}, False),
    ],
)
def test_the_shore_sees_so_far_by_day_and_looks_once_a_watch(
    miles: float, hour: int, weather: dict[str, str], sees: bool
) -> None:
    assert bool(look(facts(off(miles), weather=weather), hour=hour).reports) is sees


def test_nothing_is_seen_from_the_shore_where_the_setting_is_0_or_the_ships_are_in_port() -> None:
    assert look(facts(off(5), coast_miles=0)).reports == []
    assert look(facts(b.fleet("d", "NLD", "home"))).reports == []


def test_types_of_ships_are_reported_within_six_miles_of_the_shore() -> None:
    assert [r.kinds for r in look(facts(off(6))).reports] == [("line",)]
    assert [r.kinds for r in look(facts(off(6.1))).reports] == [()]


def test_a_fleet_that_has_touch_reports_for_itself() -> None:
    made = facts(off(10), off(14, "e", "ENG"))
    assert [side for side, *_ in seen(look(made, e=True))] == []
    assert [side for side, *_ in seen(look(made, e=False))] == ["ENG"]


def test_a_number_lasts_while_the_shore_sees_the_body_and_a_report_comes_when_something_has_changed() -> None:
    first = look(facts(off(20)))
    assert seen(look(facts(off(22)), first, hour=AFTERNOON)) == seen(first)  # it has hardly moved
    moved = look(facts(off(16)), first, hour=AFTERNOON)
    assert seen(moved) == [("ENG", 1, "1", "home")] * 2
    assert len(moved.events) == 1
    more = facts(off(20), sail=3)
    state = first.copy()
    state.ships |= turn.begin(more, {}, b.dice(more)).ships
    assert [band for _, _, band, _ in seen(look(more, state, hour=AFTERNOON))] == ["1", "2-4"]


def test_after_a_night_a_body_has_a_new_number_and_the_staff_thinks_it_the_old_one() -> None:
    first = look(facts(off(20)))
    dark = look(facts(off(20)), first, hour=NIGHT)
    assert dark.watched == {}
    again = look(facts(off(20)), dark, hour=MORNING + 24)
    assert [(r.number, r.perhaps) for r in again.reports] == [(1, 0), (2, 1)]
    # so it counts once for whoever reckons with it
    assert [row.report.number for row in knowledge_of(facts(off(20)), again, "ENG").reports] == [2]


def test_what_the_shore_sees_is_saved_and_read_back() -> None:
    state = look(facts(off(20)))
    again = TurnState.from_dict(json.loads(json.dumps(state.to_dict())))
    assert again.watched == state.watched != {}
    assert "watched" not in turn.begin(facts(off(30)), {}, b.dice(facts(off(30)))).to_dict()
