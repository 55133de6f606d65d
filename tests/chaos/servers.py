"""Faults of the servers that three machines share: one a turn, over one PostgreSQL with its replica and one Redis."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import psycopg

from tests.chaos import machines
from tests.chaos.__main__ import Run
from tests.chaos.game import STORE, Failed, Game, finish, playing, strike
from tests.support.processes import wait_until


def beat_hangs(game: Game, turn: int, three: tuple[machines.Box, ...]) -> None:
    """The beat that asks for sweeps is stopped, and continued after the turn."""
    wait_until(lambda: len(machines.holders(three)) == 1, "one beat to ask for sweeps")
    (hung,) = machines.holders(three)
    hung.signal("beat", signal.SIGSTOP)
    game.run(turn)
    wait_until(lambda: len(machines.holders(three)) == 2, "the other beat to take over")
    game.closed(turn)
    hung.signal("beat", signal.SIGCONT)
    wait_until(lambda: hung not in machines.holders(three), "the first beat to stand by")
    game.said.append("log: the other asks for sweeps; the first, continued, stands by")


def redis_away(game: Game, turn: int, servers: machines.Servers) -> None:
    """Redis is killed for a minute, and comes back empty."""
    servers.stop_redis()
    game.run(turn)
    time.sleep(machines.AWAY)
    status, _ = game.health()
    servers.start_redis()
    game.said.append(f"`/healthz` {status} meanwhile; log: the work waits for the sweep")


def postgresql_away(game: Game, turn: int, servers: machines.Servers) -> None:
    """PostgreSQL is stopped at once in mid-turn, and started again after a minute."""
    game.run(turn)
    game.at_work_on(turn)
    servers.stop_primary()
    game.tells("database", "unreachable")
    game.page()
    time.sleep(machines.AWAY)
    servers.start_primary()


def read_only(game: Game, turn: int, servers: machines.Servers) -> None:
    """PostgreSQL takes no changes for 10 seconds."""
    game.run(turn)
    game.at_work_on(turn)
    _read_only(servers, "on")
    game.tells("database", "read-only")
    game.page()
    time.sleep(10)
    _read_only(servers, "off")


def _read_only(servers: machines.Servers, word: str) -> None:
    where = f"host={machines.PRIMARY} port={servers.port} user=postgres dbname=postgres"
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE gage SET default_transaction_read_only = {word}")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'gage'")


def next_version(game: Game, turn: int, box: machines.Box) -> None:
    """One machine gets a next version with a migration; the others go on with the old one."""
    machines.upgrade(box)
    game.run(turn)
    game.said.append("nothing: old and new workers run side by side")


def primary_lost(game: Game, turn: int, servers: machines.Servers) -> None:
    """The primary is lost in mid-turn, and its replica promoted."""
    game.run(turn)
    game.at_work_on(turn)
    servers.stop_primary()
    servers.promote()
    game.said.append("log: connections lost; no part is restarted by hand")


SERVERS = (
    "beat hangs",
    "Redis away",
    "PostgreSQL away",
    "database read-only",
    "rolling upgrade",
    "replica promoted",
)


def three_machines(wanted: Sequence[str], turns: int, done: Callable[[str, str, str], None]) -> Run:
    """Two web processes, three workers and two beats of separate checkouts, one fault a turn. done: is told each."""
    if machines.programs() is None:
        raise Failed("not run: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="gage-servers-", ignore_cleanup_errors=True) as place:
        Path(place).chmod(0o755)  # PostgreSQL's user has to get there
        servers = machines.Servers(Path(place) / "servers")
        with machines.site(STORE / "machines", servers) as (site, three):
            began = time.monotonic()
            site.inside("make")
            with playing(site, turns, machines.up(three)) as game:
                blows: dict[str, Callable[[int], None]] = {
                    "beat hangs": lambda turn: beat_hangs(game, turn, three),
                    "Redis away": lambda turn: redis_away(game, turn, servers),
                    "PostgreSQL away": lambda turn: postgresql_away(game, turn, servers),
                    "database read-only": lambda turn: read_only(game, turn, servers),
                    "rolling upgrade": lambda turn: next_version(game, turn, three[2]),
                    "replica promoted": lambda turn: primary_lost(game, turn, servers),
                }
                for turn, name in enumerate(wanted, 1):
                    strike(name, partial(blows[name], turn), game, turn, done)
                return finish(game, began)
