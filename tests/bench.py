"""Benchmarks, as a table: `python -m tests.bench [--record] [NAME ...]`.

Every row runs in a process of its own, so that its memory is its own: seconds are of processor time (which other work on the
machine disturbs least; of the clock on the wall where another process does its share), the best of its repeats; MB the peak of the
process. The last column is the ratio to the last recorded run (`tests/bench_record.json`); --record writes the present one down.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from battles.engine import ENGINE
from tests import bench_campaign, bench_mail, bench_registers

RECORD = Path(__file__).with_name("bench_record.json")
SCENARIOS = Path(__file__).resolve().parents[1] / "battles" / "data" / "scenarios"


class Row(NamedTuple):
    """A benchmark. run: returns a function to be timed and, for a cost per unit, the number of units and their name.

    budget: seconds that it may take at most; 0 for none. clock: what they are measured by.
    """

    name: str
    run: Callable[[], tuple[Callable[[], object], int, str]]
    repeats: int = 3
    budget: float = 0.0
    clock: Callable[[], float] = process_time


def _first_day(*, keyed: bool) -> tuple[Callable[[], object], int, str]:
    from battles.engine.play import play_battle, play_for_odds
    from tests.support.fleets import four_days_first_day

    scenario = four_days_first_day()
    if keyed:
        return lambda: play_battle(scenario, b"bench", log=True), 0, ""
    return lambda: play_for_odds(scenario, 1), 0, ""


def _line_battle(
    ships: int, rule_set_name: str = "kohler", start: str = ""
) -> tuple[Callable[[], object], int, str]:
    """So many ships a side to the end of the day, no log."""
    from tests.support.fleets import meeting

    return _for_odds(meeting(ships, ships, rule_set=rule_set_name, start=start))


def _odds(
    rule_set_name: str = "kohler", start: str = "", *, first: bool = False
) -> tuple[Callable[[], object], int, str]:
    """1,000 battles of 10 against 10 on all cores, or those that are counted first."""
    from battles.engine import odds
    from battles.engine.cli import cores
    from tests.support.fleets import meeting

    question = odds.Question(meeting(10, 10, rule_set=rule_set_name, start=start))
    if first:
        return lambda: next(odds.counting(question, runs=1000)), 0, ""
    return lambda: odds.count(question, runs=1000, workers=cores()), 1000, "battle"


def _shipped(name: str, *, keyed: bool = False) -> tuple[Callable[[], object], int, str]:
    """A shipped scenario, by the path of its file, to its end."""
    from battles.engine.core.scenario import read_scenario
    from battles.engine.play import play_battle

    scenario = read_scenario(json.loads((SCENARIOS / f"{name}.json").read_text(encoding="utf-8")))
    if keyed:
        return lambda: play_battle(scenario, b"bench", log=True), 0, ""
    return _for_odds(scenario)


def _for_odds(scenario: Any) -> tuple[Callable[[], object], int, str]:
    """A battle with the first seed and without a log. Units: its turns times the ships that it begins with."""
    from battles.engine.play import play_for_odds

    turns = play_for_odds(scenario, 1).turns
    return lambda: play_for_odds(scenario, 1), turns * len(list(scenario.ships())), "ship-turn"


def _ship_turns(
    ships: int, captain: str, turns: int = 12, rule_set_name: str = "kohler", start: str = ""
) -> tuple[Callable[[], object], int, str]:
    """Battles of so many ships, cut off at a turn when most are still there; units are the turns of ships that sailed.

    As many battles, each with its own seed, as make 400 ships, and in a wind that holds: rows of all sizes then do the same amount
    of work. (A captain weighs three times as many moves in a strong wind as in a light one, and one battle has but one wind.) Barker's
    fleets are the same on both sides.
    """
    from battles.engine.core.dice import FastDice
    from battles.engine.registry import rule_set
    from tests.support import barker_fleets
    from tests.support.fleets import meeting

    if rule_set_name == "barker":
        scenario = barker_fleets.mirrored(
            round(ships / 2.5), pick=1, captains=(captain, captain), turn_limit=turns
        )
    else:
        scenario = meeting(
            ships // 2,
            ships - ships // 2,
            turn_limit=turns,
            rule_set=rule_set_name,
            start=start,
            options={"wind_mode": "fixed"} if rule_set_name == "kohler" else {},
        )
    scenario = replace(scenario, sides=tuple(replace(side, captain=captain) for side in scenario.sides))
    rules: Any = rule_set(scenario.rule_set)
    seeds = range(max(1, 400 // ships))
    sailed = 0
    for seed in seeds:
        dice = FastDice(seed)
        state = rules.begin(scenario, dice)
        captains = {side.id: rules.captains[side.captain](side.doctrine) for side in scenario.sides}
        while not rules.over(state):
            for side in scenario.sides:
                own = rules.seen_by(state, side.id)["own"]
                sailed += sum(ship["status"] in ("afloat", "in_play") for ship in own)
            state = rules.advance(state, {}, captains, dice)

    def fight_all() -> None:
        for seed in seeds:
            rules.play(scenario, FastDice(seed))

    return fight_all, sailed, "ship-turn"


ROWS = (
    Row("Four Days, first day, 30 turns, no log", lambda: _first_day(keyed=False), 5),
    Row("Four Days, first day, keyed dice and log", lambda: _first_day(keyed=True), 5),
    Row("Four Days 1 as shipped, to its end, no log", lambda: _shipped("kohler/four_days_1"), 5),
    Row("10 against 10 (Kohler), to the end, no log", lambda: _line_battle(10), 7),
    Row(
        "10 against 10 (Thomas), to the end, no log",
        lambda: _line_battle(10, "thomas", "1666-06-01T06:00"),
        7,
    ),
    Row("1,000 odds of 10 against 10 (Kohler), all cores, wall clock", _odds, 1, 0.0, perf_counter),
    Row(
        "1,000 odds of 10 against 10 (Thomas), all cores, wall clock",
        lambda: _odds("thomas", "1666-06-01T06:00"),
        1,
        0.0,
        perf_counter,
    ),
    Row("Odds of 10 against 10 (Kohler), first answer", lambda: _odds(first=True), 3, 1.5),
    Row("100 against 100, to the end, no log", lambda: _line_battle(100), 3),
    Row("12 turns, 20 battles of 20, squadron", lambda: _ship_turns(20, "squadron"), 7),
    Row("12 turns, 4 battles of 100, squadron", lambda: _ship_turns(100, "squadron"), 7),
    Row("12 turns, 1 battle of 400, squadron", lambda: _ship_turns(400, "squadron"), 7),
    Row("12 turns, 20 battles of 20, commander", lambda: _ship_turns(20, "commander"), 7),
    Row("12 turns, 4 battles of 100, commander", lambda: _ship_turns(100, "commander"), 7),
    Row("12 turns, 1 battle of 400, commander", lambda: _ship_turns(400, "commander"), 7),
    Row(
        "Age of Sail 1666, 40 v 40, 30 rounds, seed 1",
        lambda: _line_battle(40, "age_of_sail", "1666-06-01T06:00"),
        5,
        0.5,
    ),
    *(
        Row(
            f"Age of Sail 1666, {ships} ships, 8 rounds, seeds 0-{400 // ships - 1}",
            partial(_ship_turns, ships, "commander", 8, "age_of_sail", "1666-06-01T06:00"),
            3,
        )
        for ships in (10, 20, 40, 100)
    ),
    Row("Trafalgar (Thomas), to its end, no log", lambda: _shipped("thomas/trafalgar"), 5),
    Row("Trafalgar (Thomas), keyed dice and log", lambda: _shipped("thomas/trafalgar", keyed=True), 5),
    Row("The Yalu (Cordery), to its end, no log", lambda: _shipped("cordery/yalu"), 7),
    Row("Tsushima (Barker), to its end, no log", lambda: _shipped("barker/tsushima"), 3, 1.0),
    Row(
        "Six nations, 85 ships (Barker), to its end, no log", lambda: _shipped("barker/mediterranean"), 3, 5.0
    ),
    *(
        Row(
            f"Barker, 40 turns, {400 // ships} battles of {ships}",
            partial(_ship_turns, ships, "commander", 40, "barker"),
            3,
        )
        for ships in (10, 20, 40, 85)
    ),
    *(
        Row(
            f"Thomas, 8 moves, {400 // ships} battles of {ships}, {captain}",
            partial(_ship_turns, ships, captain, 8, "thomas", "1666-06-01T06:00"),
            7,
        )
        for captain in ("plain", "commander")
        for ships in (10, 60, 200)
    ),
    Row("Campaign day, 40 fleets, 200 ships, rules", bench_campaign.day_of_rules, 5),
    Row("Campaign day, 40 fleets, 200 ships, rows", bench_campaign.day_with_rows, 5),
    Row(
        "30 days, 12 fleets a side, 500 ships, rows",
        bench_campaign.month_with_rows,
        2,
        bench_campaign.MONTH_BUDGET,
    ),
    Row("Import of 2,000 ships, preview", bench_registers.preview, 3, bench_registers.LOOK_BUDGET),
    Row("Import of 2,000 ships, confirm", bench_registers.confirm, 2, bench_registers.SAVE_BUDGET),
    Row("A turn told to 500, queued", bench_mail.queued, bench_mail.REPEATS, bench_mail.QUEUE_BUDGET),
    Row(
        "500 mails through SMTP, wall clock",
        bench_mail.sent,
        3,
        bench_mail.SEND_BUDGET,
        perf_counter,
    ),
)


def measure(row: Row) -> dict[str, Any]:
    """Time a row in this process."""
    work, units, unit = row.run()
    best = min(_timed(work, row.clock) for _ in range(row.repeats))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": round(best, 4), "mb": round(peak, 1), "units": units, "unit": unit}


def _timed(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start


def _measured_apart(row: Row) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench", "--one", row.name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", help="only rows whose name holds one of these words")
    parser.add_argument(
        "--record", action="store_true", help="write this run down as the one to compare with"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(next(row for row in ROWS if row.name == args.one))))
        return
    if args.record and ENGINE.build:
        parser.error("the record is of the interpreted engine: set WEATHER_GAGE_ENGINE=interpreted")
    print(f"engine: {ENGINE}")
    before: dict[str, Any] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    print(f"{'':48} {'seconds':>8} {'peak MB':>8} {'per unit':>20} {'ratio':>6}")
    late = 0
    for row in ROWS:
        if args.names and not any(word in row.name for word in args.names):
            continue
        found = _measured_apart(row)
        last = before.get(row.name, {}).get("seconds")
        ratio = f"{found['seconds'] / last:6.2f}" if last else "     -"
        each = f"{1e6 * found['seconds'] / found['units']:.0f} us a {found['unit']}" if found["units"] else ""
        over = 0 < row.budget < found["seconds"]
        late += over
        mark = f"  OVER its {row.budget:.0f} seconds" if over else ""
        print(
            f"{row.name:48} {found['seconds']:8.3f} {found['mb']:8.1f} {each:>20} {ratio}{mark}", flush=True
        )
        before[row.name] = found
    if args.record:
        RECORD.write_text(json.dumps(before, indent=1) + "\n")
    sys.exit(1 if late else 0)


if __name__ == "__main__":
    main()
