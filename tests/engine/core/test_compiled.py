"""Which build of the compiled engine is used, and why another one is not."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from battles.engine import ENGINE, compiled
from tests import fast

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiled, "BUILDS", tmp_path / "fast")
    monkeypatch.delenv(compiled.SWITCH)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    return tmp_path


def put(var: Path, name: str = "one", **other: object) -> Path:
    """A build on disk; its library holds no code, since none of these tests loads it."""
    folder = var / "fast" / name
    folder.mkdir(parents=True)
    doc = {
        "fingerprint": compiled.sources_hash(), "python": compiled.TAG, "library": "lib",
        "modules": {"battles.engine.core.hexes": "core"}, **other,
    }  # fmt: skip
    (folder / compiled.FILE).write_text(json.dumps(doc), encoding="utf-8")
    return folder


def test_tests_run_interpreted() -> None:
    assert ENGINE.word == "interpreted"


def test_a_build_of_these_sources_stands_before_them(var: Path) -> None:
    folder = put(var)
    engine = compiled.install()
    assert (engine.word, engine.reason) == ("compiled", "")
    finder = sys.meta_path[0]
    assert isinstance(finder, compiled.Finder)
    spec = finder.find_spec("battles.engine.core.hexes", None)
    assert spec is not None and spec.origin == str(folder / "core.so")
    assert finder.find_spec("battles.engine.core.log", None) is None


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"fingerprint": "0" * 64}, "was built from other sources"),
        ({"python": "cpython-27"}, "is for cpython-27"),
        ({"library": None, "modules": None}, ""),
    ],
)
def test_any_other_build_is_ignored_loudly(
    var: Path, caplog: pytest.LogCaptureFixture, other: dict[str, object], reason: str
) -> None:
    put(var, **other)
    if not reason:
        (var / "fast" / "one" / compiled.FILE).write_text("{}", encoding="utf-8")
        reason = "cannot be read"
    before = list(sys.meta_path)
    with caplog.at_level(logging.WARNING):
        engine = compiled.install()
    assert engine.word == "interpreted"
    assert reason in engine.reason
    assert sys.meta_path == before
    (record,) = caplog.records
    assert reason in record.getMessage()
    assert "make fast" in record.getMessage()


def test_without_a_build_nothing_is_said(var: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert compiled.install().reason == "none was built"
    assert not caplog.records


def test_the_fitting_one_of_two_builds_is_used(var: Path) -> None:
    put(var, "a", fingerprint="0" * 64)
    folder = put(var, "b")
    build, _ = compiled.find()
    assert build is not None and build.folder == folder


def test_the_switch(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiled.SWITCH, "compiled")
    with pytest.raises(RuntimeError, match="none was built; run make fast"):
        compiled.install()
    monkeypatch.setenv(compiled.SWITCH, "quick")
    with pytest.raises(RuntimeError, match="'quick' is neither"):
        compiled.install()
    put(var)
    monkeypatch.setenv(compiled.SWITCH, "interpreted")
    assert compiled.install().word == "interpreted"


def test_a_changed_source_changes_the_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for area in compiled.AREAS:
        (tmp_path / area).mkdir()
    (tmp_path / "core" / "one.py").write_text("A = 1\n")
    monkeypatch.setattr(compiled, "ENGINE", tmp_path)
    before = compiled.sources_hash()
    (tmp_path / "core" / "one.py").write_text("A = 2\n")
    assert compiled.sources_hash() != before


def test_every_reason_to_stay_interpreted_still_names_a_module() -> None:
    taken, left = fast.chosen()
    assert len(taken) > 200
    stems = {Path(name).stem for name in left} | {"__init__"}
    assert set(fast.INTERPRETED) <= stems
    assert set(fast.INTERPRETED_PATHS) <= set(left)


def test_a_wheel_holds_the_build_with_its_record(var: Path, tmp_path: Path) -> None:
    folder = put(var)
    (folder / "lib.so").write_bytes(b"code")
    made = fast.wheel(tmp_path / "wheels")
    where = tmp_path / "installed"
    with zipfile.ZipFile(made) as pack:
        pack.extractall(where)
    (record,) = where.glob("*.dist-info/RECORD")
    assert "weather_gage_engine/lib.so,sha256=" in record.read_text()
    env = {**os.environ, "PYTHONPATH": str(where), compiled.SWITCH: "interpreted"}
    code = "from battles.engine import compiled; print(compiled.builds()[-1])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, cwd=ROOT)
    assert done.stdout.strip() == str(where / "weather_gage_engine"), done.stderr
