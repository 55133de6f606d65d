"""Flight before a battle, chases at long shot, and what fleets do after a battle that was left to them to judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.crews import prize_crew
from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.battle import flight
from campaign.rules.battle.scenario import battle_step
from campaign.rules.battle.writeback import write_back
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Position, Settings, Visibility
from campaign.rules.contact.chase import movement_step
from campaign.rules.contact.contact import contact_step, odds
from campaign.rules.contact.general_chase import general_chase_step
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.state import AGROUND, Contact, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.snapshots import stored_settings
from tests.campaign.rules import builders as b

SEEK, HOLD, AVOID = Stance.SEEK, Stance.HOLD, Stance.AVOID
BOLD = Instructions(greatest_odds="99")
SLOW = {"lost": 10}  # two thirds of her speed: 3 knots for 4.5


def met(
    stance: Stance = AVOID,
    *,
    seekers: int = 4,
    quarries: int = 3,
    hurt: Iterable[str] = (),
    faces: Iterable[int] = (),
    told: Instructions = BOLD,
    settings: Settings | None = None,
    **over: Any,
) -> Chart:
    """English ships at a are at gunshot of Dutch ones a mile to the east, at ten in the morning, wind abeam."""
    fleets = [
        b.fleet("e", "ENG", "a", order=FleetOrder("e", (), SEEK, instructions=BOLD)),
        b.fleet("d", "NLD", "a", to="b", run=1_000, order=FleetOrder("d", ("b", "c"), stance, instructions=told)),
    ]  # fmt: skip
    sheets = [b.ship(f"e{n}", "ENG", "e", order=n) for n in range(seekers)]
    sheets += [b.ship(f"d{n}", "NLD", "d", order=n) for n in range(quarries)]
    sheets = [replace(sheet, condition=SLOW) if sheet.code in hurt else sheet for sheet in sheets]
    made = b.facts(
        fleets, sheets, weather=b.weather(0), settings=settings or Settings(end_turn_on="none"), **over
    )
    state = turn.begin(made, {}, b.dice(made))
    state.hour = 4
    for one, other, sail in (("e", "d", quarries), ("d", "e", seekers)):
        state.touches[one, other] = Touch(one, other, True, 1, 1_000, 0, _band(sail), ("line",))
    state.contacts["e", "d"] = Contact("e", "d", 1_000, 90, since=3)
    state.events.clear()
    return Chart(made, state, ScriptedDice(faces))


def _band(sail: int) -> str:
    return "1" if sail == 1 else "2-4" if sail < 5 else "5-9"


def told(chart: Chart, kind: str) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    return [(event.knows, dict(event.data)) for event in chart.state.events if event.kind == kind]


def fights(chart: Chart) -> bool:
    b.step(battle_step, chart)
    return bool(chart.state.calls)


@pytest.mark.clause("G.KT4")
def test_a_fleet_that_avoids_is_not_brought_to_action_by_one_as_fast() -> None:
    chart = met()
    assert not fights(chart)
    contact = chart.state.contacts["e", "d"]
    assert (contact.long_shot, contact.range) == (True, 1_000)
    assert [(knows, data["fleet"], data["flies"]) for knows, data in told(chart, "not_overhauled")] == [
        (("ENG",), "e", False), (("NLD",), "d", True),
    ]  # fmt: skip
    again = met(faces=(1,) * 5)
    again.state.contacts["e", "d"] = contact
    assert not fights(again) and not told(again, "not_overhauled")


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(
    ("seekers", "instruction", "strikes"), [(2, "fly", True), (1, "fly", False), (2, "stand", False)]
)
def test_a_quarry_that_is_overhauled_against_four_times_its_strength_strikes(
    seekers: int, instruction: str, strikes: bool
) -> None:
    """A ship that has lost so much is worth half: two seekers are four to one of it."""
    chart = met(seekers=seekers, quarries=1, hurt=("d0",), told=replace(BOLD, hopeless=instruction))
    assert chart.value("e") / chart.value("d") == 2 * seekers
    assert fights(chart) is not strikes
    ship = chart.state.ships["d0"]
    assert (ship.side, ship.prize, ship.fleet) == (("ENG", True, "e") if strikes else ("NLD", False, "d"))
    assert bool(told(chart, "captured")) is strikes
    if strikes:
        assert chart.state.fleets["d"].ended
        assert ship.men == prize_crew(chart.state.prizes["d0"].prisoners, chart.facts.ships["d0"].complement)


def under(chart: Chart, visibility: Visibility) -> Chart:
    """The same chart, with the sea so clear."""
    zones = chart.state.weather
    chart.state.weather = {zone: replace(there, visibility=visibility) for zone, there in zones.items()}
    return chart


def surprised(stance: Stance, seekers: int, quarries: int, hopeless: str, fog: Visibility) -> Chart:
    """Dutch ships at gunshot that have not seen who comes, as fast as their pursuers."""
    chart = met(stance, seekers=seekers, quarries=quarries, told=replace(BOLD, hopeless=hopeless))
    chart.state.touches["d", "e"] = Touch("d", "e")
    return under(chart, fog)


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(
    ("seekers", "stance", "instruction", "strikes"),
    [(4, AVOID, "fly", True), (3, AVOID, "fly", False), (4, HOLD, "fly", False), (4, AVOID, "stand", False)],
)
def test_a_quarry_that_avoids_and_has_seen_no_one_come_in_a_fog_is_caught(
    seekers: int, stance: Stance, instruction: str, strikes: bool
) -> None:
    """As fast as its pursuers, it would get away if it knew of them."""
    chart = surprised(stance, seekers, 1, instruction, Visibility.FOG)
    assert fights(chart) is not strikes
    assert chart.state.ships["d0"].prize is strikes


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize("visibility", [Visibility.CLEAR, Visibility.HAZE])
@pytest.mark.parametrize(
    ("seekers", "stance", "instruction", "runs"),
    [
        (3, AVOID, "fly", True),
        (3, AVOID, "stand", True),
        (3, HOLD, "fly", False),
        (4, HOLD, "fly", True),
        (4, SEEK, "fly", True),
        (4, HOLD, "stand", False),
    ],
)
def test_within_gunshot_by_day_a_quarry_sees_who_comes_and_counts_them(
    seekers: int, stance: Stance, instruction: str, runs: bool, visibility: Visibility
) -> None:
    chart = surprised(stance, seekers, 1, instruction, visibility)
    assert fights(chart) is not runs
    assert not told(chart, "captured")


@pytest.mark.clause("G.CO6", "G.KT4")
@pytest.mark.parametrize(
    ("hour", "minutes", "fought"),
    [(4, 60, True), (4, 300, True), (4, 301, False), (12, 5, True), (13, 5, False)],
)
def test_no_battle_begins_for_which_the_day_leaves_fewer_than_two_turns_or_an_hour_and_a_half(
    monkeypatch: pytest.MonkeyPatch, hour: int, minutes: int, fought: bool
) -> None:
    """At ten in the morning ten hours are left of a day in June."""
    chart = met(HOLD)
    chart.state.hour = hour
    monkeypatch.setattr(type(chart), "minutes_a_turn", minutes)
    assert fights(chart) is fought


@pytest.mark.clause("G.KT4")
def test_without_the_option_every_contact_at_gunshot_is_a_battle() -> None:
    assert fights(met(settings=b.settings()))


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(("overhaul", "fought"), [("1.5", True), ("1.51", False), ("0.5", True)])
def test_a_gain_of_the_knots_in_the_settings_brings_it_to_action(overhaul: str, fought: bool) -> None:
    assert fights(met(hurt=("d1",), settings=Settings(overhaul=overhaul))) is fought


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(("seekers", "stance", "runs"), [(8, HOLD, False), (9, HOLD, True), (9, SEEK, True)])
def test_a_fleet_told_to_fight_runs_from_odds_of_four_as_it_reckons_them(
    seekers: int, stance: Stance, runs: bool
) -> None:
    """Five to nine sail count as seven: against two ships 3.5, against one 7."""
    chart = met(stance, seekers=seekers, quarries=1 if runs else 2)
    assert fights(chart) is not runs


@pytest.mark.clause("G.KT4")
def test_odds_of_exactly_four_are_hopeless_and_a_fleet_may_be_told_to_stand() -> None:
    assert not fights(met(HOLD, seekers=9, quarries=1, settings=Settings(stand_odds="7")))
    assert fights(met(HOLD, seekers=9, quarries=1, settings=Settings(stand_odds="7.01")))
    assert fights(met(HOLD, seekers=9, quarries=1, told=replace(BOLD, hopeless="stand")))


@pytest.mark.clause("G.KT4", "G.CO1")
@pytest.mark.parametrize(
    ("break_off", "hopeless", "runs"), [(25, "fly", True), (26, "fly", False), (25, "stand", True)]
)
def test_a_fleet_whose_captains_would_leave_at_once_runs_from_a_stronger_enemy(
    break_off: int, hopeless: str, runs: bool
) -> None:
    """Two ships that have lost a quarter of their hulls, and three as fast: two to one, which is not hopeless."""
    told = replace(BOLD, hopeless=hopeless, doctrine=replace(BOLD.doctrine, break_off=break_off))
    chart = met(HOLD, seekers=3, quarries=2, told=told)
    for code in ("d0", "d1"):
        chart.state.ships[code] = replace(chart.state.ships[code], condition={"lost": 5})
    chart.ships_changed()
    assert fights(chart) is not runs


def cornered(seekers: int, quarries: int, stand_odds: str = "4") -> Chart:
    """Dutch ships told to hold, within gunshot of the enemy where no passage leads away from them."""
    chart = met(HOLD, seekers=seekers, quarries=quarries, settings=Settings(stand_odds=stand_odds))
    chart.alter(chart.state.fleets["d"], position=Position("n"))
    chart.state.contacts["e", "d"] = Contact("e", "d", 1_000, 0, since=3)
    return chart


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(("seekers", "odds", "strikes"), [(8, "8", True), (8, "8.01", False)])
def test_a_quarry_that_has_nowhere_to_run_strikes_to_hopeless_odds(
    seekers: int, odds: str, strikes: bool
) -> None:
    """It runs because it avoids. Eight sail are reported as seven, against which it would stand at both odds."""
    chart = cornered(seekers, 1, stand_odds=odds)
    chart.alter(chart.state.fleets["d"], order=FleetOrder("d", ("b",), AVOID, instructions=BOLD))
    assert fights(chart) is not strikes
    assert chart.state.ships["d0"].prize is strikes


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(("seekers", "quarries", "stance"), [(5, 2, "avoid"), (4, 3, "hold")])
def test_a_quarry_that_flies_and_is_cornered_avoids_in_the_battle_whatever_it_was_told(
    seekers: int, quarries: int, stance: str
) -> None:
    """Five sail are reported as seven, so that two ships reckon with more than three times their strength."""
    chart = cornered(seekers, quarries, stand_odds="3")
    assert fights(chart)
    (call,) = chart.state.calls
    dutch = next(side for side in call.scenario["sides"] if side["id"] == "NLD")
    assert dutch["doctrine"]["stance"] == stance
    assert [squadron["doctrine"]["stance"] for squadron in dutch["squadrons"]] == [stance]
    assert chart.state.fleets["d"].order.stance is HOLD


@pytest.mark.clause("G.KT4")
def test_ships_that_are_left_astern_avoid_in_the_battle() -> None:
    doctrine = replace(BOLD.doctrine, break_off=15)
    told = replace(BOLD, slowest="leave", hopeless="stand", doctrine=doctrine)
    chart = met(HOLD, seekers=4, quarries=3, told=told, hurt=("d0",))
    assert fights(chart)
    assert chart.state.calls[0].scenario["sides"][1]["doctrine"]["stance"] == "avoid"


@pytest.mark.clause("G.KT4")
def test_a_fleet_that_cannot_run_is_fought() -> None:
    anchored = met()
    anchored.alter(anchored.state.fleets["d"], position=Position("n"), order=FleetOrder("d", (), AVOID))
    assert fights(anchored)
    assert not flight.anchored(anchored, replace(anchored.state.fleets["d"], under_way=True))
    aground = met()
    aground.state.mark("d1", AGROUND)
    assert fights(aground)
    cornered = met()
    cornered.alter(cornered.state.fleets["d"], position=Position("n"))
    cornered.state.contacts["e", "d"] = Contact("e", "d", 1_000, 0, since=3)
    assert fights(cornered)


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(("run", "fought"), [(4_000, True), (4_100, False)])
def test_an_escort_does_not_desert_a_charge_in_company(run: int, fought: bool) -> None:
    chart = met()
    order = replace(chart.state.fleets["d"].order, on_arrival=OnArrival.ESCORT, target="x")
    chart.alter(chart.state.fleets["d"], order=order)
    charge = replace(
        chart.state.fleets["d"],
        code="x",
        position=Position("a", "b", run),
        order=FleetOrder("x", ("b",), AVOID),
    )
    chart.state.fleets["x"] = charge
    assert fights(chart) is fought


@pytest.mark.clause("G.KT4", "G.MV5")
def test_the_battle_is_with_the_ships_that_are_left_astern() -> None:
    chart = met(hurt=("d1",), told=replace(BOLD, slowest="leave", hopeless="stand"))
    assert fights(chart)
    (call,) = chart.state.calls
    ships = [
        ship["id"]
        for side in call.scenario["sides"]
        if side["id"] == "NLD"
        for s in side["squadrons"]
        for ship in s["ships"]
    ]
    assert ships == ["d1"]


@pytest.mark.clause("G.CO2", "G.KT4")
@pytest.mark.parametrize(("hurt", "left"), [(("d0", "d1", "d2"), 3), (("d0", "d1", "d2", "d3"), 0)])
def test_three_quarters_of_a_fleet_can_be_left_astern_and_no_more(hurt: tuple[str, ...], left: int) -> None:
    chart = met(quarries=len(hurt) + 1, hurt=hurt, told=replace(BOLD, slowest="leave"))
    assert fights(chart)
    parted = [code for code in chart.state.fleets if code.startswith("NLD-")]
    assert [len(chart.ships_of(code)) for code in parted] == ([left] if left else [])


@pytest.mark.clause("G.CO2", "G.KT4")
@pytest.mark.parametrize(("setting", "left"), [("on", False), ("off", True)])
def test_no_ship_is_left_before_the_pursuers_are_within_gunshot(setting: str, left: bool) -> None:
    settings = Settings(end_turn_on="none", flight=setting)
    chart = met(hurt=("d1",), told=replace(BOLD, slowest="leave"), settings=settings)
    chart.state.contacts["e", "d"] = replace(chart.state.contacts["e", "d"], range=5_000)
    b.step(general_chase_step, chart)
    assert bool(told(chart, "left_astern")) is left


@pytest.mark.clause("G.KT4")
@pytest.mark.parametrize(("seekers", "strikes"), [(2, True), (1, False)])
def test_ships_that_are_left_astern_strike_to_hopeless_odds_for_those_who_sail_on_are_no_help(
    seekers: int, strikes: bool
) -> None:
    """The ship is worth half, and the two that sail on are worth two."""
    chart = met(seekers=seekers, hurt=("d1",), told=replace(BOLD, slowest="leave"))
    assert fights(chart) is not strikes
    assert chart.state.ships["d1"].prize is strikes
    assert [ship.code for ship in chart.ships_of("d")] == ["d0", "d2"]


def long_shot(chart: Chart, **over: Any) -> Contact:
    contact = replace(chart.state.contacts["e", "d"], long_shot=True, **over)
    chart.state.contacts["e", "d"] = contact
    return contact


@pytest.mark.clause("G.KT4", "G.CO2")
def test_a_chase_at_long_shot_continues_at_its_range_without_a_throw() -> None:
    chart = met(HOLD)
    long_shot(chart)
    b.step(movement_step, chart)
    assert chart.state.contacts["e", "d"].range == 1_000
    assert chart.state.fleets["d"].position.run == 5_500
    faster = met(hurt=("d0",))
    long_shot(faster)
    b.step(movement_step, faster)
    assert faster.state.contacts["e", "d"].range == 1_000
    slower = met(hurt=("e0",))
    long_shot(slower)
    b.step(movement_step, slower)
    assert slower.state.contacts["e", "d"].range == 2_500


@pytest.mark.clause("G.KT4", "G.CO2")
def test_beyond_gunshot_equal_speeds_are_thrown_for() -> None:
    chart = met(faces=(2, 5))
    long_shot(chart, range=3_000)
    b.step(movement_step, chart)
    assert chart.state.contacts["e", "d"].range == 4_000


@pytest.mark.clause("G.KT4")
def test_a_quarry_at_long_shot_means_neither_to_attack_nor_to_wait() -> None:
    chart = met(SEEK, seekers=9, quarries=1)
    contact = long_shot(chart, after_battle=True)
    b.step(contact_step, chart)
    assert chart.state.contacts == {("e", "d"): contact}
    alone = met(SEEK, seekers=9, quarries=1, told=Instructions(greatest_odds="0.1"))
    long_shot(alone, after_battle=True)
    alone.alter(alone.state.fleets["e"], still_until=9)
    b.step(contact_step, alone)
    assert ("d", "e") not in alone.state.contacts


@pytest.mark.clause("G.KT5")
def test_three_leaders_and_two_at_the_stern_throw_for_a_hit_and_a_six_again_brings_down_a_mast() -> None:
    chart = met(seekers=5, quarries=4, faces=(6, 6, 5, 6, 5, 6, 1, 5))
    long_shot(chart)
    assert not fights(chart)
    hit, stern = chart.state.ships["d3"].condition, chart.state.ships["e0"].condition
    assert (hit["lost"], hit["masts"]) == (2, 1)
    assert (stern["lost"], stern.get("masts", 0)) == (1, 0)
    assert told(chart, "long_shot") == [
        (("ENG",), {"fleet": "e", "hits": 2, "masts": 1, "near": "a"}),
        (("NLD",), {"fleet": "d", "hits": 1, "masts": 0, "near": "a"}),
    ]
    assert [(knows, data["ships"], data["hits"]) for knows, data in told(chart, "hit_at_long_shot")] == [
        (("NLD",), ["d3"], 2), (("ENG",), ["e0"], 1),
    ]  # fmt: skip


@pytest.mark.clause("G.KT5")
def test_prizes_do_not_fire_and_small_fleets_fire_with_what_they_have() -> None:
    chart = met(seekers=2, quarries=2, faces=(1, 1, 1))
    chart.state.ships["d1"] = replace(chart.state.ships["d1"], prize=True)
    chart.ships_changed()
    long_shot(chart)
    assert not fights(chart)
    none = met(quarries=1)
    none.state.ships["d0"] = replace(none.state.ships["d0"], prize=True)
    none.ships_changed()
    long_shot(none)
    assert not fights(none)


@pytest.mark.clause("G.KT5")
@pytest.mark.parametrize("weather", [b.weather(0, visibility="fog"), b.weather(0, "gale")])
def test_no_one_fires_at_long_shot_in_fog_or_a_gale(weather: dict[str, Any]) -> None:
    chart = met(faces=())
    chart.state.weather["sea"] = replace(chart.state.weather["sea"])
    made = b.facts([], [], weather=weather)
    chart.state.weather["sea"] = turn.standing(made).weather["sea"]
    assert flight._long_shots(chart, long_shot(chart))


@pytest.mark.clause("G.KT5")
def test_a_long_shot_may_sink_the_last_ship_of_a_fleet_and_end_the_chase() -> None:
    chart = met(seekers=1, quarries=1, faces=(6, 1, 1))
    chart.state.ships["d0"] = replace(chart.state.ships["d0"], condition={"lost": 19})
    long_shot(chart)
    assert not fights(chart)
    assert chart.state.fleets["d"].ended and chart.state.ships["d0"].fate == "sunk"
    ((knows, data),) = told(chart, "lost")
    assert (knows, data["cause"]) == (("NLD",), "by a long shot")


@pytest.mark.clause("G.KT5")
def test_after_a_hit_on_the_rigging_the_chase_gains_and_there_is_a_battle() -> None:
    stand = replace(BOLD, hopeless="stand")
    chart = met(seekers=3, quarries=1, faces=(6, 1, 1, 1, 1), told=stand)
    chart.state.ships["d0"] = replace(chart.state.ships["d0"], condition={"lost": 9})
    chart.ships_changed()
    long_shot(chart)
    assert fights(chart)


def after(chart: Chart, *, minutes: int = 60, **fates: dict[str, Any]) -> Chart:
    """The chart after the battle in which fleets that do not fly have met."""
    settings = chart.facts.settings
    chart.facts = replace(chart.facts, settings=replace(settings, flight="off"))
    assert fights(chart)
    chart.facts = replace(chart.facts, settings=settings)
    (call,) = chart.state.calls
    chart.state.events.clear()
    write_back(chart, call, b.outcome_of(call, minutes=minutes, **fates))
    return chart


def parting(chart: Chart) -> set[str]:
    return {contact.parting for contact in chart.state.contacts.values()}


@pytest.mark.clause("G.KT5", "G.CO6")
@pytest.mark.parametrize(
    ("stance", "seekers", "quarries", "kept_away"),
    [(AVOID, 2, 3, "d"), (HOLD, 3, 2, "d"), (HOLD, 2, 3, "e"), (SEEK, 3, 3, "d")],
)
def test_a_battle_without_a_hit_is_parted_by_who_avoids_or_else_by_the_weaker(
    stance: Stance, seekers: int, quarries: int, kept_away: str
) -> None:
    chart = after(met(stance, seekers=seekers, quarries=quarries))
    weaker_is_first = seekers == quarries
    assert parting(chart) == {"e" if weaker_is_first and kept_away == "e" else kept_away}
    ((key, contact),) = chart.state.contacts.items()
    assert contact.range == 3_000 and contact.quarry == kept_away and len(key) == 2
    assert chart.state.shy == {("d", "e"): 5 + 24}
    assert [knows for knows, _ in told(chart, "no_action")] == [("ENG", "NLD")] and not told(chart, "renewed")


@pytest.mark.clause("G.KT5")
@pytest.mark.parametrize(
    "fate",
    [
        {"condition": {"lost": 1}},
        {"condition": {"lost": 0, "masts": 1}},
        {"fate": "sunk", "condition": {"lost": 20}},
    ],
)
def test_a_battle_in_which_a_ship_was_hurt_is_no_flight(fate: dict[str, Any]) -> None:
    chart = after(met(HOLD), d0=fate)
    assert not told(chart, "no_action") and chart.state.shy == {}


@pytest.mark.clause("G.KT5")
def test_old_damage_does_not_count_as_action_and_without_the_option_no_flight_is_reported() -> None:
    assert told(after(met(HOLD, hurt=("d0", "e1"))), "no_action")
    assert not told(after(met(HOLD, settings=Settings(flight="off"))), "no_action")


@pytest.mark.clause("G.KT5")
@pytest.mark.parametrize(("hurt", "shy", "fought"), [((), 5, False), (("d0",), 5, True), (("d0",), 4, True)])
def test_a_shy_fleet_has_to_be_gained_on_by_a_knot(hurt: tuple[str, ...], shy: int, fought: bool) -> None:
    chart = met(HOLD, hurt=hurt)
    chart.state.shy["d", "e"] = shy
    assert fights(chart) is fought


@pytest.mark.clause("G.CO1")
@pytest.mark.parametrize(
    ("odds", "quarries", "fog", "fought"),
    [
        ("1.5", 6, Visibility.CLEAR, True),
        ("1.49", 6, Visibility.HAZE, False),
        ("1.49", 6, Visibility.FOG, True),
        ("1.49", 5, Visibility.CLEAR, True),
    ],
)
def test_a_seeker_gives_up_a_chase_when_it_sees_at_gunshot_that_the_enemy_is_too_strong(
    odds: str, quarries: int, fog: Visibility, fought: bool
) -> None:
    """A single sail was reported; four ships meet six."""
    chart = under(met(HOLD, quarries=quarries), fog)
    seeker = chart.state.fleets["e"]
    told_so = replace(seeker.order, instructions=Instructions(greatest_odds=odds))
    chart.alter(seeker, order=told_so)
    chart.state.touches["e", "d"] = replace(chart.state.touches["e", "d"], band="1")
    assert fights(chart) is fought
    assert [data["why"] for _, data in told(chart, "chase_ended")] == ([] if fought else ["too strong"])
    assert chart.state.touches["e", "d"].let_go is not fought
    if not fought:
        b.step(contact_step, chart)
        assert not chart.state.contacts


@pytest.mark.clause("G.CO1")
@pytest.mark.parametrize(("seekers", "parting", "left"), [(4, "", False), (3, "", True), (3, "d", False)])
def test_a_worn_seeker_gives_up_a_stronger_enemy_but_keeps_after_one_that_has_parted_from_a_battle(
    seekers: int, parting: str, left: bool
) -> None:
    """A third of three ships or more is gone, and the instructions let a tenth be lost: it takes on its equal and no more."""
    worn = Doctrine(break_off=10)
    chart = met(HOLD, seekers=seekers, quarries=3, hurt=("e0", "e1"))
    seeker = chart.state.fleets["e"]
    chart.alter(
        seeker, order=replace(seeker.order, instructions=Instructions(greatest_odds="9", doctrine=worn))
    )
    chart.state.touches["e", "d"] = replace(chart.state.touches["e", "d"], band="1")
    if parting:
        contact = chart.state.contacts["e", "d"]
        chart.state.contacts["e", "d"] = replace(contact, after_battle=True, parting=parting)
    assert (chart.value("d") / chart.value("e") <= 1) is (seekers == 4)
    assert fights(chart) is (seekers == 4)
    assert bool(told(chart, "chase_ended")) is left


@pytest.mark.clause("G.KT4", "G.KT5")
def test_the_gain_has_to_be_so_many_knots_and_so_great_a_share_of_the_seekers_speed() -> None:
    """Half a knot and a quarter; within the hours of a shy fleet a knot and a third."""
    chart = met(HOLD)
    contact = chart.state.contacts["e", "d"]
    for hour, chases, least in (
        (4, 1_000, 500), (4, 2_000, 500), (4, 4_500, 1_125), (5, 1_000, 1_000), (5, 3_000, 1_000), (5, 4_500, 1_500),
    ):  # fmt: skip
        chart.state.shy["d", "e"] = hour
        assert flight._least_gain(chart, contact, chases) == least
    assert flight.flies(chart, chart.state.contacts["e", "d"])
    chart.state.shy["d", "e"] = 4
    b.step(contact_step, chart)
    assert chart.state.shy == {}
    chart.state.shy["d", "e"] = 5
    b.step(contact_step, chart)
    assert chart.state.shy == {("d", "e"): 5}


@pytest.mark.clause("G.KT5")
def test_a_shy_fleet_that_seeks_battle_now_does_not_run() -> None:
    chart = met(SEEK)
    chart.state.shy["d", "e"] = 5
    assert fights(chart)


HURT = {"e0": {"condition": {"lost": 1}}}


@pytest.mark.clause("G.KT6")
@pytest.mark.parametrize(
    ("seekers", "quarries", "parts"), [(3, 3, {""}), (4, 3, {"d"}), (3, 4, {"e"})]
)  # a point of hull lost in e0 is two of her forty: 118 to 120 is less than one
def test_a_fleet_left_to_judge_renews_a_battle_when_it_is_as_strong(
    seekers: int, quarries: int, parts: set[str]
) -> None:
    even = {**HURT, "d0": {"condition": {"lost": 1}}}
    assert parting(after(met(HOLD, seekers=seekers, quarries=quarries), **even)) == parts


@pytest.mark.clause("G.KT6")
def test_the_ratio_is_a_setting_and_as_much_as_it_is_enough() -> None:
    hurt = {"d0": {"condition": {"lost": 20}, "fate": "sunk"}}
    for ratio, parts in (("0.66", {""}), ("0.67", {"d"})):
        assert parting(after(met(HOLD, seekers=3, settings=Settings(renew_ratio=ratio)), **hurt)) == parts


@pytest.mark.clause("G.KT6")
def test_told_to_renew_or_by_the_campaigns_setting_the_weaker_renews_too() -> None:
    renew = replace(BOLD, after_battle="renew")
    assert parting(after(met(HOLD, seekers=9, told=renew), **HURT)) == {""}
    chart = met(HOLD, seekers=9, settings=Settings(after_battle_default="renew"))
    assert parting(after(chart, **HURT)) == {""}
    part = replace(BOLD, after_battle="part")
    assert parting(after(met(HOLD, seekers=4, told=part), **HURT)) == {"d"}


@pytest.mark.clause("G.KT6", "G.CO6")
def test_an_escort_left_to_judge_parts_and_so_does_who_has_lost_what_it_was_told_to_bear() -> None:
    chart = met(HOLD, seekers=3)
    order = replace(chart.state.fleets["d"].order, on_arrival=OnArrival.ESCORT, target="x")
    chart.alter(chart.state.fleets["d"], order=order)
    assert parting(after(chart, **HURT, d0={"condition": {"lost": 1}})) == {"d"}
    frail = replace(BOLD, doctrine=Doctrine(break_off=10))
    ready = Settings(renew_ratio="0.1")
    for lost, parts in ((5, {""}), (6, {"d"})):
        chart = met(HOLD, told=frail, settings=ready)
        assert parting(after(chart, d0={"condition": {"lost": lost}})) == parts


@pytest.mark.clause("G.KT6")
def test_after_three_renewals_in_a_row_both_part_and_the_count_begins_again() -> None:
    even = {**HURT, "d0": {"condition": {"lost": 1}}}
    for times, most, ends in ((2, 3, False), (3, 3, True), (0, 1, False), (1, 1, True)):
        chart = met(HOLD, seekers=3, settings=Settings(renew_most=most))
        chart.state.contacts["e", "d"] = replace(chart.state.contacts["e", "d"], after_battle=True)
        chart.state.renewals["d", "e"] = times
        after(chart, **even)
        assert bool(told(chart, "parted")) is ends
        assert chart.state.renewals == ({} if ends else {("d", "e"): times + 1})
        assert bool(chart.state.truces) is ends


@pytest.mark.clause("G.KT6")
def test_a_new_meeting_counts_its_renewals_from_the_beginning() -> None:
    even = {**HURT, "d0": {"condition": {"lost": 1}}}
    chart = met(HOLD, seekers=3)
    chart.state.renewals["d", "e"] = 3
    assert after(chart, **even).state.renewals == {("d", "e"): 1}
    old = met(HOLD, seekers=3, settings=Settings(after_battle_default="renew"))
    old.state.contacts["e", "d"] = replace(old.state.contacts["e", "d"], after_battle=True)
    old.state.renewals["d", "e"] = 3
    assert told(after(old, **even), "renewed")


@pytest.mark.clause("G.KT5", "G.KT6", "G.CL2")
def test_what_was_counted_continues_from_turn_to_turn() -> None:
    state = TurnState("trial", 1, 0, 24)
    state.shy["a", "b"], state.renewals["a", "b"] = 30, 2
    again = TurnState.from_dict(state.to_dict())
    assert (again.shy, again.renewals) == ({("a", "b"): 30}, {("a", "b"): 2})
    copy = state.copy()
    copy.shy.clear()
    copy.renewals.clear()
    assert state.shy and state.renewals


@pytest.mark.clause("G.KT4", "G.KT6", "G.UM3")
def test_a_turn_from_before_is_read_with_the_rules_of_its_time() -> None:
    then = stored_settings({"turn_days": 2})
    assert (then.turn_days, then.flight, then.after_battle_default) == (2, "off", "renew")
    now = stored_settings({"flight": "on", "after_battle_default": "auto"})
    assert (now.flight, now.after_battle_default) == ("on", "auto")


@pytest.mark.clause("G.KT4")
def test_hopeless_is_fly_or_stand_and_nothing_else() -> None:
    made = b.facts([b.fleet("e", "ENG", "a")])
    order = FleetOrder("e", instructions=Instructions(hopeless="pray"))
    assert [fault.clause for fault in order_faults(made, order, "ENG")] == ["G.MV5"]


@pytest.mark.clause("G.CO1", "G.MV4")
@pytest.mark.parametrize(
    ("run", "observer", "sees", "times"),
    [(4_000, "e", True, 2), (4_100, "e", True, 1), (4_000, "e", False, 1), (4_000, "f", True, 1)],
)
def test_enemies_seen_in_company_count_together(run: int, observer: str, sees: bool, times: int) -> None:
    chart = met(HOLD)
    chart.state.fleets["x"] = replace(chart.state.fleets["d"], code="x", position=Position("a", "b", run))
    chart.state.touches[observer, "x"] = Touch(observer, "x", sees, 2, run, 0, "2-4", ("line",))
    found = odds(chart, chart.state.fleets["e"], chart.state.touches["e", "d"])
    assert found == times * Fraction(3 * 40, 4 * 40)


@pytest.mark.clause("G.CO1", "G.CO7")
def test_fleets_that_avoid_neither_count_for_an_attack_nor_take_part_in_it() -> None:
    for stance, count in ((HOLD, 2), (SEEK, 2), (AVOID, 1)):
        chart = met(SEEK)
        e = chart.state.fleets["e"]
        chart.state.fleets["f"] = replace(e, code="f", order=FleetOrder("f", (), stance))
        for n in range(2):
            chart.state.ships[f"f{n}"] = replace(chart.state.ships["e0"], code=f"f{n}", fleet="f")
        chart.facts = replace(
            chart.facts,
            ships={**chart.facts.ships, **{f"f{n}": b.ship(f"f{n}", "ENG", "f") for n in range(2)}},
        )
        chart.ships_changed()
        own = 6 if count == 2 else 4
        assert odds(chart, e, chart.state.touches["e", "d"]) == Fraction(3, own)
        assert fights(chart)
        assert len(chart.state.calls[0].fleets["ENG"]) == count
