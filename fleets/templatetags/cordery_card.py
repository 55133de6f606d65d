"""A Cordery card drawn as it is crossed off on the table: a row of flotation points, turrets and batteries, torpedoes. Rules: C.N1-C.N6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import template

register = template.Library()

Doc = Mapping[str, Any]
_SYSTEMS = (
    ("turret_fore", "Fore turret"),
    ("turret_aft", "Aft turret"),
    ("battery_port", "Port battery"),
    ("battery_stbd", "Starboard battery"),
)


class Point(NamedTuple):
    """A flotation point. number: points left once it is crossed off. lost: crossed off. last: the critical point is reached with it."""

    number: int
    lost: bool
    last: bool


@register.simple_tag
def flotation(card: Doc, condition: Doc | None) -> list[Point]:
    """The row of flotation points, the first to be lost first. Rules: C.D1, C.D2."""
    left = card["fp"] if condition is None else condition["fp"]
    return [
        Point(number, number >= left, number == card["critical"]) for number in range(card["fp"] - 1, -1, -1)
    ]


@register.simple_tag
def systems(card: Doc, condition: Doc | None) -> list[tuple[str, bool]]:
    """The turrets and batteries on a card, each with whether it is destroyed; then the engines. Rules: C.H3, C.H4, C.H5."""
    found = [(label, condition is not None and not condition[name]) for name, label in _SYSTEMS if card[name]]
    return [*found, ("Engines", condition is not None and condition["engines_hit"])]


@register.simple_tag
def dice_row(card: Doc, name: str) -> list[tuple[str, int]]:
    """Dice of a gun by range, bands of equal dice together: ("1-3", 3). name: main or secondary. Rules: C.G2, C.G3."""
    dice = card[f"{name}_dice"] if any(card[one] for one in _FITTED[name]) else ()
    bands: list[tuple[int, int, int]] = []
    for reach, count in enumerate(dice, 1):
        if bands and bands[-1][2] == count:
            bands[-1] = (bands[-1][0], reach, count)
        else:
            bands.append((reach, reach, count))
    return [
        (str(first) if first == last else f"{first}–{last}", count) for first, last, count in bands if count
    ]


_FITTED = {"main": ("turret_fore", "turret_aft"), "secondary": ("battery_port", "battery_stbd")}


@register.simple_tag
def torpedo_boxes(card: Doc) -> range:
    """A box for each torpedo of a battle. Rule: C.T1."""
    return range(int(card["torpedoes"]))


@register.filter
def variant_name(code: str) -> str:
    """A variant card in words. Rule: C.N12."""
    return code.replace("_", " ").capitalize()
