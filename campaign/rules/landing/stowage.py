"""How many soldiers ships hold, and who stands where. Rules: G.LD1, G.LD2."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from campaign.rules.aims.bodies import fighters, places_of
from campaign.rules.battle.attack import laid_up
from campaign.rules.chart.types import ShipKind
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

TONS_A_MAN = 2
CREW_A_MAN = 2


def capacity(chart: Chart, ship: ShipState) -> int:
    """Men that a ship can carry beside her own: a transport or an empty merchant one for 2 tons, a ship of war half her complement.

    None in a prize, in a ship with a cargo, or in one that lies in a yard. Craft of an army hold what G.CA4 gives them. A merchant
    whose tons no one knows is reckoned by her complement. Rule: G.LD1.
    """
    if ship.prize or ship.code in chart.state.duties.cargoes or chart.moored(ship):
        return 0
    boats = chart.state.troops.boats.get(ship.code)
    if boats is not None:
        return boats
    sheet = chart.facts.ships[ship.code]
    tons = int(sheet.facts.get("tons_burthen") or sheet.facts.get("displacement_tons") or 0)
    if sheet.kind is ShipKind.MERCHANT and tons:
        return tons // TONS_A_MAN
    return sheet.complement // CREW_A_MAN


def room(chart: Chart, ship: ShipState) -> int:
    """Men for whom there is room still in a ship."""
    return max(0, capacity(chart, ship) - chart.state.troops.aboard.get(ship.code, 0))


def load(chart: Chart, fleet: FleetState, men: int) -> int:
    """Take men aboard a fleet, transports first; returns for how many there was room. Rule: G.LD1."""
    ships, left = chart.ships_of(fleet.code), men
    for ship in sorted(ships, key=lambda ship: chart.facts.ships[ship.code].kind is not ShipKind.MERCHANT):
        taken = min(left, room(chart, ship))
        if taken:
            chart.state.troops.load(ship.code, taken)
            left -= taken
    return men - left


def unload(chart: Chart, fleet: FleetState, men: int) -> int:
    """Put men of a fleet ashore, ship after ship in the order of sailing; returns how many."""
    troops, left = chart.state.troops, men
    for ship in chart.ships_of(fleet.code):
        going = min(left, troops.aboard.get(ship.code, 0))
        if going:
            troops.load(ship.code, -going)
            left -= going
    return men - left


def aboard(chart: Chart, fleet: FleetState) -> int:
    """Soldiers in a fleet."""
    return sum(chart.state.troops.aboard.get(ship.code, 0) for ship in chart.ships_of(fleet.code))


def at_place(chart: Chart, fleet: FleetState, place: str) -> bool:
    """Whether a fleet is at a place. Rule: G.OB1."""
    return place in places_of(chart, fleet)


def fighting_value(chart: Chart, fleets: Iterable[FleetState], *, fit: bool = False) -> Fraction:
    """Present value of the fighting ships of some fleets. fit: without those in a yard or without men. Rule: G.CO1."""
    ships = [ship for fleet in fleets for ship in fighters(chart, fleet)]
    ships = [ship for ship in ships if not fit or not laid_up(chart, ship)]
    cards = chart.facts.ships
    return sum((chart.at_sea.value(cards[s.code].card, s.condition) for s in ships), Fraction(0))


def friends(chart: Chart, a: str, b: str) -> bool:
    """Whether two sides are one or allied. Rule: G.CO7."""
    return a == b or frozenset((a, b)) in chart.facts.allied


def enemies(chart: Chart, a: str, b: str) -> bool:
    """Whether two sides are at war."""
    return frozenset((a, b)) in chart.facts.at_war


def owners(chart: Chart, port: str) -> tuple[str, ...]:
    """Sides that hold a port, in the order of codes; none for a neutral one."""
    nation = chart.owner_of(port)
    return tuple(code for code in sorted(chart.facts.sides) if nation in chart.facts.sides[code].nations)
