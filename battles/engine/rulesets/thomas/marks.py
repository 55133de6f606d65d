"""What a table's result sheet asks of a ship after Thomas, and the condition that it gives. Rules: T.C10, T.C23."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.engine.core.at_sea import Mark
from battles.engine.rulesets.thomas import condition as condition_
from battles.engine.rulesets.thomas.batteries import first_to_go
from battles.engine.rulesets.thomas.card import Card
from battles.engine.rulesets.thomas.condition import Condition

Doc = Mapping[str, Any]


def marks(card: Doc, condition: Doc) -> tuple[Mark, ...]:
    """Flotation, half points of men and captives, masts, batteries and thresholds of a ship as she is now. Rule: T.C10."""
    made, now = Card.from_dict(card), Condition.from_dict(condition)
    return (
        Mark("flot", "Flotation left", now.flot, 0, made.flot_max, "T.C10"),
        Mark("crew_halves", "Crew left, half points", now.crew_halves, 0, 2 * made.crew_max, "T.C10"),
        Mark(
            "captive_halves",
            "Prisoners aboard, half points",
            now.captive_halves,
            0,
            2 * made.crew_max,
            "T.C13",
        ),
        Mark("guard_halves", "Prize crew, half points", now.guard_halves, 0, 2 * made.crew_max, "T.C11"),
        Mark("masts_lost", "Masts lost", now.masts_lost, 0, made.masts, "T.B5d"),
        Mark("batteries", "Batteries lost", len(now.batteries_lost), 0, len(made.batteries), "T.B11a"),
        Mark("thresholds_met", "Damage thresholds passed", now.thresholds_met, 0, 3, "T.C10"),
    )


def with_marks(card: Doc, condition: Doc, values: Mapping[str, int]) -> dict[str, Any]:
    """The condition with other marks, all of them by name. Batteries go in the order in which an owner gives them up.

    Raises ValueError for a condition that cannot be. Rules: T.C10, T.B11a.
    """
    made, now = Card.from_dict(card), Condition.from_dict(condition)
    plain: dict[str, Any] = {name: value for name, value in values.items() if name != "batteries"}
    after = replace(now, **plain, batteries_lost=_lost(made, now.batteries_lost, values["batteries"]))
    if after.guard_halves == 0:
        after = replace(after, guard_from="")
    wrong = [text for text in condition_.faults(made, after) if after.flot]
    if wrong:
        raise ValueError("; ".join(wrong))
    return after.to_dict()


def _lost(card: Card, before: tuple[int, ...], count: int) -> tuple[int, ...]:
    """So many batteries lost: those lost already first, then as they go overboard. Rule: T.B11a."""
    lost = list(before[:count])
    while len(lost) < count:
        number = first_to_go((n, one) for n, one in enumerate(card.batteries) if n not in lost)
        if number is None:
            break
        lost.append(number)
    return tuple(sorted(lost))
