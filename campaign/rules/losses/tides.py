"""Ships among shoals, and the tide: it floats ships aground off, or a gale breaks them up. Rules: G.CH4, G.SV1."""

from __future__ import annotations

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from campaign.rules.losses.losses import lose
from campaign.rules.sailing.grounding import take_the_ground
from campaign.rules.sailing.parting import make_for_rendezvous
from campaign.rules.sailing.shoals import channel_is_safe, is_shoal
from campaign.rules.state.clock import clock
from campaign.rules.state.state import AGROUND
from campaign.rules.state.world import Chart

TIDES = (0, 12)
# Highest throw of the tide at which a ship aground breaks up in a gale: that of the salvage. Rules: G.SV1, P.K08.
BREAKS_UP = 2


def shoal_step(chart: Chart) -> None:
    """Throws of the hour: who has come in among the shoals outside the channel, and whom the tide floats off. Rule: G.CH4."""
    for code, place in sorted(chart.entered):
        fleet = chart.state.fleets[code]
        if not fleet.ended and is_shoal(chart, place) and not channel_is_safe(chart, fleet, place):
            take_the_ground(chart, fleet, place)
    chart.entered.clear()
    if clock(chart.hour) in TIDES:
        _refloat(chart)


def _refloat(chart: Chart) -> None:
    """One throw a tide for every ship aground; in a gale one that a battle left there may break up. Rules: G.CH4, G.SV1."""
    for code in sorted(chart.state.marks):
        ship = chart.state.ships.get(code)
        if ship is None or not ship.fleet or not chart.state.marked(code, AGROUND):
            continue
        fleet = chart.state.fleets[ship.fleet]
        if not chart.on_chart(fleet):
            continue
        face = chart.dice.d6(clause="G.CH4", subjects=(chart.hour, code, "tide"), reason="refloating")
        gale = chart.weather(fleet).strength is Strength.GALE
        if gale and chart.at_sea.stays_aground and face <= BREAKS_UP:
            lose(chart, ship, Fate.WRECKED, clause="G.SV1", cause="in the gale")
            continue
        if face < chart.facts.settings.refloat_at:
            continue
        chart.state.unmark(code, AGROUND)
        chart.tell(
            "refloated", "G.CH4", fleet.side, fleet=fleet.code, ship=code, ships=[code],
            place=chart.geometry.nearest(fleet.position),
        )  # fmt: skip
        parent = chart.state.fleets.get(fleet.rejoins)
        if parent is not None and not parent.ended and not chart.aground(fleet):
            make_for_rendezvous(chart, fleet, parent)
