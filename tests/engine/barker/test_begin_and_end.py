"""How everything stands before anything has happened, and what is left of it in the end. Places in yards."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import Doctrine, Stance, read_scenario
from battles.engine.rulesets.barker import (
    after,
    characters,
    closing,
    coming,
    effects,
    ending,
    factors,
    faults,
    fire,
    hazards,
    land,
    layout,
    lights,
    minefields,
    modes,
    nets,
    neutrals,
    nip,
    setup,
    sight,
    signals,
    slots,
)
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.layout import Pose
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.play import Orders, Play, Token
from battles.engine.rulesets.barker.signals import Means
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
    Status,
    Unit,
)
from battles.engine.rulesets.barker.tables import Mode, Phase, Type
from battles.engine.rulesets.barker.turn import STEPS
from tests.engine.barker.builders import battle, play, told, unit
from tests.engine.barker.gunners import Gunner, shoot, shots
from tests.engine.barker.test_ending import FAR, closed, finished, sunk, two
from tests.engine.barker.test_hazards import moved
from tests.engine.barker.test_movement import threw
from tests.engine.barker.test_setup import against, begun, document, poses, scenario, ship, squadron

# --- before the battle ---


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


@pytest.mark.clause("P.Z08", "P.K42", "P.S01", "P.Z03")
def test_what_is_said_of_a_scenario_that_cannot_be_played() -> None:
    assert (
        "1880 is outside this rule set, which is for 1890 to 1913"
        in against(start="1880-01-01T12:00")["start"]
    )
    fixed = {"fixed_positions": True, "wind": {"strength": "gale"}}
    a, b = (
        [squadron(f"{side}-1", ship(f"{side}1", position=[0, y]))] for side, y in (("A", 0), ("B", 9_000))
    )
    assert against(a, b, **fixed) == {}
    on = [squadron("A-1", ship("A1", position=[0, 0]), ship("A2", position=[100, -300]))]
    assert against(on, b, fixed_positions=True) == {
        "sides[0].squadrons[0].ships[1].position": "Ship A2 lies on the base of Ship A1, at [100, -300] (P.S01)"
    }
    # Corner over corner, 430 yd apart.
    slant = [squadron("A-1", *(ship(f"A{n}", position=[430 * n, 0], heading=6_343) for n in (0, 1)))]
    assert len(against(slant, b, fixed_positions=True)) == 1
    off = [squadron("A-1", ship("A1", position=[0, -48_001]))]
    assert "off the table at [0, -48001]" in "".join(
        against(off, b, fixed_positions=True, edges=[-30_000, -48_000, 30_000, 48_000]).values()
    )


@pytest.mark.clause("P.K42", "P.Z03")
@pytest.mark.parametrize(
    ("at", "word"), [([2_250, 2_694], "on land"), ([2_250, 2_695], ""), ([2_250, 2_250], "on land")]
)
def test_a_base_north_of_a_square_of_land(at: list[int], word: str) -> None:
    a = [squadron("A-1", ship("A1", position=at))]
    b = [squadron("B-1", ship("B1", position=[0, 9_000]))]
    assert all(word in text for text in against(a, b, fixed_positions=True, land=[[4, 4]]).values())
    assert bool(against(a, b, fixed_positions=True, land=[[4, 4]])) is bool(word)


@pytest.mark.clause("P.X03", "P.X01")
@pytest.mark.parametrize(
    ("at", "fine"),
    [
        ([4_950, 5_250], True), ([4_951, 5_250], False), ([5_550, 5_250], True), ([5_549, 5_250], False), ([5_250, 4_950], True),
        ([5_250, 4_951], False), ([5_250, 5_550], True), ([5_250, 5_549], False), ([4_951, 4_951], False), ([4_950, 4_951], True),
    ],
)  # fmt: skip
def test_mines_lie_beside_land_and_not_on_it(at: list[int], fine: bool) -> None:
    options = {"mines": {"A": {"sown": [[at]]}}}
    assert bool(against(options=options, land=[[10, 10]], gauge="A", wind={"towards": 180})) is not fine


@pytest.mark.clause("P.X03")
@pytest.mark.parametrize(("towards", "x", "y"), [(180, 0, -1), (0, 0, 1), (90, 1, 0), (270, -1, 0)])
def test_mines_keep_1200_yards_from_the_enemys_entry_edge(towards: int, x: int, y: int) -> None:
    # A has the gauge, so that B comes over the edge to leeward, 48,000 yd off; the other edge is free, and so are the sides.
    def fine(yards: int, across: int = 0) -> bool:
        at = [x * yards + y * across, y * yards + x * across]
        return not against(options={"mines": {"A": {"sown": [[at]]}}}, gauge="A", wind={"towards": towards})

    assert fine(46_800) and not fine(46_801)
    assert fine(-48_000) and not fine(-48_001)
    assert fine(0, 30_000) and not fine(0, 30_001) and fine(0, -30_000) and not fine(0, -30_001)


@pytest.mark.clause("P.X01", "P.X04")
@pytest.mark.parametrize(
    ("sections", "fine"),
    [
        ([[0, 0], [100, 0], [100, 100], [200, 100]], True), ([[0, 0], [200, 0], [100, 0]], True), ([[0, 0], [100, 100]], False),
        ([[0, 0], [99, 0]], False), ([[0, 0], [101, 0]], False), ([[0, 0], [0, 100], [0, 0]], False),
        ([[0, 0], [0, -100], [-100, 0]], True),
        ([[0, 0], [50, 50]], True),
    ],
)  # fmt: skip
def test_sections_of_a_field_hang_together(sections: list[list[int]], fine: bool) -> None:
    assert bool(against(options={"mines": {"A": {"sown": [sections]}}})) is not fine


@pytest.mark.clause("P.X04")
def test_nobody_lays_mines_who_is_not_there() -> None:
    assert list(against(options={"mines": {"A": {"unsown": {"ZZ": 2}}}})) == ["options.mines.A.unsown.ZZ"]
    for kind, fine in (
        ("TRANSPORT", True),
        ("TRAMP", True),
        ("MINELAYER", True),
        ("AMC", False),
        ("C3", False),
    ):
        rows = [squadron("A-1", ship("A1"), ship("A2", kind))]
        assert (against(rows, options={"mines": {"A": {"unsown": {"A2": 2}}}}) == {}) is fine
    assert minefields.fields({"mines": {"A": {}}}) == []


# --- who comes on ---


@pytest.mark.clause("P.K43", "P.S31")
@pytest.mark.parametrize(
    ("edge", "front", "course"),
    [(0, (400, 900), 18_000), (9_000, (1_000, 200), 27_000), (18_000, (400, -500), 0), (27_000, (-200, 200), 9_000),
    (4_500, (1_000, 800), 27_000),
     (13_500, (1_000, -400), 27_000), (31_500, (-200, 800), 9_000)],
)  # fmt: skip
def test_a_gate_of_a_table_that_does_not_lie_about_the_origin(
    edge: int, front: tuple[int, int], course: int
) -> None:
    assert coming.gate((-200, -500, 1_000, 900), edge) == (front, course)


@pytest.mark.clause("P.S34", "P.E10", "P.K36")
def test_what_is_told_of_an_arrival() -> None:
    pair = unit(
        "A1",
        (0, -48_000),
        kind="TBD",
        hulls=("A1", "A2"),
        outside=True,
        damage=1,
        crippled=True,
        contact="n1",
    )
    made = battle(pair, unit("B1"))
    table = play(made)
    assert coming.entered(made, table, pair)
    ((_, data),) = told(table, "arrived")
    assert (data["pair"], data["steps"], data["contact"], data["stopped"]) == ("A2", 4, "n1", False)
    one = unit("A3", (0, 0), outside=True)
    assert coming.entered(made, table, one)
    assert (told(table, "arrived")[1][1]["pair"], told(table, "arrived")[1][1]["steps"]) == ("", 0)


@pytest.mark.clause("P.S34")
def test_a_squadron_that_is_held_back_is_not_due() -> None:
    late = unit("A2", squadron="A-2", group="A-2", status=Status.EXPECTED)
    made = battle(unit("A1"), late, unit("B1", (0, 9_000)), clock=9_000)
    row = made.squadrons["A-2"]
    assert coming.is_due(made, row, 0) and [one.id for one in coming.due(made, "A")] == ["A-2"]
    row.held_back = True
    assert not coming.is_due(made, row, 90_000) and coming.due(made, "A") == []


@pytest.mark.clause("P.K43", "P.O01")
def test_only_a_side_with_nothing_left_gives_its_relief_up() -> None:
    late = [
        unit(f"{side}2", squadron=f"{side}-2", group=f"{side}-2", status=Status.EXPECTED) for side in "AB"
    ]
    made = two(*late, last_turn=500)
    for side in "AB":
        made.squadrons[f"{side}-2"].arrives = 90
    sunk(made, "A1")
    closed(made)
    assert [one.status for one in late] == [Status.TURNED_BACK, Status.EXPECTED]


# --- dice of initiative ---


@pytest.mark.clause("P.Z06", "P.I01")
def test_groups_throw_by_their_kind_and_then_by_their_id() -> None:
    ids = {
        "m": "squadron",
        "n": "flotilla",
        "h": "merchants",
        "e": "submarines",
        "b": "single",
        "a": "single",
        "f": "merchants",
    }
    made = battle(
        *(unit(f"A{n}", (n * 900, 0), squadron="", group=code) for n, code in enumerate(ids)),
        unit("B1", (0, 9_000)),
    )
    made.groups = {code: Group(code, "A", kind) for code, kind in ids.items()}
    table = threw(made, 1, 2, 3, 4, 5, 6, 1)
    keys = [throw.key for throw in table.dice.throws]  # type: ignore[attr-defined]
    assert [key.split("/")[3] for key in keys] == ["m", "n", "f", "h", "e", "a", "b"]
    assert keys[0] == "P.I01/0/NIP/m/"


@pytest.mark.clause("P.W05", "P.W07", "P.S15")
def test_only_a_change_of_banks_is_told_and_a_side_without_a_flag_stirs_nothing() -> None:
    mist, fog = Bank("mist", 0, 0, 0, 100, 100, 0, placer="A"), Bank("fog", 5, 5, 0, 100, 100, 1)
    for banks, left in (([mist, fog], ["fog"]), ([fog], ["fog"]), ([], [])):
        made = battle(unit("A1"), unit("B1", (0, 9_000)), banks=list(banks))
        table = threw(made, 6)
        assert [bank.kind for bank in made.banks] == left
        assert bool(told(table, "banks")) is (mist in banks)
    made = battle(unit("A1"), unit("B1", (0, 9_000)), banks=[mist])
    made.parties["A"].cinc = ""
    found = []
    try:
        threw(made, 6)
    except AttributeError as error:
        found.append(repr(error))
    assert (found, len(made.banks)) == ([], 1)


@pytest.mark.clause("P.C10")
def test_who_cruises_again_begins_to_count_anew() -> None:
    made = battle(unit("A1"), unit("B1", (90_000, 0)), unseen=11, cruising_unseen=0)
    table = play(made)
    modes.revert(made, table)
    assert (made.mode, made.unseen, made.cruising_unseen) == (Mode.CRUISING, 0, 0)
    assert told(table, "mode") == [("", {"mode": "cruising"})]
    for n in (1, 2):
        modes.revert(made, table)
        assert (made.unseen, made.cruising_unseen) == (0, n)
    made.parties["B"].contacts = ("A1",)
    modes.revert(made, table)
    assert (made.unseen, made.cruising_unseen) == (0, 0)


# --- neutrals, flags, lights, shots ---


@pytest.mark.clause("P.N05", "P.K45")
def test_an_order_without_a_name_hails_nobody() -> None:
    made = battle(unit("A1"), unit("B1", (900, 0), kind="TRAMP", neutral=True), unit("B2", (0, 9_000)))
    table = play(made, orders={"A1": Orders()})
    after.play(made, table)
    assert told(table, "hailed") == [] and neutrals.named(made, "") is None


@pytest.mark.clause("P.N06", "P.N07")
def test_a_vessel_let_go_is_in_no_search() -> None:
    vessel = unit("B1", (900, 0), kind="TRAMP", neutral=True, stopped=True, challenged="A1", search_due=7)
    made = battle(unit("A1", (90_000, 0)), vessel)
    neutrals.hold(made, vessel)
    assert (vessel.stopped, vessel.challenged, vessel.search_due) == (False, "", -1)
    prize = unit("B2", (900, 0), kind="TRAMP", stopped=True, challenged="A1")
    neutrals.hold(made, prize)
    assert prize.stopped


@pytest.mark.clause("P.N07", "P.N08")
@pytest.mark.parametrize(("spell", "due"), [(0, 4), (1, -1)])
def test_boats_are_sent_in_the_challengers_own_spells(spell: int, due: int) -> None:
    vessel = unit("B1", (200, 0), kind="TRAMP", neutral=True, stopped=True, challenged="A1")
    made = battle(unit("A1"), vessel, unit("B2", (0, 9_000)), spell=spell)
    made.parties["A"].spells = 3
    after.play(made, play(made))
    assert vessel.search_due == due


@pytest.mark.clause("P.S18", "P.S19")
def test_no_flag_is_shifted_where_it_is_lost() -> None:
    squad = BarkerSquadron(id="A-1", name="", side="A", ships=("A1", "A2"), flagship="A1")
    flag, mate = unit("A1", crippled=True), unit("A2", (200, 0))
    assert after.may_shift(squad, flag, mate)
    assert not after.may_shift(replace(squad, flag_lost=True), flag, mate)
    assert not after.may_shift(squad, flag, flag)


@pytest.mark.clause("P.V14", "P.K38", "P.F02", "P.L02", "P.S20", "P.E12", "P.U10")
def test_nothing_goes_wrong_where_somebody_is_missing() -> None:
    """No captain, no orders, no commander, no group: each is asked for what he would do."""
    wrong = {}
    guns, boat, liner = (
        unit("A1", kind="BATTERY"),
        unit("A2", (0, 500), kind="SUB"),
        unit("A3", (9_000, 0), kind="LINER"),
    )
    made = battle(
        guns,
        boat,
        liner,
        unit("A4", (0, 3_000), kind="C2"),
        unit("B1", (900, 0)),
        unit("B2", (0, 900)),
        phase=Phase.NIGHT,
    )
    fleet = unit("B9", kind="FISH", neutral=True)
    made.markers = [Marker("fake/A/1", "A", 0, 0)]
    tasks = {
        "lights": lambda: lights.declare(made, play(made)),
        "lights, by an order for something else": lambda: lights.declare(made, play(made, orders={"B1": Orders()})),
        "shots without captains": lambda: fire.shoot(made, play(made)),
        "shots by themselves": lambda: [slots.legal(made, one) for one in made.units.values()],
        "shots of a battery": lambda: [factors.gunner_die(made, guns, band, 3) for band in Band],
        "chivalry of a battery": lambda: factors.chivalry_bars(made, guns, made.units["B1"]),
        "a merchant sunk": lambda: effects.sink(made, play(made), liner, "fire", "B1"),
        "nets over a fake": lambda: nets.foul(made, play(made), fleet, fleet),
        "after the movement": lambda: after.play(made, play(made)),
        "a neutral sunk by a mine": lambda: ending.points2(_with_neutral_sunk(), "A"),
        "the end": lambda: finished(battle(guns, unit("B1", (0, 9_000)))),
        "a ship taken": lambda: _taken(),
        "touch": lambda: [signals.in_touch(made, one) for one in made.units.values()],
        "dice": lambda: nip.throw(made, play(made, 1, 2, 3, 4)),
    }  # fmt: skip
    for name, task in tasks.items():
        try:
            task()
        except Exception as error:
            wrong[name] = repr(error)
    assert wrong == {}


def _taken() -> None:
    made = battle(unit("A1", crippled=True), unit("B1", (0, 900)))
    finished(made)
    assert closing.outcome(made).ship("A1").captor_ship == "B1"


def _with_neutral_sunk() -> Battle:
    return two(unit("N1", kind="TRAMP", side="", neutral=True, status=Status.SUNK, by="B-m1"))


@pytest.mark.clause("P.F02")
def test_a_flotilla_fires_as_one() -> None:
    boats = [unit(f"A{n}", (0, 900 * n), kind="TBD", squadron="A-F", group="A-F") for n in (1, 2)]
    made = battle(*boats, unit("B1", (900, 900)), unit("B2", (900, 1_800), squadron="B-2", group="B-2"))
    assert made.groups["A-F"].kind == "flotilla"
    table = shoot(made, *[1, 6] * 4, a=Gunner(["B1", "B2"]), b=Gunner(["A1"]))
    assert [row[0] for row in shots(table)] == ["A1", "A2", "B1", "B2"]


@pytest.mark.clause("P.U10", "P.A09")
def test_nets_foul_what_they_cross_and_what_they_come_to_lie_on() -> None:
    for corridor_at, fleet_at, fouled in ((0, 5_000, True), (5_000, 0, True), (5_000, 9_000, False)):
        boat = unit("A1", kind="SUB", submerged=True)
        fleet = unit("B1", (0, fleet_at), kind="FISH", neutral=True)
        made = battle(boat, fleet)
        made.markers = [Marker("A1", "A", 0, 0, "A1")]
        nets.foul(made, play(made), fleet, unit("x", (0, corridor_at)))
        assert (boat.status is Status.SUNK) is fouled
        afloat = unit("A2", kind="SUB")
        made = battle(afloat, fleet)
        nets.foul(made, play(made), fleet, unit("x", (0, corridor_at)))
        assert (afloat.status is Status.SUNK) is fouled


@pytest.mark.clause("P.A05", "P.A09", "P.U10")
def test_nets_are_no_collision() -> None:
    for kind, met in (("FISH", "SUB"), ("SUB", "FISH"), ("BB", "SUB"), ("TRAMP", "SUB")):
        mover, other = unit("A1", kind=kind), unit("B1", (0, 500), kind=met, crippled=met == "FISH")
        made = battle(mover, other)
        way = hazards.Box(0, 40_000, 0, 40_000, 20_000)
        found = hazards.met(made, hazards.Sea(made), mover, way, ())
        assert (found is other) is (kind in ("BB", "TRAMP"))


@pytest.mark.clause("P.G04", "P.G09", "P.C02")
def test_wireless_that_an_enemy_reads_shows_nobody() -> None:
    made = battle(
        unit("A1", wt=True), unit("A2", (0, 90_000), wt=True), unit("B1", (60_000, 0), wt=True),
        unit("B2", (60_000, 900), kind="TRAMP", neutral=True, wt=True),
        unit("B3", (60_000, 1_900), kind="RAIDER_T", disguised=True, wt=True),
        mode=Mode.CRUISING, contact=-1,
    )  # fmt: skip
    table = play(made, 6, 6)
    sent = signals.send(made, table, made.units["A1"], Means.WIRELESS, ("come",), coded=False)
    assert (set(sent.friends), set(sent.enemies), made.mode) == ({"A2"}, {"B1"}, Mode.CRUISING)
    assert told(table, "signal")[0][1]["seen"] is True
    signals.send(made, table, made.units["A1"], Means.WIRELESS, ("on",), coded=False)
    assert [throw.key for throw in table.dice.throws] == ["P.G06/0/WORD/A1/1/0", "P.G06/0/WORD/A1/2/0"]  # type: ignore[attr-defined]


@pytest.mark.clause("P.S34", "P.I11")
def test_who_is_still_outside_the_edge_is_in_touch() -> None:
    made = battle(unit("A1"), unit("A2", (0, -60_000), outside=True), unit("B1", (0, 90_000)))
    assert signals.in_touch(made, made.units["A2"])
    made.units["A2"].outside = False
    assert not signals.in_touch(made, made.units["A2"])


@pytest.mark.clause("P.F21", "P.S28")
@pytest.mark.parametrize(("i", "j"), [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)])
def test_land_hangs_together_corner_to_corner(i: int, j: int) -> None:
    guns = unit("A1", (250, 250), kind="BATTERY")
    own = frozenset({(i, j), (2 * i, 2 * j)})
    made = battle(guns, unit("B1", (9_000, 9_000)), land=own | {(6 * i, 6 * j)})
    here = (25_000, 25_000)
    near, far = (25_000 + 200_000 * i, 25_000 + 200_000 * j), (25_000 + 400_000 * i, 25_000 + 400_000 * j)
    assert land.blocks(made, here, near) and not land.blocks(made, here, near, frozenset({"A1"}))
    assert land.blocks(made, here, far, frozenset({"A1"}))


# --- the end ---


@pytest.mark.clause("P.K09", "P.K49")
@pytest.mark.parametrize(
    ("opening2", "lost", "share", "wanted"),
    [(0, 0, 50, False), (1, 1, 60, True), (2, 1, 50, True), (2, 1, 51, False)],
)
def test_who_has_nothing_to_lose_does_not_withdraw(
    opening2: int, lost: int, share: int, wanted: bool
) -> None:
    made = two(unit("A2", (900, 0), sp2=1))
    made.sides["A"].doctrine = Doctrine(stance=Stance.SEEK, break_off=share)
    made.parties["A"].opening2 = opening2
    if lost:
        sunk(made, "A2")
    assert ending.withdraws(made, "A") is wanted


@pytest.mark.clause("P.K06", "P.K16", "P.K32")
@pytest.mark.parametrize(
    ("at", "captor"),
    [
        ([(-1_500, 0), (900, 0)], "B2"), ([(1_500, 0), (-900, 0)], "B2"), ([(0, -1_500), (0, 900)], "B2"), ([(0, 1_500), (0, -900)], "B2"),
        ([(900, 900), (-1_000, 0)], "B2"), ([(700, 700), (-1_000, 0)], "B1"), ([(900, 0), (0, 900)], "B1"),
    ],
)  # fmt: skip
def test_the_nearest_takes_a_cripple(at: list[tuple[int, int]], captor: str) -> None:
    made = battle(unit("A1", crippled=True), *(unit(f"B{n}", spot) for n, spot in enumerate(at, 1)))
    finished(made)
    assert (made.units["A1"].status, made.units["A1"].by) == (Status.CAPTURED, captor)


@pytest.mark.clause("P.K06", "P.K32", "P.K08")
def test_a_crippled_transport_is_taken_and_not_scuttled() -> None:
    made = battle(unit("A1", kind="TRANSPORT", crippled=True), unit("B1", (0, 9_000)))
    finished(made)
    assert made.units["A1"].status is Status.CAPTURED
    # A wreck that a submarine alone could take floats free.
    made = battle(unit("A1", crippled=True, aground=True), unit("B1", (0, 9_000), kind="SUB"), winner="B")
    found = []
    try:
        finished(made, 6)
    except IndexError as error:
        found.append(repr(error))
    assert (found, made.units["A1"].status, made.units["A1"].aground) == ([], Status.IN_PLAY, False)


@pytest.mark.clause("P.K23", "P.K32")
@pytest.mark.parametrize(
    ("entered", "men", "prisoners", "crew"),
    [(Condition(), 700, 490, 168), (Condition(2), 700, 576, 186), (Condition(0, True), 500, 500, 170),
    (Condition(), 701, 491, 169), (Condition(), 3, 2, 71)],
)  # fmt: skip
def test_men_left_aboard_a_ship_that_is_taken(
    entered: Condition, men: int, prisoners: int, crew: int
) -> None:
    taken = unit("A1", crippled=True, came_damage=entered.damage, came_crippled=entered.crippled)
    made = battle(taken, unit("B1", (0, 1_000)))
    made.ships["A1"].entered, made.ships["A1"].men = entered.to_dict(), men
    finished(made)
    entry = closing.outcome(made).ship("A1")
    assert (entry.prisoners, entry.prize_crew) == (prisoners, crew)
    made.ships["B1"].men = 31
    assert closing.outcome(made).ship("A1").prize_crew == 15


@pytest.mark.clause("P.K07")
def test_a_prize_that_was_brought_along_counts_for_nobody() -> None:
    brought = unit("A9", kind="TRAMP", sp2=4, prize_of="A", prize=True, status=Status.RETREATED, edge=18_000)
    made = two(brought, unit("A8", kind="TRAMP", sp2=4, prize_of="B", status=Status.RETREATED, edge=18_000))
    assert (ending.points2(made, "A"), ending.points2(made, "B")) == (0, 0)


@pytest.mark.clause("P.K14", "P.X02", "P.X03")
def test_what_is_left_of_mines_goes_back_to_the_chart() -> None:
    made = two(
        fields=[Field("A-m1", "A", [(0, 0), (1, 1)], ("B",)), Field("B-m2", "B", [], carrier="B1", unlaid=4)]
    )
    finished(made)
    rows = [
        (row.side, row.sections, row.known, row.carrier, row.unlaid) for row in closing.outcome(made).mines
    ]
    assert rows == [("A", 2, ("B",), "", 0), ("B", 0, (), "B1", 4)]


@pytest.mark.clause("P.K14")
def test_places_of_ships_are_told_in_whole_yards() -> None:
    made = battle(unit("A1", (150.5, -0.5)), unit("B1", FAR))
    finished(made)
    assert closing.outcome(made).ship("A1").position == (150, -1)


# --- the set-up on the table ---


@pytest.mark.clause("P.W04", "P.W10", "P.N02", "P.S29", "P.T02")
def test_the_table_is_laid_by_the_stronger_and_the_weaker_side() -> None:
    def calm(a: list[dict[str, Any]], b: list[dict[str, Any]], *faces: int) -> Battle:
        doc = read_scenario(
            document(a, b, start="", options={"setup": "table", "year": 1904, "characters": False})
        )
        with ScriptedDice(faces) as dice:
            return setup.begin(doc, dice)

    big, small = [squadron("A-1", ship("A1"))], [squadron("B-1", ship("B1", "C1"))]
    found = calm(big, small, 6, 1, 1, 3, 1, 1, 1)
    assert [(bank.placer, bank.y, bank.h) for bank in found.banks] == [
        ("A", -1_600_000, 3_201),
        ("B", 3_200_000, 3_201),
    ]
    assert [bank.step for bank in found.banks] == [0, 0]
    other = calm([squadron("A-1", ship("A1", "C1"))], [squadron("B-1", ship("B1"))], 1, 6, 1, 3, 1, 1, 1)
    assert [(bank.placer, bank.y) for bank in other.banks] == [("B", -1_600_000), ("A", 3_200_000)]
    alike = calm(big, [squadron("B-1", ship("B1"))], 6, 1, 1, 3, 1, 1, 1)
    assert [(bank.placer, bank.y) for bank in alike.banks] == [("A", -1_600_000), ("B", 1_600_000)]
    # A thousandth more of torpedo craft is enough to want the dark.
    mixed = [squadron("A-1", *(ship(f"A{n}") for n in range(1, 5)), ship("A5", "TB"))]
    shy = calm(mixed, [squadron("B-1", *(ship(f"B{n}") for n in range(1, 5)))], 6, 1, 3, 3, 4, 1, 1)
    assert shy.sunset - shy.opened == 3 * 3_600
    neutral = calm(big, small, 6, 1, 3, 3, 4, 6, 6).units["Neutral tramp B"]
    assert (neutral.sp2, neutral.moves, neutral.rank, neutral.signal_miles, neutral.contact) == (
        4,
        1,
        3,
        4,
        "Neutral tramp B",
    )


@pytest.mark.clause("P.S24")
def test_land_of_a_scenario_takes_the_place_of_features() -> None:
    for more in ({"land": [[1, 1]]}, {"shoal": [[1, 1]]}):
        made = scenario(start="", options={"setup": "table", "year": 1904, "characters": False}, **more)
        found = setup.begin(made, FastDice(1))
        assert found.land | found.shoal == {(1, 1)}


def test_ships_sighted_by_both_sides_are_told_with_their_marks() -> None:
    pair = unit("B1", (3_000, 0), kind="TBD", hulls=("B1", "B2"), damage=2, crippled=True)
    made = battle(unit("A1"), pair)
    table = play(made)
    sight.refresh(made, table)
    seen = {code: (data["steps"], data["pair"]) for code, data in told(table, "sighted")}
    assert seen == {"B1": (5, "B2"), "A1": (0, "")}
    assert (made.parties["A"].remembered["B1"].damage, made.parties["A"].remembered["B1"].crippled) == (
        2,
        True,
    )


def test_a_merchantman_by_herself_makes_no_move_that_is_not_hers() -> None:
    made = battle(unit("A1", kind="FISH"), unit("B1", (0, 9_000)))
    table = moved(made, 6, 3)
    assert made.units["A1"].at == (0, 40_000) and told(table, "moved")


def test_no_fault_is_found_in_these_battles() -> None:
    assert list(faults.faults(scenario())) == []


@pytest.mark.clause("P.C04", "P.C05", "P.K40")
def test_the_steps_of_a_spell_are_these_under_these_clauses() -> None:
    assert [(step.id, step.clauses) for step in STEPS] == [
        ("light", ("P.T10", "P.W11", "P.V01")), ("searches", ("P.N08",)), ("nip", ("P.I01", "P.W05", "P.W07")),
        ("signals", ("P.G01", "P.G11", "P.R05")), ("move", ("P.M01", "P.I07", "P.X06", "P.A01")), ("after", ("P.S18", "P.R03", "P.N05")),
        ("fire", ("P.F01", "P.F02", "P.V14")), ("end", ("P.C10", "P.O06", "P.T09")), ("over", ("P.K29",)),
    ]  # fmt: skip
