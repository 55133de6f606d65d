"""The numbers of the campaign rules: every default from its clause, and every range that an umpire may enter."""

from __future__ import annotations

import pytest

from campaign.rules.chart.types import (
    FleetFacts,
    FleetOrder,
    Instructions,
    OfficerFacts,
    Part,
    Place,
    PlaceKind,
    Position,
    Settings,
    setting_rows,
)
from campaign.rules.state.setting_values import CHOICES, setting_range, setting_value
from tests.campaign.rules import builders as b

# fmt: off
DEFAULTS = {
    "G.CL1": {"turn_days": 3, "nightfall": 21},
    "G.CL3": {"end_turn_on": "battle"},
    "G.WX4": {"see_clear": 12, "see_haze": 6, "see_fog": 1, "see_night": 2, "scout_miles": 8},
    "G.MV1": {"knots_line": "4.5", "knots_frigate": "6", "knots_merchant": "3"},
    "G.ST1": {
        "steam_cruising_percent": 60, "steam_least": 4, "steam_most": 12, "trial_warship": 17, "trial_merchant": 14,
    },
    "G.ST2": {"steam_full_percent": 90},
    "G.MV4": {"company_miles": 3},
    "G.SI1": {"see_at_day": 3, "see_at_haze": 4, "see_at_night": 5, "see_at_fog": 6},
    "G.SI2": {"kinds_miles": 6},
    "G.SI4": {"coast_miles": 24},
    "G.MV5": {"greatest_odds": "1.5", "cripple_percent": 50},
    "G.OB1": {"at_miles": 10, "objectives": "on"},
    "G.OB2": {"objective_percent": 100},
    "G.OB3": {"decisive": "ends", "grade_narrow": 10, "grade_clear": 30, "grade_great": 60},
    "G.CA1": {"calendar": "acts"},
    "G.LD1": {"landings": "on"},
    "G.LD2": {"land_rate": 4_000},
    "G.LD4": {"port_marks": 2, "port_class_marks": 2, "hold_men": 300},
    "G.IG1": {"one_report": "on"},
    "G.IG2": {"fold_hours": 48},
    "G.KT1": {"fragments": "one group"},
    "G.KT3": {"muster": "auto", "least_squadron": 3},
    "G.AA1": {"duties": "on"},
    "G.AA2": {"reserve_percent": 20},
    "G.AA5": {"fund_keep": 2_000},
    "G.AA6": {"orders_in_parts": "on"},
    "G.CO3": {"escape_at": 5},
    "G.KT4": {"flight": "on", "stand_odds": "4", "overhaul": "0.5"},
    "G.KT5": {"shy_hours": 24},
    "G.KT6": {"after_battle_default": "auto", "renew_ratio": "1", "renew_most": 3},
    "G.CO6": {"chase_miles": 3},
    "G.CO7": {"guns_heard": 15},
    "G.CH2": {"carried_degrees": 60, "shore_miles": 3, "wrecked_at": 2},
    "G.CH4": {"aground_at": 3, "refloat_at": 5},
    "G.BL1": {"blockade_miles": 6, "slip_at": 4, "onshore_hours": 48, "slipped_hours": 12},
    "G.MN2": {"mine_sections": 3, "mine_ships": 2},
    "G.MN3": {"mine_found_at": 4},
    "G.NC2": {"trade_miles": 120, "raid_at": 5, "trade_warned_days": 7},
    "G.NE1": {"neutral_hours": 24},
    "G.PR2": {"guard_share": 5, "rise_at": 4},
    "G.PR3": {"salvage_eighths": 1},
    "G.PR4": {
        "court_days": 98, "fund_start": 10_000, "head_money": 5, "hulk_percent": 25, "bounty_pounds": 3,
        "exchange_pounds": 1,
    },
    "G.GF1": {"founder_prize": 1, "founder_anchorage": 1, "gale_gap": 24},
    "G.GF3": {"part_at": 1, "scatter_dice": 3},
    "G.RP2": {
        "yard_days": 7, "work_light": 14, "work_medium": 49, "work_heavy": 91, "work_worse": 133,
        "work_mast": 3, "work_battery": 2,
    },
    "G.RP4": {
        "stores": "off", "stores_days": 90, "hunger_percent": 2, "coal_line": 16, "coal_cruiser": 20, "coal_flotilla": 4,
        "coal_merchant": 30, "coal_hold": 300, "coal_chase": 3, "coal_crawl": 2,
    },
    "G.AF1": {"officer_at": 1, "officer_killed_at": 3, "officer_saved_at": 3, "wound_days": 28},
    "G.IN2": {"news": "travels", "dispatch_miles": 140},
    "G.IN4": {"knowledge": "shared"},
    "G.VP1": {"convoy_percent": 100, "port_points": 0},
    "G.EN1": {"end_date": "", "end_points": 0},
    "G.BT1": {"battle_route": "engine"},
    "G.BT4": {"campaign_waits": "no", "battle_wait_days": 14},
    "G.BT5": {"confirm_days": 3},
    "G.FA1": {"secrets_after": 10},
    "G.UM2": {"outage_hours": 12, "after_outage": "shift"},
}
# fmt: on


def test_every_setting_has_the_default_that_its_clause_gives_it() -> None:
    found: dict[str, dict[str, object]] = {}
    for name, value, default, clause, _ in setting_rows(Settings()):
        assert value == default
        found.setdefault(clause, {})[name] = default
    assert found == DEFAULTS


@pytest.mark.clause("G.UM1")
@pytest.mark.parametrize(
    ("least", "most", "names"),
    [
        (0, 7, ("see_at_day", "see_at_fog", "escape_at", "aground_at", "wrecked_at", "officer_killed_at")),
        (0, 100, ("cripple_percent", "hulk_percent", "hunger_percent", "reserve_percent")),
        (0, 1_000, ("convoy_percent", "objective_percent")),
        (1, 60, ("at_miles",)),
        (0, 100_000, ("see_clear", "fund_start", "gale_gap", "court_days", "secrets_after")),
        (1, 28, ("turn_days",)),
        (12, 23, ("nightfall",)),
        (0, 180, ("carried_degrees",)),
        (1, 20, ("scatter_dice", "company_miles", "least_squadron")),
        (1, 40, ("steam_least", "steam_most", "trial_warship", "trial_merchant")),
        (1, 1_000, ("coal_line", "coal_cruiser", "coal_flotilla", "coal_merchant")),
        (0, 10_000, ("coal_hold",)),
        (1, 24, ("coal_chase",)),
        (1, 10, ("coal_crawl",)),
        (1, 100, ("guard_share", "yard_days")),
        (0, 8, ("salvage_eighths",)),
        (1, 2_000, ("dispatch_miles",)),
        (1, 12, ("blockade_miles",)),
        (0, 40, ("coast_miles",)),
        (0, 1_000, ("convoy_percent", "objective_percent")),
        (1, 60, ("at_miles",)),
        (1, 20, ("least_squadron", "mine_ships")),
        (1, 6, ("mine_sections",)),
    ],
)
def test_a_whole_number_may_be_entered_up_to_both_its_limits_and_not_beyond(
    least: int, most: int, names: tuple[str, ...]
) -> None:
    for name in names:
        assert setting_range(name) == (least, most)
        assert [setting_value(name, str(value)) for value in (least, most)] == [least, most]
        for beyond in (least - 1, most + 1):
            with pytest.raises(ValueError, match=f"from {least} to {most}, not {beyond}"):
                setting_value(name, str(beyond))


@pytest.mark.clause("G.UM1")
@pytest.mark.parametrize(("typed", "read"), [("100", "100"), ("100.0", "100"), ("0.01", "0.01"), ("7", "7")])
def test_a_setting_with_decimals_is_above_0_and_up_to_100(typed: str, read: str) -> None:
    assert setting_value("greatest_odds", typed) == read


@pytest.mark.clause("G.UM1")
@pytest.mark.parametrize("typed", ["100.01", "0.00", "-1", "Infinity"])
def test_a_decimal_beyond_its_limits_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="above 0 and up to 100"):
        setting_value("greatest_odds", typed)


@pytest.mark.clause("G.EN1")
def test_the_end_date_may_be_left_empty() -> None:
    assert setting_value("end_date", "  ") == ""


@pytest.mark.clause("G.UM1")
def test_a_setting_of_words_takes_each_of_its_words_and_no_other() -> None:
    assert CHOICES == {
        "end_turn_on": ("none", "battle", "first_sighting"),
        "stores": ("off", "on"),
        "flight": ("on", "off"),
        "after_battle_default": ("auto", "renew"),
        "objectives": ("on", "off"),
        "decisive": ("ends", "tells", "asks"),
        "calendar": ("acts", "text"),
        "landings": ("on", "off"),
        "one_report": ("on", "off"),
        "fragments": ("one group", "as thrown"),
        "muster": ("auto", "ask", "never"),
        "duties": ("on", "off"),
        "orders_in_parts": ("on", "off"),
        "knowledge": ("shared", "by ship"),
        "news": ("travels", "at once"),
        "battle_route": ("engine", "table"),
        "campaign_waits": ("no", "yes"),
        "after_outage": ("shift", "hold", "run"),
    }
    for name, words in CHOICES.items():
        assert [setting_value(name, word) for word in words] == list(words)
        with pytest.raises(ValueError, match=words[0]):
            setting_value(name, "perhaps")


@pytest.mark.clause("G.MV4", "G.MV5")
def test_battle_instructions_and_orders_left_empty_take_their_usual_settings() -> None:
    silent = Instructions()
    assert (silent.greatest_odds, silent.at_nightfall, silent.after_battle) == ("1.5", "part", "auto")
    assert (silent.at_sound_of_guns, silent.chase_hours, silent.disabled) == ("join", 24, "wait")
    assert (silent.shoals, silent.prizes, silent.prize_escort, silent.slowest, silent.hopeless) == (
        "wait", "man", "none", "keep", "fly",
    )  # fmt: skip
    order, part = FleetOrder("e"), Part(("e1",))
    assert (order.route, order.stance.value, order.on_arrival.value, order.parts) == (
        (),
        "hold",
        "anchor",
        (),
    )
    assert (part.route, part.stance.value, part.on_arrival.value) == ((), "avoid", "anchor")


def test_facts_left_out_are_those_of_a_plain_place_a_free_fleet_and_a_serving_officer() -> None:
    place = Place("a", "A", PlaceKind.SEA_AREA, 0.0, 1.0, "sea")
    assert (place.dockyard, place.berths, place.recruits, place.guard) == (0, 0, 0, 0)
    assert Position("a").run == 0
    free = FleetFacts("e", "Fleet e", "ENG", Position("a"), FleetOrder("e"))
    assert (free.scout, free.free_until) == (False, 0)
    assert OfficerFacts("Lawson", "ENG", True, 1).status == "serving"
    assert (b.ship("e1", "ENG", "e").order, b.ship("e1", "ENG", "e").prize) == (0, False)
