"""How many of its ships a side has lost, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from battles.templatetags.battles import share_lost


@pytest.mark.parametrize(
    ("lost", "ships", "told"),
    [
        (0, 1, "none of its 1 ship"), (0, 4, "none of its 4 ships"), (1, 1, "its only ship"), (2, 2, "both its ships"),
        (3, 3, "all 3 of its ships"), (1, 3, "1 of its 3 ships"),
    ],
)  # fmt: skip
def test_a_side_that_lost_ships_is_told_in_words(lost: int, ships: int, told: str) -> None:
    result: Any = SimpleNamespace(lost=("x",) * lost, ships=ships)
    assert share_lost(result) == told
