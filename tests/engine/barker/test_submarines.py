"""Submarines: their one move, diving, coming up, fake markers and nets."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.barker import bubbles, effects, nets, submarines
from battles.engine.rulesets.barker.play import Orders, Plan, Token
from battles.engine.rulesets.barker.state import Battle, Field, Marker, Status, Unit
from battles.engine.rulesets.barker.tables import Grade, Mode, Phase, Source
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import flawless, unerring

Y = 100
GO, DIVE = Token("O"), Token("D")


def boat(code: str = "A1", at: tuple[float, float] = (0, 0), **over: Any) -> Unit:
    return unit(code, at, kind="SUB", group=f"submarines/{code[0]}", **over)


def sea(*units: Unit, left: int = 6, **over: Any) -> Battle:
    made = battle(*units, unit("B9", (0, 90_000)), **over)
    for group in made.groups.values():
        group.left = left
    return made


@unerring
def moved(made: Battle, *plans: Plan, code: str = "A1") -> tuple[int, int, int]:
    """Place in yards and heading in degrees after a boat's movement."""
    one = made.units[code]
    submarines.move(made, play(made), one, Orders(plans=plans))
    return round(one.x / Y), round(one.y / Y), one.h // 100


@pytest.mark.clause("P.M25", "P.U07", "P.C07")
def test_a_boat_makes_one_free_move_straight_ahead_and_pays_a_point_for_a_turn_in_it() -> None:
    made = sea(boat())
    assert moved(made, (GO,)) == (0, 400, 0)
    assert made.groups["submarines/A"].left == 6
    assert moved(made, (Token("O", 9_000),)) == (300, 700, 90)
    assert made.groups["submarines/A"].left == 5
    assert moved(sea(boat(), mode=Mode.CRUISING, phase=Phase.NIGHT), (GO,)) == (0, 8_000, 0)


@pytest.mark.clause("P.M25", "P.M07", "P.K48")
def test_a_plan_that_cannot_be_paid_or_carried_out_is_passed_over() -> None:
    assert moved(sea(boat(), left=0), (Token("O", 3_000),), (GO,)) == (0, 400, 0)
    assert moved(sea(boat(), left=1), (Token("O", 9_000),), (GO,)) == (300, 300, 90)
    assert moved(sea(boat()), (Token("O", 9_001),), (GO,)) == (0, 400, 0)
    assert moved(sea(boat()), (GO, GO)) == (0, 0, 0)
    assert moved(sea(boat()), (Token("P"),)) == (0, 0, 0)
    assert moved(sea(boat()), ()) == (0, 0, 0)
    submarines.move(made := sea(boat()), play(made), made.units["A1"], None)
    assert made.units["A1"].at == (0, 0)


@pytest.mark.clause("P.M22", "P.M25")
def test_a_boat_does_not_move_on_to_a_shoal() -> None:
    # The front edge goes from 200 to 600 yd north; the square begins at 500.
    assert moved(sea(boat(), shoal=frozenset({(0, 1)})), (GO,)) == (0, 0, 0)
    assert moved(sea(boat(), shoal=frozenset({(0, 2)})), (GO,)) == (0, 400, 0)


@pytest.mark.clause("P.U02", "P.U03")
def test_a_boat_dives_after_its_move_if_it_makes_one_and_leaves_a_marker() -> None:
    for plan, y in (((DIVE,), 0), ((GO, DIVE), 400)):
        made = sea(boat())
        table = play(made)
        submarines.move(made, table, made.units["A1"], Orders(plans=(plan,)))
        assert made.units["A1"].submerged and not made.units["A1"].on_table
        assert made.markers == [Marker("A1", "A", 0, y * Y, "A1")]
        assert told(table, "dived") == [("A1", {"x": 0, "y": y * Y})] and told(table, "marker")
    assert moved(sea(boat()), (DIVE, GO)) == (0, 0, 0)


def down(spells: int, earliest: int, **over: Any) -> Battle:
    """A boat below a marker in the middle, in the own spell of this number."""
    made = sea(boat(submerged=True, earliest=earliest), *over.pop("others", ()), **over)
    made.markers = [Marker("A1", "A", 0, 0, "A1")]
    made.parties["A"].spells = spells
    return made


@unerring
def rise(made: Battle, x: float = 0, y: float = 0, heading: int = 0) -> bool:
    """Whether the boat comes up at a point in yards."""
    moved(made, (Token("U", heading, at=(round(x * Y), round(y * Y))),))
    return made.units["A1"].on_table


@pytest.mark.clause("P.U04", "P.U01", "P.EX16", "P.E05")
def test_a_boat_that_has_dived_or_was_forced_under_misses_its_next_own_spell() -> None:
    # Own spells 0, 2, 4, 6, 8, 10 are numbers 1 to 6; it is forced under in spell 7, after the fourth.
    made = sea(boat(), spell=7)
    made.parties["A"].spells = 4
    table = play(made)
    effects.apply(made, table, made.units["A1"], Grade.LESSER, Source.GUN, "B9")
    assert made.units["A1"].submerged and told(table, "dived")
    made.parties["A"].spells = 5
    assert not rise(made)
    made.parties["A"].spells = 6
    assert rise(made, 0, 800)
    made = sea(boat())
    made.parties["A"].spells = 3
    bubbles.dive(made, play(made), made.units["A1"], "P.U02")
    made.parties["A"].spells = 4
    assert not rise(made)
    made.parties["A"].spells = 5
    assert rise(made)
    assert made.markers == []


@pytest.mark.clause("P.U05")
@pytest.mark.parametrize(("mode", "far"), [(Mode.COMBAT, 800), (Mode.CRUISING, 8_000)])
def test_a_boat_comes_up_within_two_moves_of_its_marker_on_any_heading(mode: Mode, far: int) -> None:
    made = down(5, 5, mode=mode, phase=Phase.NIGHT)
    assert not rise(made, far + 1)
    assert rise(made, far, heading=-4_500)
    assert (made.units["A1"].x, made.units["A1"].h) == (far * Y, 31_500)


@pytest.mark.clause("P.U05", "P.Z03")
def test_a_boat_comes_up_clear_of_land_shoals_bases_and_on_the_table() -> None:
    assert not rise(down(5, 5, land=frozenset({(0, 1)})), 0, 310)
    assert not rise(down(5, 5, shoal=frozenset({(0, 1)})), 0, 310)
    assert rise(down(5, 5, shoal=frozenset({(0, 1)})), 0, 300)
    other = unit("B1", (300, 0))
    assert not rise(down(5, 5, others=(other,)), 106, 0)
    assert rise(down(5, 5, others=(other,)), 105, 0)
    assert not rise(down(5, 5, table=(-10_000, -10_000, 10_000, 10_000)), 101, 0)
    assert rise(down(5, 5, table=(-10_000, -10_000, 10_000, 10_000)), 100, 0)


@pytest.mark.clause("P.U07", "P.U02")
def test_coming_to_the_surface_uses_the_movement_of_a_whole_spell_and_a_submerged_vessel_has_none() -> None:
    up = Token("U", at=(0, 0))
    assert moved(down(5, 5), (up, GO)) == (0, 0, 0)
    made = down(5, 5)
    assert moved(made, (up, DIVE)) == (0, 0, 0) and made.units["A1"].submerged
    assert moved(made, (GO,)) == (0, 0, 0)
    assert moved(sea(boat()), (up,)) == (0, 0, 0)


@pytest.mark.clause("P.U09", "P.U11")
def test_a_boat_is_sound_or_sunk() -> None:
    one = boat()
    made = sea(one)
    effects.damage_step(made, play(made), one, Source.RAM, "B9")
    assert (one.damage, one.crippled, one.status) == (0, False, Status.IN_PLAY)
    effects.apply(made, play(made), one, Grade.GREATER, Source.GUN, "B9")
    assert one.status is Status.SUNK


@unerring
def fakes(made: Battle, *numbers: tuple[int, tuple[float, float] | None]) -> list[tuple[int, int]]:
    """Where side A's fakes lie, in yards, after an order to a ship."""
    order = Orders(fakes={n: (round(at[0] * Y), round(at[1] * Y)) if at else None for n, at in numbers})
    flawless(submarines.fakes, made, play(made, orders={"A2": order}), "A")
    return [(row.x // Y, row.y // Y) for row in made.markers if not row.real]


@pytest.mark.clause("P.U08")
def test_two_fakes_may_be_placed_shifted_and_taken_up_from_1900() -> None:
    made = sea(unit("A2"), year=1900)
    assert fakes(made, (1, (500, 0)), (2, (900, 0)), (3, (700, 0)), (0, (700, 0))) == [(500, 0), (900, 0)]
    assert fakes(made, (1, (600, 0))) == [(900, 0), (600, 0)]
    assert fakes(made, (2, None)) == [(600, 0)]
    assert fakes(sea(unit("A2"), year=1899), (1, (500, 0))) == []
    assert fakes(sea(unit("A2"), options={"fakes": 1}), (1, (500, 0)), (2, (900, 0))) == [(500, 0)]
    assert fakes(sea(unit("A2")), (1, (30_001, 0))) == []


@pytest.mark.clause("P.U08")
def test_no_fake_comes_within_800_yards_of_an_enemy_base() -> None:
    enemy = unit("B1", (0, 5_000))
    assert fakes(sea(unit("A2"), enemy), (1, (0, 5_000 - 200 - 800))) == []
    assert fakes(sea(unit("A2"), enemy), (1, (0, 5_000 - 200 - 801))) == [(0, 3_999)]
    assert fakes(sea(unit("A2"), unit("A3", (0, 5_000))), (1, (0, 4_500))) == [(0, 4_500)]


@pytest.mark.clause("P.U10", "P.A09")
def test_a_boat_that_comes_to_overlap_a_fishing_fleet_is_lost_whoever_moves() -> None:
    fleet = unit("B1", (0, 760), kind="FISH", neutral=True)
    made = sea(boat(), fleet)
    table = play(made)
    submarines.move(made, table, made.units["A1"], Orders(plans=((GO,),)))
    assert (made.units["A1"].status, made.units["A1"].fate) == (Status.SUNK, "nets")
    made = sea(boat(), unit("B1", (0, 796), kind="FISH", neutral=True))
    assert moved(made, (GO,)) == (0, 400, 0) and made.units["A1"].on_table
    made = sea(boat("A1", (0, 390)), unit("B1", kind="FISH", neutral=True))
    nets.foul(made, play(made), made.units["B1"], made.units["B1"])
    assert made.units["A1"].status is Status.SUNK


@pytest.mark.clause("P.U10")
def test_a_boat_that_comes_up_under_a_fishing_fleet_is_lost() -> None:
    made = down(5, 5, others=(unit("B1", (0, 300), kind="FISH", neutral=True),))
    rise(made)
    assert (made.units["A1"].status, made.units["A1"].fate, made.markers) == (Status.SUNK, "nets", [])


@pytest.mark.clause("P.X06", "P.U10")
@pytest.mark.parametrize(("kind", "faces", "mined"), [("", (1, 6), 1), ("FISH", (), 0)])
def test_a_boat_that_comes_up_on_a_field_is_attacked_unless_nets_have_sunk_it_first(
    kind: str, faces: tuple[int, ...], mined: int
) -> None:
    made = down(1, 1, others=(unit("B1", (0, 300), kind=kind, neutral=True),) if kind else ())
    made.fields = [Field("F1", "B", [(0, 0), (0, 10_000)])]
    table = play(made, *faces)
    flawless(submarines._surface, made, table, made.units["A1"], Token("U", 0, at=(0, 0)))
    assert len(told(table, "mined")) == mined
    assert (made.units["A1"].fate == "nets") is not bool(mined)


@pytest.mark.clause("P.U08")
def test_a_fake_is_placed_moved_and_taken_up_again() -> None:
    made = sea(unit("A2"))
    table = play(made)
    for at, lie in (((50_000, 0), [(50_000, 0)]), ((60_000, 0), [(60_000, 0)]), (None, []), (None, [])):
        flawless(submarines._fake, made, table, "A", 1, at)
        assert [(row.x, row.y) for row in made.markers if not row.real] == lie


@pytest.mark.clause("P.U10", "P.U03")
@pytest.mark.parametrize(("kind", "fate", "left"), [("FISH", "nets", 1), ("BB", "", 3)])
def test_a_fleet_that_crosses_markers_fouls_the_boat_and_removes_the_fake(
    kind: str, fate: str, left: int
) -> None:
    made = sea(boat(submerged=True), unit("B1", kind=kind))
    made.markers = [
        Marker("A1", "A", 0, 100 * Y, "A1"),
        Marker("fake/A/1", "A", 0, -100 * Y),
        Marker("fake/A/2", "A", 101 * Y, 0),
    ]
    nets.foul(made, play(made), made.units["B1"], made.units["B1"])
    assert (made.units["A1"].fate, len(made.markers)) == (fate, left)


@pytest.mark.clause("P.U03", "P.K45")
def test_the_log_does_not_show_whether_a_marker_is_a_boat_or_a_fake() -> None:
    made = sea(boat(), unit("A2"))
    table = play(made)
    bubbles.dive(made, table, made.units["A1"], "P.U02")
    submarines.fakes(made, play(made), "A")
    bubbles.put(made, table, Marker("fake/A/1", "A", 500, 0))
    assert [(ship, set(data)) for ship, data in told(table, "marker")] == [("", {"n", "x", "y", "on"})] * 2


@pytest.mark.clause("P.X07", "P.M25")
def test_a_boat_that_may_move_no_more_this_spell_stays_but_may_dive() -> None:
    made = sea(boat(no_more=True))
    assert moved(made, (GO,), (DIVE,)) == (0, 0, 0)
    assert made.units["A1"].submerged
