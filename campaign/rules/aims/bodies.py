"""Bodies of ships: where the fleets of a side lie together, as they are and as another side has reported them. Rule: G.OB1."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction

from campaign.rules.chart.points import SCALE, Point, miles_between
from campaign.rules.chart.types import MILLI, ShipKind
from campaign.rules.contact.bodies import bodies_of
from campaign.rules.contact.contact import MIDDLES, mean_value
from campaign.rules.contact.staff import latest
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

FRESH_HOURS = 24


@dataclass(frozen=True, slots=True)
class Body:
    """Fleets together. places: at which it is. values: present value of its fighting ships by side; whole: their whole value.

    line: its ships of the line, liners: their codes by side. A body that is known by a report has no sides: its value stands
    under "", and no ship of it has a name. Rule: G.OB1.
    """

    places: frozenset[str]
    values: dict[str, Fraction]
    whole: Fraction
    line: Fraction
    liners: dict[str, tuple[str, ...]]

    @property
    def value(self) -> Fraction:
        """Its fighting value, of all sides in it."""
        return sum(self.values.values(), Fraction(0))


def fighters(chart: Chart, fleet: FleetState) -> list[ShipState]:
    """Fighting ships of a fleet: no prizes, no ships of a convoy, no boats of an army. Rule: G.OB1."""
    others = chart.state.duties.traders() | chart.state.troops.boats.keys()
    return [ship for ship in chart.ships_of(fleet.code) if not ship.prize and ship.code not in others]


def places_of(chart: Chart, fleet: FleetState) -> frozenset[str]:
    """The places at which a fleet is: where it lies, or those within 10 nm along its passage (a setting). Rule: G.OB1."""
    position = fleet.position
    if not position.to:
        return frozenset((position.at,))
    near = chart.facts.settings.at_miles * MILLI
    left = chart.geometry.legs[position.at, position.to].length - position.run
    ends = ((position.at, position.run), (position.to, left))
    return frozenset(place for place, miles in ends if miles <= near)


def bodies(chart: Chart) -> list[Body]:
    """Every body that has a fighting ship, as it is. Fleets held by a battle count where they are held. Rules: G.OB1, G.IG1."""
    fleets = [fleet for fleet in chart.fleets() if fighters(chart, fleet)]
    return [_body(chart, body) for body in bodies_of(chart, fleets)]


def _body(chart: Chart, fleets: Iterable[FleetState]) -> Body:
    at_sea, cards = chart.at_sea, chart.facts.ships
    places: frozenset[str] = frozenset()
    values: dict[str, Fraction] = {}
    liners: dict[str, tuple[str, ...]] = {}
    whole = Fraction(0)
    for fleet in fleets:
        ships = fighters(chart, fleet)
        places |= places_of(chart, fleet)
        worth = _sum(at_sea.value(cards[s.code].card, s.condition) for s in ships)
        values[fleet.side] = values.get(fleet.side, Fraction(0)) + worth
        line = tuple(ship.code for ship in ships if cards[ship.code].kind is ShipKind.LINE)
        liners[fleet.side] = (*liners.get(fleet.side, ()), *line)
        whole += _sum(at_sea.whole_value(cards[ship.code].card) for ship in ships)
    return Body(places, values, whole, Fraction(sum(map(len, liners.values()))), liners)


def _sum(values: Iterable[Fraction]) -> Fraction:
    """A sum; those of one denominator, as most are, as whole numbers."""
    found: dict[int, int] = {}
    for value in values:
        found[value.denominator] = found.get(value.denominator, 0) + value.numerator
    return sum((Fraction(above, below) for below, above in found.items()), Fraction(0))


def reported(chart: Chart, side: str, places: Collection[str]) -> list[Body]:
    """The enemy's bodies as a side's reports of the last 24 hours tell of them, at those of some places that they were near.

    Each counts with the middle of its band; what is known to be no ship of the line, or no ship of war, counts as none. Rule: G.OB4.
    """
    found = []
    for report in latest((*chart.earlier_reports(), *chart.state.reports), side):
        if chart.hour - report.hour > FRESH_HOURS:
            continue
        here = Point(report.latitude * SCALE // 100, report.longitude * SCALE // 100)
        near = chart.facts.settings.at_miles * MILLI
        at = frozenset(code for code in places if miles_between(here, chart.geometry.places[code]) <= near)
        if not at:
            continue
        kinds, sail = frozenset(report.kinds), MIDDLES[report.band]
        fights = not kinds or kinds != {ShipKind.MERCHANT.value}
        line = sail if not kinds or ShipKind.LINE.value in kinds else Fraction(0)
        worth = sail * mean_value(chart, side, report.kinds) if fights else Fraction(0)
        found.append(Body(at, {"": worth}, worth, line, {}))
    return found
