"""How a ship is, in the few words that every rule set can give: hull and men. The full card is on the ship's page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    """A fleet's state in a few words: "all sound", or "12 damaged, 3 crippled"."""
    words = [ship_state(rule_set, ship).word for ship in ships]
    counts = [(word, words.count(word)) for word in ("damaged", "battered", "crippled")]
    told = ", ".join(f"{count} {word}" for word, count in counts if count)
    return told or ("all sound" if words else "no ships")


def hurt_ships(rule_set: str, ships: Iterable[Any]) -> tuple[str, ...]:
    """Codes of those that have lost any of their hulls. ships: rows with code, card and condition."""
    at_sea = registry.rule_set(rule_set).at_sea
    return tuple(
        ship.code for ship in ships if round(at_sea.hull_fraction(ship.card, ship.condition) * 100) > 0
    )
