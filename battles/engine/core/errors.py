"""Faults and refusals, one class by cause. Every fault says where it is, what is wrong and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Fault(NamedTuple):
    """Something wrong in a document: JSON path like `sides[0].squadrons[2].ships[4].guns`, and a sentence."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path or '(document)'}: {self.text}"


class ScenarioFaults(ValueError):
    """A scenario that cannot be fought, with all its faults."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


class OrderFault(NamedTuple):
    """An order that is refused.

    code: machine-readable, like `order/not-your-ship`. clause: the rule against it. text: a sentence for the player.
    """

    code: str
    clause: str
    text: str


class UnknownRuleSet(LookupError):
    """No rule set of that name is installed."""


class SchemaError(ValueError):
    """A stored document of a schema number that this version cannot read."""


class NotationError(ValueError):
    """Orders or a position that cannot be read; the text names every word that is wrong and what would be right."""
