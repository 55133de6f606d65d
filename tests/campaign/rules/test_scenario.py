"""From the chart to the battle: the scenario document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.scenario import Stance, faults_of, read_scenario
from campaign.rules.battle.scenario import battle_call, turn_limit
from campaign.rules.chart.types import BattleCall, SquadronFacts, TurnFacts
from campaign.rules.state.state import Contact, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def fleets(**over: Any) -> TurnFacts:
    """Two English squadrons and a prize under sail at a, a Dutch fleet a mile to the east."""
    rows = [b.fleet("e", "ENG", "a", stance=Stance.SEEK), b.fleet("d", "NLD", "a", to="b", run=1_000, **over)]
    ships = [
        b.ship("e1", "ENG", "e", squadron="e-van", order=2),
        b.ship("e2", "ENG", "e", squadron="e-van", order=1, condition={"lost": 3}, men=250),
        b.ship("e3", "ENG", "e", squadron="e-red", order=1),
        b.ship("e4", "ENG", "e", squadron="prizes", prize=True),
        b.ship("d1", "NLD", "d"),
    ]
    made = b.facts(rows, ships, weather=b.weather(wind=315))
    squadrons = {
        "e-red": SquadronFacts("e-red", "Red", "e", "e3", "Lord High Admiral", order=2),
        "e-van": SquadronFacts("e-van", "White", "e", "e2", "Admiral of the White", order=1),
        "d-1": SquadronFacts("d-1", "Maas", "d", "d1", "De Ruyter", order=1),
    }
    return replace(made, squadrons=squadrons)


def call(made: TurnFacts, *, hour: int = 4, bearing: int = 90, seen: bool = True) -> BattleCall:
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    if seen:
        state.touches["d", "e"] = Touch("d", "e", True, 1, 1000, 0, "1", ("line",))
    chart = Chart(made, state, b.dice(made))
    contact = Contact("e", "d", 1000, bearing, since=hour)
    return battle_call(chart, "b01", contact, [state.fleets["e"]], [state.fleets["d"]])


@pytest.mark.clause("G.BT6")
def test_the_computer_can_read_the_scenario() -> None:
    made = call(fleets())
    assert faults_of(made.scenario) == ()
    assert read_scenario(made.scenario).rule_set == "plain"


@pytest.mark.clause("G.BT6")
def test_it_takes_hour_place_wind_and_gauge_from_the_chart() -> None:
    made = call(fleets())
    assert made.hour == 4 and made.place == "a"
    scenario = made.scenario
    assert (scenario["code"], scenario["start"], scenario["place"]) == (
        "trial/1/b01",
        "1666-06-01T10:00",
        "A",
    )
    assert scenario["wind"] == {"towards": 135, "strength": "moderate"}
    assert scenario["gauge"] == "ENG"
    assert call(fleets(), bearing=0).scenario["gauge"] == "NLD"


@pytest.mark.clause("G.BT6")
def test_squadrons_are_in_the_order_of_sailing_with_prizes_last() -> None:
    england, holland = call(fleets()).scenario["sides"]
    assert (england["id"], holland["id"]) == ("ENG", "NLD")
    rows = [
        (s["name"], s["flagship"], s.get("flag_officer"), [x["id"] for x in s["ships"]])
        for s in england["squadrons"]
    ]
    assert rows == [
        ("White", "e2", "Admiral of the White", ["e2", "e1"]),
        ("Red", "e3", "Lord High Admiral", ["e3"]),
        ("Prizes", "e4", None, ["e4"]),
    ]
    assert england["squadrons"][2]["id"] == "e-prizes"


@pytest.mark.clause("G.BT6")
def test_ships_enter_the_battle_in_their_present_condition() -> None:
    england, _ = call(fleets()).scenario["sides"]
    hurt = england["squadrons"][0]["ships"][0]
    assert (hurt["condition"], hurt["men"], hurt["complement"]) == ({"lost": 3}, 250, 300)
    assert hurt["captain"] == "Captain of e2"
    assert england["squadrons"][2]["ships"][0]["prize"] is True


@pytest.mark.clause("G.BT6")
def test_a_squadron_that_has_lost_its_flagship_follows_its_first_ship() -> None:
    made = fleets()
    ships = {**made.ships, "e2": replace(made.ships["e2"], squadron="e-red")}
    white = call(replace(made, ships=ships)).scenario["sides"][0]["squadrons"][0]
    assert white["flagship"] == "e1" and "flag_officer" not in white


@pytest.mark.clause("G.SI1", "G.BT6")
def test_a_fleet_that_has_not_seen_the_other_is_surprised_and_the_other_has_the_gauge() -> None:
    blind = call(fleets(), bearing=0, seen=False).scenario
    assert blind["surprised"] == ["NLD"] and blind["gauge"] == "ENG"
    assert call(fleets(), bearing=0).scenario["surprised"] == []


@pytest.mark.clause("G.CO6", "G.CO4")
@pytest.mark.parametrize(("hour", "turns"), [(0, 28), (4, 20), (13, 2)])
def test_a_battle_may_use_the_time_left_before_nightfall(hour: int, turns: int) -> None:
    # Sunset is at 19:00, so night falls at 20:00: fourteen hours after 06:00 at two turns an hour.
    assert call(fleets(), hour=hour).scenario["turn_limit"] == turns


@pytest.mark.clause("G.CO6")
def test_a_battle_lasts_no_longer_than_the_rule_sets_own_limit() -> None:
    long = replace(fleets(), theatre=replace(fleets().theatre, daylight=((0, 22),) * 12))
    assert replace(long.settings, nightfall=23).nightfall == 23
    late = replace(long, settings=replace(long.settings, nightfall=23))
    assert call(late, hour=0).scenario["turn_limit"] == 30


@pytest.mark.clause("G.CO4")
def test_a_side_at_anchor_can_be_fought_into_the_night() -> None:
    made = b.facts(
        [b.fleet("e", "ENG", "b", to="n", run=59_500), b.fleet("d", "NLD", "n")], weather=b.weather()
    )
    state: TurnState = turn.begin(made, {}, b.dice(made))
    state.hour = 12
    chart = Chart(made, state, b.dice(made))
    e, d = state.fleets["e"], state.fleets["d"]
    assert turn_limit(chart, [[e], [d]]) == 30
    assert turn_limit(chart, [[e], [replace(d, under_way=True)]]) == 4


@pytest.mark.clause("G.BT6")
def test_each_squadron_fights_under_its_fleets_instructions() -> None:
    made = fleets()
    doctrine = replace(made.fleets["e"].order.instructions.doctrine, fight_at="close", break_off=30)
    instructions = replace(made.fleets["e"].order.instructions, doctrine=doctrine)
    order = replace(made.fleets["e"].order, instructions=instructions)
    told = replace(made, fleets={**made.fleets, "e": replace(made.fleets["e"], order=order)})
    england, holland = call(told).scenario["sides"]
    assert england["doctrine"]["fight_at"] == "close"
    assert {s["doctrine"]["break_off"] for s in england["squadrons"]} == {30}
    assert england["doctrine"]["stance"] == "seek" and holland["doctrine"]["stance"] == "hold"
