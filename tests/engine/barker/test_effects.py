"""What shots, mines and collisions do to a unit."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.barker import effects
from battles.engine.rulesets.barker.state import Status
from battles.engine.rulesets.barker.tables import Grade, Source, Type
from tests.engine.barker.builders import battle, play, told, unit

NONE, LESSER, GREATER = Grade.NONE, Grade.LESSER, Grade.GREATER
GUN, TORPEDO, MINE, RAM = Source.GUN, Source.TORPEDO, Source.MINE, Source.RAM


@pytest.mark.clause("P.E01")
@pytest.mark.clause("P.EX11")
@pytest.mark.parametrize(
    ("attack", "defence", "wanted"),
    [
        (8, 8, NONE), (8, 9, NONE), (8, 7, LESSER), (8, 5, LESSER), (8, 4, GREATER), (8, 3, GREATER),
        (9, 5, LESSER), (9, 4, GREATER), (7, 7, NONE), (1, 0, GREATER), (1, 1, NONE), (2, 1, GREATER), (3, 2, LESSER),
    ],
)  # fmt: skip
def test_a_grade_depends_on_the_two_totals(attack: int, defence: int, wanted: Grade) -> None:
    assert effects.grade(attack, defence) is wanted


@pytest.mark.clause("P.E02")
@pytest.mark.clause("P.EX17")
@pytest.mark.parametrize(
    ("attack", "defence", "wanted"), [(0, -3, NONE), (-1, -5, NONE), (1, -1, GREATER), (1, 1, NONE)]
)
def test_an_attack_without_strength_does_nothing_and_a_defence_may_be_below_zero(
    attack: int, defence: int, wanted: Grade
) -> None:
    assert effects.grade(attack, defence) is wanted


# damage and crippled before; grade and source; damage, crippled and how sunk after
SHIP = [
    (0, False, NONE, GUN, 0, False, ""),
    (0, False, LESSER, GUN, 1, False, ""),
    (1, False, LESSER, GUN, 2, False, ""),
    (2, False, LESSER, GUN, 0, True, ""),
    (0, True, LESSER, GUN, 1, True, ""),
    (1, True, LESSER, GUN, 2, True, ""),
    (2, True, LESSER, GUN, 2, True, "fire"),
    (0, False, GREATER, GUN, 0, True, ""),
    (2, False, GREATER, GUN, 0, True, ""),
    (0, True, GREATER, GUN, 0, True, "fire"),
    (0, False, LESSER, TORPEDO, 0, True, ""),
    (1, False, LESSER, TORPEDO, 0, True, ""),
    (0, True, LESSER, TORPEDO, 0, True, "torpedo"),
    (0, False, GREATER, TORPEDO, 0, False, "torpedo"),
    (0, False, LESSER, MINE, 0, True, ""),
    (0, True, LESSER, MINE, 0, True, "mine"),
    (0, False, GREATER, MINE, 0, False, "mine"),
]


@pytest.mark.clause("P.E03")
@pytest.mark.clause("P.E04")
@pytest.mark.clause("P.E07")
@pytest.mark.clause("P.E08")
@pytest.mark.clause("P.E09")
@pytest.mark.clause("P.E10")
@pytest.mark.parametrize(("damage", "crippled", "result", "source", "then", "lame", "how"), SHIP)
def test_a_grade_on_a_ship(
    damage: int, crippled: bool, result: Grade, source: Source, then: int, lame: bool, how: str
) -> None:
    target = unit("B1", damage=damage, crippled=crippled)
    made = battle(unit("A1"), target)
    effects.apply(made, play(made), target, result, source, "A1")
    assert (target.damage, target.crippled, target.fate) == (then, lame, how)
    assert (target.status is Status.SUNK) == bool(how)


BATTERY = [
    (0, False, LESSER, GUN, 1, False, ""),
    (2, False, LESSER, GUN, 0, True, ""),
    (0, False, LESSER, TORPEDO, 1, False, ""),
    (0, True, LESSER, GUN, 1, True, ""),
    (2, True, LESSER, GUN, 2, True, "fire"),
    (0, False, GREATER, GUN, 0, False, "exploded"),
    (0, False, GREATER, TORPEDO, 0, False, "exploded"),
]


@pytest.mark.clause("P.E06")
@pytest.mark.clause("P.E09")
@pytest.mark.parametrize(("damage", "crippled", "result", "source", "then", "lame", "how"), BATTERY)
def test_a_grade_on_a_battery(
    damage: int, crippled: bool, result: Grade, source: Source, then: int, lame: bool, how: str
) -> None:
    target = unit("B1", kind="BATTERY", damage=damage, crippled=crippled)
    made = battle(unit("A1"), target)
    effects.apply(made, play(made), target, result, source, "A1")
    assert (target.damage, target.crippled, target.fate) == (then, lame, how)


@pytest.mark.clause("P.E05")
@pytest.mark.clause("P.U01")
@pytest.mark.parametrize(
    ("result", "source", "under", "how"),
    [
        (NONE, GUN, False, ""),
        (LESSER, GUN, True, ""),
        (LESSER, TORPEDO, True, ""),
        (LESSER, MINE, False, "mine"),
        (GREATER, GUN, False, "fire"),
        (GREATER, TORPEDO, False, "torpedo"),
        (GREATER, MINE, False, "mine"),
    ],
)
def test_a_submarine_dives_or_sinks(result: Grade, source: Source, under: bool, how: str) -> None:
    boat = unit("B1", (500, -300), kind="SUB")
    made = battle(unit("A1"), boat)
    effects.apply(made, play(made), boat, result, source, "A1")
    assert (boat.submerged, boat.fate, boat.damage, boat.crippled) == (under, how, 0, False)
    assert [(mark.real, mark.side, mark.x, mark.y) for mark in made.markers] == [
        ("B1", "B", 50_000, -30_000)
    ] * under


@pytest.mark.clause("P.EX16")
@pytest.mark.clause("P.U04")
def test_a_boat_forced_under_misses_exactly_its_next_own_spell() -> None:
    boat = unit("A1", kind="SUB")
    made = battle(boat, unit("B1"), spell=7)
    # Its own spells 0, 2, 4 and 6 have begun; the next are the 5th (spell 8) and the 6th (spell 10).
    made.parties["A"].spells = 4
    table = play(made)
    effects.apply(made, table, boat, effects.grade(5, 4), GUN, "B1")
    assert boat.earliest == 6
    assert told(table, "dived") == [("A1", {"x": 0, "y": 0})]
    assert effects.grade(8, 4) is GREATER


@pytest.mark.clause("P.U09")
def test_a_submarine_is_never_damaged() -> None:
    boat = unit("B1", kind="SUB")
    made = battle(unit("A1"), boat)
    effects.damage_step(made, play(made), boat, RAM, "A1")
    assert (boat.damage, boat.crippled, boat.status) == (0, False, Status.IN_PLAY)


@pytest.mark.clause("P.E10")
@pytest.mark.clause("P.A06")
def test_a_rammer_goes_down_the_ladder_rung_by_rung() -> None:
    ship = unit("A1")
    made = battle(ship, unit("B1"))
    table = play(made)
    seen = []
    for _ in range(6):
        effects.damage_step(made, table, ship, RAM, "B1")
        seen.append(effects.rungs(ship))
    assert seen == [1, 2, 3, 4, 5, 6]
    assert [(data["steps"], data["crippled"]) for _, data in told(table, "damage")] == [
        (1, False), (2, False), (3, True), (4, True), (5, True),
    ]  # fmt: skip
    assert told(table, "sunk") == [("A1", {"how": "ram", "by": "B1"})]
    assert (ship.status, ship.fate, ship.by) == (Status.SUNK, "ram", "B1")


@pytest.mark.clause("P.E12")
def test_a_ship_sunk_is_gone_from_the_table_with_its_light() -> None:
    target = unit("B1", light="A1")
    made = battle(unit("A1"), target)
    effects.sink(made, play(made), target, "nets", "A1")
    assert not target.on_table
    assert target.light == ""


@pytest.mark.clause("P.E13")
def test_a_pair_suffers_as_one() -> None:
    pair = unit("B1", kind="TBD", hulls=("B1", "B2"))
    made = battle(unit("A1"), pair)
    effects.apply(made, play(made), pair, GREATER, GUN, "A1")
    assert made.ships["B1"].unit is made.ships["B2"].unit
    assert made.ships["B2"].unit.crippled


@pytest.mark.clause("P.S19")
@pytest.mark.clause("P.L09")
def test_a_flag_sunk_is_lost_for_good_and_its_character_with_it() -> None:
    flag, mate = unit("B1"), unit("B2", (0, -400))
    made = battle(unit("A1"), flag, mate)
    made.squadrons["B-1"].character = 4
    table = play(made)
    effects.sink(made, table, mate, "fire", "A1")
    squadron = made.squadrons["B-1"]
    assert (squadron.flag_lost, squadron.character) == (False, 4)
    effects.sink(made, table, flag, "fire", "A1")
    assert (squadron.flag_lost, squadron.character, squadron.flagship) == (True, 0, "B1")
    assert made.luck == {"B-1": ("B1", "killed", "P.L09")}
    assert told(table, "flag_lost") == [("B1", {"squadron": "B-1"})]


@pytest.mark.clause("P.S15")
@pytest.mark.parametrize(
    ("flotilla", "gone", "wanted"), [(False, "", "B-3"), (True, "", "B-2"), (False, "B4", "B-2")]
)
def test_the_command_passes_to_the_next_flag_by_points(flotilla: bool, gone: str, wanted: str) -> None:
    ships = [
        unit("B1"), unit("B2", kind="C2", squadron="B-2", group="B-2"), unit("B4", kind="C1", squadron="B-3", group="B-3"),
    ]  # fmt: skip
    made = battle(unit("A1"), *ships)
    made.squadrons["B-3"].flotilla = flotilla
    if gone:
        made.units[gone].status = Status.RETREATED
    effects.sink(made, play(made), ships[0], "fire", "A1")
    assert made.parties["B"].cinc == wanted
    assert made.parties["A"].cinc == "A-1"


@pytest.mark.clause("P.S15")
def test_when_no_flag_is_left_the_command_stays_where_it_was() -> None:
    flag = unit("B1")
    made = battle(unit("A1"), flag)
    effects.sink(made, play(made), flag, "fire", "A1")
    assert made.parties["B"].cinc == "B-1"


@pytest.mark.clause("P.E11")
@pytest.mark.clause("P.E14")
def test_the_log_shows_the_marks_of_a_ship() -> None:
    target = unit("B1")
    made = battle(unit("A1"), target)
    table = play(made)
    effects.cripple(made, table, target, GUN, "A1")
    assert told(table, "damage") == [("B1", {"steps": 3, "crippled": True, "by": "A1"})]


@pytest.mark.clause("P.EX15")
@pytest.mark.parametrize(
    ("kind", "crippled", "attack", "defence", "fate", "lame"),
    [
        ("BB", False, 10, 5, "mine", False),
        ("BB", False, 9, 8, "", True),
        ("BB", False, 8, 8, "", False),
        ("TBD", False, 4, 2, "mine", False),
        ("BB", True, 7, 3, "mine", True),
        ("BB", True, 6, 5, "mine", True),
        ("SUB", False, 6, 5, "mine", False),
    ],
)
def test_mines(kind: str, crippled: bool, attack: int, defence: int, fate: str, lame: bool) -> None:
    target = unit("B1", kind=kind, crippled=crippled)
    made = battle(unit("A1"), target)
    effects.apply(made, play(made), target, effects.grade(attack, defence), MINE, "field")
    assert (target.fate, target.crippled, target.type) == (fate, lame, Type(kind))
