"""How wars go that automatic admirals fight: the table of G.AA7 for a theatre, many seeds.

`python -m tests.study --war THEATRE [--runs 20] [--first 1] [--days N] [--workers W] [--folder DIR]`. DIR receives the chronicle and
the admirals' plans of each war, and the table as it grows. Stopped with Ctrl-C, it prints the table of the wars so far. Exit status 1
when a row marked * fails.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import repeat
from pathlib import Path

from campaign.measures import War, table


def set_up(var: str) -> None:
    """Django with a database below a folder that has the tables and the registers; a copy of it is kept as it is now."""
    os.environ |= {"VAR_DIR": var, "DJANGO_SETTINGS_MODULE": "deploy.settings.dev", "LOG_LEVEL": "ERROR"}
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("load_registers", stdout=io.StringIO())
    shutil.copytree(var, f"{var}-empty")


def one_war(theatre: str, seed: str, days: int = 0, folder: str = "") -> War:
    """One war in a process that `set_up` has made ready, in a fresh database. days: at least so many, 0 for all.

    folder: for its chronicle and plans, "" for none.
    """
    from django.db import connections

    from campaign.selectors.reports.chronicle import chronicle_lines, whole_chronicle
    from tests.play_war import fought, plans_of, record

    var = os.environ["VAR_DIR"]
    connections.close_all()
    shutil.rmtree(var)
    shutil.copytree(f"{var}-empty", var)
    campaign = fought(theatre, seed, days)
    if folder:
        told = [*chronicle_lines(whole_chronicle(campaign)), "", *plans_of(campaign)]
        path = Path(folder) / f"{theatre}-{seed.replace(' ', '-')}.txt"
        path.write_text("\n".join(told) + "\n", encoding="utf-8")
    return record(campaign, seed)


def _ready(parent: str) -> None:
    set_up(tempfile.mkdtemp(prefix="war-", dir=parent))


def wars(
    theatre: str, *, runs: int, first: int = 1, days: int = 0, workers: int = 1, folder: str = ""
) -> Iterator[War]:
    """Wars with the seeds "war 1", "war 2" and so on, in their order. Each process has a database of its own, emptied for each war."""
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
    seeds = [f"war {number}" for number in range(first, first + runs)]
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory(prefix="wars-") as parent,
        ProcessPoolExecutor(workers, mp_context=spawn, initializer=_ready, initargs=(parent,)) as pool,
    ):
        yield from pool.map(partial(one_war, theatre), seeds, repeat(days), repeat(folder))


def war_row(war: War) -> str:
    """One war in a line."""
    hits = sum(fight.hit for fight in war.fights)
    aims = [f"{aim} on day {day}" for aim, day in sorted(war.achieved.items(), key=lambda row: row[1])]
    fought = f"{war.days} days, {hits} of {len(war.fights)} battles with hits"
    return f"{war.seed}: {fought}, {war.result}, lead {war.lead}; {', '.join(aims) or 'nothing achieved'}"


def rows(found: Sequence[War]) -> Iterator[str]:
    """The table for wars of one theatre, as Markdown."""
    seeds = f"{found[0].seed} to {found[-1].seed}" if len(found) > 1 else found[0].seed
    yield f"{found[0].theatre}, {len(found)} wars, seeds “{seeds}”"
    yield ""
    yield "| measure | must be | is | |"
    yield "|---|---|---|---|"
    for line in table(found):
        star = "* " if line.starred else ""
        yield f"| {star}{line.words} | {line.bound} | {line.found} | {'holds' if line.holds else '**does not**'} |"


def fails(found: Iterable[Sequence[War]]) -> bool:
    """Whether a row marked * does not hold."""
    return any(line.starred and not line.holds for theatre in found for line in table(theatre))


def print_wars(
    theatre: str, *, runs: int, first: int = 1, days: int = 0, workers: int = 1, folder: str = ""
) -> int:
    """Play, print a line for each war and then the table. Returns the exit status."""
    found: list[War] = []
    with suppress(KeyboardInterrupt):
        for war in wars(theatre, runs=runs, first=first, days=days, workers=workers, folder=folder):
            print(war_row(war), flush=True)
            found.append(war)
            if folder:
                Path(folder, f"{theatre}.txt").write_text("\n".join(rows(found)) + "\n", encoding="utf-8")
    print()
    if not found:
        return 1
    print("\n".join(rows(found)), flush=True)
    return int(fails([found]))
