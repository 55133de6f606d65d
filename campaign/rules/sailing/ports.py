"""Off an enemy's port: how near blockaders and attackers come, and who lies there. Rules: G.BL1, G.PT1."""

from __future__ import annotations

from campaign.rules.chart.types import MILLI, OnArrival
from campaign.rules.sailing.beaches import ASSAULTS, BEFORE_PORTS
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart

GUNSHOT_OFF = MILLI


def standing_off(chart: Chart, fleet: FleetState, place: str) -> int:
    """How far from a place a fleet stops that blockades or assaults it, thousandths of a mile; 0 where it sails in.

    A fleet that takes men off an enemy's port comes as near as one that lands them, and so does one that lays or sweeps mines there
    or attacks with torpedoes. Rules: G.BL1, G.LD2, G.MN1, G.NT1, G.PT1.
    """
    order = fleet.order
    if order.route != (place,) or place not in chart.closed[fleet.side]:
        return 0
    if order.on_arrival is OnArrival.BLOCKADE:
        return chart.facts.settings.blockade_miles * MILLI
    return GUNSHOT_OFF if order.on_arrival in ASSAULTS | BEFORE_PORTS | {OnArrival.EMBARK} else 0


def lies_off(chart: Chart, fleet: FleetState) -> str:
    """The port off which a fleet lies to blockade or to attack it, "" for one that is not there. Rules: G.BL1, G.PT1."""
    order, position = fleet.order, fleet.position
    port = order.route[0] if len(order.route) == 1 else ""
    leg = chart.geometry.legs.get((position.at, port))
    if leg is None or position.to not in ("", port):
        return ""
    off = standing_off(chart, fleet, port)
    return port if off and position.run >= leg.length - off else ""
