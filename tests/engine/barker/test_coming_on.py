"""Squadrons that come on over an edge, and the set-up on the table. Rules: P.S22-P.S34, P.K43, P.N01, P.N02, P.W04, P.W10, P.R01."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.barker import coming, formations, neutrals, setup, submarines
from battles.engine.rulesets.barker.play import Orders, Token
from battles.engine.rulesets.barker.rules import RULES
from battles.engine.rulesets.barker.state import Battle, Status
from battles.engine.rulesets.barker.tables import Type
from tests.engine.barker.builders import battle, play, told, unit
from tests.engine.barker.test_setup import scenario, ship, squadron
from tests.support.answers import unerring

TABLE = (-3_000_000, -4_800_000, 3_000_000, 4_800_000)


@pytest.mark.clause("P.K43", "P.EX38")
@pytest.mark.parametrize(
    ("edge", "front", "course"),
    [
        (9_000, (3_000_000, 0), 27_000), (0, (0, 4_800_000), 18_000), (18_000, (0, -4_800_000), 0), (27_000, (-3_000_000, 0), 9_000),
        (4_500, (3_000_000, 3_000_000), 27_000), (3_000, (2_771_281, 4_800_000), 18_000), (22_500, (-3_000_000, -3_000_000), 9_000),
    ],
)  # fmt: skip
def test_a_ray_from_the_middle_leaves_the_table_where_a_squadron_comes_on(
    edge: int, front: tuple[int, int], course: int
) -> None:
    assert coming.gate(TABLE, edge) == (front, course)


@unerring
def late(arrives: int = 13, edge: int | None = 90, **over: Any) -> Battle:
    """A squadron of two that is to join A in the thirteenth turn, beside one that is there."""
    mates = [unit(f"A{n}", squadron="A-2", group="A-2", status=Status.EXPECTED) for n in (2, 3)]
    made = battle(unit("A1"), *mates, unit("B1", (0, 9_000)), **over)
    made.squadrons["A-2"].arrives, made.squadrons["A-2"].edge = arrives, edge
    return made


@pytest.mark.clause("P.K43", "P.EX38")
@pytest.mark.parametrize(
    ("clock", "spell", "there"),
    [(3_599, 24, False), (3_600, 24, True), (3_600, 25, False), (5_000, 26, True)],
)
def test_reinforcements_come_on_in_the_first_own_spell_of_their_turn(
    clock: int, spell: int, there: bool
) -> None:
    made = late(clock=clock, spell=spell)
    coming.come_on(made, play(made))
    assert [made.units[code].status is Status.IN_PLAY for code in ("A2", "A3")] == [there, there]


@pytest.mark.clause("P.S31", "P.S34", "P.K43", "P.M09")
def test_a_squadron_queues_outside_its_edge_behind_its_leader() -> None:
    made = late(clock=3_600)
    table = play(made)
    coming.come_on(made, table)
    lead, follower = made.units["A2"], made.units["A3"]
    assert [(one.x, one.y, one.h) for one in (lead, follower)] == [
        (3_020_000, 0, 27_000),
        (3_060_000, 0, 27_000),
    ]
    assert lead.outside and lead.under_way and not lead.on_table and follower not in list(made.on_table())
    formations.gather(made)
    assert [row.members for row in made.formations] == [("A2", "A3")] and told(table, "arrived") == []
    assert not coming.entered(made, table, lead)
    lead.x = 3_000_000
    assert coming.entered(made, table, lead) and lead.on_table and not coming.entered(made, table, lead)
    ((code, data),) = told(table, "arrived")
    assert (code, data["x"], data["h"], data["side"], data["type"]) == ("A2", 3_000_000, 27_000, "A", "BB")


@pytest.mark.clause("P.K43", "P.S22")
def test_without_a_bearing_they_come_over_their_own_edge_the_strongest_in_the_middle() -> None:
    made = late(arrives=1, edge=None)
    made.units["A3"].squadron = "A-3"
    cruiser = unit("A4", kind="C1", squadron="A-3", group="A-3", status=Status.EXPECTED)
    boat = unit("A5", kind="TBD", squadron="A-4", group="A-4", status=Status.EXPECTED)
    made = battle(unit("A1"), boat, cruiser, *(made.units[code] for code in ("A2",)), unit("B1", (0, 9_000)))
    for code in ("A-2", "A-3", "A-4"):
        made.squadrons[code].arrives = 1
    coming.come_on(made, play(made))
    assert {code: (made.units[code].x, made.units[code].y, made.units[code].h) for code in ("A2", "A4", "A5")} == {
        "A2": (0, -4_820_000, 0), "A4": (-200_000, -4_820_000, 0), "A5": (200_000, -4_820_000, 0),
    }  # fmt: skip
    assert made.formations == []


@pytest.mark.clause("P.S34")
@pytest.mark.parametrize(
    ("at", "wanted"), [((3_000_000, 0), True), ((3_000_001, 0), False), ((0, -4_800_000), True), ((0, -4_800_001), False),
     ((-3_000_001, 0), False), ((0, 4_800_001), False)]
)  # fmt: skip
def test_the_edge_itself_is_on_the_table(at: tuple[int, int], wanted: bool) -> None:
    assert coming.inside(TABLE, at) is wanted


# --- the set-up on the table ---


@unerring
def laid(*faces: int, a: Any = None, b: Any = None, **options: Any) -> Battle:
    """Characters off; INIT for A and B, TIME, WIND, WEATHER, NEUTRAL of A and B."""
    made = scenario(a, b, start="", options={"setup": "table", "year": 1904, "characters": False, **options})
    with ScriptedDice(faces) as dice:
        return setup.begin(made, dice)


@pytest.mark.clause("P.S22", "P.S23", "P.S30", "P.S31", "P.S32", "P.Z05", "P.T01", "P.W01", "P.W02", "P.K44")
def test_all_dice_are_thrown_in_order_while_everyone_waits_outside() -> None:
    made = scenario(start="", options={"setup": "table", "year": 1904})
    with ScriptedDice([2, 3, 6, 2, 5, 3, 5, 1, 1]) as dice:
        found = setup.begin(made, dice)
    assert [throw.key.split("/")[2:] for throw in dice.throws] == [
        ["CHARACTER", "A-1"], ["CHARACTER", "B-1"], ["INIT", "A"], ["INIT", "B"], ["TIME", "A"], ["WIND", "B"], ["WEATHER", "B"],
        ["NEUTRAL", "A"], ["NEUTRAL", "B"],
    ]  # fmt: skip
    assert found.initiative == "A" and found.table == TABLE
    assert (found.parties["A"].edge, found.parties["B"].edge) == (18_000, 0)
    assert all(one.status is Status.EXPECTED for one in found.units.values())
    assert (found.opened, found.sunset, found.wind, found.weather) == (
        64_800 - 5 * 3_600,
        64_800,
        21_201,
        "none",
    )
    assert (found.towards, found.strength) == (45, "moderate")
    assert found.mode.value == "cruising" and found.contact == -1
    coming.come_on(found, play(found))
    assert (found.units["A1"].y, found.units["A1"].outside, found.units["B1"].status) == (
        -4_820_000,
        True,
        Status.EXPECTED,
    )


@pytest.mark.clause("P.T02", "P.T11", "P.Z07")
def test_the_side_with_more_torpedo_craft_wants_the_dark() -> None:
    boats = [squadron("A-1", ship("A1"), ship("A2", "TBD"), ship("A3", "TBD"))]
    mixed = laid(6, 1, 2, 3, 4, 1, 1, a=boats)
    assert mixed.sunset - mixed.opened == 2 * 3_600
    early = laid(6, 1, 1, 3, 4, 1, 1)
    assert early.sunrise - early.opened == 3_600
    short = laid(6, 1, 3, 3, 4, 1, 1, sunset_after_sunrise_h=10)
    assert (short.sunset, short.sunset - short.opened) == (57_600, 3 * 3_600)


@pytest.mark.clause("P.S24", "P.S26", "P.S27", "P.S29")
@pytest.mark.parametrize(
    ("a", "b", "land", "shoal"),
    [
        ("seek", "seek", {(46, 82), (-58, -94)}, set()), ("avoid", "seek", {(-58, -94)}, {(46, -94)}),
        ("seek", "avoid", {(46, 82)}, {(-58, 82)}), ("avoid", "avoid", set(), {(46, -94), (-58, 82)}),
    ],
)  # fmt: skip
def test_each_side_places_a_feature_three_miles_square(
    a: str, b: str, land: set[tuple[int, int]], shoal: set[tuple[int, int]]
) -> None:
    doc = scenario(start="", options={"setup": "table", "year": 1904, "characters": False})
    sides = tuple(_with_stance(side, stance) for side, stance in zip(doc.sides, (a, b), strict=True))
    with ScriptedDice([6, 1, 3, 3, 4, 1, 1]) as dice:
        made = setup.begin(replace(doc, sides=sides), dice)
    for cells, corners in ((made.land, land), (made.shoal, shoal)):
        assert len(cells) == 144 * len(corners)
        assert all((i + di, j + dj) in cells for i, j in corners for di in (0, 11) for dj in (0, 11))
    for i, j in made.land | made.shoal:
        assert not (abs(i) < 22 and (j < -93 or j > 92)), "clear of the middle third of the entry edges"


def _with_stance(side: Any, stance: str) -> Any:
    return replace(side, doctrine=Doctrine(stance=Stance(stance)))


@pytest.mark.clause("P.N01", "P.N02", "P.R01")
@pytest.mark.parametrize(
    ("first", "second", "least", "wanted"),
    [(4, 3, 4, ["A"]), (3, 4, 4, ["B"]), (6, 6, 7, []), (1, 1, 1, ["A", "B"])],
)
def test_a_neutral_tramp_is_about_on_a_high_die(
    first: int, second: int, least: int, wanted: list[str]
) -> None:
    made = laid(6, 1, 3, 3, 4, first, second, neutral_presence_min=least)
    found = [one for one in made.units.values() if one.neutral]
    assert [one.id for one in found] == [f"Neutral tramp {code}" for code in wanted]
    for one in found:
        assert (one.type, one.side, one.status, one.moves) == (Type.TRAMP, "", Status.IN_PLAY, 1)
        first_side = one.id.endswith("A")
        assert (one.x, one.y, one.h) == (
            (-3_000_000, 200_000, 9_000) if first_side else (3_000_000, -200_000, 27_000)
        )


@pytest.mark.clause("P.R01")
def test_a_disguise_stands_for_the_neutral_and_needs_no_die() -> None:
    made = laid(6, 1, 3, 3, 4, 5, a=[squadron("A-1", ship("A1"), ship("A2", "RAIDER"))])
    assert [one.id for one in made.units.values() if one.neutral] == ["Neutral tramp B"]


@pytest.mark.clause("P.W04", "P.W06", "P.W10", "P.W11")
def test_calm_before_dawn_brings_mist_and_fog_rolls_from_the_corner() -> None:
    a = [squadron("A-1", ship("A1", "C1"))]
    calm = laid(6, 1, 1, 3, 1, 1, 1, a=a)
    assert [(bank.kind, bank.placer, bank.x, bank.y, bank.length, bank.beam) for bank in calm.banks] == [
        ("mist", "A", 0, -3_200_000, 1_200_000, 2_400_000), ("mist", "B", 0, 1_600_000, 1_200_000, 2_400_000),
    ]  # fmt: skip
    assert laid(6, 1, 3, 3, 1, 1, 1).banks == []
    fog = laid(6, 1, 3, 3, 2, 1, 1)
    assert [(bank.kind, bank.since) for bank in fog.banks] == [("fog", 0)] and fog.strength == "moderate"


@pytest.mark.clause("P.S31", "P.C01")
def test_a_battle_on_the_table_is_played_to_its_end() -> None:
    made = scenario(start="", options={"setup": "table", "year": 1904, "allotted_min": 30}, turn_limit=30)
    battle_over = RULES.play(made, FastDice(4))
    assert battle_over.ended
    assert {one.side for one in battle_over.units.values() if one.hulls} == {"A", "B"}


@pytest.mark.clause("P.S34")
def test_a_submarine_queued_outside_its_edge_comes_on_and_does_not_dive_there() -> None:
    boat = unit("A1", (0, -48_200), kind="SUB", outside=True)
    made = battle(boat, unit("B1", (0, 9_000)))
    submarines.move(made, play(made), boat, Orders(plans=((Token("D"),),)))
    assert boat.outside and not boat.submerged
    submarines.move(made, play(made), boat, Orders(plans=((Token("O"),),)))
    assert (boat.y, boat.outside) == (-4_780_000, False)


@pytest.mark.clause("P.S34", "P.R01")
def test_a_vessel_in_disguise_comes_on_over_its_edge() -> None:
    raider = unit("A1", (0, -48_200), kind="RAIDER_T", outside=True, disguised=True, contact="n1")
    made = battle(raider, unit("B1", (0, 9_000)))
    neutrals.move(made, play(made))
    assert (raider.y, raider.outside) == (-4_780_000, False)
