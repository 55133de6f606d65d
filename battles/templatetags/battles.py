"""Template tags of the battle page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from battles.boards import Standing
from battles.selectors import SideResult

register = template.Library()


@register.filter
def item(rows: Mapping[str, Any], key: str) -> Any:
    """An entry of a mapping by a key that a variable holds; "" where there is none."""
    return rows.get(key, "")


@register.filter
def share_lost(result: SideResult) -> str:
    """How many of its ships a side has lost: "none of its 3 ships", "both its ships", "all 3 of its ships"."""
    lost, ships = len(result.lost), result.ships
    if lost and lost == ships:
        return {1: "its only ship", 2: "both its ships"}.get(ships, f"all {ships} of its ships")
    return f"{lost or 'none'} of its {ships} ship{'' if ships == 1 else 's'}"


@register.simple_tag
def pips(row: Standing) -> SafeString:
    """Damage steps as small marks, the lost ones filled."""
    return format_html_join(
        "", '<i class="{}"></i>', (("lost" if n < row.steps else "",) for n in range(row.of_steps))
    )


@register.simple_tag
def standing(row: Standing) -> str:
    """How a ship is, in a few words: what became of it, or its hull or flotation as far as the reader may know it."""
    if row.word == "taken":
        return (
            f"taken, {row.measure} {row.left} of {row.whole}"
            if row.left is not None and row.whole is not None
            else "taken"
        )
    if row.word != "afloat":
        return row.word
    hull = (
        f"{row.measure} {row.left} of {row.whole}"
        if row.left is not None and row.whole is not None
        else _seen(row.steps)
    )
    return f"{hull}, on fire" if row.alight else hull


def _seen(steps: int) -> str:
    return f"{steps} step{'s' * (steps != 1)} of damage" if steps else "no damage seen"
