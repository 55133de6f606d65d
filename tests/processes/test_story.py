"""The demo tells the same story wherever and by whomever it is played."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import pg, redis
from tests.support.processes import ROOT, lay_tables, migrate, plain_environment

WORDS = ("campaign_demo", "--theatre", "narrow_seas_1666", "--turns", "1", "--seed", "one story")


def told(folder: Path, tables: Path, *more: str, **env: str) -> str:
    """What the command prints in an installation of its own. tables: a database to copy, where it is on SQLite."""
    made = plain_environment(
        VAR_DIR=str(folder),
        DJANGO_SETTINGS_MODULE="deploy.settings.dev",
        LOG_LEVEL="ERROR",
        SWEEP_SECONDS="1",
        **env,
    )
    lay_tables(tables, folder)
    if "DATABASE_URL" in env:
        migrate(made)
    command = [sys.executable, "manage.py", *WORDS, *more]
    done = subprocess.run(command, cwd=ROOT, env=made, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.processes
def test_the_story_is_the_same_in_process_on_postgresql_and_by_workers_on_either_broker(
    tmp_path: Path, tables: Path
) -> None:
    here = told(tmp_path / "here", tables)
    assert "Battle" in here
    assert "\nstate " in here
    assert told(tmp_path / "workers", tables, "--celery") == here
    if not redis.why_not():
        with redis.private_redis() as url:
            assert told(tmp_path / "redis", tables, "--celery", CELERY_BROKER_URL=url) == here
    if not pg.why_not():
        with pg.private_postgres() as url:
            assert told(tmp_path / "postgres", tables, DATABASE_URL=url) == here
