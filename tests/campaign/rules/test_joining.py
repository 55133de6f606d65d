"""Fleets that join, ships that are left behind, who comes to the sound of guns, and turns that end early."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance, read_scenario
from campaign.rules.battle.scenario import battle_step
from campaign.rules.chart.types import (
    BattleCall,
    DayDone,
    FleetFacts,
    FleetOrder,
    Instructions,
    OnArrival,
    Position,
    Settings,
    SideFacts,
    TurnDone,
    TurnFacts,
)
from campaign.rules.contact.contact import contact_step
from campaign.rules.contact.night import night_step
from campaign.rules.state.state import Contact, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import joining, turn
from tests.campaign.rules import builders as b

SEEK, AVOID = Stance.SEEK, Stance.AVOID


def at_six(made: TurnFacts, hour: int = 24) -> Chart:
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    chart = Chart(made, state, ScriptedDice(()))
    joining.company_step(chart)
    return chart


def joiner(code: str, at: str, *route: str) -> FleetFacts:
    return b.fleet(code, "ENG", at, order=FleetOrder(code, route, on_arrival=OnArrival.JOIN))


@pytest.mark.clause("G.MV4")
def test_a_fleet_ordered_to_join_merges_with_the_greatest_fleet_in_company_at_six() -> None:
    fleets = [joiner("e", "a"), b.fleet("f", "ENG", "a"), b.fleet("g", "ENG", "a"), b.fleet("h", "ENG", "b")]
    ships = [b.ship(f"{f.code}1", "ENG", f.code) for f in fleets] + [b.ship("f2", "ENG", "f")]
    made = b.facts(fleets, ships)
    assert [f.code for f in at_six(made, 23).fleets()] == ["e", "f", "g", "h"]
    chart = at_six(made)
    assert [f.code for f in chart.fleets()] == ["f", "g", "h"]
    assert [ship.code for ship in chart.ships_of("f")] == ["e1", "f1", "f2"]


@pytest.mark.clause("G.MV4")
def test_a_fleet_still_on_its_way_or_alone_joins_no_one() -> None:
    made = b.facts([joiner("e", "a", "b"), b.fleet("f", "ENG", "a"), joiner("g", "b"), joiner("h", "b")])
    assert [f.code for f in at_six(made).fleets()] == ["e", "f", "g", "h"]


@pytest.mark.clause("G.MV4")
def test_a_fleet_in_contact_joins_no_one() -> None:
    made = b.facts([joiner("e", "a"), b.fleet("f", "ENG", "a"), b.fleet("d", "NLD", "b")])
    state = turn.begin(made, {}, b.dice(made))
    state.hour = 24
    state.contacts["d", "f"] = Contact("d", "f", 9_000, 270, since=20)
    chart = Chart(made, state, ScriptedDice(()))
    joining.company_step(chart)
    assert len(chart.fleets()) == 3


def test_a_fleet_ordered_to_join_comes_to_the_end_of_its_route_and_stays() -> None:
    made = b.facts([joiner("e", "a", "b")], weather=b.weather(0))
    state, _ = b.play(made)
    assert state.fleets["e"].position == Position("b")
    assert state.fleets["e"].order.on_arrival is OnArrival.JOIN


def crippled(disabled: str, *, stance: Stance = Stance.HOLD, ships: int = 2) -> TurnFacts:
    """Ships of a fleet at a; the first can do nothing, and is too great for any of the others to tow."""
    rows = [b.ship(f"e{n}", "ENG", "e", squadron="one", order=n) for n in range(ships)]
    rows[0] = replace(rows[0], card={"hull": 20, "value": 400}, condition={"lost": 20})
    instructions = Instructions(disabled=disabled, at_nightfall="part")
    order = FleetOrder("e", ("b",), stance, instructions=instructions)
    fleets = [b.fleet("e", "ENG", "a", order=order), b.fleet("d", "NLD", "b", stance=SEEK)]
    return b.facts(fleets, [*rows, b.ship("d1", "NLD", "d")], weather=b.weather(0))


@pytest.mark.clause("G.MV1", "G.MV5")
def test_ships_that_no_one_can_tow_are_left_behind_at_six_if_the_admiral_orders_it() -> None:
    assert len(at_six(crippled("wait")).fleets()) == 2
    chart = at_six(crippled("leave"))
    left = chart.state.fleets["ENG-p1-1"]
    assert [ship.code for ship in chart.ships_of(left.code)] == ["e0"]
    assert (left.name, left.rejoins, left.position, left.order.route) == ("Ship e0", "e", Position("a"), ())
    assert [event.kind for event in chart.state.events] == ["left_behind"]
    assert chart.state.events[0].knows == ("ENG",)
    assert len(at_six(crippled("leave", ships=1)).fleets()) == 2


def test_a_ship_that_a_friend_can_tow_is_not_left() -> None:
    made = crippled("leave")
    ships = {**made.ships, "e0": replace(made.ships["e0"], card=b.CARD)}
    assert len(at_six(replace(made, ships=ships)).fleets()) == 2


@pytest.mark.clause("G.CO3", "G.MV1", "T.C8")
def test_crippled_ships_left_behind_in_a_night_escape_are_met_at_dawn() -> None:
    made = crippled("wait", stance=AVOID)
    state = turn.begin(made, {}, b.dice(made))
    state.hour = 16
    for a, c in (("e", "d"), ("d", "e")):
        state.touches[a, c] = Touch(a, c, True, 1, 3_000, 15, "1", ("line",))
    order = replace(made.fleets["d"].order, instructions=Instructions(greatest_odds="9"))
    state.fleets["d"] = replace(state.fleets["d"], order=order)
    state.contacts["d", "e"] = Contact("d", "e", 3_000, 270, since=10)
    chart = Chart(made, state, ScriptedDice((6,)))
    b.step(night_step, chart)
    assert [ship.code for ship in chart.ships_of("e")] == ["e1"]
    assert list(state.contacts) == [("d", "ENG-p1-1")]
    assert state.fleets["e"].free_until == 28
    state.hour = 24
    chart.alter(state.fleets["e"], position=Position("a", "b", 40_000))
    b.step(contact_step, chart)
    b.step(battle_step, chart)
    assert state.calls[0].fleets == {"ENG": ("ENG-p1-1",), "NLD": ("d",)}


def guns(
    *more: FleetFacts, settings: Settings | None = None, hour: int = 4, **over: Any
) -> tuple[BattleCall, TurnState]:
    """A battle at a between an English and a Dutch fleet, with others near."""
    rows = [b.fleet("e", "ENG", "a", stance=SEEK), b.fleet("d", "NLD", "a"), *more]
    made = b.facts(rows, weather=b.weather(0), settings=settings or Settings(), **over)
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    state.touches["e", "d"] = Touch("e", "d", True, 1, 500, 0, "1", ("line",))
    chart = Chart(made, state, ScriptedDice(()))
    b.step(contact_step, chart)
    b.step(battle_step, chart)
    return state.calls[0], state


def near(code: str, side: str = "ENG", miles: int = 10, **instructions: Any) -> FleetFacts:
    stance = instructions.pop("stance", Stance.HOLD)
    order = FleetOrder(code, stance=stance, instructions=Instructions(**instructions))
    return b.fleet(code, side, "a", to="b", run=miles * 1000, order=order)


@pytest.mark.clause("G.CO7", "G.BT6")
def test_a_fleet_that_hears_the_guns_arrives_with_its_turn_and_edge() -> None:
    call, state = guns(near("f"), near("g", "NLD", 9))
    assert call.fleets == {"ENG": ("e", "f"), "NLD": ("d", "g")}
    squadrons = {s["id"]: s for side in call.scenario["sides"] for s in side["squadrons"]}
    # Ten miles at four and a half knots are 134 minutes: five turns of half an hour.
    assert (squadrons["f-1"]["arrives"], squadrons["f-1"]["edge"]) == (5, 90)
    assert squadrons["g-1"]["arrives"] == 4
    assert "arrives" not in squadrons["e-1"]
    assert not state.fleets["f"].off_until <= state.hour
    scenario = read_scenario({**call.scenario, "rule_set": "kohler"})
    assert [s.arrives for side in scenario.sides for s in side.squadrons] == [0, 5, 0, 4]


@pytest.mark.clause("G.CO7")
@pytest.mark.parametrize(
    "deaf",
    [near("f", miles=16), near("f", at_sound_of_guns="stay"), near("f", stance=AVOID)],
    ids=["too far", "told to stay", "avoids"],
)
def test_a_fleet_that_is_far_away_or_ordered_to_stay_or_avoid_does_not_come(deaf: FleetFacts) -> None:
    assert guns(deaf)[0].fleets["ENG"] == ("e",)


@pytest.mark.clause("G.CO7")
def test_a_fleet_that_cannot_arrive_in_time_does_not_come_and_hearing_range_is_a_setting() -> None:
    assert guns(near("f"), hour=12)[0].fleets["ENG"] == ("e",)
    assert guns(near("f"), settings=Settings(guns_heard=9))[0].fleets["ENG"] == ("e",)


@pytest.mark.clause("G.CO7")
def test_a_third_hostile_side_waits_while_allies_come_to_the_guns() -> None:
    sides = {
        "ENG": SideFacts("ENG", "England", ("England",)),
        "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
        "FRA": SideFacts("FRA", "France", ("France",)),
    }
    wars = frozenset(frozenset(pair) for pair in (("ENG", "NLD"), ("FRA", "NLD"), ("FRA", "ENG")))
    third, _ = guns(near("x", "FRA", 2), sides=sides, at_war=wars)
    assert third.fleets == {"ENG": ("e",), "NLD": ("d",)}
    allied = frozenset({frozenset({"FRA", "NLD"})})
    friend, _ = guns(near("x", "FRA"), sides=sides, at_war=wars - allied, allied=allied)
    assert friend.fleets == {"ENG": ("e",), "FRA": ("x",), "NLD": ("d",)}


def war(end_turn_on: str, odds: str = "9") -> TurnFacts:
    rows = [
        b.fleet(
            "e", "ENG", "a", order=FleetOrder("e", stance=SEEK, instructions=Instructions(greatest_odds=odds))
        ),
        b.fleet("d", "NLD", "a", to="b", run=3_000),
    ]
    return b.facts(rows, days=4, weather=b.weather(), settings=b.settings(end_turn_on=end_turn_on))


@pytest.mark.clause("G.CL3")
def test_a_turn_ends_at_the_next_six_after_a_listed_event() -> None:
    assert Settings().end_turn_on == "battle"
    state, stops = b.play(war("battle"))
    assert (stops[-1], state.hour, state.early) == (TurnDone("battle"), 24, "battle")
    state, stops = b.play(war("battle", odds="0.1"))
    assert stops == [DayDone(0), DayDone(1), DayDone(2), TurnDone()]
    assert b.play(war("none"))[0].hour == 96


@pytest.mark.clause("G.CL3")
def test_the_first_sighting_of_an_equally_strong_fleet_ends_a_turn_too() -> None:
    assert b.play(war("first_sighting", odds="0.1"))[1][-1] == TurnDone("first_sighting")
    weak = war("first_sighting", odds="0.1")
    ships = [*weak.ships.values(), b.ship("e2", "ENG", "e"), b.ship("d2", "NLD", "d")]
    again = replace(weak, ships={s.code: s for s in ships if s.side == "ENG"} | {"d1": weak.ships["d1"]})
    state, stops = b.play(again)
    seen = {event.data["fleet"]: event.data["equal"] for event in state.events if event.kind == "sighted"}
    assert seen["e"] is False
    assert stops[-1] == TurnDone("first_sighting" if seen.get("d") else "")
