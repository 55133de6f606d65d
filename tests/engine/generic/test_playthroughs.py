"""The recorded game of every rule set, played again and compared line by line."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from battles.engine.registry import names
from tests.playthroughs import recorded, written


@pytest.mark.golden
@pytest.mark.parametrize("name", names())
def test_the_recorded_game_is_replayed_as_written(name: str) -> None:
    lines = recorded(name).read_text(encoding="utf-8").splitlines()
    for number, (line, now) in enumerate(zip_longest(lines, written(name).splitlines()), 1):
        assert now == line, f"line {number} of {recorded(name).name}; `python -m tests.playthroughs {name}`"
