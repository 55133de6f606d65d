from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler.lots import drift_lot, lot_of, universal_drift
from battles.engine.rulesets.kohler.sailing import activate
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status, WindForce
from tests.engine.kohler.builders import battle, events, play, ship


def tangled(*, turn: int = 2, strength: WindForce = WindForce.NORMAL) -> tuple[Battle, Ship, Ship]:
    """Two friends fouled in turn 1."""
    one, friend = ship(facing=2), ship(id="E2", facing=2)
    sea = battle(one, friend, strength=strength)
    sea.hold(LockKind.TANGLE, one, friend)
    sea.turn = turn
    return sea, one, friend


def act(sea: Battle, one: Ship, orders: str, *faces: int) -> None:
    played = play(*faces, orders={one.id: orders})
    activate(sea, played, one)
    played.dice.finish()


@pytest.mark.clause("K.E28", "K.M26", "K.M28")
def test_a_fouled_pair_throws_once_a_turn_to_part_and_drifts_until_then() -> None:
    sea, one, friend = tangled()
    act(sea, one, "A", 3)
    assert one.pos == friend.pos == (0, 1) and one.locks
    act(sea, friend, "A")
    assert friend.pos == (0, 1)
    sea.turn, one.acted, friend.acted = 3, False, False
    act(sea, friend, "A", 4)
    assert not sea.locks and (friend.pos, one.pos) == ((1, 1), (0, 1))
    act(sea, one, "A P")
    assert (one.pos, one.facing) == ((0, 2), 2)


@pytest.mark.clause("K.M25", "K.M26", "K.M28")
def test_in_the_turn_of_fouling_there_is_no_throw_and_no_drift() -> None:
    sea, one, friend = tangled(turn=1)
    act(sea, friend, "A")
    assert one.pos == friend.pos == (0, 0)


@pytest.mark.clause("K.M26")
def test_a_ship_in_two_tangles_needs_both_cleared() -> None:
    sea, one, friend = tangled()
    third = ship(id="E3")
    sea.ships["E3"] = third
    sea.place(third)
    sea.hold(LockKind.TANGLE, third, one).formed = 1
    act(sea, one, "A", 4, 3)
    assert one.pos == third.pos == (0, 1) and friend.pos == (0, 0)
    assert not friend.locks and [lock.b for lock in one.locks] == ["E1"]


@pytest.mark.clause("K.M28", "K.A2.6")
@pytest.mark.parametrize(
    ("strength", "pos"), [(WindForce.LIGHT, (0, 0)), (WindForce.NORMAL, (0, 1)), (WindForce.STRONG, (0, 1))]
)
def test_a_grappled_group_drifts_once_a_turn_from_the_next_turn(
    strength: WindForce, pos: tuple[int, int]
) -> None:
    one, enemy = ship(), ship(id="D1", side="DUT")
    sea = battle(one, enemy, strength=strength)
    sea.hold(LockKind.GRAPPLE, one, enemy)
    act(sea, one, "")
    assert one.pos == (0, 0)
    sea.turn, one.acted = 2, False
    act(sea, one, "")
    act(sea, enemy, "")
    assert one.pos == enemy.pos == pos


@pytest.mark.clause("K.M28")
def test_a_drifting_group_fouls_no_one() -> None:
    sea, one, friend = tangled()
    other = ship(id="E3", pos=(0, 1))
    sea.ships["E3"] = other
    sea.place(other)
    act(sea, one, "", 3)
    assert one.pos == friend.pos == other.pos
    assert not other.locks and other.stacked


@pytest.mark.clause("K.M28", "K.X8")
def test_a_burning_fire_ship_in_a_drifting_group_strikes_the_ship_it_meets() -> None:
    fire_ship, target = ship(id="E9", fired=True), ship(id="D1", side="DUT")
    other = ship(id="D2", side="DUT", pos=(0, 1))
    sea = battle(fire_ship, target, other)
    sea.hold(LockKind.FIRE_SHIP, fire_ship, target)
    sea.turn = 2
    played = play(4, 2)
    drift_lot(sea, played, fire_ship)
    played.dice.finish()
    assert other.fires == [2] and other.locks


@pytest.mark.clause("K.M26", "K.A2.7")
def test_a_ship_fouled_with_a_wreck_does_not_drift_at_her_activation() -> None:
    one, wreck = ship(), ship(id="E2", status=Status.SINKING)
    sea = battle(one, wreck)
    sea.hold(LockKind.TANGLE, one, wreck)
    sea.turn = 2
    act(sea, one, "A", 3)
    assert one.pos == (0, 0)


@pytest.mark.clause("K.M28")
def test_a_group_is_all_ships_held_together_in_list_order() -> None:
    ships = [ship(id=f"E{n}") for n in range(4)]
    sea = battle(*ships)
    sea.hold(LockKind.TANGLE, ships[3], ships[1])
    sea.hold(LockKind.TANGLE, ships[0], ships[3])
    assert lot_of(sea, ships[1]) == [ships[0], ships[1], ships[3]]
    assert lot_of(sea, ships[2]) == [ships[2]]


@pytest.mark.clause("K.E10", "K.A2.7", "K.M29", "K.M12")
def test_in_strong_wind_all_drift_at_first_and_idle_ships_once_more() -> None:
    hove_to, reaching = ship(facing=0), ship(id="E2", facing=2, pos=(5, 0))
    sea = battle(hove_to, reaching, strength=WindForce.STRONG)
    played = play(orders={"E2": "A A A A"})
    universal_drift(sea, played)
    assert (hove_to.pos, reaching.pos) == ((0, 1), (5, 1))
    assert [event.ship for event in events(played, "drifted")] == ["E1", "E2"]
    activate(sea, played, hove_to)
    activate(sea, played, reaching)
    assert (hove_to.pos, reaching.pos) == ((0, 2), (9, 1))


@pytest.mark.clause("K.A2.7", "K.D12")
def test_wrecks_and_groups_are_carried_too_and_no_one_collides() -> None:
    one, friend = ship(facing=2), ship(id="E2", pos=(0, 1))
    wreck = ship(id="D1", side="DUT", pos=(0, 2), status=Status.SINKING)
    sea = battle(one, friend, wreck, strength=WindForce.STRONG)
    universal_drift(sea, play())
    assert [one.pos, friend.pos, wreck.pos] == [(0, 1), (0, 2), (0, 3)]
    assert sea.at == {(0, 1): [one], (0, 2): [friend], (0, 3): [wreck]}


@pytest.mark.clause("K.A2.7", "K.M29")
@pytest.mark.parametrize("strength", [WindForce.STILL, WindForce.LIGHT, WindForce.NORMAL])
def test_there_is_no_universal_drift_in_lesser_winds(strength: WindForce) -> None:
    one = ship()
    universal_drift(battle(one, strength=strength), play())
    assert one.pos == (0, 0)


@pytest.mark.clause("K.G13", "K.A2.7")
def test_in_strong_wind_a_ship_aground_stays_and_works_herself_to_pieces() -> None:
    one, held, free = ship(aground=True), ship(id="D1", side="DUT"), ship(id="D2", side="DUT")
    one.placement["D2"] = "port"
    sea = battle(one, held, free, strength=WindForce.STRONG)
    sea.hold(LockKind.GRAPPLE, one, held)
    universal_drift(sea, play())
    assert [one.pos, held.pos, free.pos] == [(0, 0), (0, 0), (0, 1)]
    assert (one.hits_struct, held.hits_struct) == (1, 0)
    assert not one.placement


@pytest.mark.clause("K.A2.7", "K.M32", "K.G13")
def test_ships_driven_over_the_edge_or_ashore_by_the_strong_wind_are_lost() -> None:
    gone, wrecked, grounded = ship(), ship(id="E2", pos=(1, 0)), ship(id="E3", pos=(-1, 0))
    sea = battle(
        gone,
        wrecked,
        grounded,
        strength=WindForce.STRONG,
        edges=(-5, -5, 5, 1),
        land=frozenset({(1, 1)}),
        shoal=frozenset({(-1, 1)}),
    )
    universal_drift(sea, play())
    assert (gone.status, wrecked.status) == (Status.AFLOAT, Status.WRECKED)
    assert grounded.aground and grounded.came_from == (-1, 0)
    universal_drift(sea, play())
    assert gone.status is Status.GONE
    assert sea.at == {(-1, 1): [grounded]}


@pytest.mark.clause("K.M28", "K.G13")
def test_a_group_that_holds_a_ship_aground_does_not_drift() -> None:
    sea, one, friend = tangled()
    friend.aground = True
    act(sea, one, "", 3)
    assert one.pos == friend.pos == (0, 0)


@pytest.mark.clause("K.A2.7", "K.D12")
def test_a_wreck_that_was_aground_is_carried_and_loses_nothing_more() -> None:
    wreck, other = ship(aground=True, status=Status.SINKING), ship(id="E2", pos=(5, 0))
    played = play()
    universal_drift(battle(wreck, other, strength=WindForce.STRONG), played)
    assert (wreck.pos, other.pos, wreck.hits_struct) == ((0, 1), (5, 1), 0)
    assert [event.ship for event in events(played, "drifted")] == ["E1", "E2"]


@pytest.mark.clause("K.A2.7")
def test_ships_off_the_board_are_not_logged_as_drifting() -> None:
    gone, late = ship(status=Status.GONE), ship(id="E2", status=Status.EXPECTED)
    played = play()
    universal_drift(battle(gone, late, ship(id="E3"), strength=WindForce.STRONG), played)
    assert [event.ship for event in events(played, "drifted")] == ["E3"]


@pytest.mark.clause("K.A2.7", "K.B12", "K.M27")
def test_ships_parted_by_the_wind_forget_their_positions_and_those_brought_together_block_each_other() -> (
    None
):
    stays, carried = ship(aground=True, stacked=True), ship(id="E2", stacked=True)
    enemy, comer = ship(id="D1", side="DUT"), ship(id="E3", pos=(0, -1))
    enemy.placement["E1"] = enemy.placement["E2"] = "port"
    sea = battle(stays, carried, enemy, comer, strength=WindForce.STRONG)
    universal_drift(sea, play())
    assert [one.pos for one in (stays, carried, enemy, comer)] == [(0, 0), (0, 1), (0, 1), (0, 0)]
    assert enemy.placement == {"E2": "port"}
    assert [one.stacked for one in (stays, carried, comer)] == [True, False, True]


@pytest.mark.clause("K.M28", "K.X8", "K.B12")
@pytest.mark.parametrize("fired", ["E1", "D1"])
def test_when_a_drifting_group_and_a_burning_fire_ship_meet_no_one_is_placed_and_she_strikes(
    fired: str,
) -> None:
    one, friend = ship(), ship(id="E2", side="DUT" if fired == "E1" else "ENG")
    other = ship(id="D1", side="DUT", pos=(0, 1))
    sea = battle(one, friend, other)
    sea.ships[fired].fired = True
    sea.hold(LockKind.TANGLE, one, friend)
    sea.turn = 2
    played = play(4, 2) if fired == "E1" else play()
    drift_lot(sea, played, one)
    played.dice.finish()  # type: ignore[attr-defined]
    assert "D1" not in one.placement and "E1" not in other.placement
    struck = [other] if fired == "E1" else [one, friend]
    assert [ship.fires for ship in struck] == [[2]] * len(struck)
