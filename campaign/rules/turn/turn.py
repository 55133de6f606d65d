"""A campaign turn as two pure functions on a storable state: `begin`, then `advance` until the turn is done. Rules: G.CL1, G.CL2.

Dice are passed in again at every call: their keys hold the hour and the fleets, and every hour is played once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from battles.engine.core.dice import Dice
from battles.engine.core.sequence import Step
from campaign.rules.aims.objectives import deciding, objective_step, watch_step
from campaign.rules.ashore.recruits import men_step
from campaign.rules.ashore.side_faults import take_side_orders
from campaign.rules.ashore.stores import upkeep_step
from campaign.rules.ashore.yards import leave_step, yard_step
from campaign.rules.battle.by_night import torpedo_step
from campaign.rules.battle.ongoing import come_back, hold
from campaign.rules.battle.scenario import battle_step
from campaign.rules.battle.writeback import OutcomeError, write_back
from campaign.rules.calendar.arrivals import fresh
from campaign.rules.calendar.step import PEACE, calendar_step
from campaign.rules.chart.types import (
    Battles,
    DayDone,
    FleetFacts,
    FleetOrder,
    OnArrival,
    Stop,
    TurnDone,
    TurnFacts,
)
from campaign.rules.contact.blockade import blockade_step, running_step
from campaign.rules.contact.bodies import look_out_step
from campaign.rules.contact.chase import movement_step
from campaign.rules.contact.coast import coast_step
from campaign.rules.contact.contact import contact_step
from campaign.rules.contact.general_chase import general_chase_step
from campaign.rules.contact.night import night_step
from campaign.rules.landing.assaults import port_step
from campaign.rules.landing.step import landing_step
from campaign.rules.losses.gales import gale_step
from campaign.rules.losses.neutral import neutral_step
from campaign.rules.losses.officers import officer_step
from campaign.rules.losses.tides import shoal_step
from campaign.rules.mines.step import load_step, mine_step
from campaign.rules.orders.orders import path_of, take_orders
from campaign.rules.prizes.prisoners import prisoner_step
from campaign.rules.prizes.prize_court import court_step
from campaign.rules.prizes.prizes import prize_step
from campaign.rules.sailing.convoys import convoy_step
from campaign.rules.sailing.weather import opening, weather_step
from campaign.rules.shipping.raiders import shipping_step
from campaign.rules.state import documents
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import (
    DONE,
    FIGHTING,
    SAILING,
    FleetState,
    TurnState,
    ZoneWeather,
    state_hash,
)
from campaign.rules.state.world import Chart
from campaign.rules.turn.joining import company_step

__all__ = ["STEPS", "OutcomeError", "TurnState", "advance", "begin", "carried_over", "state_hash"]


class ChartStep(NamedTuple):
    """One step of an hour and the function that plays it."""

    step: Step
    play: Callable[[Chart], None]


_HOUR = (
    ChartStep(Step("weather", ("G.WX1", "G.WX2", "G.WX3"), "Weather at the start of a watch"), weather_step),
    ChartStep(Step("gale", ("G.GF1", "G.GF2", "G.GF3"), "Gales and the strain of the sea"), gale_step),
    ChartStep(
        Step("calendar", ("G.CA1", "G.CA2", "G.CA4", "G.CA5"), "Events of the calendar happen"),
        calendar_step,
    ),
    ChartStep(
        Step(
            "company",
            ("G.MV1", "G.MV4", "G.GF3", "G.KT1", "G.KT2", "G.KT3"),
            "Ships are detached, fleets join and muster, crippled ships are left",
        ),
        company_step,
    ),
    ChartStep(Step("prizes", ("G.PR2", "G.PR3", "G.MV5"), "Prisoners rise; prizes are sent in"), prize_step),
    ChartStep(Step("prisoners", ("G.PR5",), "Prisoners are landed and exchanged"), prisoner_step),
    ChartStep(
        Step("court", ("G.PR3", "G.PR4"), "Prizes come before the court, are condemned and disposed of"),
        court_step,
    ),
    ChartStep(Step("yards", ("G.RP2",), "Yards take in, repair and deliver ships"), yard_step),
    ChartStep(Step("men", ("G.RP3", "G.MV4"), "Men are recruited and moved between ships"), men_step),
    ChartStep(
        Step("upkeep", ("G.RP1", "G.RP4"), "Ships at sea make repairs and use provisions"), upkeep_step
    ),
    ChartStep(Step("officers", ("G.AF1",), "Officers recover and are replaced"), officer_step),
    ChartStep(
        Step(
            "landings", ("G.LD1", "G.LD2", "G.LD3", "G.LD4"), "Men land and fight ashore; ports change hands"
        ),
        landing_step,
    ),
    ChartStep(Step("loading", ("G.MN1",), "Minelayers take mines aboard"), load_step),
    ChartStep(Step("shipping", ("G.NC1", "G.NC2"), "Raiders stop merchantmen"), shipping_step),
    ChartStep(
        Step("objectives", ("G.OB1", "G.OB2", "G.OB3"), "Objectives are checked, achieved and paid"),
        objective_step,
    ),
    ChartStep(Step("contact", ("G.CO1", "G.CO2", "G.CO6"), "Contacts are made and lost"), contact_step),
    ChartStep(Step("night", ("G.CO3",), "Night escapes"), night_step),
    ChartStep(Step("ports", ("G.PT1", "G.LD2", "G.LD5"), "Ports are attacked and raided"), port_step),
    ChartStep(Step("torpedoes", ("G.NT1",), "Torpedo craft attack by night"), torpedo_step),
    ChartStep(Step("battle", ("G.CO2", "G.CO4", "G.CO7", "G.BT6"), "Battles begin"), battle_step),
    ChartStep(Step("leaving", ("G.RP2", "G.RP3"), "Fleets leave ships behind in port"), leave_step),
    ChartStep(Step("blockade", ("G.BL1",), "Weather drives blockaders off"), blockade_step),
    ChartStep(Step("general chase", ("G.CO2", "G.MV5"), "Fast ships go ahead"), general_chase_step),
    ChartStep(Step("movement", ("G.MV1", "G.MV2", "G.CO2"), "Fleets sail, chase and run"), movement_step),
    ChartStep(Step("watch", ("G.OB1",), "Closed ports are watched"), watch_step),
    ChartStep(Step("mines", ("G.MN1", "G.MN2", "G.MN3"), "Mines are struck, swept and laid"), mine_step),
    ChartStep(Step("running", ("G.BL1",), "Fleets run out of blockaded ports"), running_step),
    ChartStep(Step("shoals", ("G.CH4", "G.SV1"), "Ships run aground and float off"), shoal_step),
    ChartStep(Step("neutral", ("G.NE1",), "Ships are interned in neutral ports"), neutral_step),
    ChartStep(Step("convoys", ("G.CV1",), "Convoys deliver their cargoes"), convoy_step),
    ChartStep(
        Step("sighting", ("G.SI1", "G.SI2", "G.SI3", "G.WX4", "G.IG1", "G.IG2"), "Fleets sight each other"),
        look_out_step,
    ),
    ChartStep(Step("coast", ("G.SI4",), "The shore looks out"), coast_step),
)
STEPS = tuple(row.step for row in _HOUR)
REMEMBERED_HOURS = 10 * DAY


def begin(facts: TurnFacts, orders: Mapping[str, FleetOrder], dice: Dice) -> TurnState:
    """The state in which a turn opens: what the last one left, ongoing battles that are over, and the new orders.

    orders: by fleet code; fleets without any carry on. Raises UnknownRuleSet, OutcomeError for an accepted outcome that does not
    fit. Rules: G.BT5, G.CL2, G.MV2, G.MV3.
    """
    state = standing(facts)
    for zone in sorted(facts.theatre.zones):
        if zone not in state.weather:
            state.weather[zone] = opening(facts, zone, dice)
    chart = Chart(facts, state, dice)
    for fleet in list(state.fleets.values()):
        if not chart.ships_of(fleet.code):
            chart.alter(fleet, ended=True)
    take_orders(chart, orders)
    come_back(chart)
    take_side_orders(chart)
    return state


def standing(facts: TurnFacts) -> TurnState:
    """What the last turn left, before any order or die; zones whose weather no one knows yet are not listed."""
    end = facts.first_hour + facts.days * DAY
    state = TurnState(facts.campaign, facts.turn, facts.first_hour, end)
    for zone in sorted(facts.weather):
        state.weather[zone] = ZoneWeather.read(facts.weather[zone])
    carried = facts.carried
    for code in sorted(facts.fleets):
        state.fleets[code] = _fleet(facts.fleets[code], carried.get("fleets", {}).get(code, {}))
    for code in sorted(facts.ships):
        state.ships[code] = fresh(facts.ships[code])
    state.take_over(carried)
    state.economy = state.economy.opened()
    state.calendar = state.calendar.opened()
    for side in sorted(facts.sides):
        state.economy.funds.setdefault(side, facts.settings.fund_start)
    state.touches = {key: row for key, row in state.touches.items() if set(key) <= set(state.fleets)}
    state.contacts = {key: row for key, row in state.contacts.items() if set(key) <= set(state.fleets)}
    return state


def _fleet(facts: FleetFacts, carried: Mapping[str, Any]) -> FleetState:
    return FleetState(
        code=facts.code,
        side=facts.side,
        position=facts.position,
        order=facts.order,
        path=path_of(facts.position, facts.order.route, tuple(carried.get("path", ()))),
        under_way=carried.get("under_way", False),
        off_until=carried.get("off_until", 0),
        still_until=carried.get("still_until", 0),
        free_until=facts.free_until,
        free_from=tuple(carried.get("free_from", ())),
        held_by=facts.held_by,
        # a fleet with other orders is independent, and no longer looks for another to join
        rejoins=carried.get("rejoins", "") if facts.order.on_arrival is OnArrival.JOIN else "",
        home=carried.get("home", ""),
        homes=tuple((ship, squadron) for ship, squadron in carried.get("homes", ())),
        group=carried.get("group", ""),
    )


def advance(
    facts: TurnFacts,
    state: TurnState,
    outcomes: Mapping[str, Mapping[str, Any]],
    dice: Dice,
    *,
    ongoing: Collection[str] = (),
) -> tuple[TurnState, Stop]:
    """Play on to the next stop; `state` itself is left as it was.

    outcomes: documents by battle code, for every battle of the last stop but those that are `ongoing`: these keep their fleets while
    the chart goes on. Raises OutcomeError when one is missing or does not fit. Rules: G.BT4, G.CL1, G.CL2.
    """
    state = state.copy()
    if state.phase == DONE:
        return state, TurnDone(state.early)
    chart = Chart(facts, state, dice)
    if state.phase == FIGHTING:
        missing = [
            call.code for call in state.calls if call.code not in outcomes and call.code not in ongoing
        ]
        if missing:
            raise OutcomeError(f"no outcome yet of {', '.join(missing)}")
        calls, state.calls, state.phase = state.calls, [], SAILING
        for call in sorted(calls, key=lambda call: call.code):
            if call.code in ongoing:
                hold(chart, call)
            else:
                write_back(chart, call, outcomes[call.code])
        stop = _end_hour(chart)
        if stop is not None:
            return state, stop
    while True:
        chart.tracks.clear()
        for row in _HOUR:
            row.play(chart)
            if state.calendar.peace:
                state.phase, state.early = DONE, PEACE
                return state, TurnDone(state.early)
        if state.calls:
            state.phase = FIGHTING
            return state, Battles(tuple(state.calls))
        stop = _end_hour(chart)
        if stop is not None:
            return state, stop


def _end_hour(chart: Chart) -> Stop | None:
    """Move the clock on; a stop at the end of a day and of the turn. Rules: G.CL1, G.CL3."""
    state = chart.state
    state.hour += 1
    if state.hour >= state.end_hour:
        state.phase = DONE
        return TurnDone(state.early)
    if state.hour % DAY == 0:
        state.early = _ends_early(chart)
        if state.early:
            state.phase = DONE
            return TurnDone(state.early)
        return DayDone(state.hour // DAY - 1)
    return None


def _ends_early(chart: Chart) -> str:
    """The event of this turn at which the campaign's turns end, "" when there was none. Rules: G.CL3, G.OB3."""
    if deciding(chart):
        return "objective"
    wanted, events = chart.facts.settings.end_turn_on, chart.state.events
    if wanted == "battle" and any(event.kind == "battle" for event in events):
        return wanted
    if wanted == "first_sighting" and any(e.kind == "sighted" and e.data.get("equal") for e in events):
        return wanted
    return ""


def carried_over(facts: TurnFacts, state: TurnState) -> dict[str, Any]:
    """What the next turn's facts take from the end of this one: `weather` and `carried`, JSON documents. Rule: G.CL2."""
    fleets = {
        fleet.code: {
            "path": list(fleet.path),
            "under_way": fleet.under_way,
            "off_until": fleet.off_until,
            "still_until": fleet.still_until,
            "free_from": list(fleet.free_from),
            "rejoins": fleet.rejoins,
            "home": fleet.home,
            "homes": [list(row) for row in fleet.homes],
            "group": fleet.group,
        }
        for code in sorted(state.fleets)
        if not (fleet := state.fleets[code]).ended
    }
    return {
        "weather": {zone: state.weather[zone].doc() for zone in sorted(state.weather)},
        "carried": {**state.carried(), "fleets": fleets, "reports": remembered(facts, state)},
    }


def remembered(facts: TurnFacts, state: TurnState) -> list[dict[str, Any]]:
    """The last report of each contact of the past ten days, for the sides' knowledge in the turns to come. Rule: G.SI3."""
    last: dict[tuple[str, int], dict[str, Any]] = {}
    for row in (*facts.carried.get("reports", ()), *map(documents.report_doc, state.reports)):
        if row["hour"] >= state.hour - REMEMBERED_HOURS:
            last[row["side"], row["number"]] = row
    return [last[key] for key in sorted(last)]
