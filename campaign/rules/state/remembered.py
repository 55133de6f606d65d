"""What a rule set answers of a ship at sea, remembered: a fleet's ships are asked the same every day, and few have changed.

Answers follow from card and condition alone, and these are values: the same document is the same ship as she was. Rules: G.MV1, G.CO1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

# Answers that are kept: some for each of 1,000 ships. When there are more all are forgotten.
MOST = 8192
# By what was asked, and the ids of what it was asked of; with that itself, so that its ids stay its own.
_answers: dict[tuple[object, ...], tuple[tuple[object, ...], Any]] = {}


def once(name: str, of: tuple[object, ...], more: tuple[int, ...], make: Callable[[], Any]) -> Any:
    """What `make` answers, asked once. of: the values that the answer follows from, known by their identity; more: numbers with them."""
    key = (name, *map(id, of), *more)
    found = _answers.get(key)
    if found is None:
        if len(_answers) >= MOST:
            _answers.clear()
        found = _answers[key] = (of, make())
    return found[1]


class Remembered:
    """The answers of a rule set; what is not asked often goes straight to it."""

    def __init__(self, at_sea: Any) -> None:
        self._asked = at_sea

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asked, name)

    def _once(self, name: str, *told: Mapping[str, Any]) -> Any:
        return once(name, (self._asked, *told), (), lambda: getattr(self._asked, name)(*told))

    def value(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """Her present value."""
        value: Fraction = self._once("value", card, condition)
        return value

    def hull_fraction(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """The share of her hull that is lost."""
        share: Fraction = self._once("hull_fraction", card, condition)
        return share

    def whole_value(self, card: Mapping[str, Any]) -> Fraction:
        """Her value when she is sound."""
        value: Fraction = self._once("whole_value", card)
        return value

    def steam(self, card: Mapping[str, Any]) -> bool:
        """Whether she goes by steam."""
        steams: bool = self._once("steam", card)
        return steams
