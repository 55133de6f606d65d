"""A Kohler card drawn as it is printed: rows of boxes, one a hull point, with what each row costs. Rules: K.D4, K.D5, K.D6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template

from battles.engine.rulesets.kohler.card import points_text

register = template.Library()

# What the end of each row does to the ship's sailing, by the number of rows. Rule: K.D6.
_MOVES = {
    4: ("movement −1", "movement −2, loses Fast and Handy", "disabled", "sunk"),
    3: ("movement −1", "movement −2, loses Fast and Handy", "sunk"),
    2: ("movement −1, loses Fast and Handy", "sunk"),
}


@dataclass(frozen=True, slots=True)
class HullRow:
    """A row of hull boxes. boxes: "hull" shot away, "men" lost in boarding, "" whole. fire: points while the ship is in this row.

    move: what losing the row costs. state: lost, present or ahead. words: the row for those who do not see it.
    """

    boxes: tuple[str, ...]
    fire: str
    move: str
    state: str
    words: str


@register.simple_tag
def hull_rows(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> list[HullRow]:
    """The rows of a card, crossed off as far as the condition says. condition: None for a card without a history."""
    hull = condition.get("hits_struct", 0) if condition else 0
    men = condition.get("hits_board", 0) if condition else 0
    rows: list[HullRow] = []
    start, moves = 0, _MOVES[card["n_steps"]]
    for n, end in enumerate(card["thresholds"]):
        boxes = tuple(
            "hull" if box < hull else "men" if box < hull + men else "" for box in range(start, end)
        )
        gone = sum(1 for box in boxes if box)
        state = "lost" if gone == len(boxes) and boxes else "present" if hull + men >= start else "ahead"
        words = f"Step {n + 1}: {gone} of {len(boxes)} crossed off"
        rows.append(HullRow(boxes, points_text(card["fire_track"][n]), moves[n], state, words))
        start = end
    return rows


@register.simple_tag
def qualities(card: Mapping[str, Any], rows: list[HullRow]) -> list[tuple[str, bool]]:
    """The ship's qualities in words, each with whether it has been lost through damage. Rules: K.D6, K.D7."""
    spoilt = any(
        row.state == "lost" and ("loses" in row.move or row.move in ("disabled", "sunk")) for row in rows
    )
    named = (("Fast", "fast", True), ("Handy", "handy", True), ("Unhandy", "unhandy", False))
    found = [(word, spoilt and lost) for word, name, lost in named if card[name]]
    if card["small"]:
        found.append(("Small target", False))
    if card["is_fireship"]:
        found.append(("Fire ship", False))
    if card["deep"]:
        found.append(("Deep draught", False))
    return found
