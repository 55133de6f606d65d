"""Squadrons that begin at anchor: the switch `at_anchor`."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import FastDice, KeyedDice
from battles.engine.core.log import Log
from battles.engine.core.ruleset import ShipOrder
from battles.engine.rulesets.kohler import contact, lots, sailing, shore, wind
from battles.engine.rulesets.kohler.rules import RULES
from battles.engine.rulesets.kohler.state import Battle, LockKind, WindForce
from tests.engine.kohler.builders import battle, events, play, ship
from tests.engine.kohler.scenarios import document, scenario

ANCHORED = {"at_anchor": {"DUT-1": 3}}


def lying(*more: Any, **over: Any) -> Battle:
    """A Dutch ship at anchor until turn 3, head to wind."""
    dutch = ship(id="D1", side="DUT", facing=0)
    made = battle(dutch, *more, **over)
    made.options = ANCHORED
    return made


@pytest.mark.clause("K.S9")
def test_ships_at_anchor_begin_head_to_wind_whatever_heading_their_line_has() -> None:
    begun = RULES.begin(scenario(options={"disorder": False, "at_anchor": {"DUT-1": 4}}), FastDice(1))
    dutch = [one for one in begun.ships.values() if one.side == "DUT"]
    assert {begun.rel(one.facing) for one in dutch} == {0}
    assert {begun.rel(one.facing) for one in begun.ships.values() if one.side == "ENG"} == {2}


@pytest.mark.clause("K.M12", "K.M31")
def test_a_ship_at_anchor_neither_sails_nor_turns_nor_drifts() -> None:
    made = lying()
    for token in ("A", "P", "TS"):
        played = play(orders={"D1": token})
        made.ships["D1"].acted = False
        sailing.activate(made, played, made.ships["D1"])
        assert events(played, "refused")[0].data == {"token": token, "code": "anchored"}
    assert (made.ships["D1"].pos, made.ships["D1"].facing) == ((0, 0), 0)


@pytest.mark.clause("K.M15")
def test_from_the_given_turn_she_is_in_irons_and_adrift_like_any_other() -> None:
    made = lying(turn=3)
    played = play()
    sailing.activate(made, played, made.ships["D1"])
    assert made.ships["D1"].pos == (0, 1)


@pytest.mark.clause("K.W9")
def test_a_ship_at_anchor_swings_to_a_new_wind_and_is_not_caught_in_irons() -> None:
    made = lying(wind=4)
    played = play()
    wind.catch_in_irons(made, played)
    assert made.ships["D1"].facing == 1
    assert not made.ships["D1"].caught_in_irons
    assert events(played, "moved")[0].data["path"] == [[0, 0, 0], [0, 0, 1]]


@pytest.mark.clause("K.A2.7")
def test_a_strong_wind_moves_neither_a_ship_at_anchor_nor_a_ship_she_holds() -> None:
    made = lying(ship(id="E1"), ship(id="E2", pos=(4, 0)), strength=WindForce.STRONG)
    made.hold(LockKind.GRAPPLE, made.ships["E1"], made.ships["D1"])
    lots.universal_drift(made, play())
    assert [made.ships[code].pos for code in ("D1", "E1", "E2")] == [(0, 0), (0, 0), (4, 1)]
    assert made.ships["D1"].hull_left == 22


@pytest.mark.clause("K.B4", "K.X9", "K.I14")
@pytest.mark.parametrize("quality", ["", "handy", "unhandy"])
def test_a_ship_at_anchor_is_unhandy_and_without_the_initiative_whatever_she_is_under_sail(
    quality: str,
) -> None:
    fire_ship = ship(id="E1", is_fireship=True, fired=True, band=0, facing=3)
    boarder = ship(id="E2", group_init=1)
    made = lying(fire_ship, boarder)
    target = made.ships["D1"]
    target.group_init = 6
    if quality:
        setattr(target, quality, True)
    assert contact.modifiers(made, target, fire_ship) == contact.modifiers(made, target, boarder) == -1
    made.turn = 3
    under_sail = 1 + {"": 0, "handy": 1, "unhandy": -1}[quality]
    assert (
        contact.modifiers(made, target, fire_ship) == contact.modifiers(made, target, boarder) == under_sail
    )
    assert contact.has_initiative(made, boarder, target) is False


@pytest.mark.clause("K.X8", "K.X9")
@pytest.mark.parametrize(("faces", "struck"), [((3, 4), True), ((3, 5), False), ((2, 3), True)])
def test_a_fire_ship_strikes_a_ship_at_anchor_unless_she_beats_it_by_two(
    faces: tuple[int, int], struck: bool
) -> None:
    made = lying(ship(id="E1", is_fireship=True, fired=True, band=0, facing=3))
    assert contact.strike(made, play(*faces), made.ships["E1"], made.ships["D1"]) is struck
    assert bool(made.ships["D1"].locks) is struck


@pytest.mark.clause("K.M28")
def test_a_group_that_holds_a_ship_at_anchor_does_not_drift() -> None:
    made = lying(ship(id="E1"), turn=2)
    made.hold(LockKind.GRAPPLE, made.ships["E1"], made.ships["D1"]).formed = 1
    lots.drift_lot(made, play(), made.ships["E1"])
    assert made.ships["E1"].pos == (0, 0)


@pytest.mark.clause("K.X12")
def test_a_ship_struck_at_anchor_gets_clear_of_the_fire_ship_without_leaving_her_hex() -> None:
    fire_ship = ship(id="E1", is_fireship=True, fired=True, hull_max=4, n_steps=2, thresholds=(2, 4), band=0)
    made = lying(fire_ship, turn=2)
    made.hold(LockKind.FIRE_SHIP, fire_ship, made.ships["D1"]).formed = 1
    played = play(2, 5)
    sailing.activate(made, played, made.ships["D1"])
    assert not made.ships["D1"].locks
    assert made.ships["D1"].pos == (0, 0)


def test_a_prize_is_cut_out_and_a_fired_fire_ship_slips() -> None:
    made = lying()
    assert shore.at_anchor(made, made.ships["D1"])
    made.ships["D1"].prize_of = "ENG"
    assert not shore.at_anchor(made, made.ships["D1"])
    made.ships["D1"].prize_of, made.ships["D1"].fired = "", True
    assert not shore.at_anchor(made, made.ships["D1"])


def test_an_order_to_sail_is_refused_in_advance_with_a_sentence() -> None:
    begun = RULES.begin(scenario(options={"disorder": False, "at_anchor": {"DUT-1": 4}}), FastDice(1))
    found = RULES.faults(begun, "DUT", ShipOrder("D1", "A"))
    assert [(one.code, one.clause) for one in found] == [("order/anchored", "K.S9")]
    assert "at anchor" in found[0].text


@pytest.mark.parametrize("captain", ["plain", "squadron"])
def test_captains_give_ships_at_anchor_no_orders_until_they_may_sail(captain: str) -> None:
    doc = document(options={"disorder": False, "at_anchor": {"DUT-1": 4}})
    for side in doc["sides"]:
        side["captain"] = captain
    log = Log()
    RULES.play(
        scenario(sides=doc["sides"], options=doc["options"]),
        KeyedDice(b"at anchor", prefix="T", log=log),
        log,
    )
    dutch = [event for event in log.events if event.ship.startswith("D") and event.turn in (1, 2, 3)]
    assert not [event for event in dutch if event.kind == "refused" and event.data["code"] == "anchored"]
    assert all(
        len({tuple(row[:2]) for row in event.data["path"]}) == 1 for event in dutch if event.kind == "moved"
    )
    sailed = [event for event in log.events if event.ship.startswith("D") and event.kind == "moved"]
    assert any(len({tuple(row[:2]) for row in event.data["path"]}) > 1 for event in sailed if event.turn > 4)


def test_a_squadron_that_does_not_exist_cannot_lie_at_anchor() -> None:
    faults = RULES.scenario_faults(scenario(options={"at_anchor": {"NOBODY": 3, "DUT-1": 3}}))
    assert [fault.path for fault in faults] == ["options.at_anchor.NOBODY"]
    faults = RULES.scenario_faults(scenario(options={"at_anchor": {"DUT-1": 0}}))
    assert [fault.path for fault in faults] == ["options.at_anchor"]
