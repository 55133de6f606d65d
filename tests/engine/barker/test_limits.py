"""Limits to the hundredth of a yard, on both sides. Places in yards, headings in degrees. Rules: P.Z03, P.Z13 and those named."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core import bases
from battles.engine.core.plane import advance
from battles.engine.rulesets.barker import (
    after,
    alone,
    arcs,
    factors,
    formations,
    land,
    light,
    lights,
    mines,
    modes,
    passage,
    plans,
    raiders,
    searches,
    sight,
    signals,
    slots,
    submarines,
)
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.hazards import Sea
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.notation import parse
from battles.engine.rulesets.barker.play import Token
from battles.engine.rulesets.barker.signals import Means
from battles.engine.rulesets.barker.state import Bank, Field, Marker, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase
from tests.engine.barker.builders import battle, play, told, unit
from tests.engine.barker.test_hazards import moved, other, where
from tests.support.answers import flawless, unerring

Y = 100
WIDE = 200


# --- sight and signals ---


@pytest.mark.clause("P.V01", "P.V02", "P.V05", "P.V03")
@pytest.mark.parametrize(
    ("far", "over"), [(32_000, {}), (12_000, {"haze": True}), (4_000, {"phase": Phase.DUSK}), (1_000, {"phase": Phase.NIGHT})]
)  # fmt: skip
@pytest.mark.parametrize(("x", "y", "near"), [(1, 0, 200), (0, 1, 400), (-1, 0, 200), (0, -1, 400)])
def test_sight_ends_half_a_yard_beyond_its_limit(
    far: int, over: dict[str, Any], x: int, y: int, near: int
) -> None:
    for more, seen in ((0, True), (50, True), (51, False)):
        made = battle(unit("A1"), unit("B1"), **over)
        target = made.units["B1"]
        reach = (far + near) * Y + more
        target.x, target.y = x * reach, y * reach
        assert sight.visible(made, made.units["A1"], target) is seen
        assert [one.id for one in sight.seen_by_side(made, "A")] == ["B1"] * seen


@pytest.mark.clause("P.G01", "P.G03", "P.G04", "P.G05", "P.V14", "P.Z03")
@pytest.mark.parametrize("more", [50, 51])
def test_signals_and_beams_carry_half_a_yard_beyond_theirs(more: int) -> None:
    def pair(yards: int, **over: Any) -> Any:
        made = battle(unit("A1", wt=True), unit("A2", wt=True), unit("B1"), **over)
        for code in ("A2", "B1"):
            made.units[code].x = (yards + WIDE) * Y + more
        return made

    for means, yards in ((Means.HOIST, 20_000), (Means.LAMP, 4_000), (Means.WIRELESS, 130_000)):
        made = pair(yards)
        assert signals.carries(made, made.units["A1"], made.units["A2"], means) is (more == 50)
    rain = pair(10_000, banks=[Bank("squall", 900 * Y, 0, 0, 4_000 * Y, 400 * Y, 0)])
    assert signals.carries(rain, rain.units["A1"], rain.units["A2"], Means.HOIST) is (more == 50)
    dark = pair(4_000, phase=Phase.NIGHT)
    assert lights.can_light(dark, dark.units["A1"], dark.units["B1"]) is (more == 50)


@pytest.mark.clause("P.F32", "P.V05")
@pytest.mark.parametrize(("more", "less"), [(50, 0), (51, 1)])
def test_a_light_hinders_beyond_the_sight_of_a_dark_ship(more: int, less: int) -> None:
    me, target = unit("A1"), unit("B1", light="A1")
    target.x = (1_000 + WIDE) * Y + more
    made = battle(me, target, phase=Phase.NIGHT)
    assert factors.shooter(made, me, target, Band.NORMAL, reduced=False) == 3 - less


@pytest.mark.clause("P.R02", "P.F06")
@pytest.mark.parametrize(("more", "shown"), [(50, True), (51, False)])
def test_a_disguise_falls_within_normal_range_to_half_a_yard(more: int, shown: bool) -> None:
    made = battle(unit("A1", kind="TRAMP"), unit("B1", kind="RAIDER_T", disguised=True, contact="n1"))
    made.units["A1"].x = 1_600 * Y + more
    flawless(raiders.recognised, made, play(made))
    assert made.units["B1"].disguised is not shown


@pytest.mark.clause("P.R03")
def test_a_raider_must_fire_on_the_nearest_of_those_who_have_known_it() -> None:
    made = battle(
        unit("A1", (1_500, 0), kind="TRAMP"), unit("A2", (-900, 0), kind="TRAMP"), unit("A3", (0, 1_400), kind="TRAMP"),
        unit("B1", kind="RAIDER_T", disguised=True, contact="n1", stopped=True, challenged="A1", search_due=4),
    )  # fmt: skip
    table = play(made)
    flawless(raiders.recognised, made, table)
    raider = made.units["B1"]
    assert table.forced == {"B1": "A2"}
    assert (raider.challenged, raider.search_due, raider.stopped) == ("", -1, False)


@pytest.mark.clause("P.N07", "P.N08")
@pytest.mark.parametrize(("more", "touch"), [(0, True), (1, False)])
def test_contact_is_a_gap_of_20_yards_at_most(more: int, touch: bool) -> None:
    one, vessel = unit("A1"), unit("B1", kind="TRAMP", neutral=True)
    vessel.x = (WIDE + 20) * Y + more
    assert searches.alongside(one, vessel) is touch


@pytest.mark.clause("P.U08", "P.U05")
@pytest.mark.parametrize(("more", "outside"), [(50, False), (51, True)])
def test_a_fake_and_a_boat_keep_their_distances_to_half_a_yard(more: int, outside: bool) -> None:
    made = battle(
        unit("A1", kind="SUB", submerged=True),
        unit("B1", (0, 5_000)),
        unit("B2", (0, -9_000), kind="TRAMP", neutral=True),
    )
    made.markers = [Marker("A1", "A", 0, 0, "A1")]
    made.parties["A"].spells = 1
    assert submarines.may_fake(made, "A", 1, (0, 4_000 * Y - more)) is outside
    assert submarines.may_fake(made, "A", 1, (0, -9_000 * Y)), "a neutral is no enemy"
    up = Token("U", at=(800 * Y + more, 0))
    assert submarines.may_surface(made, made.units["A1"], up) is not outside


@pytest.mark.clause("P.F05", "P.F06", "P.EX9")
def test_bow_to_bow_guns_reach_a_ship_whose_middle_lies_200_yards_beyond_their_range() -> None:
    for year, far in ((1904, 6_200), (1905, 8_200)):
        for more, legal in ((0, True), (50, True), (51, False)):
            me, target = unit("A1"), unit("B1", heading=180)
            target.y = far * Y + more
            assert bool(slots.legal(battle(me, target, year=year), me)) is legal
            target.x, target.y, target.h, me.h = -far * Y - more, 0, 9_000, 27_000
            assert bool(slots.legal(battle(me, target, year=year), me)) is legal


@pytest.mark.clause("P.F17", "P.V06")
def test_a_fog_bank_between_them_hides_a_target_by_day() -> None:
    me, target = unit("A1"), unit("B1", (3_000, 0))
    fog = Bank("fog", 1_500 * Y, 0, 0, 4_000 * Y, 400 * Y, 0)
    assert slots.legal(battle(me, target), me)
    assert not slots.legal(battle(me, target, banks=[fog]), me)


# --- formations ---


@pytest.mark.clause("P.M09", "P.Z03")
@pytest.mark.parametrize(
    ("place", "joined"),
    [
        ((0, -420.5, 0), True), ((0, -420.51, 0), False), ((0, -379.5, 0), True), ((0, -379.49, 0), False), ((20.5, -400, 0), True),
        ((-20.5, -400, 0), True), ((20.51, -400, 0), False), ((-20.51, -400, 0), False),
    ],
)  # fmt: skip
def test_a_line_ahead_holds_to_half_a_yard(place: tuple[float, float, float], joined: bool) -> None:
    van, rear = ((0, 0, 0), (round(place[0] * Y), round(place[1] * Y), 0))
    assert formations.astern(van, rear) is joined


@pytest.mark.clause("P.M10", "P.Z03")
@pytest.mark.parametrize(
    ("place", "off"),
    [
        ((420.5, 0, 0), 420.5), ((420.51, 0, 0), 0), ((300, 20.5, 0), 300), ((300, 20.51, 0), 0), ((300, -20.5, 0), 300),
        ((300, -20.51, 0), 0), ((-300, 0, 0), 0), ((0, 0, 0), 0), ((0.01, 0, 0), 0.01),
    ],
)  # fmt: skip
def test_a_line_abreast_holds_to_half_a_yard(place: tuple[float, float, float], off: float) -> None:
    right = (round(place[0] * Y), round(place[1] * Y), 0)
    assert formations.beside((0, 0, 0), right) == round(off * Y) * 10**9


@pytest.mark.clause("P.M09", "P.M10", "P.Z03")
@pytest.mark.parametrize(
    ("heading", "level"),
    [(0, True), (201, True), (202, False), (35_799, True), (35_798, False), (18_000, False)],
)
def test_one_course_is_one_within_two_degrees(heading: int, level: bool) -> None:
    assert formations.level((0, 0, 0), (0, 0, heading)) is level


@pytest.mark.clause("P.M10")
def test_of_several_neighbours_to_starboard_the_nearest_is_the_next() -> None:
    made = battle(
        *(unit(f"A{n}", (x, 0)) for n, x in enumerate((0, 400, 200, 600), 1)), unit("B1", (9_000, 0))
    )
    formations.gather(made)
    assert [(row.kind, row.members) for row in made.formations] == [("abreast", ("A1", "A3", "A2", "A4"))]


# --- bases that meet ---


@pytest.mark.clause("P.A05", "P.Z03")
@pytest.mark.parametrize(("x", "rams"), [(195, False), (194.99, True), (-195, False), (-194.99, True)])
def test_more_than_five_yards_make_a_collision(x: float, rams: bool) -> None:
    made = battle(unit("A1"), other("B9", (x, 500), 0, crippled=True))
    assert bool(told(moved(made), "rammed")) is rams


@pytest.mark.clause("P.A01", "P.Z03")
@pytest.mark.parametrize(
    ("x", "cells", "aground"),
    [(404.99, (1, 1), False), (405, (1, 1), True), (-405, (-2, 1), False), (-405.01, (-2, 1), True), (94.99, (-1, 1), True),
    (95, (-1, 1), False)],
)  # fmt: skip
def test_five_yards_of_shore_put_a_ship_aground(x: float, cells: tuple[int, int], aground: bool) -> None:
    made = battle(unit("A1", (x, 0)), shoal=frozenset({cells}))
    moved(made)
    assert made.units["A1"].aground is aground


@pytest.mark.clause("P.M22", "P.A01", "P.Z02")
@pytest.mark.parametrize(("length", "touch"), [(305, 30_000), (304.99, None), (400, 30_000)])
def test_a_front_edge_that_ends_five_yards_up_the_shore_has_touched_it(
    length: float, touch: int | None
) -> None:
    made = battle(unit("A1"), land=frozenset({(0, 1)}))
    assert land.first_touch(made, made.units["A1"], round(length * Y)) == touch


@pytest.mark.clause("P.U05", "P.Z03")
@pytest.mark.parametrize(
    ("at", "aground"),
    [
        ((250, 305), True), ((250, 304.99), False), ((250, 1_195), True), ((250, 1_195.01), False), ((-95, 750), True),
        ((-95.01, 750), False), ((595, 750), True), ((595.01, 750), False),
    ],
)  # fmt: skip
def test_a_base_lies_on_a_square_by_five_yards(at: tuple[float, float], aground: bool) -> None:
    made = battle(unit("A1", at), land=frozenset({(0, 1)}))
    assert land.aground(made, made.units["A1"]) is aground
    made.land, made.shoal = frozenset(), made.land
    assert land.aground(made, made.units["A1"]) is aground


@pytest.mark.clause("P.M22", "P.Y09", "P.M25")
def test_who_moves_alone_looks_for_land_on_the_course_after_the_turn() -> None:
    ahead, right = frozenset({(0, 1), (-1, 1)}), frozenset({(1, 0)})
    for cells, turn, clear in (
        (ahead, 0, False),
        (ahead, 9_000, True),
        (right, 0, True),
        (right, 9_000, False),
    ):
        made = battle(unit("A1", (50, 0), kind="FISH"), shoal=cells)
        fleet = made.units["A1"]
        assert alone.clear(made, fleet, turn, 40_000) is clear
        assert alone.steam(made, play(made), fleet, turn, 40_000) is clear
        assert (fleet.at != (5_000, 0)) is clear and not fleet.aground


# --- mines ---


@unerring
def ran(
    fields: list[Field], *faces: int, kind: str = "BB", steps: tuple[int, ...] = (400,), **over: Any
) -> tuple[Unit, Any]:
    """A1 runs north by so many yards in one stretch each."""
    made = battle(unit("A1", kind=kind), unit("B9", (0, 90_000)), fields=fields, **over)
    ship, table = made.units["A1"], play(made, *faces)
    for yards in steps:
        corridor = bases.corridor(ship, yards * Y)
        ship.x, ship.y = advance(ship.at, ship.h, yards * Y)
        mines.run_in(made, table, ship, corridor)
    return ship, table


@pytest.mark.clause("P.V08", "P.Z03")
@pytest.mark.parametrize(("more", "known"), [(50, True), (51, False)])
def test_mines_are_seen_at_a_cable_and_half_a_yard(more: int, known: bool) -> None:
    field = Field("F", "B", [(0, 850 * Y + more)])
    ran([field])
    assert (field.known == ("A",)) is known
    beside = Field("F", "B", [(350 * Y + more, 300 * Y)])
    ran([beside])
    assert (beside.known == ("A",)) is known


@pytest.mark.clause("P.X09", "P.Z03")
@pytest.mark.parametrize(
    ("at", "swept"),
    [
        ((50.5, 400), True), ((50.51, 400), False), ((-50.5, 400), True), ((-50.51, 400), False), ((0, 249.5), True),
        ((0, 249.49), False), ((0, 550.5), True), ((0, 550.51), False),
    ],
)  # fmt: skip
def test_a_section_is_swept_that_is_covered_to_half_a_yard(at: tuple[float, float], swept: bool) -> None:
    field = Field("F", "B", [(round(at[0] * Y), round(at[1] * Y))])
    ran([field], 3, 2, kind="TBD")
    assert (field.sections == []) is swept


@pytest.mark.clause("P.X09")
def test_two_stretches_sweep_as_one_only_end_to_end_on_one_course() -> None:
    def left(aside: int, heading: int) -> int:
        field = Field("F", "B", [(0, 600 * Y)])
        made = battle(unit("A1", kind="TBD"), unit("B9", (0, 90_000)), fields=[field])
        ship, table = made.units["A1"], play(made, 3, 2)
        for n in range(2):
            corridor = bases.corridor(ship, 400 * Y)
            ship.x, ship.y = advance(ship.at, ship.h, 400 * Y)
            mines.run_in(made, table, ship, corridor)
            if not n:
                ship.x, ship.h = aside, heading
        return len(field.sections)

    assert left(0, 0) == 0
    assert left(50, 0) == 0
    assert left(51, 0) == 1
    assert left(0, 1) == 1


@pytest.mark.clause("P.X06", "P.N03", "P.R01")
def test_neutrals_and_disguised_ships_lie_on_a_field_in_the_spells_of_the_initiative_side() -> None:
    made = battle(
        unit("A1", (0, 300)), unit("B1", (0, 300), kind="TRAMP", neutral=True), unit("B2", (0, 300), kind="RAIDER_T", disguised=True),
        unit("B3", (0, 300)), unit("B4", (0, 300), kind="BATTERY"), fields=[Field("F", "C", [(0, 300 * Y)])],
    )  # fmt: skip
    assert {code for code, _ in mines.lying(made, "A")} == {"A1", "B1", "B2"}
    assert {code for code, _ in mines.lying(made, "B")} == {"B3"}


# --- the rest ---


@pytest.mark.clause("P.C03")
def test_sight_is_tested_every_500_yards_of_a_cruising_move() -> None:
    assert modes.SIGHT_STEP == 50_000
    for x, y, heading in ((0, 1, 180), (1, 0, 270), (-1, 0, 90), (0, -1, 0)):
        # Their fronts are 37,850 yd apart; 32,000 are reached in the twelfth step.
        mover = unit("A1", heading={(0, 1): 0, (1, 0): 90, (-1, 0): 270, (0, -1): 180}[x, y])
        made = battle(mover, unit("B1", (38_250 * x, 38_250 * y), heading), mode=Mode.CRUISING)
        moved(made, 6, A1="C P")
        assert made.units["A1"].at == (600_000 * x, 600_000 * y)
        assert made.mode is Mode.COMBAT


@pytest.mark.clause("P.W11", "P.W06")
@pytest.mark.parametrize(("north", "left"), [(100_000, 1), (100_001, 0)])
def test_a_bank_is_gone_when_its_trailing_edge_lies_beyond_the_corner(north: int, left: int) -> None:
    # It drifts north by 400 yd; half its own length is 500, and the table ends 900 yd north.
    made = battle(unit("A1"), table=(-90_000, -90_000, 90_000, 90_000), wind=18_000, spell=3)
    made.banks = [Bank("fog", 0, north, 0, 100_000, 100, 1)]
    light.drift(made, play(made))
    assert len(made.banks) == left


@pytest.mark.clause("P.A04", "P.A05", "P.V04")
def test_who_burns_at_night_is_seen_and_who_lay_crippled_before_the_move_cannot_get_out_of_the_way() -> None:
    made = battle(unit("A1"), unit("B1", (0, 900)), unit("B2", (0, 1_800), crippled=True), phase=Phase.NIGHT)
    sea = Sea(made)
    rammer, dark, lame = (made.units[code] for code in ("A1", "B1", "B2"))
    assert sea.helpless(made, rammer, dark) and sea.helpless(made, rammer, lame)
    dark.crippled = True
    assert not sea.helpless(made, rammer, dark)
    sea.hurt.append(dark)
    sea.next_move()
    assert sea.helpless(made, rammer, dark) and sea.hurt == []
    by_day = battle(unit("A1"), unit("B1", (0, 900)))
    assert not Sea(by_day).helpless(by_day, by_day.units["A1"], by_day.units["B1"])


@pytest.mark.clause("P.A06", "P.M11", "P.X07")
def test_a_rammer_that_is_crippled_by_it_makes_no_further_move() -> None:
    made = battle(unit("A1", damage=2), other("B9", (0, 500), 90, crippled=True))
    moved(made, 6, A1="C P")
    assert made.units["A1"].crippled and where(made, "A1") == [(0, 400, 0)]
    sound = battle(unit("A1"), other("B9", (0, 500), 90, crippled=True))
    moved(sound, 6, A1="C P")
    assert where(sound, "A1") == [(0, 800, 0)]


@pytest.mark.clause("P.C03")
def test_who_is_frozen_or_below_does_not_move_alone() -> None:
    for frozen, over, y in ((False, {}, 400), (True, {}, 0), (False, {"submerged": True}, 0)):
        made = battle(unit("A1", kind="SUB", **over))
        table = play(made)
        table.frozen = frozen
        passage.single(made, table, made.units["A1"], 40_000)
        assert made.units["A1"].y == y * Y


@pytest.mark.clause("P.M23")
@pytest.mark.parametrize(
    ("at", "edge"),
    [((30_300, 48_200), 9_000), ((30_200, 48_300), 0), ((-30_300, 48_200), 27_000), ((-30_200, -48_300), 18_000),
    ((30_200, -48_300), 18_000)],
)  # fmt: skip
def test_who_leaves_over_a_corner_leaves_by_the_edge_that_lies_farther_behind(
    at: tuple[int, int], edge: int
) -> None:
    ship = unit("A1", at)
    ship.h = 0
    made = battle(ship)
    passage.single(made, play(made), ship, 1)
    assert ship.edge == edge


@pytest.mark.clause("P.V15", "P.C03")
def test_sight_is_looked_for_anew_after_the_movement_in_combat_alone() -> None:
    for mode, seen in ((Mode.COMBAT, ("B1",)), (Mode.CRUISING, ())):
        made = battle(unit("A1"), unit("B1", (3_000, 0)), mode=mode)
        after.play(made, play(made))
        assert made.parties["A"].contacts == seen


@pytest.mark.clause("P.M24", "P.Z03")
@pytest.mark.parametrize(("away", "joins"), [(820.5, True), (820.51, False)])
def test_a_move_cut_short_has_to_end_in_contact(away: float, joins: bool) -> None:
    mate = unit("A9", (0, away))
    made = battle(unit("A1"), mate)
    mover = Mover("loose", [made.units["A1"]])
    (plan,) = parse("P:0 C").plans
    if joins:
        assert plans.cost(made, mover, plan) == 1
    else:
        with pytest.raises(plans.Refused, match="cut-short"):
            plans.cost(made, mover, plan)


def test_arcs_meet_at_the_middle() -> None:
    guns = unit("A1", kind="BATTERY", face=0)
    assert arcs.faces(guns, (0, 0))
