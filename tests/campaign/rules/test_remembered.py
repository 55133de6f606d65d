"""What a rule set answers of a ship is asked once, and never mistaken for the answer about another."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from campaign.rules.state import remembered
from campaign.rules.state.remembered import Remembered


class Asked:
    """A rule set that counts what it is asked."""

    def __init__(self) -> None:
        self.times = 0

    def value(self, card: dict[str, Any], condition: dict[str, Any]) -> Fraction:
        """A ship's value."""
        self.times += 1
        return Fraction(card["worth"] - condition["lost"])

    def deep(self, card: dict[str, Any]) -> bool:
        """Whether she is deep."""
        return bool(card["deep"])


def test_a_ship_is_asked_about_once_and_her_new_condition_anew() -> None:
    asked = Asked()
    at_sea: Any = Remembered(asked)
    card, sound = {"worth": 9, "deep": True}, {"lost": 0}
    assert [at_sea.value(card, sound) for _ in range(3)] == [9, 9, 9]
    assert asked.times == 1
    assert at_sea.value(card, {"lost": 4}) == 5
    assert at_sea.deep(card) is True, "what is not remembered goes to the rule set"


def test_documents_that_are_gone_are_never_mistaken_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MOST", 5)
    at_sea: Any = Remembered(Asked())
    for worth in range(200):  # each document may get the id of one that was dropped
        assert at_sea.value({"worth": worth}, {"lost": 0}) == worth
    assert len(remembered._answers) <= 5
