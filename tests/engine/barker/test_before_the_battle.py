"""How everything stands before anything has happened. Places in yards."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.log import Log
from battles.engine.rulesets.barker import (
    characters,
    layout,
    setup,
)
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.layout import Pose
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.play import Orders, Play, Token
from battles.engine.rulesets.barker.state import (
    Bank,
    BarkerSquadron,
    Battle,
    Field,
    Formation,
    Group,
    Hull,
    Marker,
    Party,
    Unit,
)
from battles.engine.rulesets.barker.tables import Mode, Type
from tests.engine.barker.test_setup import against, begun, poses, scenario, ship, squadron


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (Unit, {"x": 0, "y": 0, "h": 0, "damage": 0, "came_damage": 0, "earliest": 0, "search_due": -1, "face": -1, "given": 0, "taken": 0,
                "edge": -1}),
        (Group, {"nip": 0, "left": 0}), (Field, {"unlaid": 0}), (Bank, {"since": 0}), (Party, {"spells": 0, "opening2": 0}),
        (Battle, {"spell": 0, "clock": 0, "allotted": 0, "contact": -1, "unseen": 0, "cruising_unseen": 0}),
        (BarkerSquadron, {"character": 0}), (Mover, {"character": 0, "turn_off": -1}), (Orders, {"pay": 0}),
        (Token, {"turn": 0, "cut": -1}),
        (Condition, {"damage": 0, "character": 0}), (Hull, {}), (Formation, {}), (Marker, {}), (Play, {}),
    ],
)  # fmt: skip
def test_figures_of_a_thing_of_which_nothing_is_said_yet(kind: Any, wanted: dict[str, int]) -> None:
    found = {
        one.name: one.default
        for one in fields(kind)
        if type(one.default) is int and one.default is not MISSING
    }
    assert {name: found[name] for name in wanted} == wanted
    own = {name for name in found if name not in wanted}
    assert all(found[name] in (0, 1, -1) for name in own)


@pytest.mark.clause("P.K42", "P.C01", "P.Z05")
def test_a_battle_begins_with_nothing_done() -> None:
    made = begun(gap=34_000)
    assert (made.turn, made.spell, made.clock, made.contact, made.unseen, made.cruising_unseen) == (
        0,
        0,
        0,
        -1,
        0,
        0,
    )
    assert (made.allotted, made.last_turn, made.weather, made.formations, made.banks) == (
        14_400,
        288,
        "none",
        [],
        [],
    )
    assert [(row.spells, row.opening2, row.contacts, row.remembered) for row in made.parties.values()] == [
        (0, 24, (), {})
    ] * 2
    assert [(row.nip, row.left) for row in made.groups.values()] == [(0, 0), (0, 0)]
    assert begun(options={"allotted_min": 5}).allotted == 300 and begun(turn_limit=7).last_turn == 7


@pytest.mark.clause("P.S23", "P.Z05")
def test_a_tie_for_the_initiative_is_thrown_again_under_another_key() -> None:
    with ScriptedDice([3, 3, 5, 5, 2, 6]) as dice:
        made = setup.begin(scenario(options={"characters": False}), dice)
    assert [throw.key.split("/")[1:] for throw in dice.throws] == [
        ["0", "INIT", "A"], ["0", "INIT", "B"], ["1", "INIT", "A"], ["1", "INIT", "B"], ["2", "INIT", "A"], ["2", "INIT", "B"],
    ]  # fmt: skip
    assert made.initiative == "B"


@pytest.mark.clause("P.K42", "P.E10", "P.K36", "P.R01")
def test_what_is_told_of_the_opening() -> None:
    lame = Condition(1, True).to_dict()
    boats = [ship("A2", "TBD"), ship("A3", "TBD", condition=Condition(2).to_dict())]
    a = [squadron("A-1", ship("A1", condition=lame), *boats), squadron("A-2", ship("A4", "RAIDER"))]
    log = Log()
    made = setup.begin(scenario(a, gap=5_000), FastDice(1), log)
    placed = {event.ship: dict(event.data) for event in log.events if event.kind == "placed"}
    assert set(placed) == {"A1", "A2", "A4", "B1"}
    assert [(placed[code]["steps"], placed[code]["pair"], placed[code]["contact"]) for code in ("A1", "A2", "A4", "B1")] == [
        (4, "", ""), (2, "A3", ""), (0, "", "Vessel 1"), (0, "", ""),
    ]  # fmt: skip
    assert placed["A2"] == {
        "x": made.units["A2"].x, "y": made.units["A2"].y, "h": made.units["A2"].h, "type": "TBD", "steps": 2, "stopped": False,
        "pair": "A3", "side": "A", "contact": "",
    }  # fmt: skip
    seen = {event.ship: dict(event.data) for event in log.events if event.kind == "sighted"}
    assert (seen["A1"]["steps"], seen["A1"]["pair"], seen["A2"]["steps"], seen["A2"]["pair"]) == (
        4,
        "",
        2,
        "A3",
    )
    assert (seen["B1"]["steps"], "A4" in seen) == (0, False)


@pytest.mark.clause("P.G12", "P.V13", "P.S12", "P.K36")
def test_a_destroyer_by_itself_has_neither_wireless_nor_searchlight() -> None:
    pair = [ship("A1", "TBD"), ship("A2", "TBD")]
    made = begun([squadron("A-1", *pair)], start="1907-05-27T12:00")
    assert (made.units["A1"].wt, made.units["A1"].searchlight) == (True, True)
    alone = begun([squadron("A-1", pair[0])], start="1907-05-27T12:00")
    assert (alone.units["A1"].wt, alone.units["A1"].searchlight, alone.units["A1"].type) == (
        False,
        False,
        Type.TB,
    )
    assert not begun([squadron("A-1", *pair)], start="1906-05-27T12:00").units["A1"].wt
    never = ship("A1", facts={"overrides": {"wt_from": 0}})
    assert not begun([squadron("A-1", never)]).units["A1"].wt


@pytest.mark.clause("P.S14", "P.S17", "P.K36")
def test_a_flag_is_in_a_ship_that_leads() -> None:
    rows = [ship("A1", "TRANSPORT"), ship("A2", "TBD"), ship("A3", "TBD"), ship("A4", "C3"), ship("A5")]
    assert begun([squadron("A-1", *rows)]).squadrons["A-1"].flagship == "A4"
    assert begun([{**squadron("A-1", *rows), "flagship": "A5"}]).squadrons["A-1"].flagship == "A5"
    boats = [ship(f"A{n}", "TBD") for n in (1, 2, 3, 4)]
    assert begun([{**squadron("A-1", *boats), "flagship": "A4"}]).squadrons["A-1"].flagship == "A3"
    assert begun([{**squadron("A-1", *boats), "flagship": "A2"}]).squadrons["A-1"].flagship == "A1"
    prize = begun([{**squadron("A-1", ship("A1", prize=True), ship("A2", "C1")), "flagship": "A1"}])
    assert prize.squadrons["A-1"].flagship == "A2"


@pytest.mark.clause("P.L01", "P.L02", "P.K31", "P.K32")
def test_who_has_a_character_and_a_partner() -> None:
    def thrown(*faces: int, rows: list[dict[str, Any]], **more: Any) -> BarkerSquadron:
        with ScriptedDice([*faces, 6, 2, 1]) as dice:
            return setup.begin(scenario([squadron("A-1", *rows, **more)]), dice).squadrons["A-1"]

    # Nobody leads transports, so that no die is thrown.
    assert thrown(rows=[ship("A1", "TRANSPORT")]).character == 0
    assert thrown(1, rows=[ship("A1"), ship("A2", prize=True)]).partner == ""
    assert thrown(1, rows=[ship("A1"), ship("A2", "SC"), ship("A3", "C3")]).partner == "A3"
    assert thrown(2, rows=[ship("A1"), ship("A2")]).partner == ""
    two_hurt = [
        ship("A1"),
        ship("A2", condition=Condition(0, True).to_dict()),
        ship("A3", condition=Condition(2).to_dict()),
    ]
    assert thrown(1, rows=two_hurt).partner == "A3"
    kept = Condition(character=1, officer="Togo", partner="A9").to_dict()
    found = thrown(rows=[ship("A1", condition=kept), ship("A2")], flag_officer="Togo")
    assert (found.character, found.partner) == (1, "")
    nobody = Condition(officer="Togo", partner="A2").to_dict()
    assert thrown(5, rows=[ship("A1", condition=nobody), ship("A2")], flag_officer="Togo").character == 5


@pytest.mark.clause("P.K31", "P.K44")
def test_a_commander_without_a_character_leaves_none_behind() -> None:
    made = begun([squadron("A-1", ship("A1"), flag_officer="Togo")], options={"characters": False})
    assert characters.remembered(made, made.ships["A1"]) == (0, "", "")


@pytest.mark.clause("P.K42", "P.R01", "P.K32")
def test_prizes_merchants_and_disguised_ships_are_in_the_train() -> None:
    rows = [
        ship("A1"),
        ship("A2", "TRANSPORT"),
        ship("A3", prize=True),
        ship("A4", "RAIDER"),
        ship("A5", "MINELAYER"),
        ship("A6", "AMC"),
    ]
    made = begun([squadron("A-1", *rows)], gauge="A", wind={"towards": 180})
    assert {code: place[:2] for code, place in poses(made).items() if code != "B1"} == {
        "A1": (0, 12_200), "A6": (0, 12_600), "A2": (0, 17_000), "A3": (0, 17_400), "A4": (0, 17_800), "A5": (0, 18_200),
    }  # fmt: skip


@pytest.mark.clause("P.K42", "P.S32")
def test_a_ship_placed_without_a_heading_steers_north() -> None:
    a = [squadron("A-1", ship("A1", position=[5, -7]))]
    b = [squadron("B-1", ship("B1", position=[0, 9_000], heading=4_500))]
    made = begun(a, b, fixed_positions=True)
    one = made.units["A1"]
    assert (one.x, one.y, one.h, made.units["B1"].h) == (500, -700, 0, 4_500)


@pytest.mark.clause("P.C01", "P.K04")
@pytest.mark.parametrize(("north", "mode"), [(32_400, Mode.COMBAT), (32_401, Mode.CRUISING)])
def test_ships_placed_out_of_sight_begin_cruising(north: int, mode: Mode) -> None:
    a = [squadron("A-1", ship("A1", position=[0, 0]))]
    b = [squadron("B-1", ship("B1", position=[0, north]))]
    assert begun(a, b, fixed_positions=True).mode is mode


@pytest.mark.clause("P.K42")
@pytest.mark.parametrize(
    ("a", "b", "axis", "ahead"),
    [
        ([(0, 0)], [(0, 900)], 0, "b"), ([(0, 900)], [(0, 0)], 0, "a"), ([(0, 0)], [(900, 0)], 9_000, "b"),
        ([(900, 0)], [(0, 0)], 9_000, "a"), ([(0, 0)], [(500, 500)], 0, "b"), ([(0, 0)], [(501, 500)], 9_000, "b"),
        ([(0, 0)], [(-501, 500)], 9_000, "a"), ([(100, 700), (300, -700)], [(200, 0), (600, 400), (100, 200)], 0, "b"),
        ([(0, 0), (0, 0), (900, 0)], [(0, 0), (0, 300)], 9_000, "a"), ([(7, 0)], [(7, 0)], 0, "b"),
    ],
)  # fmt: skip
def test_the_long_axis_runs_the_way_that_fleets_lie_farthest_apart(
    a: Any, b: Any, axis: int, ahead: str
) -> None:
    placed = {
        f"{side}{n}": Pose(x, y, 0) for side, rows in (("a", a), ("b", b)) for n, (x, y) in enumerate(rows)
    }
    field = layout.placed_field(placed, {code: code[0] for code in placed})
    assert (field.axis, field.ends) == (axis, {"a": ahead == "a", "b": ahead == "b"})


@pytest.mark.clause("P.K38", "P.S21", "P.F21")
@pytest.mark.parametrize(
    ("towards", "face", "edge"), [(180, 0, 18_000), (0, 18_000, 0), (90, 27_000, 9_000), (270, 9_000, 27_000)]
)
def test_the_guns_of_a_port_look_seaward(towards: int, face: int, edge: int) -> None:
    rows = [ship(f"B{n}", facts={"tags": ["anchored"]}) for n in (1, 2, 3)]
    made = begun(
        b=[squadron("B-1", *rows)],
        options={"guard": 4, "sp_table": {"BATTERY": 5}},
        gauge="A",
        wind={"towards": towards},
    )
    works = [one for one in made.units.values() if one.ashore]
    assert made.parties["B"].edge == edge
    assert {(one.face, one.h) for one in works} == {(face, face)}
    assert [one.name for one in works] == [
        "Battery 1",
        "Battery 2",
        "Battery 3",
        "Battery 4",
        "Searchlight post 1",
        "Searchlight post 2",
    ]
    assert [(one.sp2, one.moves, one.rank, one.signal_miles, one.searchlight) for one in works] == [
        (10, 0, 0, 10, True)
    ] * 4 + [(4, 0, 0, 10, True)] * 2
    along = sorted((one.x if face % 18_000 == 0 else one.y) for one in works if one.type is Type.INSTALLATION)
    assert along[1] - along[0] == 400_000
    guns = sorted((one.x if face % 18_000 == 0 else one.y) for one in works if one.type is Type.BATTERY)
    assert [b - a for a, b in zip(guns, guns[1:], strict=False)] == [200_000] * 3


@pytest.mark.clause("P.K38")
def test_a_port_lies_about_the_point_of_the_shore_nearest_to_the_middle_of_the_anchorage() -> None:
    land = frozenset((i, -10) for i in range(-20, 40))
    anchored = [Pose(100_000, 0, 0), Pose(300_000, 0, 0), Pose(500_000, 50_000, 0)]
    ((battery, pose),) = layout.port(1, anchored, land)
    # Their middle lies 3,000 yd east; squares are named by their corners, and the nearest middle is 250 yd off on either side.
    assert battery and pose.y == -475_000 and pose.x in (275_000, 325_000) and pose.h == 0
    for east, north, face in (
        (400, 300, 9_000),
        (300, 400, 0),
        (400, -300, 9_000),
        (-300, -400, 18_000),
        (-400, -300, 27_000),
    ):
        ((_, pose),) = layout.port(
            1, [Pose(25_000 + 1_000 * east, 25_000 + 1_000 * north, 0)], frozenset({(0, 0)})
        )
        assert pose.h == face
    # Only so many works as there are squares.
    assert len(layout.port(4, anchored, frozenset({(0, 0), (1, 0)}))) == 2


@pytest.mark.clause("P.K38", "P.K42")
def test_a_guard_needs_ships_that_lie_at_anchor_from_the_first() -> None:
    port = {"facts": {"tags": ["anchored"]}}
    assert against(b=[squadron("B-1", ship("B1", **port))], options={"guard": 1}) == {}
    late = [squadron("B-1", ship("B1")), squadron("B-2", ship("B2", **port), arrives=3)]
    assert list(against(b=late, options={"guard": 1})) == ["options.guard"]


@pytest.mark.clause("P.K15", "P.T05")
@pytest.mark.parametrize(
    ("rise", "dark", "fine"),
    [
        ("18:00", "21:00", True), ("18:01", "21:00", False), ("06:00", "09:00", True), ("06:00", "08:59", False), ("00:00", "23:00", True),
        ("00:00", "23:01", False), ("00:30", "23:30", True), ("00:30", "23:31", False),
    ],
)  # fmt: skip
def test_the_day_has_three_hours_and_the_night_one(rise: str, dark: str, fine: bool) -> None:
    found = against(options={"sunrise": rise, "nightfall": dark})
    assert list(found) == ([] if fine else ["options.nightfall"])
