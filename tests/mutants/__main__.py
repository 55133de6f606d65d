"""`make mutants AREA=… N=… SEED=…`: how many small mistakes in the code the tests would notice.

Draws single mutations by a seed, tries each against the tests that reach its line in a throw-away copy, and lists those that none
noticed. Noticed means: an assertion about behaviour failed. A crash, a module that no longer imports and a time-out do not count, nor
do tests marked `golden`, which compare with what was recorded. A run that was stopped continues where it was; it keeps its records in
var/mutants. Figures and reasons are in tests/MUTANTS.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from tests.mutants.areas import AREAS
from tests.mutants.reach import measured
from tests.mutants.trials import ROOT, VERDICTS, Verdict, copy_of_tree, drawn, forget_survivors, tried

STORE = ROOT / "var" / "mutants"
PROCESSES = 2


def main(argv: Sequence[str]) -> int:
    """Runs the draws asked for; returns 1 when fewer than the area's bound were noticed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("area", choices=sorted(AREAS), help="which part of the code")
    parser.add_argument("--number", type=int, default=100, help="how many mistakes to make (100)")
    parser.add_argument("--seed", default="1", help="decides which mistakes are made (1)")
    parser.add_argument("--only", default="*", help="draw from the files of the area that fit this pattern")
    parser.add_argument("--survivors", action="store_true", help="try again the mistakes that went unnoticed")
    options = parser.parse_args(argv)
    area = AREAS[options.area]
    STORE.mkdir(parents=True, exist_ok=True)
    copies = [copy_of_tree(STORE / f"copy-{area.name}-{at}") for at in range(PROCESSES)]
    reach = measured(area, copies[0], STORE)
    record = STORE / f"{area.name}-{options.seed}.jsonl"
    if options.survivors:
        forget_survivors(record)
    mutants = drawn(area, copies[0], count=options.number, seed=options.seed, only=options.only)
    verdicts = []
    for verdict in tried(mutants, reach, copies, record):
        verdicts.append(verdict)
        print(
            f"{len(verdicts):4} {verdict.verdict:10} {verdict.label}  ({verdict.seconds:.0f} s)", flush=True
        )
    return report(verdicts, area.name, options.seed, area.bound)


def report(verdicts: Sequence[Verdict], area: str, seed: str, bound: int | None) -> int:
    """Prints the table and those that got away."""
    counted = Counter(verdict.verdict for verdict in verdicts)
    share = 100 * counted["noticed"] / len(verdicts) if verdicts else 0.0
    print(f"\n{area}, seed {seed}: {len(verdicts)} mutants, {share:.1f} of 100 noticed")
    for word in VERDICTS:
        print(f"  {word:10} {counted[word]:4}")
    for verdict in verdicts:
        if verdict.verdict != "noticed":
            print(f"  {verdict.verdict}: {verdict.label}" + (f"  [{verdict.text}]" if verdict.text else ""))
    return int(bound is not None and share < bound)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
