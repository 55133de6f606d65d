"""The demo tells the same story wherever and by whomever it is played."""

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.support import pg
from tests.support.processes import ROOT, plain_environment

WORDS = ("campaign_demo", "--theatre", "narrow_seas_1666", "--turns", "1", "--seed", "one story")


def told(folder: Path, *more: str, **env: str) -> str:
    """What the command prints in an installation of its own."""
    folder.mkdir()
    made = plain_environment(
        VAR_DIR=str(folder),
        DJANGO_SETTINGS_MODULE="deploy.settings.dev",
        LOG_LEVEL="ERROR",
        SWEEP_SECONDS="1",
        **env,
    )
    for words in (("migrate", "-v0"), (*WORDS, *more)):
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=made,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.processes
def test_in_process_by_workers_and_on_postgresql_the_story_is_the_same(tmp_path: Path) -> None:
    here = told(tmp_path / "here")
    assert "Battle" in here
    assert "\nstate " in here
    assert told(tmp_path / "workers", "--celery") == here
    if not pg.why_not():
        with pg.private_postgres() as url:
            assert told(tmp_path / "postgres", DATABASE_URL=url) == here


@pytest.mark.redis
@pytest.mark.processes
def test_workers_on_redis_tell_the_same_story(tmp_path: Path, redis_url: str) -> None:
    assert told(tmp_path / "redis", "--celery", CELERY_BROKER_URL=redis_url) == told(tmp_path / "here")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--theatre", "atlantis"), "no theatre 'atlantis'; there are atlantic_1805"),
        (("--theatre", "caribbean"), "no opening positions"),
        (("--turns", "0"), "--turns must be 1 or more"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        call_command("campaign_demo", *words, stdout=StringIO())
    assert "\n" not in str(refused.value)
