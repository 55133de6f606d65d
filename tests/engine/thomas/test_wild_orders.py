"""Battles under wild orders: whatever is ordered, the rules hold, every number is whole and every ship is accounted for."""

from __future__ import annotations

import random

import pytest

from battles.engine.core import plane
from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import DIE, Log
from battles.engine.rulesets.thomas import record, turn
from battles.engine.rulesets.thomas.events import KINDS
from battles.engine.rulesets.thomas.play import Course, Orders, Play
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from tests.engine.thomas.builders import battle, revenge, ship

COAST = (((-9_000, -14_000), (9_000, -14_000), (9_000, -11_000), (-9_000, -11_000)),)


def fleet(chance: random.Random) -> list[Ship]:
    ships: list[Ship] = []
    for n in range(12):
        side, make = ("E", ship) if n % 2 else ("S", revenge)
        while True:
            x, y = chance.randrange(-7_000, 7_000), chance.randrange(-9_000, 7_000)
            one = make(f"{side}{n}", x, y, chance.randrange(0, 36_000, 500), flot=chance.randrange(3, 23))
            if not any(plane.gap_within(one, other, 10) for other in ships):
                break
        if n in (2, 5):
            one.kind, one.oar_speed, one.oar_turn = Kind.GALLEASSE, 5_000, 9_000
        ships.append(one)
    return ships


def wild(chance: random.Random, made: Battle) -> dict[str, Orders]:
    codes = list(made.ships)
    return {
        code: Orders(
            course=Course(
                chance.randrange(-20_000, 20_000), chance.randrange(-1_000, 9_000), chance.randrange(-20_000, 20_000),
                boats=chance.random() < 0.3, heave_to=chance.random() < 0.1, raise_sail=chance.random() < 0.2,
                cut_cable=chance.random() < 0.5, take_in_tow=chance.choice(codes),
            ),
            to_oars=chance.random() < 0.3, board=tuple(codes), gunners=chance.randrange(9),
            alongside=chance.choice(["board", "cut", "hold"]),
            strike=chance.random() < 0.05, dishonour=chance.random() < 0.2, save=chance.random() < 0.5,
        )
        for code in codes
    }  # fmt: skip


@pytest.mark.clause("T.B4b", "T.B4g", "T.S19")
@pytest.mark.parametrize("seed", range(12))
def test_wild_orders_break_nothing(seed: int) -> None:
    chance = random.Random(seed)
    log = Log()
    made = battle(
        *fleet(chance), move=0, start=360, nelson=seed % 2 == 1, land=COAST, wind_from=chance.randrange(0, 36_000, 4_500),
        strength=WindForce(seed % 4),
    )  # fmt: skip
    start = set(made.ships)
    played = Play(dice=KeyedDice(str(seed).encode(), log=log), log=log)
    while not made.ended:
        played.orders = wild(chance, made)
        turn.play_move(made, played)
        assert set(made.ships) == start
        for one in made.ships.values():
            whole(made, one)
        made = record.from_dict(record.to_dict(made))
    assert made.move <= 10
    assert {event.kind for event in log.events} - {DIE} <= KINDS.keys()


def whole(made: Battle, one: Ship) -> None:
    """What must be true of every ship after every move."""
    assert 0 <= one.flot <= one.flot_max
    assert (one.flot > 0) or one.status in (Status.SUNK, Status.FOUNDERED)
    assert min(one.crew_halves, one.captive_halves, one.guard_halves) >= 0
    assert 0 <= one.heading < plane.FULL
    assert 0 <= one.masts_lost <= one.masts
    assert isinstance(one.x, int)
    assert isinstance(one.y, int)
    for link in one.grapples:
        assert link in made.grapples
        assert made.ships[link.other(one.id)].afloat
    if one.towing:
        assert made.ships[one.towing].towed_by == one.id
    assert one.afloat or not one.grapples
