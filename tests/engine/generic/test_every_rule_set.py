"""What every installed rule set must do, whatever its rules: one suite over all of them."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, KeyedDice
from battles.engine.core.errors import ScenarioFaults, SchemaError
from battles.engine.core.fates import Fate
from battles.engine.core.log import DIE, Event, Log
from battles.engine.core.outcome import Outcome
from battles.engine.core.ruleset import Captain, RuleSet, ShipOrder
from battles.engine.core.scenario import Doctrine, Scenario, Strength, read_scenario
from battles.engine.play import Played, play_battle, play_for_odds, verify
from battles.engine.readable import account
from battles.engine.registry import rule_set
from tests.support import sets
from tests.support.answers import result_of
from tests.support.sets import SETS, facts_of, scenario_files

SEED = b"a seed for the suite"
Rules = RuleSet[Any]

pytestmark = [pytest.mark.usefixtures("tiny_set"), pytest.mark.parametrize("name", SETS)]


def scenario(name: str, first: int = 5, second: int = 6, **more: Any) -> Scenario:
    return sets.meeting(name, first, second, **more)


def captains(rules: Rules, battle: Scenario) -> dict[str, Captain]:
    return {side.id: rules.captains[side.captain](side.doctrine) for side in battle.sides}


def played_by_turns(
    rules: Rules,
    battle: Scenario,
    *,
    reload: bool = False,
    anew: bool = False,
    orders: Mapping[str, ShipOrder] | None = None,
) -> tuple[list[Any], tuple[Event, ...]]:
    """All states from the opening to the end.

    reload: each is stored as text and read back, with new dice. anew: new captains every turn.
    """
    log = Log()
    dice = KeyedDice(SEED, prefix=battle.code, log=log)
    men = captains(rules, battle)
    states = [rules.begin(battle, dice, log)]
    while not rules.over(states[-1]):
        state = states[-1]
        if reload:
            state = rules.from_dict(json.loads(json.dumps(rules.to_dict(state))))
            dice = KeyedDice(SEED, prefix=battle.code, log=log)
        men = captains(rules, battle) if anew else men
        states.append(rules.advance(state, orders or {}, men, dice, log))
        assert len(states) <= 1 + (battle.turn_limit or rules.turn_limit), "the battle does not end"
    return states, log.take()


@functools.cache
def fought(name: str) -> Played:
    """The usual battle of a set, fought once for all the tests that only read it."""
    return play_battle(scenario(name), SEED, log=True)


@functools.cache
def fought_by_turns(name: str) -> tuple[list[Any], tuple[Event, ...]]:
    """The usual battle turn after turn, as `played_by_turns`, for the tests that only read it."""
    return played_by_turns(rule_set(name), scenario(name))


def rows_of(value: Any) -> Iterator[Any]:
    """Every value in a JSON document, containers included."""
    yield value
    if isinstance(value, Mapping):
        for one in value.values():
            yield from rows_of(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from rows_of(one)


def test_the_same_seed_gives_the_same_log_and_another_seed_another(name: str) -> None:
    battle = scenario(name)
    assert play_battle(battle, SEED, log=True) == fought(name)
    assert play_battle(battle, b"another", log=True).events != fought(name).events


def test_a_battle_with_and_without_a_log_ends_the_same(name: str) -> None:
    logged, silent = fought(name), play_battle(scenario(name), SEED, log=False)
    assert (silent.outcome, silent.state) == (logged.outcome, logged.state)
    assert silent.events == ()


@pytest.mark.clause("G.FA1")
def test_every_die_in_a_log_can_be_checked_against_the_published_secret_and_a_changed_face_is_found(
    name: str,
) -> None:
    battle = scenario(name)
    events = fought(name).events
    thrown = [event for event in events if event.kind == DIE]
    assert len(thrown) > 50
    assert all(event.data["key"].startswith(f"{battle.code}/{event.clause}/") for event in thrown)
    assert list(verify(events, SEED)) == []
    false = thrown[7]._replace(
        data={**thrown[7].data, "faces": [face % 4 + 2 for face in thrown[7].data["faces"]]}
    )
    wrong = list(verify([*thrown[:7], false, *thrown[8:]], SEED))
    assert len(wrong) == 1
    assert false.data["key"] in wrong[0]
    assert "a second time" in next(verify([thrown[0], thrown[0]], SEED))
    assert list(verify(events, b"not the seed"))


def test_the_fast_path_ends_the_same_as_turn_after_turn(name: str) -> None:
    rules: Rules = rule_set(name)
    states, events = fought_by_turns(name)
    fast = fought(name)
    assert rules.to_dict(states[-1]) == fast.state
    assert events == fast.events


def test_a_state_stored_as_text_is_read_back_whole_and_the_battle_continues_unchanged(name: str) -> None:
    battle = scenario(name)
    rules: Rules = rule_set(name)
    straight, events = fought_by_turns(name)
    reloaded, same_events = played_by_turns(rules, battle, reload=True)
    assert len(straight) > 3
    for one, other in zip(straight, reloaded, strict=True):
        doc = rules.to_dict(one)
        assert rules.to_dict(rules.from_dict(json.loads(json.dumps(doc)))) == doc
        assert rules.to_dict(other) == doc
    assert events == same_events


def spoilt(doc: Any) -> None:
    """Put something into every list and object of a document."""
    for value in [*(doc.values() if isinstance(doc, dict) else doc if isinstance(doc, list) else ())]:
        spoilt(value)
    if isinstance(doc, list):
        doc.append("spoilt")
    elif isinstance(doc, dict):
        doc["spoilt"] = True


def test_a_stored_document_shares_nothing_with_the_battle(name: str) -> None:
    rules: Rules = rule_set(name)
    state = fought_by_turns(name)[0][2]
    before = json.dumps(rules.to_dict(state))
    spoilt(rules.to_dict(state))
    assert json.dumps(rules.to_dict(state)) == before
    doc = json.loads(before)
    read = rules.from_dict(doc)
    spoilt(doc)
    assert json.dumps(rules.to_dict(read)) == before


def test_captains_remember_nothing_from_turn_to_turn(name: str) -> None:
    battle = scenario(name)
    rules: Rules = rule_set(name)
    assert played_by_turns(rules, battle, anew=True)[1] == fought_by_turns(name)[1]


def test_advancing_does_not_change_the_old_state(name: str) -> None:
    battle = scenario(name)
    rules: Rules = rule_set(name)
    # each state as it was when it was made, beside what it is after all the turns that followed
    log = Log()
    dice = KeyedDice(SEED, prefix=battle.code, log=log)
    men = captains(rules, battle)
    states, kept = [rules.begin(battle, dice, log)], []
    while not rules.over(states[-1]):
        kept.append(json.dumps(rules.to_dict(states[-1])))
        states.append(rules.advance(states[-1], {}, men, dice, log))
    for state, before in zip(states, kept, strict=False):
        assert json.dumps(rules.to_dict(state)) == before


def test_no_stored_document_holds_a_float(name: str) -> None:
    battle = scenario(name)
    rules: Rules = rule_set(name)
    states, events = fought_by_turns(name)
    documents = [rules.to_dict(state) for state in states]
    documents += [rules.seen_by(states[-1], side.id) for side in battle.sides]
    documents += [rules.outcome(states[-1]).to_dict(), {"log": [event.to_list() for event in events]}]
    documents += [rules.card(ship.facts) for _, _, ship in battle.ships()]
    for doc in documents:
        json.dumps(doc)
        assert not any(isinstance(value, float) for value in rows_of(doc))


def test_a_state_with_another_schema_is_refused(name: str) -> None:
    rules: Rules = rule_set(name)
    doc = rules.to_dict(rules.begin(scenario(name), FastDice(1)))
    with pytest.raises(SchemaError):
        rules.from_dict({**doc, "schema": rules.schema + 1})


HIDDEN = {
    "guns", "hull_max", "hull_left", "hull", "hits_struct", "hits_board", "hits", "hits_taken", "fire_track", "thresholds",
    "gun_timers", "fires", "helm", "orders", "captain", "officer", "complement", "men", "in_command", "flag_officer_ok",
    "condition", "doctrine",
}  # fmt: skip


def test_a_side_sees_of_the_enemy_only_what_a_spyglass_shows(name: str) -> None:
    doc = sets.document(name, 6, 6)
    for side in doc["sides"]:
        for squadron in side["squadrons"]:
            squadron["flag_officer"] = f"Admiral of {side['id']}"
            for ship in squadron["ships"]:
                ship["captain"] = f"Captain of {ship['id']}"
    battle = read_scenario(doc)
    rules: Rules = rule_set(name)
    states, _ = played_by_turns(rules, battle)
    for state in states:
        for side, enemy in (("E", "D"), ("D", "E")):
            shown = rules.seen_by(state, side)
            text = json.dumps(shown)
            assert f"Admiral of {side}" in text
            assert f"Admiral of {enemy}" not in text
            for row in rows_of(shown):
                if isinstance(row, Mapping) and row.get("side", side) != side and "id" in row:
                    assert not HIDDEN & set(row), row["id"]
    first = rules.seen_by(states[0], "E")
    shown_ids = {row["id"] for row in rows_of(first) if isinstance(row, Mapping) and "id" in row}
    assert {ship.id for _, _, ship in battle.ships()} <= shown_ids


def test_only_their_own_side_knows_of_ships_not_yet_on_the_board(name: str) -> None:
    doc = sets.document(name, 4, 4)
    relief = {
        "id": "relief", "name": "Relief", "flagship": "R1", "arrives": 25, "edge": 90,
        "ships": [{"id": "R1", "name": "Hidden Reserve", "facts": facts_of(name)}],
    }  # fmt: skip
    doc["sides"][1]["squadrons"].append(relief)
    rules: Rules = rule_set(name)
    state = rules.begin(read_scenario(doc), FastDice(3))
    assert "Hidden Reserve" not in json.dumps(rules.seen_by(state, "E"))
    assert "Hidden Reserve" in json.dumps(rules.seen_by(state, "D"))


@pytest.mark.parametrize(
    "text", ["", "nonsense", "A A A A A A A A A A A A Q9 ???", "port>nobody>nowhere", "\x00", "🚢"]
)
def test_an_unreadable_order_changes_nothing_and_is_reported_as_an_error(name: str, text: str) -> None:
    battle = scenario(name, 3, 3)
    rules: Rules = rule_set(name)
    state = rules.begin(battle, KeyedDice(SEED, prefix=battle.code))
    faults = rules.faults(state, "E", ShipOrder("E01", text))
    if not faults:
        assert text == "", "only the empty order is no fault"
        return
    for fault in faults:
        assert fault.code.startswith("order/")
        assert fault.clause
        assert fault.text

    def after(orders: dict[str, ShipOrder]) -> dict[str, Any]:
        dice = KeyedDice(SEED + b"2", prefix=battle.code)
        return rules.to_dict(rules.advance(state, orders, captains(rules, battle), dice))

    assert after({"E01": ShipOrder("E01", text)}) == after({})


def test_orders_for_other_peoples_ships_and_for_no_ship_are_errors(name: str) -> None:
    rules: Rules = rule_set(name)
    state = rules.begin(scenario(name, 3, 3), FastDice(1))
    for code in ("D01", "X99", ""):
        assert rules.faults(state, "E", ShipOrder(code, "A")), code


def test_an_order_for_no_ship_changes_nothing(name: str) -> None:
    battle = scenario(name)
    rules: Rules = rule_set(name)
    states, _ = fought_by_turns(name)
    with_ghost, _ = played_by_turns(rules, battle, orders={"X99": ShipOrder("X99", "A")})
    assert rules.to_dict(with_ghost[-1]) == rules.to_dict(states[-1])


@pytest.mark.clause("G.BT3")
@pytest.mark.parametrize(("english", "dutch"), [(1, 1), (1, 4), (5, 6), (12, 9), (24, 26)])
def test_every_ship_that_goes_in_comes_out_and_the_battle_ends(name: str, english: int, dutch: int) -> None:
    battle = scenario(name, english, dutch)
    rules: Rules = rule_set(name)
    sides = {ship.id: side.id for side, _, ship in battle.ships()}
    for seed in range(3 if english < 12 else 1):
        outcome = play_for_odds(battle, seed)
        assert [entry.ship for entry in outcome.ships] == list(sides)
        assert 0 < outcome.turns <= rules.turn_limit
        assert outcome.minutes == outcome.turns * rules.minutes_a_turn(battle.options)
        assert outcome.ended
        for entry in outcome.ships:
            assert entry.side == sides[entry.ship]
            taken = entry.fate is Fate.CAPTURED
            assert (entry.captor in set(sides.values()) - {entry.side}) is taken
            assert bool(entry.prize_crew) <= taken


def test_battles_of_every_kind_are_fought_without_an_error(name: str) -> None:
    """Each kind is fought, and all that goes wrong is listed, not only the first. Many ships fight to the end in the test above."""
    relieved = sets.document(name, 4, 2, turn_limit=30)
    relieved["sides"][1]["squadrons"].append({
        "id": "relief", "name": "Relief", "flagship": "R1", "arrives": 3, "edge": 90,
        "ships": [{"id": "R1", "name": "Hidden Reserve", "facts": facts_of(name)}],
    })  # fmt: skip
    kinds = {
        "one against one": sets.document(name, 1, 1),
        "few against few": sets.document(name, 3, 2),
        "two squadrons": sets.document(name, 12, 12, turn_limit=6),
        "plain captains": sets.document(name, 4, 4, captains=("plain", "plain")),
        "a surprise": sets.document(name, 4, 4, surprised=["E"]),
        "relief on its way": relieved,
        **{
            path.stem: json.loads(path.read_text("utf-8")) | {"turn_limit": 3}
            for path in scenario_files(name)
        },
    }
    assert _wrong(kinds) == {}

    hurt, before = sets.document(name, 4, 4), fought(name).outcome
    for row in _listed(hurt):
        if before.ship(row["id"]).fate is Fate.AFLOAT:
            row["condition"] = json.loads(json.dumps(before.ship(row["id"]).condition))
    assert _wrong({"ships hurt before": hurt}) == {}


def _wrong(kinds: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The errors that battles end with, and those that are not stored as they begin, by kind."""
    found = {}
    for kind, doc in kinds.items():
        try:
            battle = read_scenario(doc)
            play_for_odds(battle, 1)
            rules = rule_set(battle.rule_set)
            begun = rules.begin(battle, KeyedDice(b"any"))
            stored = rules.to_dict(begun)
            for again in (rules.copy(begun), rules.from_dict(json.loads(json.dumps(stored)))):
                if rules.to_dict(again) != stored:
                    found[kind] = "it is not read back as it was stored"
        except Exception as error:
            found[kind] = repr(error)
    return found


def _listed(doc: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    return (ship for side in doc["sides"] for squadron in side["squadrons"] for ship in squadron["ships"])


@pytest.mark.clause("G.BT2")
def test_a_saved_battle_result_is_read_back_and_there_is_none_before_the_end(name: str) -> None:
    battle = scenario(name)
    rules: Rules = rule_set(name)
    outcome = fought(name).outcome
    assert Outcome.from_dict(json.loads(json.dumps(outcome.to_dict()))) == outcome
    with pytest.raises(ValueError, match="not over"):
        rules.outcome(rules.begin(battle, FastDice(1)))


def test_a_turn_limit_is_respected(name: str) -> None:
    assert play_for_odds(scenario(name, turn_limit=4), 1).turns <= 4


def test_the_campaigns_questions_are_answered_for_sound_damaged_and_taken_ships(name: str) -> None:
    battle = scenario(name, 6, 6)
    rules: Rules = rule_set(name)
    sea = rules.at_sea
    cards = {ship.id: rules.card(ship.facts) for _, _, ship in battle.ships()}
    ends = [entry for seed in range(4) for entry in play_for_odds(battle, seed).ships if not entry.fate.lost]
    # Where ships change hands but seldom, the set's own tests show it.
    assert rules.takes_ships or not any(entry.fate is Fate.CAPTURED for entry in ends)
    for card in cards.values():
        sound = sea.sound(card)
        assert sea.hull_fraction(card, sound) == 0
        assert sea.steps_lost(card, sound) == 0
        assert sea.work(card, sound).hull == "none"
        assert sea.sea_speed(card, sound) == 1
        assert sea.men(card, sound, 200) == 200
        assert sea.value(card, sound) == sea.whole_value(card) > 0
        assert sea.deep(card) in (True, False)
    damaged = 0
    for entry in ends:
        card, condition = cards[entry.ship], json.loads(json.dumps(entry.condition))
        lost = sea.hull_fraction(card, condition)
        damaged += lost > 0
        assert isinstance(lost, Fraction | int)
        assert 0 <= lost < 1
        assert sea.work(card, condition).hull in ("none", "light", "medium", "heavy", "worse")
        assert 0 <= sea.sea_speed(card, condition) <= 1
        assert (sea.no_go(card, condition) == 0) is sea.steam(card)
        assert 0 <= sea.no_go(card, condition) < 180
        assert 0 <= sea.men(card, condition, 200) <= 200
        assert sea.value(card, condition) <= sea.whole_value(card)
        assert sea.can_sail(card, 200, 200)
        mended = sea.mend(card, condition, done="hull", men=200, complement=200)
        assert sea.hull_fraction(card, mended) == 0
        assert 0 <= sea.pounds(card, condition) <= sea.pounds(card, sea.sound(card))
        for at_sea in (sea.carpenters(card, condition), sea.jury_mast(card, condition)):
            assert sea.hull_fraction(card, at_sea) <= lost
        struck = sea.mast_lost(card, condition)
        assert lost <= sea.hull_fraction(card, struck) < 1
        assert sea.sea_speed(card, struck) <= sea.sea_speed(card, condition)
        served = sea.commissioned(card, condition, men=200, complement=200)
        assert (sea.hull_fraction(card, served), sea.men(card, served, 200) > 0) == (lost, True)
        watched = sea.watch_at_sea(card, condition, Strength.STRONG, FastDice(1), entry.ship)
        assert sea.steps_lost(card, watched) >= 0
    assert damaged > 3


def test_a_ship_damaged_in_one_battle_enters_the_next_as_she_is(name: str) -> None:
    doc = sets.document(name, 4, 4)
    rules: Rules = rule_set(name)
    first = play_for_odds(read_scenario(doc), 5)
    kept = [entry for entry in first.ships if entry.fate is Fate.AFLOAT]
    for ship in _listed(doc):
        if ship["id"] in {entry.ship for entry in kept}:
            ship["condition"] = json.loads(json.dumps(first.ship(ship["id"]).condition))
    again = play_for_odds(read_scenario({**doc, "turn_limit": 1}), 6)
    cards = {ship.id: rules.card(ship.facts) for _, _, ship in read_scenario(doc).ships()}
    for entry in kept:
        before = rules.at_sea.hull_fraction(cards[entry.ship], entry.condition)
        after = rules.at_sea.hull_fraction(cards[entry.ship], again.ship(entry.ship).condition)
        assert after >= before


def test_captains_are_known_by_name_and_an_unknown_one_is_an_error(name: str) -> None:
    rules: Rules = rule_set(name)
    assert {"plain", "commander"} <= set(rules.captains)
    battle = scenario(name, captains=("nobody", "plain"))
    assert [fault.path for fault in rules.scenario_faults(battle)] == ["sides[0].captain"]
    with pytest.raises(ScenarioFaults):
        rules.begin(battle, FastDice(1))
    for one in rules.captains:
        assert play_for_odds(scenario(name, 3, 3, captains=(one, "plain")), 1).ships


def test_a_set_declares_which_battle_instructions_its_captains_know(name: str) -> None:
    known = {field.name for field in fields(Doctrine)}
    rules: Rules = rule_set(name)
    assert {"stance", "break_off"} <= rules.wishes <= known
    assert ("gauge" in rules.wishes) is not any(
        rules.at_sea.steam(rules.card(ship.facts)) for _, _, ship in scenario(name).ships()
    )


@pytest.mark.clause("G.BT6")
@pytest.mark.parametrize("towards", [0, 45, 90, 135, 180, 225, 270, 315])
@pytest.mark.parametrize("strength", [s for s in Strength if s is not Strength.GALE])
def test_the_charts_wind_goes_in_and_comes_out_unchanged(name: str, towards: int, strength: Strength) -> None:
    rules: Rules = rule_set(name)
    wind = {"towards": towards, "strength": strength.value}
    state = rules.begin(scenario(name, 2, 2, wind=wind), FastDice(1))
    assert rules.weather_out(state) == (towards, strength)
    assert rules.weather_in(towards, strength)


def test_the_steps_of_play_are_named_with_their_clauses_and_appear_in_the_log(name: str) -> None:
    rules: Rules = rule_set(name)
    known = [step.id for step in rules.steps]
    assert len(known) == len(set(known))
    assert all(step.clauses and step.name for step in rules.steps)
    played = fought(name)
    events = played.events
    assert {event.step for event in events if event.turn} <= {*known, "orders"}
    assert all(event.clause for event in events)
    turns = [event.turn for event in events]
    assert turns == sorted(turns)
    assert turns[-1] == played.outcome.turns, "nothing is told of a turn that is not played"


def test_a_card_is_explained_figure_by_figure(name: str) -> None:
    rules: Rules = rule_set(name)
    for _, _, ship in scenario(name).ships():
        card = rules.card(ship.facts)
        assert card["schema"]
        assert {field for field, _, _ in rules.explain(ship.facts)} & set(card)


def test_a_card_is_stored_and_read_back_and_a_yard_knows_its_work(name: str) -> None:
    rules: Rules = rule_set(name)
    for _, _, ship in scenario(name).ships():
        stored = rules.card(ship.facts)
        assert result_of(_stored_again, name, stored) == stored
        sound = rules.at_sea.sound(stored)
        for done in ("hull", "mast", "battery", "recruits"):
            mended = result_of(
                rules.at_sea.mend, stored, sound, done=done, men=ship.complement or 9, complement=9
            )
            assert isinstance(mended, dict) and mended["schema"] == sound["schema"], mended


def _stored_again(name: str, stored: Mapping[str, Any]) -> Any:
    """A card read back and stored once more; of a set of the tests, which has no folder, the card itself."""
    if find_spec(f"battles.engine.rulesets.{name}") is None:
        return stored
    return import_module(f"battles.engine.rulesets.{name}.card").Card.from_dict(stored).to_dict()


def test_a_battle_is_described_by_name_and_the_list_of_losses_counts_every_ship(name: str) -> None:
    battle = scenario(name)
    played = fought(name)
    lines = list(account(battle, played.events, played.outcome))
    assert lines[0] == battle.title
    told = "\n".join(lines)
    for entry in played.outcome.ships:
        if entry.fate is not Fate.AFLOAT:
            ship = next(one for _, _, one in battle.ships() if one.id == entry.ship)
            assert f"{ship.name}: {entry.fate.value}" in told
