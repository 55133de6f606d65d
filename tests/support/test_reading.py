"""Two processes share the reading of tests, and a test is spared the fixtures that do nothing for it."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.reading import DOES_NOTHING_WITHOUT, read_in_turns

URLS = "_django_set_urlconf"


@pytest.fixture
def asked_for(request: pytest.FixtureRequest) -> list[str]:
    """What the test sets up before it runs."""
    return list(request.node.fixturenames)


def test_a_test_sets_up_no_fixture_that_does_nothing_for_it(asked_for: list[str]) -> None:
    assert not {*DOES_NOTHING_WITHOUT, "_django_setup_unittest"} & {*asked_for}
    assert {"_dj_autoclear_mailbox", "charts_in_emails_are_rendered_small"} <= {*asked_for}


@pytest.mark.urls("deploy.urls")
def test_a_mark_brings_the_fixture_that_acts_on_it(asked_for: list[str]) -> None:
    assert URLS in asked_for


def test_a_fixture_that_a_test_names_is_set_up(asked_for: list[str], _django_set_urlconf: None) -> None:
    assert URLS in asked_for


@pytest.mark.parametrize(("worker", "order"), [("gw0", "abcde"), ("gw1", "bcdea"), ("gw2", "deabc")])
def test_each_process_reads_all_tests_from_another_place_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: str, order: str
) -> None:
    for name in "badce":
        (tmp_path / f"test_{name}.py").touch()
    (tmp_path / "test_ignored.py").touch()
    read: list[str] = []

    def imported(name: str) -> Any:
        read.append(name.removeprefix("test_"))
        raise ImportError("pytest says so when it comes to it")

    monkeypatch.setattr(importlib, "import_module", imported)
    hook = SimpleNamespace(
        pytest_ignore_collect=lambda collection_path, config: "ignored" in collection_path.name
    )
    config: Any = SimpleNamespace(
        args=["."], rootpath=tmp_path, invocation_params=SimpleNamespace(dir=tmp_path), hook=hook,
        workerinput={"workerid": worker, "workercount": 3},
    )  # fmt: skip
    read_in_turns(config)

    assert "".join(read) == order
