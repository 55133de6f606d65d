"""Every page of a long campaign, timed for each role: `python -m tests.bench_pages FOLDER [--turns N] [--repeats N]`.

The campaign is played, not made up: 500 ships in 40 fleets, one day a turn, every turn locked and run as on a site. Fleets patrol on
their own side of the sea; every fifth and second turn of five the umpire moves one fleet of each side to the Hinder, where they meet,
and home again afterwards. What is in the folder is played on; a folder that holds the turns is only measured.

Seconds are of processor time, in this process, from the request to the compressed answer.
"""

from __future__ import annotations

import argparse
import gc
import logging
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any, NamedTuple

from tests import bench_campaign

FLEETS, SHIPS = 40, 500
HOME = {"England": ("isle_of_wight", "off_portland"), "Dutch Republic": ("heligoland", "jutland_bank")}
MEETING = "hinder"
DATABASE = "weather_gage.sqlite3"
ROLES = ("umpire", "english", "dutch", "observer", "administrator")
GOAL = 0.150


class Timed(NamedTuple):
    """A page for one role: processor seconds of each request, and bytes as sent."""

    role: str
    page: str
    seconds: tuple[float, ...]
    size: int

    @property
    def p95(self) -> float:
        """Seconds that 95 of 100 requests stay below."""
        return p95(self.seconds)


def p95(seconds: Any) -> float:
    """The 95th percentile."""
    found = sorted(seconds)
    return found[0] if len(found) == 1 else quantiles(found, n=20, method="inclusive")[-1]


def main() -> None:
    """Play what is missing, then measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_pages", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the database is or will be")
    parser.add_argument("--turns", type=int, default=0, help="play on until so many turns are closed")
    parser.add_argument("--repeats", type=int, default=5, help="requests of each page (5)")
    parser.add_argument("--only", default="", help="pages whose address fits this pattern")
    parser.add_argument("--show", type=int, default=25, help="how many of the slowest are listed (25)")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    if (args.folder / DATABASE).exists():
        bench_campaign.site_at(args.folder)
    else:
        bench_campaign.campaign_of(FLEETS, SHIPS, folder=args.folder)
        _people()
    play_on(args.turns)
    sizes(args.folder / DATABASE)
    if args.repeats:
        gc.collect()
        gc.freeze()  # as a web process does when it has loaded the site
        report([row for role in ROLES for row in timed(role, args.repeats, args.only)], args.show)


def play_on(turns: int) -> None:
    """Play until so many turns are closed. Says every tenth what a turn costs."""
    from campaign.models import Campaign, Turn
    from campaign.services.turn.playing import turn_play

    campaign = Campaign.objects.select_related("book", "theatre").get()
    start, cpu = perf_counter(), process_time()
    while campaign.turns.filter(phase=Turn.Phase.CLOSED).count() < turns:
        turn = campaign.turns.get(phase=Turn.Phase.OPEN)
        _move(campaign, turn)
        turn_play(turn=turn)
        if turn.number % 10 == 0:
            wall, used = perf_counter() - start, process_time() - cpu
            print(
                f"turn {turn.number}: {wall / 10:.2f} s a turn, {used / 10:.2f} of processor time", flush=True
            )
            start, cpu = perf_counter(), process_time()


def _move(campaign: Any, turn: Any) -> None:
    """Two fleets to the Hinder to attack, or those of the turn before home again."""
    from campaign.models import Order, Station

    step, number = turn.number % 5, turn.number // 5 * 2 + (turn.number % 5 > 2)
    for side in campaign.sides.select_related("navy"):
        fleets = side.navy.fleets.filter(ended=False, station__held_by="", squadrons__ships__fate="afloat")
        fleets = sorted(set(fleets), key=lambda fleet: fleet.code)
        if not fleets:
            continue  # a side that has lost everything
        fleet = fleets[number % min(len(fleets), FLEETS // 2)]
        at, to = HOME[side.name]
        there = {"route": [to], "on_arrival": "patrol", "stance": "hold"}
        if step in (0, 3):
            at, there = MEETING, {"route": [], "on_arrival": "anchor", "stance": "seek"}
        elif step not in (1, 4):
            continue
        Station.objects.filter(fleet=fleet).update(at=at, to="", run=0)
        Order.objects.update_or_create(turn=turn, fleet=fleet, defaults=there)


def _people() -> None:
    """An admiral for each side, an observer, and the site administrator."""
    from django.contrib.auth import get_user_model

    from campaign.models import Campaign, Command, Membership

    users, campaign = get_user_model().objects, Campaign.objects.get()
    for name, side in (("english", "England"), ("dutch", "Dutch Republic"), ("observer", "")):
        role = Membership.Role.ADMIRAL if side else Membership.Role.OBSERVER
        member = Membership.objects.create(
            campaign=campaign, user=users.create_user(name, f"{name}@bench.example"), role=role, chief=bool(side),
            side=campaign.sides.get(name=side) if side else None,
        )  # fmt: skip
        if side:
            fleets = member.side.navy.fleets.filter(command=None).order_by("code")[:3]
            Command.objects.bulk_create(Command(membership=member, fleet=fleet) for fleet in fleets)
    users.create_superuser("administrator", "administrator@bench.example")


def timed(role: str, repeats: int, only: str) -> Iterator[Timed]:
    """Every page that a role may read."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from campaign.models import Campaign
    from tests.support.every_page import admin_pages, pages

    logging.disable(logging.WARNING)  # pages that this role may not see
    user = get_user_model().objects.get(username=role)
    client = Client(raise_request_exception=False, HTTP_ACCEPT_ENCODING="gzip", HTTP_HOST="localhost")
    client.force_login(user)
    campaign = Campaign.objects.select_related("book").get()
    for page in admin_pages() if role == "administrator" else pages(campaign, user):
        if only and not re.search(only, page.address):
            continue
        first = client.get(page.address)
        if first.status_code != 200:
            continue
        seconds = []
        for _ in range(repeats):
            start = process_time()
            answer = client.get(page.address)
            size = sum(map(len, answer.streaming_content)) if answer.streaming else len(answer.content)
            seconds.append(process_time() - start)
        yield Timed(role, page.address, tuple(seconds), size)


def report(rows: list[Timed], show: int) -> None:
    """The slowest pages, and the percentile of all requests."""
    for row in sorted(rows, key=lambda row: -row.p95)[:show]:
        print(f"{row.p95 * 1000:7.0f} ms {row.size / 1000:7.1f} kB  {row.role:13} {row.page}")
    print(f"{'':13} {'pages':>6} {'p50':>5} {'p95':>5} {'max':>5}  ms; over {GOAL * 1000:.0f} ms")
    for role in ROLES:
        own = [row for row in rows if row.role == role]
        if own:
            times = [second * 1000 for row in own for second in row.seconds]
            late = sum(row.p95 > GOAL for row in own)
            middle = sorted(times)[len(times) // 2]
            print(f"{role:13} {len(own):6} {middle:5.0f} {p95(times):5.0f} {max(times):5.0f}  {late}")


def sizes(path: Path) -> None:
    """How large the database is, and its largest tables."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        rows = connection.execute(
            "SELECT name, SUM(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 14"
        ).fetchall()
    print(f"database {path.stat().st_size / 1e6:.1f} MB")
    for name, size in rows:
        print(f"  {size / 1e6:8.2f} MB  {name}")


if __name__ == "__main__":
    main()
