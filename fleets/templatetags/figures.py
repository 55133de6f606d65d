"""Figures of cards in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import template

register = template.Library()


@register.filter
def figure(value: Any) -> str:
    """A figure of a card as people read it; of rows that are alike how many there are."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {figure(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return "; ".join(f"{count} × {row}" for row, count in Counter(map(_row, value)).items())
    if isinstance(value, list):
        return ", ".join(map(figure, value)) or "none"
    return str(value)


def _row(value: Any) -> str:
    """A row of a figure: its words, with "half" for what is marked."""
    if not isinstance(value, list):
        return figure(value)
    words = ["half" if item is True else str(item) for item in value if item is not False]
    return " ".join(words)


@register.filter
def words(value: str) -> str:
    """A column or a figure's name without its underscores."""
    return value.replace("_", " ")
