"""Tracks of lines in a bend, lines that join and part, and who leaves a line by an order. Places in hundredths of a yard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from battles.engine.rulesets.barker import courses, formations, movement, plans, temper
from battles.engine.rulesets.barker.courses import Body
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.notation import parse, plan_text
from battles.engine.rulesets.barker.orders import merged
from battles.engine.rulesets.barker.plans import Refused
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.state import Battle, Formation, Group, Unit
from battles.engine.rulesets.barker.tables import Phase
from tests.engine.barker.builders import battle, in_line, play, told, unit
from tests.engine.barker.test_hazards import moved, where
from tests.support.answers import unerring

# A leader has come north and turned east: her front edge was at (0, 20,000) before the pivot and at (10,000, 30,000) after it.
BEND = [(0, 20_000, 0), (10_000, 30_000, 9_000)]


def head(east: int) -> tuple[int, int, int]:
    return 10_000 + east, 30_000, 9_000


@pytest.mark.clause("P.M07", "P.M08", "P.Z13")
def test_pivots_to_the_hundredth() -> None:
    assert courses.pivot((0, 0, 0), 9_000) == (-10_000, 30_000, 9_000)
    assert courses.pivot((0, 0, 0), -9_000) == (10_000, 30_000, 27_000)
    assert courses.pivot((0, 0, 9_000), -9_000) == (30_000, -10_000, 0)
    assert courses.pivot((0, 0, 27_000), 9_000) == (-30_000, -10_000, 0)
    assert courses.pivot((0, 0, 0), -4_500) == (11_213, 12_929, 31_500)
    assert courses.wheel([(0, 0, 0), (30_000, 0, 0)], 9_000) == [
        (20_000, 60_000, 9_000),
        (20_000, 30_000, 9_000),
    ]
    assert courses.wheel([(0, 0, 0), (30_000, 0, 0)], -9_000) == [
        (10_000, 30_000, 27_000),
        (10_000, 60_000, 27_000),
    ]
    assert courses.behind_front((0, 20_000), 0) == (0, 0, 0)
    assert courses.front((5, 7, 9_000)) == (20_005, 7)


@pytest.mark.clause("P.M13", "P.Z13")
@pytest.mark.parametrize(
    ("behind", "wanted"),
    [
        # Her front lies so far behind the leader's, whose way since the turn is 50,000; she has gone 40,000.
        (0, [((20_000, 30_000), 9_000, 40_000)]),
        (10_000, [((10_000, 30_000), 9_000, 40_000)]),
        (10_009, [((9_991, 30_000), 9_000, 40_000)]),
        (10_010, [((9_990, 30_000), 9_000, 40_000)]),
        (10_011, [((0, 19_989), 0, 11), ((10_000, 30_000), 9_000, 39_989)]),
        (20_000, [((0, 10_000), 0, 10_000), ((10_000, 30_000), 9_000, 30_000)]),
        (49_989, [((0, -19_989), 0, 39_989), ((10_000, 30_000), 9_000, 11)]),
        (49_990, [((0, -20_000), 0, 40_000)]),
        (50_000, [((0, -20_000), 0, 40_000)]),
        (50_001, [((0, -20_001), 0, 40_000)]),
        (60_000, [((0, -30_000), 0, 40_000)]),
    ],
)  # fmt: skip
def test_the_last_piece_of_a_way_round_a_bend(behind: int, wanted: Any) -> None:
    assert courses.pieces(BEND, head(50_000), behind, 40_000) == wanted


@pytest.mark.clause("P.M13")
def test_a_way_round_two_bends_has_three_pieces() -> None:
    rows = [*BEND, (30_000, 30_000, 9_000), (40_000, 20_000, 18_000)]
    assert courses.pieces(rows, (40_000, 0, 18_000), 10_000, 40_000) == [
        ((0, 10_000), 0, 10_000), ((10_000, 30_000), 9_000, 20_000), ((40_000, 20_000), 18_000, 10_000),
    ]  # fmt: skip
    assert courses.pieces([], (0, 0, 9_000), 30_000, 40_000) == [((-70_000, 0), 9_000, 40_000)]


@pytest.mark.clause("P.M13")
@pytest.mark.parametrize(("behind", "left"), [(49_989, 2), (49_990, 1), (50_000, 1), (60_000, 1)])
def test_the_track_that_lies_behind_a_place(behind: int, left: int) -> None:
    rows = [(0, -70_000, 0), *BEND]
    found = courses.older(rows, head(50_000), behind)
    assert found == (rows if left == 2 else rows[:1])


@pytest.mark.clause("P.M13")
def test_nothing_is_older_than_the_beginning_of_a_track() -> None:
    rows = [(0, -70_000, 0), *BEND]
    # The first row lies 90,000 before the corner, which is 50,000 behind the head.
    assert courses.older(rows, head(50_000), 139_989) == rows[:1]
    assert courses.older(rows, head(50_000), 139_990) == []
    assert courses.older([], head(0), 0) == []


@pytest.mark.clause("P.M13")
@pytest.mark.parametrize(("behind", "kept"), [(49_999, []), (50_000, BEND), (50_001, BEND), (90_000, BEND)])
def test_a_track_is_kept_until_the_last_ship_has_passed_its_corner(behind: int, kept: Any) -> None:
    assert courses.trimmed(BEND, head(50_000), behind) == kept


@pytest.mark.clause("P.M13")
def test_a_line_of_three_keeps_its_track_until_its_last_ship_turns() -> None:
    for yards, kept in ((799, True), (800, True), (801, False)):
        made = Body("ahead", [(0, -40_000 * n, 0) for n in range(3)])
        made.turn(9_000)
        made.advance(yards * 100)
        assert bool(made.track()) is kept
        assert Body("abreast", made.poses, made.rows).track() == []


@pytest.mark.clause("P.M13", "P.EX6")
def test_a_line_of_two_goes_round_a_bend_over_two_spells() -> None:
    made = battle(unit("A1"), unit("A2", (0, -400)), unit("B1", (0, 9_000)))
    moved(made, 6, A1="P+90 C")
    assert where(made, "A1", "A2") == [(700, 300, 90), (300, 300, 90)]
    assert [(row.kind, row.members) for row in made.formations] == [("ahead", ("A1", "A2"))]
    made = battle(unit("A1"), unit("A2", (0, -400)), unit("B1", (0, 9_000)))
    moved(made, 6, A1="C P+90")
    assert where(made, "A1", "A2") == [(300, 700, 90), (0, 400, 0)]
    moved(made, 0)
    assert where(made, "A1", "A2") == [(700, 700, 90), (300, 700, 90)]


@pytest.mark.clause("P.M13", "P.M24")
@pytest.mark.parametrize(
    ("van_track", "rear_track", "wanted"),
    [
        ([], [], []),
        (BEND, [], BEND),
        # Their leader steers another course than the last ship before her: the corner is where she is now.
        ([], BEND, [*BEND, (50_000, 30_000, 9_000), (50_000, 30_000, 0)]),
        ([(0, 0, 4_500), (1, 1, 0)], BEND, [*BEND, (50_000, 30_000, 9_000), (50_000, 30_000, 4_500), (0, 0, 4_500), (1, 1, 0)]),
        ([(0, 0, 9_000), (1, 1, 0)], BEND, [*BEND, (50_000, 30_000, 9_000), (0, 0, 9_000), (1, 1, 0)]),
    ],
)  # fmt: skip
def test_a_line_that_comes_up_brings_its_own_track(van_track: Any, rear_track: Any, wanted: Any) -> None:
    made = battle(unit("A1"), unit("A2", (0, -400)), unit("A3", (300, 300), 90), unit("A4", (0, 0)))
    van, rear = (
        Formation("ahead", ("A1", "A2"), list(van_track)),
        Formation("ahead", ("A3", "A4"), list(rear_track)),
    )
    linked = formations._linked(made, van, rear, "ahead")
    assert (linked.kind, linked.members, linked.track) == ("ahead", ("A1", "A2", "A3", "A4"), wanted)


@pytest.mark.clause("P.M11", "P.M13", "P.K47")
@pytest.mark.parametrize(
    ("keep", "parts"),
    [
        ("11111", ["12345"]), ("01111", ["2345"]), ("11110", ["1234"]), ("10111", ["345"]), ("11011", ["12", "45"]), ("10101", []),
        ("00011", ["45"]), ("11000", ["12"]), ("00000", []),
    ],
)  # fmt: skip
def test_a_line_cut_anywhere_leaves_its_pieces_of_two_and_more(keep: str, parts: list[str]) -> None:
    made = battle(*(unit(f"A{n}", (0, -400 * n)) for n in range(1, 6)))
    line = Formation("ahead", tuple(f"A{n}" for n in range(1, 6)))
    found = list(formations.parts(made, line, [mark == "1" for mark in keep]))
    assert ["".join(code[1] for code in one.members) for one in found] == parts


# --- who moves as one ---


def line_of(number: int) -> Battle:
    made = battle(*(unit(f"A{n}", (0, -400 * (n - 1))) for n in range(1, number + 1)), unit("B1", (0, 9_000)))
    formations.gather(made)
    return made


@pytest.mark.clause("P.K47", "P.M11")
@pytest.mark.parametrize(
    ("orders", "groups"),
    [
        ({}, "12345"), ({"A1": "C P"}, "12345"), ({"A1": "C P | with:-"}, "1 2345"), ({"A1": "C P | with:A2,A3"}, "123 45"),
        ({"A1": "C P | with:A3"}, "1 2345"), ({"A3": "C P"}, "12 3 45"), ({"A3": "C P | with:A4"}, "12 34 5"),
        ({"A3": "| with:A4,A5"}, "12 345"), ({"A3": "| main>B1"}, "12345"), ({"A5": "C P"}, "1234 5"), ({"A2": "C"}, "1 2 345"),
        ({"A2": "C", "A3": "C"}, "1 2 3 45"), ({"A2": "C | with:A3,A4", "A4": "C"}, "1 23 4 5"),
        ({"A1": "C | with:A2", "A4": "C | with:A5"}, "12 3 45"),
        ({"A3": "-"}, "12 3 45"), ({"A1": "| with:A2"}, "12 345"),
    ],
)  # fmt: skip
def test_who_is_ordered_by_herself_leaves_the_line(orders: dict[str, str], groups: str) -> None:
    made = line_of(5)
    table = play(made, orders={code: parse(text) for code, text in orders.items()})
    found = list(movement.split(made, table, made.formations[0]))
    assert ["".join(one.id[1] for one in mover.units) for mover in found] == groups.split()
    for mover in found:
        assert mover.kind == ("ahead" if len(mover.units) > 1 else "loose")
        lead = mover.lead.id
        assert mover.orders == (parse(orders[lead]) if lead in orders else None)


@pytest.mark.clause("P.M01", "P.K47")
def test_groups_move_in_their_order_whatever_their_place_in_the_list() -> None:
    kinds = ("flotilla", "merchants", "submarines", "single", "squadron")
    units = [unit(f"A{n}", (2_000 * n, 0), squadron="", group=f"g{n}") for n in range(5)]
    made = battle(*units, unit("B1", (0, 9_000)))
    made.groups = {f"g{n}": Group(f"g{n}", "A", kind) for n, kind in enumerate(kinds)}
    assert [mover.lead.id for mover in movement.movers(made, play(made), "A")] == [
        "A4",
        "A3",
        "A2",
        "A1",
        "A0",
    ]


@pytest.mark.clause("P.I11", "P.Y03")
def test_only_ships_of_the_flags_own_group_can_be_out_of_touch_with_him() -> None:
    made = battle(
        unit("A1"), unit("A2", (0, -60_000)), unit("A3", (60_000, 0), kind="TRANSPORT", squadron="A-1", group="merchants/A"),
        unit("A4", (0, 800)),
    )  # fmt: skip
    found = {mover.lead.id: mover.out_of_touch for mover in movement.movers(made, play(made), "A")}
    assert found == {"A1": False, "A2": True, "A3": False, "A4": False}


@pytest.mark.clause("P.C03", "P.I17", "P.K48")
def test_what_is_frozen_stays_and_only_a_players_plan_is_told_when_it_is_passed_over() -> None:
    made = battle(unit("A1"), unit("A2", (3_000, 0)), unit("B1", (0, 9_000)))
    table = play(made, orders={"A1": parse("C P P")})
    table.made = {"A2": parse("C P P")}
    for mover in movement.movers(made, table, "A"):
        movement.go(made, table, mover)
    assert [code for code, _ in told(table, "refused")] == ["A1"]
    assert made.units["A2"].made == ("C",)
    table.frozen = True
    before = [one.at for one in made.units.values()]
    for mover in movement.movers(made, table, "A"):
        assert movement.go(made, table, mover) == []
    assert [one.at for one in made.units.values()] == before


# --- what plans may do ---


@unerring
def price(mover: Mover, text: str, *others: Unit, **over: Any) -> Any:
    """The price of a plan, or the code of what forbids it."""
    made = battle(*mover.units, *others, **over)
    (plan,) = parse(text).plans
    try:
        return plans.cost(made, mover, plans.settled(mover.lead, plan, stopped=mover.lead.stopped))
    except Refused as refused:
        return refused.code.removeprefix("order/")


@pytest.mark.clause("P.M03", "P.M04", "P.M17", "P.M18", "P.M19", "P.M06")
@pytest.mark.parametrize(
    ("kinds", "text", "over", "wanted"),
    [
        (("BB",), "P S", {}, 3), (("BB",), "P P S", {}, "too-many-moves"), (("BB",), "C P S", {}, 3), (("BB",), "S", {}, 2),
        (("BB",), "S S", {}, "after-stop"), (("BB",), "R R C", {"stopped": True}, "no-restart"), (("BB",), "R S", {"stopped": True}, 4),
        (("BB",), "R P S", {"stopped": True}, 5), (("C1",), "P S", {"crippled": True}, 3),
        (("C1",), "P P S", {"crippled": True}, "too-many-moves"),
        (("TBD",), "P P P S", {}, 7), (("TBD",), "P P P P S", {}, "too-many-moves"), (("SC", "SC"), "C X", {}, "no-extra-free"),
        (("C1",), "C X", {"crippled": True}, "no-compulsory"), (("BB",), "D", {}, "no-such-move"), (("BB",), "U090@1,1", {},
        "no-such-move"),
        (("TRAMP",), "O O", {}, "one-free-move"), (("TRAMP",), "X", {}, "no-extra-free"), (("TRAMP",), "O S", {}, 2),
    ],
)  # fmt: skip
def test_what_a_plan_costs_or_what_forbids_it(
    kinds: Sequence[str], text: str, over: dict[str, Any], wanted: Any
) -> None:
    assert price(in_line(*kinds, **over), text) == wanted


@pytest.mark.clause("P.M06")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("C P T+90", 5), ("C T+90 P", 5), ("T+90 C", "compulsory-first"), ("P C", "compulsory-first"), ("C P P", 3), ("C T+90 T+90", 7),
    ],
)  # fmt: skip
def test_where_the_compulsory_move_comes_first_paid_ones_follow_in_any_order(text: str, wanted: Any) -> None:
    assert price(in_line("TBD", "TBD"), text, options={"free_move_order": False}) == wanted
    if wanted == "compulsory-first":
        assert price(in_line("TBD", "TBD"), text) in (1, 3)


@pytest.mark.clause("P.M06", "P.M05")
def test_an_extra_free_move_comes_between_the_compulsory_and_the_paid_one() -> None:
    strict = {"options": {"free_move_order": False}}
    assert [price(in_line("C1"), text, **strict) for text in ("C X P", "X C P", "C P X")] == [
        2,
        "compulsory-first",
        "compulsory-first",
    ]
    assert [price(in_line("C1"), text) for text in ("C X P", "X C P", "C P X")] == [2, 2, 2]


@pytest.mark.clause("P.I13", "P.M15")
def test_by_the_switch_a_turn_together_is_still_paid_ship_by_ship() -> None:
    free = {"options": {"turn_price_extra": False}}
    assert price(in_line("BB", "BB", "BB"), "T+90 C", **free) == 1 + 3
    assert price(in_line("BB", "BB", "BB"), "P+90 C", **free) == 1
    assert price(in_line("BB", "BB", "BB"), "P+90 C") == 2


@pytest.mark.clause("P.M22", "P.M13")
def test_a_line_needs_clear_water_ahead_of_its_leader_and_a_row_ahead_of_each() -> None:
    ahead, under = frozenset({(0, 1), (-1, 1)}), frozenset({(0, -1), (-1, -1)})
    assert price(in_line("BB", "BB"), "P C", shoal=ahead) == "aground"
    assert price(in_line("BB", "BB"), "P C", shoal=under) == 1
    assert (
        price(in_line("BB", "BB", kind="abreast", apart=420), "P C", shoal=frozenset({(1, 1)})) == "aground"
    )
    assert price(in_line("BB", "BB", kind="abreast", apart=420), "P C", shoal=frozenset({(2, 1)})) == 1


@pytest.mark.clause("P.L05", "P.L06", "P.L08", "P.I16")
@pytest.mark.parametrize(
    ("turn", "character", "dear"), [("+", 4, True), ("-", 4, False), ("+", 5, False), ("-", 5, True)]
)
def test_a_wheel_is_judged_by_its_innermost_ship(turn: str, character: int, dear: bool) -> None:
    # The foe lies far out to port: a wheel to starboard opens the range of the ship on that flank, one to port closes it.
    row = in_line("BB", "BB", kind="abreast")
    row.character = character
    made = battle(*row.units, unit("B1", (-3_000, 0)))
    made.parties["A"].contacts = ("B1",)
    (plan,) = parse(f"P{turn}90 C").plans
    assert plans.cost(made, row, plan) == 2 + dear


@pytest.mark.clause("P.L05", "P.L06", "P.L08")
@pytest.mark.parametrize(
    ("character", "before", "after", "kind", "wanted"),
    [
        (4, 3_000, 3_001, "BB", 1), (4, 3_000, 3_000.99, "BB", 0), (4, 3_000, 2_000, "BB", 0), (4, 3_000, 3_500, "SUB", 0),
        (5, 3_000, 2_999, "BB", 1), (5, 3_000, 2_999.01, "BB", 0), (5, 3_000, 3_500, "BB", 0), (5, 3_000, 2_500, "SUB", 1),
        (4, 3_000, 3_500, "BATTERY", 0), (5, 3_000, 2_500, "BATTERY", 0),
    ],
)  # fmt: skip
def test_a_turn_is_disliked_from_a_yard_on(
    character: int, before: float, after: float, kind: str, wanted: int
) -> None:
    mover = in_line("BB")
    mover.character = character
    made = battle(*mover.units, unit("B1", kind=kind))
    made.parties["A"].contacts = ("B1",)
    there, then = (round(before * 100), 0, 0), (round(after * 100), 0, 0)
    assert temper.disliked(made, mover, there, then) == wanted


@pytest.mark.clause("P.L08")
def test_the_nearest_enemy_afloat_and_in_sight_counts() -> None:
    mover = in_line("BB")
    mover.character = temper.GALLANT
    made = battle(
        *mover.units,
        unit("B1", (0, 9_000)),
        unit("B2", (0, -5_000)),
        unit("B3", (0, -1_000), kind="SUB", submerged=True),
    )
    made.parties["A"].contacts = ("B1", "B2", "B3")
    assert temper.disliked(made, mover, (0, 0, 0), (0, 1_000, 0)) == 1
    assert temper.disliked(made, mover, (0, 0, 0), (0, -1_000, 0)) == 0


@pytest.mark.clause("P.L04")
@pytest.mark.parametrize(
    ("at", "heading", "away"),
    [((1_000, 500), 0, "P-45"), ((-1_000, 500), 0, "P+45"), ((0, 1_200), 0, "P+45"), ((1_000, 0), 90, "P+45"), ((-500, 900), 270, "P-45")],
)  # fmt: skip
def test_a_torpedophobe_turns_away_from_the_boat(at: tuple[int, int], heading: int, away: str) -> None:
    made = battle(unit("A1", heading=heading), unit("B1", at, kind="TB"))
    made.parties["A"].contacts = ("B1",)
    mover = Mover("loose", [made.units["A1"]], character=temper.TORPEDOPHOBE)
    mover.turn_off = temper.turn_off(made, mover)
    assert plan_text(plans.choose(made, mover, parse("C P").plans, 6)[0]) == f"{away} C"


@pytest.mark.clause("P.L04", "P.Z03")
def test_a_torpedophobe_minds_the_nearest_boat_and_none_when_he_lies_stopped() -> None:
    def bearing(*boats: Unit, **over: Any) -> int:
        lead = unit("A1", **over)
        made = battle(lead, *boats)
        made.parties["A"].contacts = tuple(one.id for one in boats)
        return temper.turn_off(made, Mover("loose", [lead], character=temper.TORPEDOPHOBE))

    near, far = unit("B2", (0, 1_000), kind="TBD"), unit("B1", (1_500, 0), kind="TBD")
    assert bearing(near, far) == bearing(far, near) == 0
    assert bearing(near, far, stopped=True) == -1
    assert (
        bearing(unit("B1", (1_600.5, 0), kind="TBD")) == 9_000
        and bearing(unit("B1", (1_600.51, 0), kind="TBD")) == -1
    )
    # Model to model: abaft, 135 degrees off her heading is too far aft.
    assert (
        bearing(unit("B1", (700, -700), kind="TBD")) == -1
        and bearing(unit("B1", (700, -699), kind="TBD")) > 0
    )
    assert bearing(unit("B1", (0, 0), kind="TBD")) == -1


@pytest.mark.clause("P.L04")
@pytest.mark.parametrize(
    ("turn", "off", "yes"),
    [
        (-4_500, 9_000, True),
        (-4_499, 9_000, False),
        (4_500, 9_000, False),
        (4_500, 27_000, True),
        (9_000, 4_500, False),
    ],
)
def test_what_it_is_to_turn_off(turn: int, off: int, yes: bool) -> None:
    mover = in_line("BB", "BB")
    mover.turn_off = off
    assert temper.turns_off(mover, turn) is yes


@pytest.mark.clause("P.K48", "P.K47")
def test_a_players_line_is_filled_up_word_by_word() -> None:
    decided = parse(
        "C P | main>X other>Y with:A5 pay:2 light:B1 flag:A2 hail:N1 lay:yes act:yes fake:1@1,1 fake:2@2,2"
    )
    assert merged(Orders(), decided) == decided
    full = parse("C | main>Z with:A3 pay:1 light:- flag:A4 hail:N2 lay:no fake:1@5,5")
    both = merged(full, decided)
    assert both == parse(
        "C | main>Z other>Y with:A3 pay:1 light:- flag:A4 hail:N2 lay:no act:yes fake:1@5,5 fake:2@2,2"
    )
    assert merged(parse("C P P"), decided).with_ is None
    assert merged(parse("| with:A3"), decided).plans == ()
    assert merged(parse("| main>Z"), decided).plans == decided.plans


@pytest.mark.clause("P.C03", "P.T10")
def test_a_line_by_night_is_seen_at_its_own_distance() -> None:
    made = battle(unit("A1"), unit("B1", (0, 5_000), 180), phase=Phase.NIGHT)
    moved(made, 6, A1="C P")
    assert where(made, "A1") == [(0, 800, 0)]
