"""The tables of the digest, whole: types, switches, words for several types, and what the chart asks of a ship."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine.core.at_sea import Vessel
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.barker import nip, record, tables
from battles.engine.rulesets.barker.at_sea import AT_SEA as SEA
from battles.engine.rulesets.barker.card import OVERRIDES, card, card_faults, explain
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.minefields import of_chart
from battles.engine.rulesets.barker.options import OPTIONS
from battles.engine.rulesets.barker.rules import RULES
from battles.engine.rulesets.barker.tables import Type
from tests.engine.barker.builders import battle, unit
from tests.engine.barker.test_cards import facts, made

# words; twice the SP, from, moves, signals, rank, wireless, knots, pounds; extra free, may be obsolete, searchlight
TABLE_1 = """
BB           | battleship             | 24 0 2 10 6 1900 10 12000 | - old light
C1           | 1st-class cruiser      | 16 0 3 10 5 1900 12 9000  | free old light
C2           | 2nd-class cruiser      | 12 0 3 10 4 1903 12 4500  | free old light
C3           | 3rd-class cruiser      | 8 0 2 10 3 1903 11 2500   | - old light
SC           | scout cruiser          | 8 1905 4 4 2 1903 12 2500 | - - light
TBD          | pair of destroyers     | 4 1895 4 4 1 1907 12 350  | - - light
TB           | pair of torpedo boats  | 2 0 4 4 1 0 12 120        | - - -
SUB          | submarine              | 12 1900 1 4 1 0 6 150     | - - -
LINER        | liner                  | 6 0 3 4 4 0 12 8000       | free - -
TRANSPORT    | transport              | 6 0 2 4 3 0 8 5000        | - - -
TRAMP        | tramp                  | 4 0 1 4 3 0 8 3000        | - - -
SAIL         | sailing vessel         | 2 0 1 4 2 0 3 1000        | - - -
FISH         | fishing fleet          | 2 0 0 4 0 0 5 300         | - - -
AMC          | armed merchant cruiser | 12 0 3 4 4 1903 12 8000   | free - light
RAIDER_L     | raider, a liner        | 12 0 3 4 4 0 12 8000      | free - light
RAIDER_T     | raider, a tramp        | 8 0 2 4 3 0 8 3000        | - - light
MINELAYER    | minelayer              | 4 0 1 4 3 0 8 3000        | - - -
BATTERY      | shore battery          | 12 0 0 10 0 0 0 0         | - - light
INSTALLATION | shore installation     | 4 0 0 10 0 1900 0 0       | - - light
"""


def _row(kind: Type) -> str:
    row = KINDS[kind]
    figures = (row.sp2, row.first, row.moves, row.signal_miles, row.rank, row.wireless, row.knots, row.pounds)
    marks = ("free" * row.extra_free or "-", "old" * row.can_age or "-", "light" * row.searchlight or "-")
    return f"{kind.value}|{row.words}|{' '.join(map(str, figures))}|{' '.join(marks)}"


@pytest.mark.clause("P.S02", "P.S13", "P.M03", "P.M05", "P.G01", "P.G12", "P.V13", "P.A07", "P.K34", "P.K37")
def test_table_1_whole() -> None:
    wanted = ["|".join(part.strip() for part in line.split("|")) for line in TABLE_1.strip().split("\n")]
    assert [_row(kind) for kind in Type] == wanted


@pytest.mark.clause("P.Z12", "P.L07", "P.O01", "P.K32", "P.Y02", "P.F37")
def test_words_that_stand_for_several_types() -> None:
    groups = {
        "BOATS": "TBD TB", "TORPEDO_CRAFT": "TBD TB SUB", "CRUISERS": "C1 C2 C3", "MAJOR": "BB C1 C2 C3 SC",
        "MERCHANTS": "LINER TRANSPORT TRAMP SAIL FISH", "ASHORE": "BATTERY INSTALLATION",
        "WARSHIPS": "BB C1 C2 C3 SC TBD TB SUB AMC RAIDER_L RAIDER_T",
    }  # fmt: skip
    assert {name: {kind.value for kind in getattr(tables, name)} for name in groups} == {
        name: set(kinds.split()) for name, kinds in groups.items()
    }


@pytest.mark.clause("P.Z01", "P.Z03", "P.K40", "P.T09", "P.C06", "P.K38", "P.Z08")
def test_measures() -> None:
    assert (tables.MODEL_HALF, tables.SLACK, tables.OVERLAP, tables.LAP, tables.CONTACT) == (
        10_000, 50, 500, -501, 2_000
    )  # fmt: skip
    assert (tables.ANGLE_SLACK, tables.LEVEL, tables.TURN_SECONDS, tables.MINUTES) == (1, 200, 300, 5)
    assert (tables.LAST_TURN, tables.UNREADY_SPELLS, RULES.turn_limit) == (288, 6, 288)
    assert (tables.YEARS[0], tables.YEARS[-1], len(tables.YEARS)) == (1890, 1913, 24)


# --- switches ---

HOURS, SWITCH = (
    (["00:00", "23:59", "19:30"], ["24:00", "6:00", "23:60", 6, None]),
    ([True, False], [0, 1, "true", None]),
)


def _whole(least: int, most: int) -> tuple[list[Any], list[Any]]:
    return [least, most], [least - 1, most + 1, least + 0.5, True, str(least)]


def _numbers(count: int, least: int, most: int) -> tuple[list[Any], list[Any]]:
    wrong = [
        [least] * (count - 1),
        [least] * (count + 1),
        [least - 1] + [most] * (count - 1),
        [most] * (count - 1) + [most + 1],
        least,
    ]
    return [[least] * count, [most] * count, (least,) * count], wrong


# name: default, what it may be, what it may not, the clause
SWITCHES: dict[str, tuple[Any, tuple[list[Any], list[Any]], str]] = {
    "year": (None, _whole(1890, 1913), "P.K44"), "sunrise": ("06:00", HOURS, "P.K15"), "nightfall": ("21:00", HOURS, "P.K15"),
    "sky": ("clear", (["clear", "haze", "fog", "squalls"], ["rain", 1]), "P.K44"),
    "setup": ("chart", (["chart", "table"], ["sea"]), "P.K44"), "characters": (True, SWITCH, "P.L01"),
    "guard": (0, _whole(0, 4), "P.K38"), "by_night": (True, SWITCH, "P.K15"), "fakes": (2, _whole(0, 2), "P.U08"),
    "mines": ({}, ([{}, {"A": {}}], [[], {"A": 1}]), "P.X01"),
    "shared_code": (False, SWITCH, "P.K03"), "signals": ("free", (["free", "played"], ["none"]), "P.G13"),
    "clock_overlap": (True, SWITCH, "P.T09"), "revert_after_spells": (12, _whole(1, 600), "P.C10"),
    "neutral_presence_min": (4, _whole(1, 7), "P.N01"), "turn_price_extra": (True, SWITCH, "P.I13"),
    "moves_c3": (2, _whole(2, 3), "P.M03"), "cripple_moves": (1, _whole(0, 2), "P.M19"),
    "lamp_range_yd": (4_000, _whole(200, 20_000), "P.G03"), "wt_counts_as_touch": (False, SWITCH, "P.G11"),
    "ships_block_fire": (True, SWITCH, "P.F19"), "end_on_vs_torpedo_craft": (True, SWITCH, "P.F14"),
    "allotted_min": (240, _whole(5, 1_440), "P.O05"),
    "contact_yd": ([24_000, 12_000, 2_000, 4_000, 1_000], _numbers(5, 400, 60_000), "P.K04"),
    "sp_table": ({}, ([{}, {"BB": 0}, {"BB": 24, "TRAMP": 1}], [{"BB": 25}, {"BB": -1}, {"GALLEON": 1}, {"BB": 1, "C9": 1}]), "P.S13"),
    "bank_size_bases": ([6, 3], _numbers(2, 1, 40), "P.W10"), "table_mm": ([2_400, 1_500], _numbers(2, 800, 12_000), "P.S32"),
    "sunset_after_sunrise_h": (12, _whole(4, 20), "P.T11"),
}  # fmt: skip


@pytest.mark.clause("P.K44", "P.O05", "P.K04", "P.W10", "P.S32", "P.S13")
@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_may_be_anything_within_its_bounds_and_nothing_beyond(name: str) -> None:
    default, (good, bad), clause = SWITCHES[name]
    option = OPTIONS[name]
    plain = list(option.default) if isinstance(option.default, tuple) else option.default
    assert ((dict(plain) if default == {} else plain), option.clause) == (default, clause)
    assert [value for value in good if not option.allows(value)] == []
    assert [value for value in bad if option.allows(value)] == []


def test_there_are_no_other_switches_than_these() -> None:
    # Two old ones are read where a test sets them, and belong to no scenario.
    assert set(SWITCHES) == set(OPTIONS)


@pytest.mark.clause("P.K44", "P.S13", "P.W10", "P.O05")
def test_a_switch_says_what_it_may_be() -> None:
    words = {
        "year": "a whole number from 1890 to 1913", "sunrise": "an hour, as 06:00", "guard": "a whole number from 0 to 4",
        "sky": "clear or haze or fog or squalls", "bank_size_bases": "2 whole numbers from 1 to 40", "by_night": "true or false",
    }  # fmt: skip
    assert {name: OPTIONS[name].words for name in words} == words


@pytest.mark.clause("P.X01", "P.X04", "P.K44")
@pytest.mark.parametrize(
    ("row", "good"),
    [
        ({"sown": [[[0, 0]] * 6]}, True), ({"sown": [[[0, 0]] * 7]}, False), ({"sown": [[]]}, False), ({"sown": []}, True),
        ({"sown": [[[0, 0]], []]}, False), ({"sown": ([[0, 0]],)}, True), ({"sown": {}}, False), ({"sown": ["ab"]}, False),
        ({"sown": [[(0, 0)]]}, True), ({"sown": [[[0, 0, 0]]]}, False), ({"sown": [["ab"]]}, False), ({"sown": [[[0.5, 0]]]}, False),
        ({"sown": [[[10**6, -(10**6)]]]}, True), ({"sown": [[[10**6 + 1, 0]]]}, False), ({"sown": [[[0, -(10**6) - 1]]]}, False),
        ({"unsown": {"A1": 1, "A2": 6}}, True), ({"unsown": {"A1": 0}}, False), ({"unsown": {"A1": 1, "A2": 7}}, False),
        ({"unsown": []}, False), ({"unsown": {}}, True), ({"sown": [], "unsown": {}}, True), ({"laid": []}, False), ([], False),
    ],
)  # fmt: skip
def test_the_shape_of_mines_bought_for_a_battle(row: Any, good: bool) -> None:
    assert OPTIONS["mines"].allows({"A": row}) is good
    assert OPTIONS["mines"].allows({"B": {}, "A": row}) is good


# --- cards ---


def test_every_figure_that_may_be_set_by_hand_says_what_it_may_be() -> None:
    kinds = "BB, C1, C2, C3, SC, TBD, TB, SUB, LINER, TRANSPORT, TRAMP, SAIL, FISH, AMC, RAIDER_L, RAIDER_T, MINELAYER"
    assert dict(OVERRIDES) == {
        "type": f"one of {kinds}", "obsolete": "yes or no", "sp2": "twice the points, a whole number from 0 to 48",
        "knots": "cruising speed, 4 to 12 knots", "wt_from": "the year in which wireless was fitted, 1900 to 1913, or 0 for never",
        "searchlight": "yes or no",
    }  # fmt: skip


@pytest.mark.clause("P.K41")
@pytest.mark.parametrize(
    ("name", "value", "good"),
    [
        ("wt_from", 1900, True), ("wt_from", 1912, True), ("wt_from", 1, False), ("knots", 4.0, False), ("knots", 11.5, False),
        ("obsolete", 0, False), ("sp2", 0.5, False), ("sp2", 1, True), ("searchlight", 1, False), ("type", "INSTALLATION", False),
        ("knots", "6", False),
    ],
)  # fmt: skip
def test_what_may_be_set_by_hand(name: str, value: Any, good: bool) -> None:
    assert (card_faults(facts(overrides={name: value})) == ()) is good


@pytest.mark.clause("P.K41", "P.Z08")
def test_a_type_set_by_hand_makes_a_card_of_anything_and_a_wrong_figure_is_named_alone() -> None:
    assert made("galleon", overrides={"type": "C3"}).type == "C3"
    assert made("dreadnought", overrides={"type": "BB"}).type == "BB"
    assert [field for field, _ in card_faults(facts("galleon", overrides={"sp2": 49}))] == ["overrides"]
    assert [field for field, _ in card_faults(facts("galleon", overrides={"sp2": 8}))] == ["ship_type"]
    assert (
        "use one of knots, obsolete, searchlight, sp2, type, wt_from"
        in card_faults(facts(overrides={"a": 1}))[0][1]
    )
    assert "a ship of unknown type is not" in card_faults(facts(""))[0][1]


@pytest.mark.clause("P.K41", "P.S06", "P.R01", "P.K37")
def test_every_ship_of_which_little_is_known_has_a_card_or_is_refused_in_words() -> None:
    wrong = {}
    kinds = (
        "battleship",
        "coast_defence",
        "cruiser_1",
        "scout",
        "transport",
        "merchant",
        "torpedo_boat",
        "destroyer",
        "galleon",
    )
    for kind, tons, knots, year, tags in product(
        kinds,
        (None, 3_000, 9_000),
        (None, 9.0, 25.0),
        (None, 1880, 1904),
        ((), ("raider",), ("minelayer",), ("sail",)),
    ):
        one = facts(kind, displacement_tons=tons, speed_knots=knots, year_built=year, tags=tags)
        try:
            if not card_faults(one):
                found = card(one)
                assert found.tons > 0 and found.sp2 > 0 and found.launched == (year or 0)
                assert len(explain(one)) == 11
        except Exception as error:
            wrong[kind, tons, knots, year, tags] = repr(error)
    assert wrong == {}


@pytest.mark.clause("P.R06", "P.K41")
def test_only_a_minelayer_keeps_the_moves_of_a_fast_hull() -> None:
    fast: dict[str, Any] = {"speed_knots": 18.0, "displacement_tons": 8_000}
    found = {tag: made("transport", tags=(tag,), **fast) for tag in ("tramp", "minelayer", "sail", "liner")}
    assert {tag: (one.moves, one.extra_free) for tag, one in found.items()} == {
        "tramp": (1, False), "minelayer": (3, True), "sail": (1, False), "liner": (3, True),
    }  # fmt: skip
    slow = made("transport", tags=("minelayer",), speed_knots=12.0)
    assert (slow.moves, slow.extra_free, slow.af, slow.df) == (1, False, (1, 1, None, None), 0)
    assert made("transport", tags=("tramp",)).af == (None, None, None, None)


@pytest.mark.clause("P.K41", "P.S10", "P.K25", "P.G12", "P.K26")
def test_a_card_explains_itself_in_words() -> None:
    def said(*args: Any, **over: Any) -> dict[str, str]:
        return {field: f"{clause} {text}" for field, clause, text in explain(facts(*args, **over))}

    assert said(year_built=1894, displacement_tons=9_000, speed_knots=15.5) == {
        "type": "P.K41 In the register: battleship.", "obsolete": "P.S10 Completed about 1896 by its launch (est.).",
        "points": "P.K25 12 by itself.", "moves": "P.M03 2 in a spell.", "attack": "P.F25 Close, normal, long and extreme: 3/3/2/1.",
        "defence": "P.F25 4, by type.", "wireless": "P.G12 Fitted from 1900.", "searchlight": "P.V13 By type.",
        "knots": "P.K37 Six tenths of 15.5 knots on trial.", "deep": "P.K26 Deep draught: it does not cross shoals.",
        "tons": "P.K34 By the register.",
    }  # fmt: skip
    boat = said("torpedo_boat", year_built=None)
    assert boat["points"] == "P.K25 ½ by itself." and boat["wireless"] == "P.G12 Never fitted."
    assert boat["obsolete"] == "P.S10 Its year is not known, so it counts as modern (est.)."
    assert (
        boat["knots"] == "P.K37 What a pair of torpedo boats makes (est.)."
        and boat["deep"] == "P.K26 It crosses shoals."
    )
    assert boat["attack"].endswith("2/0/–/–.") and boat["tons"] == "P.K34 By type (est.)."
    hand = {"type": "C2", "obsolete": True, "sp2": 3, "knots": 9, "wt_from": 1905, "searchlight": False}
    by_hand = said("transport", tags=("liner",), overrides=hand)
    assert {name for name, text in by_hand.items() if text.endswith("Set by hand.")} == {
        "type", "obsolete", "points", "knots", "wireless", "searchlight",
    }  # fmt: skip
    assert (
        said("transport", tags=("anchored", "amc"))["type"]
        == "P.K41 A armed merchant cruiser, by the tag amc."
    )
    assert said("coast_defence")["type"] == "P.K41 In the register: coast defence."


def test_stored_cards_conditions_and_battles_bear_the_number_of_their_form() -> None:
    assert made().to_dict()["schema"] == Condition().to_dict()["schema"] == 1
    assert record.to_dict(battle(unit("A1"), unit("B1")))["schema"] == 1


# --- what the chart asks ---


def by_hand(kind: Type) -> dict[str, Any]:
    return card(facts("battleship", overrides={"type": kind.value})).to_dict()


AFLOAT = [kind for kind in Type if kind not in tables.ASHORE]


@pytest.mark.clause(
    "P.N01", "P.N05", "P.R04", "P.R05", "P.S05", "P.S16", "P.K36", "P.X01", "P.X04", "P.X09", "P.R07", "P.K37"
)
def test_who_stops_trade_forms_flotillas_carries_mines_and_sweeps() -> None:
    cards = {kind.value: by_hand(kind) for kind in AFLOAT}

    def who(asked: Any) -> set[str]:
        return {name for name, one in cards.items() if asked(one)}

    assert who(SEA.stops_trade) == {"C1", "C2", "C3", "SC", "AMC", "RAIDER_L", "RAIDER_T"}
    assert who(SEA.torpedo_craft) == {"TBD", "TB", "SC"}
    assert (
        who(lambda one: SEA.mines(one) == 6) == who(SEA.mines) == {"LINER", "TRAMP", "TRANSPORT", "MINELAYER"}
    )
    assert who(lambda one: SEA.mines_aboard(one) == 6) == who(SEA.mines_aboard) == {"MINELAYER"}
    assert who(lambda one: SEA.sweeps(one, 1904)) == who(lambda one: SEA.sweeps(one, 1913)) == {"TBD"}
    assert who(lambda one: SEA.sweeps(one, 1903)) == set()
    assert (
        who(lambda one: not SEA.steam(one))
        == who(lambda one: SEA.no_go(one, Condition().to_dict()))
        == {"SAIL"}
    )


@pytest.mark.clause("P.N01", "P.N08", "P.S13", "P.K34")
def test_what_trade_is_met_on_the_chart() -> None:
    trade = SEA.trade
    assert trade is not None
    assert (trade.present_at, trade.contraband_at) == (4, 6)
    assert trade.vessels == (
        Vessel("liner", 6, Fraction(3), 8_000), Vessel("tramp", 3, Fraction(2), 3_000), Vessel("sailing vessel", 1, Fraction(1), 1_000),
    )  # fmt: skip


def _by_the_book(kind: str, obsolete: bool, lame: bool, attack: int, defence: int) -> str:
    """What a mine does, in the words of the digest."""
    strength = attack + (0 if kind in ("TBD", "TB") else 5)
    strong = {"BB": 4, "C1": 3, "SUB": 3, "TBD": 1, "TB": 1, "TRAMP": 1}[kind] - 2 * lame - obsolete + defence
    if strength <= 0 or strong >= strength:
        return "unhurt"
    greater = 2 * strong <= strength
    return "gone" if greater or lame or kind == "SUB" else "crippled"


@pytest.mark.clause("P.X05", "P.E03", "P.E04", "P.E05", "P.E09")
@pytest.mark.parametrize("kind", ["BB", "C1", "SUB", "TBD", "TB", "TRAMP"])
def test_a_mine_on_the_chart_does_what_it_does_in_battle(kind: str) -> None:
    for old, lame, damage, attack, defence in product(
        (False, True), (False, True), (0, 2), range(1, 7), range(1, 7)
    ):
        if kind == "SUB" and (lame or damage) or kind == "TB" and not old:
            continue
        one = {**by_hand(Type(kind)), "obsolete": old}
        now = Condition(damage, lame, character=3, officer="Stark").to_dict()
        after = {
            "unhurt": now, "crippled": {**now, "damage": 0, "crippled": True},
            "gone": {**now, "damage": 0, "crippled": False, "gone": True},
        }[_by_the_book(kind, old, lame, attack, defence)]  # fmt: skip
        assert SEA.mined(one, now, attack, defence) == after, (old, lame, damage, attack, defence)


@pytest.mark.clause("P.X01", "P.X03", "P.X04", "P.K12")
def test_fields_of_the_chart_lie_right_and_left_of_the_line_between_the_fleets() -> None:
    found = of_chart(180, {"B": [2], "A": [3, 1, 6]}, {"B": {"b2": 4, "b1": 6}})
    assert found == {
        "A": {"sown": [[[600, 0], [700, 0], [800, 0]], [[-600, 0]], [[1_400 + 100 * n, 0] for n in range(6)]]},
        "B": {"sown": [[[-1_400, 0], [-1_500, 0]]], "unsown": {"b1": 6, "b2": 4}},
    }  # fmt: skip
    assert list(found["B"]["unsown"]) == ["b1", "b2"]
    assert of_chart(90, {"A": [2, 1]}, {}) == {"A": {"sown": [[[0, 600], [0, 700]], [[0, -600]]]}}
    assert of_chart(90, {}, {"A": {"a": 1}}) == {"A": {"unsown": {"a": 1}}}


@pytest.mark.clause("P.I07", "P.I08")
def test_the_price_of_every_move_by_its_number() -> None:
    found: dict[int, Any] = {}
    for number in (1, 2, 3, 4):
        try:
            found[number] = nip.price(number, Type.TBD)
        except LookupError:
            found[number] = "no price"
    assert found == {1: 0, 2: 1, 3: 2, 4: 2}


@pytest.mark.clause("P.K41")
def test_the_register_calls_a_ship_by_many_names() -> None:
    kinds = {
        "BB": "battleship ironclad turret_ship barbette_ship central_battery_ship coast_defence monitor", "C1": "cruiser_1",
        "C2": "cruiser_2", "C3": "cruiser_3 gunboat sloop scout", "TBD": "destroyer", "TB": "torpedo_boat", "SUB": "submarine",
        "TRAMP": "merchant", "TRANSPORT": "transport",
    }  # fmt: skip
    for wanted, words in kinds.items():
        for word in words.split():
            assert card(ShipFacts("A", "A", word)).type == wanted
