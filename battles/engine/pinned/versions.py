"""Versions of rules by name: of a rule set, or of the chart's rules. Rule: G.FA1."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from battles.engine import registry
from battles.engine.changes import Change, changes
from battles.engine.fingerprint import rules_hash

ROOT = Path(__file__).resolve().parents[3]
CAMPAIGN = "campaign"


@dataclass(frozen=True, slots=True)
class Version:
    """A version. name: of the rule set, or `campaign`. number: 0 for one that no change notes name. fingerprint: 64 hexadecimal digits."""

    name: str
    number: int
    fingerprint: str

    def __str__(self) -> str:
        number = f"Version {self.number}" if self.number else f"A version ({self.fingerprint[:12]})"
        return f"{number} of {rules_in_words(self.name)}"


def names() -> tuple[str, ...]:
    """All rules that have versions: the installed rule sets, then the chart's."""
    return (*registry.names(), CAMPAIGN)


def folder_of(name: str) -> Path:
    """The folder of some rules, with their book and their change notes. Raises UnknownRuleSet."""
    return ROOT / "campaign/rules" if name == CAMPAIGN else registry.folder(name)


def rules_in_words(name: str) -> str:
    """What some rules are called in a sentence."""
    if name == CAMPAIGN:
        return "the campaign rules"
    return f"the rules “{registry.rule_set(name).title if name in registry.names() else name}”"


def listed(name: str) -> tuple[Change, ...]:
    """The versions that change notes name, the newest first; none for rules that are not installed."""
    return changes(folder_of(name)) if name in names() else ()


def newest(rule_set: str) -> Version:
    """Today's version of a rule set. Raises UnknownRuleSet."""
    return Version(
        rule_set, listed(rule_set)[0].number if rule_set in registry.names() else 0, rules_hash(rule_set)
    )


def version_with(name: str, fingerprint: str) -> Version:
    """The version that has a fingerprint; its number is 0 when no change notes name it."""
    number = next((row.number for row in listed(name) if row.fingerprint == fingerprint), 0)
    return Version(name, number, fingerprint)


def notes_between(name: str, old: int, new: int) -> tuple[str, ...]:
    """What has changed from one version to another, in the words of the change notes, the newest first."""
    return tuple(note for row in listed(name) if old < row.number <= new for note in row.notes)
