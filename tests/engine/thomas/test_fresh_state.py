"""What a ship, a squadron and a battle are before anything has happened to them."""

from __future__ import annotations

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas import record
from battles.engine.rulesets.thomas.card import Card, card
from battles.engine.rulesets.thomas.condition import Condition, sound
from battles.engine.rulesets.thomas.ships import Adrift, Battery, Grapple, Rig, Ship, Status
from battles.engine.rulesets.thomas.state import Battle, SideState, SquadronState
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind, WindForce
from tests.engine.thomas.builders import battle, ship


def test_unstated_facts_about_a_ship_are_nothing() -> None:
    one = Ship(
        id="E1", name="", side="E", squadron="E-1", nation="", kind=Kind.GALLEON, year=1588, tons=600, guns=48, length=1_000,
        beam=250, speed=5_000, turn=4_500, flot_max=30, crew_max=60, batteries=[],
    )  # fmt: skip
    numbers = (
        "oar_speed", "oar_turn", "complement", "crew_of_card", "flot", "crew_halves", "captive_halves", "guard_halves",
        "masts_lost", "thresholds_met", "jury_count", "fire_fails", "x", "y", "heading", "irons_since", "gunners", "struck_move",
        "hits_given", "hits_taken", "thresholds_due",
    )  # fmt: skip
    assert {name: getattr(one, name) for name in numbers} == dict.fromkeys(numbers, 0)
    assert (one.masts, one.masts_to_dismast, one.jury_since) == (3, 2, -1)
    assert (one.status, one.adrift, one.rig, one.deep) == (Status.AFLOAT, Adrift.NONE, Rig.SAIL, True)
    assert not one.has_oars and not one.under_oars and not one.grappled and one.fighting


def test_unstated_facts_about_a_squadron_grapple_or_battle_are_nothing() -> None:
    squadron = SquadronState("E-1", "", "E", ("E1",), "E1")
    assert (squadron.flag_bonus, squadron.arrives, squadron.edge) == (0, 0, None)
    one = Grapple("E1", "S1", 4)
    assert (one.attacker, one.fought, one.loosed, one.other("E1"), one.other("S1")) == ("", 0, 0, "S1", "E1")
    gun = Battery(Gun.LONG, Arc.PORT)
    assert not gun.half and not gun.lost
    sides = {"E": SideState("E", "", ""), "S": SideState("S", "", "")}
    sea = Battle("", 0, 720, 60, 0, None, WindForce.LIGHT, sides, {}, {}, {})
    assert (sea.spell_calm, sea.spell_quiet, sea.first, sea.moving, sea.land) == (0, 0, "", "", ())
    assert not sea.nelson and not sea.met and sea.ended == sea.held_field == ""


def test_documents_with_another_schema_are_refused() -> None:
    made = card(ShipFacts("England", "England", "galleon", guns=48, year_built=1559, tons_burthen=600))
    fit, sea = sound(made).to_dict(), record.to_dict(battle(ship("E1")))
    assert (made.to_dict()["schema"], fit["schema"], sea["schema"]) == (1, 1, 2)
    with pytest.raises(SchemaError, match="schema 2"):
        Card.from_dict({**made.to_dict(), "schema": 2})
    with pytest.raises(SchemaError, match="schema 2"):
        Condition.from_dict({**fit, "schema": 2})
    with pytest.raises(SchemaError, match="schema 1"):
        record.from_dict({**sea, "schema": 1})
