"""A Barker card as it lies beside the table: factors by range, what the ship is worth, markers of damage. Rules: P.S02-P.S13."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import template

register = template.Library()

Doc = Mapping[str, Any]
_BANDS = ("Close", "Normal", "Long", "Extreme")
_TYPES = {
    "BB": "Battleship",
    "C1": "1st-class cruiser",
    "C2": "2nd-class cruiser",
    "C3": "3rd-class cruiser",
    "SC": "Scout cruiser",
    "TBD": "Destroyer",
    "TB": "Torpedo boat",
    "SUB": "Submarine",
    "LINER": "Liner",
    "TRANSPORT": "Transport",
    "TRAMP": "Tramp",
    "SAIL": "Sailing vessel",
    "FISH": "Fishing fleet",
    "AMC": "Armed merchant cruiser",
    "RAIDER_L": "Raider (liner)",
    "RAIDER_T": "Raider (tramp)",
    "MINELAYER": "Minelayer",
}


class Band(NamedTuple):
    """A band of range. factor: the attack factor, or a dash where the ship cannot fire."""

    name: str
    factor: str


@register.simple_tag
def factors(card: Doc) -> list[Band]:
    """Attack factors by range."""
    return [
        Band(name, "–" if factor is None else str(factor))
        for name, factor in zip(_BANDS, card["af"], strict=True)
    ]


@register.filter
def barker_type(code: str) -> str:
    """A type of ship in words."""
    return _TYPES.get(code, code)


@register.filter
def points(card: Doc) -> str:
    """What the ship is worth by itself, a single torpedo boat half a point. Rule: P.K25."""
    whole, half = divmod(card["sp2"], 2)
    return f"{whole or ''}½" if half else str(whole)


@register.simple_tag
def damage_marks(condition: Doc | None) -> list[tuple[str, bool]]:
    """Boxes for the markers that the table puts down, each with whether it is there. Rules: P.E08, P.E10."""
    damage, crippled = (condition["damage"], condition["crippled"]) if condition else (0, False)
    return [("Damaged", damage >= 1), ("Twice damaged", damage >= 2), ("Crippled", bool(crippled))]
