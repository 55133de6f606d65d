"""The chart under a real rule set: Kohler's cards and conditions sail, fight and come back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine import registry
from battles.engine.core.dice import KeyedDice
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import ShipFacts, Stance, faults_of, read_scenario
from campaign.rules import turn
from campaign.rules.knowledge import knowledge_of
from campaign.rules.state import TurnState, state_hash
from campaign.rules.types import (
    BattleCall,
    Battles,
    FleetOrder,
    OnArrival,
    Position,
    ShipSheet,
    TurnDone,
    TurnFacts,
)
from tests.campaign.rules import builders as b

KOHLER = registry.rule_set("kohler")


def ship(code: str, side: str, fleet: str, guns: int, **over: object) -> ShipSheet:
    facts = {
        "nation": "England" if side == "ENG" else "Dutch Republic",
        "ship_type": "ship_of_line", "guns": guns, "year_built": 1655,
    }  # fmt: skip
    card = KOHLER.card(ShipFacts(built_by=str(facts["nation"]), **facts))  # type: ignore[arg-type]
    made = b.ship(code, side, fleet, card=card, condition=KOHLER.at_sea.sound(card), facts=facts)
    return replace(made, **over)  # type: ignore[arg-type]


def meeting() -> TurnFacts:
    """Ten English against twelve Dutch within gunshot on the first morning."""
    rows = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK),
        b.fleet("d", "NLD", "a", to="b", run=900, stance=Stance.SEEK),
    ]
    ships = [ship(f"e{n:02d}", "ENG", "e", 50 + 4 * n) for n in range(10)]
    ships += [ship(f"d{n:02d}", "NLD", "d", 40 + 3 * n) for n in range(12)]
    return b.facts(rows, ships, rule_set="kohler", weather=b.weather(wind=315), days=2)


def fight(call: BattleCall) -> dict[str, object]:
    assert faults_of(call.scenario) == ()
    scenario = read_scenario(call.scenario)
    assert KOHLER.scenario_faults(scenario) == ()
    dice = KeyedDice(b"battle" + call.code.encode(), prefix=scenario.code)
    return KOHLER.outcome(KOHLER.play(scenario, dice)).to_dict()


@pytest.mark.clause("G.BT2", "G.BT3", "G.BT6")
def test_a_battle_of_the_chart_is_fought_by_the_engine_and_written_back() -> None:
    made = meeting()
    state, stops = b.play(made, fought=fight)
    battles = [stop for stop in stops if isinstance(stop, Battles)]
    assert battles and isinstance(stops[-1], TurnDone)
    assert set(state.ships) == set(made.ships)
    changed = [code for code, now in state.ships.items() if now.condition != made.ships[code].condition]
    assert len(changed) > 5
    for code, now in state.ships.items():
        if now.fate is Fate.AFLOAT:
            assert 0 <= now.men <= made.ships[code].men
            assert state.fleets[now.fleet].side == now.side
    assert any(event.kind == "battle_ended" for event in state.events)


@pytest.mark.clause("G.FA1", "G.CL2")
def test_the_turn_comes_out_the_same_stored_at_every_stop() -> None:
    made = meeting()
    whole = b.play(made, fought=fight)[0]
    assert state_hash(b.play(made, fought=fight, reload=True)[0]) == state_hash(whole)


@pytest.mark.clause("G.CO6")
def test_the_battle_has_the_turns_that_are_left_to_nightfall() -> None:
    made = meeting()
    state = turn.begin(made, {}, b.dice(made))
    state, stop = turn.advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    call = stop.calls[0]
    assert call.scenario["turn_limit"] == min(KOHLER.turn_limit, (14 - call.hour) * 2)


def test_a_side_knows_the_hurts_of_its_own_ships() -> None:
    made = meeting()
    state: TurnState = b.play(made, fought=fight)[0]
    known = knowledge_of(made, state, "NLD")
    assert any(own.hull_lost > 0 for own in known.ships.values())
    assert {own.fleet for own in known.ships.values()} == set(known.fleets)
    assert all(fleet.value > 0 for fleet in known.fleets.values())


@pytest.mark.clause("G.PT1", "G.BT6")
def test_ships_attacked_in_port_fight_at_anchor_by_the_engine() -> None:
    order = FleetOrder("e", ("theirs",), Stance.SEEK, OnArrival.ATTACK)
    attacker = replace(b.fleet("e", "ENG", "c", order=order), position=Position("c", "theirs", 59_044))
    ships = [ship(f"e{n}", "ENG", "e", 60) for n in range(4)] + [
        ship(f"d{n}", "NLD", "d", 50) for n in range(3)
    ]
    made = b.facts(
        [attacker, b.fleet("d", "NLD", "theirs")], ships, rule_set="kohler", weather=b.weather(wind=315)
    )
    state, stops = b.play(made, fought=fight, reload=True)
    assert sum(isinstance(stop, Battles) for stop in stops) == 1
    assert sum(e.kind == "battle_ended" for e in state.events) == 1
    assert all(
        now.fate is not Fate.AFLOAT or state.fleets[now.fleet].side == now.side
        for now in state.ships.values()
    )
