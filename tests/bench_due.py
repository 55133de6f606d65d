"""Many campaigns due in one minute, on a club's server: `python -m tests.bench_due [--campaigns N] [--workers N]`.

PostgreSQL, Redis, web, beat and workers are started as a server has them. Every campaign is the demo of the Narrow Seas with all its
ships, one day to a turn; their deadlines are spread over one minute. It counts the seconds of the clock until the last first turn is
closed, and asks for a campaign's chart and reports twice a second meanwhile.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from urllib.request import Request, urlopen

from tests.bench_pages import p95
from tests.support import pg, redis
from tests.support.processes import running


def main() -> None:
    """Start, wait, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_due", description=__doc__)
    parser.add_argument("--campaigns", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--patience", type=int, default=1200, help="seconds to wait for the last turn")
    args = parser.parse_args()
    port, redis_port = redis.free_port(), redis.free_port()
    with pg.private_postgres() as url, tempfile.TemporaryDirectory(prefix="due-") as folder:
        os.environ |= {
            "VAR_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "deploy.settings.dev",
            "LOG_LEVEL": "ERROR",
            "DEBUG": "0",
            "DATABASE_URL": url,
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{redis_port}/0",
        }
        pages = _campaigns(args.campaigns)
        words = ("-m", "tests.chaos.club", str(port), str(redis_port), str(args.workers))
        with running(*words, env=dict(os.environ), log=Path(folder) / "log"):
            _measure(args.campaigns, args.patience, f"http://127.0.0.1:{port}", pages)


def _campaigns(number: int) -> tuple[str, list[str]]:
    """Start the campaigns. Returns a session's key, and pages to ask for."""
    import django

    django.setup()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from campaign.models import Campaign, Turn
    from campaign.services.orders.openings import opening_of
    from campaign.services.setup.demo import demo_start
    from campaign.services.setup.setup import shipped_theatres
    from fleets.selectors.registers import register_by_code

    call_command("migrate", verbosity=0)
    call_command("load_registers", verbosity=0, stdout=open(os.devnull, "w"))  # noqa: SIM115
    call_command("load_theatres", verbosity=0, stdout=open(os.devnull, "w"))  # noqa: SIM115
    from campaign.models import Theatre

    code = next(path.stem for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    theatre = Theatre.objects.get(code=code)
    register = register_by_code(opening_of(code)["register"])
    umpire = get_user_model().objects.create_user("umpire", "umpire@bench.example")
    start = time.monotonic()
    for n in range(number):
        made = demo_start(theatre=theatre, register=register, umpire=umpire, seed=f"due {n}", code=f"due{n}")
        Campaign.objects.filter(pk=made.pk).update(turn_days=1)
        Turn.objects.filter(campaign=made).update(days=1, deadline=None)
    print(f"{number} campaigns started in {time.monotonic() - start:.0f} s", flush=True)
    client = Client()
    client.force_login(umpire)
    return client.cookies["sessionid"].value, [f"/c/due{n}/{page}" for n in (0, 1) for page in ("", "turns/")]


def _measure(number: int, patience: int, site: str, pages: tuple[str, list[str]]) -> None:
    from django.db import connection
    from django.utils import timezone

    from campaign.models import Turn

    session, addresses = pages
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            _asked(site + "/healthz", session)
            break
        except OSError:
            time.sleep(1)
    first = timezone.now() + timedelta(seconds=5)
    for n, key in enumerate(Turn.objects.filter(number=1).order_by("pk").values_list("pk", flat=True)):
        Turn.objects.filter(pk=key).update(deadline=first + timedelta(seconds=60 * n / number))
    connection.close()
    start, seconds = time.monotonic() + 5, []
    closed = 0
    while closed < number and time.monotonic() - start < patience:
        seconds.append(_asked(site + addresses[len(seconds) % len(addresses)], session))
        time.sleep(0.5)
        if len(seconds) % 10 == 0:
            closed = Turn.objects.filter(number=1, phase=Turn.Phase.CLOSED).count()
    took = time.monotonic() - start
    failed = Turn.objects.filter(phase=Turn.Phase.FAILED).count()
    print(
        f"{closed} of {number} closed {took:.0f} s after the first deadline, {failed} failed; pages meanwhile: "
        f"p50 {sorted(seconds)[len(seconds) // 2] * 1000:.0f} ms, p95 {p95(seconds) * 1000:.0f} ms of {len(seconds)}"
    )


def _asked(address: str, session: str) -> float:
    start = time.perf_counter()
    request = Request(address, headers={"Cookie": f"sessionid={session}", "Accept-Encoding": "gzip"})
    with urlopen(request, timeout=60) as answer:
        answer.read()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
