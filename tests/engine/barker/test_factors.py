"""Attack and defence, and all that is taken from them."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.barker import factors, lights
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import Phase, Type
from tests.engine.barker.builders import battle, unit
from tests.support.answers import unerring

ATTACK = """
BATTERY 2 2 2 1 5
BB 3 3 2 1 4
C1 3 2 1 0 3
C2 2 2 0 x 2
AMC 2 2 0 x 2
RAIDER_L 2 2 0 x 2
C3 2 1 0 x 2
RAIDER_T 2 1 0 x 1
SC 2 1 x x 1
TBD 2 0 x x 1
TB 2 0 x x 1
SUB 2 0 x x 3
MINELAYER 1 1 x x 0
"""


@pytest.mark.clause("P.F25")
@pytest.mark.clause("P.R04")
@pytest.mark.clause("P.R06")
@pytest.mark.parametrize("row", ATTACK.split("\n")[1:-1])
def test_table_5(row: str) -> None:
    kind, *attack, defence = row.split()
    assert factors.ATTACK[Type(kind)] == tuple(None if text == "x" else int(text) for text in attack)
    assert factors.DEFENCE[Type(kind)] == int(defence)


@pytest.mark.clause("P.Y10")
@pytest.mark.clause("P.F37")
@pytest.mark.parametrize(
    ("kind", "defence"),
    [("LINER", 2), ("TRANSPORT", 1), ("TRAMP", 1), ("FISH", 1), ("SAIL", 0), ("INSTALLATION", 2)],
)
def test_the_unarmed_have_a_defence_only(kind: str, defence: int) -> None:
    target = unit("B1", kind=kind)
    assert factors.attack_factors(target) is None
    assert factors.defender(target) == defence


@unerring
def attack(me: Unit, target: Unit, band: Band = Band.NORMAL, *, reduced: bool = False, **over: Any) -> int:
    others = over.pop("others", ())
    return factors.shooter(battle(me, target, *others, **over), me, target, band, reduced=reduced)


@pytest.mark.clause("P.F27")
@pytest.mark.clause("P.F28")
@pytest.mark.clause("P.F35")
@pytest.mark.parametrize(
    ("over", "less"),
    [
        ({"crippled": True}, 2),
        ({"obsolete": True}, 1),
        ({"crippled": True, "obsolete": True}, 3),
        ({"damage": 2}, 0),
    ],
)
@pytest.mark.parametrize("kind", ["BB", "BATTERY"])
def test_crippled_and_obsolete_on_both_sides(over: dict[str, Any], less: int, kind: str) -> None:
    there = unit("B1", (1_500, 0))
    assert attack(unit("A1", kind=kind, **over), there) == attack(unit("A1", kind=kind), there) - less
    assert factors.defender(unit("B1", kind=kind, **over)) == factors.defender(unit("B1", kind=kind)) - less


@pytest.mark.clause("P.F29")
def test_reduced_effect_costs_two() -> None:
    assert attack(unit("A1"), unit("B1", (1_500, 0)), reduced=True) == 1


@pytest.mark.clause("P.F30")
@pytest.mark.clause("P.F26")
@pytest.mark.parametrize(("kind", "wanted"), [("TBD", 0), ("TB", -1), ("SUB", 2)])
def test_boats_that_have_fired_are_spent_once(kind: str, wanted: int) -> None:
    there = unit("B1", (500, 0))
    assert attack(unit("A1", kind=kind, fired=True), there, Band.CLOSE) == wanted
    assert attack(unit("A1", kind=kind, fired=True), there, Band.CLOSE, reduced=True) == (
        wanted if kind != "SUB" else 0
    )


@pytest.mark.clause("P.F30")
def test_a_ship_that_has_fired_is_not_spent() -> None:
    assert attack(unit("A1", fired=True), unit("B1", (1_500, 0))) == 3


@pytest.mark.clause("P.F31")
@pytest.mark.parametrize(
    ("phase", "lit_by", "less"),
    [
        (Phase.DAY, "", 0), (Phase.SUNRISE, "", 0), (Phase.SUNSET, "", 0), (Phase.DAWN, "", 1), (Phase.DUSK, "", 1), (Phase.NIGHT, "", 1),
        (Phase.NIGHT, "A2", 0), (Phase.NIGHT, "B2", 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["TBD", "TB"])
def test_boats_in_bad_light(phase: Phase, lit_by: str, less: int, kind: str) -> None:
    others = [unit("A2", (0, 5_000)), unit("B2", (0, -5_000))]
    for one in others:
        one.light = "B1" if one.id == lit_by else ""
    # The target lies due north, out of any sun.
    assert (
        attack(unit("A1"), unit("B1", (0, 700), kind=kind), Band.CLOSE, phase=phase, others=others)
        == 3 - less
    )


@pytest.mark.clause("P.F31")
@pytest.mark.parametrize("kind", ["SUB", "SC", "BB"])
def test_bad_light_hides_boats_only(kind: str) -> None:
    assert attack(unit("A1"), unit("B1", (0, 700), kind=kind), phase=Phase.DUSK) == 3


@pytest.mark.clause("P.F32")
@pytest.mark.clause("P.EX23")
@pytest.mark.parametrize(
    ("phase", "x", "y", "less"),
    [
        (Phase.SUNSET, -1_500, -1_500, 1), (Phase.SUNSET, -1_500, 0, 1), (Phase.SUNSET, 1_500, 0, 0), (Phase.SUNSET, -1_500, -1_520, 0),
        (Phase.SUNRISE, 1_500, 0, 1), (Phase.SUNRISE, -1_500, 0, 0), (Phase.DAY, 1_500, 0, 0),
    ],
)  # fmt: skip
def test_the_sun_in_the_eyes(phase: Phase, x: int, y: int, less: int) -> None:
    assert attack(unit("A1"), unit("B1", (x, y)), phase=phase) == 3 - less


@pytest.mark.clause("P.F32")
@pytest.mark.parametrize(
    ("yards", "over", "lit_by", "phase", "less"),
    [
        (1_201, {"light": "A1"}, "", Phase.NIGHT, 1),
        (1_200, {"light": "A1"}, "", Phase.NIGHT, 0),
        (1_500, {"light": "signal"}, "", Phase.NIGHT, 1),
        (1_500, {}, "", Phase.NIGHT, 0),
        (1_500, {"light": "A1", "crippled": True}, "", Phase.NIGHT, 0),
        (1_500, {"light": "A1"}, "A2", Phase.NIGHT, 0),
        (1_500, {"light": "A1"}, "", Phase.DUSK, 0),
    ],
)
def test_a_target_may_be_seen_only_by_its_own_light(
    yards: int, over: dict[str, Any], lit_by: str, phase: Phase, less: int
) -> None:
    other = unit("A2", (0, 5_000), light="B1" if lit_by else "")
    assert attack(unit("A1"), unit("B1", (yards, 0), **over), phase=phase, others=[other]) == 3 - less


@pytest.mark.clause("P.F33")
@pytest.mark.parametrize(
    ("firers", "less"), [((), 0), (("A1",), 0), (("A2",), 1), (("A2", "A3"), 1), (("A1", "A2"), 1)]
)
def test_not_the_first_to_fire(firers: tuple[str, ...], less: int) -> None:
    assert attack(unit("A1"), unit("B1", (1_500, 0)), tallies={"B1": firers}) == 3 - less
    assert attack(unit("A1"), unit("B1", (1_500, 0)), tallies={"B9": firers}) == 3


# --- characters ---


def die(character: int, who: str, band: Band, face: int) -> int:
    made = battle(unit("A1"), unit("A2"), unit("A3"), unit("B1"))
    made.squadrons["A-1"].character = character
    made.squadrons["A-1"].partner = "A2"
    return factors.gunner_die(made, made.units[who], band, face)


@pytest.mark.clause("P.L02")
@pytest.mark.clause("P.EX24")
@pytest.mark.parametrize(
    ("who", "band", "faces"),
    [
        ("A1", Band.NORMAL, [2, 2, 4, 4, 6, 6]),
        ("A2", Band.EXTREME, [2, 2, 4, 4, 6, 6]),
        ("A3", Band.NORMAL, [1, 2, 3, 4, 5, 6]),
        ("A1", Band.CLOSE, [1, 2, 3, 4, 5, 6]),
    ],
)
def test_the_gunnery_fanatic(who: str, band: Band, faces: list[int]) -> None:
    assert [die(1, who, band, face) for face in range(1, 7)] == faces


@pytest.mark.clause("P.L03")
@pytest.mark.clause("P.EX24")
@pytest.mark.parametrize(
    ("band", "wanted"), [(Band.CLOSE, 1), (Band.NORMAL, 1), (Band.LONG, 0), (Band.EXTREME, 0)]
)
def test_paint_and_brightwork(band: Band, wanted: int) -> None:
    assert [die(2, who, band, 1) for who in ("A1", "A2", "A3")] == [wanted] * 3
    assert die(2, "A1", Band.LONG, 6) == 5


@pytest.mark.clause("P.L10")
@pytest.mark.parametrize(
    ("character", "band", "wanted"),
    [(1, Band.NORMAL, 4), (1, Band.CLOSE, 3), (2, Band.LONG, 2), (2, Band.NORMAL, 3)],
)
def test_attached_torpedo_craft_are_under_their_commander(character: int, band: Band, wanted: int) -> None:
    made = battle(unit("A1"), unit("A2", kind="TBD"), unit("B1"))
    made.squadrons["A-1"].character = character
    made.squadrons["A-1"].partner = "A2"
    assert factors.gunner_die(made, made.units["A2"], band, 3) == wanted


@pytest.mark.clause("P.F34")
@pytest.mark.parametrize("character", [0, 3, 4, 5, 6])
def test_other_characters_do_not_change_the_die(character: int) -> None:
    assert die(character, "A1", Band.LONG, 3) == 3


@pytest.mark.clause("P.L02")
def test_a_ship_without_a_squadron_has_no_commander() -> None:
    battery = unit("A1", kind="BATTERY")
    assert factors.gunner_die(battle(battery, unit("B1")), battery, Band.LONG, 3) == 3


@pytest.mark.clause("P.L07")
@pytest.mark.clause("P.EX25")
@pytest.mark.parametrize(
    ("who", "target", "firer", "barred"),
    [
        ("A1", "B1", "A2", True),
        ("A1", "B1", "A9", True),
        ("A1", "B2", "A2", False),
        ("A3", "B1", "A2", False),
        ("A1", "B1", "A3", False),
        ("A1", "B1", "A5", False),
        ("A1", "B1", "A1", False),
        ("A1", "B3", "A2", False),
        ("A9", "B1", "A2", False),
    ],
)
def test_the_chivalrous_leave_a_duel_alone(who: str, target: str, firer: str, barred: bool) -> None:
    made = battle(
        unit("A1"), unit("A2"), unit("A3", kind="TBD"), unit("A5", kind="BATTERY"),
        unit("A9", kind="C2", squadron="A-2", group="A-2"), unit("B1"), unit("B2", kind="C3"), unit("B3", kind="TBD"),
    )  # fmt: skip
    made.squadrons["A-1"].character = 6
    made.tallies = {target if target != "B2" else "B1": (firer,)}
    assert factors.chivalry_bars(made, made.units[who], made.units[target]) is barred


@pytest.mark.clause("P.L07")
@pytest.mark.parametrize(
    ("kind", "barred"),
    [
        ("BB", True),
        ("C1", True),
        ("C2", True),
        ("C3", True),
        ("SC", True),
        ("LINER", False),
        ("BATTERY", False),
    ],
)
def test_chivalry_is_for_major_warships(kind: str, barred: bool) -> None:
    made = battle(unit("A1"), unit("A2"), unit("B1", kind=kind), tallies={"B1": ("A2",)})
    made.squadrons["A-1"].character = 6
    assert factors.chivalry_bars(made, made.units["A1"], made.units["B1"]) is barred


# --- searchlights ---


@pytest.mark.clause("P.V14")
@pytest.mark.parametrize(
    ("yards", "over", "mine", "wanted"),
    [
        (4_200, {}, {}, True),
        (4_201, {}, {}, False),
        (2_000, {"neutral": True}, {}, False),
        (2_000, {"disguised": True}, {}, False),
        (2_000, {"submerged": True}, {}, False),
        (2_000, {}, {"light": "signal"}, False),
        (2_000, {}, {"searchlight": False}, False),
        (2_000, {}, {"disguised": True}, False),
    ],
)
def test_what_a_searchlight_may_light(
    yards: int, over: dict[str, Any], mine: dict[str, Any], wanted: bool
) -> None:
    me, there = unit("A1", **mine), unit("B1", (yards, 0), **over)
    made = battle(me, there, phase=Phase.NIGHT)
    assert lights.can_light(made, me, there) is wanted


@pytest.mark.clause("P.V14")
def test_no_one_lights_up_a_friend_or_shines_a_light_through_land() -> None:
    me, mate, there = unit("A1", (250, 250)), unit("A2", (250, 2_000)), unit("B1", (2_250, 250))
    made = battle(me, mate, there, phase=Phase.NIGHT)
    assert not lights.can_light(made, me, mate)
    assert lights.can_light(made, me, there)
    made.land = frozenset({(2, 0)})
    assert not lights.can_light(made, me, there)
