"""More fleets for the English of the campaign about whom everything is told."""

from __future__ import annotations

from typing import Any

from campaign.models import Command, Order, Station
from tests.support.factories import FleetFactory, ShipFactory, SquadronFactory
from tests.support.people import ENGLISH, World


def english_fleets(told: World, *names: str, at: str = "nore") -> list[Any]:
    """Fleets of one squadron with two ships each at a place, under standing orders to stay; commanded by the English admiral."""
    fleets = []
    for name in names:
        fleet = FleetFactory(
            navy=told.english.side.navy, code=f"{ENGLISH}-{name}", name=f"{name.title()} squadron"
        )
        Station.objects.create(fleet=fleet, at=at)
        squadron = SquadronFactory(fleet=fleet, code=f"{ENGLISH}-{name}-s", name=f"{name} division")
        for number in range(2):
            ShipFactory(squadron=squadron, code=f"{ENGLISH}-{name}-{number}", name=f"Ship {name} {number}")
        Order.objects.create(turn=told.turn, fleet=fleet, stance="hold", source="standing")
        Command.objects.create(membership=told.english, fleet=fleet)
        fleets.append(fleet)
    return fleets
