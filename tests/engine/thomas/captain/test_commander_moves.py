"""The commander under way: line, gauge, concentration, raking, ranges, stances, boats, oars, tows, shores and fires. Section 12."""

from __future__ import annotations

import pytest

from battles.engine.core import plane
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas import arcs
from battles.engine.rulesets.thomas.captain.plan import Mode
from battles.engine.rulesets.thomas.state import Adrift, Rig, Ship
from battles.engine.rulesets.thomas.tables import Arc, Kind, WindForce
from tests.engine.thomas.builders import batteries, battle, revenge, ship
from tests.engine.thomas.captain.scenes import apart, commander, moved


def line_ship(code: str, x: int = 0, y: int = 0, heading: int = 0, **over: object) -> Ship:
    """A seventy-four: long guns only."""
    figures: dict[str, object] = {
        "kind": Kind.LINE, "year": 1795, "tons": 1_700, "guns": 74, "length": 1_700, "beam": 425, "speed": 6_000,
        "flot_max": 85, "crew_max": 170, "batteries": batteries(0, 0, 5),
    }  # fmt: skip
    return ship(code, x, y, heading, **{**figures, **over})


def test_ships_keep_station_astern_of_their_leader() -> None:
    """In the wake, a length and some water behind, on his heading, whichever way he has turned."""
    line = [ship(f"E{n}", 0, -1_800 * n, 0) for n in range(4)]
    made = battle(*line, ship("S1", 60_000, 0), wind_from=27_000)
    moved(made)
    assert all(one.y != -1_800 * n or one.x for n, one in enumerate(line))
    for ahead, astern in zip(line, line[1:], strict=False):
        assert apart(ahead, astern) < 3_200
    headings = [one.heading for one in line[:2]]
    assert plane.angle(*headings) <= 4_500


def test_a_ship_that_fell_behind_catches_up_and_one_in_station_does_not_overrun() -> None:
    head, late = ship("E1", heading=9_000), ship("E2", -12_000, 0, 9_000)
    made = battle(head, late, ship("S1", 60_000, 0))
    before = apart(head, late)
    moved(made)
    assert apart(head, late) <= before
    assert late.x < head.x


@pytest.mark.parametrize(("gauge", "windward"), [("windward", True), ("leeward", False)])
def test_the_commander_works_to_the_ordered_side_of_the_wind(gauge: str, windward: bool) -> None:
    own = ship("E1", 26_000, 0, 27_000)
    made = battle(own, ship("S1", 0, 0, 9_000, masts_lost=2), strength=WindForce.MEDIUM)
    for _ in range(3):
        moved(made, Doctrine(gauge=gauge, fight_at="long", board="never"))
        own.moved = False
    assert (own.y > 0) == windward


def test_the_van_of_an_enemy_line_is_left_alone() -> None:
    own = ship("E1", 0, -20_000, 0)
    line = [ship(f"S{n}", 16_000 - 4_000 * n, 0, 9_000) for n in range(9)]
    captain, view = commander(battle(own, *line))
    captain.ship_order(view, ("E1",))
    aim = captain._plans["ENG-1"].aim
    assert aim is not None
    # The third that leads lies from 16 inches down to 8; the nearest of the rest is straight ahead.
    assert aim[0] < 7_000


def test_two_ships_attack_one_who_has_no_friends_at_hand() -> None:
    own = [ship(f"E{n}", 1_500 * n, 0, 0) for n in range(2)]
    alone = ship("S1", 500, 8_000, 9_000)
    friends = [ship(f"S{n}", 6_000 + 1_500 * n, 7_500, 9_000) for n in range(2, 5)]
    captain, view = commander(battle(*own, alone, *friends))
    captain.ship_order(view, ("E0", "E1"))
    assert {foe.id for foe in captain._hunt.prey.values()} == {"S1"}
    assert len(captain._hunt.prey) == 2


@pytest.mark.clause("T.N1")
def test_the_commander_rakes_an_enemy_who_cannot_turn() -> None:
    own = line_ship("E1", -6_000, -5_500, 4_500)
    helpless = line_ship("S1", 0, 0, 0, masts_lost=2, side="SPA")
    made = battle(own, helpless, nelson=True, wind_from=27_000, first="SPA")
    moved(made, Doctrine(board="never"))
    assert arcs.raked(made, own, helpless)
    assert arcs.marks(made, own, Arc.PORT) or arcs.marks(made, own, Arc.STARBOARD)


@pytest.mark.parametrize(("told", "least", "most"), [("close", 0, 3_600), ("long", 7_500, 14_500)])
def test_the_commander_fights_at_the_ordered_range(told: str, least: int, most: int) -> None:
    own = line_ship("E1", 0, -9_000, 9_000)
    enemy = line_ship("S1", 0, 0, 9_000, masts_lost=2, side="SPA")
    made = battle(own, enemy, wind_from=27_000, first="SPA", nelson=True)
    for _ in range(3):
        moved(made, Doctrine(fight_at=told, board="never"))
        own.moved = False
    assert least <= apart(own, enemy) <= most


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(("stance", "change"), [(Stance.SEEK, -1), (Stance.AVOID, 1)])
def test_the_commander_closes_or_escapes_as_ordered(stance: Stance, change: int) -> None:
    own, enemy = ship("E1", heading=9_000), ship("S1", 0, 18_000, 9_000)
    made = battle(own, enemy, wind_from=27_000)
    before = apart(own, enemy)
    moved(made, Doctrine(stance=stance))
    assert (apart(own, enemy) - before) * change > 1_000


@pytest.mark.clause("G.MV5")
def test_a_squadron_ordered_to_hold_keeps_its_course_under_easy_sail_until_the_enemy_is_near() -> None:
    own, enemy = ship("E1", heading=9_000), ship("S1", 0, 30_000, 9_000)
    made = battle(own, enemy, wind_from=27_000)
    moved(made, Doctrine(stance=Stance.HOLD))
    assert (own.position, own.heading) == ((1_000, 0), 9_000)
    near = battle(ship("E1", heading=9_000), ship("S1", 0, 9_000, 9_000))
    captain, view = commander(near, Doctrine(stance=Stance.HOLD))
    captain.ship_order(view, ("E1",))
    assert captain._plans["ENG-1"].mode is Mode.FIGHT


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(("lost", "away"), [(20, True), (80, False)])
def test_the_commander_breaks_off_at_the_ordered_loss_when_the_enemy_is_stronger(
    lost: int, away: bool
) -> None:
    own = ship("E1", heading=9_000, flot=20)
    made = battle(own, ship("S1", 0, 9_000), ship("S2", 2_000, 9_000), wind_from=27_000)
    captain, view = commander(made, Doctrine(break_off=lost))
    captain.ship_order(view, ("E1",))
    assert (captain._plans["ENG-1"].mode is Mode.AWAY) == away


@pytest.mark.clause("G.MV5")
def test_a_general_chase_frees_ships_from_the_line_once_the_enemy_is_beaten() -> None:
    own = [ship(f"E{n}", 0, -1_800 * n, 0) for n in range(4)]
    for chase, free in (("general", True), ("line", False)):
        captain, view = commander(battle(*own, ship("S1", 0, 30_000)), Doctrine(chase=chase))
        captain.ship_order(view, tuple(one.id for one in own))
        assert (captain._plans["ENG-1"].ahead == {}) == free


@pytest.mark.clause("G.MV5")
def test_an_escort_attacks_the_enemy_nearest_to_the_ships_it_covers() -> None:
    escort, merchant = (
        ship("E1", heading=9_000),
        ship("E2", 40_000, 0, 9_000, squadron="ENG-2", kind=Kind.MERCHANT),
    )
    made = battle(escort, merchant, ship("S1", 0, 22_000), ship("S2", 40_000, 20_000))
    made.squadrons["ENG-1"].doctrine = Doctrine(protect=("E2",))
    captain, view = commander(made)
    made.squadrons["ENG-1"].doctrine = Doctrine(protect=("E2",))
    captain.ship_order(view, ("E1", "E2"))
    aim = captain._plans["ENG-1"].aim
    assert aim is not None and aim[0] > 30_000


@pytest.mark.clause("T.O5g")
def test_a_worn_crew_opens_the_range() -> None:
    own, enemy = ship("E1", heading=9_000, crew_halves=28, breaking_off=True), ship("S1", 0, 4_000, 9_000)
    made = battle(own, enemy, wind_from=27_000)
    moved(made)
    assert apart(own, enemy) > 6_000


def test_a_ship_without_a_gun_or_men_to_board_hauls_off() -> None:
    guns = batteries()
    for one in guns:
        one.lost = True
    own, enemy = ship("E1", heading=9_000, batteries=guns, crew_halves=80), ship("S1", 0, 4_000, 9_000)
    made = battle(own, enemy, wind_from=27_000)
    moved(made)
    assert apart(own, enemy) > 6_000


@pytest.mark.parametrize("over", [{"batteries": ()}, {"flot_max": 85, "flot": 21}])
def test_a_ship_that_has_done_with_fighting_leads_no_line(over: dict[str, object]) -> None:
    """It gets away by itself; the next astern leads the others at the enemy."""
    worn, *others = line_ship("E1", **over), line_ship("E2", -3_000), line_ship("E3", -6_000)
    enemy = line_ship("S1", 18_000)
    captain, view = commander(battle(worn, *others, enemy, wind_from=0))
    captain.course(view, "E2")
    (plan,) = captain._plans.values()
    assert (plan.line, plan.ahead) == (("E2", "E3", "E1"), {"E3": "E2"})
    before = [apart(one, enemy) for one in (worn, *others)]
    moved(battle(worn, *others, enemy, wind_from=0))
    change = [apart(one, enemy) - far for one, far in zip((worn, *others), before, strict=True)]
    assert change[0] > 0 > max(change[1:])


@pytest.mark.clause("T.O1")
def test_boats_tow_in_a_calm() -> None:
    own = ship("E1")
    made = battle(own, ship("S1", 0, 12_000, 9_000), strength=WindForce.CALM, spell_calm=3, spell_quiet=3)
    moved(made)
    assert own.boats_out and own.y == 1_000


@pytest.mark.clause("T.O4e", "T.O4f")
def test_oars_are_for_light_airs_and_a_galleass_sets_sail_when_the_wind_freshens() -> None:
    galleass = ship("E1", kind=Kind.GALLEASSE, oar_speed=5_000, oar_turn=9_000, speed=3_000, rig=Rig.OARS)
    enemy = ship("S1", 0, 12_000, 9_000)
    light = battle(ship("E1", kind=Kind.GALLEASSE, oar_speed=5_000), enemy, strength=WindForce.LIGHT)
    captain, view = commander(light)
    assert captain.to_oars(view, "E1")
    fresh = battle(galleass, ship("S1", 0, 12_000, 9_000), strength=WindForce.MEDIUM)
    captain, view = commander(fresh)
    assert not captain.to_oars(view, "E1")
    assert captain.course(view, "E1").raise_sail


@pytest.mark.clause("T.O3", "T.O3c")
def test_a_frigate_with_nothing_to_fear_tows_a_crippled_ship() -> None:
    cripple = line_ship("E1", 0, 0, 9_000, masts_lost=2)
    other = line_ship("E2", -9_000, 3_000, 9_000)
    frigate = ship(
        "E3",
        -2_000,
        2_500,
        9_000,
        kind=Kind.FRIGATE,
        guns=38,
        tons=1_000,
        speed=9_000,
        turn=9_000,
        squadron="ENG-2",
    )
    made = battle(cripple, other, frigate, ship("S1", 0, 40_000, side="SPA"), nelson=True, wind_from=27_000)
    for _ in range(3):
        moved(made)
        frigate.moved = other.moved = False
        if cripple.adrift is Adrift.TOW_WAIT:
            break
    assert frigate.tow_wait == "E1"


def test_a_tow_is_released_when_an_enemy_approaches() -> None:
    for far, lets_go in ((20_000, False), (3_000, True)):
        tow = ship("E1", masts_lost=2, towed_by="E2")
        tower = ship("E2", 0, 1_200, towing="E1")
        captain, view = commander(battle(tow, tower, ship("S1", far, 0)))
        assert captain.casts_off(view, "E2") == lets_go


@pytest.mark.clause("T.N2c")
def test_the_commander_keeps_out_of_reach_of_a_burning_ships_blast() -> None:
    own = line_ship("E1", 0, -7_000, 0)
    burning = line_ship("S1", 0, 0, 9_000, on_fire=True, side="SPA")
    made = battle(own, burning, nelson=True, wind_from=27_000)
    for _ in range(3):
        moved(made)
        own.moved = False
        assert apart(own, burning) > 3_000


@pytest.mark.clause("T.B4e")
def test_the_commander_does_not_chase_an_enemy_onto_a_lee_shore() -> None:
    land = (((-20_000, 7_000), (20_000, 7_000), (20_000, 20_000), (-20_000, 20_000)),)
    own = ship("E1", 0, 0, 0)
    made = battle(own, ship("S1", 3_000, 5_500, 9_000), wind_from=18_000, land=land)
    for _ in range(3):
        moved(made)
        own.moved = False
        assert own.afloat and own.y < 6_000


def test_in_light_airs_a_squadron_sails_abreast() -> None:
    own = [ship(f"E{n}", 0, -1_800 * n, 4_500) for n in range(4)]
    captain, view = commander(battle(*own, ship("S1", 30_000, 0), strength=WindForce.LIGHT))
    captain.ship_order(view, tuple(one.id for one in own))
    assert captain._plans["ENG-1"].ahead == {}


def test_small_craft_keep_clear_of_a_line_of_battle() -> None:
    line = line_ship("E1", 0, 0, 9_000)
    frigate = ship(
        "E2", 0, 6_000, 9_000, kind=Kind.FRIGATE, guns=38, speed=9_000, turn=9_000, squadron="ENG-2"
    )
    enemy = line_ship("S1", 0, 12_000, 9_000, side="SPA")
    made = battle(line, frigate, enemy, nelson=True, wind_from=27_000)
    before = apart(frigate, enemy)
    moved(made)
    assert apart(frigate, enemy) > before


def test_revenge_turns_both_ways_and_never_ends_in_irons() -> None:
    for wind in range(0, 36_000, 4_500):
        own = revenge("E1", heading=(wind + 9_000) % 36_000)
        made = battle(own, ship("S1", 0, 9_000, 9_000), wind_from=wind)
        moved(made)
        assert not own.in_irons
