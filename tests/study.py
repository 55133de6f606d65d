"""How good the captain is: mirrored battles against the other captains, and what his instructions make of him, as tables.

`python -m tests.study [--rules kohler] [--runs N] [--sizes 10 30 80] [--captain commander] [--against squadron plain]
[--no-doctrines]`. Both sides sail the same ships drawn from the registers of the rule set; sides are swapped from battle to
battle and every battle has its own seed. A battle is won by the side that has lost less, by whole value, sunk and taken ships
counted alike.

`python -m tests.study --scenarios [NAME ...] [--runs N] [--workers N]` prints instead what the shipped scenarios come to.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from battles.engine.core.dice import FastDice
from battles.engine.core.fates import Fate
from battles.engine.core.hexes import distance
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import Scenario
from battles.engine.odds import interval, whole_values, winner
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship
from tests import study_doctrines, study_scenarios
from tests.support import thomas_fleets
from tests.support.fleets import mirrored


@dataclass(frozen=True, slots=True)
class Ground:
    """On what a rule set's captains are studied. sizes: ships a side; against: the captains he meets. lines: his line is watched."""

    mirrored: Callable[..., Scenario]
    sizes: Sequence[int]
    against: Sequence[str]
    lines: bool


GROUNDS = {
    "kohler": Ground(mirrored, (10, 30, 80), ("squadron", "plain"), True),
    "thomas": Ground(thomas_fleets.mirrored, (1, 10, 30), ("plain",), False),
}


@dataclass(slots=True)
class Score:
    """Battles won, drawn and lost by the captain under study, ships lost by him and by the other, and how he kept his line.

    pairs, gaps: neighbours in his lines, turn by turn, and the hexes between them. ship_turns, astray: turns of his ships under
    sail, and those of them out of command. tangles: how often two of his ships fouled each other.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    own_ships: int = 0
    other_ships: int = 0
    pairs: int = 0
    gaps: int = 0
    ship_turns: int = 0
    astray: int = 0
    tangles: int = 0

    @property
    def battles(self) -> int:
        """Battles fought."""
        return self.won + self.drawn + self.lost

    @property
    def gap(self) -> float:
        """Mean hexes between neighbours in the line."""
        return self.gaps / max(1, self.pairs)

    def watch(self, sea: Battle, side: str) -> None:
        """Add what can be seen of a side after a turn."""
        for squadron in sea.squadrons.values():
            if squadron.side != side:
                continue
            line = [ship for code in squadron.ships if _in_line(ship := sea.ships[code])]
            self.pairs += max(0, len(line) - 1)
            self.gaps += sum(distance(a.pos, b.pos) for a, b in zip(line, line[1:], strict=False))
            self.ship_turns += len(line)
            self.astray += sum(not ship.in_command for ship in line)
        for lock in sea.locks:
            if lock.kind is LockKind.TANGLE and lock.formed == sea.turn:
                self.tangles += sea.ships[lock.a].flag == side


def _in_line(ship: Ship) -> bool:
    """Whether she can be expected in the line: under sail, free, and with less than half her hull gone."""
    return ship.afloat and not ship.prize_of and not ship.locks and 2 * ship.steps_lost < ship.n_steps


def battle(number: int, *, size: int, captain: str, against: str, rules: str = "kohler") -> Score:
    """One battle: two in succession have the same ships, with the sides swapped."""
    swapped = number % 2 == 1
    names = (against, captain) if swapped else (captain, against)
    scenario = GROUNDS[rules].mirrored(size, pick=number // 2, captains=names)
    mine = scenario.sides[1 if swapped else 0].id
    score = Score()
    outcome = _fought(scenario, number, score, mine if GROUNDS[rules].lines else "")
    best = winner(outcome, whole_values(scenario))
    score.won, score.drawn, score.lost = best == mine, best == "", best not in ("", mine)
    for entry in outcome.ships:
        gone = entry.fate is not Fate.AFLOAT
        score.own_ships += gone and entry.side == mine
        score.other_ships += gone and entry.side != mine
    return score


def _fought(scenario: Scenario, number: int, score: Score, watched: str) -> Outcome:
    """Fight one battle; the lines of the side watched, if any, are read after every turn."""
    rules: Any = rule_set(scenario.rule_set)
    dice = FastDice(number)
    if not watched:
        found: Outcome = rules.outcome(rules.play(scenario, dice))
        return found
    sea = rules.begin(scenario, dice)
    captains = {side.id: rules.captains[side.captain](side.doctrine) for side in scenario.sides}
    while not rules.over(sea):
        sea = rules.advance(sea, {}, captains, dice)
        score.watch(sea, watched)
    watched_outcome: Outcome = rules.outcome(sea)
    return watched_outcome


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
        for field in fields(Score):
            setattr(total, field.name, getattr(total, field.name) + getattr(score, field.name))
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
        f"ships lost: own, theirs{'   gap  fouled  astray' if lines else ''}"
    )
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
            line = (
                f"  {s.gap:5.2f}  {1000 * s.tangles / s.ship_turns:5.1f}  {100 * s.astray / s.ship_turns:5.1f}"
                if lines
                else ""
            )
            yield f"{other:10} {size:6} {s.battles:8} {s.won:5} {s.drawn:6} {s.lost:5}  {share:24} {losses:>23}{line}"
    if lines:
        yield "gap: hexes between neighbours in the line; fouled: collisions in 1,000 ship-turns; astray: per cent out of command"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.study", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rules", choices=sorted(GROUNDS), default="kohler")
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--captain", default="commander")
    parser.add_argument("--against", nargs="+")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        help="number of the first battle; the captain's weights were found on 0-199",
    )
    parser.add_argument("--no-doctrines", action="store_true")
    parser.add_argument("--scenarios", nargs="*", metavar="NAME", help="all of them when none is named")
    args = parser.parse_args()
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
