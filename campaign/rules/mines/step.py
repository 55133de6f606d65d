"""The step of the mines in an hour. Rules: G.MN1, G.MN2, G.MN3."""

from __future__ import annotations

from campaign.rules.mines.laying import fill, lay
from campaign.rules.mines.striking import strike
from campaign.rules.mines.sweeping import sweep
from campaign.rules.state.world import Chart


def load_step(chart: Chart) -> None:
    """Ships take mines aboard before they sail. Rule: G.MN1."""
    if chart.at_sea.lays_mines:
        fill(chart)


def mine_step(chart: Chart) -> None:
    """Mines are run into, swept and laid; in campaigns whose rule set has none, nothing happens. Rules: G.MN1, G.MN2, G.MN3."""
    if not chart.at_sea.lays_mines:
        return
    strike(chart)
    sweep(chart)
    lay(chart)
