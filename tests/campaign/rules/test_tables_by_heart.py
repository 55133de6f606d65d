"""The chart's tables against the rules, entry by entry: bands, winds, kinds of ship, shares, and what an order may say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battles.engine.core import ruleset
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from campaign.rules.ashore import yards
from campaign.rules.chart import theatre
from campaign.rules.chart.types import OnArrival, ShipKind
from campaign.rules.contact import blockade, contact, night, sighting
from campaign.rules.losses import castaways, officers, tides
from campaign.rules.orders import orders
from campaign.rules.prizes import prize_court
from campaign.rules.sailing import beaches, movement, parting, weather
from campaign.rules.state import clock, economy, setting_values, world
from campaign.rules.turn import forecast, quartermaster, turn


@pytest.mark.clause("G.SI2", "G.CO1")
def test_every_band_of_sail_has_its_bounds_and_its_middle() -> None:
    assert sighting.BANDS == ((1, "1"), (4, "2-4"), (9, "5-9"), (19, "10-19"), (39, "20-39"))
    assert {
        "1": 1, "2-4": 3, "5-9": 7, "10-19": Fraction("14.5"), "20-39": Fraction("29.5"), "40+": 60,
    } == contact.MIDDLES  # fmt: skip
    assert ruleset.GUNSHOT == 1_000
    assert Fraction("67.5") == contact.TO_WINDWARD


@pytest.mark.clause("G.MV1", "G.WX2")
def test_every_strength_of_wind_has_its_share_of_a_ships_speed() -> None:
    assert {
        Strength.STILL: 0, Strength.LIGHT: Fraction("0.4"), Strength.MODERATE: 1, Strength.STRONG: Fraction("1.2"),
        Strength.GALE: Fraction("0.6"),
    } == movement.WIND  # fmt: skip
    assert (
        Fraction("0.35"), Fraction("0.7"), 1, Fraction("0.85"),
    ) == (movement._BEATING, movement._CLOSE, movement._REACHING, movement._RUNNING)  # fmt: skip
    assert weather.STEPS == (
        Strength.STILL, Strength.LIGHT, Strength.MODERATE, Strength.STRONG, Strength.GALE,
    )  # fmt: skip
    assert weather._VISIBILITY_HOURS == (6, 18)


@pytest.mark.clause("G.BL1", "G.CH4", "G.CO3")
def test_blockades_tides_and_nights_have_their_hours_and_degrees() -> None:
    assert (blockade.ONSHORE, blockade.BLOWS) == (67, (Strength.STRONG, Strength.GALE))
    assert tides.TIDES == (0, 12)
    assert (night.FREE_HOURS, clock.DAWN, clock.DAY, clock.WATCH) == (12, 6, 24, 4)
    assert {
        OnArrival.BLOCKADE, OnArrival.ATTACK, OnArrival.LAND, OnArrival.RAID,
    } == beaches.AGAINST_PORTS  # fmt: skip


@pytest.mark.clause("G.CH1", "G.CH3", "G.WX1")
def test_a_theatre_has_eight_winds_and_four_classes_of_yard() -> None:
    assert theatre.POINTS == {
        "N": 0, "NE": 45, "E": 90, "SE": 135, "S": 180, "SW": 225, "W": 270, "NW": 315,
    }  # fmt: skip
    assert list(theatre.POINTS) == ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert (theatre._BERTHS, theatre._GUARD) == ((0, 2, 4, 8), (0, 1, 2, 4))
    assert theatre._RECRUITS_BY_CLASS == (20, 60, 120, 240)


@pytest.mark.clause("G.RP2", "G.WX4")
def test_small_ships_scout_and_need_the_smallest_yard() -> None:
    small = {ShipKind.FRIGATE, ShipKind.SMALL}
    assert (small, small) == (world.SCOUTS, yards._CRUISERS)
    assert (yards.CRUISER_CLASS, yards.MEDIUM_CLASS, yards.HEAVY_CLASS) == (1, 2, 3)
    assert (economy.NO_BERTH, economy.AFLOAT) == (-1, 0)


@pytest.mark.clause("G.AF1", "T.C21")
def test_officers_drown_in_ships_that_go_down_and_are_hit_by_quarters_of_the_hull() -> None:
    assert {Fate.SUNK, Fate.BURNT, Fate.FOUNDERED, Fate.MISSING} == officers.GONE_DOWN
    assert officers.QUARTERS == 4
    assert (castaways.OF_RESCUERS, castaways.OF_THE_LOST) == (4, 2)


@pytest.mark.clause("G.PR4")
def test_prize_money_is_shared_in_eighths_and_a_prize_before_the_court_has_five_ends() -> None:
    assert dict(zip(economy.SHARERS, economy.EIGHTHS, strict=True)) == {
        "captains": 2, "flag officers": 1, "lieutenants": 1, "warrant officers": 1, "petty officers": 1, "seamen": 2,
    }  # fmt: skip
    assert {economy.Stage.SAILING, economy.Stage.COURT, economy.Stage.CONDEMNED} == economy.OPEN_STAGES
    assert {act.value: play.__name__ for act, play in prize_court._ACTS.items()} == {
        "buy": "_buy", "sell": "_sell", "hulk": "_hulk", "burn": "_burn", "exchange": "_exchange",
    }  # fmt: skip


@pytest.mark.clause("G.MV2", "G.MV5")
def test_every_instruction_has_its_answers() -> None:
    assert orders._CHOICES == {
        "at_nightfall": ("stay", "part"), "after_battle": ("auto", "renew", "part"), "at_sound_of_guns": ("join", "stay"),
        "disabled": ("wait", "leave"), "shoals": ("wait", "dare"), "prizes": ("man", "burn", "release"),
        "prize_escort": ("none", "frigate"), "slowest": ("keep", "leave"), "hopeless": ("fly", "stand"),
    }  # fmt: skip
    assert orders._DOCTRINE == {
        "gauge": ("any", "windward", "leeward"), "fight_at": ("best", "close", "long"), "chase": ("line", "general"),
        "board": ("never", "crippled", "pays"),
    }  # fmt: skip
    assert orders._PLACES == ("cripples_to", "rendezvous", "shelter")
    assert parting.GROUPS == (
        "Damaged ships",
        "Prizes and cripples",
        "Cripples",
        "Stragglers",
        "Prizes",
        "Aground",
    )


@pytest.mark.clause("G.UM1")
def test_whole_numbers_have_their_bounds() -> None:
    bounds = {
        "turn_days": (1, 28), "nightfall": (12, 23), "carried_degrees": (0, 180), "scatter_dice": (1, 20),
        "company_miles": (1, 20), "guard_share": (1, 100), "yard_days": (1, 100), "salvage_eighths": (0, 8),
        "dispatch_miles": (1, 2_000), "blockade_miles": (1, 12), "convoy_percent": (0, 1_000), "see_at_fog": (0, 7),
        "aground_at": (0, 7), "hunger_percent": (0, 100), "see_clear": (0, 100_000), "fund_start": (0, 100_000),
    }  # fmt: skip
    assert {name: setting_values.setting_range(name) for name in bounds} == bounds


@pytest.mark.clause("G.CL2", "G.MV2", "G.RP2", "G.PR4")
def test_the_automatic_admiral_and_the_forecast_have_their_measures() -> None:
    assert (
        Fraction("0.25"), Fraction("0.1"), Fraction("0.5"),
    ) == (quartermaster.WORTH_A_YARD, quartermaster.FLEET_REFITS, quartermaster.GOOD_PRIZE)  # fmt: skip
    assert forecast.LONGEST_DAYS == 28
    assert turn.REMEMBERED_HOURS == 240
