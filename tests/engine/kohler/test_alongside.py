"""Gunfire among ships that share a hex. Rules: K.F7, K.F17, K.B12, T9, K.E27."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler.arcs import side_towards
from battles.engine.rulesets.kohler.state import LockKind
from tests.engine.kohler.builders import battle, events, ship
from tests.engine.kohler.guns import enemy, fire

T9 = {
    "port": ("starboard", "starboard", "port", "port", "port", "starboard"),
    "starboard": ("port", "port", "starboard", "starboard", "starboard", "port"),
}


@pytest.mark.clause("K.F7", "K.E27")
@pytest.mark.parametrize("lies", ["port", "starboard"])
@pytest.mark.parametrize("k", range(6))
@pytest.mark.parametrize("turned", [0, 2])
def test_broadsides_bear_correctly_in_a_shared_hex(lies: str, k: int, turned: int) -> None:
    attacker, defender = ship(facing=turned), enemy(facing=(turned + k) % 6)
    attacker.placement["D1"] = lies
    assert side_towards(attacker, defender) == T9[lies][k]
    assert side_towards(defender, attacker) == lies


@pytest.mark.clause("K.E27", "K.F7")
@pytest.mark.parametrize(("facing", "side"), [(0, "starboard"), (3, "port")])
def test_ships_side_by_side_fire_one_broadside_each_at_short_range_without_a_rake(
    facing: int, side: str
) -> None:
    attacker, defender = ship(facing=facing), enemy(facing=0, fire_track=(8, 6, 4, 2))
    attacker.placement["D1"] = "port"
    shots = events(fire(battle(attacker, defender), 6, 6), "fire")
    told = [(e.ship, e.data["side"], e.data["range"], e.data["mods"]) for e in shots]
    assert told == [("E1", side, 0, [["short", -1]]), ("D1", "port", 0, [["short", -1]])]


@pytest.mark.clause("K.B12", "K.F7")
@pytest.mark.parametrize(("die", "side"), [(3, "port"), (4, "starboard")])
def test_when_no_one_has_thrown_the_later_arrival_is_placed_as_the_attacker(die: int, side: str) -> None:
    there, comer = ship(facing=0), enemy(facing=0)
    played = fire(battle(there, comer), die, 6)
    assert comer.placement == {"E1": side} and there.placement == {}
    assert events(played, "fire")[0].data["side"] == side
    again = fire(battle(there, comer), 6)
    assert not events(again, "placing"), "kept while they lie together"


@pytest.mark.clause("K.B12", "K.F7")
@pytest.mark.parametrize("attacker", ["E1", "D1"])
def test_the_known_attacker_stays_the_attacker_whoever_entered_the_hex_first(
    attacker: str,
) -> None:
    fight = battle(ship(facing=0), enemy(facing=0))
    defender = "D1" if attacker == "E1" else "E1"
    fight.ships[attacker].placement[defender] = ""
    placed = events(fire(fight, 3, 6), "placing")
    assert [(event.ship, event.data["target"]) for event in placed] == [(attacker, defender)]
    assert fight.ships[attacker].placement == {defender: "port"} and not fight.ships[defender].placement


@pytest.mark.clause("K.F17", "K.B12", "K.B30")
@pytest.mark.parametrize(("die", "free"), [(3, "starboard"), (4, "port")])
def test_a_grappled_ship_fires_only_the_broadside_away_from_her_opponent_and_not_into_her_own_hex(
    die: int, free: str
) -> None:
    defender, attacker = ship(facing=0, fire_track=(8, 6, 4, 2)), enemy(facing=0)
    others = [enemy(id="D2", pos=(-2, 0)), enemy(id="D3", pos=(2, 0))]
    fight = battle(defender, attacker, *others)
    fight.hold(LockKind.GRAPPLE, attacker, defender)
    shots = events(fire(fight, die, 6), "fire")
    assert [(e.ship, e.data["side"]) for e in shots] == [("E1", free)]
    assert shots[0].data["target"] == ("D3" if free == "starboard" else "D2")
    assert attacker.placement == {"E1": "port" if die == 3 else "starboard"}


@pytest.mark.clause("K.F17")
def test_a_ship_grappled_on_both_sides_fires_nothing() -> None:
    held = ship(facing=0)
    one, two = enemy(facing=0), enemy(id="D2", facing=0)
    fight = battle(held, one, two, enemy(id="D3", pos=(2, 0)), enemy(id="D4", pos=(-2, 0)))
    for other in (one, two):
        fight.hold(LockKind.GRAPPLE, other, held)
    assert not events(fire(fight, 3, 4), "fire")


@pytest.mark.clause("K.F17")
def test_a_tangled_ship_fires_normally() -> None:
    one, two = ship(facing=0), ship(id="E2", facing=0, fire_track=(0,) * 4)
    fight = battle(one, two, enemy(pos=(2, 0)))
    fight.hold(LockKind.TANGLE, one, two)
    assert len(events(fire(fight, 6), "fire")) == 1
