"""The switches of the rule sets and their defaults."""

from __future__ import annotations

from importlib import import_module

import pytest

from battles.engine.core.options import Options


@pytest.mark.parametrize("name", ["age_of_sail", "barker", "cordery", "kohler", "thomas"])
def test_the_default_of_every_switch_is_a_value_that_it_allows(name: str) -> None:
    switches: Options = import_module(f"battles.engine.rulesets.{name}.options").OPTIONS
    assert len(switches) > 3
    for key, switch in switches.items():
        assert switch.default is None or switch.allows(switch.default), key
