"""Keeps a few processes running: starts them, restarts what dies, ends all of them together.

Written after a trial of the `supervisor` package (4.3), which spoke against it on three points: its
children live on when it is killed by signal 9; it gives up on a program that fails four times in a row,
where a club's site should come back when its disk or its database does; and its pause grows without limit.
"""

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds before a start, by the number of deaths in a row
STEADY_AFTER = 60.0  # seconds alive after which a program is steady and its deaths are forgotten
TICK = 0.1
PR_SET_PDEATHSIG = 1


class AlreadyRunning(RuntimeError):
    """Another supervisor holds the lock; `pid` is its process id, None when it did not write one."""

    def __init__(self, lock: Path, pid: int | None) -> None:
        self.pid = pid
        who = f"process {pid}" if pid else "another process"
        super().__init__(f"already running: {who} holds {lock}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A process to keep running.  stop_seconds: how long it may take to end before its group is killed."""

    name: str
    argv: Sequence[str]
    stop_seconds: float = 10.0


@dataclass(slots=True)
class _Child:
    """A program and its process; no process means that it waits for its next start at `start_at`."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    start_at: float = 0.0
    deaths: int = 0


@contextlib.contextmanager
def only_one(lock: Path) -> Iterator[None]:
    """Holds the lock file for as long as the block runs; raises AlreadyRunning when someone else does.

    The lock dies with its process, so a file left by a crash does no harm.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            text = file.read().strip()
            raise AlreadyRunning(lock, int(text) if text.isdigit() else None) from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
        file.truncate(0)


@dataclass(slots=True, kw_only=True)
class Supervisor:
    """Starts `programs`, each in a process group of its own, and keeps them running until told to stop.

    run_dir: where `<name>.pid` files go; a file outlives its process only while a restart is pending.
    pauses, steady_after: seconds.  say: gets one line per event.
    """

    programs: Sequence[Program]
    run_dir: Path
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    say: Callable[[str], None] = print
    pauses: Sequence[float] = PAUSES
    steady_after: float = STEADY_AFTER
    _children: list[_Child] = field(default_factory=list, init=False)
    _stop_signals: int = field(default=0, init=False)

    def run(self) -> None:
        """Runs until SIGINT, SIGTERM or SIGHUP, then ends every group; a second signal kills at once."""
        self.run_dir.mkdir(parents=True, exist_ok=True)
        self._children = [_Child(program) for program in self.programs]
        with self._signals_caught():
            try:
                while not self._stop_signals:
                    for child in self._children:
                        self._look_after(child)
                    time.sleep(TICK)
            finally:
                self._end_all()

    def stop(self) -> None:
        """Asks `run` to end, as a signal does."""
        self._stop_signals += 1

    @contextlib.contextmanager
    def _signals_caught(self) -> Iterator[None]:
        before = {
            number: signal.signal(number, lambda *_: self.stop())
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _look_after(self, child: _Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.start_at:
                self._start(child)
            return
        if now - child.started > self.steady_after:
            child.deaths = 0
        status = child.process.poll()
        if status is not None:
            # the leader is gone; what it started must not hold its port or its messages
            _kill_group(child.process.pid, signal.SIGKILL)
            self._rest(child, _how_it_ended(status))

    def _start(self, child: _Child) -> None:
        supervisor = os.getpid()
        try:
            child.process = subprocess.Popen(
                child.program.argv,
                env=self.env,
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                process_group=0,
                preexec_fn=lambda: die_with(supervisor),
            )
        except OSError as error:
            self._rest(child, f"cannot be started ({error.strerror})")
            return
        child.started = time.monotonic()
        aside = self.run_dir / f".{child.program.name}.pid"
        aside.write_text(f"{child.process.pid}\n", encoding="ascii")
        os.replace(aside, self._pid_file(child))

    def _rest(self, child: _Child, reason: str) -> None:
        """Puts off the next start, longer after each death in a row."""
        pause = self.pauses[min(child.deaths, len(self.pauses) - 1)]
        child.deaths += 1
        child.process = None
        child.start_at = time.monotonic() + pause
        self.say(f"{child.program.name} {reason}; restarting in {pause:g} s")

    def _end_all(self) -> None:
        alive = [(child, child.process) for child in self._children if child.process is not None]
        signals = self._stop_signals
        for _, process in alive:
            # only the leader: it knows how to end its own children in order
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        asked = time.monotonic()
        for child, process in alive:
            deadline = asked + child.program.stop_seconds
            while process.poll() is None and time.monotonic() < deadline and self._stop_signals <= signals:
                time.sleep(TICK / 2)
            _kill_group(process.pid, signal.SIGKILL)
            process.wait()
        for child in self._children:
            child.process = None
            self._pid_file(child).unlink(missing_ok=True)

    def _pid_file(self, child: _Child) -> Path:
        return self.run_dir / f"{child.program.name}.pid"


def _kill_group(leader: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _how_it_ended(status: int) -> str:
    if status == -signal.SIGALRM:
        return "took too long over one task"
    if status < 0:
        return f"was killed by signal {-status}"
    return f"ended with status {status}"


def die_with(parent: int) -> None:
    """In the child, before its program: asks Linux to end it when `parent` is gone.

    A parent killed by signal 9 cannot end its children; elsewhere than on Linux they live on then.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before the request was made
        os._exit(1)
