"""Captains that only shoot, and a shooting step with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battles.engine.rulesets.barker import fire
from battles.engine.rulesets.barker.play import Orders, Play
from battles.engine.rulesets.barker.state import Battle, Unit
from tests.engine.barker.builders import play, told
from tests.support.answers import flawless, unerring


class Gunner:
    """Fires every legal shot at the targets named, or at anything; lights what it is told; squadrons in a wished order."""

    name = "gunner"

    def __init__(
        self,
        wished: Sequence[str] = (),
        light: Mapping[str, str] | None = None,
        order: Sequence[str] = (),
        *,
        silent: bool = False,
    ) -> None:
        self.wished, self.light, self.order, self.silent = wished, light or {}, order, silent
        self.asked: list[str] = []

    def orders(self, view: Any, given: Any) -> dict[str, Orders]:
        return {}

    def targets(self, view: Any, one: Unit, legal: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        self.asked.append(one.id)
        if self.silent:
            return []
        return [pair for pair in legal if not self.wished or pair[1] in self.wished]

    def lights(self, view: Any) -> Mapping[str, str]:
        return self.light

    def squadrons(self, view: Any, waiting: Sequence[str]) -> str:
        return next((code for code in self.order if code in waiting), "nobody")


@unerring
def shoot(made: Battle, *faces: int, a: Gunner | None = None, b: Gunner | None = None, **over: Any) -> Play:
    """A shooting step with these faces; a side without a gunner holds its fire."""
    table = play(
        made, *faces, captains={"A": a or Gunner(silent=True), "B": b or Gunner(silent=True)}, **over
    )
    flawless(fire.shoot, made, table)
    table.dice.finish()  # type: ignore[attr-defined]
    return table


def shots(table: Play) -> list[tuple[str, str, int, int, str]]:
    """Firer, target, both totals and grade of every shot."""
    return [
        (one, data["target"], data["attack"], data["defence"], data["grade"])
        for one, data in told(table, "shot")
    ]
