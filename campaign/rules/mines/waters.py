"""Who knows where mines lie, and who meets them: fleets that come to a mined place, leave it, or lie before it. Rule: G.MN2."""

from __future__ import annotations

from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import Visibility
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.clock import DAY
from campaign.rules.state.minefields import Minefield
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def friends_know(chart: Chart, side: str) -> tuple[str, ...]:
    """A side and its allies, who tell each other where their mines lie. Rule: G.MN1."""
    return (
        side,
        *(other for other in sorted(chart.facts.sides) if frozenset((side, other)) in chart.facts.allied),
    )


def knows(chart: Chart, side: str, row: Minefield) -> bool:
    """Whether a side knows of a field, by itself or from an ally. Rule: G.MN1."""
    return any(row.known_to(one) for one in friends_know(chart, side))


def keeps_the_lane(chart: Chart, fleet: FleetState, row: Minefield) -> bool:
    """Whether a fleet goes clear of a field: its side knows of it, and neither fog, a gale nor a chase drives it off the lane.

    Rule: G.MN2.
    """
    weather = chart.weather(fleet)
    blind = weather.visibility is Visibility.FOG or weather.strength is Strength.GALE
    pressed = any(fleet.code in key for key in chart.state.contacts)
    return knows(chart, fleet.side, row) and not blind and not pressed


def mined_waters(chart: Chart) -> list[tuple[str, str]]:
    """(fleet, place) of all who meet mines in this hour, in the order of codes.

    Who came to the place or left it in the last hour's sailing; who has come before it to attack or blockade it; and at 06:00 who
    lies there to do so. Rule: G.MN2.
    """
    places = {row.place for row in chart.state.mines.fields.values()}
    found = {row for row in (*chart.entered, *chart.departed) if row[1] in places}
    for fleet in chart.fleets():
        if chart.on_chart(fleet) and (fleet.under_way or chart.hour % DAY == 0):
            off = lies_off(chart, fleet)
            if off in places:
                found.add((fleet.code, off))
    return sorted(row for row in found if not chart.state.fleets[row[0]].ended)
