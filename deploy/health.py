"""The health page and its figures for monitoring: database, disk, sweep, worker, beat, and whether turns, battles and emails are stuck."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from battles.engine import ENGINE
from campaign.selectors.desk.alarms import beat_machine, mail_away, stalls, sweep_late, sweep_seconds

Life = Literal["alive", "dead", "unknown"]
Disk = Literal["ok", "full", "unreachable"]
Database = Literal["ok", "read-only", "unreachable"]

GAUGE = "weather_gage"  # how the name of each gauge begins
LEAST_SPACE = 16 * 2**20  # bytes; SQLite needs some for its log before it can save a row


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when this site can serve and keep its deadlines, else 503; the body gives counts, and names no person and no campaign.

    503 is for what taking the site out of a load balancer, or restarting it, may cure: a database that does not answer or takes no
    changes, a sweep that has not come round for as long as a task may take, a worker or beat that died, a disk on which nothing more
    can be saved. Turns, battles and emails that are stuck are reported
    as "late" under 200: a mail server that is down, or one campaign's failed turn, must not close the site to everyone. With
    `?strict=1`, for monitoring, any part that is late answers 503, and a sweep is late after three rounds.

    A worker that `manage.py serve` did not start is "unknown". So is such a beat while it has no lease.
    """
    found = _look()
    well = not found.ills
    if request.GET.get("strict") == "1":
        well = well and not found.overdue and all(part["state"] == "ok" for part in found.parts.values())
    body: dict[str, Any] = {
        "status": "ok" if well else "ill",
        "database": found.database,
        "disk": found.disk,
        "sweep_age_seconds": found.sweep,
        "sweep": "unknown"
        if found.sweep is None
        else "late"
        if found.overdue or "sweep" in found.ills
        else "ok",
        "worker": found.lives["worker"],
        "beat": found.lives["beat"],
        "engine": ENGINE.word,
        **found.parts,
    }
    return JsonResponse(body, status=200 if well else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures of the health page in Prometheus's text format, always under 200: whoever watches decides what is an alarm.

    Gauges named `weather_gage_…`, with their meaning. What is not known, such as the age of a sweep that was never made, has no line.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Gauges(_look()))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


@dataclass(frozen=True, slots=True)
class _Found:
    """What one look found. sweep: seconds since the last one. overdue: by monitoring's measure. ills: parts that close the site."""

    database: Database
    disk: Disk
    sweep: int | None
    overdue: bool
    lives: dict[str, Life]
    parts: dict[str, dict[str, Any]]
    ills: frozenset[str]


def _look() -> _Found:
    database, swept, parts = database_answers(), None, {}
    overdue = False
    if database:
        try:
            swept, parts = sweep_seconds(), parts_of()
            overdue = sweep_late(sweep_age(swept))
        except DatabaseError:  # it answers, but does not have our tables, or is shutting down
            database = False
    state: Database = "unreachable" if not database else "read-only" if database_read_only() else "ok"
    sweep, disk = sweep_age(swept), disk_state()
    lives = {name: process_life(name) for name in ("worker", "beat")}
    if database and lives["beat"] == "unknown" and beat_machine():
        lives["beat"] = "alive"  # on some machine; whether it does its work is seen by the sweep
    ills = {
        "database": state != "ok",
        "disk": disk != "ok",
        "sweep": sweep is not None and sweep > late_after(),
        **{name: life == "dead" for name, life in lives.items()},
    }
    return _Found(
        state, disk, sweep, overdue, lives, parts, frozenset(name for name, ill in ills.items() if ill)
    )


class _Gauges(Collector):
    """One look as gauges."""

    def __init__(self, found: _Found) -> None:
        self.found = found

    def collect(self) -> Iterator[GaugeMetricFamily]:
        found = self.found
        engine = GaugeMetricFamily(
            f"{GAUGE}_engine", "The rules engine in use, by its kind.", labels=["kind"]
        )
        engine.add_metric([ENGINE.word], 1)
        yield engine
        up = GaugeMetricFamily(f"{GAUGE}_up", "1 while a part works, 0 when it does not.", labels=["part"])
        up.add_metric(["site"], not found.ills)
        up.add_metric(["database"], found.database == "ok")
        up.add_metric(["disk"], found.disk == "ok")
        for name, life in found.lives.items():
            if life != "unknown":
                up.add_metric([name], life == "alive")
        yield up
        if found.sweep is not None:
            words = "Seconds since the last sweep, which hands out work."
            yield GaugeMetricFamily(f"{GAUGE}_sweep_age_seconds", words, value=found.sweep)
        with suppress(OSError):
            disk = os.statvfs(settings.VAR_DIR)
            words = "Bytes that can still be written to VAR_DIR."
            yield GaugeMetricFamily(f"{GAUGE}_disk_free_bytes", words, value=disk.f_bavail * disk.f_frsize)
        for name, part in found.parts.items():
            counts = {what: count for what, count in part.items() if what != "state"}
            words = f"Counts of {name} that need attention; 1 or 0 for yes or no."
            gauge = GaugeMetricFamily(f"{GAUGE}_{name}", words, labels=["what"])
            for what, count in counts.items():
                gauge.add_metric([what], count)
            yield gauge


def parts_of() -> dict[str, dict[str, Any]]:
    """Turns, battles and emails, each "ok" or "late", with how many are stuck, and whether the mail server is known to be down."""
    found, away = stalls(), mail_away() is not None
    counts = {
        "turns": {"past_deadline": found.turns_due, "stuck": found.turns_stuck, "failed": found.turns_failed},
        "battles": {"stuck": found.battles},
        "mail": {
            "server_away": away, "waiting": found.mail_waiting, "failed": found.mail_failed,
            "dead_addresses": found.addresses, "set_aside": found.mail_set_aside,
        },
    }  # fmt: skip
    # a dead address is that person's problem, not the server's; so is a made-up email from a stranger
    ill = {
        "turns": bool(found.turns),
        "battles": bool(found.battles),
        "mail": bool(away or found.mail_waiting or found.mail_failed),
    }
    return {name: {"state": "late" if ill[name] else "ok", **counts[name]} for name in counts}


def late_after() -> int:
    """Seconds after which the sweep is late: several rounds, or the longest that one task may take."""
    return settings.TASK_TIME_LIMIT + 4 * settings.SWEEP_SECONDS


def disk_state(folder: Path | None = None, *, least: int = LEAST_SPACE) -> Disk:
    """Whether anything can be saved in a folder, by default VAR_DIR: "full" when fewer bytes than `least` or no file is left, or
    its disk is not writable.

    The database answers queries even when it cannot save, so it does not show this.
    """
    try:
        disk = os.statvfs(folder or settings.VAR_DIR)
    except OSError:
        return "unreachable"
    # file systems without a fixed number of files report none at all
    full = disk.f_bavail * disk.f_frsize < least or (disk.f_files and not disk.f_favail)
    return "full" if full or disk.f_flag & os.ST_RDONLY else "ok"


def database_answers() -> bool:
    """Whether the database answers a query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone() == (1,)
    except DatabaseError:
        return False


def database_read_only() -> bool:
    """Whether a database that answers takes no changes: a replica, one that was set so, or a file on a disk that is."""
    try:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SHOW transaction_read_only")
                return bool(cursor.fetchone() == ("on",))
        path = Path(str(connection.settings_dict["NAME"]))
        return path.is_file() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
    except DatabaseError:
        return False


def migrations_behind() -> int:
    """How many migrations are not applied. Raises OperationalError when the database cannot be reached."""
    return len(migrations_to_come()[1])


def migrations_to_come() -> tuple[MigrationLoader, list[tuple[Migration, bool]]]:
    """The migrations that are not applied, in their order, with the loader that knows them. Raises OperationalError."""
    executor = MigrationExecutor(connection)
    return executor.loader, executor.migration_plan(executor.loader.graph.leaf_nodes())


def sweep_age(swept: int | None) -> int | None:
    """Whole seconds since the sweep last left a sign of life, in its file or, swept, in the database; None if it never did."""
    return min((age for age in (swept, _file_age()) if age is not None), default=None)


def _file_age() -> int | None:
    try:
        touched = (Path(settings.RUN_DIR) / "sweep").stat().st_mtime
    except OSError:
        return None
    return max(0, int(time.time() - touched))


def process_life(name: str) -> Life:
    """Whether the process that `manage.py serve` started under this name lives."""
    try:
        pid = int((Path(settings.RUN_DIR) / f"{name}.pid").read_text(encoding="ascii"))
        os.kill(pid, 0)
    except (FileNotFoundError, ValueError):
        return "unknown"
    except ProcessLookupError:
        return "dead"
    except OSError:
        return "alive"  # it exists and belongs to another user
    return "alive"
