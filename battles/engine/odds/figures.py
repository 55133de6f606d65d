"""Shares and means of many runs, with their intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

Z = 1.96
NEITHER = ""
DIGITS = 2


def interval(hits: int, runs: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, as fractions."""
    share, square = hits / runs, Z * Z
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = Z * sqrt(share * (1 - share) / runs + square / (4 * runs * runs)) / (1 + square / runs)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(slots=True)
class Spread:
    """A whole number of which every run gives one. total, squares: sums over the runs. seen: how often each value, to two digits."""

    total: int = 0
    squares: int = 0
    seen: Counter[int] = field(default_factory=Counter)

    def note(self, value: int) -> None:
        """Take in the value of a run."""
        self.total += value
        self.squares += value * value
        self.seen[_rounded(value)] += 1

    def add(self, other: Spread) -> None:
        """Take in the values of other runs."""
        self.total += other.total
        self.squares += other.squares
        self.seen += other.seen

    @property
    def runs(self) -> int:
        """How many runs gave a value."""
        return self.seen.total()

    @property
    def mean(self) -> float:
        """The mean of the runs, 0 before any."""
        return self.total / self.runs if self.runs else 0.0

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean, not below 0 where no run was. Of a single run it is that run's value."""
        runs, mean = self.runs, self.mean
        if runs < 2:
            return mean, mean
        variance = max(0.0, self.squares / runs - mean * mean) * runs / (runs - 1)
        half = Z * sqrt(variance / runs)
        least = min(self.seen)
        return max(mean - half, min(0.0, least)), mean + half

    def middle(self, percent: int = 80) -> tuple[int, int]:
        """Between which values so many % of the runs lie, as many of the rest below as above; (0, 0) before any run."""
        if not self.seen:
            return 0, 0
        return self._beyond(sorted(self.seen), percent), self._beyond(
            sorted(self.seen, reverse=True), percent
        )

    def _beyond(self, values: list[int], percent: int) -> int:
        """The first of some values that is not among the runs left out at its end."""
        passed = 0
        for value in values:
            passed += self.seen[value]
            if 200 * passed > self.runs * (100 - percent):
                break
        return value

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document."""
        seen = {str(value): times for value, times in sorted(self.seen.items())}
        return {"total": self.total, "squares": self.squares, "seen": seen}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Spread:
        """Read back what `to_dict` wrote."""
        seen = Counter({int(value): times for value, times in doc["seen"].items()})
        return cls(doc["total"], doc["squares"], seen)


def _rounded(value: int) -> int:
    """A value to two digits, so that a count of men has no thousand entries."""
    step: int = 10 ** max(0, len(str(abs(value))) - DIGITS)
    return (value + step // 2) // step * step
