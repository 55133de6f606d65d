"""The chart under every real rule set: its cards and conditions sail, fight and come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest

from battles.engine import registry
from battles.engine.core.dice import KeyedDice
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Doctrine, ShipFacts, Stance, faults_of, read_scenario
from campaign.rules.chart.types import (
    BattleCall,
    Battles,
    FleetOrder,
    Instructions,
    OnArrival,
    Position,
    ShipSheet,
    TurnDone,
    TurnFacts,
)
from campaign.rules.state.state import TurnState, state_hash
from campaign.rules.turn import turn
from campaign.rules.turn.knowledge import knowledge_of
from tests.campaign.rules import builders as b
from tests.support.sets import facts_of

pytestmark = pytest.mark.parametrize(
    "rules", [registry.rule_set(name) for name in registry.names()], ids=registry.names()
)
Rules = RuleSet[Any]
Fight = Callable[[BattleCall], dict[str, object]]


def ship(rules: Rules, code: str, side: str, fleet: str, guns: int, **over: object) -> ShipSheet:
    nation = "England" if side == "ENG" else "Dutch Republic"
    kind = {"ship_type": "ship_of_line", "year_built": 1655}
    if rules.at_sea.steam(rules.card(ShipFacts(**{"built_by": "", **facts_of(rules.name)}))):
        kind = {"ship_type": "battleship", "year_built": 1895}
    facts = {"nation": nation, "guns": guns, **kind}
    card = rules.card(ShipFacts(built_by=nation, **facts))  # type: ignore[arg-type]
    made = b.ship(code, side, fleet, card=card, condition=rules.at_sea.sound(card), facts=facts)
    return replace(made, **over)  # type: ignore[arg-type]


def meeting(rules: Rules) -> TurnFacts:
    """Ten English against twelve Dutch within gunshot on the first morning."""
    rows = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK),
        b.fleet("d", "NLD", "a", to="b", run=900, stance=Stance.SEEK),
    ]
    ships = [ship(rules, f"e{n:02d}", "ENG", "e", 50 + 4 * n) for n in range(10)]
    ships += [ship(rules, f"d{n:02d}", "NLD", "d", 40 + 3 * n) for n in range(12)]
    return dated(rules, b.facts(rows, ships, rule_set=rules.name, weather=b.weather(wind=315), days=2))


def dated(rules: Rules, made: TurnFacts) -> TurnFacts:
    """The same in a year of the set's own, where it is one of the few that ask for it."""
    return replace(made, start_date={"barker": "1904-06-01"}.get(rules.name, made.start_date))


def fights(rules: Rules, fought: list[Outcome] | None = None) -> Fight:
    """Fights a call under the rule set; keeps the outcomes in `fought`."""

    def fight(call: BattleCall) -> dict[str, object]:
        assert faults_of(call.scenario) == ()
        scenario = read_scenario(call.scenario)
        assert rules.scenario_faults(scenario) == ()
        dice = KeyedDice(b"battle" + call.code.encode(), prefix=scenario.code)
        outcome = rules.outcome(rules.play(scenario, dice))
        if fought is not None:
            fought.append(outcome)
        return outcome.to_dict()

    return fight


class Morning(NamedTuple):
    """The meeting, played to the end of its turn without a break. outcomes: of its battles."""

    made: TurnFacts
    state: TurnState
    stops: list[Any]
    outcomes: list[Outcome]


@cache
def _morning(name: str) -> Morning:
    rules: Rules = registry.rule_set(name)
    made, outcomes = meeting(rules), list[Outcome]()
    state, stops = b.play(made, fought=fights(rules, outcomes))
    return Morning(made, state, stops, outcomes)


def morning(rules: Rules) -> Morning:
    """Played once a rule set, for all the tests that only read it."""
    return _morning(rules.name)


@pytest.mark.clause("G.BT2", "G.BT3", "G.BT6", "G.PR1")
def test_a_battle_on_the_chart_is_fought_by_computer_and_its_result_applied(rules: Rules) -> None:
    made, state, stops, outcomes = morning(rules)
    battles = [stop for stop in stops if isinstance(stop, Battles)]
    assert battles and isinstance(stops[-1], TurnDone)
    assert set(state.ships) == set(made.ships)
    changed = [code for code, now in state.ships.items() if now.condition != made.ships[code].condition]
    assert len(changed) > 5
    saved: Counter[str] = Counter()
    for event in state.events:
        if event.kind == "taken_up":
            saved.update(dict(event.data["by"]))
    # in a ship that was retaken her own people and those who retook her are together
    retaken = {event.data["ship"] for event in state.events if event.kind == "retaken"}
    for code, now in state.ships.items():
        if now.fate is Fate.AFLOAT:
            assert now.men >= 0
            assert code in retaken or now.men <= made.ships[code].men + saved[code]
            assert state.fleets[now.fleet].side == now.side
    assert any(event.kind == "battle_ended" for event in state.events)
    for entry in outcomes[-1].ships:
        if entry.fate is Fate.CAPTURED and state.ships[entry.ship].prize:
            assert state.ships[entry.ship].men <= entry.prize_crew


@pytest.mark.clause("G.FA1", "G.CL2")
def test_a_turn_ends_the_same_when_it_is_saved_at_every_stop(rules: Rules) -> None:
    saved = b.play(meeting(rules), fought=fights(rules), reload=True)[0]
    assert state_hash(saved) == state_hash(morning(rules).state)


@pytest.mark.clause("G.CO6", "T.C3")
def test_the_battle_has_the_turns_left_before_nightfall(rules: Rules) -> None:
    made = meeting(rules)
    state = turn.begin(made, {}, b.dice(made))
    state, stop = turn.advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    call = stop.calls[0]
    left = rules.turn_limit if rules.by_night({}) else (14 - call.hour) * 60 // rules.minutes_a_turn({})
    assert call.scenario["turn_limit"] == min(rules.turn_limit, left)


@pytest.mark.clause("G.CO6", "T.S14")
def test_shorter_turns_leave_more_of_them_before_nightfall(rules: Rules) -> None:
    switches = {"thomas": {"hours_per_move": 0.5}}.get(rules.name, {})
    made = replace(meeting(rules), options={"battle": switches})
    state = turn.begin(made, {}, b.dice(made))
    _, stop = turn.advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    # half an hour in Kohler's set, and here in Thomas's; six minutes in Age of Sail, five in Cordery's
    minutes = (14 - stop.calls[0].hour) * 60
    left = rules.turn_limit if rules.by_night(switches) else minutes // rules.minutes_a_turn(switches)
    assert stop.calls[0].scenario["turn_limit"] == min(rules.turn_limit, left)


def test_a_side_knows_the_damage_to_its_own_ships(rules: Rules) -> None:
    made, state, *_ = morning(rules)
    sides = [knowledge_of(made, state, side) for side in ("ENG", "NLD")]
    assert any(own.hull_lost > 0 for known in sides for own in known.ships.values())
    for known in sides:
        assert {own.fleet for own in known.ships.values()} == set(known.fleets)
        assert all(fleet.value > 0 for fleet in known.fleets.values())


@pytest.mark.clause("G.PT1", "G.BT6")
def test_ships_attacked_in_port_fight_at_anchor_when_the_computer_fights(rules: Rules) -> None:
    told = Instructions(doctrine=Doctrine(break_off=100))  # whatever the guns of the port have done
    order = FleetOrder("e", ("theirs",), Stance.SEEK, OnArrival.ATTACK, told)
    attacker = replace(b.fleet("e", "ENG", "c", order=order), position=Position("c", "theirs", 59_044))
    ships = [ship(rules, f"e{n}", "ENG", "e", 60) for n in range(4)]
    ships += [ship(rules, f"d{n}", "NLD", "d", 50) for n in range(3)]
    fleets = [attacker, b.fleet("d", "NLD", "theirs")]
    made = dated(rules, b.facts(fleets, ships, rule_set=rules.name, weather=b.weather(wind=315)))
    state, stops = b.play(made, fought=fights(rules), reload=True)
    assert sum(isinstance(stop, Battles) for stop in stops) == 1
    assert sum(e.kind == "battle_ended" for e in state.events) == 1
    assert all(
        now.fate is not Fate.AFLOAT or state.fleets[now.fleet].side == now.side
        for now in state.ships.values()
    )
