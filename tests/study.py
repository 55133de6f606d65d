"""How good a captain is: mirrored battles against the other captains, and what battle instructions make of it, as tables.

`python -m tests.study [--rules kohler] [--runs N] [--sizes 10 30 80] [--captain commander] [--against squadron plain]
[--no-doctrines]`. Both sides sail the same ships drawn from the registers of the rule set; sides are swapped from battle to
battle and every battle has its own seed. A battle is won by the side that has lost less, by whole value, sunk and taken ships
counted alike; where the rule set names the winner itself, as Cordery does (C.V2), by that side.

`python -m tests.study --scenarios [NAME ...] [--runs N] [--workers N]` prints instead how the shipped scenarios end, and `--conduct` in the
same way how the fleets of Kohler's bore themselves: line, weather gauge, breaking off (`study_conduct`). `--war THEATRE [--runs N]
[--first N] [--days N] [--workers N] [--folder DIR]` plays whole campaigns and prints the table of G.AA7 (`study_war`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

from battles.engine import ENGINE
from battles.engine.core.dice import FastDice
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import Scenario
from battles.engine.odds import interval, whole_values, winner
from battles.engine.registry import rule_set
from tests import study_conduct, study_doctrines, study_scenarios, study_war
from tests.study_line import Keeping, Lines
from tests.support import barker_fleets, cordery_fleets, thomas_fleets
from tests.support.fleets import mirrored


@dataclass(frozen=True, slots=True)
class Ground:
    """On what a rule set's captains are studied. sizes: ships per side; against: the captains it meets. lines: both lines are watched.

    scored: whether the rule set's own score names the winner, who then holds the field.
    """

    mirrored: Callable[..., Scenario]
    sizes: Sequence[int]
    against: Sequence[str]
    lines: bool
    scored: bool = False


GROUNDS = {
    "kohler": Ground(mirrored, (10, 30, 80), ("squadron", "plain"), True),
    "thomas": Ground(thomas_fleets.mirrored, (1, 10, 30), ("plain",), False),
    "age_of_sail": Ground(
        partial(mirrored, rule_set="age_of_sail", start="1666-06-01T06:00"), (5, 10, 20), ("plain",), False
    ),
    "cordery": Ground(cordery_fleets.mirrored, (5, 10, 20), ("plain",), False, scored=True),
    "barker": Ground(barker_fleets.mirrored, (4, 8, 16), ("plain",), False),
}


@dataclass(slots=True)
class Score:
    """Battles won, drawn and lost by the captain under study, ships lost by him and by the other, and how both kept their lines.

    own, own_before, theirs, theirs_before: his lines and the other's, in whole battles and before contact (`study_line`).
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    own_ships: int = 0
    other_ships: int = 0
    own: Keeping = field(default_factory=Keeping)
    own_before: Keeping = field(default_factory=Keeping)
    theirs: Keeping = field(default_factory=Keeping)
    theirs_before: Keeping = field(default_factory=Keeping)

    @property
    def battles(self) -> int:
        """Battles fought."""
        return self.won + self.drawn + self.lost

    def add(self, other: Score) -> None:
        """Take in another score."""
        for part in fields(Score):
            mine, more = getattr(self, part.name), getattr(other, part.name)
            if isinstance(mine, Keeping):
                mine.add(more)
            else:
                setattr(self, part.name, mine + more)


def battle(number: int, *, size: int, captain: str, against: str, rules: str = "kohler") -> Score:
    """One battle: two in succession have the same ships, with the sides swapped."""
    swapped = number % 2 == 1
    names = (against, captain) if swapped else (captain, against)
    scenario = GROUNDS[rules].mirrored(size, pick=number // 2, captains=names)
    mine = scenario.sides[1 if swapped else 0].id
    score = Score()
    if GROUNDS[rules].lines:
        other = next(side.id for side in scenario.sides if side.id != mine)
        outcome = _watched(scenario, number, score, mine, other)
    else:
        outcome = rule_set(rules).outcome(rule_set(rules).play(scenario, FastDice(number)))
    scored = GROUNDS[rules].scored
    best = outcome.held_field if scored else winner(outcome, whole_values(scenario))
    score.won, score.drawn, score.lost = best == mine, best == "", best not in ("", mine)
    for entry in outcome.ships:
        gone = entry.fate is not Fate.AFLOAT
        score.own_ships += gone and entry.side == mine
        score.other_ships += gone and entry.side != mine
    return score


def _watched(scenario: Scenario, number: int, score: Score, mine: str, other: str) -> Outcome:
    """Fight one battle turn by turn; both sides' lines are read after every turn."""
    rules: Any = rule_set(scenario.rule_set)
    dice = FastDice(number)
    sea = rules.begin(scenario, dice)
    captains = {side.id: rules.captains[side.captain](side.doctrine) for side in scenario.sides}
    own, theirs = Lines(mine), Lines(other)
    while not rules.over(sea):
        sea = rules.advance(sea, {}, captains, dice)
        own.watch(sea)
        theirs.watch(sea)
    score.own, score.own_before = own.whole, own.before
    score.theirs, score.theirs_before = theirs.whole, theirs.before
    outcome: Outcome = rules.outcome(sea)
    return outcome


def study(
    *,
    size: int,
    runs: int,
    captain: str = "commander",
    against: str = "plain",
    workers: int = 1,
    first: int = 0,
    rules: str = "kohler",
) -> Score:
    """Fight so many battles, the `first` and those that follow it, and add them up."""
    one = partial(battle, size=size, captain=captain, against=against, rules=rules)
    total = Score()
    if workers == 1:
        scores: Iterator[Score] = map(one, range(first, first + runs))
    else:
        with ProcessPoolExecutor(workers) as pool:
            scores = iter(list(pool.map(one, range(first, first + runs), chunksize=10)))
    for score in scores:
        total.add(score)
    return total


def rows(
    sizes: Sequence[int],
    *,
    runs: int,
    captain: str,
    against: Sequence[str],
    workers: int = 1,
    first: int = 0,
    rules: str = "kohler",
) -> Iterator[str]:
    """The table of the captain against others, line by line."""
    yield f"{captain} against others, the same ships on both sides, sides swapped"
    lines = GROUNDS[rules].lines
    yield (
        f"{'against':10} {'a side':>6} {'battles':>8} {'won':>5} {'drawn':>6} {'lost':>5}  {'share won, 95 per cent':24} "
        "ships lost: own, theirs"
    )
    kept: list[tuple[str, int, Score]] = []
    for other in against:
        for size in sizes:
            s = study(
                size=size,
                runs=runs,
                captain=captain,
                against=other,
                workers=workers,
                first=first,
                rules=rules,
            )
            low, high = interval(s.won, s.battles)
            share = f"{100 * s.won / s.battles:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
            losses = f"{s.own_ships / s.battles:.1f}, {s.other_ships / s.battles:.1f}"
            yield f"{other:10} {size:6} {s.battles:8} {s.won:5} {s.drawn:6} {s.lost:5}  {share:24} {losses:>23}"
            kept.append((other, size, s))
    if not lines:
        return
    yield ""
    yield "how they kept their lines: until a squadron is in contact with an enemy, and in whole battles"
    yield f"{'':28} {'until contact':^22}   {'whole battles':^22}"
    yield f"{'captain':10} {'against':10} {'a side':>6}  {'gap  fouled  astray':>22}   {'gap  fouled  astray':>22}"
    for other, size, s in kept:
        yield f"{captain:10} {other:10} {size:6}  {_kept(s.own_before)}   {_kept(s.own)}"
        yield f"{other:10} {captain:10} {size:6}  {_kept(s.theirs_before)}   {_kept(s.theirs)}"
    yield "gap: hexes between neighbours in the line; fouled: collisions in 1,000 ship-turns; astray: per cent out of command"


def _kept(line: Keeping) -> str:
    return f"{line.gap:7.2f} {line.fouled:7.1f} {line.strayed:6.1f}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.study", description=__doc__)
    parser.add_argument("--runs", type=int, help="battles, 200 if nothing is said, or wars, 20")
    parser.add_argument("--rules", choices=sorted(GROUNDS), default="kohler")
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--captain", default="commander")
    parser.add_argument("--against", nargs="+")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--first",
        type=int,
        help="number of the first battle (0; the captain's weights were found on 0-199) or war (1)",
    )
    parser.add_argument("--no-doctrines", action="store_true")
    parser.add_argument("--scenarios", nargs="*", metavar="NAME", help="all of them when none is named")
    parser.add_argument("--conduct", nargs="*", metavar="NAME", help="the Four Days when none is named")
    parser.add_argument("--war", metavar="THEATRE", help="campaigns of a theatre instead of battles")
    parser.add_argument(
        "--days", type=int, default=0, help="of a war, to the end of a turn; all when not said"
    )
    parser.add_argument("--folder", default="", help="for the chronicles and plans of wars")
    args = parser.parse_args()
    print(f"engine: {ENGINE}", file=sys.stderr)
    if args.war:
        sys.exit(
            study_war.print_wars(
                args.war,
                runs=args.runs or 20,
                first=1 if args.first is None else args.first,
                days=args.days,
                workers=args.workers,
                folder=args.folder,
            )  # fmt: skip
        )
    args.runs, args.first = args.runs or 200, args.first or 0
    if args.conduct is not None:
        study_conduct.print_conduct(runs=args.runs, workers=args.workers, only=args.conduct)
        return
    if args.scenarios is not None:
        study_scenarios.print_study(
            runs=args.runs, workers=args.workers, only=args.scenarios, rules=args.rules
        )
        return
    for line in rows(
        args.sizes or GROUNDS[args.rules].sizes,
        runs=args.runs,
        captain=args.captain,
        against=args.against or GROUNDS[args.rules].against,
        workers=args.workers,
        first=args.first,
        rules=args.rules,
    ):
        print(line, flush=True)
    if args.rules == "kohler" and not args.no_doctrines:
        for line in study_doctrines.rows(args.captain, runs=max(1, args.runs // 5)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
