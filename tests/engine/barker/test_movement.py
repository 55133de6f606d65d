"""The movement step: who moves in what order, and what becomes of plans. Places in yards, headings in degrees."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.log import Log
from battles.engine.rulesets.barker import movement, nip
from battles.engine.rulesets.barker.notation import parse
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Bank, Battle, Formation, Group, Status, Unit
from battles.engine.rulesets.barker.tables import Mode
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import flawless, unerring

Places = dict[str, tuple[float, float, float]]


def line(number: int, kind: str = "BB", **over: Any) -> list[Unit]:
    """Ships in line ahead, the first at the origin, heading north."""
    return [unit(f"A{n}", (0, -400 * (n - 1)), 0, kind, **over) for n in range(1, number + 1)]


@unerring
def moved(made: Battle, nips: int = 6, **orders: str) -> Play:
    """A movement step with so many points for every group and these orders."""
    for group in made.groups.values():
        group.nip = group.left = nips
    table = play(made, orders={code: parse(text) for code, text in orders.items()})
    flawless(movement.move, made, table)
    return table


@unerring
def where(made: Battle, *codes: str) -> list[tuple[float, float, float]]:
    units = [made.units[code] for code in codes]
    return [(round(unit.x / 100, 1), round(unit.y / 100, 1), unit.h / 100) for unit in units]


# --- dice ---


@unerring
def threw(made: Battle, *faces: int) -> Play:
    log = Log()
    table = Play(dice=ScriptedDice(faces, log=log), log=log)
    made.parties[made.speller].spells += 1
    nip.throw(made, table)
    return table


@pytest.mark.clause("P.I01", "P.I02", "P.I03", "P.I04", "P.Z06", "P.S20")
def test_every_group_with_a_unit_on_the_table_throws_one_die_in_order() -> None:
    units = [
        unit("A1", squadron="A-2", group="A-2"),
        unit("A2", (400, 0), squadron="A-1", group="A-1"),
        unit("A3", (800, 0), squadron="A-1", group="A-1"),
        unit("A4", (1_200, 0), 0, "SUB", group="submarines/A"),
        unit("A5", (1_600, 0), 0, "LINER", group="merchants/A"),
        unit("A6", (2_000, 0), 0, "TRAMP", group="merchants/A"),
        unit("A7", (2_400, 0), 0, "RAIDER_L"),
        unit("A8", (2_800, 0), 0, "RAIDER_L", disguised=True),
        unit("A9", (3_200, 0), squadron="A-3", group="A-3", status=Status.SUNK),
        unit("B1", (9_000, 0)),
    ]
    made = battle(*units)
    for code, kind in (("submarines/A", "submarines"), ("merchants/A", "merchants")):
        made.groups[code].kind = kind
    threw(made, 1, 2, 3, 4, 5)
    assert {code: group.nip for code, group in made.groups.items()} == {
        "A-1": 1, "A-2": 2, "merchants/A": 3, "submarines/A": 4, "A7": 5, "A8": 0, "A-3": 0, "B-1": 0,
    }  # fmt: skip


@pytest.mark.clause("P.I03")
def test_submarines_throw_only_while_one_is_on_the_surface() -> None:
    made = battle(unit("A1", kind="SUB", group="submarines/A", submerged=True))
    made.groups = {"submarines/A": Group("submarines/A", "A", "submarines")}
    threw(made)
    assert made.groups["submarines/A"].nip == 0


@pytest.mark.clause("P.I05")
def test_points_that_are_not_spent_lapse() -> None:
    made = battle(unit("A1"))
    made.groups["A-1"].left = 5
    threw(made, 2)
    assert made.groups["A-1"].left == 2


@pytest.mark.clause("P.K42")
def test_a_surprised_side_throws_no_dice_in_its_first_own_spell() -> None:
    made = battle(unit("A1"), unit("B1", (9_000, 0)), surprised=("A",))
    threw(made)
    assert made.groups["A-1"].nip == 0
    made.spell = 2
    threw(made, 4)
    assert made.groups["A-1"].nip == 4


@pytest.mark.clause("P.W05")
@pytest.mark.parametrize(("die", "placer", "left"), [(6, "A", 0), (5, "A", 1), (6, "B", 1)])
def test_mist_lifts_when_the_senior_flag_of_the_side_that_placed_it_throws_a_6(
    die: int, placer: str, left: int
) -> None:
    bank = Bank("mist", 0, 0, 0, 120_000, 240_000, 0, placer=placer)
    made = battle(unit("A1"), unit("B1", (9_000, 0)), banks=[bank], weather="calm")
    threw(made, die)
    assert len(made.banks) == left


@pytest.mark.clause("P.W07")
@pytest.mark.parametrize(
    ("die", "weather", "initiative", "squalls"),
    [(1, "squalls", "A", 1), (2, "squalls", "A", 0), (1, "none", "A", 0), (1, "squalls", "B", 0)],
)
def test_a_squall_comes_when_the_senior_flag_of_the_side_with_the_initiative_throws_a_1(
    die: int, weather: str, initiative: str, squalls: int
) -> None:
    made = battle(unit("A1"), unit("B1", (9_000, 0)), weather=weather, initiative=initiative)
    made.spell = 0 if initiative == "A" else 1
    threw(made, die)
    assert [(bank.kind, bank.since) for bank in made.banks] == [("squall", 1)] * squalls


# --- moves ---


@pytest.mark.clause("P.M04", "P.M02", "P.I17")
def test_without_orders_or_points_every_ship_makes_her_compulsory_move() -> None:
    made = battle(*line(2), unit("A9", (3_000, 0), 90))
    moved(made, 0, A1="C P")
    assert where(made, "A1", "A2", "A9") == [(0, 400, 0), (0, 0, 0), (3_400, 0, 90)]


@pytest.mark.clause("P.M04", "P.M19", "P.M17", "P.M25", "P.A02")
@pytest.mark.parametrize(
    "over",
    [{"crippled": True}, {"stopped": True}, {"kind": "SUB"}, {"kind": "TRAMP"}, {"kind": "SAIL"}, {"aground": True, "crippled": True}]
    + [{"kind": "BATTERY"}],
)  # fmt: skip
def test_some_need_not_move(over: dict[str, Any]) -> None:
    made = battle(unit("A1", **over))
    moved(made, 6)
    assert where(made, "A1") == [(0, 0, 0)]


@pytest.mark.clause("P.M20")
def test_damaged_ships_move_normally() -> None:
    made = battle(unit("A1", damage=2))
    moved(made, 1, A1="C P")
    assert where(made, "A1") == [(0, 800, 0)]


@pytest.mark.clause("P.EX6", "P.M13", "P.M06", "P.I13")
def test_a_turn_in_succession_continues_in_the_next_spell_at_no_cost() -> None:
    made = battle(*line(3))
    moved(made, 2, A1="C P+90")
    assert where(made, "A1", "A2", "A3") == [(300, 700, 90), (0, 400, 0), (0, 0, 0)]
    assert made.groups["A-1"].left == 0
    moved(made, 0, A1="C")
    assert where(made, "A1", "A2", "A3") == [(700, 700, 90), (300, 700, 90), (0, 400, 0)]
    assert made.formations[0].members == ("A1", "A2", "A3")
    moved(made, 0)
    assert where(made, "A3") == [(300, 700, 90)]
    assert made.formations[0].track == []


@pytest.mark.clause("P.EX7", "P.M14")
def test_a_wheel_brings_the_line_abreast_round() -> None:
    made = battle(unit("A1"), unit("A2", (300, 0)))
    moved(made, 2, A1="P+90")
    assert where(made, "A1", "A2") == [(1_000, 600, 90), (1_000, 300, 90)]


@pytest.mark.clause("P.EX8", "P.M15", "P.M10")
def test_a_turn_together_out_of_line_ahead_makes_a_line_abreast() -> None:
    made = battle(*line(2))
    moved(made, 3, A1="T+90 C")
    assert where(made, "A1", "A2") == [(700, 300, 90), (700, -100, 90)]
    assert made.formations == [Formation("abreast", ("A1", "A2"))]


@pytest.mark.clause("P.M15", "P.M14", "P.K47")
@pytest.mark.parametrize(("turn", "left", "right"), [("-", "A2", "A1"), ("+", "A1", "A2")])
def test_the_line_abreast_that_a_turn_together_makes_can_wheel_in_the_same_spell(
    turn: str, left: str, right: str
) -> None:
    made = battle(*line(2, "SC"))
    moved(made, 6, A1=f"T{turn}90 P{turn}45 C")
    assert [(one.kind, one.members) for one in made.formations] == [("abreast", (left, right))]
    assert made.units["A1"].h == made.units["A2"].h == (13_500 if turn == "+" else 22_500)
    far = (made.units["A1"].x - made.units["A2"].x) ** 2 + (made.units["A1"].y - made.units["A2"].y) ** 2
    assert abs(far**0.5 - 40_000) < 5


@pytest.mark.clause("P.EX31", "P.C07")
def test_cruising_moves() -> None:
    made = battle(
        unit("A1", kind="C1"), unit("A2", (5_000, 0), squadron="A-2", group="A-2"), mode=Mode.CRUISING
    )
    moved(made, 2, A1="C X P", A2="C P")
    assert where(made, "A1", "A2") == [(0, 20_000, 0), (5_000, 12_000, 0)]
    assert [made.groups[code].left for code in ("A-1", "A-2")] == [0, 1]


@pytest.mark.clause("P.K47", "P.K48")
def test_a_plan_without_the_compulsory_move_gets_it_at_its_end() -> None:
    made = battle(unit("A1"))
    table = moved(made, 2, A1="P+90")
    assert where(made, "A1") == [(700, 300, 90)]
    ((_, data),) = told(table, "moved")
    assert data["tokens"] == ["P+90", "C"]
    assert data["path"] == [
        [0, 0, 0],
        [-10_000, 30_000, 9_000],
        [30_000, 30_000, 9_000],
        [70_000, 30_000, 9_000],
    ]


@pytest.mark.clause("P.M17", "P.M18")
def test_a_stop_cancels_the_rest_and_lasts_until_the_restart() -> None:
    made = battle(*line(2))
    table = moved(made, 2, A1="S")
    assert where(made, "A1", "A2") == [(0, 0, 0), (0, -400, 0)]
    assert made.units["A2"].stopped
    assert made.groups["A-1"].left == 0
    assert [ship for ship, _ in told(table, "stopped")] == ["A1", "A2"]
    moved(made, 6)
    assert where(made, "A1") == [(0, 0, 0)]
    table = moved(made, 3, A1="R P")
    assert where(made, "A1", "A2") == [(0, 800, 0), (0, 400, 0)]
    assert [ship for ship, _ in told(table, "restarted")] == ["A1", "A2"]
    assert made.groups["A-1"].left == 0


@pytest.mark.clause("P.K47", "P.M11")
def test_a_ship_of_a_formation_that_gets_its_own_order_leaves_it_and_the_others_continue() -> None:
    made = battle(*line(4))
    moved(made, 6, A1="C P", A3="P+90 C")
    assert where(made, "A1", "A2") == [(0, 800, 0), (0, 400, 0)]
    assert where(made, "A3") == [(700, -500, 90)]
    # She astern of the gap leads herself, and has no orders.
    assert where(made, "A4") == [(0, -800, 0)]
    assert [one.members for one in made.formations] == [("A1", "A2")]


@pytest.mark.clause("P.K47")
def test_a_signal_alone_does_not_part_a_ship_from_its_line() -> None:
    made = battle(*line(2), unit("B1", (9_000, 0)))
    moved(made, 6, A1="C P", A2="| main>B1")
    assert where(made, "A2") == [(0, 400, 0)]


@pytest.mark.clause("P.K47")
def test_an_order_may_name_the_ships_that_follow() -> None:
    made = battle(*line(5))
    moved(made, 6, A1="P-90 C | with:A2", A4="P+90 C | with:A5")
    assert where(made, "A1", "A2") == [(-700, 300, 270), (-300, 300, 270)]
    assert where(made, "A3") == [(0, -400, 0)]
    assert where(made, "A4", "A5") == [(700, -900, 90), (300, -900, 90)]


@pytest.mark.clause("P.K47", "P.M01", "P.K48")
def test_groups_move_flotillas_last_and_within_a_group_by_the_queue_for_the_die() -> None:
    units = [
        unit("A1", (0, 0), 0, "TBD", squadron="A-T", group="A-T"),
        unit("A2", (1_000, 0)),
        unit("A3", (2_000, 0)),
        unit("A4", (3_000, 0), 0, "LINER", group="merchants/A"),
    ]
    made = battle(*units)
    made.groups["merchants/A"].kind = "merchants"
    table = play(made, orders={"A2": parse("C | pay:2"), "A3": parse("C | pay:1")})
    assert [mover.lead.id for mover in movement.movers(made, table, "A")] == ["A3", "A2", "A4", "A1"]
    assert [mover.lead.id for mover in movement.movers(made, play(made), "A")] == ["A2", "A3", "A4", "A1"]


@pytest.mark.clause("P.I15", "P.I05")
def test_each_single_ship_uses_the_die_of_its_own_group_and_of_no_other() -> None:
    made = battle(unit("A1"), unit("A2", (2_000, 0)), unit("A3", (4_000, 0), squadron="A-2", group="A-2"))
    made.groups["A-1"].left, made.groups["A-2"].left = 1, 6
    table = play(made, orders={code: parse("C P") for code in ("A1", "A2", "A3")})
    movement.move(made, table)
    assert where(made, "A1", "A2", "A3") == [(0, 800, 0), (2_000, 400, 0), (4_000, 800, 0)]
    assert [(ship, data["code"]) for ship, data in told(table, "refused")] == [("A2", "order/too-dear")]


@pytest.mark.clause("P.I11", "P.G11")
def test_a_ship_out_of_touch_with_her_flag_pays_one_more_on_each_paid_move() -> None:
    # A2 lies beyond signal distance of a Flag whom nobody repeats.
    made = battle(unit("A1"), unit("A2", (0, -25_000)))
    moved(made, 1, A2="C P")
    assert where(made, "A2") == [(0, -24_600, 0)]
    moved(made, 2, A2="C P")
    assert where(made, "A2") == [(0, -23_800, 0)]


@pytest.mark.clause("P.I11", "P.S19")
def test_a_ship_whose_flag_has_gone_down_pays_one_more() -> None:
    made = battle(unit("A1", status=Status.SUNK), unit("A2", (0, -800)))
    moved(made, 1, A2="C P")
    assert where(made, "A2") == [(0, -400, 0)]


@pytest.mark.clause("P.M23")
@pytest.mark.parametrize(
    ("place", "heading", "edge"),
    [((0, 47_700), 0, 0), ((29_700, 0), 90, 9_000), ((0, -47_700), 180, 18_000), ((-29_700, 0), 270, 27_000)],
)
def test_a_ship_whose_middle_crosses_an_edge_has_retreated(
    place: tuple[float, float], heading: float, edge: int
) -> None:
    made = battle(unit("A1", place, heading), unit("A2", (0, 0)))
    table = moved(made)
    assert made.units["A1"].status is Status.RETREATED
    assert made.units["A1"].edge == edge
    assert told(table, "left") == [("A1", {"edge": edge})]
    made = battle(unit("A1", (0, 47_600)))
    moved(made)
    assert made.units["A1"].status is Status.IN_PLAY


@pytest.mark.clause("P.S34", "P.M23")
def test_a_ship_has_arrived_when_its_middle_has_crossed_the_edge() -> None:
    units = [unit(f"A{n}", (0, -48_200 - 400 * (n - 1)), outside=True) for n in (1, 2)]
    made = battle(*units, formations=[Formation("ahead", ("A1", "A2"))])
    table = moved(made)
    assert [one.outside for one in units] == [False, True]
    assert [ship for ship, _ in told(table, "arrived")] == ["A1"]
    moved(made)
    assert [one.outside for one in units] == [False, False]
    assert where(made, "A1", "A2") == [(0, -47_400, 0), (0, -47_800, 0)]


@pytest.mark.clause("P.C03")
def test_at_first_sight_all_movement_left_is_forfeit() -> None:
    # Clear day: seen at 32,000 yd between bases. They are 34,400 yd apart, fronts 34,000.
    made = battle(
        unit("A1"),
        unit("A2", (5_000, 0), squadron="A-2", group="A-2"),
        unit("B1", (0, 34_400), 180),
        mode=Mode.CRUISING,
    )
    made.options["revert_after_spells"] = 12
    moved(made, 6, A1="C P")
    assert made.mode is Mode.COMBAT
    # 2,000 yd bring the fronts to 32,000 yd.
    assert where(made, "A1", "A2") == [(0, 2_000, 0), (5_000, 0, 0)]


@pytest.mark.clause("P.C03")
def test_sight_is_tested_by_steps_of_500_yards_however_far_off_the_enemy_was() -> None:
    made = battle(unit("A1"), unit("B1", (0, 38_250), 180), mode=Mode.CRUISING)
    moved(made, 6, A1="C P")
    (place,) = where(made, "A1")
    gap = 38_250 - place[1] - 400
    assert 31_500 < gap <= 32_000.5


@pytest.mark.clause("P.M21")
def test_a_move_over_another_base_goes_through_and_may_end_there() -> None:
    made = battle(unit("A1"), unit("A2", (0, 500), 90, squadron="A-2", group="A-2", stopped=True))
    moved(made)
    assert where(made, "A1") == [(0, 400, 0)]
    assert made.units["A2"].status is Status.IN_PLAY


@pytest.mark.clause("P.M24", "P.M11")
def test_a_shortened_move_brings_a_straggler_into_line() -> None:
    made = battle(*line(2), unit("A3", (0, -1_050)))
    moved(made, 6, A1="C", A3="P:250 C")
    assert where(made, "A3") == [(0, -400, 0)]
    assert [one.members for one in made.formations] == [("A1", "A2", "A3")]


@pytest.mark.clause("P.N03", "P.Y04")
def test_neutrals_move_in_the_spells_of_the_initiative_side() -> None:
    made = battle(unit("A1"), unit("B1", (9_000, 0)), unit("B9", (5_000, 0), 0, "TRAMP", neutral=True))
    moved(made)
    assert where(made, "B9", "B1") == [(5_000, 400, 0), (9_000, 0, 0)]
    made.spell = 1
    moved(made)
    assert where(made, "B9", "B1", "A1") == [(5_000, 400, 0), (9_000, 400, 0), (0, 400, 0)]
