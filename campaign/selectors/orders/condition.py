"""How a ship is, in the few words that every rule set can give: hull and men. The full card is on the ship's page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from battles.engine import registry

if TYPE_CHECKING:
    from fleets.models import Ship


@dataclass(frozen=True, slots=True)
class ShipState:
    """A ship's state at a glance. hull: % left; men: % of the complement; word: sound, damaged, battered or crippled."""

    hull: int
    men: int
    word: str


def ship_state(rule_set: str, ship: Ship) -> ShipState:
    """Hull and men of a ship, by the rule set that she lives under."""
    lost = registry.rule_set(rule_set).at_sea.hull_fraction(ship.card, ship.condition)
    hull = 100 - round(lost * 100)
    men = min(100, round(100 * ship.men / ship.complement)) if ship.complement else 100
    return ShipState(hull, men, _word(hull))


def _word(hull: int) -> str:
    if hull >= 100:
        return "sound"
    if hull >= 75:
        return "damaged"
    return "battered" if hull >= 50 else "crippled"


def hull_words(rule_set: str, ships: Iterable[Any]) -> str:
    """A fleet's state in a few words: "all sound", "sound" of a single ship, or "12 damaged, 3 crippled"."""
    return hulls_in_words(ship_state(rule_set, ship).hull for ship in ships)


def hulls_in_words(hulls: Iterable[int]) -> str:
    """The same from what is left of each hull, in %."""
    words = [_word(hull) for hull in hulls]
    counts = [(word, words.count(word)) for word in ("damaged", "battered", "crippled")]
    told = ", ".join(f"{count} {word}" for word, count in counts if count)
    return told or ("all sound" if len(words) > 1 else "sound" if words else "no ships")


class HullRow(NamedTuple):
    """A ship by its code, the key of its fleet, and what is left of its hull, %."""

    code: str
    fleet: int
    hull: int


def hull_rows(rule_set: str, ships: QuerySet[Ship]) -> list[HullRow]:
    """The hulls of some ships. One query: documents are read as they are stored, since most ships have those of others."""
    documents = (Cast(name, TextField()) for name in ("card", "condition"))
    rows = ships.values_list("code", "squadron__fleet", *documents)
    return [HullRow(code, fleet, _hull(rule_set, card, condition)) for code, fleet, card, condition in rows]


@lru_cache(maxsize=4096)
def _hull(rule_set: str, card: str, condition: str) -> int:
    lost = registry.rule_set(rule_set).at_sea.hull_fraction(json.loads(card), json.loads(condition))
    return 100 - round(lost * 100)
