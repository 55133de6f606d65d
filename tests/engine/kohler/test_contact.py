from __future__ import annotations

from collections.abc import Mapping

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.rulesets.kohler.contact import (
    fire_the_ship,
    has_initiative,
    meet,
    modifiers,
    wishes_to_board,
)
from battles.engine.rulesets.kohler.placing import place_enemies, side_of, throw_side
from battles.engine.rulesets.kohler.play import Orders, Play
from battles.engine.rulesets.kohler.sailing import activate, activate_fire_ship
from battles.engine.rulesets.kohler.state import Battle, Helm, Lock, LockKind, Ship, Status, WindForce
from tests.engine.kohler.builders import battle, events, play, ship

BOARD, AVOID = True, False


def sail(
    sea: Battle, one: Ship, text: str, *faces: int, intents: Mapping[str, Mapping[str, bool]] | None = None
) -> Play:
    """Activate a ship with movement orders, every ship with her intents, and see that all dice were used."""
    intents = intents or {}
    orders = {code: Orders(tokens=(), intents=intents.get(code, {})) for code in sea.ships}
    orders[one.id] = Orders(tokens=tuple(text.split()), intents=intents.get(one.id, {}))
    played = play(*faces, orders=orders)
    activate(sea, played, one)
    played.dice.finish()
    return played


def kinds(one: Ship) -> list[LockKind]:
    return [lock.kind for lock in one.locks]


def pair(**over: object) -> tuple[Battle, Ship, Ship]:
    """An English ship steering SE at a Dutchman one hex ahead."""
    one, enemy = ship(facing=2), ship(id="D1", side="DUT", pos=(1, 0), facing=2)
    return battle(one, enemy, **over), one, enemy


@pytest.mark.clause("K.E20", "K.B3", "K.B4", "K.B5")
def test_a_grapple_has_its_modifiers_and_dice() -> None:
    attacker = ship(id="D1", side="DUT", guns=36, band=30, handy=True, group_init=5, facing=2, n_steps=3)
    defender = ship(id="E1", unhandy=True, steps_lost=1, group_init=3, pos=(1, 0))
    sea = battle(defender, attacker)
    assert (modifiers(sea, attacker, defender), modifiers(sea, defender, attacker)) == (3, -2)
    played = sail(sea, attacker, "A G:E1", 2, 5)
    assert events(played, "contact")[0].data == {
        "target": "E1", "attacker": 5, "defender": 3, "made": True, "kind": "grapple",
    }  # fmt: skip
    assert kinds(attacker) == kinds(defender) == [LockKind.GRAPPLE]


@pytest.mark.clause("K.E20", "K.B3", "K.0.5")
@pytest.mark.parametrize(("faces", "held"), [((4, 4), True), ((4, 5), False), ((4, 3), True)])
def test_a_defender_escapes_with_a_higher_total_and_not_with_an_equal_one(
    faces: tuple[int, int], held: bool
) -> None:
    sea, one, enemy = pair()
    enemy.group_init = one.group_init = 3
    sea.sides["DUT"].wins_ties = False
    sail(sea, one, "A G:D1", *faces)
    assert bool(one.locks) is held


@pytest.mark.clause("K.B4", "K.D6")
def test_a_lost_quality_no_longer_counts_and_a_wreck_has_no_qualities() -> None:
    sea, one, enemy = pair()
    one.handy, one.steps_lost, one.group_init = True, 2, 9
    assert modifiers(sea, one, enemy) == 1 - 2
    enemy.status = Status.SINKING
    assert modifiers(sea, enemy, one) == 0
    assert modifiers(sea, one, enemy) == -2


@pytest.mark.clause("K.I14", "K.I15", "K.X9")
def test_the_right_ship_has_the_initiative() -> None:
    sea, one, enemy = pair()
    friend = ship(id="E2")
    one.group_init, enemy.group_init, friend.group_init = 4, 4, 4
    assert (has_initiative(sea, one, enemy), has_initiative(sea, enemy, one)) == (False, True)
    assert not has_initiative(sea, one, friend)
    one.group_init = 5
    assert (has_initiative(sea, one, enemy), has_initiative(sea, enemy, one)) == (True, False)
    one.fired = True
    assert (has_initiative(sea, one, enemy), has_initiative(sea, enemy, one)) == (False, True)


@pytest.mark.clause("K.I14")
def test_among_ships_of_one_side_an_equal_initiative_gives_it_to_neither_even_if_the_side_wins_ties() -> None:
    one, other, enemy = (
        ship(id="D1", side="DUT"),
        ship(id="D2", side="DUT", pos=(3, 0)),
        ship(id="E1", pos=(6, 0)),
    )
    sea = battle(one, other, enemy)
    assert sea.sides["DUT"].wins_ties
    one.group_init = other.group_init = enemy.group_init = 4
    assert (has_initiative(sea, one, other), has_initiative(sea, other, one)) == (False, False)
    assert has_initiative(sea, one, enemy)


@pytest.mark.clause("K.B1")
def test_no_one_boards_unless_ordered() -> None:
    sea, one, enemy = pair()
    assert not wishes_to_board(sea, play(), one, enemy)
    ordered = play(orders={"E1": Orders(intents={"D1": BOARD, "D2": AVOID})})
    assert wishes_to_board(sea, ordered, one, enemy)


@pytest.mark.clause("K.B1")
def test_a_captain_is_asked_where_orders_say_nothing() -> None:
    class Boarder:
        name = "boarder"

        def boards(self, view: object, code: str, enemy: str) -> bool:
            return (code, enemy) == ("E1", "D1")

    sea, one, enemy = pair()
    captains = {"ENG": Boarder()}
    asked = play(captains=captains, views={"ENG": "view"})  # type: ignore[dict-item]
    assert wishes_to_board(sea, asked, one, enemy)
    told = play(orders={"E1": Orders(intents={"D1": AVOID})}, captains=captains, views={"ENG": "view"})  # type: ignore[dict-item]
    assert not wishes_to_board(sea, told, one, enemy)


@pytest.mark.clause("K.B14", "K.B24", "K.X15")
def test_some_ships_never_board() -> None:
    def wishes(strength: WindForce = WindForce.NORMAL, **over: object) -> bool:
        one, enemy = ship(**over), ship(id="D1", side="DUT")
        return wishes_to_board(
            battle(one, enemy, strength=strength),
            play(orders={"E1": Orders(intents={"D1": BOARD})}),
            one,
            enemy,
        )

    assert wishes()
    assert not wishes(strength=WindForce.STILL)
    assert not wishes(prize_of="FRA")
    assert not wishes(fired=True)
    assert not wishes(status=Status.SINKING)


@pytest.mark.clause("K.B2", "K.B7", "K.B16")
def test_two_willing_ships_are_grappled_without_dice_and_halt() -> None:
    sea, one, enemy = pair()
    played = sail(sea, one, "A G:D1", intents={"D1": {"E1": BOARD}})
    (lock,) = one.locks
    assert (lock.a, lock.b, lock.formed) == ("E1", "D1", 1)
    assert events(played, "locked")[0].clause == "K.B2"
    activate(sea, play(orders={"D1": "A"}), enemy)
    assert enemy.pos == one.pos == (1, 0)


@pytest.mark.clause("K.B1", "K.B2")
def test_a_ship_run_into_grapples_a_willing_one_that_gave_no_order() -> None:
    sea, one, enemy = pair()
    sail(sea, one, "A A", intents={"D1": {"E1": BOARD}, "E1": {"D1": BOARD}})
    assert one.pos == (1, 0)
    assert [(lock.a, lock.b) for lock in one.locks] == [("E1", "D1")]


@pytest.mark.clause("K.B8", "K.B13")
def test_a_mover_who_fails_stays_and_her_target_may_sail_away() -> None:
    sea, one, enemy = pair()
    played = sail(sea, one, "A G:D1 A", 2, 5)
    assert one.pos == (1, 0) and not one.locks and one.grapple_tried
    assert [event.data["code"] for event in events(played, "refused")] == ["halted"]
    sail(sea, enemy, "A")
    assert enemy.pos == (2, 0)


@pytest.mark.clause("K.B9")
def test_the_ship_already_there_that_fails_has_spent_her_activation() -> None:
    sea, one, enemy = pair()
    sail(sea, one, "A A", 2, 5, intents={"D1": {"E1": BOARD}})
    assert one.pos == (2, 0)
    assert enemy.acted and enemy.grapple_tried
    activate(sea, play(orders={"D1": "A"}), enemy)
    assert enemy.pos == (1, 0)


@pytest.mark.clause("K.B7", "K.B1")
def test_the_ship_already_there_that_succeeds_holds_the_mover() -> None:
    sea, one, enemy = pair()
    played = sail(sea, one, "A A", 5, 2, intents={"D1": {"E1": BOARD}})
    assert one.pos == (1, 0)
    assert [(lock.a, lock.b) for lock in one.locks] == [("D1", "E1")]
    assert [event.data["code"] for event in events(played, "refused")] == ["halted"]


@pytest.mark.clause("K.B1")
def test_several_enemies_in_a_hex_try_in_list_order() -> None:
    one = ship(facing=2)
    second, first = ship(id="D2", side="DUT", pos=(1, 0)), ship(id="D1", side="DUT", pos=(1, 0))
    sea = battle(one, first, second)
    sea.at[1, 0] = [second, first]
    board = {"E1": BOARD}
    played = sail(sea, one, "A A", 2, 5, 5, 2, 3, intents={"D1": board, "D2": board})
    assert [event.ship for event in events(played, "contact")] == ["D1", "D2"]
    assert [lock.a for lock in one.locks] == ["D2"]
    assert side_of(first, one) == "port"


@pytest.mark.clause("K.B11", "K.B29")
@pytest.mark.parametrize("over", [{"aground": True}, {"prize_of": "DUT"}])
def test_ships_that_cannot_dodge_are_grappled_without_dice(over: dict[str, object]) -> None:
    sea, one, enemy = pair()
    for name, value in over.items():
        setattr(enemy, name, value)
    played = sail(sea, one, "A G:D1")
    assert kinds(one) == [LockKind.GRAPPLE]
    assert events(played, "locked")[0].clause == "K.B11"


@pytest.mark.clause("K.B11", "K.B29")
def test_a_ship_already_held_is_grappled_without_dice_by_the_next() -> None:
    sea, one, enemy = pair()
    friend = ship(id="E2", squadron="ENG-2")
    sea = battle(one, enemy, friend)
    sea.move(friend, (5, 5))
    sea.hold(LockKind.GRAPPLE, friend, enemy)
    sail(sea, one, "A G:D1")
    assert kinds(enemy) == [LockKind.GRAPPLE, LockKind.GRAPPLE]


@pytest.mark.clause("K.B11")
def test_disabled_ships_still_throw() -> None:
    sea, one, enemy = pair()
    enemy.steps_lost = 3
    sail(sea, one, "A G:D1", 5, 2)
    assert kinds(one) == [LockKind.GRAPPLE]


@pytest.mark.clause("K.B1", "K.B13")
def test_an_attempt_from_her_own_position_replaces_moving_and_drifting() -> None:
    sea, one, enemy = pair()
    sea.move(one, (1, 0))
    sail(sea, one, "G:D1", 2, 5)
    assert one.pos == (1, 0) and one.moved_hexes == 0 and not one.locks


@pytest.mark.clause("K.B1", "K.M13")
def test_a_ship_that_drifts_in_boards_by_her_intent() -> None:
    one, enemy = ship(facing=2), ship(id="D1", side="DUT", pos=(0, 1))
    sea = battle(one, enemy)
    sail(sea, one, "", 5, 2, intents={"E1": {"D1": BOARD}})
    assert kinds(one) == [LockKind.GRAPPLE]


@pytest.mark.clause("K.B1", "K.M31")
def test_a_grapple_after_a_turn_in_the_hex_is_attempted_then() -> None:
    sea, one, _ = pair()
    sail(sea, one, "A S G:D1", 5, 2)
    assert one.facing == 3
    assert kinds(one) == [LockKind.GRAPPLE]


@pytest.mark.clause("K.B25")
def test_a_prize_returns_to_her_flag_as_soon_as_she_is_grappled() -> None:
    one, prize = ship(facing=2), ship(id="E2", pos=(1, 0), prize_of="DUT")
    sea = battle(one, prize, ship(id="D1", side="DUT", pos=(5, 0)))
    played = sail(sea, one, "A G:E2")
    assert prize.flag == "ENG" and not prize.locks
    assert len(events(played, "retaken")) == 1


@pytest.mark.clause("K.E28", "K.M24", "K.M25", "K.B6")
@pytest.mark.parametrize(("faces", "tangled"), [((3, 3), True), ((3, 4), False)])
def test_a_ship_drifting_into_a_friend_may_foul_her(faces: tuple[int, int], tangled: bool) -> None:
    one, friend = ship(facing=2), ship(id="E2", pos=(0, 1), facing=2)
    sea = battle(one, friend)
    sail(sea, one, "", *faces)
    assert one.pos == friend.pos == (0, 1)
    assert one.stacked and friend.stacked
    assert kinds(one) == ([LockKind.TANGLE] if tangled else [])
    sail(sea, friend, "A")
    assert friend.pos == ((0, 1) if tangled else (1, 1))
    assert one.stacked is tangled


@pytest.mark.clause("K.M23", "K.M24")
def test_a_ship_may_foul_a_wreck() -> None:
    one, wreck = ship(facing=2), ship(id="D1", side="DUT", pos=(0, 1), status=Status.SINKING, handy=True)
    sail(battle(one, wreck), one, "", 3, 3)
    assert kinds(one) == [LockKind.TANGLE]


@pytest.mark.clause("K.E27", "K.B12")
@pytest.mark.parametrize(("face", "side"), [(3, "port"), (5, "port"), (2, "starboard"), (4, "starboard")])
def test_after_a_failed_grapple_the_die_decides_where_the_attacker_lies(face: int, side: str) -> None:
    sea, one, enemy = pair()
    enemy.acted = True
    played = sail(sea, one, "A G:D1", 2, 5, face)
    assert side_of(one, enemy) == side
    assert events(played, "placing")[0].data == {"target": "D1", "side": side}


@pytest.mark.clause("K.B12")
def test_the_side_is_thrown_when_both_have_acted_and_never_twice() -> None:
    sea, one, enemy = pair(strength=WindForce.LIGHT)
    sail(sea, one, "A G:D1", 2, 5)
    assert side_of(one, enemy) == ""
    sail(sea, enemy, "", 3)
    assert side_of(one, enemy) == "port" and "E1" not in enemy.placement
    assert throw_side(sea, play(), one, enemy) == "port"
    place_enemies(sea, play(), (1, 0))


@pytest.mark.clause("K.B12")
def test_the_last_to_try_is_the_attacker() -> None:
    sea, one, enemy = pair()
    sail(sea, one, "A G:D1", 2, 5)
    sail(sea, enemy, "G:E1", 2, 5, 4)
    assert side_of(enemy, one) == "starboard" and "D1" not in one.placement


@pytest.mark.clause("K.B12")
def test_when_neither_wanted_it_the_arriving_ship_is_the_attacker_until_one_leaves() -> None:
    sea, one, enemy = pair()
    enemy.acted = True
    sail(sea, one, "A", 2)
    assert side_of(one, enemy) == "starboard"
    enemy.acted = False
    sail(sea, enemy, "A")
    assert not one.placement and not enemy.placement


@pytest.mark.clause("K.X16", "K.X4", "K.X12")
def test_a_fire_ship_fired_alongside_has_struck() -> None:
    sea, one, enemy = pair()
    lock = sea.hold(LockKind.GRAPPLE, one, enemy)
    sea.turn = 3
    played = play()
    fire_the_ship(sea, played, one)
    assert one.fired and enemy.fires == [3] and not one.fires
    (held,) = sea.locks
    assert isinstance(held, Lock) and held is not lock
    assert (held.kind, held.a, held.b) == (LockKind.FIRE_SHIP, "E1", "D1")
    activate(sea, play(), enemy)
    assert enemy.locks == [held]


@pytest.mark.clause("K.X11")
def test_a_fire_ship_does_not_try_again_while_both_lie_there() -> None:
    sea, one, enemy = pair()
    one.fired = True
    sea.move(one, (1, 0))
    with ScriptedDice([]) as dice:
        activate(sea, Play(dice=dice, orders={"D1": Orders(tokens=("S",))}), enemy)
    assert enemy.pos == (1, 1)


@pytest.mark.clause("K.X15")
def test_two_burning_fire_ships_leave_each_other_alone() -> None:
    sea, one, enemy = pair()
    one.fired = enemy.fired = True
    sea.move(one, (1, 0))
    assert not meet(sea, play(), one, forced=True)


@pytest.mark.clause("K.B9", "K.M21", "K.C8")
def test_a_helm_hit_passes_with_an_activation_that_is_spent() -> None:
    sea, one, enemy = pair()
    enemy.helm = Helm.PORT
    sail(sea, one, "A A", 2, 5, intents={"D1": {"E1": BOARD}})
    assert enemy.acted and enemy.helm is Helm.SOUND


@pytest.mark.clause("K.B1", "K.M21")
def test_a_ship_driven_on_by_her_helm_boards_by_order_and_not_by_intent() -> None:
    sea, one, enemy = pair()
    one.facing, one.helm = 1, Helm.STARBOARD
    sail(sea, one, "A", intents={"E1": {"D1": BOARD}})
    assert one.pos == enemy.pos and not one.grapple_tried
    sea, one, enemy = pair()
    one.facing, one.helm = 1, Helm.STARBOARD
    sail(sea, one, "A G:D1", 5, 2)
    assert kinds(one) == [LockKind.GRAPPLE]


@pytest.mark.clause("K.X18", "K.X8")
def test_only_a_ship_that_fails_her_own_throw_is_set_alight() -> None:
    fire_ship = ship(id="E9", facing=2, fired=True)
    held, clear = ship(id="D1", side="DUT", pos=(1, 0)), ship(id="D2", side="DUT", pos=(1, 0))
    sea = battle(fire_ship, held, clear)
    played = play(5, 2, 2, 5)
    activate_fire_ship(sea, played, fire_ship)
    played.dice.finish()
    assert (held.fires, clear.fires) == ([1], [])
    assert not clear.locks


@pytest.mark.clause("K.X14")
def test_the_end_of_a_fire_ship_frees_the_ship_she_held() -> None:
    sea, one, enemy = pair()
    sea.hold(LockKind.FIRE_SHIP, one, enemy)
    sea.remove(one, Status.BURNT)
    sail(sea, enemy, "A")
    assert enemy.pos == (2, 0)


@pytest.mark.clause("K.0.7")
def test_a_prize_is_a_friend_of_her_captors_and_a_burning_fire_ship_has_no_friends() -> None:
    sea, one, enemy = pair()
    assert not sea.friends(one, enemy)
    enemy.prize_of = "ENG"
    assert sea.friends(one, enemy) and enemy.flag == "ENG"
    one.fired = True
    assert not sea.friends(one, enemy)


@pytest.mark.clause("K.X3", "K.X6")
def test_a_fired_ship_is_neither_fast_nor_handy() -> None:
    one = ship(fast=True, handy=True, is_fireship=True)
    assert one.is_fast and one.is_handy
    one.fired = True
    assert not one.is_fast and not one.is_handy


@pytest.mark.clause("K.0.3")
def test_the_wind_is_named_by_the_direction_to_which_it_blows_and_drift_follows_it() -> None:
    for wind, pos in enumerate([(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]):
        one = ship(facing=wind, steps_lost=3)
        sea = battle(one, wind=wind)
        assert (sea.upwind - wind) % 6 == 3
        sail(sea, one, "")
        assert one.pos == pos


@pytest.mark.clause("K.B14")
def test_in_still_air_ships_in_one_hex_leave_each_other_alone() -> None:
    sea, one, enemy = pair(strength=WindForce.STILL)
    sea.move(one, (1, 0))
    board = play(orders={"E1": Orders(intents={"D1": BOARD}), "D1": Orders(intents={"E1": BOARD})})
    assert not meet(sea, board, one, adrift=True, wanted="D1")
    assert not sea.locks


@pytest.mark.clause("K.B11", "K.X8")
def test_a_ship_already_held_cannot_dodge_a_fire_ship() -> None:
    fire_ship, one, friend = ship(id="D9", side="DUT", facing=2, fired=True), ship(), ship(id="E2")
    sea = battle(one, friend, fire_ship)
    sea.hold(LockKind.TANGLE, one, friend)
    sea.move(one, (1, 0))
    sea.move(friend, (1, 0))
    activate_fire_ship(sea, play(), fire_ship)
    assert one.fires == friend.fires == [1]
    assert kinds(fire_ship) == [LockKind.FIRE_SHIP, LockKind.FIRE_SHIP]


@pytest.mark.clause("K.X16", "K.X15")
def test_a_fire_ship_fired_while_foul_of_others_strikes_friends_but_no_wreck_and_no_burning_ship() -> None:
    one, friend = ship(), ship(id="E2")
    wreck, other = ship(id="E3", status=Status.SINKING), ship(id="E4", fired=True)
    sea = battle(one, friend, wreck, other)
    for mate in (friend, wreck, other):
        sea.hold(LockKind.TANGLE, one, mate)
    struck_by = sea.hold(LockKind.FIRE_SHIP, other, one)
    fire_the_ship(sea, play(), one)
    assert friend.fires == [1] and not wreck.fires and not other.fires
    assert [(lock.kind, lock.other("E1")) for lock in one.locks] == [
        (LockKind.TANGLE, "E3"),
        (LockKind.FIRE_SHIP, "E4"),
        (LockKind.FIRE_SHIP, "E2"),
    ]
    assert struck_by in one.locks


@pytest.mark.clause("K.B1", "K.M21")
def test_no_ship_grapples_before_the_hex_that_a_helm_hit_forces() -> None:
    sea, one, enemy = pair()
    sea.move(one, (1, 0))
    one.facing, one.helm = 2, Helm.STARBOARD
    played = sail(sea, one, "G:D1")
    assert one.pos == (1, 1) and not one.grapple_tried
    assert [event.data["code"] for event in events(played, "refused")] == ["no-enemy"]


@pytest.mark.clause("K.G13", "K.B11")
def test_a_ship_aground_may_only_grapple() -> None:
    sea, one, enemy = pair()
    one.aground = True
    played = sail(sea, one, "S", 2)
    assert [event.data["code"] for event in events(played, "refused")] == ["aground"]
    one.acted = False
    sea.move(enemy, (0, 0))
    sail(sea, one, "G:D1", 5, 2)
    assert kinds(one) == [LockKind.GRAPPLE] and one.pos == (0, 0)


@pytest.mark.clause("K.M28", "K.B12")
def test_a_group_that_drifts_onto_an_enemy_has_met_her() -> None:
    one, friend, enemy = ship(), ship(id="E2"), ship(id="D1", side="DUT", pos=(0, 1), acted=True)
    sea = battle(one, friend, enemy)
    sea.hold(LockKind.GRAPPLE, one, friend)
    sea.turn = 2
    sail(sea, one, "", 3, intents={"D1": {"E1": BOARD}})
    assert side_of(one, enemy) == "port" and side_of(friend, enemy) == ""
    assert not enemy.locks


@pytest.mark.clause("K.M26", "K.M28")
def test_a_group_in_which_a_ship_was_grappled_this_turn_stays() -> None:
    one, friend, enemy = ship(), ship(id="E2"), ship(id="D1", side="DUT")
    sea = battle(one, friend, enemy)
    sea.hold(LockKind.GRAPPLE, one, enemy)
    sea.turn = 2
    sea.hold(LockKind.GRAPPLE, friend, enemy)
    sail(sea, one, "")
    assert one.pos == enemy.pos == (0, 0)


@pytest.mark.clause("K.X5")
def test_a_burning_fire_ship_acts_once_a_turn_and_never_with_a_group() -> None:
    fire_ship = ship(facing=2, fired=True)
    sea = battle(fire_ship)
    activate(sea, play(orders={"E1": "A"}), fire_ship)
    assert fire_ship.pos == (0, 0)
    activate_fire_ship(sea, play(), fire_ship)
    activate_fire_ship(sea, play(), fire_ship)
    assert fire_ship.pos == (3, 0)
