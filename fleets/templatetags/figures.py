"""Figures of cards in words."""

from __future__ import annotations

import json
from typing import Any

from django import template

register = template.Library()


@register.filter
def figure(value: Any) -> str:
    """A figure of a card as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, int | str) for item in value):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict | list):
        return json.dumps(value)
    return str(value)


@register.filter
def words(value: str) -> str:
    """A column or a figure's name without its underscores."""
    return value.replace("_", " ")
