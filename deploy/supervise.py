"""Keeps a few processes running: starts them, restarts what dies, ends all of them together. Some run only while there is work for them.

`python -m deploy.supervise PLAN` does so in a process that has loaded neither Django nor Celery; `manage.py serve` writes the plan and
becomes that process.

Written after a trial of the `supervisor` package (4.3), which spoke against it on three points: its
children live on when it is killed by signal 9; it gives up on a program that fails four times in a row,
where a club's site should come back when its disk or its database does; and its pause grows without limit.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds before a start, by the number of deaths in a row
STEADY_AFTER = 60.0  # seconds alive after which a program is steady and its deaths are forgotten
TICK = 0.1
BOOT_SECONDS = 5.0  # in which a program that was started for a message has taken it
PR_SET_PDEATHSIG = 1


class AlreadyRunning(RuntimeError):
    """Another supervisor holds the lock; `pid` is its process id, None when it did not write one."""

    def __init__(self, lock: Path, pid: int | None) -> None:
        self.pid = pid
        who = f"process {pid}" if pid else "another process"
        super().__init__(f"already running: {who} holds {lock}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A process to keep running.

    queue: it is started only when messages wait in this queue, and may end when it has nothing to do; "" for one that always runs.
    env: variables of its own.  nice: how much it gives way to others.  stop_seconds: how long it may take to end before its group is
    killed.
    """

    name: str
    argv: Sequence[str]
    queue: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    nice: int = 0
    stop_seconds: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a supervisor is to do, as a file can hold it.

    messages: the filesystem broker's folder of messages, "" for another broker.  said_first, said_last: lines for whoever watches, "" for
    none.
    """

    programs: Sequence[Program]
    run_dir: str
    pauses: Sequence[float]
    messages: str = ""
    said_first: str = ""
    said_last: str = ""

    def write(self, path: Path) -> None:
        """Put the plan into a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> "Plan":
        """Read back what `write` wrote."""
        doc: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{**doc, "programs": [Program(**row) for row in doc["programs"]]})


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
    pauses, steady_after: seconds.  say: gets one line per event.  messages: where messages wait for programs that have a queue.
    """

    programs: Sequence[Program]
    run_dir: Path
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    say: Callable[[str], None] = print
    pauses: Sequence[float] = PAUSES
    steady_after: float = STEADY_AFTER
    messages: Path | None = None
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
            if now >= child.start_at and self._wanted(child.program.queue, now):
                self._start(child)
            return
        if now - child.started > self.steady_after:
            child.deaths = 0
        status = child.process.poll()
        if status is None:
            return
        # the leader is gone; what it started must not hold its port or its messages
        _kill_group(child.process.pid, signal.SIGKILL)
        if child.program.queue and status == 0:
            child.process, child.deaths = None, 0
            self._pid_file(child).unlink(missing_ok=True)
        else:
            self._rest(child, _how_it_ended(status))

    def _wanted(self, queue: str, now: float) -> bool:
        """Whether a program has to run: always, or because more messages wait than have had a program started for them."""
        if not queue:
            return True
        starting = sum(
            child.program.queue == queue and child.process is not None and now - child.started < BOOT_SECONDS
            for child in self._children
        )
        return self._waiting(queue) > starting

    def _waiting(self, queue: str) -> int:
        """Messages in a queue of the filesystem broker."""
        try:
            names = os.listdir(self.messages) if self.messages is not None else []
        except FileNotFoundError:
            return 0
        return sum(name.endswith(f".{queue}.msg") for name in names)

    def _start(self, child: _Child) -> None:
        supervisor = os.getpid()
        try:
            child.process = subprocess.Popen(
                child.program.argv,
                env={**(os.environ if self.env is None else self.env), **child.program.env},
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                process_group=0,
                preexec_fn=lambda: _begin(supervisor, child.program.nice),
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


def _begin(supervisor: int, nice: int) -> None:
    """In the child, before its program."""
    die_with(supervisor)
    os.nice(nice)


def die_with(parent: int) -> None:
    """In the child, before its program: asks Linux to end it when `parent` is gone.

    A parent killed by signal 9 cannot end its children; elsewhere than on Linux they live on then.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before the request was made
        os._exit(1)


def main(plan_file: str) -> int:
    """Carry out a plan until told to stop. Returns the exit status: 1 when another supervisor runs already."""
    plan = Plan.read(Path(plan_file))
    run_dir = Path(plan.run_dir)
    try:
        with only_one(run_dir / "serve.lock"):
            say(plan.said_first)
            Supervisor(
                programs=plan.programs,
                run_dir=run_dir,
                pauses=plan.pauses,
                messages=Path(plan.messages) if plan.messages else None,
                say=say,
            ).run()
    except AlreadyRunning as error:
        print(error, file=sys.stderr)
        return 1
    say(plan.said_last)
    return 0


def say(line: str) -> None:
    """A line about the processes, seen at once also in a pipe."""
    if line:
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
