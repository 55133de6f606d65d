"""The entries that a battle leaves in the ledgers of its ships. Rule: G.SV1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from battles.engine import registry
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from fleets.models import Book, Navy, Ship
from fleets.services.service_records import NewRecord


@dataclass(frozen=True, slots=True)
class FoughtBattle:
    """A battle that is over. code: in the book. title: what people call it. when: chart time of its end."""

    code: str
    title: str
    when: str
    outcome: Outcome


def battle_records(
    book: Book, navies: Mapping[str, Navy], battle: FoughtBattle, turn: str
) -> Iterator[NewRecord]:
    """Every entry of a battle, ships in the order of their codes. Call it while the rows are as they were before. One query.

    navies: of the book, by code. turn: reference for the records. Raises KeyError for a ship or navy that is not in the book.
    """
    codes = [entry.ship for entry in battle.outcome.ships]
    rows = book.ships.filter(code__in=codes).select_related("navy", "built_for")
    ships = {ship.code: ship for ship in rows}
    officers: dict[str, list[OfficerFate]] = {}
    for fate in battle.outcome.officers:
        officers.setdefault(fate.ship, []).append(fate)

    def new(ship: Ship, kind: str, data: dict[str, Any], *, what: str = "") -> NewRecord:
        return NewRecord(
            ship=ship,
            when=battle.when,
            kind=kind,
            event=f"battle/{battle.code}/{what or kind}"[:120],
            data={**data, "battle": battle.title},
            turn=turn,
            battle=battle.code,
            navy_code=ship.navy.code,
        )

    for entry in sorted(battle.outcome.ships, key=lambda entry: entry.ship):
        ship = ships[entry.ship]
        flags = sorted(flag.value for flag in entry.flags)
        yield new(
            ship,
            "fought",
            {"hits_given": entry.hits_given, "hits_taken": entry.hits_taken, "flags": flags},
        )
        damage = _damage(battle, ship, entry)
        if damage:
            yield new(ship, "damaged", damage)
        for fate in officers.get(entry.ship, ()):
            if fate.fate != "unhurt":
                hurt = {"officer": fate.name, "fate": fate.fate, "clause": fate.clause}
                yield new(ship, "officer", hurt, what=f"officer/{fate.name}")
        if entry.fate is Fate.CAPTURED:
            captor, navy = ships.get(entry.captor_ship), navies[entry.captor]
            data: dict[str, Any] = {
                "captor": captor.name if captor is not None else "the enemy",
                "navy": navy.name,
                "prisoners": entry.prisoners,
                "cause": entry.cause,
            }
            yield new(ship, "retaken" if ship.built_for == navy else "captured", data, what="captured")
            if captor is not None:
                data = {"prize": ship.name, "prisoners": entry.prisoners, "prize_code": ship.code}
                yield new(captor, "took", data, what=f"took/{ship.code}")
        elif entry.fate is Fate.INTERNED:
            yield new(ship, "interned", {})
        elif entry.fate is not Fate.AFLOAT:
            fate_word = entry.fate.value.capitalize()
            yield new(ship, "lost", {"fate": fate_word, "hits_taken": entry.hits_taken, "cause": entry.cause})


def _damage(battle: FoughtBattle, ship: Ship, entry: ShipOutcome) -> dict[str, Any]:
    """What a battle took from a ship's hull, for the ledger; empty when nothing, and for a ship that is lost."""
    at_sea = registry.rule_set(battle.outcome.rule_set).at_sea
    was, now = (at_sea.hull_fraction(ship.card, condition) for condition in (ship.condition, entry.condition))
    if now <= was or entry.fate not in (Fate.AFLOAT, Fate.CAPTURED):
        return {}
    return {"percent": int(now * 100), "steps": at_sea.steps_lost(ship.card, entry.condition)}
