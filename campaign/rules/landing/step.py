"""The step of the landings: the watch every hour, the rest at 06:00. Rules: G.CL2, G.LD1-G.LD4."""

from __future__ import annotations

from campaign.rules.landing.assaults import guards_recover
from campaign.rules.landing.boats import boats_step, rations_step
from campaign.rules.landing.fights import fights_step
from campaign.rules.landing.taking import ports_go_back
from campaign.rules.landing.watch import keep_watch
from campaign.rules.state.clock import DAY
from campaign.rules.state.world import Chart


def landing_step(chart: Chart) -> None:
    """At 06:00 ports go back, men fight for ports, eat, and then land and come aboard: who lands fights on the next morning.

    Rules: G.LD1, G.LD2, G.LD3, G.LD4.
    """
    if chart.facts.settings.landings != "on":
        return
    keep_watch(chart)
    if chart.hour % DAY:
        return
    chart.ports_changed()  # a port that was shaken is itself again after four weeks
    guards_recover(chart)
    ports_go_back(chart)
    fights_step(chart)
    rations_step(chart)
    boats_step(chart)
