"""A battle as a document and back, and its quick copy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.errors import SchemaError
from battles.engine.rulesets.kohler import record, setup, turn
from battles.engine.rulesets.kohler.captain import CAPTAINS
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import (
    Battle,
    Lock,
    LockKind,
    Ship,
    SideState,
    SquadronState,
    WindForce,
)
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.scenarios import scenario


def turns(seed: bytes) -> Iterator[Battle]:
    """A battle in shoal water with a squadron still to come, at every turn's end."""
    sea = setup.begin(
        scenario(options={}, shoal=[[3, 3]], land=[[9, 9]], edges=[-40, -41, 42, 43]), KeyedDice(seed)
    )
    play = Play(dice=KeyedDice(seed, prefix="T"))
    play.views = {code: View(sea, code) for code in sea.sides}
    play.captains = {code: CAPTAINS["squadron"](side.doctrine) for code, side in sea.sides.items()}  # type: ignore[misc]
    yield sea
    while not sea.ended:
        turn.play_turn(sea, play)
        yield sea


def floats(value: object) -> list[float]:
    """Every float in a document."""
    if isinstance(value, dict):
        return [found for item in value.values() for found in floats(item)]
    if isinstance(value, list):
        return [found for item in value for found in floats(item)]
    return [value] if isinstance(value, float) else []


@pytest.mark.clause("K.0.6")
@pytest.mark.parametrize("seed", [b"1", b"2", b"3"])
def test_a_battle_saved_at_the_end_of_any_turn_reads_back_the_same(seed: bytes):
    locks = 0
    for sea in turns(seed):
        doc = record.to_dict(sea)
        text = json.dumps(doc)
        again = record.from_dict(json.loads(text))
        assert json.dumps(record.to_dict(again)) == text
        assert json.dumps(record.to_dict(record.copy(sea))) == text
        assert not floats(doc)
        assert [list(map(id, here)) for here in again.at.values()] == [
            [id(again.ships[one.id]) for one in here] for here in sea.at.values()
        ]
        for one in again.ships.values():
            assert all(any(lock is known for known in again.locks) for lock in one.locks)
        locks += len(sea.locks)
    assert locks, "no seed here ever locked two ships: choose others"


@pytest.mark.parametrize("of", [Ship, Lock, SquadronState, SideState])
def test_every_field_of_the_state_is_in_the_document_and_in_the_copy(of: type):
    a, b = ship(id="E1"), ship(id="D1", side="DUT")
    sea = battle(a, b)
    sea.hold(LockKind.GRAPPLE, a, b)
    for name, value in {"drifted": 7, "parted_try": 6}.items():
        setattr(sea.locks[0], name, value)
    doc = record.to_dict(sea)
    row = {Ship: doc["ships"], Lock: doc["locks"], SquadronState: doc["squadrons"], SideState: doc["sides"]}[
        of
    ][0]
    assert set(row) == {field.name for field in fields(of)}
    assert set(doc) == {field.name for field in fields(Battle)} | {"schema"}
    assert record.to_dict(record.copy(sea)) == record.to_dict(record.from_dict(doc)) == doc


def test_a_copy_shares_nothing_that_play_changes():
    a, b = ship(id="E1", fires=[1]), ship(id="D1", side="DUT", gun_timers=[2])
    sea = battle(a, b)
    sea.hold(LockKind.GRAPPLE, a, b)
    before = json.dumps(record.to_dict(sea))
    twin = record.copy(sea)
    one, other = twin.ships["E1"], twin.ships["D1"]
    one.fires.append(3)
    other.gun_timers.clear()
    one.unchecked_steps.append(1)
    one.placement["D1"] = "port"
    twin.locks[0].lost["E1"] = 1
    twin.unlock(twin.locks[0])
    twin.move(one, (5, 5))
    twin.quiet["ENG"] = 9
    twin.squadrons["ENG-1"].flag_lost = True
    twin.squadrons["ENG-1"].init = 5
    twin.officers["ENG-1"] = ("E1", "hit", "K.C9")
    twin.groups.clear()
    assert json.dumps(record.to_dict(sea)) == before
    assert not twin.locks and not other.locks and a.locks[0] is sea.locks[0]


def test_a_document_shares_nothing_with_its_battle():
    sea = battle(ship(id="E1"), ship(id="D1", side="DUT"), options={"wind_script": [{"turn": 1}]})
    doc = record.to_dict(sea)
    doc["ships"][0]["fires"].append(4)
    doc["options"]["wind_script"].append(1)
    doc["quiet"]["ENG"] = 7
    again = record.to_dict(sea)
    assert (
        again["ships"][0]["fires"] == []
        and again["options"] == {"wind_script": [{"turn": 1}]}
        and again["quiet"] == {}
    )


def test_a_document_with_another_schema_is_refused():
    doc = record.to_dict(battle(ship()))
    with pytest.raises(SchemaError, match="schema 2"):
        record.from_dict({**doc, "schema": 2})


def test_what_a_copy_shares_and_what_it_makes_anew_is_every_field_of_the_state():
    anew = {"sides", "squadrons", "ships", "groups", "locks", "quiet", "officers", "at"}
    assert set(record._SHARED) == {field.name for field in fields(Battle)} - anew
    assert set(record._SHIP_FIELDS) == {field.name for field in fields(Ship)} - {"locks"}
    assert set(record._LOCK_FIELDS) == {field.name for field in fields(Lock)}
    own = ship()
    assert {name for name in record._SHIP_FIELDS if type(getattr(own, name)) is list} == set(record._LISTS)
    assert set(record._TUPLES) | {"pos"} == {
        name for name in record._SHIP_FIELDS if type(getattr(own, name)) is tuple
    }
    written = {
        "strength",
        "sides",
        "squadrons",
        "ships",
        "locks",
        "groups",
        "land",
        "shoal",
        "edges",
        "officers",
        "at",
    }
    assert set(record._BATTLE_PLAIN) == {field.name for field in fields(Battle)} - written
    sea = battle(own, ship(id="E2"))
    sea.hold(LockKind.TANGLE, own, sea.ships["E2"])
    doc = record.to_dict(sea)
    assert record.to_dict(record.copy(sea)) == record.to_dict(record.from_dict(doc)) == doc


def test_edges_and_the_hex_a_ship_came_from_are_read_back():
    sea = battle(ship(came_from=(1, 2)), edges=(-1, -2, 3, 4))
    doc = record.to_dict(sea)
    assert (doc["edges"], doc["ships"][0]["came_from"]) == ([-1, -2, 3, 4], [1, 2])
    again = record.from_dict(doc)
    assert (again.edges, again.ships["E1"].came_from) == ((-1, -2, 3, 4), (1, 2))


@pytest.mark.clause("K.A2.1")
def test_strengths_of_the_wind_are_written_as_numbers_weakest_first():
    assert [(one.name, one.value) for one in WindForce] == [
        ("STILL", 0), ("LIGHT", 1), ("NORMAL", 2), ("STRONG", 3), ("GALE", 4),
    ]  # fmt: skip
    for one in WindForce:
        doc = record.to_dict(battle(ship(), strength=one))
        assert (doc["strength"], record.from_dict(doc).strength) == (one.value, one)
