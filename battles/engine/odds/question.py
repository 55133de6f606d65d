"""What is asked: a battle between ships that are known, or with a side of which only a number and kinds are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from random import Random
from typing import Any

from battles.engine.core.at_sea import Work
from battles.engine.core.errors import Fault, ScenarioFaults, SchemaError
from battles.engine.core.scenario import Scenario, ScenarioShip, Side, Squadron, read_scenario
from battles.engine.registry import rule_set

SCHEMA = 1
# A guessed fleet of more ships than this sails in three squadrons.
ONE_SQUADRON = 9


@dataclass(frozen=True, slots=True)
class Guess:
    """What is known of a side: that it has from `least` to `most` ships of those that the scenario lists for it.

    There each squadron is a kind of ship that was seen: every battle has one of each, if there are ships enough, and the rest are drawn
    from all of them alike. A fleet larger than the list has ships of it twice.
    """

    side: str
    least: int
    most: int

    def drawn(self, side: Side, seed: int) -> Side:
        """The side as it is in one run: another number and other ships each time, the same for the same seed."""
        dice = Random(f"guess {seed}")
        number = dice.randint(self.least, self.most)
        ships = self._ships(side.squadrons, number, dice)
        return replace(side, squadrons=tuple(_squadrons(ships)))

    def _ships(self, kinds: Sequence[Squadron], number: int, dice: Random) -> list[ScenarioShip]:
        one_each = [dice.choice(kind.ships) for kind in kinds][:number]
        chosen = {ship.id for ship in one_each}
        rest = [ship for kind in kinds for ship in kind.ships if ship.id not in chosen]
        dice.shuffle(rest)
        found = [*one_each, *rest][:number]
        everyone = [ship for kind in kinds for ship in kind.ships]
        for again in count(2):
            if len(found) == number:
                break
            more = [replace(ship, id=f"{ship.id}-{again}") for ship in everyone]
            dice.shuffle(more)
            found += more[: number - len(found)]
        place = {kind: n for n, squadron in enumerate(kinds) for kind in (ship.id for ship in squadron.ships)}
        # ships of a kind sail together, as in a line with its frigates and fire ships behind it
        return sorted(found, key=lambda ship: place[ship.id.rpartition("-")[0] or ship.id])


def _squadrons(ships: Sequence[ScenarioShip]) -> Iterator[Squadron]:
    parts = 1 if len(ships) <= ONE_SQUADRON else 3
    bounds = [len(ships) * n // parts for n in range(parts + 1)]
    for n, (first, last) in enumerate(zip(bounds, bounds[1:], strict=False), 1):
        own = tuple(ships[first:last])
        flag = max(own, key=lambda ship: (ship.facts.guns or 0, ship.facts.displacement_tons or 0))
        yield Squadron(f"guess-{n}", f"Squadron {n}", flag.id, own)


@dataclass(frozen=True, slots=True)
class Rates:
    """What repairs cost, in yard-days, and how many of these a yard does in a day. Rule: G.RP2."""

    light: int
    medium: int
    heavy: int
    worse: int
    mast: int
    battery: int
    a_day: int

    def days(self, work: Work) -> int:
        """Days in a yard, whole."""
        hull = {"light": self.light, "medium": self.medium, "heavy": self.heavy, "worse": self.worse}
        whole = hull.get(work.hull, 0) + self.mast * work.masts + self.battery * work.batteries
        return -(-whole // self.a_day)


@dataclass(frozen=True, slots=True)
class Question:
    """A battle of which the odds are asked. guess: None where both sides are known. rates: None where no yard follows."""

    scenario: Scenario
    guess: Guess | None = None
    rates: Rates | None = None

    def battle(self, seed: int) -> Scenario:
        """The battle of one run."""
        guess = self.guess
        if guess is None:
            return self.scenario
        sides = (guess.drawn(side, seed) if side.id == guess.side else side for side in self.scenario.sides)
        return replace(self.scenario, sides=tuple(sides))

    def known(self) -> Iterator[tuple[Side, ScenarioShip]]:
        """The ships that are in every run, each with its side."""
        for side, _, ship in self.scenario.ships():
            if self.guess is None or side.id != self.guess.side:
                yield side, ship

    @property
    def size(self) -> int:
        """The most ships that fight."""
        return sum(1 for _ in self.known()) + (self.guess.most if self.guess is not None else 0)

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Question:
        """A question from its JSON document: schema, scenario, guess, rates. Raises ScenarioFaults, SchemaError, UnknownRuleSet."""
        if doc.get("schema") != SCHEMA:
            raise SchemaError(f"a question of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
        scenario = read_scenario(doc["scenario"])
        faults: tuple[Fault, ...] = rule_set(scenario.rule_set).scenario_faults(scenario)
        if faults:
            raise ScenarioFaults(faults)
        guess, rates = doc.get("guess"), doc.get("rates")
        return cls(scenario, Guess(**guess) if guess else None, Rates(**rates) if rates else None)


def document(
    scenario: Mapping[str, Any], guess: Guess | None = None, rates: Rates | None = None
) -> dict[str, Any]:
    """A question as `Question.read` reads it. scenario: its document."""
    return {
        "schema": SCHEMA,
        "scenario": dict(scenario),
        "guess": asdict(guess) if guess is not None else None,
        "rates": asdict(rates) if rates is not None else None,
    }
