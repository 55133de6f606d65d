"""The pytest plug-in of quick trials: reads every test once, and then tries one mutant after another, each in a fork of its own.

Only the code of the function that holds the mutation is exchanged, in every function object that was made from it. What a mutation does
at import, or what was worked out before the fork, stays as it was: so only `noticed` is an answer, and everything else is tried again
in a process of its own.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
from collections import defaultdict
from collections.abc import Mapping, Sequence
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.watch import bound, found


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Serves trials through two pipes, a line of JSON each way, until the asker closes them."""
    pipes = os.environ.get("MUTANTS_PIPES")
    if pipes is None:
        return None
    asked, told = (int(end) for end in pipes.split(","))
    items = {item.nodeid: item for item in session.items}
    _warm_up(session.items)
    gc.unfreeze()  # what was put aside after the tests were read is not among the collector's objects
    made = functions()
    gc.freeze()  # or a fork would copy everything when it counts what is still used
    with os.fdopen(asked) as questions, os.fdopen(told, "w") as answers:
        for question in questions:
            print(json.dumps(_tried(json.loads(question), items, made)), file=answers, flush=True)
    return True


def _warm_up(items: Sequence[pytest.Item]) -> None:
    """Runs one test that uses the database, if there is one, so that the tables are made before the first fork."""
    for item in items:
        if "django_db_setup" in getattr(item, "fixturenames", ()) or item.get_closest_marker("django_db"):
            runtestprotocol(item, log=False, nextitem=items[0] if item is not items[0] else items[-1])
            found.update(verdict="survived", test="", text="")
            return


def functions() -> Mapping[tuple[str, str, int], list[FunctionType]]:
    """Every function there is, by the file, the name and the first line of its code."""
    made = defaultdict[tuple[str, str, int], list[FunctionType]](list)
    for one in gc.get_objects():
        if type(one) is FunctionType:  # a lazy object that is asked for its class would wake
            code = one.__code__
            made[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    return made


def _tried(
    question: Mapping[str, Any],
    items: Mapping[str, pytest.Item],
    functions: Mapping[tuple[str, str, int], Sequence[FunctionType]],
) -> dict[str, str]:
    """The answer of a fork; a survivor's when it is too late or dies."""
    tests = [items[test] for test in question["tests"] if test in items]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(reading)
        try:
            bound(question["tests"])
            if question["path"] is None or exchanged(question, functions):
                _run(tests)
            os.write(writing, json.dumps(found).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        ready = select.select([answer], [], [], question["limit"])[0]
        text = answer.read() if ready else b""
    if not ready:
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said: dict[str, str] = json.loads(text or '{"verdict": "survived", "test": "", "text": ""}')
    return said


def _run(tests: Sequence[pytest.Item]) -> None:
    session = tests[0].session
    session._setupstate.teardown_exact(tests[0])
    for item, following in zip(tests, [*tests[1:], tests[0]], strict=True):
        runtestprotocol(item, log=False, nextitem=following)
        if session.shouldstop:
            return


def exchanged(
    question: Mapping[str, Any], functions: Mapping[tuple[str, str, int], Sequence[FunctionType]]
) -> bool:
    """Gives every function made from the mutated one its new code. False when that is not how the mutation would take effect."""
    path, line = question["path"], question["line"]
    old = _function_at(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True), line)
    new = _function_at(compile(question["source"], path, "exec", dont_inherit=True), line)
    if old is None or new is None:
        return False
    made = functions.get((path, old.co_qualname, old.co_firstlineno), ())
    try:
        for one in made:
            one.__code__ = new
    except ValueError:  # it closes over other names now
        return False
    return bool(made)


def _function_at(code: CodeType, line: int) -> CodeType | None:
    """The outermost function, of a module or of a class in it, that holds a line."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and inner.co_name[0] != "<" and _holds(inner, line):
            return inner if inner.co_flags & CO_OPTIMIZED else _function_at(inner, line)
    return None


def _holds(code: CodeType, line: int) -> bool:
    inside = [at for _, _, at in code.co_lines() if at is not None]
    parts = [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return bool(inside) and min(inside) <= line <= max(inside) or any(_holds(part, line) for part in parts)
