"""Where soldiers go aboard and ashore: whose coast a place is, and who may land there. Rules: G.LD1, G.LD2, G.LD3.

Lengths are in thousandths of a nautical mile.
"""

from __future__ import annotations

from campaign.rules.chart.points import miles_between
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import MILLI, OnArrival, PlaceKind, Theatre, TurnFacts

# How far men march from the beach to a port. Rule: G.LD3.
MARCH_MILES = 30
# What a fleet does with soldiers at the end of its route. Rules: G.LD1, G.LD2.
OF_TROOPS = frozenset({OnArrival.EMBARK, OnArrival.DISEMBARK, OnArrival.LAND})
# Orders that lead into an enemy's port with guns, by G.PT1.
ASSAULTS = frozenset({OnArrival.ATTACK, OnArrival.LAND, OnArrival.RAID})
# Orders whose route ends at an enemy's port. Rules: G.BL1, G.LD2, G.LD5, G.PT1.
AGAINST_PORTS = ASSAULTS | {OnArrival.BLOCKADE}
# Orders whose route may end at an enemy's port, or elsewhere. Rules: G.MN1, G.MN3, G.NT1.
BEFORE_PORTS = frozenset({OnArrival.MINE, OnArrival.SWEEP, OnArrival.TORPEDO})
_HAVENS = frozenset({PlaceKind.PORT, PlaceKind.ANCHORAGE})


def coast_owner(theatre: Theatre, place: str) -> str:
    """The nation whose coast a place is: its owner, else that of the port whose pilots know it, else that of the nearest port.

    Rules: G.CH2, G.LD2.
    """
    here, places = theatre.places[place], theatre.places
    if here.owner:
        return here.owner
    if here.channel_owner:
        return places[here.channel_owner].owner
    points = geometry(theatre).places
    ports = [row for row in places.values() if row.kind is PlaceKind.PORT]
    nearest = min(
        ports, key=lambda port: (miles_between(points[place], points[port.code]), port.code), default=None
    )
    return nearest.owner if nearest is not None else ""


def holders(facts: TurnFacts, place: str) -> tuple[str, ...]:
    """Sides of the campaign whose coast a place is, in the order of codes; none on a neutral coast."""
    nation = coast_owner(facts.theatre, place)
    return tuple(code for code in sorted(facts.sides) if nation in facts.sides[code].nations)


def is_hostile(facts: TurnFacts, side: str, place: str) -> bool:
    """Whether a place is the coast of a side's enemies."""
    return any(frozenset((side, other)) in facts.at_war for other in holders(facts, place))


def is_friendly(facts: TurnFacts, side: str, place: str) -> bool:
    """Whether a place is the coast of a side itself or of its allies."""
    return any(other == side or frozenset((side, other)) in facts.allied for other in holders(facts, place))


def is_beach(facts: TurnFacts, place: str) -> bool:
    """Whether men can land at a place at all: a port, an anchorage or a shoal coast that has a beach. Rule: G.LD2."""
    row = facts.theatre.places[place]
    return (row.kind in _HAVENS or row.kind is PlaceKind.SHOAL_COAST) and not row.no_beach


def may_land(facts: TurnFacts, side: str, place: str) -> bool:
    """Whether men of a side may land at a place: on the enemy's coast, or on one that belongs to no side and has no guard. Rule: G.LD2."""
    if not is_beach(facts, place):
        return False
    unguarded = not holders(facts, place) and not facts.theatre.places[place].guard
    return is_hostile(facts, side, place) or unguarded


def is_haven(facts: TurnFacts, side: str, place: str) -> bool:
    """Whether an army of a side can lie at a place: a port or an anchorage of its own or of an ally. Rule: G.LD1."""
    return facts.theatre.places[place].kind in _HAVENS and is_friendly(facts, side, place)


def port_of_beach(facts: TurnFacts, place: str) -> str:
    """The port for which men ashore at a place fight: itself, or the nearest of that owner's within 30 nm; "" for none. Rule: G.LD3."""
    places, points = facts.theatre.places, geometry(facts.theatre).places
    nations = {nation for side in holders(facts, place) for nation in facts.sides[side].nations}
    if not nations:
        return ""
    if places[place].kind is PlaceKind.PORT:
        return place
    near = [
        (miles_between(points[place], points[port.code]), port.code)
        for port in places.values()
        if port.kind is PlaceKind.PORT and port.owner in nations
    ]
    miles, port = min(near, default=(0, ""))
    return port if miles <= MARCH_MILES * MILLI else ""
