"""The pytest plug-in of a trial: runs the tests it is given in their order, until one of them notices the mutant.

A mutant is noticed by a failed assertion, or when a line of the test itself does not find what it looks for: a key, an item, a row, so many
values. An exception out of the code is a crash: it is counted, and the next test is tried. A test that runs far beyond its time is
stopped; after three of them the trial has timed out. What counts is processor time, so that other work on the machine changes no verdict.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist

ASSERTIONS = (AssertionError, pytest.fail.Exception)
MISSING = (LookupError, ValueError, StopIteration)
SCRIPT_SAYS = ("no face left", "faces left over", "(")  # what battles.engine.core.dice.ScriptedDice raises
LATE = 3
MEMORY = 4 << 30
limits: dict[str, float] = {}  # seconds, by node id
late: list[str] = []
times: dict[str, float] = defaultdict(float)
found: dict[str, str] = {"verdict": "survived", "test": "", "text": ""}


class TooLate(BaseException):
    """A test ran beyond its limit; not an Exception, so that no code under test takes it for one of its own."""


def bound(tests: Mapping[str, float]) -> None:
    """Begins a trial of these tests in this process, which gets no more than so much memory. tests: seconds of processor time allowed."""
    limits.update(tests)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _too_late)


def _too_late(*_: object) -> None:
    raise TooLate


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Stops a test that runs beyond its limit."""
    signal.setitimer(signal.ITIMER_PROF, limits.get(item.nodeid, 0.0))
    try:
        return (yield)
    except TooLate:
        late.append(item.nodeid)
        if len(late) >= LATE:
            found.update(verdict="timed out", test=item.nodeid, text=f"{LATE} tests ran beyond their time")
            item.session.shouldstop = "timed out"
        raise RuntimeError("beyond its time") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of the trial."""
    wanted = os.environ.get("MUTANTS_TESTS")
    if wanted:
        bound(json.loads(Path(wanted).read_text()))
        order = {node: at for at, node in enumerate(limits)}
        items[:] = sorted(
            (item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid]
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Judges a failure by its exception."""
    if (
        ("MUTANTS_VERDICT" in os.environ or "MUTANTS_PIPES" in os.environ)
        and call.excinfo is not None
        and not call.excinfo.errisinstance(pytest.skip.Exception)
    ):
        noticed = call.when == "call" and (
            _asserted(call.excinfo.value)
            or _of_the_script(call.excinfo.value)
            or _missed(call.excinfo, item.path)
        )
        if noticed or found["verdict"] == "survived":
            found.update(
                verdict="noticed" if noticed else "crashed",
                test=item.nodeid,
                text=f"{call.excinfo.typename}: {call.excinfo.value}"[:200],
            )
        if noticed:
            item.session.shouldstop = "noticed"
    return (yield)


def _asserted(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return any(_asserted(inner) for inner in error.exceptions)
    return isinstance(error, ASSERTIONS)


def _missed(caught: pytest.ExceptionInfo[BaseException], test: Path) -> bool:
    """Whether a line of the test looked for something that is not there: `(row,) = rows`, `TABLE[3]`, `rows.get(code="x")`."""
    own = [entry for entry in caught.traceback if "site-packages" not in Path(entry.path).parts]
    if isinstance(caught.value, ObjectDoesNotExist):  # raised by Django for the line that asked
        return own[-1].path == test
    return isinstance(caught.value, MISSING) and caught.traceback[-1].path == test


def _of_the_script(error: BaseException) -> bool:
    """Whether scripted dice complain, which is how a test asserts what is thrown."""
    return type(error).__name__ == "DiceError" and str(error).startswith(SCRIPT_SAYS)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Adds up the seconds of each test, set-up included."""
    times[report.nodeid] += report.duration


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Writes what was found."""
    if "MUTANTS_TIMES" in os.environ and not hasattr(session.config, "workerinput"):
        Path(os.environ["MUTANTS_TIMES"]).write_text(json.dumps(times))
    if "MUTANTS_VERDICT" in os.environ:
        ran = session.testscollected
        if (
            exitstatus in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR)
            or session.testsfailed
            and not ran
        ):
            found["verdict"] = "broken"
        elif session.testsfailed and found["verdict"] == "survived":  # some files could not even be read
            found["verdict"] = "crashed"
        Path(os.environ["MUTANTS_VERDICT"]).write_text(json.dumps({**found, "ran": ran}))
