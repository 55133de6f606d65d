"""What bodies of ships do besides fighting at their range: scout, keep company, cover, sweep; and who stays at anchor."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.barker.captain import errands, flotillas, line, others
from battles.engine.rulesets.barker.captain.commander import RANGES, STANDS_OFF, Commander, _range
from battles.engine.rulesets.barker.captain.line import C
from battles.engine.rulesets.barker.captain.posture import Posture
from battles.engine.rulesets.barker.captain.scene import Scene
from battles.engine.rulesets.barker.state import Field, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase
from battles.engine.rulesets.barker.view import View
from tests.engine.barker.builders import field, unit, view
from tests.support.answers import unerring


def cruiser(code: str = "A2", at: tuple[int, int] = (0, -9_000), **over: Any) -> Unit:
    return unit(code, at, kind="C1", extra_free=True, moves=3, squadron="A-2", group="A-2", **over)


def test_scouts_run_ahead_of_the_flag_and_spread() -> None:
    flag = unit("A1")
    scouts = [unit(f"A{n}", (0, 500), kind="C3", squadron=f"A-{n}", group=f"A-{n}") for n in (2, 3, 4)]
    seen = view(flag, *scouts, mode=Mode.CRUISING)
    seen.party.edge = 18_000
    places = [errands.scouting(seen, [one], scouts) for one in scouts]
    ahead, port, starboard = [found[0] for found in places if found is not None]
    assert ahead == (0, 2_000_000)
    assert port[0] < -1_000_000 and starboard[0] > 1_000_000 and port[1] == starboard[1] > 1_000_000
    assert errands.scouting(seen, [flag], scouts) is None


@pytest.mark.clause("P.K49")
def test_fast_squadrons_keep_company_unless_a_general_chase_is_ordered() -> None:
    def goal(at: tuple[int, int], chase: str = "line") -> errands.Errand | None:
        ship = cruiser(at=at)
        made = field(unit("A1"), ship)
        made.squadrons["A-2"].doctrine = Doctrine(chase=chase)
        return errands.company(View(made, "A"), [ship])

    assert goal((0, 4_100)) == ((0, 0), errands.COMPANY)
    assert goal((0, 3_900)) is None
    assert goal((0, 4_100), "general") is None


def test_a_big_ship_that_is_crippled_is_covered() -> None:
    def place(lame: Unit, foe: Unit) -> errands.Errand | None:
        ship = cruiser(at=(-5_000, 0))
        return errands.cover(Scene(view(ship, lame, foe)), [ship])

    lame = unit("A1", crippled=True)
    assert place(lame, unit("B1", (0, 6_000))) == ((0, 120_000), 1_000)
    assert place(lame, unit("B1", (0, 8_100))) is None
    assert place(unit("A1"), unit("B1", (0, 6_000))) is None
    assert place(unit("A1", kind="TBD", crippled=True), unit("B1", (0, 6_000))) is None


@pytest.mark.clause("P.K49")
def test_ships_to_be_protected_keep_out_of_range_and_boats_stand_before_them() -> None:
    boat = unit("A3", (0, -1_000), kind="TBD", squadron="A-3", group="A-3")
    ward, foe = unit("A1"), unit("B1", (0, 7_000))
    told = Doctrine(protect=("A1",))
    scene = Scene(view(ward, boat, foe, doctrine=told))
    assert flotillas.wish(scene, [boat], Posture.EVEN).goal == (0, 250_000)
    assert _range(scene, [ward], Posture.EVEN, [0])[0] > 6_000
    assert errands.guard(scene, [ward]) is None
    assert errands.guard(Scene(view(ward, boat, foe)), [boat]) is None


@pytest.mark.clause("P.X09")
@pytest.mark.parametrize(
    ("kind", "year", "sweeps"), [("TBD", 1904, True), ("TBD", 1903, False), ("TB", 1904, False)]
)
def test_destroyers_sweep_mines_that_are_known(kind: str, year: int, sweeps: bool) -> None:
    boat = unit("A1", kind=kind, squadron="A-1", group="A-1")
    mines = [Field("F", "B", [(0, 300_000), (0, 200_000)], known=("A",)), Field("G", "B", [(0, 100_000)])]
    seen = view(boat, unit("B1", (0, 90_000)), fields=mines, year=year)
    found = flotillas.wish(Scene(seen), [boat], Posture.EVEN)
    assert found.sweep is sweeps and (found.goal == (0, 200_000)) is sweeps


@pytest.mark.parametrize(
    ("phase", "kind", "stays"),
    [(Phase.NIGHT, "BB", True), (Phase.DAY, "TBD", True), (Phase.DAY, "BB", False), (Phase.DAY, "C2", False)],
)
def test_ships_at_anchor_stay_there_in_the_dark_and_from_boats(phase: Phase, kind: str, stays: bool) -> None:
    made = field(unit("A1", stopped=True, anchored=True), unit("B1", (0, 900), kind=kind), phase=phase)
    plans = Commander(Doctrine()).orders(View(made, "A"), {})["A1"].plans
    assert (plans == ((),)) is stays


def test_heavy_ships_stand_off_in_the_dark_unless_they_are_to_fight_close() -> None:
    ships = (unit("A1"), unit("B1", (0, 900)))
    dark = Scene(view(*ships, phase=Phase.NIGHT))
    assert _range(dark, [dark.own[0]], Posture.EVEN, [0])[0] == STANDS_OFF
    made = field(*ships, phase=Phase.NIGHT)
    made.squadrons["A-1"].doctrine = Doctrine(fight_at="close")
    assert _range(Scene(View(made, "A")), [ships[0]], Posture.EVEN, [0])[0] == 1_000
    assert _range(Scene(view(*ships)), [dark.own[0]], Posture.EVEN, [0])[0] in RANGES.values()


def test_an_enemy_in_port_is_looked_for_off_his_batteries() -> None:
    battery = unit("Battery 1", (0, 40_000), side="B", kind="BATTERY")
    seen = view(unit("A1"), battery)
    assert others.search(seen, seen.own()[0]) == (0, 4_000_000)


@unerring
def attack(*ships: Unit, **over: Any) -> View:
    """Side A in the dark before an anchorage of B, the middle of which is 3,000 yd to the north."""
    made = field(*ships, phase=Phase.NIGHT, **over)
    made.parties["B"].roads = (0, 300_000)
    return View(made, "A")


def test_an_enemy_at_anchor_is_looked_for_in_his_roads_before_his_batteries() -> None:
    seen = attack(unit("A1", kind="TBD"), unit("Battery 1", (0, 40_000), side="B", kind="BATTERY"))
    assert others.search(seen, seen.own()[0]) == (0, 300_000)


@pytest.mark.clause("P.A05")
def test_boats_that_have_fired_run_straight_away_from_an_anchorage() -> None:
    boat = unit("A1", (1_000, 3_000), kind="TBD", fired=True)
    goal = flotillas.wish(Scene(attack(boat)), [boat], Posture.EVEN).goal
    assert goal is not None and goal[0] > 5_000_000 and goal[1] == 300_000


@pytest.mark.clause("P.A05")
def test_boats_keep_clear_of_hulls_at_anchor_and_of_where_consorts_will_lie() -> None:
    boat, mate = unit("A1", kind="TBD"), unit("A2", (300, 0), kind="TBD", squadron="A-2", group="A-2")
    foe = unit("B1", (0, 900), anchored=True, stopped=True)
    scene = Scene(attack(boat, mate, foe))
    assert scene.unlit([boat]) == [mate, foe]
    line.announce(scene, [mate], (C,))
    lies = scene.unlit([boat])[-1]
    assert (lies.x, lies.y, lies.heading) == (30_000, 40_000, 0)
    assert Scene(attack(boat, foe)).unlit([foe]) == []
    assert Scene(view(boat, foe, phase=Phase.NIGHT)).unlit([boat]) == []


@pytest.mark.clause("P.A05")
def test_no_boat_runs_onto_a_hull_at_anchor_when_it_can_turn() -> None:
    boat = unit("A1", (0, 0), kind="TBD")
    foe = unit("B1", (0, 620), 90, anchored=True, stopped=True)
    made = field(boat, foe, phase=Phase.NIGHT)
    made.parties["B"].roads = (0, 62_000)
    assert Commander(Doctrine()).orders(View(made, "A"), {})["A1"].plans[0][0].turn


@pytest.mark.parametrize(("beside", "goes"), [((5_000, 2_900), False), ((5_000, 3_100), True)])
def test_by_day_boats_go_in_on_a_cripple_only_when_no_sound_ship_stands_by(
    beside: tuple[int, int], goes: bool
) -> None:
    boat = unit("A1", kind="TBD", squadron="A-1", group="A-1")
    seen = view(boat, unit("A2"), unit("B1", (5_000, 0), crippled=True), unit("B2", beside))
    assert (flotillas.wish(Scene(seen), [boat], Posture.EVEN).among == (0,)) is goes


@pytest.mark.parametrize(
    ("phase", "fired", "leaves"),
    [(Phase.NIGHT, False, False), (Phase.NIGHT, True, True), (Phase.DAWN, False, True)],
)
def test_boats_that_came_alone_go_home_when_they_have_fired_and_before_day(
    phase: Phase, fired: bool, leaves: bool
) -> None:
    boat = unit("A1", kind="TBD", fired=fired, squadron="A-1", group="A-1")
    seen = view(boat, phase=phase, doctrine=Doctrine(stance=Stance.SEEK))
    assert flotillas.wish(Scene(seen), [boat], Posture.EVEN).leave is leaves
