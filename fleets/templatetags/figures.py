"""Figures of cards in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from battles.engine.rulesets.kohler.card import points_text
from fleets.figure_words import figure_words

register = template.Library()


# Years, which have no separator, and what 0 means where it is no year.
_YEARS = {"launched": "unknown", "wt_from": "never", "year": "unknown"}
_HALVES = frozenset({"fire_track"})


@register.filter
def figure(value: Any, name: str = "") -> str:
    """A figure of a card as people read it; identical rows are counted. name: of the figure, where it says how to read a number."""
    if value is None:
        return "–"
    if name in _YEARS:
        return str(value or _YEARS[name])
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {figure(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return "; ".join(f"{count} × {row}" for row, count in Counter(map(_row, value)).items())
    if isinstance(value, list):
        return ", ".join(figure(item, name) for item in value) or "none"
    if name in _HALVES and isinstance(value, int):
        return points_text(value)
    return f"{value:,}" if name and isinstance(value, int) else str(value)


def _row(value: Any) -> str:
    """A row of a figure: its words, with "half" for what is marked."""
    if not isinstance(value, list):
        return figure(value)
    words = ["half" if item is True else str(item) for item in value if item is not False]
    return " ".join(words)


# Strokes of a pencil across a box of 16 by 16: drawn, because browsers do not print backgrounds.
_STROKES = {"cross": "M2 2L14 14M14 2L2 14", "slash": "M2 14L14 2"}


@register.simple_tag
def crossed(classes: str, stroke: str = "cross") -> SafeString:
    """A box of a card that is crossed off, or struck through once (`slash`), as a drawing that also prints."""
    return format_html(
        '<svg class="{}" viewBox="0 0 16 16" preserveAspectRatio="none" aria-hidden="true"><path class="{}" d="{}"/></svg>',
        classes, stroke, _STROKES[stroke],
    )  # fmt: skip


register.filter("words", figure_words)
