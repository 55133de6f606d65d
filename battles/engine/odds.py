"""A battle fought many times over: how often each ship and side comes to what end, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from typing import Any

from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Scenario
from battles.engine.play import play_for_odds
from battles.engine.registry import rule_set

Z = 1.96
NOBODY = ""


@dataclass(slots=True)
class Tally:
    """Counts of a number of runs. fates: by ship; winners: by side, "" for drawn; lost: ships lost or taken, by side."""

    runs: int = 0
    fates: dict[str, Counter[Fate]] = field(default_factory=dict)
    winners: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    turns: int = 0

    def add(self, other: Tally) -> None:
        """Take in the counts of other runs."""
        self.runs += other.runs
        self.turns += other.turns
        self.winners += other.winners
        self.lost += other.lost
        for ship, fates in other.fates.items():
            self.fates.setdefault(ship, Counter()).update(fates)


def whole_values(scenario: Scenario) -> dict[str, Any]:
    """Whole value of every ship by her id, in the rule set's points."""
    rules: RuleSet[Any] = rule_set(scenario.rule_set)
    year = int(scenario.start[:4]) if scenario.start else None
    found = {}
    for _, _, ship in scenario.ships():
        # An old ship is judged by the year in which it fights, not by that of its launch.
        met = ship.facts.year_served if ship.facts.year_served is not None else year
        found[ship.id] = rules.at_sea.whole_value(rules.card(replace(ship.facts, year_served=met)))
    return found


def winner(outcome: Outcome, values: dict[str, Any]) -> str:
    """The side whose enemies lost more by whole value than it lost itself; "" when it comes out even."""
    lost: dict[str, Any] = {}
    for entry in outcome.ships:
        gone = entry.fate.lost or entry.fate is Fate.CAPTURED
        lost[entry.side] = lost.get(entry.side, 0) + (values[entry.ship] if gone else 0)
    least = min(lost.values())
    best = [side for side, value in lost.items() if value == least]
    return best[0] if len(best) == 1 else NOBODY


def count(scenario: Scenario, *, runs: int, workers: int = 1, seed: int = 1) -> Tally:
    """Fight the battle so many times, seeds counting up from `seed`, and count. The result does not depend on `workers`."""
    total = Tally()
    if workers == 1:
        total.add(_some(scenario, (seed, runs)))
        return total
    share = -(-runs // (workers * 4))
    parts = [(seed + start, min(share, runs - start)) for start in range(0, runs, share)]
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for part in pool.map(partial(_some, scenario), parts):
            total.add(part)
    return total


def _some(scenario: Scenario, part: tuple[int, int]) -> Tally:
    first, runs = part
    values = whole_values(scenario)
    tally = Tally(fates={ship.id: Counter() for _, _, ship in scenario.ships()})
    for seed in range(first, first + runs):
        outcome = play_for_odds(scenario, seed)
        tally.runs += 1
        tally.turns += outcome.turns
        tally.winners[winner(outcome, values)] += 1
        for entry in outcome.ships:
            tally.fates[entry.ship][entry.fate] += 1
            tally.lost[entry.side] += entry.fate is not Fate.AFLOAT
    return tally


def interval(hits: int, runs: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, as fractions."""
    share, square = hits / runs, Z * Z
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = Z * sqrt(share * (1 - share) / runs + square / (4 * runs * runs)) / (1 + square / runs)
    return max(0.0, middle - half), min(1.0, middle + half)


def table(scenario: Scenario, tally: Tally) -> Iterator[str]:
    """The counts as lines: every row adds up to the number of runs."""
    yield f"{scenario.title}: {tally.runs} runs, {tally.turns / tally.runs:.1f} turns on average"
    yield ""
    yield f"{'side':24} {'wins':>6}  95% range          ships lost per run"
    for side in scenario.sides:
        wins = tally.winners[side.id]
        yield f"{side.name[:24]:24} {wins:6}  {_span(wins, tally.runs)}  {tally.lost[side.id] / tally.runs:8.2f}"
    yield f"{'drawn':24} {tally.winners[NOBODY]:6}  {_span(tally.winners[NOBODY], tally.runs)}"
    known = [fate for fate in Fate if any(fates[fate] for fates in tally.fates.values())]
    yield ""
    yield f"{'ship':24} {' '.join(f'{fate.value:>10}' for fate in known)}  afloat, 95% range"
    for side, _, ship in scenario.ships():
        fates = tally.fates[ship.id]
        counts = " ".join(f"{fates[fate]:10}" for fate in known)
        yield f"{f'{ship.name} ({side.id})'[:24]:24} {counts}  {_span(fates[Fate.AFLOAT], tally.runs)}"


def _span(hits: int, runs: int) -> str:
    low, high = interval(hits, runs)
    return f"{100 * low:5.1f} to {100 * high:5.1f}%"
