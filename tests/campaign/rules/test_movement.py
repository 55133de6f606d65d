"""Speed, wind, routes and arrival."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import FleetOrder, OnArrival, Position, ShipKind, TurnFacts
from campaign.rules.contact.chase import movement_step
from campaign.rules.sailing.movement import off_wind, sail_factor, speed_of
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart, Hull
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

SOUND = Hull(4500, Fraction(1), 60, Fraction(40))


def sailed(made: TurnFacts, hours: int, **orders: FleetOrder) -> TurnState:
    """Sail some hours under the wind that stands, without the watches' throws."""
    state = turn.begin(made, orders, b.dice(made))
    chart = Chart(made, state, b.dice(made))
    for _ in range(hours):
        b.step(movement_step, chart)
        state.hour += 1
    return state


def at(state: TurnState, code: str = "e") -> Position:
    return state.fleets[code].position


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(
    ("bearing", "wind", "angle"), [(0, 0, 0), (350, 10, 20), (90, 270, 180), (45, 270, 135), (0, 180, 180)]
)
def test_the_angle_off_the_wind_is_the_shorter_way_round(bearing: int, wind: int, angle: int) -> None:
    assert off_wind(bearing, wind) == angle


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(
    ("angle", "factor"),
    [
        (0, "0.35"),
        (59, "0.35"),
        (60, "0.7"),
        (80, "0.7"),
        (81, "1"),
        (150, "1"),
        (151, "0.85"),
        (180, "0.85"),
    ],
)
def test_each_angle_has_its_point_of_sail(angle: int, factor: str) -> None:
    assert sail_factor(angle, 60) == Fraction(factor)


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(
    ("strength", "knots"),
    [("still", 0), ("light", 1800), ("moderate", 4500), ("strong", 5400), ("gale", 2700)],
)
def test_each_point_of_sail_has_its_wind_factor(strength: str, knots: int) -> None:
    assert speed_of((SOUND,), 90, Strength(strength)) == knots


@pytest.mark.clause("G.MV1")
def test_the_slowest_ship_sets_the_speed_of_the_fleet() -> None:
    frigate, lame = SOUND._replace(knots=6000), SOUND._replace(factor=Fraction(2, 3))
    assert speed_of((frigate,), 90, Strength.MODERATE) == 6000
    assert speed_of((frigate, SOUND), 90, Strength.MODERATE) == 4500
    assert speed_of((frigate, SOUND, lame), 90, Strength.MODERATE) == 3000


@pytest.mark.clause("G.MV1")
def test_a_ship_that_makes_no_way_is_towed_at_half_the_greater_ships_speed() -> None:
    hulk = SOUND._replace(factor=Fraction(0))
    assert speed_of((SOUND, hulk), 90, Strength.MODERATE) == 2250
    small = SOUND._replace(size=Fraction(19), knots=6000)
    assert speed_of((small, hulk), 90, Strength.MODERATE) == 0
    assert speed_of((small._replace(size=Fraction(20)), hulk), 90, Strength.MODERATE) == 2250
    assert speed_of((SOUND, hulk, hulk), 90, Strength.MODERATE) == 0
    assert speed_of((hulk,), 90, Strength.MODERATE) == 0


@pytest.mark.clause("G.MV1")
def test_a_ship_that_cannot_point_above_abeam_gains_nothing_to_windward_and_is_towed_there() -> None:
    crippled = SOUND._replace(no_go=90, factor=Fraction(1, 3))
    assert speed_of((crippled,), 45, Strength.MODERATE) == 0
    assert speed_of((crippled,), 90, Strength.MODERATE) == 1500
    assert speed_of((SOUND, crippled), 45, Strength.MODERATE) == 787


@pytest.mark.clause("G.MV1", "G.CH2")
def test_a_fleet_sails_its_miles_along_the_passage() -> None:
    reach = b.weather(wind=0)
    state = sailed(b.facts([b.fleet("e", "ENG", "a", "b")], weather=reach), 4)
    assert at(state) == Position("a", "b", 18_000)
    beating = sailed(b.facts([b.fleet("e", "ENG", "a", "b")], weather=b.weather(wind=90)), 4)
    assert at(beating) == Position("a", "b", 4 * 1575)


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(("kind", "knots"), [("line", 4500), ("frigate", 6000), ("merchant", 3000)])
def test_cruising_speeds_by_kind_are_settings(kind: str, knots: int) -> None:
    ships = [b.ship("e1", "ENG", "e", kind=ShipKind(kind))]
    made = b.facts([b.fleet("e", "ENG", "a", "b")], ships, weather=b.weather(wind=0))
    assert at(sailed(made, 1)) == Position("a", "b", knots)
    fast = replace(made.settings, knots_line="5.25", knots_frigate="5.25", knots_merchant="5.25")
    assert at(sailed(replace(made, settings=fast), 1)) == Position("a", "b", 5250)


@pytest.mark.clause("G.MV1")
def test_a_ship_without_men_to_sail_her_is_towed() -> None:
    ships = [b.ship("e1", "ENG", "e"), b.ship("e2", "ENG", "e", men=29)]
    made = b.facts([b.fleet("e", "ENG", "a", "b")], ships, weather=b.weather(wind=0))
    assert at(sailed(made, 1)) == Position("a", "b", 2250)


@pytest.mark.clause("G.MV2")
def test_a_fleet_passes_the_places_of_its_route_and_anchors_at_the_last() -> None:
    made = b.facts([b.fleet("e", "ENG", "home", "a", "b")], weather=b.weather(wind=0))
    state = sailed(made, 27)
    assert at(state) == Position("b")
    assert state.fleets["e"].order.route == ()
    told = [(e.kind, e.data["place"]) for e in state.events]
    assert told == [("sailed", "home"), ("passed", "a"), ("arrived", "b")]
    assert all(e.knows == ("ENG",) for e in state.events)


@pytest.mark.clause("G.MV2")
def test_an_hour_is_shared_between_the_legs_on_which_it_is_sailed() -> None:
    # 2.25 miles short of b with the wind in the north: half an hour on to b, then half an hour beating to n.
    made = b.facts([b.fleet("e", "ENG", "a", "b", "n", to="b", run=57_750)], weather=b.weather(wind=0))
    assert at(sailed(made, 1)) == Position("b", "n", 787)


@pytest.mark.clause("G.MV2")
def test_a_patrol_goes_back_and_forth_between_its_places() -> None:
    order = FleetOrder("e", ("b",), on_arrival=OnArrival.PATROL)
    made = b.facts([b.fleet("e", "ENG", "a")], weather=b.weather(wind=0))
    state = sailed(made, 20, e=order)
    assert at(state) == Position("b", "a", 30_000)
    assert at(sailed(made, 33, e=order)) == Position("a", "b", 28_500)


@pytest.mark.clause("G.MV2")
def test_a_fleet_that_returns_anchors_where_it_began() -> None:
    order = FleetOrder("e", ("a", "b"), on_arrival=OnArrival.RETURN)
    state = sailed(b.facts([b.fleet("e", "ENG", "home")], weather=b.weather(wind=0)), 70, e=order)
    assert at(state) == Position("home")
    assert state.fleets["e"].order.on_arrival is OnArrival.ANCHOR


@pytest.mark.clause("G.CH2")
def test_a_fleet_may_turn_back_on_its_passage() -> None:
    made = b.facts([b.fleet("e", "ENG", "a", "b", to="b", run=9_000)], weather=b.weather(wind=0))
    state = sailed(made, 1, e=FleetOrder("e", ("a", "home")))
    assert at(state) == Position("b", "a", 55_500)
    assert at(sailed(made, 3, e=FleetOrder("e", ("a", "home")))) == Position("a", "home", 4_500)


@pytest.mark.clause("G.CH2")
def test_a_fleet_carried_off_its_route_returns_to_it_by_the_shortest_way() -> None:
    off = b.fleet("e", "ENG", "b", "a", "home", to="n", run=9_000)
    # Nine miles back before the wind at 3.825 knots, the rest of three hours reaching at 4.5.
    assert at(sailed(b.facts([off], weather=b.weather(wind=0)), 3)) == Position("b", "a", 2_911)
    far = b.fleet("e", "ENG", "n", "home")
    assert at(sailed(b.facts([far], weather=b.weather(wind=0)), 1)).to == "b"


@pytest.mark.clause("G.MV1")
def test_a_fleet_in_a_calm_stays_in_its_port() -> None:
    made = b.facts([b.fleet("e", "ENG", "home", "a")], weather=b.weather(strength="still"))
    state = sailed(made, 3)
    assert at(state) == Position("home")
    assert not state.fleets["e"].under_way
    assert state.fleets["e"].order.route == ("a",)


@pytest.mark.clause("G.MV2")
def test_without_new_orders_a_fleet_carries_on_past_the_turns_end() -> None:
    made = b.facts([b.fleet("e", "ENG", "home", "a", "b", "c")])
    state, _ = b.play(made)
    assert at(state) != Position("c")
    later, _ = b.play(b.next_facts(made, state))
    assert at(later) == Position("c")
