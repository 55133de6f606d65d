"""An Age of Sail card drawn for play: gun decks of each side, hull units and masts as boxes. Rules: A.C1-A.C5, A.G26."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template

from battles.engine.rulesets.age_of_sail.condition import JURY, WHOLE

register = template.Library()
_CLASSES = {"line": "ship of the line", "light": "frigate or lower rate"}


@dataclass(frozen=True, slots=True)
class BoxRow:
    """A row of boxes. boxes: "" whole, "lost", or "sent" away with a prize. words: for screen readers."""

    name: str
    boxes: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Mast:
    """A mast. value: what it is worth; state: "" standing, "jury" or "lost"."""

    name: str
    value: int
    state: str


@register.simple_tag
def box_rows(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> list[BoxRow]:
    """Gun decks to port and starboard, and the hull, crossed off as far as the condition says. Rules: A.C4, A.C5, A.B13."""
    decks, hull = card["decks"], card["hull"]
    rows = []
    for name, side in (("Port", "port"), ("Starboard", "stbd")):
        left = condition[f"decks_{side}"] if condition else decks
        sent = condition[f"sent_{side}"] if condition else 0
        rows.append(_row(f"{name} gun decks", left, sent, decks))
    rows.append(_row("Hull units", condition["hull"] if condition else hull, 0, hull))
    return rows


def _row(name: str, left: int, sent: int, whole: int) -> BoxRow:
    lost = whole - left - sent
    words = f"{left} of {whole} left" + (f", {sent} away with a prize" if sent else "")
    return BoxRow(name, ("",) * left + ("sent",) * sent + ("lost",) * lost, words)


@register.simple_tag
def rig(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> list[Mast]:
    """Masts from bow to stern. Rules: A.C3, A.G3."""
    states = condition["masts"] if condition else [WHOLE] * len(card["masts"])
    return [
        Mast(f"{name.title()}mast", value, "" if state == WHOLE else "jury" if state == JURY else "lost")
        for name, value, state in zip(card["masts"], card["values"], states, strict=True)
    ]


@register.simple_tag
def reaching(card: Mapping[str, Any]) -> list[tuple[str, list[int]]]:
    """Centimetres in a move under all masts, by point of sail, in winds of 1 to 7. Rules: A.M2, A.M6, A.M7."""
    masts = sum(card["values"])
    return [
        (name, [max(1, masts * (wind + more)) for wind in range(1, 8)])
        for name, more in (("Close hauled, 45°", -1), ("Reaching, 67.5° to 135°", 1), ("Running", 0))
    ]


@register.filter
def class_words(name: str) -> str:
    """What a class of ship is called. Rules: A.C1, A.C2."""
    return _CLASSES.get(name, name)
