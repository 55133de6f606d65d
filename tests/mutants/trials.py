"""Mutants on trial: each in a throw-away copy of the tree, against the tests that reach it, two at a time, resumable."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread

from tests.mutants.areas import Area
from tests.mutants.reach import APART, Reach, environment
from tests.mutants.sites import Site, sites

ROOT = Path(__file__).resolve().parents[2]
# A test file that fails at import must not keep the others from running.
KEEP_ON = ("--continue-on-collection-errors",)
VERDICTS = ("noticed", "survived", "unreached", "crashed", "broken", "timed out")
PATIENCE = 3.0  # a test may take so many times what it took when measured under coverage,
START = 10.0  # and so many seconds besides
MAKING = 600.0  # seconds to start a process and to make a database, on a busy machine too
AT_ONCE = (
    300.0  # seconds that a quick trial is given, on a busy machine too; what runs for ever is stopped sooner
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mutant. verdict: one of VERDICTS; test, text: which test noticed it, and how it said so."""

    key: str
    label: str
    verdict: str
    test: str = ""
    text: str = ""
    tests: int = 0
    seconds: float = 0.0


def drawn(area: Area, root: Path, *, count: int, seed: str, only: str = "*") -> list[Site]:
    """Mutants drawn by a seed: first places, all alike, then one mutation at each. only: a pattern for the files drawn from."""
    places: dict[tuple[str, int, int], list[Site]] = defaultdict(list)
    for path in fnmatch.filter(area.files(root), only):
        for site in sites(path, (root / path).read_bytes()):
            places[site.path, site.start, site.end].append(site)
    order = sorted(places)
    dice = random.Random(f"{area.name}/{seed}")
    chosen = dice.sample(order, min(count, len(order)))
    return [dice.choice(places[place]) for place in chosen]


def copy_of_tree(target: Path) -> Path:
    """A copy of what git tracks or would track, as it stands in the work tree."""
    if target.exists():
        shutil.rmtree(target)
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    return target


def tried(mutants: Sequence[Site], reach: Reach, copies: Sequence[Path], record: Path) -> Iterator[Verdict]:
    """The verdicts, as they come; those that stand in the record already are not tried again.

    record: JSON lines. One thread a copy.
    """
    known = {verdict.key: verdict for verdict in _read(record)}
    waiting: SimpleQueue[Site | None] = SimpleQueue()
    told: SimpleQueue[Verdict | BaseException] = SimpleQueue()
    left = [mutant for mutant in mutants if mutant.key not in known]
    yield from (known[mutant.key] for mutant in mutants if mutant.key in known)
    for mutant in left:
        waiting.put(mutant)
    writing = Lock()

    def work(copy: Path) -> None:
        with contextlib.closing(Server(copy, sorted(reach.layer_of))) as server:
            while (mutant := waiting.get()) is not None:
                try:
                    verdict = trial(mutant, reach.of(mutant), reach.tests, server)
                    with writing, record.open("a") as lines:
                        lines.write(json.dumps(asdict(verdict)) + "\n")
                    told.put(verdict)
                except BaseException as error:
                    told.put(error)

    threads = [Thread(target=work, args=(copy,), daemon=True) for copy in copies]
    for thread in threads:
        waiting.put(None)
        thread.start()
    for _ in left:
        answer = told.get()
        if isinstance(answer, BaseException):
            raise answer
        yield answer


def _read(record: Path) -> list[Verdict]:
    if not record.exists():
        return []
    return [Verdict(**json.loads(line)) for line in record.read_text().splitlines()]


def forget_survivors(record: Path) -> None:
    """Keep of a record only what was noticed, so that the rest is tried again against the tests as they are now."""
    noticed = [verdict for verdict in _read(record) if verdict.verdict == "noticed"]
    record.write_text("".join(json.dumps(asdict(verdict)) + "\n" for verdict in noticed))


class Server:
    """A process that has read every test of the area in its copy, for quick trials. Started when it is first asked."""

    def __init__(self, copy: Path, files: Sequence[str]) -> None:
        self.copy, self.files = copy, files
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, mutant: Site | None, tests: Mapping[str, float]) -> dict[str, str]:
        """The verdict of a quick trial; without a mutant, of the code as it is. Only `noticed` can be relied on. tests: seconds allowed."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        question: dict[str, object] = {"path": None, "tests": tests, "limit": AT_ONCE}
        if mutant is not None:
            path = self.copy / mutant.path
            source = mutant.applied(path.read_bytes()).decode()
            question |= {"path": str(path), "line": mutant.line, "source": source}
        print(json.dumps(question), file=self._asking, flush=True)
        line = self._told.readline()
        if not line:
            raise SystemExit(f"the process that tries mutants in {self.copy} has died")
        answer: dict[str, str] = json.loads(line)
        return answer

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._asking.close()
            self._told.close()
            self._process.wait()

    def _start(self) -> None:
        asked, asking = os.pipe()
        told, telling = os.pipe()
        self._process = _pytest(
            self.copy,
            ("-p", "tests.mutants.swap"),
            self.files,
            (asked, telling),
            MUTANTS_PIPES=f"{asked},{telling}",
        )
        os.close(asked)
        os.close(telling)
        self._asking, self._told = os.fdopen(asking, "w"), os.fdopen(told)


def trial(mutant: Site, tests: Sequence[str], seconds: Mapping[str, float], server: Server) -> Verdict:
    """One mutant against its tests: quickly where only a function's code has to be exchanged, else in a process of its own."""
    if not tests:
        return Verdict(mutant.key, mutant.label, "unreached")
    began = time.monotonic()
    limits = {test: START + PATIENCE * seconds.get(test, 0.0) for test in tests}
    answer = {} if mutant.where.by_name else server.ask(mutant, limits)
    if (
        answer.get("verdict") != "noticed"
        or server.ask(None, {answer["test"]: AT_ONCE})["verdict"] != "survived"
    ):
        answer = _alone(mutant, limits, server.copy)
    taken = round(time.monotonic() - began, 1)
    return Verdict(
        mutant.key, mutant.label, answer["verdict"], answer["test"], answer["text"], len(tests), taken
    )


def _alone(mutant: Site, tests: Mapping[str, float], copy: Path) -> dict[str, str]:
    """The verdict of a new process, in a copy that is whole again afterwards."""
    path = copy / mutant.path
    original, stat = path.read_bytes(), path.stat()
    try:
        path.write_bytes(mutant.applied(original))
        # compiled files are told apart by whole seconds and length
        stamp = time.time_ns() + 10**9 * (mutant.start % 10_000)
        os.utime(path, ns=(stamp, stamp))
        return _run(tests, copy)
    finally:
        path.write_bytes(original)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def _run(tests: Mapping[str, float], copy: Path) -> dict[str, str]:
    folder = copy / "var"
    folder.mkdir(exist_ok=True)
    wanted, verdict = folder / "mutants-tests.json", folder / "mutants-verdict.json"
    wanted.write_text(json.dumps(tests))
    verdict.unlink(missing_ok=True)
    files = sorted({test.partition("::")[0] for test in tests})
    process = _pytest(copy, (), files, (), MUTANTS_TESTS=str(wanted), MUTANTS_VERDICT=str(verdict))
    limit = MAKING + sum(tests.values())  # the plug-in stops long before
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return {"verdict": "timed out", "test": "", "text": f"after {limit:.0f} seconds"}
    if not verdict.exists():
        return {"verdict": "broken", "test": "", "text": f"pytest ended with status {process.returncode}"}
    answer: dict[str, str] = json.loads(verdict.read_text())
    return answer


def _pytest(
    copy: Path, plugins: Sequence[str], files: Sequence[str], ends: Sequence[int], **variables: str
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants.watch", *plugins]
    command += ["-p", "no:randomly", "-p", "no:cacheprovider", "-m", APART]
    command += ["--no-header", "--hypothesis-seed=0", *KEEP_ON, *files]
    return subprocess.Popen(
        command,
        cwd=copy,
        env={**environment(), **variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=ends,
    )
