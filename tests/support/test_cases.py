"""The loader of case files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import cases as support


def _file(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    monkeypatch.setattr(support, "CASES", folder)
    (folder / "some.toml").write_text(text)


def test_a_case_carries_its_id_and_the_clauses_it_checks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _file(monkeypatch, tmp_path, '[[case]]\nid = "K.F14/words"\nclauses = ["K.F15"]\nhits = 3\n')
    (param,) = support.cases("some")
    assert param.id == "K.F14/words"
    assert [mark.args for mark in param.marks] == [("K.F14", "K.F15")]
    assert param.values[0]["hits"] == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no cases"),
        ('[[case]]\nid = "K.F1/a"\n[[case]]\nid = "K.F1/a"\n', "repeats"),
        ('[[case]]\nid = "no clause"\n', "CLAUSE/words"),
        ('[[case]]\nid = "words/words"\n', "CLAUSE/words"),
    ],
)
def test_a_file_that_would_check_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, words: str
) -> None:
    _file(monkeypatch, tmp_path, text)
    with pytest.raises(ValueError, match=words):
        support.cases("some")
