"""Battles that take weeks hold their fleets, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import Battles, FleetOrder, TurnDone, TurnFacts
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.state import TurnState
from campaign.rules.turn import turn
from campaign.rules.turn.snapshots import facts_from_dict, facts_to_dict
from campaign.rules.turn.turn import OutcomeError
from tests.campaign.rules import builders as b


def facts(**over: Any) -> TurnFacts:
    """A battle at daybreak at `a`; a third English fleet sails through, a Dutch one comes after her."""
    fleets = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK),
        b.fleet("d", "NLD", "a", to="b", run=900, stance=Stance.SEEK),
        b.fleet("passer", "ENG", "home", "a", "b"),
    ]
    return b.facts(fleets, weather=b.weather(), days=2, **over)


def to_battle(made: TurnFacts) -> TurnState:
    state, stop = turn.advance(made, turn.begin(made, {}, b.dice(made)), {}, b.dice(made))
    assert isinstance(stop, Battles)
    return state


def held_to_the_end(made: TurnFacts, state: TurnState) -> TurnState:
    while True:
        state, stop = turn.advance(made, state, {}, b.dice(made), ongoing=["b01"])
        if isinstance(stop, TurnDone):
            return state
        state = TurnState.from_dict(json.loads(json.dumps(state.to_dict())))


@pytest.mark.clause("G.BT4")
def test_a_held_battle_keeps_its_fleets_off_the_chart_while_others_sail_on() -> None:
    made = facts()
    after = held_to_the_end(made, to_battle(made))
    assert [after.fleets[code].held_by for code in ("e", "d", "passer")] == ["T1-b01", "T1-b01", ""]
    start = to_battle(made)
    assert after.fleets["e"].position == start.fleets["e"].position
    assert after.fleets["passer"].position.at == "b"
    kinds = {
        (event.kind, event.data.get("fleet")) for event in after.events if event.hour > start.calls[0].hour
    }
    assert not {code for kind, code in kinds if kind in ("sighted", "sailed", "arrived")} & {"e", "d"}
    (told,) = [event for event in after.events if event.kind == "battle_held"]
    assert (told.hour, told.knows, told.data["battle"]) == (start.calls[0].hour, ("ENG", "NLD"), "b01")


@pytest.mark.clause("G.BT4")
def test_the_battle_is_carried_from_turn_to_turn_without_its_scenario() -> None:
    made = facts()
    later = b.next_facts(made, held_to_the_end(made, to_battle(made)))
    later = replace(
        later,
        fleets={c: replace(f, held_by="T1-b01" if c != "passer" else "") for c, f in later.fleets.items()},
    )
    state = turn.begin(later, {}, b.dice(later))
    (call,) = state.ongoing.values()
    assert {ship["id"] for s in call.scenario["sides"] for q in s["squadrons"] for ship in q["ships"]} == {
        "e1",
        "d1",
    }
    assert "title" not in call.scenario
    faults = order_faults(later, FleetOrder("e", ("b",)))
    assert [fault.code for fault in faults] == ["order/fleet-held"]
    assert not order_faults(replace(later, accepted={"T1-b01": {}}), FleetOrder("e", ("b",)))


def returned(minutes: int = 120, **fates: Any) -> tuple[TurnFacts, TurnState]:
    """The turn after the one with the battle, as it opens once the outcome has been accepted."""
    made = facts()
    before = to_battle(made)
    outcome = b.outcome_of(before.calls[0], minutes=minutes, **fates)
    later = b.next_facts(made, held_to_the_end(made, before))
    fleets = {c: replace(f, held_by="T1-b01" if c != "passer" else "") for c, f in later.fleets.items()}
    later = replace(later, fleets=fleets, accepted={"T1-b01": outcome})
    return later, turn.begin(later, {"e": FleetOrder("e", ("b",))}, b.dice(later))


@pytest.mark.clause("G.BT4", "G.BT5", "G.BT2")
def test_an_accepted_outcome_is_applied_as_the_next_turn_opens_and_its_fleets_return() -> None:
    later, state = returned(d1={"condition": {"lost": 7}})
    assert not state.ongoing
    assert {fleet.held_by for fleet in state.fleets.values()} == {""}
    assert state.fleets["e"].off_until == later.first_hour
    assert state.fleets["e"].order.route == ("b",)
    assert state.ships["d1"].condition == {"lost": 7}
    (ended,) = [event for event in state.events if event.kind == "battle_ended"]
    assert (ended.hour, ended.data["battle"]) == (later.first_hour, "T1-b01")


@pytest.mark.clause("G.BT4")
def test_a_battle_longer_than_the_turn_keeps_its_fleets_until_its_end() -> None:
    later, state = returned(minutes=60 * 60)
    assert state.fleets["e"].off_until == 61 > later.first_hour


@pytest.mark.clause("G.BT5")
def test_an_accepted_outcome_is_stored_with_the_facts_of_its_turn() -> None:
    later, state = returned()
    doc = json.loads(json.dumps(facts_to_dict(later, {})))
    again, _ = facts_from_dict(doc, later.theatre)
    assert turn.state_hash(
        turn.begin(again, {"e": FleetOrder("e", ("b",))}, b.dice(later))
    ) == turn.state_hash(state)


@pytest.mark.clause("G.BT2", "G.BT5")
def test_an_outcome_is_applied_once_and_only_for_a_battle_that_holds_fleets() -> None:
    later, state = returned()
    over = turn.carried_over(later, state)
    assert over["carried"]["held"] == {}
    again = replace(b.next_facts(later, state), accepted=later.accepted)
    with pytest.raises(OutcomeError, match="T1-b01 holds no fleet"):
        turn.begin(again, {}, b.dice(again))


@pytest.mark.clause("G.BT4", "G.CL2")
def test_one_battle_is_held_while_another_in_the_same_hour_is_applied() -> None:
    fleets = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK), b.fleet("d", "NLD", "a", to="b", run=900, stance=Stance.SEEK),
        b.fleet("e2", "ENG", "c", stance=Stance.SEEK), b.fleet("d2", "NLD", "c", to="theirs", run=900, stance=Stance.SEEK),
    ]  # fmt: skip
    made = b.facts(fleets, weather=b.weather(), days=1)
    state = to_battle(made)
    assert len(state.calls) == 2
    written = {"b02": b.outcome_of(state.calls[1])}
    after, _ = turn.advance(made, state, written, b.dice(made), ongoing=["b01"])
    assert sorted(after.ongoing) == ["T1-b01"]
    assert [e.data["battle"] for e in after.events if e.kind == "battle_ended"] == ["b02"]
    with pytest.raises(OutcomeError, match="no outcome yet of b01"):
        turn.advance(made, state, written, b.dice(made))
