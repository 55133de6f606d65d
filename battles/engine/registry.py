"""The rule sets that are installed, by name. The only place that knows all of them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from battles.engine.core.errors import UnknownRuleSet
from battles.engine.core.ruleset import RuleSet

_MODULES = {
    "kohler": "battles.engine.rulesets.kohler.rules",
    "thomas": "battles.engine.rulesets.thomas.rules",
}


def names() -> tuple[str, ...]:
    """Names of the installed rule sets."""
    return tuple(_MODULES)


@cache
def rule_set(name: str) -> RuleSet[Any]:
    """The rule set of that name. Raises UnknownRuleSet, whose text lists the installed ones."""
    if name not in _MODULES:
        raise UnknownRuleSet(f"no rule set {name!r}; installed are {', '.join(_MODULES)}")
    rules: RuleSet[Any] = import_module(_MODULES[name]).RULES
    return rules
