"""Where fleets meet that are to go against an enemy together. Rule: G.AA4."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from campaign.rules.admiral.expectation import Expectation
from campaign.rules.chart.types import MILLI, PlaceKind
from campaign.rules.turn.knowledge import OwnFleet


def meeting_place(
    expect: Expectation, lead: OwnFleet, sharers: Sequence[OwnFleet], goal: str, least: Fraction
) -> str:
    """The haven from which enough of some fleets can be at a place soonest; "" for none. least: value of those who go on together."""
    geometry, soonest = expect.view.geometry, dict[str, int]()
    for haven in havens(expect, lead):
        value = Fraction(0)
        for hours, fleet in sorted(
            ((expect.hours(one, haven), one) for one in sharers), key=lambda row: (row[0], row[1].code)
        ):
            value += fleet.value
            if value >= least:
                onward = geometry.distance(haven, goal, expect.view.closed)
                soonest[haven] = hours + onward // (expect.known.pace * MILLI)
                break
    return min(sorted(soonest), key=lambda code: soonest[code], default="")


def havens(expect: Expectation, lead: OwnFleet) -> list[str]:
    """Own ports, roads of one's own coasts and the place that a fleet is nearest to, these two where no enemy is expected."""
    known, view = expect.known, expect.view
    places = known.theatre.places
    nations = {places[code].owner for code in known.own_ports}
    roads = {
        code for code, place in places.items() if place.kind is PlaceKind.ANCHORAGE and place.owner in nations
    }
    here = {view.geometry.nearest(lead.position)} - view.closed
    return sorted(known.own_ports | {code for code in roads | here if not expect.at(code)})
