"""The supervisor, with small real processes in place of web, worker and beat."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.supervise import PAUSES, AlreadyRunning, only_one
from tests.support.processes import ROOT, is_alive, wait_until

SLEEPS = [sys.executable, "-c", "import time; time.sleep(600)"]
ENDS = [sys.executable, "-c", "raise SystemExit(3)"]
DEAF = [
    *(sys.executable, "-c"),
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)",
]
RUN = """
import json, sys
from pathlib import Path
from deploy.supervise import Program, Supervisor, only_one
programs, run_dir, options = json.loads(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
options["messages"] = run_dir
with only_one(run_dir / "serve.lock"):
    Supervisor(
        programs=[Program(**program) for program in programs],
        run_dir=run_dir,
        say=lambda line: print(line, flush=True),
        **options,
    ).run()
"""


def with_grandchild(pid_file: Path) -> list[str]:
    """A program that starts a process of its own in its group, writes its pid, and sleeps."""
    code = f"""
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path({str(pid_file)!r}).write_text(str(child.pid))
time.sleep(600)
"""
    return [sys.executable, "-c", code]


class Running:
    """A supervisor in a process of its own."""

    def __init__(self, run_dir: Path, programs: dict[str, list[str]], **options: Any) -> None:
        self.run_dir = run_dir
        stop_seconds = options.pop("stop_seconds", 5)
        more = options.pop("more", {})
        listed = [
            {"name": name, "argv": argv, "stop_seconds": stop_seconds, **more}
            for name, argv in programs.items()
        ]
        self.out = run_dir / "out"
        with self.out.open("wb") as sink:
            self.process = subprocess.Popen(
                [sys.executable, "-c", RUN, json.dumps(listed), str(run_dir), json.dumps(options)],
                cwd=ROOT,
                stdout=sink,
                stderr=subprocess.STDOUT,
            )
        self.seen: set[int] = set()

    def pid(self, name: str, *, other_than: int = 0) -> int:
        """The process id of a program, once it runs."""

        def read() -> int:
            try:
                return int((self.run_dir / f"{name}.pid").read_text())
            except (FileNotFoundError, ValueError):
                return 0

        wait_until(lambda: read() not in (0, other_than), f"{name} to start: {self.said()}")
        self.seen.add(read())
        return read()

    def said(self) -> list[str]:
        return self.out.read_text().splitlines()

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(programs: dict[str, list[str]], **options: Any) -> Running:
        started.append(Running(tmp_path, programs, **options))
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()
        for pid in running.seen:
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)


def test_a_killed_program_restarts_and_the_others_stay(supervised: Callable[..., Running]) -> None:
    running = supervised({"worker": SLEEPS, "beat": SLEEPS}, pauses=[0.1])
    worker, beat = running.pid("worker"), running.pid("beat")
    os.kill(worker, signal.SIGKILL)
    assert is_alive(running.pid("worker", other_than=worker))
    assert running.pid("beat") == beat
    assert running.said() == ["worker was killed by signal 9; restarting in 0.1 s"]


def test_a_worker_ended_by_its_own_alarm_is_reported_as_taking_too_long(
    supervised: Callable[..., Running],
) -> None:
    alarmed = [sys.executable, "-c", "import signal, time; signal.alarm(1); time.sleep(600)"]
    running = supervised({"worker": alarmed}, pauses=[0.1])
    running.pid("worker", other_than=running.pid("worker"))
    assert running.said()[0] == "worker took too long over one task; restarting in 0.1 s"


def test_every_program_has_its_own_process_group(supervised: Callable[..., Running]) -> None:
    running = supervised({"web": SLEEPS, "worker": SLEEPS})
    web, worker = running.pid("web"), running.pid("worker")
    assert os.getpgid(web) == web
    assert os.getpgid(worker) == worker


def test_the_pause_grows_with_each_death_up_to_the_longest(supervised: Callable[..., Running]) -> None:
    running = supervised({"web": ENDS}, pauses=[0.01, 0.02, 0.04])
    wait_until(lambda: len(running.said()) >= 5, "five deaths")
    pauses = [line.split(" in ")[1] for line in running.said()[:5]]
    assert pauses == ["0.01 s", "0.02 s", "0.04 s", "0.04 s", "0.04 s"]
    assert "web ended with status 3" in running.said()[0]


def test_the_published_pauses_are_one_to_thirty_seconds() -> None:
    assert PAUSES == (1, 2, 4, 8, 16, 30)


def test_a_steady_program_starts_with_the_shortest_pause_again(
    supervised: Callable[..., Running],
) -> None:
    steady = [sys.executable, "-c", "import time; time.sleep(0.6); raise SystemExit(3)"]
    running = supervised({"web": steady}, pauses=[0.01, 5.0], steady_after=0.3)
    wait_until(lambda: len(running.said()) >= 3, "three deaths")
    assert all(line.endswith("in 0.01 s") for line in running.said())


def test_a_program_that_cannot_be_started_is_retried(supervised: Callable[..., Running]) -> None:
    running = supervised({"web": ["/nonexistent/gunicorn"], "beat": SLEEPS}, pauses=[0.01])
    wait_until(lambda: len(running.said()) >= 2, "two tries")
    assert running.said()[0] == "web cannot be started (No such file or directory); restarting in 0.01 s"
    assert is_alive(running.pid("beat"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_stopping_ends_whole_groups_and_leaves_no_files(
    supervised: Callable[..., Running], tmp_path: Path, number: int
) -> None:
    grandchild = tmp_path / "grandchild"
    running = supervised({"web": with_grandchild(grandchild), "beat": SLEEPS})
    wait_until(lambda: grandchild.exists() and grandchild.read_text() != "", "the grandchild")
    pids = [running.pid("web"), running.pid("beat"), int(grandchild.read_text())]
    assert running.end(number) == 0
    wait_until(lambda: not any(is_alive(pid) for pid in pids), "all to be gone")
    assert list(tmp_path.glob("*.pid")) == []


def test_an_unresponsive_program_is_killed_in_the_end(supervised: Callable[..., Running]) -> None:
    running = supervised({"worker": DEAF}, stop_seconds=0.5)
    worker = running.pid("worker")
    wait_until(lambda: "deaf" in running.said(), "the worker to be deaf")
    assert running.end() == 0
    assert not is_alive(worker)


def test_a_second_signal_does_not_wait(supervised: Callable[..., Running]) -> None:
    running = supervised({"worker": DEAF}, stop_seconds=60)
    worker = running.pid("worker")
    wait_until(lambda: "deaf" in running.said(), "the worker to be deaf")
    running.process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert running.process.poll() is None
    assert running.end(signal.SIGINT) == 0
    assert not is_alive(worker)


def test_children_of_a_killed_program_are_ended_before_it_restarts(
    supervised: Callable[..., Running], tmp_path: Path
) -> None:
    grandchild = tmp_path / "grandchild"
    running = supervised({"web": with_grandchild(grandchild)}, pauses=[0.1])
    wait_until(lambda: grandchild.exists() and grandchild.read_text() != "", "the grandchild")
    orphan = int(grandchild.read_text())
    web = running.pid("web")
    os.kill(web, signal.SIGKILL)
    running.pid("web", other_than=web)
    wait_until(lambda: not is_alive(orphan), "the orphan to be gone")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent is gone")
def test_a_supervisor_killed_hard_takes_its_programs_with_it(supervised: Callable[..., Running]) -> None:
    running = supervised({"web": SLEEPS, "worker": SLEEPS})
    pids = [running.pid("web"), running.pid("worker")]
    running.end(signal.SIGKILL)
    wait_until(lambda: not any(is_alive(pid) for pid in pids), "both to be gone")


def test_a_second_start_is_refused_with_the_first_ones_process_id(
    supervised: Callable[..., Running], tmp_path: Path
) -> None:
    running = supervised({"web": SLEEPS})
    running.pid("web")
    with pytest.raises(AlreadyRunning) as caught, only_one(tmp_path / "serve.lock"):
        pass
    assert caught.value.pid == running.process.pid
    assert str(running.process.pid) in str(caught.value)


def test_a_lock_left_by_a_crash_does_not_block_a_start(
    supervised: Callable[..., Running], tmp_path: Path
) -> None:
    running = supervised({"web": SLEEPS})
    running.pid("web")
    running.end(signal.SIGKILL)
    assert (tmp_path / "serve.lock").read_text() != ""
    with only_one(tmp_path / "serve.lock"):
        assert int((tmp_path / "serve.lock").read_text()) == os.getpid()


TAKES = [
    *(sys.executable, "-c"),
    "import os, pathlib; [path.unlink() for path in pathlib.Path(os.environ['WHERE']).glob('*.odds.msg')]",
]


def test_a_program_with_a_queue_runs_only_while_there_is_work_and_its_end_is_no_death(
    supervised: Callable[..., Running], tmp_path: Path
) -> None:
    running = supervised({"odds": TAKES}, more={"queue": "odds", "env": {"WHERE": str(tmp_path)}})
    message = tmp_path / "1.odds.msg"
    time.sleep(0.5)
    assert not (tmp_path / "odds.pid").exists(), "no work, no process"
    (tmp_path / "1.mail.msg").touch()
    for _ in range(2):
        message.touch()
        wait_until(lambda: not message.exists(), "the message to be taken")
        wait_until(lambda: not (tmp_path / "odds.pid").exists(), "the program to end")
    assert running.said() == []


def test_as_many_programs_start_as_messages_wait(supervised: Callable[..., Running], tmp_path: Path) -> None:
    running = supervised({"odds-1": SLEEPS, "odds-2": SLEEPS, "odds-3": SLEEPS}, more={"queue": "odds"})
    for name in ("1.odds.msg", "2.odds.msg"):
        (tmp_path / name).touch()
    running.pid("odds-1")
    running.pid("odds-2")
    time.sleep(0.5)
    assert not (tmp_path / "odds-3.pid").exists()


def test_a_program_with_a_queue_that_fails_is_started_again_after_a_pause(
    supervised: Callable[..., Running], tmp_path: Path
) -> None:
    (tmp_path / "1.odds.msg").touch()
    running = supervised({"odds": ENDS}, more={"queue": "odds"}, pauses=[0.01])
    wait_until(lambda: len(running.said()) >= 2, "two deaths")
    assert running.said()[0] == "odds ended with status 3; restarting in 0.01 s"


def test_a_program_gives_way_as_its_plan_says(supervised: Callable[..., Running]) -> None:
    running = supervised({"odds": SLEEPS}, more={"nice": 7})
    pid = running.pid("odds")
    assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + 7
