"""Switches given what is no value of any switch: each is refused, and none ends in an error."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from battles.engine import registry
from battles.engine.core.options import Option
from tests.support.answers import flawless

SWITCHES = [
    pytest.param(option, id=f"{name}-{switch}")
    for name in registry.names()
    for switch, option in import_module(f"battles.engine.rulesets.{name}.options").OPTIONS.items()
]
# of every kind that a document may hold, and one or two levels deep
STRANGE: tuple[Any, ...] = (
    -9.5, 10**9, "?!", [], [None], [-9.5], ["?!", "?!"], [[]], [[None]], [[7, [1, 2], [3, 4]]], [[[1], [2], [3]]],
    [[["?!", 0], [1, 2], [3, 4]]],
    {"?!": None}, {"?!": -9.5}, {"?!": "?!"}, {"?!": []}, {"?!": [None]}, {"?!": {"?!": 1}}, {"?!": {"sown": 5}}, {"?!": {"sown": [5]}},
    {"?!": {"sown": [[5]]}}, {"?!": {"sown": [[[1]]]}}, {"?!": {"unsown": 5}}, {"?!": {"unsown": {"?!": "?!"}}}, {"BB": "?!"}, {"BB": -9.5},
)  # fmt: skip


@pytest.mark.parametrize("option", SWITCHES)
def test_a_switch_refuses_what_is_no_value_of_any(option: Option) -> None:
    allowed = [value for value in STRANGE if flawless(option.allows, value)]
    assert len(allowed) <= 2, allowed
    assert option.default is None or option.allows(option.default)
