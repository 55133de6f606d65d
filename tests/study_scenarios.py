"""What the shipped scenarios come to: every one fought with so many seeds, losses by side as mean and range.

Printed by `python -m tests.study --scenarios`, as the table that stands in the rule set's rules.md. A battle that does not end, or
ends with more or fewer ships than it began with, stops the study.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median_low

from battles.data.scenarios.build import SCENARIOS, files
from battles.engine.changes import version
from battles.engine.cli import load
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.hexes import distance
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.plane import within
from battles.engine.core.scenario import Scenario
from battles.engine.play import play_for_odds

# `fled`: afloat under her own colours and out of reach, more than 12 hexes from every enemy (K.G9).
REACH = 12
# `escaped`: she left, or is afloat under her own colours and more than 32 inches from every enemy (T.S16).
CLEAR = 32_000
# Ends of ships that do not come home.
_GONE = ("taken", "sunk", "burnt", "blown up", "foundered", "wrecked")
FILES = files("kohler")


@dataclass(slots=True)
class Results:
    """All runs of one scenario. ends: by side and end, the count of every run; turns, ended: of every run.

    hits: by side, what it lost in points or boxes in every run. held: in how many a side held the field.
    """

    title: str
    sides: dict[str, tuple[str, int]]
    rules: str = "kohler"
    turns: list[int] = field(default_factory=list)
    ended: Counter[str] = field(default_factory=Counter)
    ends: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    hits: dict[str, list[int]] = field(default_factory=dict)
    held: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """Count one battle."""
        self.turns.append(outcome.turns)
        self.ended[outcome.ended] += 1
        read = READINGS[self.rules].end_of
        counts = Counter((entry.side, read(entry, outcome)) for entry in outcome.ships)
        self.held[outcome.held_field] += 1
        for side in self.sides:
            hits = sum(entry.hits_taken for entry in outcome.ships if entry.side == side)
            self.hits.setdefault(side, []).append(hits)
            for end in READINGS[self.rules].ends:
                self.ends.setdefault((side, end), []).append(counts[side, end])


def end_of(entry: ShipOutcome, outcome: Outcome) -> str:
    """A ship's end in the words of the table, "" for one that is still in the fight or waits for it."""
    if entry.fate is Fate.CAPTURED:
        return "taken"
    if entry.fate is Fate.BLOWN_UP:
        return "blown up"
    if entry.fate is Fate.BURNT:
        return "expended"
    if entry.fate.lost:
        return "burnt" if entry.cause == "fire" else "sunk"
    return "fled" if _out_of_reach(entry, outcome) else ""


def _out_of_reach(entry: ShipOutcome, outcome: Outcome) -> bool:
    if entry.position is None:
        return False
    enemies = [
        other.position
        for other in outcome.ships
        if other.side != entry.side and other.fate is Fate.AFLOAT and other.position is not None
    ]
    return bool(enemies) and all(distance(entry.position, cell) > REACH for cell in enemies)


def thomas_end_of(entry: ShipOutcome, outcome: Outcome) -> str:
    """The same for Thomas's battles, on a plane without an edge."""
    if entry.fate is Fate.CAPTURED:
        return "taken"
    if entry.fate.lost:
        return entry.fate.value
    enemies = [
        other.position
        for other in outcome.ships
        if other.side != entry.side and other.fate is Fate.AFLOAT and other.position is not None
    ]
    clear = entry.position is not None and bool(enemies)
    clear = clear and not any(within(entry.position, place, CLEAR) for place in enemies if entry.position)
    return "escaped" if Flag.WITHDREW in entry.flags or clear else ""


def told_end_of(entry: ShipOutcome, _: Outcome) -> str:
    """The same where the set itself says who left."""
    if entry.fate is Fate.CAPTURED:
        return "taken"
    if entry.fate is not Fate.AFLOAT:
        return entry.fate.value.replace("_", " ")
    return "left" if Flag.WITHDREW in entry.flags else ""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a rule set's outcomes are read. ends: columns of the table, in order. turns: what a turn is called.

    hits: what hits are called, "" where they and the field have no column.
    """

    ends: tuple[str, ...]
    end_of: Callable[[ShipOutcome, Outcome], str]
    turns: str
    hits: str = ""


READINGS = {
    "kohler": Reading(("sunk", "burnt", "blown up", "taken", "expended", "fled"), end_of, "turns"),
    "thomas": Reading(
        ("taken", "sunk", "blown up", "foundered", "wrecked", "escaped"), thomas_end_of, "moves"
    ),
    "age_of_sail": Reading(
        ("taken", "blown up", "foundered", "burnt", "missing", "left"), told_end_of, "rounds", "boxes"
    ),
    "cordery": Reading(("sunk", "blown up", "left"), told_end_of, "turns", "FP lost"),
    "barker": Reading(
        ("taken", "sunk", "blown up", "wrecked", "scuttled", "left"), told_end_of, "turns", "hits"
    ),
}


def fight(scenario: Scenario, *, runs: int, workers: int = 1) -> Results:
    """Fight a scenario with the seeds 1 to `runs`; the result does not depend on `workers`."""
    sides = {side.id: (side.name, sum(1 for _ in side.ships())) for side in scenario.sides}
    results = Results(scenario.title, sides, scenario.rule_set)
    seeds = range(1, runs + 1)
    if workers == 1:
        for seed in seeds:
            results.add(_counted(scenario, play_for_odds(scenario, seed)))
        return results
    with ProcessPoolExecutor(workers) as pool:
        for outcome in pool.map(partial(play_for_odds, scenario), seeds, chunksize=5):
            results.add(_counted(scenario, outcome))
    return results


def _counted(scenario: Scenario, outcome: Outcome) -> Outcome:
    """An outcome that has ended, with every ship of the scenario in it once. Raises ValueError for any other."""
    began, ended = (
        sorted(ship.id for _, _, ship in scenario.ships()),
        sorted(row.ship for row in outcome.ships),
    )
    if not outcome.ended or began != ended:
        raise ValueError(
            f"{scenario.title}: {len(began)} ships began, {len(ended)} ended ({outcome.ended!r})"
        )
    return outcome


def table(many: Sequence[Results]) -> Iterator[str]:
    """The lines of the table: a row a side, mean and (least-most) of a battle."""
    reading = READINGS[many[0].rules if many else "kohler"]
    last = (reading.hits, "field") if reading.hits else ()
    yield f"| scenario | side | ships | {reading.turns} | {' | '.join((*reading.ends, *last))} |"
    yield "|---|---|---:|" + "---|" * (1 + len(reading.ends) + len(last))
    for results in many:
        for place, (side, (name, ships)) in enumerate(results.sides.items()):
            cells = [_spread(results.ends[side, end]) for end in reading.ends]
            if reading.hits:
                cells += [_spread(results.hits[side]), str(results.held[side])]
            turns = _spread(results.turns) if not place else ""
            title = results.title if not place else ""
            yield f"| {title} | {name} | {ships} | {turns} | {' | '.join(cells)} |"


def _spread(counts: Sequence[int]) -> str:
    """Mean and range, "-" when it never happened."""
    if not any(counts):
        return "-"
    return f"{sum(counts) / len(counts):.1f} ({min(counts)}-{max(counts)})"


def names(rules: str = "kohler") -> list[str]:
    """The shipped scenarios of a set, by file name without its ending, in the order in which they are built."""
    return list(SCENARIOS[rules])


def print_study(*, runs: int, workers: int, only: Sequence[str] = (), rules: str = "kohler") -> None:
    """Fight the shipped scenarios (or only some) and print the table; progress goes to standard error."""
    many = []
    for name in only or names(rules):
        for scenario in with_and_without(load(files(rules) / f"{name}.json")):
            start = time.perf_counter()
            many.append(fight(scenario, runs=runs, workers=workers))
            ended = ", ".join(f"{why} {count}" for why, count in many[-1].ended.most_common())
            took = f"{time.perf_counter() - start:.0f} s"
            print(f"{scenario.title}: {runs} runs, {took}; {ended}", file=sys.stderr, flush=True)
    print(f"Seeds 1-{runs}, version {version(rules)} of the set. Mean (least-most) of a battle.\n")
    print("\n".join(table(many)), flush=True)
    print("\n" + "\n".join(line for results in many for line in medians(results)), flush=True)


def with_and_without(scenario: Scenario) -> Iterator[Scenario]:
    """A scenario as it is shipped and, if it has handicaps, without them."""
    yield scenario
    if scenario.handicaps:
        yield replace(scenario, title=f"{scenario.title}, without handicaps", handicaps=())


def medians(results: Results) -> Iterator[str]:
    """What half of the battles take from each side at most, in a line a side: ships taken, and all that are gone."""
    for side, (name, _) in results.sides.items():
        taken = results.ends.get((side, "taken"), [0])
        gone = [
            sum(rows)
            for rows in zip(
                *(results.ends[side, end] for end in _GONE if (side, end) in results.ends), strict=True
            )
        ]
        yield f"{results.title}, {name}: median {median_low(taken)} taken, {median_low(gone)} gone"
