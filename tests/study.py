"""How good the captain is: mirrored battles of the squadron's captain against the plain one, as a table.

`python -m tests.study [--runs N] [--sizes 10 30] [--captain squadron] [--against plain]`. Both sides sail the same ships drawn
from the register; sides are swapped from battle to battle and every battle has its own seed. A battle is won by the side that
has lost less, by whole value, sunk and taken ships counted alike.

`python -m tests.study --scenarios [NAME ...] [--runs N] [--workers N]` prints instead what the shipped scenarios come to.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from battles.engine.core.fates import Fate
from battles.engine.odds import interval, whole_values, winner
from battles.engine.play import play_for_odds
from tests import study_scenarios
from tests.support.fleets import mirrored


@dataclass(slots=True)
class Score:
    """Battles won, drawn and lost by the captain under study, and ships lost by him and by the other."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    own_ships: int = 0
    other_ships: int = 0

    @property
    def battles(self) -> int:
        """Battles fought."""
        return self.won + self.drawn + self.lost


def battle(number: int, *, size: int, captain: str, against: str) -> Score:
    """One battle: two in succession have the same ships, with the sides swapped."""
    swapped = number % 2 == 1
    names = (against, captain) if swapped else (captain, against)
    scenario = mirrored(size, pick=number // 2, captains=names)
    mine = scenario.sides[1 if swapped else 0].id
    outcome = play_for_odds(scenario, number)
    best = winner(outcome, whole_values(scenario))
    score = Score(won=best == mine, drawn=best == "", lost=best not in ("", mine))
    for entry in outcome.ships:
        gone = entry.fate is not Fate.AFLOAT
        score.own_ships += gone and entry.side == mine
        score.other_ships += gone and entry.side != mine
    return score


def study(
    *, size: int, runs: int, captain: str = "squadron", against: str = "plain", workers: int = 1
) -> Score:
    """Fight so many battles and add them up."""
    one = partial(battle, size=size, captain=captain, against=against)
    total = Score()
    if workers == 1:
        scores: Iterator[Score] = map(one, range(runs))
    else:
        with ProcessPoolExecutor(workers) as pool:
            scores = iter(list(pool.map(one, range(runs), chunksize=10)))
    for score in scores:
        for name in ("won", "drawn", "lost", "own_ships", "other_ships"):
            setattr(total, name, getattr(total, name) + getattr(score, name))
    return total


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.study", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 30])
    parser.add_argument("--captain", default="squadron")
    parser.add_argument("--against", default="plain")
    parser.add_argument("--workers", type=int, help="processes; 2, for the scenarios 1")
    parser.add_argument("--scenarios", nargs="*", metavar="NAME", help="all of them when none is named")
    args = parser.parse_args()
    if args.scenarios is not None:
        study_scenarios.print_study(runs=args.runs, workers=args.workers or 1, only=args.scenarios)
        return
    print(f"{args.captain} against {args.against}, the same ships on both sides, sides swapped")
    print(
        f"{'a side':>6} {'battles':>8} {'won':>5} {'drawn':>6} {'lost':>5}  {'share won, 95 per cent':24} ships lost: own, theirs"
    )
    for size in args.sizes:
        s = study(
            size=size, runs=args.runs, captain=args.captain, against=args.against, workers=args.workers or 2
        )
        low, high = interval(s.won, s.battles)
        share = f"{100 * s.won / s.battles:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        losses = f"{s.own_ships / s.battles:.1f}, {s.other_ships / s.battles:.1f}"
        print(f"{size:6} {s.battles:8} {s.won:5} {s.drawn:6} {s.lost:5}  {share:24} {losses}", flush=True)


if __name__ == "__main__":
    main()
