"""What the tests with real processes share."""

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import pg
from tests.support.processes import DATABASE, lay_tables, migrate, plain_environment, script

MadeOnce = Callable[[str, Callable[[Path], None]], Path]
BEGUN = "begun.sqlite3"
# Its first turn is a battle of 160 ships, long enough to be met by a test.
PLAY = f"""
import json, sqlite3
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from campaign.models import Station
from campaign.services.orders.openings import opening_of
from campaign.services.setup.demo import demo_start
from campaign.services.setup.setup import shipped_theatres, theatre_load
from campaign.services.turn.playing import turn_play
from fleets.services.registers import DATA, SHIPPED, register_import
path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
row = next(row for row in SHIPPED if row.code == opening_of("narrow_seas_1666")["register"])
ships = DATA / "registers" / row.file
register = register_import(path=ships, code=row.code, title=row.title, original=True, year=row.year).register
campaign = demo_start(
    theatre=theatre_load(document=json.loads(path.read_text())), register=register,
    umpire=get_user_model().objects.create_user("umpire", "umpire@club.example"), seed="killed", code="killed",
    admirals=[get_user_model().objects.create_user(f"{{n}}@club.example", f"{{n}}@club.example") for n in ("english", "dutch")],
)
Station.objects.filter(fleet__navy__book=campaign.book).update(at="hinder")
begun = sqlite3.connect(settings.VAR_DIR / "{BEGUN}")
connection.connection.backup(begun)
begun.close()
turn_play(turn=campaign.turns.get(phase="open"))
"""


def campaign_environment(folder: Path) -> dict[str, str]:
    """An installation of its own, with a short lease."""
    return plain_environment(
        VAR_DIR=str(folder),
        DJANGO_SETTINGS_MODULE="deploy.settings.dev",
        SWEEP_SECONDS="1",
        LEASE_SECONDS="6",
    )


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Makes what is dear once: a named folder is filled by the first process of the suite that needs it. The others wait and find it."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # each process has a folder of its own in the suite's

    def made(name: str, fill: Callable[[Path], None]) -> Path:
        folder, done = base / name, base / f"{name}.done"
        with (base / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                folder.mkdir()
                fill(folder)
                done.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def tables(made_once: MadeOnce) -> Path:
    """An empty SQLite database with all tables, of which each installation gets a copy."""
    return made_once("tables", lambda folder: migrate(plain_environment(VAR_DIR=str(folder)))) / DATABASE


@pytest.fixture(scope="session")
def cluster(made_once: MadeOnce) -> Path:
    """What a PostgreSQL server with all tables has on its disk, of which each server gets a copy."""

    def fill(folder: Path) -> None:
        with pg.private_postgres(kept=folder / "data") as url:
            migrate(plain_environment(VAR_DIR=str(folder / "var"), DATABASE_URL=url))

    return made_once("cluster", fill) / "data"


@pytest.fixture
def postgres(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a PostgreSQL server of the test's own with all tables; the test is skipped where there is none."""
    if pg.why_not():
        pytest.skip(pg.why_not())
    with pg.private_postgres(like=request.getfixturevalue("cluster")) as url:
        yield url


@pytest.fixture(scope="session")
def undisturbed(made_once: MadeOnce, tables: Path) -> Path:
    """The folder of a site on which the first turn of the campaign "killed", with a large battle, was played and nothing came between.

    As it was before that turn, the database is beside it, by the name BEGUN.
    """

    def fill(folder: Path) -> None:
        lay_tables(tables, folder)
        script(PLAY, env=campaign_environment(folder))

    return made_once("undisturbed", fill)
