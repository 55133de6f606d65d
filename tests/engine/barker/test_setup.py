"""From scenarios to battles: pairs, squadrons, flags, the hour, places, ports, and scenarios that cannot be played.

Rules: P.S11-P.S20, P.K04, P.K31, P.K36, P.K38, P.K42, P.K44, P.L01, P.X01-P.X04.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.boards import PRESENTATIONS
from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.rulesets.barker import characters, faults, record, setup, tables
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.options import OPTIONS, option_faults, with_defaults
from battles.engine.rulesets.barker.state import Battle, Status
from battles.engine.rulesets.barker.tables import Mode, Phase, Type
from battles.engine.rulesets.barker.view import View
from tests.support.answers import unerring

KINDS: dict[str, dict[str, Any]] = {
    "BB": {"ship_type": "battleship"}, "C1": {"ship_type": "cruiser_1"}, "C2": {"ship_type": "cruiser_2"},
    "C3": {"ship_type": "cruiser_3"}, "SC": {"ship_type": "scout", "year_built": 1903, "displacement_tons": 3_000, "speed_knots": 25.0},
    "TBD": {"ship_type": "destroyer"}, "TB": {"ship_type": "torpedo_boat"}, "SUB": {"ship_type": "submarine"},
    "TRANSPORT": {"ship_type": "transport"}, "AMC": {"ship_type": "transport", "tags": ["amc"]},
    "TRAMP": {"ship_type": "merchant"}, "RAIDER": {"ship_type": "merchant", "tags": ["raider"]},
    "MINELAYER": {"ship_type": "merchant", "tags": ["minelayer"]},
}  # fmt: skip


def ship(code: str, kind: str = "BB", **more: Any) -> dict[str, Any]:
    facts = {"nation": code[0], "year_built": 1900, **KINDS[kind], **more.pop("facts", {})}
    return {"id": code, "name": f"Ship {code}", "facts": facts, **more}


def squadron(code: str, *ships: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": code, "name": code, "flagship": ships[0]["id"], "ships": list(ships), **more}


def document(a: Any = None, b: Any = None, **more: Any) -> dict[str, Any]:
    """Two sides of one battleship each, or of these squadrons; a clear noon of 1905."""
    sides = [
        {"id": code, "name": f"Side {code}", "nation": code, "squadrons": rows or [squadron(f"{code}-1", ship(f"{code}1"))]}
        for code, rows in (("A", a), ("B", b))
    ]  # fmt: skip
    return {
        "schema": 1,
        "rule_set": "barker",
        "title": "T",
        "code": "T",
        "start": "1905-05-27T12:00",
        "sides": sides,
        **more,
    }


def scenario(a: Any = None, b: Any = None, **more: Any) -> Scenario:
    return read_scenario(document(a, b, **more))


@unerring
def begun(a: Any = None, b: Any = None, **more: Any) -> Battle:
    return setup.begin(scenario(a, b, **more), FastDice(1))


@unerring
def against(a: Any = None, b: Any = None, **more: Any) -> dict[str, str]:
    return {fault.path: fault.text for fault in faults.faults(scenario(a, b, **more))}


# --- pairs, squadrons, groups ---


@pytest.mark.clause("P.EX37", "P.K36", "P.S12", "P.S01", "P.K25")
def test_five_destroyers_are_two_pairs_and_one_that_fights_as_an_older_boat() -> None:
    hurt = Condition(1).to_dict()
    five = [ship(f"A{n}", "TBD", **({"condition": hurt} if n == 3 else {})) for n in range(1, 6)]
    made = begun([squadron("A-1", *five)])
    own = [unit for unit in made.units.values() if unit.side == "A"]
    assert [(one.hulls, one.type, one.sp2, one.damage) for one in own] == [
        (("A1", "A2"), Type.TBD, 4, 0), (("A3", "A4"), Type.TBD, 4, 1), (("A5",), Type.TB, 2, 0),
    ]  # fmt: skip
    assert [one.obsolete for one in own] == [False, False, True]
    assert made.ships["A2"].unit is made.units["A1"] and own[0].name == "Ship A1 and Ship A2"
    assert made.parties["A"].opening2 == 10


@pytest.mark.clause("P.K36", "P.S12")
def test_boats_left_over_pair_across_squadrons_of_a_side_by_kind_and_nation() -> None:
    three = [ship(f"A{n}", "TBD") for n in (1, 2, 3)]
    mixed = [ship("A4", "TBD"), ship("A5", "TB"), ship("A6", "TBD", facts={"nation": "X"})]
    made = begun([squadron("A-1", *three), squadron("A-2", *mixed)])
    found = {
        unit.id: (unit.hulls, unit.type, unit.squadron, unit.sp2)
        for unit in made.units.values()
        if unit.side == "A"
    }
    assert found == {
        "A1": (("A1", "A2"), Type.TBD, "A-1", 4), "A3": (("A3", "A4"), Type.TBD, "A-1", 4),
        "A5": (("A5",), Type.TB, "A-2", 1), "A6": (("A6",), Type.TB, "A-2", 2),
    }  # fmt: skip


@pytest.mark.clause("P.K36")
def test_boats_that_come_at_different_times_do_not_pair() -> None:
    made = begun(
        [squadron("A-1", ship("A1"), ship("A2", "TBD")), squadron("A-2", ship("A3", "TBD"), arrives=4)]
    )
    assert {unit.id: unit.type for unit in made.units.values() if unit.side == "A"} == {
        "A1": Type.BB, "A2": Type.TB, "A3": Type.TB
    }  # fmt: skip


@pytest.mark.clause("P.S14", "P.S16", "P.S17", "P.K36")
def test_torpedo_craft_with_at_most_one_scout_are_a_flotilla_under_their_scout() -> None:
    boats = [ship(f"A{n}", "TBD") for n in (1, 2)]
    made = begun(
        [
            squadron("A-1", *boats, ship("A3", "SC")),
            squadron("A-2", ship("A4", "TBD"), ship("A5", "TBD")),
            squadron("A-3", ship("A6", "SC"), ship("A7", "SC"), ship("A8", "TBD")),
            squadron("A-4", ship("A9", "TBD"), ship("A10", "C2")),
            squadron("A-5", ship("A11", "SC")),
            squadron("A-6", ship("A12", "TRANSPORT")),
        ]
    )
    found = {row.id: (row.flotilla, row.flagship) for row in made.squadrons.values() if row.side == "A"}
    assert found == {
        "A-1": (True, "A3"), "A-2": (True, "A4"), "A-3": (False, "A6"), "A-4": (False, "A10"), "A-5": (False, "A11"), "A-6": (False, ""),
    }  # fmt: skip
    assert made.groups["A-1"].kind == "flotilla" and made.groups["A-4"].kind == "squadron"


@pytest.mark.clause("P.S20", "P.I02", "P.I04", "P.K32", "P.R05", "P.Z06")
def test_merchants_and_submarines_and_disguised_ships_are_groups_of_their_own() -> None:
    made = begun(
        [
            squadron("A-1", ship("A1"), ship("A2", "TRANSPORT"), ship("A3", prize=True), ship("A4", "AMC")),
            squadron("A-2", ship("A5", "SUB"), ship("A6", "RAIDER"), ship("A7", "MINELAYER")),
        ]
    )
    own = {code: unit for code, unit in made.units.items() if unit.side == "A"}
    assert {code: unit.group for code, unit in own.items()} == {
        "A1": "A-1", "A2": "merchants/A", "A3": "merchants/A", "A4": "merchants/A", "A5": "submarines/A", "A6": "A6", "A7": "A7"
    }  # fmt: skip
    assert list(made.groups) == ["A-1", "B-1", "merchants/A", "submarines/A", "A4", "A6", "A7"]
    prize = own["A3"]
    assert (prize.squadron, prize.sp2, prize.moves, prize.extra_free, prize.prize_of) == (
        "",
        0,
        2,
        False,
        "A",
    )
    assert [(own[code].disguised, own[code].contact) for code in ("A4", "A6", "A7")] == [
        (False, ""), (True, "Vessel 1"), (True, "Vessel 2")
    ]  # fmt: skip
    assert own["A6"].type is Type.RAIDER_T


@pytest.mark.clause("P.S15")
def test_the_commander_in_chief_leads_the_squadron_of_most_points() -> None:
    made = begun(
        [squadron("A-1", ship("A1", "C1")), squadron("A-2", ship("A2")), squadron("A-3", ship("A3"))]
    )
    assert made.parties["A"].cinc == "A-2"
    boats = begun([squadron("A-1", ship("A1", "TBD"))])
    assert boats.parties["A"].cinc == "A-1"


@pytest.mark.clause("P.G12", "P.M03")
@pytest.mark.parametrize(("year", "wanted"), [(1904, True), (1902, False), (1903, True)])
def test_wireless_is_fitted_by_the_year_of_the_battle(year: int, wanted: bool) -> None:
    made = begun([squadron("A-1", ship("A1", "C2"))], start=f"{year}-05-27T12:00")
    assert made.units["A1"].wt is wanted and made.year == year


@pytest.mark.clause("P.S13", "P.K44", "P.M03")
def test_a_scenario_may_change_the_points_of_a_type_and_the_speed_of_small_cruisers() -> None:
    options = {"sp_table": {"C3": 5, "TBD": 3, "BB": 10}, "moves_c3": 3}
    old = ship("A4", facts={"year_built": 1880})
    made = begun(
        [squadron("A-1", ship("A1", "C3"), ship("A2", "TBD"), ship("A3", "TBD"), old)], options=options
    )
    assert [(unit.sp2, unit.moves) for unit in made.units.values() if unit.side == "A"] == [
        (10, 3),
        (6, 4),
        (10, 2),
    ]


# --- commanders ---


@pytest.mark.clause("P.L01", "P.Z05", "P.L02", "P.S23", "P.S33")
def test_characters_are_thrown_first_and_a_fanatic_names_his_partner() -> None:
    a = [
        squadron("A-1", ship("A1"), ship("A2", "C1"), ship("A3")),
        squadron("A-2", ship("A4", "TBD"), ship("A5", "TBD")),
    ]
    log = Log()
    with ScriptedDice([1, 6, 3, 3, 2, 5], log=log) as dice:
        made = setup.begin(scenario(a), dice, log)
    asked = [(throw.clause, throw.key.split("/")[2:]) for throw in dice.throws]
    assert asked == [
        ("P.L01", ["CHARACTER", "A-1"]),
        ("P.L01", ["CHARACTER", "B-1"]), ("P.S23", ["INIT", "A"]), ("P.S23", ["INIT", "B"]),
        ("P.S23", ["INIT", "A"]), ("P.S23", ["INIT", "B"]),
    ]  # fmt: skip
    assert {row.id: (row.character, row.partner) for row in made.squadrons.values()} == {
        "A-1": (1, "A3"), "A-2": (0, ""), "B-1": (6, "")
    }  # fmt: skip
    assert made.initiative == "B"
    told = [(event.kind, event.ship) for event in log.events if event.kind != "die"]
    wanted = ["commander A1", "commander B1", "opened "] + [
        f"placed {code}" for code in ("A1", "A2", "A3", "A4", "B1")
    ]
    wanted += [f"sighted {code}" for code in ("B1", "A1", "A2", "A3", "A4")]
    assert [f"{kind} {code}" for kind, code in told] == wanted


@pytest.mark.clause("P.L02")
def test_a_partner_is_the_least_hurt_of_the_most_valuable_mates() -> None:
    mates = [
        ship("A1"),
        ship("A2", condition=Condition(1).to_dict()),
        ship("A3"),
        ship("A4"),
        ship("A5", "C1"),
    ]
    made = begun([squadron("A-1", *mates)])
    assert characters.partner(made, made.squadrons["A-1"]) == "A3"
    made.units["A3"].crippled = made.units["A4"].crippled = True
    assert characters.partner(made, made.squadrons["A-1"]) == "A2"
    assert characters.partner(made, made.squadrons["B-1"]) == ""


@pytest.mark.clause("P.K31", "P.K13", "P.L01")
@pytest.mark.parametrize(
    ("officer", "flagship", "kept"),
    [("Togo", "A1", True), ("Kamimura", "A1", False), ("", "A1", False), ("Togo", "A2", False)],
)
def test_a_commander_keeps_his_character_in_his_flagship(officer: str, flagship: str, kept: bool) -> None:
    carried = Condition(character=4, officer="Togo", partner="A2").to_dict()
    rows = [ship("A1", condition=carried), ship("A2")]
    a = [{**squadron("A-1", *rows, flag_officer=officer), "flagship": flagship}]
    faces = [2, 6, 1] if kept else [5, 2, 6, 1]
    with ScriptedDice(faces) as dice:
        made = setup.begin(scenario(a), dice)
    assert (made.squadrons["A-1"].character, made.squadrons["A-1"].partner) == (
        (4, "A2") if kept else (5, "")
    )


@pytest.mark.clause("P.K44", "P.L01")
def test_without_the_option_no_commander_has_a_character() -> None:
    with ScriptedDice([6, 1]) as dice:
        made = setup.begin(scenario(options={"characters": False}), dice)
    assert {row.character for row in made.squadrons.values()} == {0}


@pytest.mark.clause("P.K31")
def test_a_flagship_remembers_its_commander_and_other_ships_have_none_to_remember() -> None:
    made = begun([squadron("A-1", ship("A1"), ship("A2"), flag_officer="Togo")])
    made.squadrons["A-1"].character, made.squadrons["A-1"].partner = 3, "A2"
    assert characters.remembered(made, made.ships["A1"]) == (3, "Togo", "A2")
    assert characters.remembered(made, made.ships["A2"]) == (0, "", "")
    made.squadrons["A-1"].flagship = "A2"
    assert characters.remembered(made, made.ships["A2"]) == (3, "Togo", "A2")
    made.units["A2"].status = Status.CAPTURED
    assert characters.remembered(made, made.ships["A2"]) == (0, "", "")


# --- the hour, the table, places ---


@pytest.mark.clause("P.K42", "P.T12", "P.K15", "P.Z08")
def test_the_hour_comes_from_the_start_and_the_switches() -> None:
    made = begun(start="1904-08-10T12:30", options={"sunrise": "05:10", "nightfall": "19:50"})
    assert (made.year, made.opened, made.sunrise, made.sunset) == (1904, 45_000, 18_600, 67_800)
    assert made.phase is Phase.DAY and begun(start="1904-08-10T23:30").phase is Phase.NIGHT


@pytest.mark.clause("P.K42", "P.T01", "P.T11", "P.S30")
def test_without_a_start_the_hour_is_thrown() -> None:
    with ScriptedDice([2, 2, 6, 1, 3]) as dice:
        made = setup.begin(scenario(start="", options={"year": 1899}), dice)
    assert dice.throws[-1].key.split("/")[1:] == ["0", "TIME", "A"]
    assert (made.year, made.opened, made.sunset) == (1899, 64_800 - 3 * 3_600, 64_800)


@pytest.mark.clause("P.K42", "P.S23")
@pytest.mark.parametrize(
    ("surprised", "faces", "wanted"),
    [(["A"], [], "B"), (["B"], [], "A"), (["A", "B"], [1, 2], "B"), ([], [4, 2], "A")],
)
def test_the_side_that_is_not_surprised_has_the_initiative(
    surprised: list[str], faces: list[int], wanted: str
) -> None:
    with ScriptedDice([2, 2, *faces]) as dice:
        made = setup.begin(scenario(surprised=surprised), dice)
    assert (made.initiative, made.surprised) == (wanted, tuple(surprised))


@unerring
def poses(made: Battle) -> dict[str, tuple[int, int, int]]:
    """Places in yards, headings in degrees."""
    return {code: (unit.x // 100, unit.y // 100, unit.h // 100) for code, unit in made.units.items()}


@pytest.mark.clause("P.EX38", "P.K42", "P.K04", "P.S32")
@pytest.mark.parametrize(
    ("towards", "gauge", "a", "b", "edge"),
    [
        (225, "A", (0, 12_200, 180), (0, -12_200, 0), 0), (225, "B", (0, -12_200, 0), (0, 12_200, 180), 18_000),
        (45, "A", (0, -12_200, 0), (0, 12_200, 180), 18_000), (270, "A", (12_200, 0, 270), (-12_200, 0, 90), 9_000),
        (90, "A", (-12_200, 0, 90), (12_200, 0, 270), 27_000), (226, "A", (12_200, 0, 270), (-12_200, 0, 90), 9_000),
        (134, "A", (-12_200, 0, 90), (12_200, 0, 270), 27_000), (135, "A", (0, 12_200, 180), (0, -12_200, 0), 0),
    ],
)  # fmt: skip
def test_the_side_with_the_gauge_begins_nearer_the_winds_eye(
    towards: int, gauge: str, a: tuple[int, ...], b: tuple[int, ...], edge: int
) -> None:
    made = begun(wind={"towards": towards}, gauge=gauge)
    assert poses(made) == {"A1": a, "B1": b}
    assert made.parties["A"].edge == edge
    long_north = made.table[3] > made.table[2]
    assert long_north is (edge % 18_000 == 0)
    assert sorted(made.table) == [-4_800_000, -3_000_000, 3_000_000, 4_800_000]


@pytest.mark.clause("P.K42")
@pytest.mark.parametrize(
    ("towards", "initiative", "wanted"),
    [(180, "A", 18_000), (180, "B", 0), (90, "A", 27_000), (90, "B", 9_000)],
)
def test_without_a_gauge_the_initiative_begins_in_the_south_or_west(
    towards: int, initiative: str, wanted: int
) -> None:
    made = begun(wind={"towards": towards}, surprised=["B" if initiative == "A" else "A"])
    assert made.parties["A"].edge == wanted


@pytest.mark.clause("P.K04", "P.K42", "P.C01")
@pytest.mark.parametrize(
    ("more", "yards"),
    [
        ({}, 24_000), ({"options": {"sky": "haze"}}, 12_000), ({"options": {"sky": "fog"}}, 2_000), ({"start": "1905-05-27T20:45"}, 4_000),
        ({"start": "1905-05-27T05:45"}, 4_000), ({"start": "1905-05-27T23:00"}, 1_000), ({"gap": 9_000}, 9_000),
        ({"options": {"sky": "fog"}, "start": "1905-05-27T23:00"}, 1_000),
        ({"options": {"contact_yd": [8_000, 1_000, 1_000, 1_000, 1_000]}}, 8_000),
    ],
)  # fmt: skip
def test_fleets_meet_at_the_range_of_sight(more: dict[str, Any], yards: int) -> None:
    made = begun(gauge="A", wind={"towards": 180}, **more)
    assert made.units["A1"].y - made.units["B1"].y == 100 * (yards + 400)
    assert (made.mode, made.contact, made.opened_cruising) == (Mode.COMBAT, 0, False)
    assert made.haze is (more.get("options", {}).get("sky") == "haze")
    assert [bank.kind for bank in made.banks] == (
        ["fog"] if more.get("options", {}).get("sky") == "fog" else []
    )


@pytest.mark.clause("P.K04", "P.C01")
@pytest.mark.parametrize(("gap", "mode"), [(32_000, Mode.COMBAT), (32_001, Mode.CRUISING)])
def test_fleets_out_of_sight_of_each_other_begin_cruising(gap: int, mode: Mode) -> None:
    made = begun(gap=gap)
    seen = ("B1",) if mode is Mode.COMBAT else ()
    assert (made.mode, made.opened_cruising, made.parties["A"].contacts) == (
        mode,
        mode is Mode.CRUISING,
        seen,
    )


@pytest.mark.clause("P.K42")
def test_squadrons_lie_in_columns_with_flotillas_to_port_and_the_train_astern() -> None:
    a = [
        squadron("A-1", ship("A1"), ship("A2")), squadron("A-2", ship("A3", "TBD"), ship("A4", "TBD"), ship("A5", "SC")),
        squadron("A-3", ship("A6", "C1"), ship("A7", "TRANSPORT")), squadron("A-4", ship("A8", "SUB")),
    ]  # fmt: skip
    made = begun(a, gauge="A", wind={"towards": 180})
    assert {code: place[:2] for code, place in poses(made).items() if code != "B1"} == {
        "A1": (0, 12_200), "A2": (0, 12_600), "A6": (0, 13_400), "A3": (2_000, 12_200), "A5": (2_000, 12_600), "A8": (2_000, 13_400),
        "A7": (0, 17_800),
    }  # fmt: skip
    assert [(row.kind, row.members) for row in made.formations] == [
        ("ahead", ("A1", "A2")),
        ("ahead", ("A3", "A5")),
    ]


@pytest.mark.clause("P.K42")
def test_a_fleet_without_a_line_is_its_own_line_and_a_long_one_gets_sea_room() -> None:
    boats = begun([squadron("A-1", ship("A1", "TBD"))], gauge="A", wind={"towards": 180})
    assert poses(boats)["A1"] == (0, 12_200, 180)
    train = begun([squadron("A-1", ship("A1", "TRANSPORT"))], gauge="A", wind={"towards": 180})
    assert poses(train)["A1"] == (0, 12_200, 180)
    many = [squadron(f"A-{k}", *(ship(f"A{k}{n}") for n in range(10))) for k in range(10)]
    made = begun(many, gauge="A", wind={"towards": 180})
    last = max(unit.y for unit in made.units.values())
    assert made.table[3] == last + 400_000 and made.table[1] == -made.table[3]
    assert not list(faults.faults(scenario(many, gauge="A", wind={"towards": 180})))


@pytest.mark.clause("P.K42", "P.K36", "P.M09")
def test_ships_stay_where_the_scenario_places_them_and_pairs_close_up() -> None:
    at = [[0, 0], [-400, 0], [-800, 0], [-1_200, 0]]
    boats = [ship(f"A{n + 1}", "TBD", position=spot, heading=9_000) for n, spot in enumerate(at)]
    enemy = [
        squadron(
            "B-1",
            ship("B1", position=[500, 9_000], heading=18_000),
            ship("B2", position=[500, 9_425], heading=18_000),
        )
    ]
    made = begun(
        [squadron("A-1", *boats)], enemy, fixed_positions=True, edges=[-9_000, -8_000, 9_500, 12_000]
    )
    assert poses(made) == {
        "A1": (0, 0, 90),
        "A3": (-400, 0, 90),
        "B1": (500, 9_000, 180),
        "B2": (500, 9_425, 180),
    }
    assert [row.members for row in made.formations] == [("A1", "A3")]
    assert made.table == (-900_000, -800_000, 950_000, 1_200_000)
    assert (made.parties["A"].edge, made.parties["B"].edge, made.mode) == (18_000, 0, Mode.COMBAT)


@pytest.mark.clause("P.M09", "P.K42", "P.Z03")
@pytest.mark.parametrize(
    ("second", "heading", "wanted"),
    [([0, -420], 0, 1), ([0, -421], 0, 0), ([0, -380], 0, 1), ([0, -379], 0, 0), ([20, -400], 0, 1), ([21, -400], 0, 0),
     ([0, -400], 201, 1), ([0, -400], 202, 0), ([0, -400], 35_800, 1)],
)  # fmt: skip
def test_ships_that_touch_end_to_end_begin_in_line(second: list[int], heading: int, wanted: int) -> None:
    a = [
        squadron("A-1", ship("A1", position=[0, 0], heading=0), ship("A2", position=second, heading=heading))
    ]
    b = [squadron("B-1", ship("B1", position=[0, 9_000], heading=0))]
    assert len(begun(a, b, fixed_positions=True).formations) == wanted


@pytest.mark.clause("P.M11")
def test_a_cripple_is_in_no_formation() -> None:
    rows = [ship("A1"), ship("A2", condition=Condition(crippled=True).to_dict()), ship("A3"), ship("A4")]
    made = begun([squadron("A-1", *rows)])
    assert [row.members for row in made.formations] == [("A3", "A4")]


@pytest.mark.clause("P.K05", "P.K36", "P.K31")
def test_a_ship_enters_as_hurt_as_she_left() -> None:
    made = begun(
        [squadron("A-1", ship("A1", condition=Condition(2, True).to_dict(), men=300, complement=700))]
    )
    unit = made.units["A1"]
    assert (unit.damage, unit.crippled, unit.came_damage, unit.came_crippled, unit.fired) == (
        2,
        True,
        2,
        True,
        False,
    )
    assert (made.ships["A1"].men, made.ships["A1"].complement) == (300, 700)


# --- a port ---


@pytest.mark.clause("P.K38", "P.S21", "P.M17")
@pytest.mark.parametrize(("guard", "batteries", "posts"), [(0, 0, 0), (1, 1, 0), (3, 3, 0), (4, 4, 2)])
def test_an_anchorage_has_its_shore_and_the_guns_of_its_port(guard: int, batteries: int, posts: int) -> None:
    rows = [ship(f"B{n}", facts={"tags": ["anchored"]}) for n in (1, 2)]
    made = begun(b=[squadron("B-1", *rows)], options={"guard": guard}, gauge="A", wind={"towards": 180})
    assert poses(made)["B1"] == (-200, -12_100, 270) and poses(made)["B2"] == (200, -12_100, 270)
    assert made.units["B1"].stopped and made.units["B1"].anchored and not made.units["A1"].stopped
    works = [unit for unit in made.units.values() if unit.ashore]
    assert [unit.type for unit in works] == [Type.BATTERY] * batteries + [Type.INSTALLATION] * posts
    assert all(
        (unit.side, unit.face, unit.sp2) == ("B", 0, 12 if unit.type is Type.BATTERY else 4) for unit in works
    )
    assert all((unit.x // 50_000, unit.y // 50_000) in made.land for unit in works)
    assert bool(made.land) is (guard > 0)
    if guard == 4:
        assert sorted(unit.x for unit in works if unit.type is Type.BATTERY) == [
            -325_000,
            -125_000,
            75_000,
            275_000,
        ]
        assert len({(unit.x, unit.y) for unit in works}) == 6
    record_back = record.from_dict(json.loads(json.dumps(record.to_dict(made))))
    assert record.to_dict(record_back) == record.to_dict(made) == record.to_dict(record.copy(made))


@pytest.mark.clause("P.K38")
@pytest.mark.parametrize(("anchored", "mode"), [(["anchored"], Mode.COMBAT), ([], Mode.CRUISING)])
def test_a_battle_against_ships_at_anchor_opens_in_combat_and_their_roads_are_known(
    anchored: list[str], mode: Mode
) -> None:
    b = [
        squadron(
            "B-1",
            *(ship(f"B{n}", facts={"tags": anchored}, position=[400 * n, 3_000], heading=90) for n in (1, 2)),
        )
    ]
    a = [squadron("A-1", ship("A1", position=[0, -3_000], heading=0))]
    made = begun(a, b, start="1904-02-08T23:45", fixed_positions=True)
    roads = (60_000, 300_000) if anchored else None
    assert (made.mode, View(made, "A").roads(), View(made, "B").roads()) == (mode, roads, None)


@pytest.mark.clause("P.K38", "P.S25")
@pytest.mark.parametrize(("wind", "cell"), [(180, (0, -28)), (0, (0, 27)), (90, (27, 0)), (270, (-28, 0))])
def test_the_shore_lies_behind_the_ships_at_anchor(wind: int, cell: tuple[int, int]) -> None:
    rows = [ship("B1", facts={"tags": ["anchored"]})]
    made = begun(b=[squadron("B-1", *rows)], options={"guard": 2}, gauge="A", wind={"towards": wind})
    assert cell in made.land and len(made.land) == 72
    spans = sorted(max(n) - min(n) + 1 for n in zip(*made.land, strict=True))
    assert [500 * span for span in spans] == [1_000, 18_000]
    assert not list(
        faults.faults(
            scenario(b=[squadron("B-1", *rows)], options={"guard": 2}, gauge="A", wind={"towards": wind})
        )
    )


# --- mines ---


@pytest.mark.clause("P.X01", "P.X02", "P.X03", "P.X04", "P.K44")
def test_mines_are_sown_in_fields_or_carried() -> None:
    mines = {"A": {"sown": [[[0, 0], [100, 0]], [[100, 100]]], "unsown": {"A2": 6}}}
    a = [squadron("A-1", ship("A1"), ship("A2", "TRAMP"))]
    made = begun(a, options={"mines": mines})
    assert [(row.id, row.side, row.sections, row.carrier, row.unlaid, row.known) for row in made.fields] == [
        ("A-m1", "A", [(0, 0), (10_000, 0)], "", 0, ()), ("A-m2", "A", [(10_000, 10_000)], "", 0, ()), ("A-m3", "A", [], "A2", 6, ()),
    ]  # fmt: skip


@pytest.mark.clause("P.X01", "P.X03", "P.X04")
@pytest.mark.parametrize(
    ("row", "path"),
    [
        ({"sown": [[[0, 0], [200, 0]]]}, "options.mines.A.sown[0]"), ({"sown": [[[0, 0], [0, 0]]]}, "options.mines.A.sown[0]"),
        ({"sown": [[[5_250, 5_250]]]}, "options.mines.A.sown[0][0]"), ({"sown": [[[5_470, 4_960]]]}, "options.mines.A.sown[0][0]"),
        ({"sown": [[[0, -46_801]]]}, "options.mines.A.sown[0][0]"), ({"sown": [[[30_001, 0]]]}, "options.mines.A.sown[0][0]"),
        ({"unsown": {"A1": 2}}, "options.mines.A.unsown.A1"), ({"unsown": {"B1": 2}}, "options.mines.A.unsown.B1"),
    ],
)  # fmt: skip
def test_mines_that_cannot_lie_there_are_refused(row: dict[str, Any], path: str) -> None:
    land = [[10, 10]]
    found = against(options={"mines": {"A": row}}, land=land, gauge="A", wind={"towards": 180})
    assert list(found) == [path]
    fine = {"A": {"sown": [[[5_550, 5_050]], [[0, -46_800]], [[30_000, 0]]]}}
    assert against(options={"mines": fine}, land=land, gauge="A", wind={"towards": 180}) == {}
    assert "not a side" in against(options={"mines": {"C": {}}})["options.mines.C"]


# --- what cannot be played ---


@pytest.mark.clause("P.S11", "P.Z08", "P.Z11")
@pytest.mark.parametrize(
    ("kind", "year", "built", "wrong"),
    [
        ("TBD", 1894, 1894, "ship_type"), ("TBD", 1895, 1895, ""), ("SUB", 1899, 1899, "ship_type"), ("SUB", 1900, 1900, ""),
        ("SC", 1904, 1904, "ship_type"), ("SC", 1905, 1904, ""), ("BB", 1904, 1905, "year_built"), ("BB", 1904, 1904, ""),
        ("TB", 1890, 1890, ""), ("BB", 1904, None, ""),
    ],
)  # fmt: skip
def test_a_type_before_its_year_and_a_ship_before_its_launch_are_refused(
    kind: str, year: int, built: int | None, wrong: str
) -> None:
    one = ship("A1", kind, facts={"year_built": built})
    enemy = [squadron("B-1", ship("B1", facts={"year_built": 1880}))]
    found = against([squadron("A-1", one)], enemy, start=f"{year}-06-01T12:00")
    assert list(found) == ([f"sides[0].squadrons[0].ships[0].facts.{wrong}"] if wrong else [])


@pytest.mark.clause("P.Z08", "P.K42", "P.K15", "P.K02")
@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"start": "1889-12-31T12:00"}, "start"), ({"start": "1914-01-01T12:00"}, "start"),
        ({"start": "noon"}, "start"), ({"start": ""}, "start"),
        ({"start": "", "options": {"year": 1889}}, "options.year"), ({"start": "", "options": {"year": 1914}}, "options.year"),
        ({"wind": {"strength": "gale"}}, "wind.strength"), ({"options": {"guard": 1}}, "options.guard"),
        ({"options": {"sunrise": "18:30"}}, "options.nightfall"), ({"options": {"sunrise": "25:00"}}, "options.sunrise"),
        ({"edges": [0, 0, 0, 9]}, "edges"), ({"edges": [0, 9, 9, 9]}, "edges"),
    ],
)  # fmt: skip
def test_an_error_in_a_scenario_is_named_with_its_place(more: dict[str, Any], path: str) -> None:
    assert path in against(**more)


@pytest.mark.clause("P.Z08")
@pytest.mark.parametrize("year", [1890, 1913])
def test_the_first_and_the_last_year_are_played(year: int) -> None:
    old: dict[str, Any] = {"facts": {"year_built": 1880}}
    assert (
        against(
            [squadron("A-1", ship("A1", **old))],
            [squadron("B-1", ship("B1", **old))],
            start=f"{year}-06-01T00:00",
        )
        == {}
    )


@pytest.mark.clause("P.K02")
def test_a_battle_has_two_sides() -> None:
    doc = document()
    doc["sides"].append({**doc["sides"][0], "id": "C", "squadrons": [squadron("C-1", ship("C1"))]})
    assert [fault.path for fault in faults.faults(read_scenario(doc))] == ["sides"]


@pytest.mark.clause("P.K33", "P.U09", "P.K31")
@pytest.mark.parametrize(
    ("kind", "condition"),
    [("BB", {"schema": 9}), ("BB", {"schema": 1, "damage": 5}), ("BB", {"schema": 1, "wet": 1}), ("BB", Condition(gone=True).to_dict()),
     ("SUB", Condition(1).to_dict())],
)  # fmt: skip
def test_a_condition_that_cannot_fight_is_refused(kind: str, condition: dict[str, Any]) -> None:
    found = against([squadron("A-1", ship("A1", kind, condition=condition))])
    assert list(found) == ["sides[0].squadrons[0].ships[0].condition"]


@pytest.mark.clause("P.K42", "P.S01", "P.Z03")
@pytest.mark.parametrize(
    ("at", "word"),
    [([0, 395], ""), ([0, 394], "on the base"), ([195, 0], ""), ([194, 0], "on the base"), ([30_001, 0], "off the table"),
        ([30_000, 0], ""), ([2_250, 1_806], "on land"), ([2_250, 1_805], ""), ([2_594, 2_250], "on land"), ([2_595, 2_250], ""),
        ([1_906, 2_250], "on land"), ([1_905, 2_250], ""),
    ],
)  # fmt: skip
def test_ships_placed_off_the_table_or_ashore_or_on_each_other_are_refused(at: list[int], word: str) -> None:
    a = [squadron("A-1", ship("A1", position=[0, 0], heading=0), ship("A2", position=at, heading=0))]
    b = [squadron("B-1", ship("B1", position=[0, 9_000], heading=0))]
    found = against(a, b, fixed_positions=True, shoal=[[4, 4]], edges=[-30_000, -48_000, 30_000, 48_000])
    assert (list(found) == ["sides[0].squadrons[0].ships[1].position"]) is bool(word)
    assert all(word in text for text in found.values())


@pytest.mark.clause("P.K44")
@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_allows_its_usual_setting_and_refuses_nonsense(name: str) -> None:
    option = OPTIONS[name]
    assert option.default is None or option.allows(option.default)
    assert option.clause.startswith("P.") and option.words
    for wrong in (None, "nonsense", 10**9, [1]):
        assert not option.allows(wrong)
    assert list(option_faults({name: "nonsense"}))


@pytest.mark.clause("P.K44")
def test_the_options_have_these_usual_settings() -> None:
    chosen = with_defaults({})
    wanted: dict[str, Any] = {
        "year": None, "sunrise": "06:00", "nightfall": "21:00", "sky": "clear", "setup": "chart", "characters": True, "guard": 0,
        "by_night": True, "mines": {}, "fakes": 2, "shared_code": False, "signals": "free", "allotted_min": 240,
        "contact_yd": [24_000, 12_000, 2_000, 4_000, 1_000], "revert_after_spells": 12, "neutral_presence_min": 4,
        "table_mm": [2_400, 1_500], "sunset_after_sunrise_h": 12,
    }  # fmt: skip
    assert {name: chosen[name] for name in wanted} == wanted
    assert with_defaults({"fakes": 1})["fakes"] == 1
    assert [name for name, _ in option_faults({"nothing": 1})] == ["nothing"]


@pytest.mark.clause("P.X01", "P.K44")
@pytest.mark.parametrize(
    "row",
    [{"sown": [[]]}, {"sown": [[[0, 0]] * 7]}, {"sown": [[[0]]]}, {"unsown": {"A1": 0}}, {"unsown": {"A1": 7}}, {"laid": []},
     [], {"sown": 3}]
)  # fmt: skip
def test_mines_written_in_a_wrong_form_are_refused_as_an_option(row: Any) -> None:
    assert not OPTIONS["mines"].allows({"A": row})
    assert OPTIONS["mines"].allows({"A": {"sown": [[[0, 0]] * 6], "unsown": {"A1": 1}}})


@pytest.mark.clause("P.Z01", "P.Z12", "P.C09", "P.M03")
def test_a_rule_set_has_its_units_of_length_and_its_words_for_types() -> None:
    assert (tables.YARD, tables.CABLE, tables.MILE) == (100, 20_000, 200_000)
    assert (tables.BASE_LENGTH, tables.BASE_WIDTH) == (2 * tables.CABLE, tables.CABLE)
    assert {Type.TBD, Type.TB, Type.SUB} == tables.TORPEDO_CRAFT and {Type.TBD, Type.TB} == tables.BOATS
    slow, fast = (
        begun([squadron("A-1", ship("A1", "C1", facts={"speed_knots": knots}))]) for knots in (8.0, 30.0)
    )
    assert slow.units["A1"].moves == fast.units["A1"].moves == 3


@pytest.mark.clause("P.K01", "P.K02")
def test_the_day_of_six_nations_is_set_up_whole() -> None:
    path = PRESENTATIONS["barker"].scenarios / "mediterranean.json"
    day = read_scenario(json.loads(path.read_text(encoding="utf-8")))
    made = setup.begin(day, FastDice(1))
    assert len(made.ships) == 85 and len({one.nation for one in made.units.values()}) == 6
    assert sum(len(one.hulls) for one in made.units.values()) == 85
