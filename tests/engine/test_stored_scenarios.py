"""A scenario that was checked as it was stored is read to the same value as one that is checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battles.engine.core import document
from battles.engine.core.document import document_faults
from battles.engine.core.scenario import read_scenario
from battles.engine.stored import stored_scenario
from tests.fast import SHIPPED


@pytest.mark.parametrize("path", SHIPPED, ids=[f"{path.parent.name}/{path.stem}" for path in SHIPPED])
@pytest.mark.clause("G.BT6")
def test_the_scenario_that_is_saved_is_the_one_that_was_checked(path: Path) -> None:
    doc = json.loads(path.read_text(encoding="utf-8"))
    more = {
        "edges": ["open"] * 4, "land": [[1, 2]], "shoal": [[2, 3]], "wind": {"towards": 90, "strength": "gale"},
        "surprised": [doc["sides"][0]["id"]],
        "handicaps": [{"side": doc["sides"][1]["id"], "what": "crew", "percent": 60, "reason": "Few had been to sea."}],
    }  # fmt: skip
    sound = {name: value for name, value in more.items() if not document_faults({**doc, name: value})}
    assert len(sound) > 3
    for one in (doc, {**doc, **sound}):
        assert stored_scenario(one) == read_scenario(one)


def test_nothing_is_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    doc = json.loads(SHIPPED[0].read_text(encoding="utf-8"))
    expected = read_scenario(doc)
    monkeypatch.setattr(document, "_validator", lambda: pytest.fail("the schema was asked"))
    assert stored_scenario(doc) == expected
