"""The limits of parting, beating and waiting, and of picking up crippled ships. Rules: K.G9, K.G12, K.G13."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import ending
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, SquadronState, Status
from tests.engine.kohler.builders import battle, events, play, ship


def two(apart: int, **over: object) -> Battle:
    """An English and a Dutch ship so many hexes apart."""
    return battle(ship(id="E1"), ship(id="D1", side="DUT", pos=(apart, 0)), **over)


def verdict(sea: Battle) -> str:
    """How the battle ends now."""
    ending.test(sea, play())
    return sea.ended


@pytest.mark.clause("K.G9")
@pytest.mark.parametrize(
    ("arrives", "ended"), [(4, "beaten"), (5, "beaten"), (6, ""), (30, ""), (31, "beaten")]
)
def test_a_beaten_side_waits_for_squadrons_due_after_this_turn_and_before_night(
    arrives: int, ended: str
) -> None:
    sea = two(3, turn=5)
    sea.remove(sea.ships["D1"], Status.EXPLODED)
    late = ship(id="D2", side="DUT", squadron="late", status=Status.EXPECTED)
    sea.ships["D2"] = late
    sea.squadrons["late"] = SquadronState(
        id="late", name="late", side="DUT", ships=("D2",), flagship="D2", arrives=arrives
    )
    assert verdict(sea) == ended


@pytest.mark.clause("K.G9")
def test_no_one_waits_for_a_squadron_that_is_there_or_lost() -> None:
    sea = two(3, turn=5)
    sea.remove(sea.ships["D1"], Status.EXPLODED)
    sea.squadrons["DUT-1"].arrives = 9
    assert verdict(sea) == "beaten"


@pytest.mark.clause("K.G9")
def test_a_battle_that_is_decided_in_its_last_turn_does_not_end_by_night() -> None:
    sea = two(3, turn=30)
    sea.remove(sea.ships["D1"], Status.EXPLODED)
    assert verdict(sea) == "beaten"
    assert [verdict(two(3, turn=turn)) for turn in (29, 30, 31)] == ["", "nightfall", "nightfall"]


@pytest.mark.clause("K.G9", "K.M32")
def test_a_beaten_enemy_has_not_parted_when_one_of_the_winners_sails_away() -> None:
    sea = battle(ship(id="E1"), ship(id="E2", pos=(1, 0)), ship(id="D1", side="DUT", pos=(3, 0)))
    sea.remove(sea.ships["E2"], Status.GONE)
    sea.remove(sea.ships["D1"], Status.EXPLODED)
    assert verdict(sea) == "beaten"


@pytest.mark.clause("K.G9", "K.X6")
def test_burning_fire_ships_and_prizes_act_for_no_one() -> None:
    for state in (
        {"fired": True},
        {"prize_of": "DUT"},
        {"status": Status.SINKING},
        {"status": Status.EXPECTED},
    ):
        sea = battle(ship(id="E1", **state), ship(id="D1", side="DUT", pos=(3, 0)))
        assert ending.sides_able_to_act(sea) == {"DUT"}
    assert ending.sides_able_to_act(two(3)) == {"ENG", "DUT"}
    retaken = battle(ship(id="E1", prize_of="ENG"))
    assert ending.sides_able_to_act(retaken) == set()


@pytest.mark.clause("K.G9", "K.X6")
def test_a_burning_fire_ship_neither_meets_nor_threatens_anyone() -> None:
    sea = two(5)
    sea.ships["D1"].fired = True
    ending.count_quiet_turns(sea)
    assert not sea.met and sea.quiet == {}
    sea.met = True
    ending.count_quiet_turns(sea)
    assert sea.quiet == {"ENG": 1, "DUT": 1}


@pytest.mark.clause("K.G9")
@pytest.mark.parametrize(("apart", "met"), [(12, True), (13, False)])
def test_fleets_have_met_within_twelve_hexes(apart: int, met: bool) -> None:
    sea = two(apart)
    ending.count_quiet_turns(sea)
    assert sea.met is met
    assert sea.quiet == ({"ENG": 0, "DUT": 0} if met else {})


@pytest.mark.clause("K.G9", "K.G13")
@pytest.mark.parametrize(
    ("deep", "aground", "shoal", "quiet"),
    [(False, False, True, 1), (True, False, True, 0), (False, True, True, 0), (False, False, False, 0)],
)
def test_only_a_shallow_ship_afloat_over_a_shoal_is_out_of_reach(
    deep: bool, aground: bool, shoal: bool, quiet: int
) -> None:
    sea = two(2, met=True, shoal=frozenset({(2, 0)} if shoal else ()))
    sea.ships["D1"].deep, sea.ships["D1"].aground = deep, aground
    ending.count_quiet_turns(sea)
    assert sea.quiet["DUT"] == quiet


@pytest.mark.clause("K.0.7")
def test_only_some_ships_are_able_to_move() -> None:
    assert ending.able_to_move(ship())
    assert ending.able_to_move(ship(steps_lost=2))
    for state in (
        {"status": Status.SINKING},
        {"fired": True},
        {"prize_of": "ENG"},
        {"aground": True},
        {"steps_lost": 3},
    ):
        assert not ending.able_to_move(ship(**state)), state
    one, other = ship(), ship(id="E2")
    battle(one, other).hold(LockKind.TANGLE, one, other)
    assert not ending.able_to_move(one)


def lame(code: str = "E1", side: str = "ENG", cell: tuple[int, int] = (0, 0), **over: object) -> Ship:
    """A ship that has lost three of her four steps."""
    return ship(**{"id": code, "side": side, "pos": cell, "hits_struct": 17, "steps_lost": 3, **over})


@pytest.mark.clause("K.G12")
@pytest.mark.parametrize(("far", "taken"), [(12, True), (13, False)])
def test_a_crippled_ship_is_taken_within_twelve_hexes(far: int, taken: bool) -> None:
    cripple = lame()
    ending.take_disabled(battle(cripple, ship(id="D1", side="DUT", pos=(far, 0))), play())
    assert bool(cripple.prize_of) is taken


@pytest.mark.clause("K.G12", "K.0.5")
def test_of_two_equally_near_enemies_the_first_listed_takes_the_ship() -> None:
    cripple = lame()
    first, second = ship(id="D2", side="DUT", pos=(0, 4)), ship(id="D1", side="DUT", pos=(4, 0))
    played = play()
    ending.take_disabled(battle(cripple, first, second), played)
    assert (cripple.prize_of, cripple.captor_ship) == ("DUT", "D2")
    assert [event.data for event in events(played, "taken_after")] == [{"captor": "D2", "side": "DUT"}]


@pytest.mark.clause("K.G12")
@pytest.mark.parametrize(
    "state", [{"status": Status.SINKING}, {"fired": True}, {"steps_lost": 2, "hits_struct": 11}]
)
def test_wrecks_fire_ships_and_ships_that_can_still_make_sail_are_not_picked_up(
    state: dict[str, object],
) -> None:
    one = lame(**state)
    ending.take_disabled(battle(one, ship(id="D1", side="DUT", pos=(1, 0))), play())
    assert not one.prize_of


@pytest.mark.clause("K.G12")
@pytest.mark.parametrize(
    "state", [{"steps_lost": 3}, {"aground": True}, {"prize_of": "ENG"}, {"fired": True}]
)
def test_a_friend_who_cannot_move_saves_no_one(state: dict[str, object]) -> None:
    cripple = lame()
    friend = ship(id="E2", pos=(1, 0), deep=False, **state)
    ending.take_disabled(battle(cripple, friend, ship(id="D1", side="DUT", pos=(5, 0))), play())
    assert cripple.prize_of == "DUT"


@pytest.mark.clause("K.G12", "K.B25")
def test_a_disabled_prize_is_picked_up_by_her_old_side() -> None:
    prize = lame(prize_of="DUT", captor_ship="D1")
    ending.take_disabled(battle(prize, ship(id="E2", pos=(3, 0)), lame("D1", "DUT", (1, 0))), play())
    assert prize.prize_of == "ENG"


@pytest.mark.clause("K.G12")
def test_a_crippled_ship_out_of_reach_does_not_stop_later_ones_being_picked_up() -> None:
    alone, cripple = lame(cell=(60, 0)), lame("E2")
    friend = lame("E3", cell=(20, 0))
    sea = battle(alone, friend, cripple, ship(id="D1", side="DUT", pos=(5, 0)), ship(id="E4", pos=(21, 0)))
    ending.take_disabled(sea, play())
    assert [one.prize_of for one in (alone, friend, cripple)] == ["", "", "DUT"]
