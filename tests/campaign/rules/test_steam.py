"""Steam on the chart: speeds by the register, full speed in a chase, and what the wind still means in mixed company."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.scenario import Strength
from campaign.rules.chart.speeds import full_knots, steaming_knots
from campaign.rules.chart.types import Settings, ShipKind, ShipSheet, TurnFacts
from campaign.rules.contact.chase import best_flight
from campaign.rules.contact.general_chase import general_chase_step
from campaign.rules.contact.guns import comers
from campaign.rules.sailing.movement import fleet_speed, speed_of
from campaign.rules.state.state import Contact
from campaign.rules.state.world import Chart, Hull
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_blockade import chart_at
from tests.campaign.rules.test_blockade import made as blockade
from tests.campaign.rules.test_blockade_bounds import blow, sheltering
from tests.campaign.rules.test_contact import AVOID, HOLD, SEEK, hours, in_touch, meeting

STEAM = {**b.CARD, "steam": True}
SAIL = Hull(4500, Fraction(1), 60, Fraction(40))
STEAMER = Hull(10_000, Fraction(1), 0, Fraction(40), full=16_000)


def steamer(code: str, side: str, fleet: str, knots: float | None = 18, **over: Any) -> ShipSheet:
    """A steamer of so many knots on trial."""
    facts = {"nation": "", "guns": 18, "speed_knots": knots}
    return b.ship(code, side, fleet, card=STEAM, facts=facts, **over)


def steaming(made: TurnFacts, **knots: float) -> TurnFacts:
    """The same facts with steamers of so many knots on trial in the place of some ships."""
    ships = {
        code: steamer(code, made.ships[code].side, made.ships[code].fleet, n) for code, n in knots.items()
    }
    return replace(made, ships={**made.ships, **ships})


def chart_of(made: TurnFacts) -> Chart:
    return Chart(made, turn.begin(made, {}, b.dice(made)), b.dice(made))


@pytest.mark.clause("G.ST1")
@pytest.mark.parametrize(
    ("trial", "kind", "knots"),
    [
        (18, "line", 10), (18.25, "line", 10), (16, "line", 9), (15, "line", 9), (31, "frigate", 12), (20, "frigate", 12),
        (19.9, "frigate", 11), (10, "small craft", 6), (5, "merchant", 4), (None, "line", 10), (None, "frigate", 10),
        (None, "merchant", 8), (0, "merchant", 8),
    ],
)  # fmt: skip
def test_a_steamer_cruises_at_six_tenths_of_her_trial_speed_from_four_knots_to_twelve(
    trial: float | None, kind: str, knots: int
) -> None:
    assert steaming_knots(Settings(), ShipKind(kind), {"speed_knots": trial}) == knots


@pytest.mark.clause("G.ST2")
@pytest.mark.parametrize(
    ("trial", "kind", "knots"),
    [(18, "line", 16), (31, "frigate", 27), (4, "merchant", 4), (None, "line", 15), (None, "merchant", 12)],
)
def test_a_steamer_chases_at_nine_tenths_of_her_trial_speed(
    trial: float | None, kind: str, knots: int
) -> None:
    assert full_knots(Settings(), ShipKind(kind), {"speed_knots": trial}) == knots


@pytest.mark.clause("G.MV1", "G.ST1", "G.ST3")
@pytest.mark.parametrize("angle", [0, 59, 60, 80, 120, 180])
@pytest.mark.parametrize("strength", list(Strength))
def test_neither_calm_nor_contrary_wind_holds_a_steamer(angle: int, strength: Strength) -> None:
    assert speed_of((STEAMER,), angle, strength) == 10_000
    assert speed_of((STEAMER,), angle, strength, full=True) == 16_000
    assert speed_of((STEAMER._replace(factor=Fraction(1, 2)),), angle, strength) == 5_000


@pytest.mark.clause("G.ST3")
def test_sail_and_steam_in_company_keep_to_the_slower_and_steamers_tow_through_a_calm() -> None:
    assert speed_of((STEAMER, SAIL), 90, Strength.MODERATE) == 4_500
    assert speed_of((STEAMER, SAIL), 0, Strength.MODERATE) == 1_575
    assert speed_of((STEAMER._replace(knots=4_000, full=6_000), SAIL), 90, Strength.MODERATE) == 4_000
    assert speed_of((STEAMER, SAIL), 90, Strength.STILL) == 5_000
    assert speed_of((STEAMER, SAIL), 90, Strength.STILL, full=True) == 8_000
    assert speed_of((STEAMER, SAIL._replace(size=Fraction(60))), 90, Strength.STILL) == 2_250
    assert speed_of((STEAMER, SAIL, SAIL), 90, Strength.STILL) == 0
    hulk = STEAMER._replace(factor=Fraction(0), size=Fraction(60))
    assert speed_of((SAIL, hulk), 90, Strength.MODERATE) == 4_500
    assert speed_of((SAIL, hulk), 0, Strength.MODERATE) == 1_575


@pytest.mark.clause("G.ST1", "G.ST2")
def test_a_fleet_steams_by_the_register_and_damage_and_asks_her_set_for_no_point_of_sail() -> None:
    made = b.facts([b.fleet("e", "ENG", "a", "b")], [steamer("e1", "ENG", "e", condition={"lost": 15})])
    chart = chart_of(made)
    (hull,) = chart.hulls("e")
    assert hull == Hull(10_000, Fraction(2, 3), 0, Fraction(40), full=16_000)
    assert fleet_speed(chart, chart.state.fleets["e"], 270) == 6_666
    assert fleet_speed(chart, chart.state.fleets["e"], 270, full=True) == 10_666
    slow = replace(made, settings=Settings(steam_most=8, steam_full_percent=50))
    assert chart_of(slow).hulls("e")[0] == Hull(8_000, Fraction(2, 3), 0, Fraction(40), full=9_000)


def after(made: TurnFacts, faces: tuple[int, ...] = ()) -> int:
    """Miles of range after an hour from six miles, both fleets in sight of each other, thousandths."""
    (contact,) = hours(made, in_touch(made, "e", "d"), 1, faces).contacts.values()
    return contact.range


@pytest.mark.clause("G.CO2", "G.ST2", "G.ST3")
@pytest.mark.parametrize(
    ("wind", "strength"), [(0, "still"), (90, "strong"), (180, "light"), (270, "moderate")]
)
def test_steamers_chase_and_run_at_full_speed_whoever_has_the_wind(wind: int, strength: str) -> None:
    run = steaming(meeting(SEEK, AVOID, wind=wind, strength=strength), e1=18, d1=16)
    assert after(run) == 6_000 - (16_000 - 14_000)
    away = steaming(meeting(SEEK, AVOID, wind=wind, strength=strength), e1=16, d1=18)
    assert after(away) == 6_000 + 2_000
    held = steaming(meeting(SEEK, HOLD, miles=20, wind=wind, strength=strength), e1=18, d1=16)
    (contact,) = hours(held, in_touch(held, "e", "d", miles=20)).contacts.values()
    assert contact.range == 4_000


@pytest.mark.clause("G.CO2", "G.ST2")
def test_steamers_of_one_speed_throw_for_a_mile_and_those_that_have_seen_nothing_cruise_on() -> None:
    assert after(steaming(meeting(SEEK, AVOID), e1=18, d1=18), (5, 2)) == 5_000
    made = steaming(meeting(SEEK, HOLD, miles=40), e1=18, d1=18)
    blind = in_touch(made, "e", miles=40)
    blind.fleets["d"] = replace(blind.fleets["d"], order=replace(blind.fleets["d"].order, route=("b",)))
    blind.hour = 6
    (contact,) = hours(made, blind, 1).contacts.values()
    assert contact.range == 40_000 + 10_000 - 16_000


@pytest.mark.clause("G.CO2", "G.ST3")
@pytest.mark.parametrize(("e1", "d1", "own", "enemy"), [(None, 18, 16_000, 1_575), (18, None, 1_575, 16_000)])
def test_only_the_sailing_ship_of_a_chase_beats_to_windward(
    e1: float | None, d1: float | None, own: int, enemy: int
) -> None:
    made = meeting(SEEK, AVOID, wind=90)
    made = steaming(made, **{code: knots for code, knots in (("e1", e1), ("d1", d1)) if knots})
    chart = Chart(made, in_touch(made, "e", "d"), b.dice(made))
    flight = best_flight(chart, chart.state.fleets["d"], chart.state.fleets["e"], 90)
    assert flight is not None
    assert (flight.own, flight.enemy) == (own, enemy)


@pytest.mark.clause("G.CO2", "G.ST2")
def test_a_general_chase_sends_ahead_the_steamers_of_higher_full_speed() -> None:
    made = meeting(SEEK, AVOID)
    ships = [steamer("e1", "ENG", "e", 24), steamer("e2", "ENG", "e", 20), steamer("d1", "NLD", "d", 20)]
    made = replace(made, ships={ship.code: ship for ship in ships})
    order = made.fleets["e"].order
    doctrine = replace(order.instructions.doctrine, chase="general")
    general = replace(order, instructions=replace(order.instructions, doctrine=doctrine))
    made = replace(made, fleets={**made.fleets, "e": replace(made.fleets["e"], order=general)})
    chart = Chart(made, in_touch(made, "e", "d"), b.dice(made))
    chart.state.contacts["e", "d"] = Contact("e", "d", 6_000, 90, since=4)
    assert [hull.knots for hull in chart.hulls("e")] == [12_000, 12_000]
    b.step(general_chase_step, chart)
    (sent,) = [event.data["ships"] for event in chart.state.events if event.kind == "sent_ahead"]
    assert sent == ["e1"]


@pytest.mark.clause("G.CO7", "G.ST2")
def test_steamers_come_to_the_sound_of_guns_at_full_speed() -> None:
    made = meeting(SEEK, HOLD)
    fleets = [*made.fleets.values(), b.fleet("g", "ENG", "a", to="home", run=8_000)]
    made = b.facts(fleets, [*made.ships.values(), steamer("g1", "ENG", "g")], weather=b.weather(0, "still"))
    chart = chart_of(made)
    now = chart.state.fleets
    (comer,) = comers(chart, [now["e"]], [now["d"]], 30)
    assert (comer.fleet.code, comer.turn) == ("g", 1)
    slower = Chart(replace(made, settings=Settings(steam_full_percent=60)), chart.state, b.dice(made))
    (comer,) = comers(slower, [now["e"]], [now["d"]], 30)
    assert comer.turn == 2


@pytest.mark.clause("G.BL1", "G.ST3")
@pytest.mark.parametrize(("steams", "driven"), [((), True), (("e1",), False)])
def test_no_onshore_wind_drives_a_blockading_steamer_off(steams: tuple[str, ...], driven: bool) -> None:
    chart = chart_at(steaming(blockade(), **dict.fromkeys(steams, 18)), 3)
    assert not blow(chart, 3, 270)
    assert blow(chart, 51, 270) is driven


@pytest.mark.clause("G.BL1", "G.ST3")
def test_a_gale_drives_a_steamer_off_and_a_strong_wind_does_not_keep_her_away() -> None:
    assert blow(chart_at(steaming(blockade(), e1=18), 3), 3, 90, "gale")
    mixed = steaming(blockade(), e1=18)
    mixed = replace(mixed, ships={**mixed.ships, "e2": b.ship("e2", "ENG", "e")})
    chart = chart_at(mixed, 3)
    assert not blow(chart, 3, 270)
    assert blow(chart, 51, 270)
    for strength, back in (("strong", True), ("gale", False)):
        fleet = sheltering(24, here=strength, steam=True).state.fleets["e"]
        assert bool(fleet.order.route) is back


@pytest.mark.clause("G.ST3")
@pytest.mark.parametrize(("steams", "gauge"), [(("d1", "e1"), ""), (("d1",), "ENG"), ((), "ENG")])
def test_no_one_is_said_to_have_the_weather_gauge_where_every_ship_steams(
    steams: tuple[str, ...], gauge: str
) -> None:
    made = steaming(meeting(SEEK, HOLD, miles=1, wind=270), **dict.fromkeys(steams, 18))
    state = hours(made, in_touch(made, "e", "d", miles=1))
    (battle,) = [event for event in state.events if event.kind == "battle"]
    assert battle.data["gauge"] == gauge
    assert state.calls[0].scenario["gauge"] == "ENG"


@pytest.mark.clause("G.ST1", "G.ST3", "G.RP4", "G.CL2")
def test_sail_and_steam_fight_one_war_and_their_turn_is_saved_unchanged() -> None:
    fleets = [
        b.fleet("e", "ENG", "home", "a", "b", "c", stance=SEEK), b.fleet("s", "ENG", "home", "a", "b", "n"),
        b.fleet("m", "ENG", "home", "a"), b.fleet("d", "NLD", "theirs", "c", "b", stance=SEEK),
    ]  # fmt: skip
    ships = [
        steamer("e1", "ENG", "e"), b.ship("s1", "ENG", "s"), steamer("m1", "ENG", "m"), b.ship("m2", "ENG", "m"),
        b.ship("d1", "NLD", "d"),
    ]  # fmt: skip
    settings = Settings(stores="on", end_turn_on="none")
    made = b.facts(fleets, ships, days=3, settings=settings, weather=b.weather(wind=90))
    state, stops = b.play(made, reload=True)
    assert turn.state_hash(state) == turn.state_hash(b.play(made)[0])
    sailed = {e.data["fleet"]: e.hour for e in state.events if e.kind == "passed" and e.data["place"] == "a"}
    assert sailed["e"] == 5 and sailed["e"] < sailed["s"]
    assert {call.place for stop in stops for call in getattr(stop, "calls", ())} == {"c"}
    assert 0 < state.economy.coal["e1"] < 16 * 24
    assert "s1" in state.economy.stores and "s1" not in state.economy.coal
