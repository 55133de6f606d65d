"""Attacks on ports: the guard's fire, and the battle against ships at anchor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import Battles, FleetOrder, OnArrival, Position, ShipSheet, TurnFacts
from campaign.rules.orders.orders import order_faults
from tests.campaign.rules import builders as b

OFF = Position("c", "theirs", 60_044 - 1_000)


def made(
    *dutch: str,
    guard: int = 1,
    ships: list[ShipSheet] | None = None,
    position: Position = OFF,
    **weather: Any,
) -> TurnFacts:
    """An English fleet within gunshot of the Dutch port; fleets that lie in it."""
    doc = b.square_doc()
    next(node for node in doc["nodes"] if node["id"] == "theirs")["guard"] = guard
    order = FleetOrder("e", ("theirs",), Stance.SEEK, OnArrival.ATTACK)
    fleets = [b.fleet("e", "ENG", "c", order=order), *(b.fleet(code, "NLD", "theirs") for code in dutch)]
    fleets[0] = replace(fleets[0], position=position)
    return b.facts(fleets, ships, sea=read_theatre(doc), weather=b.weather(**{"wind": 0, **weather}))


def events(state: Any, kind: str) -> list[Any]:
    return [event for event in state.events if event.kind == kind]


@pytest.mark.clause("G.PT1")
def test_a_fleet_sails_up_to_the_port_and_attacks_at_the_first_daylight_hour() -> None:
    state, stops = b.play(made("d", position=Position("c")), reload=True)
    (lies,) = events(state, "lies_off")
    night = 24 - 6
    assert lies.hour < night
    (attacked,) = events(state, "port_attacked")
    assert attacked.hour == lies.hour + 1
    assert sum(isinstance(stop, Battles) for stop in stops) == 1


@pytest.mark.clause("G.PT1", "G.BT6", "G.CO4")
def test_the_ships_in_the_port_fight_at_anchor_for_as_long_as_the_set_allows() -> None:
    _, stops = b.play(made("d"))
    (call,) = next(stop for stop in stops if isinstance(stop, Battles)).calls
    assert call.scenario["options"]["at_anchor"] == "NLD"
    assert call.scenario["turn_limit"] == b.PLAIN.turn_limit
    assert call.fleets == {"ENG": ("e",), "NLD": ("d",)}


@pytest.mark.clause("G.PT1")
def test_every_attacker_first_takes_the_guard_times_a_die_of_hits_but_prizes_take_none() -> None:
    ships = [b.ship("e1", "ENG", "e"), b.ship("e2", "ENG", "e", prize=True), b.ship("d1", "NLD", "d")]
    state, _ = b.play(made("d", guard=2, ships=ships))
    (fired,) = events(state, "guard_fired")
    ((code, hits),) = fired.data["hits"]
    assert code == "e1" and hits in range(2, 13, 2)
    assert fired.knows == ("ENG",)
    assert state.ships["e1"].condition == {"lost": hits}
    assert state.ships["e2"].condition == state.ships["d1"].condition == {"lost": 0}


@pytest.mark.clause("G.PT1")
def test_the_guard_may_sink_a_weak_ship() -> None:
    weak = b.ship("e1", "ENG", "e", card={"hull": 4, "value": 8})
    state, stops = b.play(made("d", guard=4, ships=[weak, b.ship("d1", "NLD", "d")]))
    assert state.ships["e1"].fate.value == "sunk"
    assert state.fleets["e"].ended
    assert not any(isinstance(stop, Battles) for stop in stops)


@pytest.mark.clause("G.PT1")
def test_the_guard_sinks_every_ship_that_her_set_says_is_no_longer_afloat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(b.PLAIN.at_sea), "afloat", lambda self, card, condition: condition["lost"] == 0)
    state, _ = b.play(made("d", guard=1))
    assert state.ships["e1"].fate.value == "sunk"


@pytest.mark.clause("G.PT1")
def test_a_rule_set_with_its_own_batteries_fights_them_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(b.PLAIN.at_sea), "port_batteries", True)
    state, stops = b.play(made("d", guard=4))
    assert events(state, "guard_fired") == []
    assert any(isinstance(stop, Battles) for stop in stops)


@pytest.mark.clause("G.PT1", "G.BL1")
def test_an_attack_is_made_once_and_the_fleet_then_stays_outside_as_a_blockader() -> None:
    state, stops = b.play(made("d"), reload=True)
    assert len(events(state, "port_attacked")) == 1
    assert sum(isinstance(stop, Battles) for stop in stops) == 1
    fleet = state.fleets["e"]
    assert (fleet.order.on_arrival, fleet.order.target) == (OnArrival.BLOCKADE, "theirs")
    assert fleet.position.to == "theirs"


@pytest.mark.clause("G.PT1", "G.IN1")
def test_the_port_learns_who_attacks_but_not_which_fleet() -> None:
    state, stops = b.play(made())
    (told,) = events(state, "port_assailed")
    assert told.knows == ("NLD",)
    assert dict(told.data) == {"place": "theirs", "attacker": "ENG"}
    assert not any(isinstance(stop, Battles) for stop in stops)
    assert all("NLD" not in e.knows for e in events(state, "port_attacked") + events(state, "guard_fired"))


@pytest.mark.clause("G.PT1", "G.WX3")
def test_no_one_attacks_in_a_gale() -> None:
    state, _ = b.play(made("d", strength="gale", visibility="clear"), {})
    first = [e.hour for e in events(state, "port_attacked")]
    assert 0 not in first


@pytest.mark.clause("G.PT1", "G.PR3")
def test_prizes_in_an_undefended_port_are_taken_without_a_battle() -> None:
    ships = [b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d", prize=True)]
    state, stops = b.play(made("d", ships=ships))
    assert state.ships["d1"].side == "ENG"
    assert not any(isinstance(stop, Battles) for stop in stops)


@pytest.mark.clause("G.PT1")
def test_only_an_enemys_port_can_be_attacked() -> None:
    order = FleetOrder("e", ("c", "b"), on_arrival=OnArrival.ATTACK)
    assert [f.code for f in order_faults(made("d"), order, "ENG")] == ["order/no-enemy-port"]
