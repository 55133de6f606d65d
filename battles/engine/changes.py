"""Which version of some rules this is, and what changed from version to version: read from the `changes.toml` beside them.

A stored battle or turn can be fought again only under the rules of its fingerprint, so every change of a fingerprint is a new version
with a note that says to players what plays otherwise now. Rule: G.FA1.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from battles.engine import registry


@dataclass(frozen=True, slots=True)
class Change:
    """A version. fingerprint: of the rules as they were then, 64 hexadecimal digits. notes: what plays otherwise, a sentence each."""

    number: int
    made: date
    fingerprint: str
    notes: tuple[str, ...]


@cache
def changes(folder: Path) -> tuple[Change, ...]:
    """The versions of the rules in a folder, the newest first. Raises FileNotFoundError when none are written down."""
    document = tomllib.loads((folder / "changes.toml").read_text(encoding="utf-8"))
    return tuple(
        Change(row["number"], row["made"], row["fingerprint"], tuple(row["notes"]))
        for row in document["version"]
    )


def version(name: str) -> int:
    """The present version of a rule set. Raises UnknownRuleSet."""
    return changes(registry.folder(name))[0].number
