"""Range, arcs, slots and lines of fire."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.plane import advance, turned
from battles.engine.rulesets.barker import arcs, slots
from battles.engine.rulesets.barker.arcs import Arc, Band
from battles.engine.rulesets.barker.factors import shooter
from battles.engine.rulesets.barker.lines import Lines
from battles.engine.rulesets.barker.slots import Legal
from battles.engine.rulesets.barker.state import Battle, Status, Unit
from battles.engine.rulesets.barker.tables import Phase
from tests.engine.barker.builders import battle, unit
from tests.support.answers import unerring

ME = unit("A1")


@unerring
def firing(me: Unit, *others: Unit, **over: Any) -> dict[tuple[str, str], Legal]:
    """The legal shots of a unit by slot and target."""
    made = battle(me, *others, **over)
    return {(shot.slot, shot.target): shot for shot in slots.legal(made, me)}


@unerring
def keys(me: Unit, *others: Unit, **over: Any) -> set[tuple[str, str]]:
    return set(firing(me, *others, **over))


# --- range, bands, arcs ---


@pytest.mark.clause("P.F05")
@pytest.mark.clause("P.EX9")
def test_range_is_taken_from_model_to_model() -> None:
    assert arcs.range_between(ME, unit("B1", (1_600, 0))) == 160_000
    assert arcs.range_between(ME, unit("B1", (0, 1_800), 180)) == 160_000
    assert arcs.range_between(ME, unit("B1", (0, 1_800), 90)) == 170_000
    assert arcs.range_between(ME, unit("B1", (0, 1_800), kind="BATTERY")) == 170_000
    assert arcs.arc(ME, (160_000, 0)) is Arc.STARBOARD
    assert arcs.arc(ME, (0, 180_000)) is Arc.AHEAD


@pytest.mark.clause("P.F06")
@pytest.mark.parametrize(
    ("yards", "boats", "year", "wanted"),
    [
        (0, True, 1904, Band.CLOSE), (800, True, 1904, Band.CLOSE), (800.5, True, 1904, Band.CLOSE),
        (800.51, True, 1904, Band.NORMAL), (0, False, 1904, Band.NORMAL), (800, False, 1904, Band.NORMAL),
        (1_600, False, 1904, Band.NORMAL), (1_601, False, 1904, Band.LONG), (1_600, True, 1904, Band.NORMAL),
        (4_800, False, 1904, Band.LONG), (4_801, False, 1904, Band.EXTREME), (6_000, False, 1904, Band.EXTREME),
        (6_001, False, 1904, None), (6_001, False, 1905, Band.EXTREME), (8_000, False, 1905, Band.EXTREME),
        (8_001, False, 1905, None), (8_001, False, 1913, None),
    ],
)  # fmt: skip
def test_bands(yards: float, boats: bool, year: int, wanted: Band | None) -> None:
    assert arcs.band(round(yards * 100), year, boats=boats) is wanted


@pytest.mark.clause("P.Z11")
def test_guns_reach_farther_from_1905_on() -> None:
    assert (arcs.reach(1904), arcs.reach(1905)) == (600_000, 800_000)


@pytest.mark.clause("P.F07")
@pytest.mark.clause("P.EX9")
@pytest.mark.parametrize(
    ("bearing", "wanted"),
    [
        (0, Arc.AHEAD), (26, Arc.AHEAD), (26.56, Arc.AHEAD), (26.57, Arc.STARBOARD), (27, Arc.STARBOARD), (90, Arc.STARBOARD),
        (153, Arc.STARBOARD), (154, Arc.ASTERN), (180, Arc.ASTERN), (206, Arc.ASTERN), (207, Arc.PORT), (270, Arc.PORT),
        (333, Arc.PORT), (334, Arc.AHEAD),
    ],
)  # fmt: skip
@pytest.mark.parametrize("heading", [0, 70, 225])
def test_the_diagonals_of_the_base_divide_the_arcs(bearing: float, wanted: Arc, heading: float) -> None:
    me = unit("A1", heading=heading)
    at = advance((0, 0), turned(me.h, round(bearing * 100)), 10_000_000)
    assert arcs.arc(me, at) is wanted


@pytest.mark.clause("P.F07")
@pytest.mark.parametrize(
    ("x", "y", "wanted"),
    [(100, 200, Arc.STARBOARD), (-100, 200, Arc.PORT), (99, 200, Arc.AHEAD), (-99, -200, Arc.ASTERN)],
)
def test_a_target_exactly_on_a_diagonal_is_broadside(x: int, y: int, wanted: Arc) -> None:
    assert arcs.arc(ME, (x * 100, y * 100)) is wanted


@pytest.mark.clause("P.F08")
@pytest.mark.parametrize(
    ("face", "x", "y", "wanted"),
    [
        (0, 0, 1_000, True), (0, 2_000, 1_000, True), (0, 2_001, 1_000, False), (0, -2_000, 1_000, True), (0, 0, -1_000, False),
        (0, 1_000, -1_000, False), (9_000, 1_000, 0, True), (9_000, 1_000, 2_001, False), (-1, 0, -1_000, True),
    ],
)  # fmt: skip
def test_a_battery_fires_before_its_face(face: int, x: int, y: int, wanted: bool) -> None:
    battery = unit("A1", kind="BATTERY", face=face)
    assert arcs.faces(battery, (x, y)) is wanted
    assert (("shot", "B1") in keys(battery, unit("B1", (x, y)))) is wanted


# --- slots ---


def around() -> list[Unit]:
    """The enemies of P.EX12, by day."""
    return [
        unit("B1", (-3_000, 0)),
        unit("B2", (1_500, 0), kind="C1"),
        unit("B3", (0, 5_600), 90, kind="C2"),
        unit("B4", (-700, 200), kind="TBD"),
        unit("B5", (600, -250), kind="TBD"),
    ]


@pytest.mark.clause("P.EX12")
@pytest.mark.clause("P.F09")
@pytest.mark.clause("P.F10")
@pytest.mark.clause("P.F12")
@pytest.mark.clause("P.F13")
def test_the_slots_of_a_battleship_add_up() -> None:
    me = unit("A1")
    made = battle(me, *around(), year=1906)
    shots = {(one.slot, one.target): one for one in slots.legal(made, me)}
    five = [("main", "B1"), ("other", "B2"), ("ahead", "B3"), ("port", "B4"), ("starboard", "B5")]
    assert set(shots) == {*five, ("main", "B2")}
    rows = [shots[key] for key in five]
    assert not any(slots.clashes(a, b) for a in rows for b in rows if a is not b)
    assert [shooter(made, me, made.units[one.target], one.band, reduced=one.reduced) for one in rows] == [
        2,
        1,
        -1,
        3,
        3,
    ]


@pytest.mark.clause("P.EX12")
@pytest.mark.parametrize(
    ("year", "y", "wanted"), [(1904, 5_600, True), (1904, 6_600, False), (1905, 6_600, True)]
)
def test_extreme_range_depends_on_the_year(year: int, y: int, wanted: bool) -> None:
    assert (("ahead", "B3") in keys(unit("A1"), unit("B3", (0, y), 90), year=year)) is wanted


@pytest.mark.clause("P.F10")
@pytest.mark.clause("P.F11")
@pytest.mark.clause("P.F29")
@pytest.mark.parametrize(("x", "others"), [(1_600, True), (1_602, False), (-1_600, True), (-1_602, False)])
def test_the_other_broadside_serves_at_normal_range_only(x: int, others: bool) -> None:
    shots = firing(unit("A1"), unit("B1", (x, 0)))
    assert set(shots) == ({("main", "B1"), ("other", "B1")} if others else {("main", "B1")})
    assert not shots["main", "B1"].reduced
    assert all(shot.reduced for key, shot in shots.items() if key[0] == "other")


@pytest.mark.clause("P.F11")
@pytest.mark.clause("P.F09")
def test_main_and_other_lie_on_different_sides_and_no_target_or_slot_serves_twice() -> None:
    shots = firing(unit("A1"), unit("B1", (1_500, 0)), unit("B2", (1_500, 500)), unit("B3", (-1_500, 0)))
    assert slots.clashes(shots["main", "B1"], shots["other", "B1"])
    assert slots.clashes(shots["main", "B1"], shots["other", "B2"])
    assert slots.clashes(shots["main", "B1"], shots["main", "B3"])
    assert not slots.clashes(shots["main", "B1"], shots["other", "B3"])
    ends = firing(unit("A1"), unit("B1", (0, 1_500)), unit("B2", (0, -1_500)), unit("B3", (1_500, 0)))
    assert not slots.clashes(ends["ahead", "B1"], ends["astern", "B2"])
    assert not slots.clashes(ends["main", "B3"], ends["astern", "B2"])


@pytest.mark.clause("P.F12")
@pytest.mark.parametrize(
    ("y", "slot"), [(1_500, "ahead"), (-1_500, "astern"), (5_000, "ahead"), (-6_100, "astern")]
)
def test_the_ends_fire_at_reduced_effect(y: int, slot: str) -> None:
    (shot,) = firing(unit("A1"), unit("B1", (0, y))).values()
    assert (shot.slot, shot.reduced) == (slot, True)


@pytest.mark.clause("P.F13")
@pytest.mark.clause("P.F14")
@pytest.mark.clause("P.Z12")
@pytest.mark.parametrize(
    ("at", "kind", "slot", "reduced", "band"),
    [
        ((700, 0), "TBD", "starboard", False, Band.CLOSE),
        ((-700, 0), "TB", "port", False, Band.CLOSE),
        ((700, 0), "SUB", "starboard", False, Band.CLOSE),
        ((0, 900), "TBD", "ahead", True, Band.NORMAL),
        ((0, -900), "SUB", "astern", True, Band.NORMAL),
        ((801, 0), "TBD", "main", False, Band.NORMAL),
    ],
)
def test_torpedo_craft_near(at: tuple[int, int], kind: str, slot: str, reduced: bool, band: Band) -> None:
    shot = next(iter(firing(unit("A1"), unit("B1", at, kind=kind)).values()))
    assert (shot.slot, shot.reduced, shot.band) == (slot, reduced, band)


@pytest.mark.clause("P.F13")
def test_a_ship_has_no_close_battery_for_ships() -> None:
    assert keys(unit("A1"), unit("B1", (700, 0), kind="SC")) == {("main", "B1"), ("other", "B1")}


@pytest.mark.clause("P.F15")
@pytest.mark.parametrize("kind", ["TBD", "TB", "SUB"])
@pytest.mark.parametrize(
    ("at", "band"),
    [((0, 900), Band.CLOSE), ((700, 0), Band.CLOSE), ((0, -1_500), Band.NORMAL), ((1_700, 0), None)],
)
def test_torpedo_craft_fire_one_shot_all_round(kind: str, at: tuple[int, int], band: Band | None) -> None:
    shots = firing(unit("A1", kind=kind), unit("B1", at))
    assert [(one.slot, one.reduced, one.band) for one in shots.values()] == (
        [] if band is None else [("shot", False, band)]
    )


@pytest.mark.clause("P.F16")
@pytest.mark.clause("P.EX32")
@pytest.mark.parametrize(
    ("yards", "kind", "band"),
    [
        (700, "TBD", Band.NORMAL),
        (700, "BB", Band.NORMAL),
        (3_000, "BB", Band.LONG),
        (5_000, "BB", Band.EXTREME),
    ],
)
def test_a_battery_has_one_shot_at_full_effect(yards: int, kind: str, band: Band) -> None:
    shots = firing(
        unit("A1", kind="BATTERY", face=0),
        unit("B1", (0, yards), 90, kind=kind),
        unit("B2", (300, yards), 90),
    )
    assert [(one.slot, one.reduced, one.band) for one in shots.values() if one.target == "B1"] == [
        ("shot", False, band)
    ]
    assert slots.clashes(*list(shots.values())[:2])


@pytest.mark.clause("P.F37")
def test_an_installation_without_guns_is_a_target_and_no_firer() -> None:
    assert keys(unit("A1"), unit("B1", (3_000, 0), kind="INSTALLATION")) == {("main", "B1")}
    assert keys(unit("A1", kind="INSTALLATION"), unit("B1", (700, 0))) == set()


@pytest.mark.clause("P.R08")
@pytest.mark.clause("P.R06")
def test_a_minelayer_has_a_broadside_and_close_guns_only() -> None:
    others = [
        unit("B1", (1_500, 0)),
        unit("B2", (0, 1_500)),
        unit("B3", (-700, 0), kind="TBD"),
        unit("B4", (-2_500, 0)),
    ]
    assert keys(unit("A1", kind="MINELAYER"), *others) == {("main", "B1"), ("port", "B3")}


@pytest.mark.clause("P.R08")
@pytest.mark.parametrize("kind", ["RAIDER_L", "RAIDER_T", "AMC"])
def test_a_disclosed_raider_has_the_slots_of_a_ship(kind: str) -> None:
    others = [unit("B1", (1_500, 0)), unit("B2", (0, 1_500)), unit("B3", (-1_500, 0))]
    found = keys(unit("A1", kind=kind), *others)
    assert {("main", "B1"), ("ahead", "B2"), ("other", "B3")} <= found
    assert keys(unit("A1", kind=kind, disguised=True), *others) == set()


@pytest.mark.clause("P.F24")
@pytest.mark.parametrize(
    ("kind", "yards", "wanted"),
    [
        ("BB", 5_900, True),
        ("C1", 5_900, True),
        ("C2", 5_900, False),
        ("C3", 5_900, False),
        ("SC", 1_700, False),
        ("LINER", 500, False),
    ],
)
def test_a_ship_with_no_factor_has_no_shot(kind: str, yards: int, wanted: bool) -> None:
    assert bool(keys(unit("A1", kind=kind), unit("B1", (yards, 0)))) is wanted


# --- lines of fire ---


@pytest.mark.clause("P.F19")
@pytest.mark.parametrize("side", ["A", "B", "N"])
def test_any_ship_in_the_way_blocks(side: str) -> None:
    screen = unit(f"{side}9", (1_000, 60), neutral=side == "N")
    if side == "N":
        screen.side = "B"
    assert ("main", "B1") not in keys(unit("A1"), unit("B1", (2_000, 0)), screen)
    screen.y = 21_000
    assert ("main", "B1") in keys(unit("A1"), unit("B1", (2_000, 0)), screen)


@pytest.mark.clause("P.F19")
def test_a_ship_sunk_or_beyond_the_target_blocks_nothing() -> None:
    gone = unit("A9", (1_000, 0), status=Status.SUNK)
    beyond, behind = unit("A8", (2_500, 0)), unit("A7", (-500, 0))
    assert ("main", "B1") in keys(unit("A1"), unit("B1", (2_000, 0)), gone, beyond, behind)


@pytest.mark.clause("P.F20")
@pytest.mark.parametrize("kind", ["TBD", "TB", "SUB", "SC"])
@pytest.mark.parametrize("yards", [1_600, 1_602, 5_000])
def test_torpedo_craft_are_shot_over_at_long_range(kind: str, yards: int) -> None:
    found = keys(unit("A1"), unit("B1", (yards, 0)), unit("A9", (800, 0), kind=kind))
    assert (("main", "B1") in found) is (kind != "SC" and yards > 1_600)


@pytest.mark.clause("P.F19")
@pytest.mark.parametrize("heading", [0, 33, 90, 211])
def test_a_blocker_is_found_anywhere_on_a_long_line(heading: float) -> None:
    me, h = unit("A1", heading=heading), round(heading * 100)
    target = unit("B1", heading=heading)
    target.x, target.y = advance((0, 0), h, 700_000)
    for yards in range(450, 6_600, 190):
        screen = unit("A9", heading=heading + 45)
        screen.x, screen.y = advance((0, 0), h, yards * 100)
        made = battle(me, target, screen)
        assert [one.id for one in Lines(made).between(me, target)] == ["A9"]


@pytest.mark.clause("P.F18")
@pytest.mark.clause("P.F22")
@pytest.mark.parametrize(
    ("kind", "cells", "wanted"),
    [("BB", "land", False), ("BB", "shoal", True), ("TBD", "land", False), ("TBD", "shoal", False)],
)
def test_land_blocks_all_fire_and_shoals_block_that_of_torpedo_craft(
    kind: str, cells: str, wanted: bool
) -> None:
    here = frozenset({(1, 0)})
    found = keys(unit("A1", (250, 250), kind=kind), unit("B1", (1_350, 250)), **{cells: here})
    assert bool(found) is wanted


@pytest.mark.clause("P.F21")
@pytest.mark.parametrize(("face", "wanted"), [(9_000, True), (-1, True), (27_000, False)])
def test_a_battery_fires_and_is_fired_at_over_its_own_land_inside_its_arc(face: int, wanted: bool) -> None:
    battery = unit("B1", (250, 250), kind="BATTERY", face=face)
    ship = unit("A1", (2_750, 250))
    land = frozenset({(0, 0), (1, 0)})
    assert bool(keys(ship, battery, land=land)) is wanted
    assert bool(keys(battery, ship, land=land)) is wanted
    assert not keys(ship, battery, land=land | {(4, 0)})


@pytest.mark.clause("P.F23")
def test_friends_and_neutrals_and_disguised_or_submerged_vessels_are_not_targets() -> None:
    others = [
        unit("A2", (1_500, 0)), unit("B2", (1_500, 600), kind="LINER", neutral=True),
        unit("B3", (1_500, -600), kind="RAIDER_T", disguised=True),
        unit("B4", (-700, 0), kind="SUB", submerged=True), unit("B5", (-1_500, 900), kind="TRANSPORT"),
    ]  # fmt: skip
    assert {target for _, target in keys(unit("A1"), *others)} == {"B5"}


@pytest.mark.clause("P.Y11")
def test_belligerent_merchants_are_fair_targets() -> None:
    assert ("main", "B1") in keys(unit("A1"), unit("B1", (3_000, 0), kind="LINER"))


@pytest.mark.clause("P.F17")
@pytest.mark.clause("P.V11")
def test_the_firer_itself_has_to_see_the_target() -> None:
    far, near = unit("A1"), unit("A2", (2_000, 900))
    made = battle(far, near, unit("B1", (2_700, 900)), phase=Phase.NIGHT)
    assert not slots.legal(made, far)
    assert slots.legal(made, near)


@pytest.mark.clause("P.K32")
def test_a_prize_never_shoots() -> None:
    assert keys(unit("A1", prize=True), unit("B1", (1_500, 0))) == set()


@pytest.mark.clause("P.U06")
def test_a_submarine_below_does_not_shoot() -> None:
    assert keys(unit("A1", kind="SUB", submerged=True), unit("B1", (500, 0))) == set()
    assert keys(unit("A1", kind="SUB"), unit("B1", (500, 0))) == {("shot", "B1")}


def test_units_of_a_battle_are_told_in_its_own_order() -> None:
    made: Battle = battle(unit("A1"), unit("B2", (1_500, 300)), unit("B1", (1_500, 900)))
    assert [one.target for one in slots.legal(made, made.units["A1"]) if one.slot == "main"] == ["B2", "B1"]
