"""The rule sets that are installed, by name. The only place that knows all of them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from battles.engine.core.errors import UnknownRuleSet
from battles.engine.core.ruleset import RuleSet

# By name, the module whose RULES is the rule set; the folder it lies in holds the set's book. A set from elsewhere is entered here.
RULE_SETS: dict[str, str] = {
    "kohler": "battles.engine.rulesets.kohler.rules",
    "thomas": "battles.engine.rulesets.thomas.rules",
    "age_of_sail": "battles.engine.rulesets.age_of_sail.rules",
    "cordery": "battles.engine.rulesets.cordery.rules",
    "barker": "battles.engine.rulesets.barker.rules",
}


def names() -> tuple[str, ...]:
    """Names of the installed rule sets."""
    return tuple(RULE_SETS)


def rule_set(name: str) -> RuleSet[Any]:
    """The rule set of that name. Raises UnknownRuleSet, whose text lists the installed ones."""
    rules: RuleSet[Any] = import_module(_module(name)).RULES
    return rules


def folder(name: str) -> Path:
    """The folder of a rule set: its code and its book, `rules.md`. Raises UnknownRuleSet."""
    return Path(str(import_module(_module(name)).__file__)).parent


def _module(name: str) -> str:
    if name not in RULE_SETS:
        raise UnknownRuleSet(f"no rule set {name!r}; installed are {', '.join(RULE_SETS)}")
    return RULE_SETS[name]
