"""Fleets that wait to land men: since when they have been there, and what they have seen by day. Rule: G.LD2."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.battle.attack import is_defended
from campaign.rules.chart.types import OnArrival
from campaign.rules.contact.bodies import bodies_of
from campaign.rules.landing.stowage import at_place, fighting_value, friends
from campaign.rules.sailing.beaches import is_beach
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.clock import DAY, is_day
from campaign.rules.state.holdings import Watch
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def landing_place(chart: Chart, fleet: FleetState) -> str:
    """The place before which a fleet lies with the order to land men, or to take them off; "" while it is on its way. Rule: G.LD2."""
    if fleet.ended or fleet.order.on_arrival not in (OnArrival.LAND, OnArrival.EMBARK):
        return ""
    off = lies_off(chart, fleet)
    if off or fleet.order.route:
        return off
    place = chart.geometry.nearest(fleet.position)
    return place if at_place(chart, fleet, place) and is_beach(chart.facts, place) else ""


def keep_watch(chart: Chart) -> None:
    """Note since when fleets that are to land men have been there, and when they last saw an enemy too strong by day. Rule: G.LD2."""
    watches, now = chart.state.holdings.watches, {}
    by_day = is_day(chart.facts, max(0, chart.hour - 1))
    for fleet in chart.fleets():
        if fleet.order.on_arrival is not OnArrival.LAND:
            continue
        place = landing_place(chart, fleet)
        if not place:
            continue
        was = watches.get(fleet.code)
        watch = was if was is not None and was.place == place else Watch(place, chart.hour)
        if by_day and _alarmed(chart, fleet, place):
            watch = replace(watch, alarm=chart.hour)
        now[fleet.code] = watch
    chart.state.holdings.watches = now


def _alarmed(chart: Chart, fleet: FleetState, place: str) -> bool:
    """Whether a fleet's side sees from a place a hostile body of half the fighting value, or more, that it has there. Rule: G.LD2."""
    own = [other for other in chart.fleets() if other.side == fleet.side and at_place(chart, other, place)]
    here, codes = fighting_value(chart, own), {other.code for other in own}
    seen = {t.fleet for t in chart.state.touches.values() if t.seen and t.observer in codes}
    foes = [chart.state.fleets[code] for code in sorted(seen) if not chart.state.fleets[code].ended]
    return any(2 * fighting_value(chart, body, fit=True) >= here for body in bodies_of(chart, foes))


def hindrance(chart: Chart, fleet: FleetState, place: str) -> str:
    """Why a fleet cannot land men this morning, "" when it can but for the weather. Rule: G.LD2."""
    watch = chart.state.holdings.watches.get(fleet.code)
    if watch is None or chart.hour - watch.since < DAY:
        return "new"
    if watch.alarm > chart.hour - DAY:
        return "enemy"
    if place in chart.closed[fleet.side]:
        by = chart.state.holdings.silenced.get(place, "")
        if chart.facts.theatre.places[place].guard and not (by and friends(chart, by, fleet.side)):
            return "guard"
        if is_defended(chart, fleet, place):
            return "ships"
    return ""
