"""Faults of the servers that three machines share: one a turn, over one PostgreSQL with its replica and one Redis."""

from __future__ import annotations

import contextlib
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg

from tests.chaos import machines
from tests.chaos.game import Blows, Failed, Game, new_folder, playing
from tests.support.processes import wait_until


@dataclass(frozen=True, slots=True)
class Cluster:
    """The machines, and the servers that they share."""

    servers: machines.Servers
    three: tuple[machines.Box, machines.Box, machines.Box]


def beat_hangs(game: Game, turn: int, cluster: Cluster) -> None:
    """The beat that asks for sweeps is stopped, and continued after the turn."""
    wait_until(lambda: len(machines.holders(cluster.three)) == 1, "one beat to ask for sweeps")
    (hung,) = machines.holders(cluster.three)
    hung.signal("beat", signal.SIGSTOP)
    game.run(turn)
    wait_until(lambda: len(machines.holders(cluster.three)) == 2, "the other beat to take over")
    game.closed(turn)
    hung.signal("beat", signal.SIGCONT)
    wait_until(lambda: hung not in machines.holders(cluster.three), "the first beat to stand by")
    game.said.append("log: the other asks for sweeps; the first, continued, stands by")


def redis_away(game: Game, turn: int, cluster: Cluster) -> None:
    """Redis is killed for a minute, and comes back empty."""
    cluster.servers.stop_redis()
    game.run(turn)
    time.sleep(machines.AWAY)
    wait_until(lambda: game.health(strict=True)[0] == 503, "/healthz to be 503 with strict=1")  # after 66 s
    status, body = game.health()
    cluster.servers.start_redis()
    if (status, body["sweep"]) != (200, "late"):
        raise Failed("/healthz has to be 200, and to say that the sweep is late")
    game.said.append("`/healthz` 200, sweep: late, with `strict=1` 503")


def postgresql_away(game: Game, turn: int, cluster: Cluster) -> None:
    """PostgreSQL is stopped at once in mid-turn, and started again after a minute."""
    game.run(turn)
    game.at_work_on(turn)
    cluster.servers.stop_primary()
    game.tells("database", "unreachable")
    game.page()
    time.sleep(machines.AWAY)
    cluster.servers.start_primary()


def read_only(game: Game, turn: int, cluster: Cluster) -> None:
    """PostgreSQL takes no changes for 10 seconds."""
    game.run(turn)
    game.at_work_on(turn)
    _read_only(cluster.servers, "on")
    game.tells(
        "database", "unreachable"
    )  # the address asks for a server that takes changes, and there is none
    game.page()
    time.sleep(10)
    _read_only(cluster.servers, "off")


def _read_only(servers: machines.Servers, word: str) -> None:
    where = f"host={machines.PRIMARY} port={servers.port} user=postgres dbname=postgres"
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE gage SET default_transaction_read_only = {word}")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'gage'")


def next_version(game: Game, turn: int, cluster: Cluster) -> None:
    """One machine gets a next version with a migration; the others go on with the old one."""
    machines.upgrade(cluster.three[2])
    game.run(turn)
    game.said.append("nothing: old and new workers run side by side")


def primary_lost(game: Game, turn: int, cluster: Cluster) -> None:
    """The primary is lost in mid-turn, and its replica promoted."""
    game.run(turn)
    game.at_work_on(turn)
    cluster.servers.stop_primary()
    cluster.servers.promote()
    game.said.append("log: connections lost; no part is restarted by hand")


SERVERS: dict[str, Callable[[Game, int, Cluster], None]] = {
    "beat hangs": beat_hangs,
    "Redis away": redis_away,
    "PostgreSQL away": postgresql_away,
    "database read-only": read_only,
    "rolling upgrade": next_version,
    "replica promoted": primary_lost,
}


@contextlib.contextmanager
def three_machines(turns: int) -> Iterator[tuple[Game, Blows]]:
    """Two web processes, three workers and two beats of separate checkouts, which play so many turns."""
    if machines.programs() is None:
        raise Failed("not run: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="gage-servers-", ignore_cleanup_errors=True) as place:
        Path(place).chmod(0o755)  # PostgreSQL's user has to get there
        servers = machines.Servers(Path(place) / "servers")
        with machines.site(new_folder("machines"), servers) as (site, three):
            site.inside("make")
            with playing(site, turns, machines.up(three)) as game:
                cluster = Cluster(servers, three)
                yield game, {name: partial(_on, blow, game, cluster) for name, blow in SERVERS.items()}


def _on(blow: Callable[[Game, int, Cluster], None], game: Game, cluster: Cluster, turn: int) -> None:
    blow(game, turn, cluster)
