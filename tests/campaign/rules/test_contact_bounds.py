"""Sighting, contact and what comes back from a battle, at the edges of their clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.battle.writeback import write_back
from campaign.rules.chart.land import Land
from campaign.rules.chart.points import Point
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import Battles, Instructions, Position, Settings, ShipKind
from campaign.rules.contact.contact import (
    company_of,
    contact_step,
    mean_value,
    odds,
    shuns,
    to_windward,
    too_worn,
    wills,
)
from campaign.rules.contact.sighting import course_of, least_to_sight, nearest, sighting_step
from campaign.rules.state.state import Contact, Touch
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.turn import OutcomeError
from tests.campaign.rules import builders as b

SEEK, HOLD, AVOID = Stance.SEEK, Stance.HOLD, Stance.AVOID


def met(e: Stance = SEEK, d: Stance = HOLD, *, hour: int = 4, run: int = 6_000, wind: int = 0, strength: str = "moderate",
        faces: Iterable[int] = (), ships: list[Any] | None = None, **over: Any) -> Chart:  # fmt: skip
    """The English e at a and the Dutch d east of it towards b; England has f in company, far n."""
    fleets = [
        b.fleet("e", "ENG", "a", stance=e), b.fleet("d", "NLD", "a", to="b", run=run, stance=d),
        b.fleet("f", "ENG", "a", to="b", run=3_000), b.fleet("n", "ENG", "c"),
    ]  # fmt: skip
    rows = ships or [b.ship(f"{code}1", "NLD" if code == "d" else "ENG", code) for code in "edfn"]
    made = b.facts(fleets, rows, weather=b.weather(wind, strength), **over)
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    state.events.clear()
    return Chart(made, state, ScriptedDice(faces))


def seen(chart: Chart, observer: str = "e", other: str = "d", **over: Any) -> Touch:
    touch = replace(Touch(observer, other, True, 1, 6_000, 0, "1", ("line",)), **over)
    chart.state.touches[observer, other] = touch
    return touch


def held(chart: Chart, **over: Any) -> Contact:
    contact = replace(Contact("e", "d", 6_000, 90, since=chart.hour, not_before=chart.hour), **over)
    chart.state.contacts[contact.seeker, contact.quarry] = contact
    return contact


@pytest.mark.clause("G.CO1")
@pytest.mark.parametrize(
    ("band", "middle"),
    [("1", 1), ("2-4", 3), ("5-9", 7), ("10-19", Fraction(29, 2)), ("20-39", Fraction(59, 2)), ("40+", 60)],
)
def test_a_band_of_numbers_counts_as_its_middle(band: str, middle: Fraction) -> None:
    chart = met()
    assert odds(chart, chart.state.fleets["e"], seen(chart, band=band)) == Fraction(middle) / 2


@pytest.mark.clause("G.CO1")
def test_a_fleet_without_value_never_attacks_and_prizes_do_not_count() -> None:
    rows = [b.ship("e1", "ENG", "e", condition={"lost": 20}), b.ship("d1", "NLD", "d")]
    chart = met(ships=rows)
    assert odds(chart, chart.state.fleets["e"], seen(chart)) == 1_000_000
    rows = [
        b.ship("e1", "ENG", "e", card={"hull": 20, "value": 10}), b.ship("d1", "NLD", "d"),
        b.ship("f1", "ENG", "f", card={"hull": 20, "value": 20}, kind=ShipKind.FRIGATE),
        b.ship("n1", "ENG", "n", card={"hull": 20, "value": 900}, prize=True),
    ]  # fmt: skip
    chart = met(ships=rows)
    found = [mean_value(chart, "ENG", kinds) for kinds in (("line",), ("frigate",), ("merchant",), ())]
    assert found == [10, 20, 15, 15]
    assert mean_value(chart, "FRA", ()) == 0


@pytest.mark.clause("G.CO1")
@pytest.mark.parametrize(("greatest", "attacks"), [("0.5", True), ("0.49", False)])
def test_a_seeker_attacks_up_to_its_greatest_odds(greatest: str, attacks: bool) -> None:
    chart = met()
    seen(chart)
    fleet = chart.state.fleets["e"]
    fleet = chart.alter(fleet, order=replace(fleet.order, instructions=Instructions(greatest_odds=greatest)))
    assert wills(chart, fleet, chart.state.fleets["d"], None) is attacks


@pytest.mark.clause("G.CO1", "G.MV5")
@pytest.mark.parametrize(
    ("break_off", "lost", "against", "worn"),
    [
        (40, 7, "1.01", False), (40, 8, "1.01", True), (40, 8, "1", False), (99, 20, "1.01", True), (100, 20, "9", False),
        (40, 3, "2.01", False), (40, 4, "2.01", True), (40, 4, "2", False), (0, 0, "1.01", True),
    ],
)  # fmt: skip
def test_a_worn_fleet_attacks_no_stronger_enemy_than_its_captains_would_fight(
    break_off: int, lost: int, against: str, worn: bool
) -> None:
    """Two ships of 20 hull points that have lost so many each, and a prize that does not count."""
    rows = [
        b.ship("e1", "ENG", "e", condition={"lost": lost}), b.ship("e2", "ENG", "e", condition={"lost": lost}),
        b.ship("n1", "ENG", "e", condition={"lost": 19}, prize=True), b.ship("d1", "NLD", "d"),
    ]  # fmt: skip
    chart = met(ships=rows)
    told = Instructions(greatest_odds="99", doctrine=Doctrine(break_off=break_off))
    fleet = chart.state.fleets["e"]
    fleet = chart.alter(fleet, order=replace(fleet.order, instructions=told))
    assert too_worn(chart, fleet, Fraction(against)) is worn


@pytest.mark.clause("G.CO1", "G.MV5")
@pytest.mark.parametrize(("lost", "attacks"), [(9, True), (10, False)])
def test_a_worn_fleet_keeps_in_touch_with_a_stronger_enemy_instead_of_attacking(
    lost: int, attacks: bool
) -> None:
    chart = met(ships=[b.ship("e1", "ENG", "e", condition={"lost": lost}), b.ship("d1", "NLD", "d")])
    seen(chart)
    fleet = chart.state.fleets["e"]
    fleet = chart.alter(fleet, order=replace(fleet.order, instructions=Instructions(greatest_odds="9")))
    assert odds(chart, fleet, seen(chart)) <= 2
    assert wills(chart, fleet, chart.state.fleets["d"], None) is attacks


@pytest.mark.clause("G.CO1", "G.CO3")
def test_a_fleet_that_may_not_or_cannot_fight_or_has_broken_off_does_not_attack() -> None:
    chart = met()
    e, d = chart.state.fleets["e"], chart.state.fleets["d"]
    assert not wills(chart, e, d, None)
    seen(chart)
    assert wills(chart, e, d, None)
    assert wills(chart, replace(e, still_until=chart.hour), d, None)
    assert not wills(chart, replace(e, still_until=chart.hour + 1), d, None)
    for sees, gone in ((False, False), (True, True)):
        seen(chart, seen=sees, let_go=gone)
        assert not wills(chart, e, d, None)


@pytest.mark.clause("G.CO6")
@pytest.mark.parametrize(
    ("stance", "parting", "fights", "flees"),
    [(SEEK, "", True, False), (HOLD, "", True, False), (AVOID, "", False, True), (SEEK, "e", False, True),
     (HOLD, "d", True, False)],
)  # fmt: skip
def test_after_a_battle_all_fight_on_except_those_that_part_or_avoid(
    stance: Stance, parting: str, fights: bool, flees: bool
) -> None:
    chart = met(stance)
    contact = held(chart, after_battle=True, parting=parting)
    e, d = chart.state.fleets["e"], chart.state.fleets["d"]
    assert (wills(chart, e, d, contact), shuns(chart, e, d, contact)) == (fights, flees)


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(
    ("bearing", "above"), [(0, True), (67, True), (68, False), (292, False), (293, True), (180, False)]
)
def test_to_windward_means_within_67_and_a_half_degrees_of_the_winds_eye(bearing: int, above: bool) -> None:
    chart = met()
    assert to_windward(chart, bearing, chart.state.fleets["e"]) is above


@pytest.mark.clause("G.MV4", "G.CO7")
def test_company_means_friends_within_three_miles_on_the_chart_either_all_in_port_or_all_out() -> None:
    chart = met()
    e = chart.state.fleets["e"]
    assert [fleet.code for fleet in company_of(chart, e)] == ["e", "f"]
    chart.alter(chart.state.fleets["f"], position=Position("a", "b", 3_010))
    assert [fleet.code for fleet in company_of(chart, e)] == ["e"]
    chart.alter(chart.state.fleets["f"], position=Position("a"), off_until=chart.hour + 1)
    assert [fleet.code for fleet in company_of(chart, e)] == ["e"]
    chart.alter(chart.state.fleets["f"], position=Position("home", "a", 1_000), off_until=chart.hour)
    chart.alter(e, position=Position("home"))
    assert [fleet.code for fleet in company_of(chart, chart.state.fleets["e"])] == ["e"]
    chart.alter(chart.state.fleets["f"], position=Position("home"))
    assert [fleet.code for fleet in company_of(chart, chart.state.fleets["e"])] == ["e", "f"]


def why(chart: Chart) -> list[str]:
    return [event.data["why"] for event in chart.state.events if event.kind == "chase_ended"]


@pytest.mark.clause("G.CO2", "G.CO3", "G.WX3")
@pytest.mark.parametrize(
    ("over", "told"),
    [({}, []), ({"hidden": 1}, []), ({"hidden": 2}, ["out of sight"]), ({"since": 4 - 23}, []),
     ({"since": 4 - 24}, ["given up"]), ({"not_before": 5, "hidden": 2}, [])],
)  # fmt: skip
def test_a_chase_ends_after_two_hours_out_of_sight_or_the_hours_in_its_instructions(
    over: dict[str, int], told: list[str]
) -> None:
    chart = met()
    seen(chart)
    seen(chart, "d", "e")
    held(chart, **over)
    b.step(contact_step, chart)
    assert why(chart) == told
    assert bool(chart.state.contacts) is not bool(told)
    lost = told == ["out of sight"]
    assert (("e", "d") in chart.state.touches, ("d", "e") in chart.state.touches) == (not lost, not lost)
    if told == ["given up"]:
        assert chart.state.touches["e", "d"].let_go


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize("who", ["e", "d"])
def test_a_contact_with_a_fleet_off_the_chart_is_dropped_in_silence(who: str) -> None:
    chart = met()
    seen(chart)
    held(chart)
    chart.alter(chart.state.fleets[who], off_until=chart.hour + 1)
    b.step(contact_step, chart)
    assert (chart.state.contacts, why(chart)) == ({}, [])
    back = met()
    seen(back)
    held(back)
    back.alter(back.state.fleets[who], off_until=back.hour)
    b.step(contact_step, back)
    assert back.state.contacts


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(("bearing", "turned"), [(90, 270), (0, 180), (181, 1), (350, 170)])
def test_a_contact_is_reversed_when_only_the_other_means_to_fight(bearing: int, turned: int) -> None:
    chart = met(HOLD, SEEK)
    seen(chart, "d", "e", band="1")
    held(chart, bearing=bearing)
    chart.alter(chart.state.fleets["f"], position=Position("b", "n", 9_000))
    b.step(contact_step, chart)
    (contact,) = chart.state.contacts.values()
    assert (contact.seeker, contact.quarry, contact.bearing) == ("d", "e", turned)


@pytest.mark.clause("G.CO3")
def test_at_night_two_fleets_unwilling_to_fight_part_until_dawn_and_by_day_the_chase_ends() -> None:
    night = met(HOLD, HOLD, hour=16)
    held(night, after_battle=False)
    b.step(contact_step, night)
    assert (night.state.truces, why(night)) == ({("d", "e"): 24}, [])
    assert [(e.kind, e.knows, e.data["fleets"]) for e in night.state.events] == [
        ("parted", ("ENG",), ["e"]), ("parted", ("NLD",), ["d"]),
    ]  # fmt: skip
    doc = b.square_doc()
    doc["daylight"]["6"] = [7, 19]  # dark still at five in the morning
    early = met(HOLD, HOLD, hour=23, sea=read_theatre(doc))
    held(early)
    b.step(contact_step, early)
    assert early.state.truces == {("d", "e"): 24}
    day = met(HOLD, HOLD)
    held(day)
    b.step(contact_step, day)
    assert (day.state.truces, why(day)) == ({}, ["no wish to fight"])


@pytest.mark.clause("G.CO3")
def test_a_truce_ends_at_its_hour_and_a_night_contact_comes_to_gunshot_at_dawn() -> None:
    for until, stands in ((5, True), (4, False)):
        chart = met()
        chart.state.truces = {("d", "e"): until}
        seen(chart)
        b.step(contact_step, chart)
        assert bool(chart.state.truces) is stands
        assert bool(chart.state.contacts) is not stands
    for hour, far, night in ((24, 1_000, False), (23, 6_000, True), (20, 6_000, True)):
        chart = met(hour=hour)
        seen(chart)
        held(chart, night=True)
        b.step(contact_step, chart)
        (contact,) = chart.state.contacts.values()
        assert (contact.range, contact.night) == (far, night)
    near = met(hour=24)
    seen(near)
    held(near, night=True, range=400)
    b.step(contact_step, near)
    assert near.state.contacts["e", "d"].range == 400


@pytest.mark.clause("G.CO3")
@pytest.mark.parametrize(("free", "of", "chased"), [(5, ("e",), False), (4, ("e",), True), (5, ("f",), True)])
def test_an_escaped_fleet_is_not_chased_by_the_fleets_it_escaped(
    free: int, of: tuple[str, ...], chased: bool
) -> None:
    chart = met()
    seen(chart)
    chart.alter(chart.state.fleets["d"], free_until=free, free_from=of)
    b.step(contact_step, chart)
    assert bool(chart.state.contacts) is chased


@pytest.mark.clause("G.SI1")
def test_the_hour_at_which_two_tracks_are_nearest_is_found() -> None:
    lies = [(0, Point(5_000, 5_000))]
    assert nearest([(0, Point(0, 0)), (1000, Point(0, 10_000))], lies) == (3_000, 500)
    assert nearest([(0, Point(0, 0)), (1000, Point(0, 4_000))], lies) == (3_059, 1000)
    assert nearest([(0, Point(0, 6_000)), (1000, Point(0, 9_000))], lies) == (3_059, 0)
    assert nearest([(0, Point(0, 0))], lies) == (4_242, 0)
    corner = [(0, Point(0, 0)), (400, Point(0, 5_000)), (1000, Point(5_000, 5_000))]
    assert nearest(corner, lies) == (0, 1000)
    stops = [(0, Point(0, 0)), (500, Point(0, 5_000))]
    assert nearest(stops, lies) == (3_000, 500)
    assert nearest(lies, stops) == (3_000, 500)


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize(
    ("hour", "visibility", "over", "least"),
    [(4, "clear", {}, 3), (4, "haze", {}, 4), (4, "fog", {}, 6), (16, "clear", {}, 5), (16, "haze", {}, 5),
     (16, "fog", {}, 6), (4, "haze", {"see_at_haze": 2}, 3), (16, "fog", {"see_at_night": 7}, 7)],
)  # fmt: skip
def test_the_lowest_die_that_sights_is_right(
    hour: int, visibility: str, over: dict[str, int], least: int
) -> None:
    chart = met(hour=hour, settings=Settings(end_turn_on="none", **over))  # type: ignore[arg-type]
    sea = chart.state.weather["sea"]
    chart.state.weather["sea"] = replace(sea, visibility=type(sea.visibility)(visibility))
    assert least_to_sight(chart, chart.state.fleets["e"]) == least


@pytest.mark.clause("G.CO3")
@pytest.mark.parametrize(("until", "of", "sees"), [(5, ("e",), False), (4, ("e",), True), (5, ("f",), True)])
def test_an_escaped_fleet_is_not_sighted_by_the_fleets_it_escaped(
    until: int, of: tuple[str, ...], sees: bool
) -> None:
    chart = met(run=3_000)
    chart.alter(chart.state.fleets["d"], free_until=until, free_from=of)
    b.step(sighting_step, chart)
    assert (("e", "d") in chart.state.touches) is sees


@pytest.mark.clause("G.SI2")
def test_a_report_is_written_on_contact_at_each_watch_and_when_kinds_can_first_be_told() -> None:
    chart = met(run=5_000, hour=5)
    chart.alter(chart.state.fleets["f"], off_until=99)
    seen(chart, kinds=(), reported=4)
    seen(chart, "d", "e", kinds=("line",), reported=4)
    b.step(sighting_step, chart)
    assert [(r.side, r.hour, r.kinds, r.number) for r in chart.state.reports] == [("ENG", 6, ("line",), 1)]
    chart.state.hour = 6
    b.step(sighting_step, chart)
    assert len(chart.state.reports) == 1
    chart.state.hour = 8
    b.step(sighting_step, chart)
    assert sorted((r.side, r.hour) for r in chart.state.reports[1:]) == [("ENG", 9), ("NLD", 9)]
    (report,) = [r for r in chart.state.reports[1:] if r.side == "ENG"]
    assert (report.latitude, report.longitude) == (0, 108)


@pytest.mark.clause("G.SI1", "G.CO2")
def test_fleets_in_contact_look_at_the_range_of_the_chase_and_keep_contact_at_dusk() -> None:
    for far, sees in ((5_000, True), (12_001, False)):
        chart = met(run=30_000)
        chart.alter(chart.state.fleets["f"], off_until=99)
        seen(chart, reported=4)
        held(chart, range=far)
        b.step(sighting_step, chart)
        assert (("e", "d") in chart.state.touches) is sees
    dusk = met(hour=13)  # 19:00, the sun is down and night falls at 20:00
    dusk.alter(dusk.state.fleets["f"], off_until=99)
    touch = seen(dusk)
    held(dusk)
    b.step(sighting_step, dusk)
    assert dusk.state.touches == {("e", "d"): touch}
    night = met(hour=16)
    night.alter(night.state.fleets["f"], off_until=99)
    seen(night)
    held(night, night=True)
    b.step(sighting_step, night)
    assert set(night.state.touches) == {("e", "d")}


@pytest.mark.clause("G.SI2")
def test_a_fleet_under_way_has_the_course_of_its_passage() -> None:
    chart = met()
    d = chart.state.fleets["d"]
    assert course_of(chart, d) is None
    assert course_of(chart, replace(d, under_way=True)) == 90
    assert course_of(chart, replace(d, under_way=True, position=Position("a"))) is None


@pytest.mark.clause("G.SI1")
def test_land_hides_what_lies_behind_it_but_an_exempt_stretch_of_it_does_not() -> None:
    square = [Point(0, 40_000), Point(0, 60_000), Point(20_000, 60_000), Point(20_000, 40_000)]
    land = Land(lambda: [square])
    west, east, inside = Point(10_000, 0), Point(10_000, 100_000), Point(10_000, 50_000)
    assert land.hides(west, east)
    assert land.stretches(west, east) == ((400_000, 600_000),)
    assert land.stretches(west, inside) == ((800_000, 1_000_000),)
    assert land.stretches(inside, east) == ((0, 200_000),)
    assert land.stretches(west, Point(10_000, 40_000)) == ((1_000_000, 1_000_000),)
    assert not land.hides(west, Point(10_000, 39_999))
    assert not land.hides(Point(30_000, 0), Point(30_000, 100_000))
    # sixty miles: land from 24 to 36
    assert land.hides(west, east, spare=(35_000, 0))
    assert not land.hides(west, east, spare=(36_100, 0))
    assert land.hides(west, east, spare=(0, 35_000))
    assert not land.hides(west, east, spare=(0, 36_100))


def fought(change: Any = None, **fates: Any) -> Chart:
    """A battle between two English ships with a prize crew's worth of men and two Dutch ones, written back."""
    fleets = [b.fleet("e", "ENG", "a", stance=SEEK), b.fleet("d", "NLD", "a", to="b", run=900, stance=SEEK)]
    rows = [b.ship(f"{code}{n}", side, code) for code, side in (("e", "ENG"), ("d", "NLD")) for n in (1, 2)]
    made = b.facts(fleets, rows, weather=b.weather(), days=2)
    state, stop = turn.advance(made, turn.begin(made, {}, b.dice(made)), {}, b.dice(made))
    assert isinstance(stop, Battles)
    (call,) = stop.calls
    chart = Chart(made, state.copy(), b.dice(made))
    outcome = b.outcome_of(call, minutes=60, **fates)
    if change is not None:
        change(outcome)
    write_back(chart, call, outcome)
    return chart


@pytest.mark.clause("G.BT3")
def test_an_outcome_with_ships_that_were_never_sent_in_is_not_this_battles() -> None:
    def stranger(doc: dict[str, Any]) -> None:
        doc["ships"][0]["ship"] = "x9"

    with pytest.raises(OutcomeError, match=r"\((e1|d1), x9\)"):
        fought(stranger)


TAKEN: dict[str, Any] = {
    "fate": "captured",
    "captor": "ENG",
    "captor_ship": "e1",
    "prize_crew": 40,
    "prisoners": 200,
}


@pytest.mark.clause("G.PR1", "G.CR1")
@pytest.mark.parametrize(
    ("over", "crews", "men"),
    [({}, (260, 300), 40), ({"prize_crew": 301}, (0, 300), 300), ({"prize_crew": 0}, (300, 300), 0),
     ({"captor_ship": "e2"}, (300, 260), 40), ({"captor_ship": ""}, (300, 260), 40)],
)  # fmt: skip
def test_the_prize_crew_leaves_the_ship_that_took_her(
    over: dict[str, Any], crews: tuple[int, int], men: int
) -> None:
    chart = fought(d1={**TAKEN, **over})
    ships = chart.state.ships
    assert ((ships["e1"].men, ships["e2"].men), ships["d1"].men) == (crews, men)
    assert (ships["d1"].squadron, ships["d1"].order, ships["d1"].prize) == ("prizes", 0, True)
    assert chart.state.prizes["d1"].prisoners == 200
    assert chart.state.prizes["d1"].taken_from == "NLD"


@pytest.mark.clause("G.PR1")
def test_a_ship_that_cannot_send_a_crew_leaves_it_to_the_one_in_her_fleet_with_most_men() -> None:
    chart = fought(d1=TAKEN, e1={"fate": "sunk"})
    assert (chart.state.ships["e2"].men, chart.state.ships["d1"].men) == (260, 40)


@pytest.mark.clause("G.CR1")
def test_prisoners_never_exceed_the_men_aboard() -> None:
    assert fought(d1={**TAKEN, "prisoners": 10**6}).state.prizes["d1"].prisoners == 300


@pytest.mark.clause("G.BT3")
@pytest.mark.parametrize(("lost", "men"), [(0, 300), (1, 293), (10, 225), (20, 150)])
def test_the_rule_set_gives_the_men_left_and_halves_round_up(lost: int, men: int) -> None:
    assert fought(d1={"condition": {"lost": lost}}).state.ships["d1"].men == men
    assert fought(d1={"condition": {"lost": lost}, "men": 7}).state.ships["d1"].men == 7


@pytest.mark.clause("G.BT2", "G.CL2")
def test_after_an_hours_battle_the_fleets_are_back_and_the_leaders_of_both_sides_meet() -> None:
    chart = fought()
    (ended,) = (event.hour for event in chart.state.events if event.kind == "battle_ended")
    assert {fleet.off_until for fleet in chart.state.fleets.values()} == {ended}
    (contact,) = chart.state.contacts.values()
    assert (contact.range, contact.bearing, contact.parting) == (1_000, 90, "")
    assert (contact.since, contact.not_before) == (ended, ended + 1)
    assert contact.after_battle
    assert chart.state.ships["d1"].fate is Fate.AFLOAT
