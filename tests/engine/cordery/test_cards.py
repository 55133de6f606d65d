"""Cards, the chart's questions, switches and scenarios that cannot be played."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import FastDice
from battles.engine.core.errors import ScenarioFaults
from battles.engine.core.scenario import Strength, read_scenario
from battles.engine.rulesets.cordery import layout
from battles.engine.rulesets.cordery.card import card, card_faults, explain
from battles.engine.rulesets.cordery.options import OPTIONS, option_faults
from battles.engine.rulesets.cordery.rules import RULES
from tests.engine.cordery.builders import facts

SEA = RULES.at_sea


def made(**over: Any) -> dict[str, Any]:
    return RULES.card(facts(**over))


def state(fp: int = 12, *lost: str, engines: bool = False, half: bool = False, **over: Any) -> dict[str, Any]:
    doc = {**SEA.sound(made(**over)), "fp": fp, "engines_hit": engines, "turret_half": half}
    return {**doc, **dict.fromkeys(lost, False)}


@pytest.mark.clause("C.N1", "C.N2", "C.N3", "C.N4", "C.N5", "C.N7")
def test_the_standard_card() -> None:
    one = card(facts(guns=40, nation="B"))
    assert (one.fp, one.critical, one.pace, one.torpedoes) == (12, 6, 2, 4)
    assert (one.turret_fore, one.turret_aft, one.battery_port, one.battery_stbd) == (True,) * 4
    assert (one.main_dice, one.secondary_dice) == ((3, 3, 3, 2, 2, 2, 1, 1, 1), (2, 2, 2, 1, 1))
    assert (one.guns_per_turret, one.guns_per_battery, one.tubes) == (1, 1, ("bow", "stern", "port", "stbd"))
    assert one == card(facts())


@pytest.mark.clause("C.N7")
@pytest.mark.parametrize(
    ("year", "plays"), [(1869, False), (1870, True), (1905, True), (1906, False), (None, True)]
)
def test_battleships_of_1870_to_1905_have_a_card(year: int | None, plays: bool) -> None:
    assert (not card_faults(facts(year_built=year))) is plays
    assert (not card_faults(facts(year_built=None, year_served=year))) is plays


@pytest.mark.clause("C.N8", "C.N6")
@pytest.mark.parametrize(("year", "ram"), [(1899, True), (1900, False), (None, True)])
def test_a_ram_goes_by_the_year_unless_the_register_says_so(year: int | None, ram: bool) -> None:
    assert card(facts(year_built=year)).ram is ram
    assert card(facts(year_built=year, overrides={"ram": not ram})).ram is not ram


@pytest.mark.clause("C.N9")
@pytest.mark.parametrize(("year", "count"), [(1876, 0), (1877, 4), (None, 4)])
def test_torpedoes_come_in_1877(year: int | None, count: int) -> None:
    one = card(facts(year_built=year))
    assert (one.torpedoes, len(one.tubes)) == (count, count)


@pytest.mark.clause("C.N10", "C.K11")
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("cruiser_1", "cruiser 1"),
        ("destroyer", "destroyer"),
        ("ship_of_line", "ship of line"),
        ("", "ship of unknown type"),
    ],
)
def test_other_ships_are_refused_without_a_variant(kind: str, told: str) -> None:
    with pytest.raises(ValueError, match=f"^a {told} has no card in this rule set.* set the variant by hand"):
        card(facts(ship_type=kind))
    assert card(facts(ship_type=kind, overrides={"variant": "gunboat"})).fp == 3


@pytest.mark.clause("C.N12", "C.K21")
@pytest.mark.parametrize(
    ("variant", "fp", "critical", "main", "secondary", "torpedoes", "ram", "fast"),
    [
        ("armoured_cruiser", 9, 4, (2, 2, 2, 1, 1, 1, 1), (2, 2, 2, 1, 1), 4, False, 3),
        ("protected_cruiser", 6, 3, (1,) * 6, (1,) * 5, 4, True, 3),
        ("gunboat", 3, 1, (1,) * 4, (), 0, False, 2),
        ("torpedo_craft", 2, 1, (), (), 2, False, 3),
        ("transport", 3, 1, (), (), 0, False, 1),
    ],
)
def test_each_variant_card(
    variant: str,
    fp: int,
    critical: int,
    main: object,
    secondary: object,
    torpedoes: int,
    ram: bool,
    fast: int,
) -> None:
    def one(knots: float) -> Any:
        return card(facts(ship_type="cruiser_2", speed_knots=knots, overrides={"variant": variant}))

    slow = one(17.9)
    assert (slow.fp, slow.critical, slow.main_dice, slow.secondary_dice) == (fp, critical, main, secondary)
    assert (slow.torpedoes, slow.ram, slow.pace, one(18).pace) == (torpedoes, ram, min(2, fast), fast)
    guns = (slow.turret_fore, slow.turret_aft, slow.battery_port, slow.battery_stbd)
    cruiser = variant.endswith("cruiser")
    assert guns == (bool(main), cruiser, cruiser, cruiser)
    assert not slow.deep and card(facts(ship_type="cruiser_1", overrides={"variant": variant})).deep


@pytest.mark.clause("C.N12")
@pytest.mark.parametrize(
    ("tons", "fp"), [(999, 5), (2_400, 6), (2_999, 6), (3_000, 7), (4_150, 8), (6_700, 8)]
)
def test_a_protected_cruiser_floats_by_its_tons_and_no_other_variant_does(tons: int, fp: int) -> None:
    def one(variant: str, **over: Any) -> Any:
        return card(
            facts(ship_type="cruiser_2", displacement_tons=tons, overrides={"variant": variant, **over})
        )

    assert (one("protected_cruiser").fp, one("protected_cruiser").critical) == (fp, fp // 2)
    assert one("protected_cruiser", fp=3).fp == 3
    assert (one("armoured_cruiser").fp, one("gunboat").fp) == (9, 3)


@pytest.mark.clause("C.N12", "C.N3")
@pytest.mark.parametrize(
    ("launched", "met", "guns"),
    [(1888, 1894, 1), (1889, 1894, 3), (None, 1888, 1), (None, 1889, 3), (None, None, 1)],
)
def test_the_batteries_of_protected_cruisers_are_quick_firers_from_1889(
    launched: int | None, met: int | None, guns: int
) -> None:
    def one(variant: str, **over: Any) -> Any:
        return card(facts(year_built=launched, year_served=met, overrides={"variant": variant, **over}))

    cruiser = one("protected_cruiser")
    assert (cruiser.guns_per_battery, cruiser.guns_per_turret) == (guns, 1)
    assert one("protected_cruiser", guns_per_battery=2).guns_per_battery == 2
    assert one("armoured_cruiser").guns_per_battery == 1


@pytest.mark.clause("C.N11")
def test_figures_set_by_hand_appear_on_the_card_and_impossible_ones_are_errors() -> None:
    one = card(
        facts(overrides={"fp": 9, "torpedoes": 1, "guns_per_turret": 2, "guns_per_battery": 3, "pounds": 700})
    )
    assert (one.fp, one.critical, one.torpedoes, one.guns_per_turret, one.guns_per_battery, one.pounds) == (
        9,
        4,
        1,
        2,
        3,
        700,
    )
    wrong = {
        "fp": 25,
        "torpedoes": 5,
        "guns_per_turret": 0,
        "guns_per_battery": 4,
        "pounds": 0,
        "ram": 1,
        "variant": "raft",
        "x": 1,
    }
    assert len(card_faults(facts(overrides=wrong))) >= len(wrong) - 1
    for name, value in wrong.items():
        assert any(name in text for _, text in card_faults(facts(overrides={name: value}))), name
    assert not card_faults(facts(overrides={"fp": 24})) and not card_faults(facts(overrides={"fp": 1}))


@pytest.mark.clause("C.N11")
def test_every_figure_is_explained_and_an_unknown_launch_is_estimated() -> None:
    told = {
        field: (clause, text) for field, clause, text in explain(facts(year_built=None, year_served=1896))
    }
    assert {
        "fp",
        "critical",
        "turret_fore",
        "battery_port",
        "torpedoes",
        "ram",
        "pace",
        "deep",
        "pounds",
    } <= set(told)
    assert told["ram"] == ("C.N8", "A ram: launch unknown, taken as 1896 (estimated).")
    assert "ram" in card(facts(year_built=None)).estimated
    assert card(facts(displacement_tons=100)).estimated == ()


@pytest.mark.clause(
    "C.E23", "C.K6", "C.K3", "C.K12", "C.K13", "C.K14", "C.K16", "C.K17", "C.K18", "C.K19", "C.K20", "C.K30"
)
def test_a_damaged_ship_at_sea() -> None:
    one, now = made(), state(5, "turret_fore", "battery_port", engines=True)
    assert SEA.hull_fraction(one, now) == Fraction(7, 12)
    assert SEA.steps_lost(one, now) == 2
    work = SEA.work(one, now)
    assert (work.hull, work.masts, work.batteries) == ("heavy", 0, 4)
    assert (SEA.sea_speed(one, now), SEA.sea_speed(one, state())) == (Fraction(1, 2), 1)
    assert SEA.men(one, now, 700) == 496
    assert (SEA.value(one, now), SEA.whole_value(one)) == (5, 12)
    assert SEA.deep(one) and SEA.steam(one) and SEA.no_go(one, now) == 0 and not SEA.port_batteries
    assert SEA.can_sail(one, 70, 700) and not SEA.can_sail(one, 69, 700)


@pytest.mark.clause("C.K14")
@pytest.mark.parametrize(
    ("fp", "hull"), [(12, "none"), (9, "light"), (6, "medium"), (3, "heavy"), (2, "worse")]
)
def test_the_yard_calls_the_hull_by_its_share(fp: int, hull: str) -> None:
    assert SEA.work(made(), state(fp)).hull == hull


@pytest.mark.clause("C.E24", "C.K15", "C.K4")
def test_a_yard_repairs_engines_first_and_then_turrets_and_then_batteries() -> None:
    one, now = made(), state(5, "turret_fore", "turret_aft", engines=True)

    def done(doc: dict[str, Any], job: str = "battery") -> dict[str, Any]:
        return SEA.mend(one, doc, done=job, men=1, complement=1)

    assert (SEA.work(one, now).hull, SEA.work(one, now).batteries) == ("heavy", 5)
    first = done(now)
    assert (first["engines_hit"], SEA.work(one, first).batteries) == (False, 4)
    second = done(first)
    assert (second["turret_half"], second["turret_fore"], SEA.work(one, second).batteries) == (True, False, 3)
    third = done(second)
    assert (third["turret_half"], third["turret_fore"], third["turret_aft"]) == (False, True, False)
    assert done(now, "hull")["fp"] == 12 and done(now, "hull")["engines_hit"]
    assert done(now, "mast") == done(now, "recruits") == now
    last = state(12, "battery_port", "battery_stbd")
    assert (done(last)["battery_port"], done(last)["battery_stbd"]) == (True, False)
    assert done(state()) == state()
    with pytest.raises(ValueError, match="no work"):
        done(now, "paint")


@pytest.mark.clause("C.E24", "C.K27", "C.K25")
def test_the_long_shot_takes_the_next_quarter_but_does_not_sink() -> None:
    found = [12]
    while len(found) < 6:
        found.append(SEA.mast_lost(made(), state(found[-1]))["fp"])
    assert found == [12, 9, 6, 3, 1, 1]
    assert SEA.mast_lost(made(), state(8))["fp"] == 6
    now = state(8)
    assert SEA.carpenters(made(), now) == SEA.jury_mast(made(), now) == now
    assert SEA.watch_at_sea(made(), now, Strength.GALE, FastDice(1), "x") == now


@pytest.mark.clause("C.E24", "C.K28")
@pytest.mark.parametrize(("hits", "fp"), [(10, 7), (1, 11), (2, 11), (3, 10), (60, 0), (0, 12)])
def test_two_hits_of_the_chart_are_a_point(hits: int, fp: int) -> None:
    assert SEA.hit(made(), state(), hits)["fp"] == fp


@pytest.mark.clause("C.E24", "C.K29")
def test_a_ship_is_worth_its_tons_by_what_is_left() -> None:
    one = made(displacement_tons=15_140)
    assert (SEA.pounds(one, state()), SEA.pounds(one, state(5))) == (605_600, 252_333)
    assert made()["pounds"] == 480_000
    assert made(ship_type="", overrides={"variant": "gunboat"})["pounds"] == 3_000
    assert SEA.commissioned(one, state(5), men=1, complement=9) == state(5)


@pytest.mark.clause("C.K26")
def test_a_sound_ship_has_all_that_is_on_its_card() -> None:
    assert SEA.sound(made(ship_type="", overrides={"variant": "gunboat"})) == {
        "schema": 1, "fp": 3, "turret_fore": True, "turret_aft": False, "battery_port": False, "battery_stbd": False,
        "engines_hit": False, "turret_half": False,
    }  # fmt: skip


@pytest.mark.clause("C.K32")
def test_a_table_marks_points_systems_and_engines() -> None:
    one, now = made(), state(5, "turret_fore", half=True)
    names = [mark.name for mark in SEA.marks(one, now)]
    assert names == ["fp", "turret_fore", "turret_aft", "battery_port", "battery_stbd", "engines_hit"]
    assert [(mark.least, mark.most) for mark in SEA.marks(one, now)] == [(0, 12)] + [(0, 1)] * 5
    back = SEA.marked(one, now, {"turret_fore": 1, "fp": 4})
    assert (back["turret_fore"], back["turret_half"], back["fp"]) == (True, False, 4)
    assert SEA.marked(one, now, {"engines_hit": 1})["turret_half"]
    gunboat = made(ship_type="", overrides={"variant": "gunboat"})
    assert [mark.name for mark in SEA.marks(gunboat, SEA.sound(gunboat))] == [
        "fp",
        "turret_fore",
        "engines_hit",
    ]
    for wrong in ({"fp": 13}, {"turret_fore": 2}, {"masts": 1}):
        with pytest.raises(ValueError, match=r"fp|Flotation|in action|masts"):
            SEA.marked(one, now, wrong)


@pytest.mark.clause("C.K37", "C.G2", "C.G3", "C.T2", "C.T3", "C.S2", "C.G9", "C.D3", "C.K31", "C.V1")
def test_the_options_have_their_usual_settings_and_limits() -> None:
    assert {name: option.default for name, option in OPTIONS.items()} == {
        "main_dice": (3, 3, 3, 2, 2, 2, 1, 1, 1), "secondary_dice": (2, 2, 2, 1, 1), "torpedo_dice": (3, 2, 1),
        "tube_arc": "line", "declare": "all", "block_line": True, "safe_edges": {}, "anchored_turns": 3, "last_turn": 96,
    }  # fmt: skip
    wrong = {
        "main_dice": [4] + [0] * 8, "secondary_dice": [1, 2, 1, 1, 1], "torpedo_dice": [3, 2], "tube_arc": "x", "declare": 1,
        "block_line": 1, "safe_edges": {"A": "up"}, "anchored_turns": 41, "last_turn": 0, "wind": 1,
    }  # fmt: skip
    assert {name for name, _ in option_faults(wrong)} == set(wrong)
    right = {
        "main_dice": [0] * 9,
        "secondary_dice": [2] * 5,
        "torpedo_dice": [3, 3, 3],
        "anchored_turns": 40,
        "last_turn": 500,
    }
    assert not list(option_faults(right))


def document(**more: Any) -> dict[str, Any]:
    """Two ships a side of a scenario document; ships of a side by `A` and `B`."""
    ships = {side: more.pop(side, [{}, {}]) for side in "AB"}
    sides = [
        {
            "id": side, "name": side, "nation": side, **more.pop(f"side_{side}", {}),
            "squadrons": [{
                "id": f"{side}-1", "name": side, "flagship": f"{side}1",
                "ships": [
                    {"id": f"{side}{n}", "name": f"{side}{n}", **row,
                     "facts": {"nation": side, "ship_type": "battleship", "year_built": 1895, **row.get("facts", {})}}
                    for n, row in enumerate(rows, 1)
                ],
            }],
        }
        for side, rows in ships.items()
    ]  # fmt: skip
    return {"schema": 1, "rule_set": "cordery", "title": "T", "code": "T", "sides": sides, **more}


def begun(**more: Any) -> Any:
    return RULES.begin(read_scenario(document(**more)), FastDice(1))


@pytest.mark.clause("C.S11", "C.D3")
def test_two_lines_lie_twelve_areas_apart_leaders_level() -> None:
    state_ = begun()
    assert [(one.x, one.y, one.h) for one in state_.ships.values()] == [
        (6, 12, 0),
        (6, 10, 0),
        (18, 12, 0),
        (18, 10, 0),
    ]
    assert state_.safe == {"A": "west", "B": "east"}
    many = begun(A=[{}] * 9, gap=10)
    assert [(one.x, one.y) for one in many.ships.values()][::9] == [(7, 16), (17, 16)]
    assert many.ships["A9"].y == 0
    assert begun(options={"safe_edges": {"A": "east"}}).safe == {"A": "east", "B": "east"}


@pytest.mark.clause("C.S11")
def test_squadrons_without_a_gun_lie_at_the_tail_of_the_line() -> None:
    doc = document(A=[{"facts": {"overrides": {"variant": "torpedo_craft"}}}])
    doc["sides"][0]["squadrons"] += document(A=[{}, {"facts": {"overrides": {"variant": "transport"}}}])[
        "sides"
    ][0]["squadrons"]
    first, second = doc["sides"][0]["squadrons"]
    second |= {"id": "A-2", "flagship": "A2"}
    for n, row in enumerate(second["ships"], 2):
        row["id"] = f"A{n}"
    made = RULES.begin(read_scenario(doc), FastDice(1))
    assert [made.ships[code].y for code in ("A2", "A3", "A1")] == [12, 10, 8]


@pytest.mark.clause("C.S11", "C.P2")
@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [("avoid", "seek", 6), ("hold", "avoid", 6), ("avoid", "avoid", 12), ("hold", "seek", 12)],
)
def test_a_side_that_avoids_has_been_caught_within_six_areas_and_has_a_way_to_run(
    a: str, b: str, apart: int
) -> None:
    sides = {"side_A": {"doctrine": {"stance": a}}, "side_B": {"doctrine": {"stance": b}}}
    made = begun(**sides)
    assert made.ships["B1"].x - made.ships["A1"].x == apart
    assert made.board == (0, None, 59 if apart == 6 else 23, None)
    assert begun(**sides, gap=10).ships["B1"].x - begun(**sides, gap=10).ships["A1"].x == 10


@pytest.mark.clause("C.K36")
@pytest.mark.parametrize(("heading", "h"), [(0, 0), (2_249, 0), (2_250, 1), (31_500, 7), (33_750, 0)])
def test_a_heading_becomes_the_nearest_of_the_eight(heading: int, h: int) -> None:
    state_ = begun(A=[{"position": [3, 3], "heading": heading}])
    assert (state_.ships["A1"].pos, state_.ships["A1"].h) == ((3, 3), h)


@pytest.mark.clause("C.N10", "C.P1", "C.P10", "C.P2", "C.M10", "C.K10", "C.K36", "C.K37")
def test_all_errors_in_a_scenario_are_named_and_nothing_is_fought() -> None:
    doc = document(
        A=[{"facts": {"ship_type": "destroyer"}}, {"position": [18, 12]}],
        B=[{"condition": {"schema": 1}}, {"position": [40, 0]}],
        options={"declare": "never", "safe_edges": {"Z": "north", "A": "north"}},
        wind={"towards": 0, "strength": "gale"},
    )
    with pytest.raises(ScenarioFaults) as error:
        RULES.begin(read_scenario(doc), FastDice(1))
    assert [fault.path for fault in error.value.faults] == [
        "options.declare", "options.safe_edges.A", "options.safe_edges.Z", "sides[0].squadrons[0].ships[0].facts.ship_type",
        "sides[1].squadrons[0].ships[0].condition", "sides[1].squadrons[0].ships[0].position",
        "sides[1].squadrons[0].ships[1].position", "wind.strength",
    ]  # fmt: skip


@pytest.mark.clause("C.P1", "C.K36")
def test_a_third_side_is_an_error() -> None:
    doc = document()
    third = {**doc["sides"][0], "id": "C", "squadrons": [{"id": "C-1", "name": "C", "flagship": "C1", "ships": [
        {"id": "C1", "name": "C1", "facts": {"nation": "C", "ship_type": "battleship", "year_built": 1895}}]}]}  # fmt: skip
    doc["sides"].append(third)
    assert [fault.path for fault in RULES.scenario_faults(read_scenario(doc))] == ["sides"]


@pytest.mark.clause("C.K35", "C.K7", "C.D6")
def test_a_ship_comes_as_it_is_and_with_all_its_torpedoes() -> None:
    old = {**state(6, "turret_fore", engines=True)}
    one = begun(A=[{"condition": old}]).ships["A1"]
    assert (one.fp, one.turret_fore, one.engines_hit, one.torpedoes, one.fp_before) == (6, False, True, 4, 6)
    assert one.breaking_off and one.came_critical and one.last_action == "F"
    assert not begun(A=[{"condition": state(7)}]).ships["A1"].breaking_off
    for fp in (0, 13):
        doc = document(A=[{"condition": state(fp)}])
        assert [fault.path for fault in RULES.scenario_faults(read_scenario(doc))] == [
            "sides[0].squadrons[0].ships[0].condition"
        ]


@pytest.mark.clause("C.K31")
def test_a_side_at_anchor_lies_still_for_three_turns() -> None:
    doc = SEA.at_anchor(document(), "B")
    state_ = RULES.begin(read_scenario(doc), FastDice(1))
    assert [one.anchored for one in state_.ships.values()] == [0, 0, 3, 3]
    doc["options"] = {"anchored_turns": 1}
    assert RULES.begin(read_scenario(doc), FastDice(1)).ships["B1"].anchored == 1


@pytest.mark.clause("C.K36")
@pytest.mark.parametrize(
    ("edge", "first", "second", "h"), [(0, (12, 22), (12, 24), 4), (90, (23, 11), (23, 11), 6)]
)
def test_a_late_squadron_enters_eleven_areas_from_the_middle(
    edge: int, first: tuple[int, int], second: tuple[int, int], h: int
) -> None:
    doc = document()
    late = [
        {"id": f"L{n}", "name": f"L{n}", "facts": {"nation": "A", "ship_type": "battleship"}} for n in (1, 2)
    ]
    doc["sides"][0]["squadrons"].append(
        {"id": "late", "name": "late", "flagship": "L1", "arrives": 2, "edge": edge, "ships": late}
    )
    state_ = RULES.begin(read_scenario(doc), FastDice(1))
    assert state_.ships["L1"].expected
    one, other = layout.enter(state_, "late")
    assert (one.pos, one.h, other.h) == (first, h, h)
    assert other.pos == second or edge == 90 and other.pos != first and state_.on_board(other.pos)


@pytest.mark.clause("C.K22", "C.K33", "C.K8", "C.K23", "C.P11")
def test_the_weather_goes_through_and_a_turn_is_five_minutes() -> None:
    state_ = begun(wind={"towards": 77, "strength": "strong"})
    assert RULES.weather_out(state_) == (77, Strength.STRONG)
    assert RULES.weather_in(77, Strength.STRONG) == {"towards": 77, "strength": "strong"}
    assert (RULES.minutes_a_turn({}), RULES.turn_limit) == (5, 96)
