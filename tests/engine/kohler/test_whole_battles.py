"""Whole battles: the state stays sound at every turn's end, in any weather, over shoals, under good orders and bad ones."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, KeyedDice
from battles.engine.core.log import Log
from battles.engine.core.ruleset import ShipOrder
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.rulesets.kohler.rules import RULES
from battles.engine.rulesets.kohler.state import Battle, LockKind, Status
from tests.engine.kohler.scenarios import document
from tests.support.fleets import four_days_first_day

_WORDS = ("A", "A", "A", "P", "S", "TP", "TS", "W0", "W3", "G:D1", "G:E1", "X")


def assert_sound(sea: Battle) -> None:
    """The index holds whoever is on the board, holds are held at both ends, hull and steps agree."""
    here = [one.id for cell in sea.at.values() for one in cell]
    assert sorted(here) == sorted(
        o.id for o in sea.ships.values() if o.status in (Status.AFLOAT, Status.SINKING)
    )
    assert all(cell and all(one.pos == place for one in cell) for place, cell in sea.at.items())
    for lock in sea.locks:
        ends = [sea.ships[lock.a], sea.ships[lock.b]]
        assert all(lock in one.locks for one in ends) and ends[0].pos == ends[1].pos
        assert all(one.afloat for one in ends) or lock.kind is LockKind.TANGLE
    for one in sea.ships.values():
        lost = one.hits_struct + one.hits_board
        assert all(lock in sea.locks for lock in one.locks)
        assert one.steps_lost == sum(lost >= threshold for threshold in one.thresholds)
        assert one.hull_left > 0 if one.afloat else lost <= one.hull_max


def waters(chance: random.Random) -> Scenario:
    """A scenario in weather and waters drawn by lot, fire ships among the rest, sometimes with a squadron to come."""
    doc: dict[str, Any] = document(
        english=chance.randint(1, 9),
        dutch=chance.randint(1, 9),
        gap=chance.randint(2, 10),
        options=chance.choice([{}, {"disorder": False}, {"boarding_round": "down", "half_points": "upper"}]),
        wind={
            "towards": chance.randrange(360),
            "strength": chance.choice(["still", "light", "moderate", "strong"]),
        },
        edges=chance.choice([None, [-14, -14, 14, 14]]),
        **{
            name: [[chance.randint(-15, 15), chance.randint(-15, 15)] for _ in range(40)]
            for name in ("land", "shoal")
        },
    )
    for side in doc["sides"]:
        side["captain"] = chance.choice(["plain", "squadron"])
        for row in side["squadrons"][0]["ships"]:
            row["facts"] = {
                "nation": side["nation"],
                "guns": chance.choice([10, 20, 34, 44, 52, 60, 76, 100]),
            }
            if chance.random() < 0.2:
                row["facts"] |= {"ship_type": "fireship", "guns": 8}
    if chance.random() < 0.4:
        late = [{"id": f"L{n}", "name": f"Late {n}", "facts": {"nation": "England"}} for n in range(3)]
        squadron = {
            "id": "late",
            "name": "late",
            "flagship": "L0",
            "arrives": chance.randint(1, 9),
            "ships": late,
        }
        doc["sides"][0]["squadrons"].append(squadron | {"edge": chance.randrange(360)})
    return read_scenario(doc)


def some_orders(sea: Battle, chance: random.Random) -> dict[str, ShipOrder]:
    """Orders drawn by lot for a third of the ships: good, illegal and unreadable ones."""
    rows = {}
    for code in sea.ships:
        if chance.random() < 0.3:
            words = [chance.choice(_WORDS) for _ in range(chance.randint(0, 4))]
            rows[code] = ShipOrder(code, " ".join(words) + chance.choice(["", " | port>D1 board:E1", " ?"]))
    return rows


@pytest.mark.clause("K.T1", "K.G9", "K.M31", "K.0.7", "K.S1")
@pytest.mark.parametrize("seed", range(24))
def test_a_battle_stays_sound_in_any_waters_under_any_orders(seed: int):
    chance = random.Random(seed)
    dice = KeyedDice(str(seed).encode(), prefix="T", log=Log())
    sea = RULES.begin(waters(chance), dice, dice.log)
    assert_sound(sea)
    captains = {code: RULES.captains[side.captain](side.doctrine) for code, side in sea.sides.items()}
    while not RULES.over(sea):
        sea = RULES.advance(sea, some_orders(sea, chance), captains, dice, dice.log)
        assert_sound(sea)
    outcome = RULES.outcome(sea)
    assert [one.ship for one in outcome.ships] == list(sea.ships)
    assert not sea.locks and not any(one.fires or one.gun_timers for one in sea.ships.values() if one.afloat)


@pytest.mark.clause("K.G9", "K.G26")
def test_the_first_of_the_four_days_is_fought_from_the_register_to_its_end():
    scenario = four_days_first_day()
    sea = RULES.play(scenario, FastDice(1666))
    outcome = RULES.outcome(sea)
    assert len(outcome.ships) == sum(1 for _ in scenario.ships()) > 140
    assert outcome.minutes == 30 * outcome.turns <= 15 * 60
    assert_sound(sea)
    lost = Counter(one.side for one in outcome.ships if one.fate.value != "afloat")
    assert len(lost) == 2, "a battle of this size costs both sides ships"


_FINGERPRINT = """
import hashlib, random
from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Log
from battles.engine.rulesets.kohler.rules import RULES
from tests.engine.kohler.test_whole_battles import waters

for seed in range(30, 42):
    log = Log()
    RULES.play(waters(random.Random(seed)), KeyedDice(b"seed", prefix="T", log=log), log)
    print(hashlib.sha256(repr(log.events).encode()).hexdigest())
"""


@pytest.mark.clause("G.FA1", "K.0.5")
def test_the_log_is_the_same_when_the_program_is_started_again():
    """Nothing may depend on the order of a set: a worker's battle is verified elsewhere."""
    prints = [
        subprocess.run(
            [sys.executable, "-c", _FINGERPRINT],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(Path(__file__).resolve().parents[3]),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert len(prints[0].split()) == 12
    assert prints[0] == prints[1]
