"""What the log says of night and of batteries lost, with the clause of each; and the line of fire far from the middle of the table."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import arcs, burning, clock, damage, securing, survivors
from battles.engine.rulesets.thomas.play import Orders, Play
from battles.engine.rulesets.thomas.ships import Status
from tests.engine.thomas.builders import battle, play, revenge, ship


def told(played: Play) -> list[tuple[str, str, str, dict[str, Any]]]:
    """All that was logged but dice: kind, clause, ship, data."""
    assert played.log is not None
    return [
        (one.kind, one.clause, one.ship, dict(one.data)) for one in played.log.events if one.kind != "die"
    ]


@pytest.mark.clause("T.C4", "T.C5")
@pytest.mark.parametrize(("by_night", "clause", "why"), [(False, "T.C4", ""), (True, "T.C5", "night_action")])
def test_nightfall_is_logged_under_the_rule_that_decides_it(by_night: bool, clause: str, why: str) -> None:
    made = battle(ship("E1"), revenge("S1", y=9_000), start=1_260, options={"night_action": by_night})
    played = play()
    clock.nightfall(made, played)
    assert told(played) == [("night", clause, "", {"fights_on": by_night, "why": why})]


@pytest.mark.clause("T.B11", "T.O7a")
@pytest.mark.parametrize(("hit", "clause", "why"), [(True, "T.B11", "hit"), (False, "T.O7a", "overboard")])
def test_a_battery_lost_is_logged_as_hit_or_thrown_overboard(hit: bool, clause: str, why: str) -> None:
    one, firer = ship("E1"), revenge("S1", x=5_000)
    played = play()
    damage.lose_battery(battle(one, firer), played, one, firer if hit else None)
    (lost,) = [gun for gun in one.batteries if gun.lost]
    data = {"gun": lost.gun.value, "group": lost.arc.value, "half": False, "why": why}
    assert told(played) == [("battery", clause, "E1", data)]


@pytest.mark.clause("T.B10e")
@pytest.mark.parametrize(
    ("firer", "target", "between", "hidden"),
    [
        ((90_000, -30_000), (90_000, -20_000), (90_000, -25_000), True),
        ((90_000, -30_000), (98_000, -30_000), (94_000, -30_000), True),
        ((-30_000, 90_000), (-24_000, 98_000), (-27_000, 94_000), True),
        ((90_000, -30_000), (90_000, -20_000), (92_000, -25_000), False),
        ((90_000, -30_000), (98_000, -30_000), (94_000, -28_000), False),
    ],
)
def test_a_hull_across_the_line_hides_the_target_anywhere_on_the_plane(
    firer: tuple[int, int], target: tuple[int, int], between: tuple[int, int], hidden: bool
) -> None:
    one, other, third = ship("E1", *firer), revenge("S1", *target), ship("E2", *between)
    assert arcs.masked(battle(one, other, third), one, other) is hidden


@pytest.mark.clause("T.O5h")
def test_friends_saved_from_the_water_are_distinguished_from_enemies() -> None:
    sunk, one, enemy = ship("E2", status=Status.SUNK, crew_halves=52), ship("E1"), revenge("S1", x=1_000)
    played = play(orders={"E1": Orders(save=True), "S1": Orders(save=True)})
    played.sinking.append(sunk)
    survivors.claim(battle(sunk, one, enemy), played)
    assert told(played) == [("saved", "T.O5h", "E1", {"from": "E2", "friends": 13, "enemies": 0})]
    assert (one.crew_halves, one.captive_halves, enemy.captive_halves) == (146, 0, 0)


@pytest.mark.clause("T.C17", "T.N3")
def test_each_round_of_a_fire_after_the_battle_has_its_own_dice() -> None:
    one = ship("E1", on_fire=True)
    played = play(1, 2, 5)
    burning.burn_out(battle(one, move=9), played)
    assert played.log is not None
    keys = [event.data["key"] for event in played.log.events if event.kind == "die"]
    assert keys == ["/T.N3/9/E1/1", "/T.N3/9/E1/2", "/T.N3/9/E1/3"]
    assert told(played) == [
        ("burns", "T.N3", "E1", {"fails": 1}),
        ("burns", "T.N3", "E1", {"fails": 2}),
        ("fire_out", "T.N3", "E1", {}),
    ]


@pytest.mark.clause("T.O6d", "T.O6a")
@pytest.mark.parametrize(
    ("change", "secured"),
    [({}, True), ({"struck": True}, False), ({"prize_of": "ENG", "side": "SPA"}, False)],
    ids=["fights", "has struck", "is a prize"],
)
def test_only_a_ship_that_fights_secures_a_prize(change: dict[str, Any], secured: bool) -> None:
    one = ship("E1", **change)
    prize = revenge("S1", x=300, struck=True, captor_side="ENG")
    securing.first_secures(battle(one, prize), play())
    assert prize.secured is secured
