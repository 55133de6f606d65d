"""Which hulls share a base: destroyers and boats go in pairs. Rules: P.S01, P.S12, P.K36."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from battles.engine.core.scenario import Scenario, ScenarioShip, Side, Squadron
from battles.engine.rulesets.barker.card import Card, card
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.tables import BOATS, Type

PAIR = 2


@dataclass(frozen=True, slots=True)
class Member:
    """A hull before the battle: whose it is, its card, and how it comes."""

    side: Side
    squadron: Squadron
    ship: ScenarioShip
    card: Card
    condition: Condition


@dataclass(frozen=True, slots=True)
class Base:
    """Hulls on one base, one or two, and the type they fight as."""

    members: tuple[Member, ...]
    type: Type

    @property
    def first(self) -> Member:
        """The hull that gives the unit its id, its place and its squadron."""
        return self.members[0]

    @property
    def worse(self) -> Condition:
        """The worse of the conditions on the base: the pair fights with that. Rule: P.K36."""
        return max((member.condition for member in self.members), key=lambda one: one.rung)


def bases(scenario: Scenario) -> list[Base]:
    """Everybody on a base, in list order of the first hulls. Expects ships that have cards. Rule: P.K36."""
    found: list[Base] = []
    order: dict[str, int] = {}
    for side in scenario.sides:
        members = list(_members(side))
        order |= {member.ship.id: len(order) + n for n, member in enumerate(members)}
        boats = [member for member in members if member.card.kind in BOATS and not member.ship.prize]
        found += [Base((member,), member.card.kind) for member in members if member not in boats]
        found += _paired(side, boats)
    return sorted(found, key=lambda base: order[base.first.ship.id])


def _members(side: Side) -> Iterator[Member]:
    for squadron in side.squadrons:
        for ship in squadron.ships:
            condition = Condition() if ship.condition is None else Condition.from_dict(ship.condition)
            yield Member(side, squadron, ship, card(ship.facts), condition)


def _paired(side: Side, boats: list[Member]) -> Iterator[Base]:
    """Boats by nation and kind: those of a squadron first, what is left across the squadrons that come together. Rules: P.S12, P.K36."""
    for kind, nation in dict.fromkeys((boat.card.kind, boat.ship.facts.nation) for boat in boats):
        alike = [boat for boat in boats if (boat.card.kind, boat.ship.facts.nation) == (kind, nation)]
        left: list[Member] = []
        for squadron in side.squadrons:
            own = [boat for boat in alike if boat.squadron is squadron]
            pairs, odd = _two_by_two(own)
            yield from (Base(pair, kind) for pair in pairs)
            left += odd
        for arrives in dict.fromkeys((boat.squadron.arrives, boat.squadron.edge) for boat in left):
            pairs, odd = _two_by_two([b for b in left if (b.squadron.arrives, b.squadron.edge) == arrives])
            yield from (Base(pair, kind) for pair in pairs)
            # A destroyer by itself is about one older pair. Rule: P.S12.
            yield from (Base((boat,), Type.TB) for boat in odd)


def _two_by_two(boats: Iterable[Member]) -> tuple[list[tuple[Member, ...]], list[Member]]:
    rows = list(boats)
    whole = len(rows) - len(rows) % PAIR
    return [tuple(rows[n : n + PAIR]) for n in range(0, whole, PAIR)], rows[whole:]
