"""Mines: who runs into them and what it costs, laying, sweeping, and who knows of a field."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core import bases
from battles.engine.core.plane import Box
from battles.engine.rulesets.barker import light, mines, options
from battles.engine.rulesets.barker.play import Orders, Play
from battles.engine.rulesets.barker.state import Battle, Field, Status, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import unerring

Y = 100


def row(*yards: int, code: str = "F", side: str = "B", x: int = 0, **over: Any) -> Field:
    """A field of sections whose middles lie so many yards north."""
    return Field(code, side, [(x * Y, y * Y) for y in yards], **over)


def sea(*units: Unit, fields: list[Field] | None = None, **over: Any) -> Battle:
    return battle(
        *units, unit("B9", (0, 90_000)), fields=fields if fields is not None else [row(600)], **over
    )


@unerring
def advance(made: Battle, table: Play, code: str = "A1", yards: int = 400) -> Unit:
    """Go straight ahead as movement does it."""
    ship = made.units[code]
    corridor = bases.corridor(ship, yards * Y)
    ship.x, ship.y = bases.front(ship, yards * Y - 200 * Y)
    mines.run_in(made, table, ship, corridor)
    return ship


STRIKES = [
    ("BB", {}, 5, 1, 0, False, "mine"),
    ("BB", {}, 4, 4, 0, True, ""),
    ("BB", {}, 3, 4, 0, False, ""),
    ("TBD", {}, 4, 1, 0, False, "mine"),
    ("BB", {"crippled": True}, 2, 1, 0, True, "mine"),
    ("BB", {"crippled": True}, 1, 3, 0, True, "mine"),
    ("SUB", {}, 1, 2, 0, False, "mine"),
    ("BB", {"obsolete": True}, 3, 4, 0, True, ""),
    ("TB", {}, 1, 1, 0, False, ""),
]


@pytest.mark.clause("P.X05", "P.EX15", "P.X08", "P.E03", "P.E04", "P.E05")
@pytest.mark.parametrize(("kind", "over", "mine", "ship", "damage", "lame", "fate"), STRIKES)
def test_a_mine_strikes_with_5_against_ships_and_0_against_boats(
    kind: str, over: dict[str, Any], mine: int, ship: int, damage: int, lame: bool, fate: str
) -> None:
    made = sea(unit("A1", kind=kind, **over))
    table = play(made, mine, ship)
    struck = advance(made, table)
    assert (struck.damage, struck.crippled, struck.fate) == (damage, lame, fate)
    assert [throw.key for throw in table.dice.throws] == ["P.X05/0/MINE_F/F/A1", "P.X05/0/MINE_T/A1/F"]  # type: ignore[attr-defined]


@pytest.mark.clause("P.X05")
def test_the_totals_of_a_mine_are_logged() -> None:
    made = sea(unit("A1"))
    table = play(made, 3, 4)
    advance(made, table)
    assert told(table, "mined") == [("A1", {"attack": 8, "defence": 8, "grade": "none"})]
    made = sea(unit("A1", kind="TBD"))
    table = play(made, 3, 6)
    advance(made, table)
    assert told(table, "mined")[0][1] == {"attack": 3, "defence": 7, "grade": "none"}


@pytest.mark.clause("P.X01", "P.X06", "P.Z02", "P.Z03")
@pytest.mark.parametrize(
    ("x", "y", "met"),
    # The front edge goes from 200 to 600 yd north and is 200 yd wide; a section is 100 yd square.
    [
        (0, 644, True),
        (0, 645, False),
        (144, 400, True),
        (145, 400, False),
        (0, 156, True),
        (0, 155, False),
        (0, 0, False),
    ],
)
def test_a_ship_that_sweeps_a_section_with_its_front_edge_enters_the_minefield(
    x: int, y: int, met: bool
) -> None:
    made = sea(unit("A1"), fields=[row(y, x=x)])
    table = play(made, *((1, 6) if met else ()))
    advance(made, table)
    assert bool(told(table, "mined")) is met
    table.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("P.X06", "P.X02", "P.X11")
def test_each_minefield_attacks_a_ship_once_in_a_spell_and_keeps_its_sections() -> None:
    made = sea(unit("A1"), fields=[row(400, 500, 900), row(800, code="G")])
    table = play(made, 1, 6, 1, 6)
    advance(made, table)
    advance(made, table)
    assert len(told(table, "mined")) == 2
    light.begin_spell(made, table)
    made.units["A1"].y = 0
    with pytest.raises(ValueError, match="no face left"):
        advance(made, table)
    assert [len(field.sections) for field in made.fields] == [3, 1]


@pytest.mark.clause("P.X06")
def test_a_ship_in_a_minefield_before_and_after_it_moves_is_attacked_and_one_that_leaves_is_not() -> None:
    for moved, struck in ((0, True), (100, True), (900, False)):
        made = sea(unit("A1", (0, 550), stopped=True), unit("B1", (0, 550)))
        table = play(made, *((1, 6) if struck else ()))
        table.lying = mines.lying(made, "A")
        assert table.lying == {("A1", "F")}
        made.units["A1"].y += moved * Y
        mines.remain(made, table, "A")
        mines.remain(made, table, "A")
        assert bool(told(table, "mined")) is struck
        table.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("P.X06")
def test_a_ship_that_was_not_in_the_minefield_at_the_beginning_is_not_attacked_for_staying_in_it() -> None:
    made = sea(unit("A1"))
    table = play(made)
    table.lying = mines.lying(made, "A")
    made.units["A1"].y = 550 * Y
    mines.remain(made, table, "A")
    assert not told(table, "mined")


@pytest.mark.clause("P.X07")
@pytest.mark.parametrize(("faces", "over"), [((4, 4), True), ((3, 4), False)])
def test_a_ship_crippled_by_a_mine_makes_no_other_move_this_spell(faces: tuple[int, int], over: bool) -> None:
    made = sea(unit("A1"))
    table = play(made, *faces)
    assert advance(made, table).no_more is over
    light.begin_spell(made, table)
    assert made.units["A1"].no_more is False


@pytest.mark.clause("P.X08")
@pytest.mark.parametrize(
    ("code", "kind", "over"),
    [("B1", "BB", {}), ("A1", "TRAMP", {"neutral": True}), ("A1", "TRANSPORT", {}), ("A1", "SUB", {})],
)
def test_friends_and_neutrals_and_merchants_are_attacked_alike(
    code: str, kind: str, over: dict[str, Any]
) -> None:
    made = sea(unit("A2", (9_000, 0)), unit(code, kind=kind, **over))
    table = play(made, 1, 6)
    advance(made, table, code)
    assert told(table, "mined")


@pytest.mark.clause("P.X08", "P.X06")
def test_a_submerged_boat_is_safe_until_it_surfaces_on_a_section() -> None:
    made = sea(unit("A1", (0, 550), kind="SUB", submerged=True))
    boat, table = made.units["A1"], play(made, 2, 3)
    mines.attack(made, table, boat, made.fields[0])
    assert not told(table, "mined")
    boat.submerged = False
    mines.surfaced(made, table, boat)
    assert told(table, "mined")[0][1] == {"attack": 7, "defence": 6, "grade": "lesser"}
    assert boat.status is Status.SUNK


LINE = (250, 350, 450, 550, 650, 750)


@unerring
def swept(faces: tuple[int, ...], kind: str = "TBD", moves: int = 2, **over: Any) -> list[int]:
    """Middles of the sections left, in yards, when a unit has run along a row of six."""
    made = sea(unit("A1", kind=kind), fields=[row(*LINE, x=over.pop("x", 0))], **over)
    table = play(made, *faces)
    for _ in range(moves):
        advance(made, table)
    table.dice.finish()  # type: ignore[attr-defined]
    return [y // Y for _, y in made.fields[0].sections]


@pytest.mark.clause("P.X09", "P.X10", "P.EX30", "P.X06")
def test_a_destroyer_sweeps_what_its_advance_covers_from_1904() -> None:
    assert swept((3, 2)) == []
    assert swept((3, 2), year=1905) == []
    assert swept((3, 2), year=1903) == list(LINE)
    assert swept((3, 2), "TB") == list(LINE)
    assert swept((3, 6), "SC") == list(LINE)
    assert swept((3, 2), mode=Mode.CRUISING) == list(LINE)


@pytest.mark.clause("P.X09")
def test_a_section_is_swept_only_when_it_is_wholly_covered_by_one_or_more_stretches_of_one_course() -> None:
    assert swept((3, 2), moves=1) == [650, 750]
    assert swept((3, 2), x=50) == []
    made = sea(unit("A1", kind="TBD"), fields=[row(250, 1_000)])
    table = play(made, 3, 2)
    advance(made, table)
    advance(made, table)
    assert made.fields[0].sections == [(0, 1_000 * Y)]
    assert swept((3, 2), x=51) == list(LINE)
    made = sea(unit("A1", kind="TBD"), fields=[row(600)])
    table = play(made, 3, 2)
    advance(made, table)
    assert len(made.fields[0].sections) == 1
    advance(made, table)
    assert told(table, "swept") == [("A1", {"x": 0, "y": 60_000})]


@pytest.mark.clause("P.X10")
def test_a_sweeper_crippled_by_a_mine_sweeps_nothing_that_spell() -> None:
    # 0 + 4 against 1 + 2: crippled.
    assert swept((4, 2)) == list(LINE)
    made = sea(unit("A1", kind="TBD"), fields=[row(*LINE)])
    table = play(made, 4, 2, 1, 6)
    advance(made, table)
    light.begin_spell(made, table)
    made.units["A1"].y = 0
    advance(made, table)
    assert len(made.fields[0].sections) == 2


@pytest.mark.clause("P.V08", "P.X03", "P.X04")
@pytest.mark.parametrize("over", [{}, {"phase": Phase.NIGHT}])
def test_an_enemy_minefield_is_seen_at_a_cable_whatever_the_light(over: dict[str, Any]) -> None:
    # 600 yd north the front edge has come: the near side of a section 850 yd north lies 200 yd off.
    for north, known in ((851, ()), (850, ("A",))):
        made = sea(unit("A1"), fields=[row(north, 5_000)], **over)
        table = play(made)
        advance(made, table)
        assert made.fields[0].known == known
        assert [data["y"] for _, data in told(table, "mine_seen")] == (
            [north * Y, 5_000 * Y] if known else []
        )


@pytest.mark.clause("P.X03")
def test_a_minefield_is_known_to_those_whom_it_strikes_and_neutrals_tell_no_one() -> None:
    made = sea(unit("A1"), unit("A2", (9_000, 0)))
    table = play(made, 1, 6)
    mines.attack(made, table, made.units["A1"], made.fields[0])
    assert made.fields[0].known == ("A",)
    made = sea(unit("A1", kind="TRAMP", neutral=True))
    table = play(made, 1, 6)
    advance(made, table)
    assert made.fields[0].known == ()
    made = sea(unit("B1"))
    advance(made, play(made, 1, 6), "B1")
    assert made.fields[0].known == ()


@unerring
def layer(
    unlaid: int = 6, kind: str = "MINELAYER", *, lay: bool | None = True, **over: Any
) -> tuple[Battle, Play]:
    made = sea(
        unit("B1", kind=kind, **over),
        unit("A1", (9_000, 0)),
        fields=[Field("F", "B", [], carrier="B1", unlaid=unlaid)],
    )
    return made, play(made, orders={"B1": Orders(lay=lay)})


@pytest.mark.clause("P.X04", "P.R07")
@pytest.mark.parametrize("kind", ["MINELAYER", "TRAMP", "LINER", "TRANSPORT"])
def test_a_steamer_leaves_a_section_behind_it_for_every_100_yards(kind: str) -> None:
    made, table = layer(kind=kind, disguised=kind == "MINELAYER")
    advance(made, table, "B1")
    assert made.fields[0].sections == [(0, y * Y) for y in (-150, -50, 50, 150)]
    assert made.fields[0].unlaid == 2 and made.fields[0].laying
    table.orders = {}
    advance(made, table, "B1")
    assert made.fields[0].sections[4:] == [(0, 250 * Y), (0, 350 * Y)]
    assert (made.fields[0].unlaid, made.fields[0].laying, len(told(table, "mine_laid"))) == (0, False, 6)
    assert made.units["B1"].disguised is (kind == "MINELAYER")


@pytest.mark.clause("P.X04")
@pytest.mark.parametrize(
    ("kind", "lay"), [("MINELAYER", None), ("MINELAYER", False), ("SAIL", True), ("FISH", True), ("BB", True)]
)
def test_only_steamers_lay_mines_and_only_when_ordered(kind: str, lay: bool | None) -> None:
    made, table = layer(kind=kind, lay=lay)
    advance(made, table, "B1")
    assert made.fields[0].sections == []


@pytest.mark.clause("P.X04")
def test_minelaying_continues_to_the_last_section() -> None:
    made, table = layer(unlaid=5)
    advance(made, table, "B1")
    assert (made.fields[0].unlaid, made.fields[0].laying) == (1, True)
    table.orders = {"B1": Orders(lay=False)}
    advance(made, table, "B1")
    assert (made.fields[0].unlaid, made.fields[0].laying, len(made.fields[0].sections)) == (0, False, 5)


@pytest.mark.clause("P.X04", "P.X08")
def test_mines_are_active_at_once_for_ships_astern() -> None:
    made, table = layer()
    made.units["A1"].x, made.units["A1"].y = 0, -500 * Y
    advance(made, table, "B1")
    table.dice = play(made, 1, 6).dice
    advance(made, table, "A1")
    assert told(table, "mined")


@pytest.mark.clause("P.X01")
def test_a_section_is_100_yards_square_and_a_minefield_has_up_to_6() -> None:
    assert mines.section((500, 700)) == Box(500, 700, 0, 10_000, 10_000)
    assert options.MOST_SECTIONS == 6
