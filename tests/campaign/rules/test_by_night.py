"""Torpedo attacks by night: on ships in a port and on fleets at sea, once, and by torpedo craft alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from battles.engine import registry
from battles.engine.core.dice import KeyedDice
from battles.engine.core.scenario import ShipFacts, Stance, read_scenario
from campaign.rules.battle.by_night import torpedo_step
from campaign.rules.chart.types import (
    BattleCall,
    FleetFacts,
    FleetOrder,
    OnArrival,
    Position,
    ShipSheet,
    TurnFacts,
)
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.state import Touch
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules.shores import chart, knows, told

OFF = Position("c", "theirs", 59_000)
BOAT = {"hull": 4, "value": 2, "torpedoes": True}
AFTERNOON, NIGHT = 9, 15


@pytest.fixture(autouse=True)
def by_night(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The torpedo craft of the plain rule set strike by night."""
    monkeypatch.setattr(type(b.PLAIN.at_sea), "strikes_by_night", True)
    yield


def flotilla(position: Position = OFF, *route: str, code: str = "e") -> FleetFacts:
    order = FleetOrder(code, route, Stance.AVOID, OnArrival.TORPEDO)
    return replace(b.fleet(code, "ENG", "c", order=order), position=position)


def boat(code: str = "e1", fleet: str = "e", **card: Any) -> ShipSheet:
    return b.ship(code, "ENG", fleet, card={**BOAT, **card})


def off_port(*dutch: str, ships: list[ShipSheet] | None = None, hour: int = NIGHT, **over: Any) -> Chart:
    fleets = [flotilla(OFF, "theirs"), *(b.fleet(code, "NLD", "theirs") for code in dutch)]
    rows = [*(ships or [boat()]), *(b.ship(f"{code}1", "NLD", code) for code in dutch)]
    return chart(b.facts(fleets, rows, **{"weather": b.weather(wind=0), **over}), hour=hour)


def at_sea(approach: int = 1_000, *, hour: int = NIGHT, seen: bool = True, **quarry: Any) -> Chart:
    """A flotilla a mile from a Dutch fleet on the passage from B to C; at full speed it makes six knots."""
    fleets = [flotilla(Position("b", "c", 10_000)), b.fleet("d", "NLD", "b", to="c", run=11_000)]
    facts = b.facts(fleets, [boat(), b.ship("d1", "NLD", "d")], weather=b.weather(wind=0))
    made = chart(facts, hour=hour)
    made.state.touches["e", "d"] = Touch("e", "d", seen=seen, number=1, approach=approach)
    made.state.fleets["d"] = replace(made.state.fleets["d"], **quarry)
    return made


@pytest.mark.clause("G.NT1", "P.K38")
@pytest.mark.parametrize(("hour", "attacks"), [(AFTERNOON, 0), (NIGHT, 1)])
def test_a_flotilla_goes_in_by_night_on_ships_at_anchor(hour: int, attacks: int) -> None:
    played = off_port("d", hour=hour)
    b.step(torpedo_step, played)
    assert len(played.state.calls) == attacks
    if attacks:
        (call,) = played.state.calls
        assert call.scenario["options"]["at_anchor"] == "NLD"
        assert call.scenario["turn_limit"] == b.PLAIN.turn_limit
        (own,) = (row for row in call.scenario["sides"] if row["id"] == "ENG")
        assert (own["doctrine"]["stance"], own["doctrine"]["fire_ships"]) == ("seek", True)
        assert knows(played, "port_assailed") == [("NLD",)]


@pytest.mark.clause("G.NT1", "P.K38")
def test_ships_in_port_are_surprised_until_they_know_of_a_battle() -> None:
    by_then = {"ENG": ("d1",)}, {"NLD": ("e1",)}
    for hour, off, met, surprised in (
        (NIGHT, 0, {}, ["NLD"]), (NIGHT, 0, by_then[1], ["NLD"]), (NIGHT, 9, by_then[1], []), (20, 0, by_then[1], ["NLD"]),
        (24 + NIGHT, 0, {}, ["NLD"]), (24 + NIGHT, 0, by_then[0], ["NLD"]), (24 + NIGHT, 0, by_then[1], []),
    ):  # fmt: skip
        played = off_port("d", hour=hour)
        played.state.met = met
        played.state.fleets["d"] = replace(played.state.fleets["d"], off_until=off)
        # they have the flotilla in sight, which does not wake them
        played.state.touches["d", "e"] = Touch("d", "e", seen=True, number=1, approach=1_000)
        b.step(torpedo_step, played)
        assert played.state.calls[0].scenario["surprised"] == surprised
        (begun,) = (event for event in played.state.events if event.kind == "battle")
        assert begun.data["surprised"] == surprised


@pytest.mark.clause("G.NT1")
def test_it_attacks_once_and_goes_back_the_way_it_came() -> None:
    played = off_port("d")
    b.step(torpedo_step, played)
    order = played.state.fleets["e"].order
    assert (order.on_arrival, order.route[:1], order.stance) == (OnArrival.ANCHOR, ("c",), Stance.AVOID)
    played.state.hour += 2
    b.step(torpedo_step, played)
    assert len(played.state.calls) == 1


@pytest.mark.clause("G.NT1")
def test_with_no_ship_in_the_port_it_goes_back_without_a_battle() -> None:
    played = off_port()
    b.step(torpedo_step, played)
    assert not played.state.calls and not told(played, "port_attacked")
    assert played.state.fleets["e"].order.on_arrival is OnArrival.ANCHOR


@pytest.mark.clause("G.NT1")
@pytest.mark.parametrize("wrong", ["gale", "cruiser", "set"])
def test_no_attack_in_a_gale_with_other_ships_or_under_other_rules(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wrong == "set":
        monkeypatch.setattr(type(b.PLAIN.at_sea), "strikes_by_night", False)
    ships = [boat(), b.ship("e2", "ENG", "e")] if wrong == "cruiser" else None
    strength = "gale" if wrong == "gale" else "moderate"
    played = off_port("d", ships=ships, weather=b.weather(strength=strength))
    b.step(torpedo_step, played)
    assert not played.state.calls


@pytest.mark.clause("G.NT1", "G.CO4")
@pytest.mark.parametrize(
    ("how", "attacks"),
    [
        ({}, 1), ({"hour": AFTERNOON}, 0), ({"approach": 6_001}, 0), ({"seen": False}, 0),
        ({"free_until": NIGHT + 1, "free_from": ("e",)}, 0), ({"free_until": NIGHT, "free_from": ("e",)}, 1),
        ({"position": Position("theirs")}, 0),
    ],
)  # fmt: skip
def test_at_sea_it_attacks_whom_it_has_in_sight_and_can_reach(how: Any, attacks: int) -> None:
    played = at_sea(**how)
    b.step(torpedo_step, played)
    assert len(played.state.calls) == attacks
    assert ("battle" in [event.kind for event in played.state.events]) is bool(attacks)


@pytest.mark.clause("G.NT1")
def test_a_truce_holds_by_night_too() -> None:
    played = at_sea()
    played.state.truces["d", "e"] = 24
    b.step(torpedo_step, played)
    assert not played.state.calls


@pytest.mark.clause("G.NT1")
@pytest.mark.parametrize(("torpedoes", "fault"), [(True, []), (False, ["order/no-torpedo-craft"])])
def test_only_torpedo_craft_take_the_order(torpedoes: bool, fault: list[str]) -> None:
    facts = b.facts([flotilla(Position("c"))], [boat(torpedoes=torpedoes)])
    order = FleetOrder("e", ("theirs",), Stance.SEEK, OnArrival.TORPEDO)
    assert [row.code for row in order_faults(facts, order, "ENG")] == fault


def destroyers(rules: Any) -> TurnFacts:
    def ship(code: str, side: str, fleet: str, kind: str) -> ShipSheet:
        nation = {"ENG": "England", "NLD": "Dutch Republic"}[side]
        facts: dict[str, Any] = {"nation": nation, "built_by": nation, "ship_type": kind, "year_built": 1900}
        card = rules.card(ShipFacts(**facts))
        return b.ship(code, side, fleet, card=card, condition=rules.at_sea.sound(card), facts=facts)

    fleets = [flotilla(OFF, "theirs"), b.fleet("d", "NLD", "theirs")]
    ships = [ship(f"e{n}", "ENG", "e", "destroyer") for n in range(6)]
    ships += [ship(f"d{n}", "NLD", "d", "battleship") for n in range(3)]
    return b.facts(fleets, ships, rule_set="barker", start_date="1904-02-08", weather=b.weather(wind=0))


@pytest.mark.clause("G.NT1", "P.K15", "P.K38")
def test_an_attack_by_night_that_the_computer_fights_is_fought_in_the_dark() -> None:
    rules = registry.rule_set("barker")
    fought: list[BattleCall] = []

    def fight(call: BattleCall) -> dict[str, Any]:
        fought.append(call)
        scenario = read_scenario(call.scenario)
        assert rules.scenario_faults(scenario) == ()
        return rules.outcome(rules.play(scenario, KeyedDice(b"a night", prefix=scenario.code))).to_dict()

    state, _ = b.play(destroyers(rules), fought=fight, reload=True)
    assert [call.hour for call in fought] == [14]
    hurt = [
        code
        for code, ship in state.ships.items()
        if ship.condition.get("damage") or ship.condition.get("crippled") or ship.fate.lost
    ]
    assert hurt and state.fleets["e"].order.on_arrival is OnArrival.ANCHOR
