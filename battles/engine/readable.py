"""A battle as people read it: turn by turn, by name, and the bill at the end. Text is made from the log, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.log import Event
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Scenario
from battles.engine.core.telling import many
from battles.engine.registry import rule_set


def account(scenario: Scenario, events: Iterable[Event], outcome: Outcome) -> Iterator[str]:
    """The lines of a readable account: heading, every turn in which something happened, losses side by side."""
    rules: RuleSet[Any] = rule_set(scenario.rule_set)
    teller = rules.teller(scenario)
    yield scenario.title
    yield ", ".join(f"{side.name} {many(sum(1 for _ in side.ships()), 'ship')}" for side in scenario.sides)
    yield from handicaps(scenario)
    for turn, rows in groupby(events, key=lambda event: event.turn):
        told = teller.turn(list(rows))
        if told:
            yield ""
            yield f"Turn {turn}" if turn else "Before the first turn"
            yield from (f"  {line}" for line in told)
    yield ""
    yield from bill(scenario, outcome)


def handicaps(scenario: Scenario) -> Iterator[str]:
    """What a scenario takes from a side, and why; nothing for most."""
    names = {side.id: side.name for side in scenario.sides}
    for one in scenario.handicaps:
        yield f"Handicap: {names[one.side]}, {one.what} at {one.percent}%. {one.reason}"


def bill(scenario: Scenario, outcome: Outcome) -> Iterator[str]:
    """What became of every side's ships, the lost and taken by name."""
    names = {ship.id: ship.name for _, _, ship in scenario.ships()}
    sides = {side.id: side.name for side in scenario.sides}
    hours, minutes = divmod(outcome.minutes, 60)
    parts = [many(n, what) for n, what in ((hours, "hour"), (minutes, "minute")) if n]
    yield f"After {many(outcome.turns, 'turn')} ({' '.join(parts)}):"
    for side in scenario.sides:
        own = [entry for entry in outcome.ships if entry.side == side.id]
        yield f"  {side.name}: {many(len(own), 'ship')}, {_count(own)}"
        for entry in own:
            if entry.fate is not Fate.AFLOAT:
                by = names.get(entry.captor_ship) or sides.get(entry.captor, "")
                yield f"    {names[entry.ship]}: {entry.fate.value}{f' by {by}' if by else ''}"
    for officer in outcome.officers:
        yield f"  {officer.name or 'flag officer'} ({names.get(officer.ship, officer.ship)}): {officer.fate}"
    if outcome.held_field:
        yield f"  {sides[outcome.held_field]} holds the field."


def _count(entries: list[ShipOutcome]) -> str:
    fates = [f"{n} {fate.value}" for fate in Fate if (n := sum(entry.fate is fate for entry in entries))]
    flags = [f"{n} {flag.value}" for flag in Flag if (n := sum(flag in entry.flags for entry in entries))]
    return ", ".join(fates) + (f" (of these {', '.join(flags)})" if flags else "")
