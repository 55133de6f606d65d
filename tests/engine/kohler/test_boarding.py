"""Boarding rounds, captures, partings, and boardings fought out after the battle."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import boarding
from battles.engine.rulesets.kohler.play import Orders, Play
from battles.engine.rulesets.kohler.state import Battle, Lock, LockKind, Ship
from tests.engine.kohler.builders import battle, events, play, ship

HOLD = {"E1": Orders(intents={"D1": True}), "D1": Orders(intents={"E1": True})}


def grappled(**over: int) -> tuple[Battle, Ship, Ship, Lock]:
    """An English and a Dutch ship in one hex, the English having grappled."""
    a = ship(id="E1", hull_max=22, **over)
    b = ship(
        id="D1",
        side="DUT",
        hull_max=12,
        thresholds=(4, 8, 12),
        n_steps=3,
        fire_track=(3, 2, 1),
        guns=36,
        band=30,
    )
    sea = battle(a, b)
    return sea, a, b, sea.hold(LockKind.GRAPPLE, a, b)


def fought(sea: Battle, *faces: int, orders: dict[str, Orders] | None = None) -> Play:
    """Phase 4b with just these dice."""
    played = play(*faces, orders=HOLD if orders is None else orders)
    boarding.rounds(sea, played)
    played.dice.finish()
    return played


@pytest.mark.clause("K.E21", "K.B15", "K.B16", "K.B18", "K.B19", "K.B20", "K.B21", "K.B22", "K.B24", "K.D13")
def test_three_rounds_take_a_smaller_ship_and_cost_the_winner_three_points():
    sea, a, b, _ = grappled()
    fought(sea, 4, 3, 5, 4)
    assert (a.hull_left, b.hull_left) == (21, 8)
    assert (b.hits_board, b.hits_struct, b.steps_lost, b.unchecked_steps) == (4, 0, 1, [1])
    sea.turn += 1
    fought(sea, 3, 3, 4, 4)
    assert (a.hull_left, b.hull_left) == (19, 2)
    sea.turn += 1
    played = fought(sea, 2, 3, 5, 5)
    assert (a.hull_left, b.prize_of, b.captor_ship) == (19, "ENG", "E1")
    assert (b.hull_left, b.steps_lost, b.afloat) == (12, 0, True)
    assert not sea.locks and not a.locks and not b.locks
    assert a.stacked and b.stacked
    assert [event.data["inflicted"] for event in events(played, "boarding")] == [2]


@pytest.mark.clause("K.B17")
def test_a_drawn_round_costs_nothing_and_they_stay_grappled():
    sea, a, b, lock = grappled(hits_struct=10)
    fought(sea, 4, 4, 4, 4)
    assert (a.hull_left, b.hull_left) == (12, 12)
    assert sea.locks == [lock] and not lock.lost


@pytest.mark.clause("K.B18", "K.B19")
@pytest.mark.parametrize(
    ("difference", "inflicted", "cost"), [(1, 1, 0), (2, 1, 0), (5, 3, 1), (6, 3, 1), (11, 6, 2), (23, 12, 4)]
)
def test_the_loser_loses_half_the_difference_and_the_winner_a_third_of_that(
    difference: int, inflicted: int, cost: int
):
    sea, a, b, _ = grappled()
    assert boarding.losses(sea, a, b, difference) == (inflicted, cost)


@pytest.mark.clause("K.B18")
def test_the_option_rounds_a_half_down():
    sea, a, b, _ = grappled()
    sea.options["boarding_round"] = "down"
    assert [boarding.losses(sea, a, b, d)[0] for d in (1, 2, 5)] == [0, 1, 2]


@pytest.mark.clause("K.B18", "K.B19")
def test_no_ship_loses_more_than_she_has_and_a_winner_keeps_the_last_point():
    sea, a, b, _ = grappled(hits_struct=21)
    b.hits_struct = 10
    assert boarding.losses(sea, a, b, 30) == (2, 0)
    b.hits_struct = 0
    assert boarding.losses(sea, a, b, 30) == (12, 0)


@pytest.mark.clause("K.E22", "K.B26", "K.B28", "K.B3")
def test_a_winner_who_lost_a_round_before_is_held_by_the_one_with_the_initiative():
    sea, a, b, lock = grappled()
    b.band = a.band
    b.group_init, a.group_init = 4, 3
    lock.lost["E1"] = 1
    played = play(4, 5)
    assert not boarding.parts(sea, played, lock, b, a)
    (contest,) = events(played, "contact")
    assert (contest.data["attacker"], contest.data["defender"]) == (5, 4)


@pytest.mark.clause("K.B26", "K.B27")
def test_the_winner_of_a_round_gets_clear_on_a_strictly_higher_throw():
    sea, a, b, _ = grappled(group_init=5)
    orders = {"E1": Orders(part={"D1": True}), "D1": Orders(part={"E1": False})}
    played = fought(sea, 5, 5, 2, 2, 3, 4, orders=orders)
    assert not sea.locks and a.pos == b.pos
    assert [event.data["kind"] for event in events(played, "freed")] == ["grapple"]


@pytest.mark.clause("K.B28", "K.B26")
def test_a_winner_that_fails_to_get_clear_stays_grappled_and_fights_another_round_next_turn():
    sea, _, _, lock = grappled(group_init=5, hits_struct=10)
    orders = {"E1": Orders(part={"D1": True}), "D1": Orders(part={"E1": False})}
    played = fought(sea, 4, 4, 3, 3, 5, 2, orders=orders)
    assert sea.locks == [lock] and not events(played, "freed")
    assert [event.data["made"] for event in events(played, "contact")] == [True]
    sea.turn += 1
    again = fought(sea, 3, 3, 3, 3, 2, 5, orders=orders)
    assert len(events(again, "boarding")) == 1
    assert not sea.locks


@pytest.mark.clause("K.B26")
def test_if_both_want_to_part_no_dice_are_needed_even_after_a_draw():
    sea, *_ = grappled(hits_struct=10)
    fought(sea, 4, 4, 4, 4, orders={})
    assert not sea.locks


@pytest.mark.clause("K.B26")
def test_the_loser_of_a_round_may_not_try_to_part():
    sea, _, _, lock = grappled()
    fought(sea, 5, 5, 2, 2, orders={"E1": Orders(part={"D1": False}), "D1": Orders(part={"E1": True})})
    assert sea.locks == [lock]


@pytest.mark.clause("K.B29", "K.B15")
def test_each_pair_in_a_melee_fights_in_the_order_formed_with_its_remaining_hull():
    sea, a, b, _ = grappled()
    third = ship(id="E2", hull_max=10, thresholds=(3, 5, 8, 10))
    sea.ships["E2"] = third
    sea.place(third)
    sea.hold(LockKind.GRAPPLE, third, b)
    played = fought(
        sea,
        4,
        4,
        4,
        4,
        3,
        3,
        3,
        3,
        orders={**HOLD, "D1": Orders(intents={"E1": True, "E2": True}), "E2": Orders(intents={"D1": True})},
    )
    rows = [(event.ship, event.data["own"], event.data["other"]) for event in events(played, "boarding")]
    assert rows == [("E1", 30, 20), ("E2", 16, 13)]


@pytest.mark.clause("K.B22", "K.B29")
def test_a_ship_taken_in_one_round_fights_no_other():
    sea, a, b, _ = grappled()
    b.hits_board = 11
    b.steps_lost = 2
    second = ship(id="E2")
    sea.ships["E2"] = second
    sea.place(second)
    sea.hold(LockKind.GRAPPLE, second, b)
    fought(sea, 3, 3, 2, 2)
    assert b.prize_of == "ENG" and not sea.locks and not second.locks


@pytest.mark.clause("K.B25")
def test_a_grappled_prize_changes_hands_without_a_round_unless_her_captor_lies_there():
    prize = ship(id="E1", prize_of="DUT", captor_ship="D9")
    friend, guard = ship(id="E2"), ship(id="D9", side="DUT")
    sea = battle(prize, friend, guard)
    sea.hold(LockKind.GRAPPLE, friend, prize)
    hold = {"E2": Orders(part={"E1": False})}
    fought(sea, orders=hold)
    assert prize.prize_of == "DUT" and sea.locks
    sea.move(guard, (3, 3))
    played = fought(sea, orders=hold)
    assert prize.prize_of == "ENG" and [event.ship for event in events(played, "retaken")] == ["E1"]


@pytest.mark.clause("K.B24", "K.B25")
def test_no_one_aboard_a_guarded_prize_holds_on_to_a_ship_that_casts_off():
    prize, friend, guard = ship(id="E1", prize_of="DUT"), ship(id="E2"), ship(id="D9", side="DUT")
    sea = battle(prize, friend, guard)
    sea.hold(LockKind.GRAPPLE, friend, prize)
    fought(sea, orders={})
    assert not sea.locks and prize.prize_of == "DUT"


@pytest.mark.clause("K.B24", "G.PR3")
def test_a_prize_brought_into_the_battle_can_be_taken_by_any_enemy_who_grapples_her():
    prize, enemy = ship(id="E1", prize_of="ENG"), ship(id="D1", side="DUT")
    sea = battle(prize, enemy)
    sea.hold(LockKind.GRAPPLE, enemy, prize)
    fought(sea, orders={})
    assert (prize.prize_of, prize.captor_ship) == ("DUT", "D1")


@pytest.mark.clause("K.G10")
def test_after_the_battle_grapples_are_fought_on_until_one_is_taken():
    sea, a, b, _ = grappled()
    played = play(4, 3, 5, 4, 3, 3, 4, 4, 2, 3, 5, 5, orders=HOLD)
    boarding.fight_out(sea, played)
    played.dice.finish()
    assert b.prize_of == "ENG" and not sea.locks


@pytest.mark.clause("K.G10")
def test_after_the_battle_ships_that_both_want_to_part_do_so_after_one_round():
    sea, _, b, _ = grappled()
    played = play(3, 3, 3, 3)
    boarding.fight_out(sea, played)
    played.dice.finish()
    assert not sea.locks and not b.prize_of


@pytest.mark.clause("K.G10")
def test_every_round_after_the_battle_has_its_own_dice():
    from battles.engine.core.dice import KeyedDice

    sea, a, b, _ = grappled()
    played = Play(dice=KeyedDice(b"seed"), orders=HOLD)
    boarding.fight_out(sea, played)
    assert b.prize_of == "ENG" or a.prize_of == "DUT"
