"""The demo tells the same story wherever and by whomever it is played."""

from pathlib import Path

import pytest

from tests.support import pg, redis
from tests.support.processes import lay_tables, plain_environment, printed

# of the shipped openings, the one whose first battle is fought the soonest
WORDS = ("campaign_demo", "--theatre", "yellow_sea_1904", "--turns", "1", "--seed", "one story")


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
    return printed("manage.py", *WORDS, *more, env=made)


@pytest.mark.processes
def test_the_story_is_the_same_in_process_on_postgresql_and_by_workers_on_either_broker(
    tmp_path: Path, tables: Path, request: pytest.FixtureRequest
) -> None:
    here = told(tmp_path / "here", tables)
    assert "Battle" in here
    assert "\nstate " in here
    assert told(tmp_path / "workers", tables, "--celery") == here
    # the server's database and the server's broker in one site, as a club has them; what is not installed is left out
    servers, by = {}, []
    if not pg.why_not():
        servers["DATABASE_URL"] = request.getfixturevalue("postgres")
    if not redis.why_not():
        servers["CELERY_BROKER_URL"] = request.getfixturevalue("redis_url")
        by = ["--celery"]
    if servers:
        assert told(tmp_path / "servers", tables, *by, **servers) == here
