"""The health page: is the database there, does the sweep come round, do worker and beat live."""

import os
import time
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

Life = Literal["alive", "dead", "unknown"]


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when all that can be known is well, else 503; the body says what, and no secret.

    An installation whose worker and beat run elsewhere answers "unknown" for them.
    """
    database = database_answers()
    sweep = sweep_age()
    worker, beat = process_life("worker"), process_life("beat")
    late = sweep is not None and sweep > late_after()
    well = database and not late and "dead" not in (worker, beat)
    body = {
        "status": "ok" if well else "ill",
        "database": "ok" if database else "unreachable",
        "sweep_age_seconds": sweep,
        "sweep": "unknown" if sweep is None else "late" if late else "ok",
        "worker": worker,
        "beat": beat,
    }
    return JsonResponse(body, status=200 if well else 503)


def late_after() -> int:
    """Seconds after which the sweep is late: several rounds, or one task as long as a task may be."""
    return settings.TASK_TIME_LIMIT + 4 * settings.SWEEP_SECONDS


def database_answers() -> bool:
    """Whether the database answers a query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone() == (1,)
    except DatabaseError:
        return False


def sweep_age() -> int | None:
    """Whole seconds since the sweep last touched its heartbeat file; None when it never did here."""
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
        return "alive"  # it is there and belongs to another user
    return "alive"
