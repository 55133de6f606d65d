"""A private Redis server for the tests."""

import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PROGRAM = "redis-server"
STARTS_WITHIN = 10.0  # seconds


def why_not() -> str:
    """Why no private server can be started here; empty when one can."""
    return "" if shutil.which(PROGRAM) else f"the program {PROGRAM} is not installed"


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def private_redis() -> Iterator[str]:
    """The address of a new, empty server that keeps nothing; ended by its own process id.

    Raises RuntimeError with the server's own words when it does not answer in time.
    """
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="gage-redis-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as sink:
            process = subprocess.Popen(
                [
                    *(PROGRAM, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder),
                    *("--save", "", "--appendonly", "no"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_for(port, process=process, log=log)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(port: int, *, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"{PROGRAM} does not answer: {log.read_text(errors='replace')[-500:]}")
