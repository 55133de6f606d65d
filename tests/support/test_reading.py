"""Two processes share the reading of tests."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.reading import read_in_turns


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
