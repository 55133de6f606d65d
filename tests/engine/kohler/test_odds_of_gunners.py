"""How gunners weigh one target against another. Rule: K.AI7."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler.state import Battle, Ship
from tests.engine.kohler.builders import battle, events, ship
from tests.engine.kohler.guns import enemy, fire

# Eleven points at Short range: 5, 4, 3, 3, 2 and 2 hits by the die, 19 sixths of a hit expected.
BATTERY = {"facing": 0, "fire_track": (22, 16, 10, 4)}


def targets(fight: Battle, shots: int) -> list[str]:
    """Whom the first ships of the battle fire at, one shot each."""
    return [str(event.data["target"]) for event in events(fire(fight, *[6] * shots), "fire")]


def choice(one: Ship, two: Ship, **over: object) -> str:
    """Whom a lone ship fires at of two that are nearly alike."""
    fight = battle(ship(**{**BATTERY, **over}), one, two)
    for row in (one, two):
        row.is_flagship = False
    (chosen,) = targets(fight, 1)
    return chosen


@pytest.mark.clause("K.AI7")
@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ({}, {}, "D1"),
        # the same guns cross a step of a smaller hull sooner
        ({"band": 80, "guns": 80}, {"band": 40, "guns": 40}, "D2"),
        ({"band": 40, "guns": 40}, {"band": 80, "guns": 80}, "D1"),
        # fewer steps are longer ones
        ({"n_steps": 2}, {"n_steps": 4}, "D2"),
        # a small target is harder to hit
        ({"small": True}, {}, "D2"),
        # a 60 is taken to have 27 points, a 70 to have 30
        ({"band": 60, "guns": 60}, {"band": 70, "guns": 70}, "D1"),
        ({"band": 70, "guns": 70}, {"band": 60, "guns": 60}, "D2"),
    ],
)
def test_the_ship_whose_step_is_crossed_soonest_is_chosen_of_equally_near_ones(
    first: dict[str, object], second: dict[str, object], chosen: str
) -> None:
    assert (
        choice(enemy(**{"pos": (1, 0), **first}), enemy(**{"id": "D2", "pos": (1, -1), **second})) == chosen
    )


@pytest.mark.clause("K.AI7")
def test_distance_counts_before_the_next_step_and_that_before_the_flag() -> None:
    near, far = enemy(pos=(1, 0), band=100, guns=100), enemy(id="D2", pos=(2, -1), band=20, guns=20)
    fight = battle(ship(**BATTERY), near, far)
    near.is_flagship, far.is_flagship = False, True
    assert targets(fight, 1) == ["D1"]
    big = enemy(pos=(1, 0), band=80, guns=80)
    small = enemy(id="D2", pos=(1, -1), band=40, guns=40)
    fight = battle(ship(**BATTERY), big, small)
    big.is_flagship, small.is_flagship = True, False
    assert targets(fight, 1) == ["D2"]


def crowd(shots: int, **over: object) -> list[str]:
    """Whom so many ships of a battery in one hex fire at: a hurt ship beside, a whole one a hex farther on."""
    hurt = enemy(**{"pos": (1, 0), "facing": 3, "band": 50, "guns": 52, "steps_lost": 3, **over})
    whole = enemy(id="D2", pos=(2, -1), facing=3)
    guns = [ship(id=f"E{n}", **BATTERY) for n in range(shots)]
    return targets(battle(*guns, hurt, whole), shots)


@pytest.mark.clause("K.AI7")
@pytest.mark.parametrize(
    ("steps_lost", "guns", "band", "enough"),
    [
        # The guess for a Dutch 50 is a hull of 23: one step of four is 34.5 sixths of a hit, two are 69, all four 138.
        (3, 52, 50, 2),
        (2, 52, 50, 4),
        (0, 52, 50, 8),
        # a Dutch 80: 33 points, 49.5 sixths a step
        (3, 80, 80, 3),
        (2, 80, 80, 6),
        # a 40: 20 points, 30 a step
        (3, 44, 40, 2),
        (2, 44, 40, 4),
    ],
)
def test_guns_move_to_the_next_ship_once_enough_are_aimed_at_the_first(
    steps_lost: int, guns: int, band: int, enough: int
) -> None:
    found = crowd(enough + 1, steps_lost=steps_lost, guns=guns, band=band)
    assert found == [*["D1"] * enough, "D2"]
