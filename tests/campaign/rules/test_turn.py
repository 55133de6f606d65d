"""A turn from its opening to its end: order of play, stops, storing, and what a result may depend on."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.engine.core.dice import Dice, Die, KeyedDice
from battles.engine.core.errors import SchemaError
from battles.engine.core.fates import Fate
from battles.engine.core.log import Log
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import BattleCall, Battles, DayDone, FleetOrder, TurnDone, TurnFacts
from campaign.rules.state.events import EVENT_KINDS
from campaign.rules.state.state import TurnState, state_hash
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

SEEK = Stance.SEEK


def crowded(seed: int = 0) -> TurnFacts:
    """Three fleets a side on the small sea, bound for each other; the third day ends the turn."""
    rng = random.Random(seed)
    rows = [
        b.fleet("e1", "ENG", "home", "a", "b", stance=SEEK),
        b.fleet("e2", "ENG", "a", "b", "n", stance=Stance.HOLD, scout=True),
        b.fleet("e3", "ENG", "n", "b", stance=Stance.AVOID),
        b.fleet("d1", "NLD", "theirs", "c", "b", stance=SEEK),
        b.fleet("d2", "NLD", "c", "b", "a", stance=SEEK),
        b.fleet("d3", "NLD", "b", "c", stance=Stance.HOLD),
    ]
    ships = [
        b.ship(f"{f.code}s{n}", f.side, f.code, condition={"lost": rng.choice((0, 0, 4, 11))})
        for f in rows
        for n in range(4)
    ]
    return b.facts(rows, ships, days=3)


def hurtful(call: BattleCall) -> dict[str, Any]:
    """An outcome in which the battle's code decides who is sunk, taken and hurt."""
    sides = [[x for s in side["squadrons"] for x in s["ships"]] for side in call.scenario["sides"]]
    ids = [side["id"] for side in call.scenario["sides"]]
    digest = hashlib.sha256(call.scenario["code"].encode()).digest()
    winner = digest[0] % 2
    loser, victor = sides[1 - winner], sides[winner]
    fates: dict[str, Any] = {loser[0]["id"]: {"fate": "sunk"}}
    if len(loser) > 1:
        fates[loser[1]["id"]] = {
            "fate": "captured", "captor": ids[winner], "captor_ship": victor[0]["id"], "prize_crew": 30,
        }  # fmt: skip
    fates[victor[-1]["id"]] = {"condition": {"lost": 12}}
    return b.outcome_of(call, minutes=30 + digest[1], **fates)


def shuffled(made: TurnFacts, seed: int) -> TurnFacts:
    """The same facts with all rows in another order."""
    rng = random.Random(seed)

    def mix(rows: dict[str, Any]) -> dict[str, Any]:
        items = list(rows.items())
        rng.shuffle(items)
        return dict(items)

    sea = made.theatre
    passages = [tuple(rng.sample(pair, 2)) for pair in rng.sample(sea.passages, len(sea.passages))]
    sea = replace(sea, places=mix(dict(sea.places)), passages=tuple(passages), zones=mix(dict(sea.zones)))  # type: ignore[arg-type]
    return replace(
        made,
        theatre=sea,
        sides=mix(dict(made.sides)),
        fleets=mix(dict(made.fleets)),
        ships=mix(dict(made.ships)),
        squadrons=mix(dict(made.squadrons)),
    )


@pytest.mark.clause("G.CL2")
def test_the_order_of_an_hour_is_published() -> None:
    assert [step.id for step in turn.STEPS] == [
        "weather",
        "gale",
        "calendar",
        "company",
        "prizes",
        "prisoners",
        "court",
        "yards",
        "men",
        "upkeep",
        "officers",
        "landings",
        "loading",
        "shipping",
        "objectives",
        "contact",
        "night",
        "ports",
        "torpedoes",
        "battle",
        "leaving",
        "blockade",
        "general chase",
        "movement",
        "watch",
        "mines",
        "running",
        "shoals",
        "neutral",
        "convoys",
        "sighting",
        "coast",
    ]
    assert all(step.clauses and step.name for step in turn.STEPS)


@pytest.mark.clause("G.CL1")
def test_a_turn_is_played_by_days_that_begin_at_six() -> None:
    state, stops = b.play(b.facts([b.fleet("e", "ENG", "a")], days=3))
    assert stops == [DayDone(0), DayDone(1), TurnDone()]
    assert (state.hour, state.end_hour) == (72, 72)
    opened = b.facts([b.fleet("e", "ENG", "a")], days=2, first_hour=72)
    assert b.play(opened)[1] == [DayDone(3), TurnDone()]


def test_a_finished_turn_stays_finished() -> None:
    made = b.facts([b.fleet("e", "ENG", "a")])
    state, _ = b.play(made)
    again, stop = turn.advance(made, state, {}, b.dice(made))
    assert stop == TurnDone() and state_hash(again) == state_hash(state)


@pytest.mark.clause("G.FA1")
def test_the_same_secret_gives_the_same_turn() -> None:
    made = crowded()
    first, second = b.play(made, fought=hurtful)[0], b.play(made, fought=hurtful)[0]
    assert state_hash(first) == state_hash(second)
    other = turn.begin(made, {}, KeyedDice(b"another secret", prefix="trial/1"))
    stop: Any = None
    while not isinstance(stop, TurnDone):
        dice = KeyedDice(b"another secret", prefix="trial/1")
        outcomes = {c.code: hurtful(c) for c in other.calls}
        other, stop = turn.advance(made, other, outcomes, dice)
    assert state_hash(other) != state_hash(first)


@pytest.mark.clause("G.CL2")
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_a_result_does_not_depend_on_the_order_in_which_ships_are_listed(seed: int) -> None:
    made = crowded(seed % 3)
    assert state_hash(b.play(shuffled(made, seed), fought=hurtful)[0]) == state_hash(
        b.play(made, fought=hurtful)[0]
    )


@pytest.mark.clause("G.CL2")
def test_a_battle_saved_and_read_back_at_every_stop_ends_the_same() -> None:
    made = crowded(1)
    whole, stops = b.play(made, fought=hurtful)
    assert sum(isinstance(stop, Battles) for stop in stops) >= 2
    assert state_hash(b.play(made, fought=hurtful, reload=True)[0]) == state_hash(whole)


def test_advance_does_not_change_the_state_it_was_given() -> None:
    made = crowded()
    state = turn.begin(made, {}, b.dice(made))
    for _ in range(3):
        before = json.dumps(state.to_dict(), sort_keys=True)
        outcomes = {c.code: hurtful(c) for c in state.calls}
        later, _ = turn.advance(made, state, outcomes, b.dice(made))
        assert json.dumps(state.to_dict(), sort_keys=True) == before
        state = later


def test_a_stored_state_holds_no_floats_and_names_its_schema() -> None:
    doc = b.play(crowded(), fought=hurtful)[0].to_dict()

    def floats(value: Any) -> bool:
        if isinstance(value, dict):
            return any(map(floats, value.values()))
        if isinstance(value, list):
            return any(map(floats, value))
        return isinstance(value, float)

    assert not floats(doc)
    assert doc["schema"] == 1
    with pytest.raises(SchemaError, match="schema 2"):
        TurnState.from_dict({**doc, "schema": 2})


@pytest.mark.clause("G.BT3", "G.CL2")
def test_every_ship_that_enters_a_turn_leaves_it_and_is_somewhere() -> None:
    made = crowded()
    state, _ = b.play(made, fought=hurtful)
    assert set(state.ships) == set(made.ships)
    for ship in state.ships.values():
        if ship.fate is Fate.AFLOAT:
            assert not state.fleets[ship.fleet].ended
            assert state.fleets[ship.fleet].side == ship.side
        else:
            assert ship.fleet == ""
    assert any(ship.prize for ship in state.ships.values())


def test_every_event_is_of_a_published_kind_with_a_clause() -> None:
    state, _ = b.play(crowded(), {"e1": FleetOrder("e1", ("moon",))}, fought=hurtful)
    assert {event.kind for event in state.events} <= set(EVENT_KINDS)
    assert all(event.clause.startswith(("G.", "K.")) for event in state.events)
    assert all(set(event.knows) <= set(crowded().sides) for event in state.events)


@pytest.mark.clause("G.SI2", "G.IN1")
@pytest.mark.parametrize("seed", range(4))
def test_before_a_battle_no_event_names_a_fleet_or_ship_to_a_side_that_does_not_know_it(seed: int) -> None:
    made = crowded(seed)
    state, _ = b.play(made, fought=hurtful)
    met = {"battle", "battle_ended", "lost", "captured", "retaken", "officer", "renewed"}
    quiet = [
        e for e in state.events if e.kind not in met and not (e.kind == "parted" and e.clause == "G.CO6")
    ]
    assert len(quiet) > 20
    for event in quiet:
        strangers = [f.code for f in made.fleets.values() if f.side not in event.knows]
        strangers += [s.code for s in made.ships.values() if s.side not in event.knows]
        told = json.dumps(event.data)
        assert not [code for code in strangers if event.knows and f'"{code}"' in told]


class Listening(KeyedDice):
    """Keyed dice that remember their throws."""

    heard: dict[str, tuple[int, ...]]

    def throw(self, die: Die, count: int, **words: Any) -> tuple[int, ...]:
        faces = super().throw(die, count, **words)
        self.heard["/".join((words["clause"], *map(str, words["subjects"])))] = faces
        return faces


def heard(made: TurnFacts, orders: dict[str, FleetOrder]) -> dict[str, tuple[int, ...]]:
    thrown: dict[str, tuple[int, ...]] = {}

    def dice() -> Dice:
        listening = Listening(b.SECRET, prefix="trial/1", log=Log())
        listening.heard = thrown
        return listening

    state = turn.begin(made, orders, dice())
    stop: Any = None
    while not isinstance(stop, TurnDone):
        state, stop = turn.advance(made, state, {c.code: hurtful(c) for c in state.calls}, dice())
    return thrown


@pytest.mark.clause("G.FA1")
def test_correcting_one_fleets_order_does_not_change_the_weather_dice() -> None:
    made = crowded()
    first = heard(made, {})
    other = heard(made, {"e3": FleetOrder("e3", ("b", "a", "home"), Stance.HOLD)})
    weather = {key for key in first if key.startswith("G.WX2")}
    assert len(weather) == 18 * 2 + 6
    assert {key: other[key] for key in weather} == {key: first[key] for key in weather}
    assert first != other
    common = set(first) & set(other)
    assert all(first[key] == other[key] for key in common)


@pytest.mark.clause("G.CL2")
def test_the_chart_stops_at_the_end_of_the_hour_and_the_others_sail_on() -> None:
    rows = [
        b.fleet("e", "ENG", "a", stance=SEEK),
        b.fleet("d", "NLD", "a", to="b", run=900),
        b.fleet("f", "ENG", "n", "b"),
    ]
    made = b.facts(rows, weather=b.weather(wind=270))
    state = turn.begin(made, {}, b.dice(made))
    state, stop = turn.advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    assert (stop.calls[0].hour, state.hour) == (1, 1)
    assert state.fleets["f"].position.run > 5_000
    assert [call.code for call in stop.calls] == sorted(call.code for call in stop.calls)


@pytest.mark.clause("G.CL2")
def test_several_battles_in_an_hour_are_written_back_in_the_order_of_their_codes() -> None:
    rows = [
        b.fleet("e", "ENG", "a", stance=SEEK),
        b.fleet("d", "NLD", "a", to="b", run=900),
        b.fleet("f", "ENG", "c", stance=SEEK),
        b.fleet("g", "NLD", "c", to="b", run=900),
    ]
    made = b.facts(rows, weather=b.weather())
    state = turn.begin(made, {}, b.dice(made))
    state, stop = turn.advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles) and [call.code for call in stop.calls] == ["b01", "b02"]
    outcomes = {call.code: hurtful(call) for call in stop.calls}
    one, _ = turn.advance(made, state, outcomes, b.dice(made))
    two, _ = turn.advance(made, state, dict(reversed(outcomes.items())), b.dice(made))
    assert state_hash(one) == state_hash(two)
    ended = [event.data["battle"] for event in one.events if event.kind == "battle_ended"]
    assert ended == ["b01", "b02"]


@pytest.mark.clause("G.CL2")
def test_sightings_chases_and_meetings_continue_past_the_turns_end() -> None:
    made = crowded()
    state, _ = b.play(made, fought=hurtful)
    later = b.next_facts(made, state)
    opened = turn.begin(later, {}, b.dice(later))
    living = {code for code, fleet in state.fleets.items() if not fleet.ended}
    assert opened.weather == state.weather
    assert opened.contacts == {k: c for k, c in state.contacts.items() if set(k) <= living}
    assert opened.touches == {k: t for k, t in state.touches.items() if set(k) <= living}
    assert opened.numbers == state.numbers
    for code in living:
        now, was = opened.fleets[code], state.fleets[code]
        assert (now.off_until, now.still_until) == (was.off_until, was.still_until)
        assert now.order == was.order
        assert now.path == was.path or not was.order.route
    assert isinstance(b.play(later, fought=hurtful)[1][-1], TurnDone)


@pytest.mark.clause("G.CL2")
def test_one_long_turn_and_two_short_ones_move_fleets_alike_when_the_dice_agree() -> None:
    sea = b.facts([b.fleet("e", "ENG", "home", "a", "b", "c")], weather=b.weather(wind=0))

    class Calm(Dice):
        def _faces(self, key: str, die: Die, count: int) -> tuple[int, ...]:
            return {2: (3, 3)}.get(count, (3,))

    def ended(made: TurnFacts) -> TurnState:
        state, stop = turn.begin(made, {}, Calm()), None
        while not isinstance(stop, TurnDone):
            state, stop = turn.advance(made, state, {}, Calm())
        return state

    long = ended(replace(sea, days=2))
    short = ended(sea)
    assert ended(b.next_facts(sea, short)).fleets["e"].position == long.fleets["e"].position
