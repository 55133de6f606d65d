"""Torpedo attacks by night, on ships in a port and on fleets at sea. Rule: G.NT1."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.scenario import Stance, Strength
from campaign.rules.battle.attack import battle_in_port, hostile_in_port, tell_port
from campaign.rules.battle.flight import anchored
from campaign.rules.battle.scenario import battle_call, gauge_told
from campaign.rules.chart.points import bearing_between
from campaign.rules.chart.types import OnArrival
from campaign.rules.contact.contact import company_of, pair
from campaign.rules.mines.laying import go_back
from campaign.rules.sailing.movement import fleet_speed
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.clock import DAY, is_night
from campaign.rules.state.state import Contact, FleetState
from campaign.rules.state.world import Chart


def torpedo_step(chart: Chart) -> None:
    """Flotillas under orders to attack by night do so once, in the first hour of the night in which they can, and go back. Rule: G.NT1."""
    if not chart.at_sea.strikes_by_night or not is_night(chart.facts, chart.hour):
        return
    for code in [fleet.code for fleet in chart.fleets()]:
        fleet = chart.state.fleets[code]
        if not _ready(chart, fleet):
            continue
        port = lies_off(chart, fleet)
        if port:
            _into_port(chart, fleet, port)
        elif quarry := _prey(chart, fleet):
            _at_sea(chart, fleet, quarry)


def _ready(chart: Chart, fleet: FleetState) -> bool:
    """Whether a flotilla attacks if it finds the enemy: on the chart, able to fight, in no gale, and of torpedo craft alone."""
    ships = [ship for ship in chart.ships_of(fleet.code) if not ship.prize]
    return (
        fleet.order.on_arrival is OnArrival.TORPEDO
        and chart.on_chart(fleet)
        and fleet.still_until <= chart.hour
        and chart.can_fight(fleet.code)
        and chart.weather(fleet).strength is not Strength.GALE
        and all(chart.at_sea.torpedo_craft(chart.facts.ships[ship.code].card) for ship in ships)
    )


def _together(chart: Chart, fleet: FleetState) -> list[FleetState]:
    """A flotilla and those in company that have the same order."""
    return [one for one in company_of(chart, fleet) if _ready(chart, one)]


def _attacking(fleet: FleetState) -> FleetState:
    """A flotilla as it goes into battle: it seeks, and its torpedo craft attack. Rules: G.NT1, P.K49."""
    told = fleet.order.instructions
    told = replace(told, doctrine=replace(told.doctrine, fire_ships=True))
    return replace(fleet, order=replace(fleet.order, stance=Stance.SEEK, instructions=told))


def _into_port(chart: Chart, fleet: FleetState, port: str) -> None:
    """Go in on the ships at anchor; with none there the flotilla goes back. Rules: G.NT1, G.PT1, P.K38."""
    defenders = [one for one in hostile_in_port(chart, fleet, port) if chart.can_fight(one.code)]
    flotillas = [one for one in _together(chart, fleet) if lies_off(chart, one) == port]
    for one in flotillas:
        go_back(chart, chart.state.fleets[one.code], port)
    if defenders:
        tell_port(chart, fleet, port)
        attackers = [_attacking(chart.state.fleets[one.code]) for one in flotillas]
        battle_in_port(
            chart, fleet, attackers, defenders, clause="G.NT1", unawares=_at_peace(chart, defenders)
        )


def _at_peace(chart: Chart, defenders: list[FleetState]) -> bool:
    """Whether ships in port know of no battle in this war; in its first night no news of one elsewhere reaches them. Rule: G.NT1."""
    if any(fleet.off_until for fleet in defenders):
        return False
    return chart.hour < DAY or not any(chart.state.met.get(fleet.side) for fleet in defenders)


def _prey(chart: Chart, fleet: FleetState) -> FleetState | None:
    """The nearest hostile fleet at sea that the flotilla's company has in sight, and that it can reach within the hour. Rule: G.NT1."""
    state, found = chart.state, []
    eyes = {one.code for one in company_of(chart, fleet)}
    for (observer, code), touch in sorted(state.touches.items()):
        quarry = state.fleets[code]
        if observer not in eyes or not touch.seen or not chart.on_chart(quarry) or chart.in_port(quarry):
            continue
        away = quarry.free_until > chart.hour and fleet.code in quarry.free_from
        if away or pair(fleet.code, code) in state.truces or not chart.at_war(fleet, quarry):
            continue
        bearing = bearing_between(chart.point(fleet.position), chart.point(quarry.position))
        if touch.approach <= fleet_speed(chart, fleet, bearing, full=True):
            found.append((touch.approach, code))
    return state.fleets[min(found)[1]] if found else None


def _at_sea(chart: Chart, fleet: FleetState, quarry: FleetState) -> None:
    """A battle by night against a fleet at sea and those in company with it. Rules: G.NT1, G.CO4, P.K15."""
    state = chart.state
    here, there = chart.point(fleet.position), chart.point(quarry.position)
    contact = Contact(fleet.code, quarry.code, 0, bearing_between(here, there), since=chart.hour)
    flotillas = _together(chart, fleet)
    defenders = [one for one in company_of(chart, quarry) if chart.ships_of(one.code)]
    state.battles += 1
    code = f"b{state.battles:02d}"
    call = battle_call(chart, code, contact, [_attacking(one) for one in flotillas], defenders)
    if all(anchored(chart, one) for one in defenders):
        call = replace(call, scenario=chart.at_sea.at_anchor(call.scenario, quarry.side))
    state.calls.append(call)
    fought = [*flotillas, *defenders]
    chart.tell(
        "battle", "G.NT1", *(one.side for one in fought), battle=code, place=call.place,
        fleets={side: list(codes) for side, codes in sorted(call.fleets.items())},
        gauge=gauge_told(chart, call), surprised=list(call.scenario["surprised"]), coming=[],
    )  # fmt: skip
    for one in flotillas:
        go_back(chart, state.fleets[one.code], "")
    for one in fought:
        now = state.fleets[one.code]
        chart.alter(now, position=quarry.position, off_until=chart.hour + 1, still_until=0)
    codes = {one.code for one in fought}
    for key in sorted(state.contacts):
        if codes & set(key):
            del state.contacts[key]
