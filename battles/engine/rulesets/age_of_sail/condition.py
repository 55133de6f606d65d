"""A ship's condition between battles: boxes left, masts, decks away with prizes. Rules: A.G26, A.G36."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from battles.engine.core.errors import SchemaError
from battles.engine.core.options import whole
from battles.engine.rulesets.age_of_sail.card import Card

SCHEMA = 1
DOWN, JURY, WHOLE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Condition:
    """What is left. masts: bow to stern, each 0 down, 1 jury, 2 whole. sent: decks away as prize crews. rest: watches. gone: lost."""

    decks_port: int
    decks_stbd: int
    hull: int
    masts: tuple[int, ...]
    sent_port: int = 0
    sent_stbd: int = 0
    rest: int = 0
    gone: bool = False

    @classmethod
    def sound(cls, card: Card) -> Condition:
        """Nothing lost. Rule: A.G26."""
        return cls(card.decks, card.decks, card.hull, (WHOLE,) * len(card.masts))

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Condition:
        """Read back what `to_dict` wrote. Raises SchemaError, KeyError or TypeError."""
        if doc.get("schema") != SCHEMA:
            raise SchemaError(f"a condition of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
        rest = {name: value for name, value in doc.items() if name != "schema"}
        return cls(**{**rest, "masts": tuple(rest["masts"])})

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {"schema": SCHEMA, **asdict(self), "masts": list(self.masts)}

    @property
    def boxes(self) -> int:
        """Boxes left: decks, masts up, hull units. Rule: A.G20."""
        return self.decks_port + self.decks_stbd + self.hull + sum(state > DOWN for state in self.masts)


def faults(card: Card, now: Condition) -> Iterator[str]:
    """What a condition has that such a ship cannot have. Rule: A.G26."""
    for name, most in (
        ("decks_port", card.decks), ("decks_stbd", card.decks), ("hull", card.hull), ("sent_port", card.decks),
        ("sent_stbd", card.decks), ("rest", 6),
    ):  # fmt: skip
        value = getattr(now, name)
        if not whole(value, 0, most):
            yield f"{name} is {value!r}; it may be 0 to {most}"
    if len(now.masts) != len(card.masts):
        yield f"{len(now.masts)} masts; the card has {len(card.masts)}"
    if not all(whole(state, DOWN, WHOLE) for state in now.masts):
        yield "a mast may be 0 (down), 1 (jury) or 2 (whole)"
    if not isinstance(now.gone, bool) or now.gone:
        yield "the ship is lost"
    for side in ("port", "stbd"):
        left, sent = getattr(now, f"decks_{side}"), getattr(now, f"sent_{side}")
        if whole(left, 0, card.decks) and whole(sent, 0, card.decks) and left + sent > card.decks:
            yield f"decks_{side} and sent_{side} are {left + sent}; the card has {card.decks}"
