"""Whole battles under wild orders: whatever is ordered, the board stays in order."""

from __future__ import annotations

import random

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Log
from battles.engine.rulesets.kohler import record, turn
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Status, WindForce
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship

TURNS = 20


class WildCaptain:
    """Orders anything, boards and parts by the toss of a coin, and is quick to fire his fire ships."""

    name = "wild"

    def __init__(self, chance: random.Random, sea: Battle, side: str) -> None:
        self._chance = chance
        self._sea = sea
        self._side = side

    def begin_turn(self, view: View) -> None:
        pass

    def fire_ships(self, view: View) -> tuple[str, ...]:
        own = [one for one in self._sea.ships.values() if one.is_fireship and one.flag == self._side]
        return tuple(one.id for one in own if self._chance.random() < 0.2)

    def ship_order(self, view: View, squadron: str, ships: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._chance.sample(ships, len(ships)))

    def tokens(self, view: View, code: str) -> tuple[str, ...]:
        here = self._sea.at.get(self._sea.ships[code].pos, [])
        beside = [other.id for other in here if other.flag != self._side]
        if beside and self._chance.random() < 0.7:
            return (f"G:{beside[0]}",)
        words = ["A", "A", "A", "A", "P", "S", "TP", "TS", "W1", "G:D1", "G:E0"]
        return tuple(self._chance.choice(words) for _ in range(self._chance.randint(0, 6)))

    def boards(self, view: View, code: str, enemy: str) -> bool:
        return self._chance.random() < 0.5

    def parts(self, view: View, code: str, enemy: str) -> bool:
        return self._chance.random() < 0.5

    def targets(self, view: View, code: str) -> dict[str, str]:
        return {}


def melee(chance: random.Random) -> Battle:
    """Two fleets thrown together within four hexes, often among shoals and near the edge of the map."""
    cells = [(q, r) for q in range(-4, 5) for r in range(-4, 5)]
    chance.shuffle(cells)
    ships = []
    for n in range(chance.randint(4, 36)):
        side = ("ENG", "DUT")[n if n < 2 else chance.randrange(2)]
        handy = chance.random() < 0.3
        ships.append(
            ship(
                id=f"{side[0]}{n}",
                side=side,
                squadron=f"{side}-{n % 2}",
                pos=cells.pop(),
                facing=chance.randrange(6),
                handy=handy,
                unhandy=not handy and chance.random() < 0.3,
                fast=chance.random() < 0.3,
                deep=chance.random() < 0.7,
                is_fireship=chance.random() < 0.2,
                band=chance.choice((0, 30, 50, 70)),
            )
        )
    return battle(
        *ships,
        turn=0,
        last_turn=TURNS,
        wind=chance.randrange(6),
        strength=WindForce(chance.randrange(4)),
        land=frozenset(cells.pop() for _ in range(2)),
        shoal=frozenset(cells.pop() for _ in range(chance.choice((0, 6)))),
        edges=chance.choice((None, (-9, -9, 9, 9))),
    )


def assert_in_order(sea: Battle) -> None:
    """The index agrees with positions, locks hold two ships in one hex, and nobody lies beside a ship that is elsewhere."""
    aboard = [one for one in sea.ships.values() if one.status in (Status.AFLOAT, Status.SINKING)]
    assert sorted(one.id for group in sea.at.values() for one in group) == sorted(one.id for one in aboard)
    assert all(one.pos == cell for cell, group in sea.at.items() for one in group)
    for lock in sea.locks:
        a, b = sea.ships[lock.a], sea.ships[lock.b]
        assert a.pos == b.pos and lock in a.locks and lock in b.locks
    assert sum(len(one.locks) for one in sea.ships.values()) == 2 * len(sea.locks)
    for one in aboard:
        assert all(sea.ships[code].pos == one.pos for code in one.placement)


@pytest.mark.clause("K.M31", "K.B12", "K.0.4")
@pytest.mark.parametrize("seed", range(12))
def test_no_orders_leave_the_board_in_disorder(seed: int) -> None:
    chance = random.Random(seed)
    sea = melee(chance)
    log = Log()
    played = Play(
        dice=KeyedDice(str(seed).encode(), log=log),
        log=log,
        captains={side: WildCaptain(chance, sea, side) for side in sea.sides},
        views={side: View(sea, side) for side in sea.sides},
    )
    while not sea.ended:
        turn.play_turn(sea, played)
        assert_in_order(sea)
        stored = record.to_dict(sea)
        assert record.to_dict(record.from_dict(stored)) == stored
    assert sea.turn <= TURNS
    assert {"moved", "refused", "fire"} <= {event.kind for event in log.events}
