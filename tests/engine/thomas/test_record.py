"""A battle as a document and back. Section 10."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum
from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.errors import SchemaError
from battles.engine.rulesets.thomas import record, turn
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Grapple, Ship
from battles.engine.rulesets.thomas.tables import WindForce
from tests.engine.thomas.builders import battle, revenge, ship


def fought() -> Battle:
    """A battle with everything a document must hold: a fight, a tow, a shore, losses."""
    ships = [
        ship("E1", heading=9_000),
        ship("E2", x=5_000, towing="E3"),
        ship("E3", x=5_000, y=-1_300, towed_by="E2"),
    ]
    made = battle(
        *ships, revenge("S1", y=250, heading=9_000), revenge("S2", x=-9_000, on_fire=True, fire_fails=2),
        land=(((0, 90_000), (10, 90_000), (0, 91_000)),),
    )  # fmt: skip
    made.fasten(ships[0], made.ships["S1"]).attacker = "E1"
    made.ships["S1"].batteries[3].lost = True
    made.officers["E1"] = ("Drake", "wounded", "G.OF1")
    return made


def floats(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [one for item in value.values() for one in floats(item)]
    if isinstance(value, list):
        return [one for item in value for one in floats(item)]
    return [value] if isinstance(value, float) else []


def test_a_battle_survives_json_and_holds_no_floats() -> None:
    made = fought()
    doc = record.to_dict(made)
    assert floats(doc) == []
    again = record.from_dict(json.loads(json.dumps(doc)))
    assert record.to_dict(again) == doc
    assert again.ships["E1"].grapples[0] is again.grapples[0] is again.ships["S1"].grapples[0]
    assert again.near(again.ships["E1"], 300) == [again.ships["S1"]]


def test_a_copy_is_the_same_and_shares_nothing() -> None:
    made = fought()
    before = record.to_dict(made)
    twin = record.copy(made)
    assert record.to_dict(twin) == before
    twin.shift(twin.ships["E2"], (0, 0))
    twin.unfasten(twin.grapples[0])
    twin.ships["S1"].batteries[0].lost = True
    twin.officers.clear()
    assert record.to_dict(made) == before
    assert made.near(made.ships["E2"], 2_000) == [made.ships["E3"]]


def test_a_battle_continued_from_its_document_is_the_same_battle() -> None:
    whole, resumed = fought(), record.from_dict(record.to_dict(fought()))
    for made in (whole, resumed):
        played = Play(dice=KeyedDice(b"again"))
        for _ in range(3):
            turn.play_move(made, played)
    middle = fought()
    played = Play(dice=KeyedDice(b"again"))
    for _ in range(3):
        turn.play_move(middle, played)
        middle = record.from_dict(json.loads(json.dumps(record.to_dict(middle))))
    assert record.to_dict(whole) == record.to_dict(resumed) == record.to_dict(middle)


def test_another_schema_is_refused() -> None:
    with pytest.raises(SchemaError, match="schema 7"):
        record.from_dict({**record.to_dict(fought()), "schema": 7})


def test_every_field_of_the_state_is_kept_and_enumerations_by_their_value() -> None:
    own = {one.name for one in fields(Ship)}
    assert set(record._SHIP_FIELDS) == own - {"batteries", "grapples"}
    kept = {name: type(getattr(ship(), name)) for name in record._SHIP_FIELDS}
    assert {name: kind for name, kind in kept.items() if issubclass(kind, Enum)} == record._ENUMS
    assert set(record._GRAPPLE_FIELDS) == {one.name for one in fields(Grapple)}
    others = {"strength", "sides", "squadrons", "ships", "grapples", "land", "officers", "grid"}
    assert set(record._BATTLE_PLAIN) == {one.name for one in fields(Battle)} - others
    assert set(record.to_dict(battle(ship()))) == {*record._BATTLE_PLAIN, *others, "schema"} - {"grid"}


@pytest.mark.clause("T.B1f")
def test_strengths_of_the_wind_are_written_as_numbers_calmest_first() -> None:
    assert [(one.name, one.value) for one in WindForce] == [
        ("CALM", 0),
        ("LIGHT", 1),
        ("MEDIUM", 2),
        ("STRONG", 3),
    ]
    for one in WindForce:
        doc = record.to_dict(battle(ship(), strength=one))
        assert (doc["strength"], record.from_dict(doc).strength) == (one.value, one)
