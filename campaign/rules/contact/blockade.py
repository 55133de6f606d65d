"""Blockades: fleets that leave a watched port are met or slip out; weather drives the blockader away. Rule: G.BL1."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.scenario import Strength
from campaign.rules.chart.points import bearing_between, miles_between
from campaign.rules.chart.types import OnArrival, Position, Visibility
from campaign.rules.contact.contact import pair, wills
from campaign.rules.contact.sighting import band
from campaign.rules.sailing.movement import off_wind
from campaign.rules.sailing.ports import lies_off
from campaign.rules.sailing.weather import sight_range
from campaign.rules.state.clock import DAY, is_day
from campaign.rules.state.state import Contact, FleetState, Touch
from campaign.rules.state.world import Chart

ONSHORE = 67
BLOWS = (Strength.STRONG, Strength.GALE)


def blockade_step(chart: Chart) -> None:
    """Weather drives blockaders off their stations, and lets them come back at 06:00. Rule: G.BL1."""
    before, now = chart.state.duties.onshore, {}
    engaged = {code for key in chart.state.contacts for code in key}
    for fleet in chart.fleets():
        if fleet.order.on_arrival is not OnArrival.BLOCKADE or not chart.on_chart(fleet):
            continue
        if fleet.code in engaged:
            continue
        if lies_off(chart, fleet):
            since = before.get(fleet.code, chart.hour)
            if _onshore(chart, fleet):
                now[fleet.code] = since
            blown = fleet.code in now and chart.hour - since >= chart.facts.settings.onshore_hours
            if blown or chart.weather(fleet).strength is Strength.GALE:
                now.pop(fleet.code, None)
                _drive_off(chart, fleet)
        elif chart.hour % DAY == 0 and driven_off(fleet) and _fair(chart, fleet):
            back = chart.geometry.way(fleet.position, fleet.order.target, chart.closed[fleet.side])
            chart.alter(fleet, order=replace(fleet.order, route=back), path=())
    chart.state.duties.onshore = now


def driven_off(fleet: FleetState) -> bool:
    """Whether a blockader is on its way to its shelter or lies there. Rule: G.BL1."""
    order = fleet.order
    blockades = order.on_arrival is OnArrival.BLOCKADE and bool(order.target)
    return blockades and order.route[-1:] != (order.target,)


def _onshore(chart: Chart, fleet: FleetState) -> bool:
    """Whether it blows hard towards the port that a fleet watches, which is nothing to steamers. Rules: G.BL1, G.ST3."""
    weather = chart.weather(fleet)
    towards = (weather.wind_from + 180) % 360
    bearing = chart.geometry.legs[fleet.position.at, fleet.order.route[0]].bearing
    return weather.strength in _hard(chart, fleet) and off_wind(bearing, towards) <= ONSHORE


def _hard(chart: Chart, fleet: FleetState) -> tuple[Strength, ...]:
    """Winds in which a fleet does not keep its station: a steamer gives way to a gale alone. Rules: G.BL1, G.ST3."""
    return (Strength.GALE,) if chart.steams(fleet.code) else BLOWS


def _fair(chart: Chart, fleet: FleetState) -> bool:
    """Whether a blockader may come back to its station. Rules: G.BL1, G.ST3."""
    hard = _hard(chart, fleet)
    port = chart.geometry.zone(Position(fleet.order.target))
    here = chart.geometry.zone(fleet.position)
    return all(chart.state.weather[zone].strength not in hard for zone in (here, port))


def _drive_off(chart: Chart, fleet: FleetState) -> None:
    """To the shelter that its instructions name, else the nearest port of its own. Rules: G.BL1, G.MV5."""
    shelter = fleet.order.instructions.shelter or chart.nearest_own_port(fleet.position, fleet.side)
    if not shelter:
        return
    port = fleet.order.route[0]
    route = chart.geometry.way(fleet.position, shelter, chart.closed[fleet.side])
    chart.alter(fleet, order=replace(fleet.order, route=route, target=port), path=())
    chart.tell("driven_off", "G.BL1", fleet.side, fleet=fleet.code, place=port, shelter=shelter)


def running_step(chart: Chart) -> None:
    """Fleets that have left a watched port in this hour are met by day; by night or in fog they may slip out. Rule: G.BL1."""
    for code, port in sorted(chart.departed):
        fleet = chart.state.fleets[code]
        if fleet.ended or chart.in_port(fleet):
            continue
        watching = [
            other
            for other in chart.fleets()
            if chart.on_chart(other)
            and other.order.on_arrival is OnArrival.BLOCKADE
            and lies_off(chart, other) == port
            and chart.at_war(other, fleet)
        ]
        if watching:
            _run_out(chart, fleet, port, watching)
    chart.departed.clear()


def _run_out(chart: Chart, fleet: FleetState, port: str, watching: list[FleetState]) -> None:
    settings = chart.facts.settings
    clear = is_day(chart.facts, chart.hour) and chart.weather(fleet).visibility is not Visibility.FOG
    face = None
    if not clear:
        face = chart.dice.d6(clause="G.BL1", subjects=(chart.hour, code := fleet.code), reason="slips out")
        if face >= settings.slip_at:
            foes = tuple(sorted({*fleet.free_from, *(other.code for other in watching)}))
            until = chart.hour + settings.slipped_hours
            chart.alter(fleet, free_until=max(until, fleet.free_until), free_from=foes)
            chart.tell("slipped_out", "G.BL1", fleet.side, fleet=code, place=port, face=face)
            return
    for other in watching:
        _meet(chart, other, fleet)
    chart.tell("met_off_port", "G.BL1", fleet.side, fleet=fleet.code, place=port, face=face)


def _meet(chart: Chart, blockader: FleetState, fleet: FleetState) -> None:
    """They see each other; a blockader that means to fight steers for who has come out. Rules: G.BL1, G.CO1."""
    state = chart.state
    here, there = chart.point(blockader.position), chart.point(fleet.position)
    apart = min(miles_between(here, there), sight_range(chart, blockader))
    for observer, seen in ((blockader, fleet), (fleet, blockader)):
        key = (observer.code, seen.code)
        old = state.touches.get(key) or Touch(*key)
        number = band(len(chart.ships_of(seen.code)))
        state.touches[key] = replace(old, seen=True, approach=apart, band=old.band or number)
    key = (blockader.code, fleet.code)
    engaged = {code for contact in state.contacts for code in contact}
    if key[0] in engaged or pair(*key) in state.truces or not wills(chart, blockader, fleet, None):
        return
    bearing = bearing_between(here, there)
    state.contacts[key] = Contact(*key, apart, bearing, since=chart.hour, not_before=chart.hour + 1)
