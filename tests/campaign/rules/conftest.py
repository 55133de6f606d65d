"""The chart's tests play under a plain rule set of their own, so that they test the chart and nothing else."""

from __future__ import annotations

import pytest

from battles.engine import registry
from tests.campaign.rules.builders import PLAIN

REAL = registry.rule_set


@pytest.fixture(autouse=True)
def plain_rule_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """`plain` is a rule set; the installed ones are still there."""
    monkeypatch.setattr(registry, "rule_set", lambda name: PLAIN if name == "plain" else REAL(name))


@pytest.fixture
def with_mines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain rule set lays mines."""
    monkeypatch.setattr(type(PLAIN.at_sea), "lays_mines", True)
