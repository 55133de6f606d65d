"""The engine's own command line, without Django: `python -m battles.engine fight|odds SCENARIO.json`.

Exit status 2 for anything wrong with what was asked: a file that cannot be read, a faulty scenario (all its faults, by path), an
unknown rule set. Nothing is written then.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from battles.engine import odds
from battles.engine.core.by_hand import thrown
from battles.engine.core.dice import KeyedDice
from battles.engine.core.errors import ScenarioFaults, UnknownRuleSet
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.play import play_battle, seed_from
from battles.engine.readable import account
from battles.engine.registry import rule_set

FAULTY = 2


class Refused(Exception):
    """What was asked cannot be done; the text says why, line by line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status."""
    args = _parser().parse_args(argv)
    try:
        scenario = load(args.scenario)
        if args.command == "fight":
            if args.throw:
                scenario = throw(scenario, seed=args.seed)
            fight(scenario, seed=args.seed, json_file=args.json, log_file=args.log)
        else:
            wanted = Wanted(args.runs, args.workers, args.seed, args.within, args.watch)
            print_odds(odds.Question(scenario), wanted)
    except Refused as error:
        print(error, file=sys.stderr)
        return FAULTY
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m battles.engine", description="Fight naval battles by published rules."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fight_it = commands.add_parser("fight", help="fight one battle and print the account")
    fight_it.add_argument("scenario", type=Path, metavar="SCENARIO.json")
    fight_it.add_argument("--seed", help="hexadecimal digits or any text; by default the scenario's own")
    fight_it.add_argument("--json", type=Path, metavar="OUT", help="write the outcome document to this file")
    fight_it.add_argument(
        "--log", type=Path, metavar="OUT", help="write the battle log to this file, one event per line"
    )
    fight_it.add_argument(
        "--throw",
        action="store_true",
        help="throw dice for the hour and the wind instead of using the scenario's (G.CO5)",
    )
    many = commands.add_parser("odds", help="fight a battle many times and count the results")
    many.add_argument("scenario", type=Path, metavar="SCENARIO.json")
    many.add_argument(
        "--runs", type=_positive, default=200, metavar="N", help="how many battles to fight (200)"
    )
    many.add_argument(
        "--workers",
        type=_positive,
        default=cores(),
        metavar="N",
        help=f"how many processes share the work (as many as this computer has cores: {cores()})",
    )
    many.add_argument("--seed", type=int, default=1, help="seed of the first run")
    many.add_argument(
        "--within",
        type=_percent,
        metavar="POINTS",
        help="stop as soon as every chance is known to so many percentage points either way",
    )
    many.add_argument(
        "--watch",
        action="store_true",
        help="show the chances so far while the battles are fought; Ctrl-C stops and prints the table",
    )
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small; the minimum is 1")
    return value


def _percent(text: str) -> float:
    value = float(text)
    if not 0 < value < 50:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 50")
    return value / 100


def cores() -> int:
    """How many processes can work at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load(path: Path) -> Scenario:
    """Read a scenario file and hold it against its rule set too. Raises Refused with every fault on a line of its own."""
    try:
        doc: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: cannot be read: {_reason(error)}") from error
    except json.JSONDecodeError as error:
        raise Refused(f"{path}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error
    try:
        scenario = read_scenario(doc)
        faults = rule_set(scenario.rule_set).scenario_faults(scenario)
    except ScenarioFaults as error:
        faults = error.faults
    except UnknownRuleSet as error:
        raise Refused(str(error)) from error
    if faults:
        many = f"{len(faults)} error{'s' * (len(faults) != 1)}"
        raise Refused("\n".join([f"{path}: {many}", *(f"  {fault}" for fault in faults)]))
    return scenario


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"


def throw(scenario: Scenario, *, seed: str | None) -> Scenario:
    """The scenario as a battle set up by hand: hour and wind thrown from the seed, and told. Rule: G.CO5."""
    dice = KeyedDice(
        seed_from(seed if seed is not None else scenario.seed), prefix=f"{scenario.code}/by-hand"
    )
    rules = rule_set(scenario.rule_set)
    made = thrown(
        scenario, dice, minutes_a_turn=rules.minutes_a_turn(scenario.options), most=rules.turn_limit
    )
    wind = (made.wind_towards + 180) % 360
    print(f"Thrown: the battle begins at {made.start[-5:]}, wind from {wind} degrees, {made.strength.value}.")
    return made


def fight(scenario: Scenario, *, seed: str | None, json_file: Path | None, log_file: Path | None) -> None:
    """Fight one battle, print the account, and write outcome and log where asked. Raises Refused."""
    played = play_battle(scenario, seed_from(seed if seed is not None else scenario.seed), log=True)
    outputs = []
    if json_file is not None:
        outputs.append((json_file, json.dumps(played.outcome.to_dict(), indent=1, ensure_ascii=False) + "\n"))
    if log_file is not None:
        lines = (json.dumps(event.to_list(), ensure_ascii=False) for event in played.events)
        outputs.append((log_file, "\n".join(lines) + "\n"))
    for path, text in outputs:
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise Refused(f"{path}: cannot be written: {_reason(error)}") from error
    for line in account(scenario, played.events, played.outcome):
        print(line)


class Wanted(NamedTuple):
    """What odds are asked for. within: precision as a fraction at which to stop, None for all the runs."""

    runs: int
    workers: int
    seed: int
    within: float | None
    watch: bool


def print_odds(question: odds.Question, wanted: Wanted) -> None:
    """Fight the battle many times and print what became of sides and ships. Ctrl-C prints what has been counted by then."""
    tally = odds.Tally()
    work = odds.counting(question, runs=wanted.runs, workers=wanted.workers, seed=wanted.seed)
    with closing(work), suppress(KeyboardInterrupt):
        for tally in work:
            if wanted.watch:
                print(so_far(question, tally, wanted), end="", file=sys.stderr, flush=True)
            if wanted.within is not None and tally.within <= wanted.within:
                break
    if wanted.watch:
        print(file=sys.stderr)
    if not tally.runs:
        raise Refused("No battle was fought to its end.")
    for line in odds.table(question.scenario, tally):
        print(line)


def so_far(question: odds.Question, tally: odds.Tally, wanted: Wanted) -> str:
    """The chances so far in one line, written over the last one where that is a terminal."""
    chances = ", ".join(
        f"{side.name} {100 * tally.winners[side.id] / tally.runs:.0f}%" for side in question.scenario.sides
    )
    line = f"{tally.runs} of {wanted.runs}: {chances} (±{100 * tally.within:.0f} percentage points)"
    return f"\r{line}\x1b[K" if sys.stderr.isatty() else f"{line}\n"
