"""A quick trial gives every function made from the mutated one its new code, or says that it cannot."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutants.sites import sites
from tests.mutants.swap import exchanged, functions

SOURCE = """from functools import wraps

LIMIT = 3

def plain(wind):
    return wind > 5

class Ship:
    def guns(self):
        return [gun for gun in range(9) if gun < 6]

    @property
    def masts(self):
        return 4

class Frigate(Ship):
    def guns(self):
        return super().guns() or 2

def twice(inner):
    @wraps(inner)
    def both(*args):
        return inner(*args), inner(*args)
    return both

@twice
def wrapped():
    return 7

def closing(sails):
    def count():
        return (sails or 0) + 8
    return count
"""


@pytest.fixture
def fleet(tmp_path: Path) -> ModuleType:
    path = tmp_path / "fleet.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("fleet", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changed(fleet: ModuleType, old: str, new: str) -> bool:
    path = Path(str(fleet.__file__))
    site = next(site for site in sites(path.name, path.read_bytes()) if (site.old, site.new) == (old, new))
    question = {"path": str(path), "line": site.line, "source": site.applied(path.read_bytes()).decode()}
    return exchanged(question, functions())


@pytest.mark.parametrize(
    ("old", "new", "call", "before", "after"),
    [
        ("5", "6", "plain(6)", True, False),
        ("6", "7", "Ship().guns()[-1]", 5, 6),
        ("4", "3", "Ship().masts", 4, 3),
        ("7", "8", "wrapped()", (7, 7), (8, 8)),
        ("8", "9", "closing(1)()", 9, 10),
    ],
)
def test_a_function_does_what_its_new_code_says_wherever_it_is(
    fleet: ModuleType, old: str, new: str, call: str, before: object, after: object
) -> None:
    assert eval(call, vars(fleet)) == before
    assert changed(fleet, old, new)
    assert eval(call, vars(fleet)) == after


def test_code_that_runs_at_import_is_left_to_its_own_process(fleet: ModuleType) -> None:
    assert not changed(fleet, "3", "4")


def test_code_that_closes_over_other_names_is_left_to_its_own_process(fleet: ModuleType) -> None:
    assert not changed(fleet, "super().guns() or 2", "((2))")
    assert fleet.Frigate().guns()[-1] == 5
