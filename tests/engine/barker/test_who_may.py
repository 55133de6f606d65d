"""Conditions one by one: what of a unit, an order or the hour has to hold, each turned by itself. Places in yards."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.rulesets.barker import (
    closing,
    coming,
    effects,
    factors,
    formations,
    movement,
    neutrals,
    notation,
    plans,
    setup,
    signals,
    submarines,
    temper,
)
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.notation import parse
from battles.engine.rulesets.barker.play import Orders, Token
from battles.engine.rulesets.barker.signals import Means
from battles.engine.rulesets.barker.state import Battle, Formation, Marker, Status, Unit
from battles.engine.rulesets.barker.tables import Phase
from tests.engine.barker.builders import battle, in_line, play, told, unit
from tests.engine.barker.test_ending import finished, two
from tests.engine.barker.test_hazards import moved, other, where
from tests.engine.barker.test_setup import begun, poses, scenario, ship, squadron

AWAY = (
    Status.EXPECTED,
    Status.RETREATED,
    Status.SUNK,
    Status.CAPTURED,
    Status.SCUTTLED,
    Status.WRECKED,
    Status.TURNED_BACK,
)


@pytest.mark.clause("P.S34", "P.U03")
@pytest.mark.parametrize(
    ("over", "on_table", "under_way"),
    [({}, True, True), ({"submerged": True}, False, False),
    ({"outside": True}, False, True)] + [({"status": one}, False, False) for one in AWAY],
)  # fmt: skip
def test_who_lies_on_the_table_and_who_is_under_way(
    over: dict[str, Any], on_table: bool, under_way: bool
) -> None:
    one = unit("A1", **over)
    assert (one.on_table, one.under_way) == (on_table, under_way)
    made = battle(one, unit("B1"))
    assert [two.id for two in made.on_table("A")] == ["A1"] * on_table
    assert [two.id for two in made.enemies("B")] == ["A1"] * on_table
    assert "A1" in [two.id for two in made.on_table()] or not on_table


@pytest.mark.clause("P.M11")
@pytest.mark.parametrize(
    ("over", "wanted"),
    [
        ({}, True), ({"kind": "TBD"}, True), ({"kind": "SC"}, True), ({"kind": "SUB", "squadron": "A-1", "group": "A-1"}, False),
        ({"squadron": "", "group": ""}, False), ({"group": "merchants/A"}, False), ({"crippled": True}, False), ({"aground": True}, False),
        ({"neutral": True}, False), ({"prize": True}, False), ({"disguised": True}, False), ({"submerged": True}, False),
        ({"outside": True}, True), ({"stopped": True}, True), ({"damage": 2}, True), ({"status": Status.EXPECTED}, False),
    ],
)  # fmt: skip
def test_who_may_be_in_a_formation(over: dict[str, Any], wanted: bool) -> None:
    assert formations.able(unit("A1", **over)) is wanted


@pytest.mark.clause("P.K38")
@pytest.mark.parametrize(
    ("surprised", "phase", "spells", "over", "wanted"),
    [
        (("A",), Phase.NIGHT, 6, {}, True), (("A",), Phase.NIGHT, 0, {}, True), (("A",), Phase.NIGHT, 7, {}, False),
        (("B",), Phase.NIGHT, 1, {}, False), (("A",), Phase.DUSK, 1, {}, False), (("A",), Phase.DAY, 1, {}, False),
        (("A",), Phase.NIGHT, 1, {"anchored": False}, False), (("A",), Phase.NIGHT, 1, {"status": Status.SUNK}, False),
        ((), Phase.NIGHT, 1, {}, False),
    ],
)  # fmt: skip
def test_who_is_not_ready(
    surprised: tuple[str, ...], phase: Phase, spells: int, over: dict[str, Any], wanted: bool
) -> None:
    made = battle(
        unit("A1", **{"anchored": True, **over}), unit("B1", anchored=True), surprised=surprised, phase=phase
    )
    made.parties["A"].spells, made.parties["A"].alarmed = spells, 0
    assert made.unready("A") is wanted


@pytest.mark.clause("P.G01", "P.G02", "P.G03", "P.G11")
@pytest.mark.parametrize(
    ("phase", "over", "wanted"),
    [
        (Phase.DAY, {}, Means.HOIST), (Phase.SUNRISE, {}, Means.HOIST), (Phase.SUNSET, {"searchlight": False}, Means.HOIST),
        (Phase.DUSK, {}, Means.SEARCHLIGHT), (Phase.DAWN, {}, Means.SEARCHLIGHT), (Phase.DUSK, {"searchlight": False}, Means.LAMP),
        (Phase.NIGHT, {}, Means.LAMP), (Phase.NIGHT, {"light": "signal"}, Means.SEARCHLIGHT), (Phase.NIGHT, {"light": "B1"}, Means.LAMP),
        (Phase.NIGHT, {"light": "signal", "searchlight": False}, Means.LAMP),
    ],
)  # fmt: skip
def test_by_what_a_ship_passes_orders_on(phase: Phase, over: dict[str, Any], wanted: Means) -> None:
    one = unit("A1", **over)
    assert signals.usual(battle(one, unit("B1"), phase=phase), one) is wanted


@pytest.mark.clause("P.M24", "P.M11")
@pytest.mark.parametrize(
    ("over", "joins"),
    [
        ({}, True), ({"crippled": True}, False), ({"aground": True}, False), ({"status": Status.EXPECTED}, False),
        ({"outside": True}, True),
        ({"squadron": "A-2", "group": "A-2"}, False), ({"group": "merchants/A"}, False),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("x", "y"), [(0, 1_050), (0, 250), (200, 650), (-200, 650)])
def test_whom_a_move_cut_short_may_join(x: int, y: int, over: dict[str, Any], joins: bool) -> None:
    made = battle(unit("A0"), unit("A9", (x, y), **over), unit("B1", (9_000, 0)))
    mover = Mover("loose", [made.units["A0"]])
    found = []
    try:
        found.append(
            plans.cost(made, mover, plans.settled(mover.lead, parse("P:250 C").plans[0], stopped=False))
        )
    except plans.Refused as refused:
        found.append(refused.clause)
    assert found == [1 if joins else "P.M24"]


@pytest.mark.clause("P.K48", "P.K45")
@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("| light:ZZ", ["ZZ"]), ("| flag:ZZ", ["ZZ"]), ("| hail:ZZ", ["ZZ"]), ("| with:ZZ", ["ZZ"]), ("| main>ZZ", ["ZZ"]),
        ("| light:-", []),
        ("| with:-", []), ("| main>-", []), ("| light:B1 flag:A2 hail:n1 with:A2 main>B1", []), ("| main>ZZ light:ZZ", ["ZZ"]),
        ("| main>Y1 light:Y2", ["Y1", "Y2"]), ("| main>B2", ["B2"]), ("| main>B3", ["B3"]), ("| hail:A3", []),
    ],
)  # fmt: skip
def test_every_name_that_means_nothing_is_told_once(line: str, codes: list[str]) -> None:
    made = battle(
        unit("A1"), unit("A2", (400, 0)), unit("A3", status=Status.EXPECTED), unit("B1", (9_000, 0)), unit("B2", status=Status.EXPECTED),
        unit("B3", kind="RAIDER_T", disguised=True, contact="n1"),
    )  # fmt: skip
    found = notation.faults(made, "A", "A1", parse(line))
    assert [fault.text for fault in found] == [f"There is no ship {code!r} in this battle." for code in codes]


@pytest.mark.clause("P.K48", "P.M03", "P.I01")
def test_a_plan_that_can_never_be_made_is_told_in_words() -> None:
    made = battle(unit("A1", kind="TBD"), unit("B1", (9_000, 0)))
    texts = [fault.text for fault in notation.faults(made, "A", "A1", parse("P+90 P+90 P / C X / P+90 P P"))]
    assert texts == [
        "P+90 P+90 P costs Ship A1 7 points at least; a die gives 6.",
        "Ship A1 can never make C X.",
    ]


@pytest.mark.clause("P.U02", "P.U07", "P.K48")
@pytest.mark.parametrize(
    ("plans_", "below", "y", "dives"),
    [
        (((), (Token("O"),)), False, 0, False), (((Token("O"), Token("D")),), False, 400, True), (((Token("D"),),
        (Token("O"),)), False, 0, True),
        (((), (Token("U", at=(0, 0)),)), True, 0, True), (((Token("O"),), (Token("U", at=(0, 0)),)), True, 0, False),
    ],
)  # fmt: skip
def test_the_first_plan_of_a_boat_that_can_be_carried_out_is_taken(
    plans_: Any, below: bool, y: int, dives: bool
) -> None:
    boat = unit("A1", kind="SUB", submerged=below)
    made = battle(boat, unit("B1", (0, 90_000)))
    made.markers = [Marker("A1", "A", 0, 0, "A1")] * below
    made.parties["A"].spells = 3
    submarines.move(made, play(made), boat, Orders(plans=plans_))
    assert (boat.y, boat.submerged) == (y * 100, dives)


@pytest.mark.clause("P.C03", "P.U07")
def test_a_boat_goes_no_farther_when_all_movement_is_forfeit() -> None:
    boat = unit("A1", kind="SUB")
    made = battle(boat, unit("B1", (0, 90_000)))
    table = play(made)
    table.frozen = True
    submarines.move(made, table, boat, Orders(plans=((Token("O"),),)))
    assert boat.at == (0, 0)


@pytest.mark.clause("P.M25", "P.I15")
@pytest.mark.parametrize(
    ("left", "turn", "after", "moved_on"),
    [(1, 100, 0, True), (0, 100, 0, False), (0, 0, 0, True), (6, -9_000, 5, True)],
)
def test_a_turn_of_a_boat_takes_a_point_of_its_group(
    left: int, turn: int, after: int, moved_on: bool
) -> None:
    boat = unit("A1", kind="SUB")
    made = battle(boat, unit("B1", (0, 90_000)))
    made.groups["A1"].left = left
    submarines.move(made, play(made), boat, Orders(plans=((Token("O", turn),),)))
    assert (made.groups["A1"].left, boat.at != (0, 0)) == (after, moved_on)


@pytest.mark.clause("P.M17", "P.M18", "P.K38")
def test_who_weighs_anchor_lies_at_anchor_no_more() -> None:
    made = battle(unit("A1", stopped=True, anchored=True), unit("B1", (0, 9_000)))
    made.parties["A"].spells = 2
    table = moved(made, 6, A1="R C")
    one = made.units["A1"]
    assert (one.stopped, one.anchored, where(made, "A1")) == (False, False, [(0, 400, 0)])
    assert [ship for ship, _ in told(table, "restarted")] == ["A1"] and told(table, "stopped") == []


@pytest.mark.clause("P.A10")
def test_of_two_ships_as_near_the_first_by_name_is_rammed() -> None:
    ships = [other(code, (x, 500), 0, crippled=True) for code, x in (("B8", 150), ("B7", -150))]
    made = battle(unit("A1"), *ships)
    assert told(moved(made), "rammed") == [("A1", {"target": "B7"})]


@pytest.mark.clause("P.S15")
def test_of_equal_squadrons_the_first_by_name_has_the_command() -> None:
    ships = [unit("B1"), unit("B2", squadron="B-3", group="B-3"), unit("B3", squadron="B-2", group="B-2")]
    made = battle(unit("A1"), *ships)
    effects.sink(made, play(made), ships[0], "fire", "A1")
    assert made.parties["B"].cinc == "B-2"
    late = [unit("B1"), unit("B2", squadron="B-2", group="B-2", status=Status.EXPECTED)]
    made = battle(unit("A1"), *late)
    effects.sink(made, play(made), late[0], "fire", "A1")
    assert made.parties["B"].cinc == "B-2"


@pytest.mark.clause("P.K43", "P.S31")
def test_squadrons_over_different_edges_do_not_make_way_for_one_another() -> None:
    units = [unit(f"A{n}", squadron=f"A-{n}", group=f"A-{n}", status=Status.EXPECTED) for n in (2, 3, 4, 5)]
    made = battle(unit("A1"), *units, unit("B1", (0, 9_000)))
    for n, edge in ((2, 90), (3, 0), (4, 90), (5, 90)):
        made.squadrons[f"A-{n}"].arrives, made.squadrons[f"A-{n}"].edge = 1, edge
    coming.come_on(made, play(made))
    assert {code: one.at for code, one in made.units.items() if code in ("A2", "A3", "A4", "A5")} == {
        "A2": (3_020_000, 0), "A3": (0, 4_820_000), "A4": (3_020_000, -200_000), "A5": (3_020_000, 200_000),
    }  # fmt: skip


@pytest.mark.clause("P.K43", "P.S31")
def test_the_fourth_of_a_queue_lies_two_places_off() -> None:
    units = [unit(f"A{n}", squadron=f"A-{n}", group=f"A-{n}", status=Status.EXPECTED) for n in range(2, 7)]
    made = battle(unit("A1"), *units, unit("B1", (0, 9_000)))
    for one in units:
        made.squadrons[one.squadron].arrives, made.squadrons[one.squadron].edge = 1, 180
    coming.come_on(made, play(made))
    assert [one.x for one in units] == [0, -200_000, 200_000, -400_000, 400_000]


@pytest.mark.clause("P.N05")
@pytest.mark.parametrize(
    ("vessel", "may"),
    [({}, True), ({"searched": True}, False), ({"challenged": "A9"}, False),
    ({"neutral": False, "disguised": True, "kind": "RAIDER_T"}, True),
     ({"side": "A"}, True), ({"side": "A", "neutral": False, "disguised": True, "kind": "RAIDER_T"}, False)],
)  # fmt: skip
def test_what_may_be_hailed(vessel: dict[str, Any], may: bool) -> None:
    met = unit("B1", (900, 0), **{"kind": "TRAMP", "neutral": True, **vessel})
    ship_ = unit("A1")
    assert neutrals.may_hail(battle(ship_, met, unit("B2", (0, 9_000))), ship_, met) is may


@pytest.mark.clause("P.K42", "P.K36")
def test_who_has_no_place_is_laid_out_beside_those_who_have() -> None:
    a = [squadron("A-1", ship("A1", position=[700, -9_000], heading=4_500))]
    made = begun(a, gauge="A", wind={"towards": 180}, gap=5_000)
    assert poses(made) == {"A1": (700, -9_000, 45), "B1": (0, -2_700, 0)}
    assert made.parties["A"].edge == 0
    boats = [
        ship("A1", "TBD", position=[0, 0]),
        ship("A2", "TBD"),
        ship("A3", "TBD", position=[0, -400]),
        ship("A4", "TBD", position=[0, -900]),
    ]
    b = [squadron("B-1", ship("B1", position=[0, 9_000]))]
    found = poses(begun([squadron("A-1", *boats)], b, gap=5_000))
    assert (found["A1"], found["A3"]) == ((0, 0, 0), (0, -400, 0))


@pytest.mark.clause("P.S16", "P.K36")
@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [("TBD", True), ("TB TBD", True), ("TBD SC", True), ("TBD SC SC", False), ("SC", False), ("TBD SUB", False),
    ("TBD C3", False), ("BB", False)],
)  # fmt: skip
def test_what_a_flotilla_is(kinds: str, wanted: bool) -> None:
    rows = [ship(f"A{n}", kind) for n, kind in enumerate(kinds.split())]
    assert begun([squadron("A-1", *rows)]).squadrons["A-1"].flotilla is wanted
    prize = [*rows, ship("A9", prize=True)]
    assert begun([squadron("A-1", *prize)]).squadrons["A-1"].flotilla is wanted


@pytest.mark.clause("P.K14", "P.K16")
def test_what_became_of_each_ship_in_one_word() -> None:
    made = two(
        unit("A2", (900, 0), status=Status.RETREATED), unit("A3", (900, 0), aground=True, crippled=True)
    )
    finished(made, 1)
    found = {entry.ship: entry.cause for entry in closing.outcome(made).ships}
    assert found == {"A1": "in_play", "B1": "in_play", "A2": "retreated", "A3": "wrecked"}


@pytest.mark.clause("P.F23", "P.R02", "P.K32", "P.U06")
@pytest.mark.parametrize(
    ("over", "armed"),
    [({}, True), ({"disguised": True}, False), ({"prize": True}, False), ({"neutral": True}, False), ({"outside": True}, False),
     ({"submerged": True}, False), ({"kind": "LINER"}, False), ({"crippled": True}, True)],
)  # fmt: skip
def test_who_can_shoot(over: dict[str, Any], armed: bool) -> None:
    assert (factors.attack_factors(unit("A1", **over)) is not None) is armed


@pytest.mark.clause("P.M12", "P.M15")
def test_what_is_left_together_of_those_who_moved_as_one() -> None:
    def left(kind: str, keep: list[bool]) -> list[tuple[str, tuple[str, ...]]]:
        mover = in_line("BB", "BB", "BB", kind=kind)
        made: Battle = battle(*mover.units)
        return [(one.kind, one.members) for one in movement._formations(made, mover, mover.body(), keep)]

    assert left("ahead", [True] * 3) == [("ahead", ("A0", "A1", "A2"))]
    assert left("ahead", [False, True, True]) == [("ahead", ("A1", "A2"))]
    assert left("abreast", [True, True, False]) == [("abreast", ("A0", "A1"))]
    assert left("loose", [True] * 3) == []


@pytest.mark.clause("P.M09", "P.M12")
def test_who_lies_stopped_forms_up_with_who_lies_stopped() -> None:
    made = battle(
        *(unit(f"A{n}", (0, -400 * n), stopped=n in (1, 2)) for n in range(5)), unit("B1", (0, 9_000))
    )
    formations.gather(made)
    assert {one.members for one in made.formations} == {("A1", "A2"), ("A3", "A4")}


@pytest.mark.clause("P.G10", "P.G11")
def test_touch_in_a_formation_with_the_flag_and_with_no_one_else() -> None:
    units: list[Unit] = [
        unit("A1"),
        unit("A2", (0, -400)),
        unit("A3", (0, -60_000)),
        unit("A4", (0, -60_400)),
    ]
    made = battle(*units, unit("B1", (0, 90_000)))
    made.formations = [Formation("ahead", ("A1", "A2")), Formation("ahead", ("A3", "A4"))]
    assert [signals.in_touch(made, one) for one in units] == [True, True, False, False]


@pytest.mark.clause("P.L04")
@pytest.mark.parametrize(
    ("off", "turn"),
    [(0, 4_500), (1, -4_500), (17_999, -4_500), (18_000, 4_500), (18_001, 4_500), (35_999, 4_500)],
)
def test_which_way_it_is_away(off: int, turn: int) -> None:
    mover = in_line("BB")
    mover.turn_off = off
    assert temper.away(mover) == turn


@pytest.mark.clause("P.L04", "P.M14")
def test_a_wheel_turns_off_by_its_innermost_ship() -> None:
    row = in_line("BB", "BB", kind="abreast")
    row.units[1].h, row.turn_off = 9_000, 9_000
    assert temper.turns_off(row, 4_500)
    row.kind = "ahead"
    assert not temper.turns_off(row, 4_500)
    row.kind, row.units[0].h, row.units[1].h = "abreast", 9_000, 18_000
    assert temper.turns_off(row, -4_500)


@pytest.mark.clause("P.K47")
def test_the_last_place_in_the_queue_goes_before_none() -> None:
    made = battle(unit("A1"), unit("A2", (3_000, 0)), unit("B1", (0, 9_000)))
    table = play(made, orders={"A2": parse("C | pay:999")})
    assert [mover.lead.id for mover in movement.movers(made, table, "A")] == ["A2", "A1"]


@pytest.mark.clause("P.K44", "P.M19", "P.U08")
def test_where_a_switch_is_not_named_its_default_holds() -> None:
    def price(text: str) -> Any:
        lame = in_line("BB", crippled=True)
        try:
            return plans.cost(battle(*lame.units, options={}), lame, parse(text).plans[0])
        except plans.Refused as refused:
            return refused.clause

    assert [price(text) for text in ("-", "P", "P P", "P+45")] == [0, 1, "P.M19", 2]
    made = battle(unit("A1"), unit("B1", (0, 9_000)), options={})
    assert [submarines.may_fake(made, "A", number, (0, 0)) for number in (0, 1, 2, 3)] == [
        False,
        True,
        True,
        False,
    ]
    made.options["cripple_moves"] = 2
    lame = in_line("BB", crippled=True)
    assert plans.cost(made, lame, parse("P P").plans[0]) == 3


@pytest.mark.clause("P.Z04", "P.Z05")
def test_the_dice_of_the_set_up_bear_the_number_nought() -> None:
    doc = scenario(start="", options={"setup": "table", "year": 1904})
    with ScriptedDice([2, 3, 6, 2, 5, 3, 5, 1, 1]) as dice:
        setup.begin(doc, dice)
    assert {throw.key.split("/")[1] for throw in dice.throws} == {"0"} and len(dice.throws) == 9


@pytest.mark.clause("P.M13")
@pytest.mark.parametrize("turn", [-9_000, -4_500, 3_000, 9_000])
def test_a_line_that_turns_in_a_bend_meets_nothing_of_its_own(turn: int) -> None:
    made = battle(*(unit(f"A{n}", (0, -400 * n)) for n in range(4)), unit("B1", (0, 90_000)))
    sign = f"{turn / 100:+g}"
    for _ in range(3):
        moved(made, 6, A0=f"P{sign} C")
    assert [row.members for row in made.formations] == [("A0", "A1", "A2", "A3")]
    assert all(one.damage == 0 and one.status is Status.IN_PLAY for one in made.units.values())


@pytest.mark.clause("P.M01", "P.N03", "P.R01", "P.A02", "P.S34", "P.U02")
@pytest.mark.parametrize(
    ("over", "is_moved"),
    [
        ({}, True), ({"crippled": True}, True), ({"stopped": True}, True), ({"outside": True}, True), ({"kind": "BATTERY"}, False),
        ({"neutral": True}, False), ({"disguised": True, "kind": "RAIDER_T"}, False),
        ({"kind": "RAIDER_T"}, True), ({"aground": True}, False),
        ({"aground": True, "crippled": True}, False), ({"status": Status.EXPECTED}, False), ({"status": Status.SUNK}, False),
        ({"kind": "SUB"}, True), ({"kind": "SUB", "submerged": True}, True), ({"submerged": True}, False), ({"kind": "FISH"}, True),
    ],
)  # fmt: skip
def test_who_moves_by_the_orders_of_her_side(over: dict[str, Any], is_moved: bool) -> None:
    made = battle(unit("A1", **over), unit("B1", (0, 9_000)))
    assert [mover.lead.id for mover in movement.movers(made, play(made), "A")] == ["A1"] * is_moved
