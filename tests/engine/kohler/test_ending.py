"""When a battle ends and who picks up crippled ships."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import ending
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status
from tests.engine.kohler.builders import battle, events, play, ship


def two(apart: int, **over: object) -> Battle:
    """An English and a Dutch ship so many hexes apart."""
    return battle(ship(id="E1"), ship(id="D1", side="DUT", pos=(apart, 0)), **over)


def cripple(code: str, side: str, cell: tuple[int, int]) -> Ship:
    """A ship that has lost three of her four steps."""
    return ship(id=code, side=side, pos=cell, hits_struct=17, steps_lost=3)


@pytest.mark.clause("K.G9")
def test_fleets_apart_for_two_turns_running_end_the_battle():
    sea = two(12)
    ending.test(sea, play())
    assert sea.met and not sea.ended and sea.quiet == {"ENG": 0, "DUT": 0}
    sea.move(sea.ships["D1"], (13, 0))
    ending.test(sea, play())
    assert not sea.ended
    ending.test(sea, play())
    assert sea.ended == "parted"


@pytest.mark.clause("K.G9")
def test_coming_near_again_restarts_the_count():
    sea = two(12)
    for apart in (12, 13, 12, 13):
        sea.move(sea.ships["D1"], (apart, 0))
        ending.test(sea, play())
    assert not sea.ended and sea.quiet == {"ENG": 1, "DUT": 1}


@pytest.mark.clause("K.G9")
def test_fleets_that_have_not_met_yet_have_not_parted():
    sea = two(40)
    for _ in range(5):
        ending.test(sea, play())
    assert not sea.ended and not sea.met


@pytest.mark.clause("K.G9", "K.0.7")
@pytest.mark.parametrize("hindrance", ["disabled", "locked", "aground", "prize"])
def test_an_enemy_unable_to_move_keeps_no_one_in_reach(hindrance: str):
    sea = two(1, met=True)
    enemy = sea.ships["D1"]
    other = ship(id="D2", side="DUT", pos=(60, 0))
    sea.ships["D2"] = other
    sea.place(other)
    if hindrance == "disabled":
        enemy.steps_lost = 3
    elif hindrance == "locked":
        sea.hold(LockKind.TANGLE, enemy, other)
    elif hindrance == "aground":
        enemy.aground = True
    else:
        enemy.prize_of = "DUT"
    assert not ending.able_to_move(enemy)
    ending.count_quiet_turns(sea)
    assert sea.quiet["ENG"] == 1 and sea.quiet["DUT"] == 0


@pytest.mark.clause("K.G9")
def test_a_side_with_no_ship_able_to_act_is_beaten():
    sea = two(3)
    sea.ships["D1"].status = Status.SINKING
    ending.test(sea, play())
    assert sea.ended == "beaten"


@pytest.mark.clause("K.G9", "K.B24")
def test_a_side_of_prizes_alone_is_beaten_but_a_disabled_ship_still_fights():
    sea = two(3)
    sea.ships["D1"].steps_lost = 3
    ending.test(sea, play())
    assert not sea.ended
    sea.ships["D1"].prize_of = "ENG"
    ending.test(sea, play())
    assert sea.ended == "beaten"


@pytest.mark.clause("K.G9", "K.M32")
def test_a_side_that_has_escaped_over_the_edge_has_parted():
    sea = two(3)
    sea.remove(sea.ships["D1"], Status.GONE)
    ending.test(sea, play())
    assert sea.ended == "parted"


@pytest.mark.clause("K.G9")
def test_the_last_turn_brings_night():
    sea = two(3, turn=29)
    ending.test(sea, play())
    assert not sea.ended
    sea.turn = 30
    ending.test(sea, play())
    assert sea.ended == "nightfall"


@pytest.mark.clause("K.G9", "K.G13")
def test_ships_in_shoal_water_too_shallow_for_the_enemy_are_out_of_reach():
    sea = two(2, met=True, shoal=frozenset({(2, 0)}))
    sea.ships["D1"].deep = False
    ending.count_quiet_turns(sea)
    assert sea.quiet == {"ENG": 0, "DUT": 1}


@pytest.mark.clause("K.G9")
def test_a_battle_waits_for_a_squadron_that_is_still_to_come():
    sea = two(3, turn=5)
    sea.remove(sea.ships["D1"], Status.EXPLODED)
    late = ship(id="D2", side="DUT", squadron="late", status=Status.EXPECTED)
    sea.ships["D2"] = late
    sea.squadrons["late"] = sea.squadrons["DUT-1"].__class__(
        id="late", name="late", side="DUT", ships=("D2",), flagship="D2", arrives=8
    )
    ending.test(sea, play())
    assert not sea.ended
    sea.squadrons["late"].arrives = 31
    ending.test(sea, play())
    assert sea.ended == "beaten"


@pytest.mark.clause("K.G9")
@pytest.mark.parametrize(
    "cell", [(-12, 0), (12, 0), (0, -12), (0, 12), (12, -12), (-12, 12), (5, 7), (-6, -6)]
)
def test_the_squares_find_every_ship_within_twelve_hexes_and_none_beyond(cell: tuple[int, int]):
    for origin in ((0, 0), (12, 12), (13, 0), (-1, -1), (25, 38)):
        one = ship(pos=(origin[0] + cell[0], origin[1] + cell[1]))
        beyond = ship(pos=(origin[0] + cell[0] * 2 + 2, origin[1] + cell[1] * 2))
        assert list(ending.Near([one, beyond]).around(origin)) == [one]


@pytest.mark.clause("K.G12")
def test_a_crippled_ship_falls_to_the_nearest_enemy_able_to_move():
    lame = cripple("E1", "ENG", (0, 0))
    sea = battle(lame, ship(id="D1", side="DUT", pos=(6, 0)), ship(id="D2", side="DUT", pos=(0, 5)))
    played = play()
    ending.take_disabled(sea, played)
    assert (lame.prize_of, lame.captor_ship) == ("DUT", "D2")
    assert [event.data["captor"] for event in events(played, "taken_after")] == ["D2"]


@pytest.mark.clause("K.G12")
@pytest.mark.parametrize(("friend", "taken"), [((5, 0), False), ((4, 0), False), ((6, 0), True)])
def test_a_friend_as_near_as_the_enemy_saves_her(friend: tuple[int, int], taken: bool):
    lame = cripple("E1", "ENG", (0, 0))
    sea = battle(lame, ship(id="E2", pos=friend), ship(id="D1", side="DUT", pos=(0, 5)))
    ending.take_disabled(sea, play())
    assert bool(lame.prize_of) is taken


@pytest.mark.clause("K.G12")
def test_no_one_beyond_twelve_hexes_or_unable_to_move_takes_a_crippled_ship():
    lame = cripple("E1", "ENG", (0, 0))
    sea = battle(lame, cripple("D1", "DUT", (1, 0)), ship(id="D2", side="DUT", pos=(13, 0)))
    ending.take_disabled(sea, play())
    assert not lame.prize_of
