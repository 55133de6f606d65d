"""What counts as noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import ObjectDoesNotExist

from battles.engine.registry import rule_set
from fleets.selectors.registers import register_by_code
from tests.mutants import trials, watch


def _unpacks() -> None:
    (_,) = ()


@pytest.mark.parametrize(
    ("mistaken", "counts"),
    [
        pytest.param(_unpacks, True, id="too few values"),
        pytest.param(lambda: {}[3], True, id="no such key"),
        pytest.param(lambda: next(iter(())), True, id="nothing left"),
        pytest.param(lambda: None + 1, False, id="an operation that makes no sense"),
        pytest.param(lambda: rule_set("none"), False, id="a key that the code looked for"),
    ],
)
def test_what_a_line_of_the_test_looks_for_in_vain_counts_and_a_crash_of_the_code_does_not(
    mistaken: Callable[[], object], counts: bool
) -> None:
    with pytest.raises(Exception) as caught:  # noqa: B017 - whatever it is
        mistaken()
    assert watch._missed(caught, Path(__file__)) is counts


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.parametrize(
    ("mistaken", "counts"),
    [
        pytest.param(lambda: Group.objects.get(name="nobody"), True, id="no such row"),
        pytest.param(lambda: register_by_code("none"), False, id="a row that the code looked for"),
    ],
)
def test_a_row_that_the_test_looks_for_in_vain_counts_as_any_other_thing(
    mistaken: Callable[[], object], counts: bool
) -> None:
    with pytest.raises(ObjectDoesNotExist) as caught:
        mistaken()
    assert watch._missed(caught, Path(__file__)) is counts


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [("False", "noticed"), ("True", "crashed")],
    ids=["a test notices", "no test notices"],
)
def test_a_test_file_that_can_no_longer_be_imported_keeps_no_other_from_running(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, holds: str, verdict: str
) -> None:
    pytester.makepyfile(
        test_a="raise ValueError('a table that is read at import')", test_b=f"def test_b(): assert {holds}"
    )
    wanted, answer = pytester.path / "wanted.json", pytester.path / "verdict.json"
    wanted.write_text(json.dumps({"test_b.py::test_b": 5.0}))
    monkeypatch.setenv("MUTANTS_TESTS", str(wanted))
    monkeypatch.setenv("MUTANTS_VERDICT", str(answer))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.runpytest_subprocess(
        "-p", "tests.mutants.watch", "-p", "no:cacheprovider", *trials.KEEP_ON, "test_a.py", "test_b.py"
    )
    assert json.loads(answer.read_text())["verdict"] == verdict
