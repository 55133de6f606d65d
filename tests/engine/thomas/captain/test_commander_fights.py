"""The commander in action: targets, boarding, gunners, striking, prizes, people, and that he beats the plain captain. Section 12."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas.captain.commander import CommanderCaptain
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import Arc, Kind
from battles.engine.rulesets.thomas.view import View
from tests import study
from tests.engine.thomas.builders import batteries, battle, revenge, ship
from tests.engine.thomas.captain.scenes import apart, commander, moved
from tests.engine.thomas.captain.test_commander_moves import line_ship

CONTACT = 280


def ready(made: Battle, doctrine: Doctrine | None = None) -> tuple[CommanderCaptain, View]:
    """A commander who has looked about and made his plans."""
    captain, view = commander(made, doctrine)
    captain.ship_order(view, tuple(one.id for one in view.own_ships()))
    return captain, view


@pytest.mark.clause("T.N1", "T.B10c")
def test_guns_are_aimed_at_the_ship_they_rake() -> None:
    own = line_ship("E1", 0, 0, 0)
    abreast = line_ship("S1", 5_000, 1_000, 0, side="SPA")
    end_on = line_ship("S2", 6_500, -300, 9_000, side="SPA")
    captain, view = ready(battle(own, abreast, end_on, nelson=True))
    assert captain.targets(view, "E1")[Arc.STARBOARD] == "S2"


def test_guns_are_aimed_at_an_enemy_who_can_be_hit_and_not_at_a_distant_or_engaged_one() -> None:
    own, fought = ship("E1"), ship("E2", 5_000, -3_000)
    near, far, fast = ship("S1", 3_500, 900), ship("S2", 7_500, -1_500), ship("S3", 5_000, -2_700)
    made = battle(own, fought, near, far, fast)
    made.fasten(fought, fast).attacker = "E2"
    captain, view = ready(made)
    assert captain.targets(view, "E1")[Arc.STARBOARD] == "S1"


@pytest.mark.clause("T.N4")
@pytest.mark.parametrize(
    ("fired", "hurt", "silent"), [(False, 0, True), (True, 0, False), (False, 60, False)]
)
def test_a_frigate_does_not_provoke_ships_of_the_line_without_a_clear_gain(
    fired: bool, hurt: int, silent: bool
) -> None:
    frigate = ship("E1", kind=Kind.FRIGATE, guns=38, batteries=batteries(0, 0, 2), has_fired=fired)
    enemy = line_ship("S1", 5_000, 0, side="SPA", flot=85 - hurt)
    captain, view = ready(battle(frigate, enemy, nelson=True))
    assert captain.targets(view, "E1")[Arc.STARBOARD] == ("" if silent else "S1")


@pytest.mark.clause("T.B12b")
def test_two_ships_board_one_and_one_does_not_board_a_stronger() -> None:
    own, friend, enemy = ship("E1"), ship("E2", 2 * CONTACT), ship("S1", CONTACT)
    captain, view = ready(battle(own, friend, enemy))
    assert captain.boards(view, "E1", ("S1",)) == "S1"
    weak, strong = revenge("E1"), ship("S1", CONTACT)
    captain, view = ready(battle(weak, strong))
    assert captain.boards(view, "E1", ("S1",)) == ""


@pytest.mark.clause("T.B12b")
@pytest.mark.parametrize(
    ("crew", "own_flot", "flot", "boards"),
    [(77, 30, 30, False), (78, 30, 30, True), (48, 30, 22, False), (49, 30, 22, True), (49, 22, 22, False)],
)
def test_the_commander_boards_with_the_odds_given_in_section_12(
    crew: int, own_flot: int, flot: int, boards: bool
) -> None:
    own, enemy = ship("E1", crew_halves=2 * crew, flot=own_flot), ship("S1", CONTACT, flot=flot)
    captain, view = ready(battle(own, enemy))
    assert captain.boards(view, "E1", ("S1",)) == ("S1" if boards else "")


@pytest.mark.clause("T.B12b", "G.MV5")
def test_orders_may_forbid_boarding_but_a_lost_friend_is_still_retaken() -> None:
    told = Doctrine(board="never")
    captain, view = ready(battle(ship("E1"), ship("S1", CONTACT, crew_halves=30)), told)
    assert captain.boards(view, "E1", ("S1",)) == ""
    taken = ship(
        "E2", CONTACT, prize_of="SPA", secured=True, guard_halves=20, crew_halves=0, captive_halves=80
    )
    captain, view = ready(battle(ship("E1"), taken, ship("S1", 30_000)), told)
    assert captain.boards(view, "E1", ("E2",)) == "E2"


@pytest.mark.clause("T.N3b")
def test_no_one_boards_a_burning_ship_or_with_a_worn_crew() -> None:
    fire = ship("S1", CONTACT, on_fire=True, flot=8)
    captain, view = ready(battle(ship("E1"), ship("E2", 2 * CONTACT), fire))
    assert captain.boards(view, "E1", ("S1",)) == ""
    worn, enemy = ship("E1", crew_halves=38), ship("S1", CONTACT, flot=20)
    captain, view = ready(battle(worn, enemy))
    assert captain.boards(view, "E1", ("S1",)) == ""


def test_a_boarding_party_steers_for_its_enemy() -> None:
    own, friend = ship("E1", -1_500, -4_000), ship("E2", 1_500, -4_000)
    enemy = ship("S1", 0, 0, 9_000, masts_lost=2)
    made = battle(own, friend, enemy, wind_from=18_000, first="SPA")
    moved(made)
    assert any(one.stopped_short for one in (own, friend))


@pytest.mark.clause("T.B12j", "T.B12k", "T.B12l")
def test_outnumbered_ships_break_off_and_cut_loose_and_the_stronger_stay() -> None:
    def met(crew: int) -> tuple[CommanderCaptain, View]:
        own, enemy = ship("E1", crew_halves=crew), ship("S1", CONTACT)
        made = battle(own, enemy)
        made.fasten(own, enemy)
        return ready(made)

    captain, view = met(60)
    assert captain.withdraws(view, "E1", "S1") and captain.cuts(view, "E1", "S1")
    assert captain.alongside(view, "E1", "S1") == "cut"
    captain, view = met(160)
    assert not captain.withdraws(view, "E1", "S1") and not captain.cuts(view, "E1", "S1")
    assert captain.alongside(view, "E1", "S1") == "board"


@pytest.mark.clause("T.B12j", "T.B12n")
@pytest.mark.parametrize(("fallen", "withdraws"), [(17, True), (18, False)])
def test_men_who_were_seen_to_fall_no_longer_count_against_the_boarders(fallen: int, withdraws: bool) -> None:
    own, enemy = ship("E1", crew_halves=60), ship("S1", CONTACT, fallen=fallen)
    made = battle(own, enemy)
    made.fasten(own, enemy)
    captain, view = ready(made)
    assert captain.withdraws(view, "E1", "S1") is withdraws


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(("stance", "way"), [(Stance.SEEK, "board"), (Stance.AVOID, "cut")])
def test_a_new_commander_knows_before_the_side_moves_whether_it_is_getting_away(
    stance: Stance, way: str
) -> None:
    own, enemy = ship("E1", crew_halves=160), ship("S1", CONTACT)
    made = battle(own, enemy)
    made.fasten(own, enemy)
    captain, view = ready(made, Doctrine(stance=stance))
    assert captain.alongside(view, "E1", "S1") == way


@pytest.mark.clause("T.O5c")
def test_men_are_kept_at_the_guns_only_against_a_fresh_enemy_who_bears() -> None:
    own, boarded = ship("E1", crew_halves=240), ship("S1", CONTACT)
    made = battle(own, boarded)
    made.fasten(own, boarded).attacker = "E1"
    captain, view = ready(made)
    assert captain.gunners(view, "E1") == 0
    made = battle(own := ship("E1", crew_halves=240), boarded := ship("S1", CONTACT), ship("S2", -3_000))
    made.fasten(own, boarded).attacker = "E1"
    captain, view = ready(made)
    assert captain.gunners(view, "E1") == len(own.standing(Arc.PORT))


@pytest.mark.clause("T.O6j")
@pytest.mark.parametrize(("crew", "joins"), [(40, True), (4, False)])
def test_a_crew_just_taken_joins_friends_if_together_they_outnumber_the_captors(
    crew: int, joins: bool
) -> None:
    taken = ship("E1", crew_halves=crew, struck=True, struck_by_boarding=True, captor_side="SPA")
    captor = ship("S1", CONTACT)
    friend = ship("E2", 2 * CONTACT, crew_halves=100)
    made = battle(taken, captor, friend)
    made.fasten(captor, taken)
    made.fasten(friend, captor)
    captain, view = ready(made)
    assert captain.joins(view, "E1") == joins


@pytest.mark.clause("T.O6")
@pytest.mark.parametrize(
    ("over", "enemies", "friend", "strikes"),
    [
        ({"flot": 3}, 1, False, True),
        ({"flot": 3}, 0, False, False),
        ({"flot": 4}, 1, False, False),
        ({"masts_lost": 2}, 2, False, True),
        ({"masts_lost": 2}, 1, False, False),
        ({"masts_lost": 2}, 2, True, False),
        ({"flot": 3}, 1, True, True),
        ({"masts_lost": 2}, 3, True, True),
        ({"flot": 15}, 2, False, False),
        ({"batteries": []}, 2, False, False),
        ({}, 3, False, False),
    ],
)
def test_the_commander_strikes_when_it_is_hopeless_and_not_before(
    over: dict[str, Any], enemies: int, friend: bool, strikes: bool
) -> None:
    ships: list[Ship] = [ship("E1", **over)]
    ships += [ship(f"S{n}", 3_000, 1_500 * n - 1_500) for n in range(enemies)] or [ship("S9", 30_000)]
    if friend:
        ships += [ship("E2", -3_000), ship("E3", -3_000, 2_000)]
    captain, view = ready(battle(*ships))
    assert captain.strikes(view, "E1") == strikes


@pytest.mark.clause("T.O6d", "T.O6f", "T.O6h", "T.O6l")
def test_a_ship_with_men_to_spare_secures_a_prize_and_one_without_leaves_it() -> None:
    for crew, secured in ((120, {"S1": -1}), (30, {})):
        own = ship("E1", crew_halves=crew)
        prize = ship("S1", 1_500, struck=True, captor_side="ENG")
        captain, view = ready(battle(own, prize, ship("S2", 30_000)))
        assert captain.secures(view, "E1", ("S1",)) == secured


@pytest.mark.clause("T.O6e")
def test_an_idle_ship_heads_for_the_nearest_prize() -> None:
    own = ship("E1", 0, -9_000, 0)
    prize = ship("S1", 0, 0, struck=True, captor_side="ENG", crew_halves=60)
    made = battle(own, prize, ship("S2", 60_000, -9_000), wind_from=18_000)
    before = apart(own, prize)
    moved(made)
    assert apart(own, prize) < before - 3_000


@pytest.mark.clause("T.O7a")
def test_guns_are_thrown_overboard_while_more_than_two_batteries_remain() -> None:
    guns = batteries()
    captain, view = ready(battle(ship("E1", batteries=guns), ship("S1", 30_000)))
    assert captain.jettisons(view, "E1")
    for one in guns[2:]:
        one.lost = True
    assert not captain.jettisons(view, "E1")


@pytest.mark.clause("T.O5h")
def test_the_commander_stops_for_drowning_men_only_when_no_enemy_is_near() -> None:
    for far, saves in ((30_000, True), (6_000, False)):
        captain, view = ready(battle(ship("E1"), ship("S1", far)))
        assert captain.saves(view, "E1", "S1") == saves


@pytest.mark.clause("T.C5")
def test_the_commander_fights_on_by_night_only_when_seeking_action_and_stronger() -> None:
    def asked(stance: Stance, enemies: int) -> bool:
        others = [ship(f"S{n}", 3_000 * n, 6_000) for n in range(enemies)]
        captain, view = commander(battle(ship("E1"), ship("E2", 3_000), *others), Doctrine(stance=stance))
        return captain.fights_on(view)

    assert asked(Stance.SEEK, 1)
    assert not asked(Stance.SEEK, 5)
    assert not asked(Stance.HOLD, 1)


def test_the_commander_does_not_dishonour_a_surrender() -> None:
    captain, view = ready(battle(ship("E1"), ship("S1", 9_000)))
    assert not captain.dishonours(view, "E1")
    assert captain.accepts(view, "S1")
    assert captain.under_way(view, "E1")
    assert captain.detail(view, "S1") == ""


@pytest.mark.parametrize(("heading", "turns"), [(1_000, 4_500), (35_000, -4_500)])
def test_a_ship_in_irons_turns_the_shorter_way_off_the_wind(heading: int, turns: int) -> None:
    captain, view = ready(battle(ship("E1", heading=heading, in_irons=True), ship("S1", 9_000), wind_from=0))
    assert captain.irons_turn(view, "E1") == turns


def test_two_identical_commanders_produce_the_same_battle_twice() -> None:
    scores = [
        study.battle(400, size=6, captain="commander", against="commander", rules="thomas") for _ in range(2)
    ]
    assert scores[0] == scores[1]


def test_the_commander_beats_the_plain_captain_in_fleets_and_duels() -> None:
    fleets = study.study(size=6, runs=4, first=1_000, rules="thomas")
    duels = study.study(size=1, runs=12, first=1_000, rules="thomas")
    assert fleets.battles == 4 and fleets.won >= 3
    assert fleets.other_ships > 2 * fleets.own_ships
    assert duels.won >= 9 and duels.lost <= 2
