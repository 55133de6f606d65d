"""The version of the rules by which a battle is fought, and that rule set. Rule: G.FA1."""

from __future__ import annotations

from typing import Any

from battles.engine.core.ruleset import RuleSet
from battles.engine.pinned.rules import Use, rule_set_in, rules_of_set
from battles.engine.pinned.versions import Version
from battles.models import Battle


def version_of(battle: Battle) -> Version:
    """The version under which a battle is fought: that of its spawning."""
    return Version(battle.rule_set, battle.engine_version, battle.rules_hash)


def rules_of_battle(battle: Battle) -> Use:
    """The rules by which a battle is fought. Raises RulesMissing when they are not installed."""
    return rules_of_set(version_of(battle))


def rule_set_of(battle: Battle) -> RuleSet[Any]:
    """The rule set by which a battle is fought, to ask about ships and results. Raises RulesMissing when it is not installed."""
    return rule_set_in(version_of(battle))
