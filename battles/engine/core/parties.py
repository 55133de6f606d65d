"""Sides and squadrons of a battle as every set's state holds them, and their flag officers' luck. Rules: G.MV5, G.AF1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from battles.engine.core.errors import Fault
from battles.engine.core.outcome import OfficerFate
from battles.engine.core.scenario import Doctrine, Scenario, ScenarioShip

PLAIN_DOCTRINE = Doctrine()


@dataclass(slots=True)
class SideState:
    """A side. captain: the name of the captain who decides for it."""

    id: str
    name: str
    nation: str
    captain: str = "commander"
    doctrine: Doctrine = PLAIN_DOCTRINE


@dataclass(slots=True)
class SquadronState:
    """A squadron. ships: ids in list order, van first. officer: name of the flag officer, "" when unnamed.

    arrives: battle turn of arrival, 0 from the start. edge: chart degrees.
    """

    id: str
    name: str
    side: str
    ships: tuple[str, ...]
    flagship: str
    officer: str = ""
    flag_bonus: int = 0
    doctrine: Doctrine = PLAIN_DOCTRINE
    arrives: int = 0
    edge: int | None = None


Squadron = TypeVar("Squadron", bound=SquadronState)
Officers = Mapping[str, tuple[str, str, str]]


def sides_of(scenario: Scenario) -> dict[str, SideState]:
    """The sides of a scenario in list order, by id."""
    return {
        side.id: SideState(side.id, side.name, side.nation, side.captain, side.doctrine)
        for side in scenario.sides
    }


def squadrons_of(scenario: Scenario, make: type[Squadron]) -> dict[str, Squadron]:
    """Squadrons in list order, by id, each under the doctrine of its side unless it has its own. make: the set's class."""
    return {
        squadron.id: make(
            id=squadron.id,
            name=squadron.name,
            side=side.id,
            ships=tuple(ship.id for ship in squadron.ships),
            flagship=squadron.flagship,
            officer=squadron.flag_officer,
            flag_bonus=squadron.flag_bonus,
            doctrine=squadron.doctrine or side.doctrine,
            arrives=squadron.arrives,
            edge=squadron.edge,
        )
        for side in scenario.sides
        for squadron in side.squadrons
    }


def entries(scenario: Scenario) -> Iterator[tuple[str, ScenarioShip]]:
    """Every ship of a scenario in list order, with her path in its document."""
    for i, side in enumerate(scenario.sides):
        for j, squadron in enumerate(side.squadrons):
            for k, ship in enumerate(squadron.ships):
                yield f"sides[{i}].squadrons[{j}].ships[{k}]", ship


def absence_faults(scenario: Scenario) -> Iterator[Fault]:
    """Sides of which nobody is there when the battle begins."""
    for i, side in enumerate(scenario.sides):
        if all(squadron.arrives for squadron in side.squadrons):
            text = "at least one squadron must be there from the start (arrives 0)"
            yield Fault(f"sides[{i}].squadrons", text)


def officers_of(squadrons: Mapping[str, Squadron], luck: Officers) -> tuple[OfficerFate, ...]:
    """Every named flag officer, the unhurt ones too. luck: ship, fate and clause, by squadron."""
    return tuple(
        OfficerFate(squadron.officer, *luck.get(code, (squadron.flagship, "unhurt", "")))
        for code, squadron in squadrons.items()
        if squadron.officer
    )
