"""The rules that something is played by, as one callable: `use(play_battle)(scenario, seed, log=True)`.

`use` gives back today's own function when the version is today's, and else that of the old version, with values carried over and back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from battles.engine import registry
from battles.engine.core.ruleset import RuleSet
from battles.engine.pinned.crossing import Crossing, Special
from battles.engine.pinned.universe import universe_of
from battles.engine.pinned.versions import Version, newest

P = ParamSpec("P")
R = TypeVar("R")
MOST_OPEN = 12


class Use:
    """Functions of some rules by those of today. crossing: into an old version, None for today's rules."""

    def __init__(self, crossing: Crossing | None = None) -> None:
        self.crossing = crossing

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """The function, class or class method that these rules have for one of today's. Raises RulesMissing."""
        return function if self.crossing is None else self.crossing.function(function)

    def here(self, value: R) -> R:
        """A value of these rules as today's. Raises RulesMissing where they do not share it."""
        return value if self.crossing is None else self.crossing.value(value, inward=False)

    def there(self, value: R) -> R:
        """A value of today's rules as one of these. Raises RulesMissing where they do not share it."""
        return value if self.crossing is None else self.crossing.value(value, inward=True)

    def takes(self, function: Callable[P, R], name: str) -> bool:
        """Whether these rules' own function has a parameter of that name: one that came in later. Raises RulesMissing."""
        there = function if self.crossing is None else self.crossing.named(function)
        return name in signature(there).parameters

    def constant(self, module: str, name: str) -> Any:
        """A constant of a module of these rules. Raises RulesMissing and AttributeError."""
        found = import_module(module) if self.crossing is None else self.crossing.universe.module(module)
        return getattr(found, name)


TODAY = Use()


@lru_cache(maxsize=MOST_OPEN)
def use_of(*versions: Version, special: tuple[tuple[str, Special], ...] = ()) -> Use:
    """Old versions in use: of a rule set, or of one and the chart's rules. special: see Crossing. Raises RulesMissing."""
    return Use(Crossing(universe_of(*versions), dict(special)))


def rule_set_in(version: Version) -> RuleSet[Any]:
    """A rule set in a version: a value that is asked as today's is, and that answers with values of its own. Raises RulesMissing."""
    return rules_of_set(version)(registry.rule_set)(version.name)


def rules_of_set(version: Version) -> Use:
    """The rules of a rule set in a version; today's when the version is today's or was never written down. Raises RulesMissing."""
    if not version.fingerprint or version.fingerprint == newest(version.name).fingerprint:
        return TODAY
    return use_of(version)
