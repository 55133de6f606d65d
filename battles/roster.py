"""Who entered a battle: every ship of a roster with its card and the condition in which it came. Rule: G.BT2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from battles.models import Battle
from battles.pins import rule_set_of
from fleets.facts import facts_from


@dataclass(frozen=True, slots=True)
class Entered:
    """A ship of a roster. squadron, fleet order: as it entered. card, condition: the rule set's own documents."""

    code: str
    name: str
    side: str
    squadron: str
    captain: str
    card: Mapping[str, Any]
    condition: Mapping[str, Any]
    men: int
    complement: int
    prize: bool


def entered(battle: Battle) -> dict[str, Entered]:
    """Every ship of a battle's roster by code, in the order of the roster."""
    rules = rule_set_of(battle)
    found = {}
    for side in battle.roster.scenario.get("sides", ()):
        for squadron in side["squadrons"]:
            for row in squadron["ships"]:
                card = rules.card(facts_from(row["facts"]))
                complement = row.get("complement") or 0
                men = row.get("men")
                found[row["id"]] = Entered(
                    code=row["id"],
                    name=row["name"],
                    side=side["id"],
                    squadron=squadron["name"],
                    captain=row.get("captain") or "",
                    card=card,
                    condition=dict(row.get("condition") or rules.at_sea.sound(card)),
                    men=complement if men is None else men,
                    complement=complement,
                    prize=bool(row.get("prize")),
                )
    return found


@dataclass(frozen=True, slots=True)
class Squadron:
    """A squadron of a roster. number: its place in it, from 1."""

    number: int
    side: str
    name: str
    ships: tuple[Entered, ...]


def squadrons(ships: Iterable[Entered]) -> tuple[Squadron, ...]:
    """The squadrons in the order of the roster."""
    found: dict[tuple[str, str], list[Entered]] = {}
    for ship in ships:
        found.setdefault((ship.side, ship.squadron), []).append(ship)
    rows = enumerate(found.items(), start=1)
    return tuple(Squadron(number, side, name, tuple(there)) for number, ((side, name), there) in rows)
