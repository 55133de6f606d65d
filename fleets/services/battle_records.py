"""The entries that a battle leaves in the ledgers of its ships. Rule: G.SV1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from battles.engine import registry
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import OfficerFate, ShipOutcome
from fleets.models import Ship
from fleets.services.service_records import NewRecord

if TYPE_CHECKING:
    from fleets.services.battle_results import Writing


def event(battle: str, what: str) -> str:
    """Code of something that happened to a ship in a battle: she has it once."""
    return f"battle/{battle}/{what}"[:120]


def records(writing: Writing) -> Iterator[NewRecord]:
    """Every entry of a battle, ships in the order of their codes."""
    at_sea = registry.rule_set(writing.outcome.rule_set).at_sea
    officers: dict[str, list[OfficerFate]] = {}
    for fate in writing.outcome.officers:
        officers.setdefault(fate.ship, []).append(fate)
    for entry in sorted(writing.outcome.ships, key=lambda entry: entry.ship):
        ship = writing.ships[entry.ship]
        yield _new(
            writing,
            ship,
            "fought",
            {
                "hits_given": entry.hits_given,
                "hits_taken": entry.hits_taken,
                "flags": sorted(flag.value for flag in entry.flags),
            },
        )
        yield from _damage(writing, ship, entry, at_sea)
        for fate in officers.get(entry.ship, ()):
            if fate.fate != "unhurt":
                data = {"officer": fate.name, "fate": fate.fate, "clause": fate.clause}
                yield _new(writing, ship, "officer", data, what=f"officer/{fate.name}")
        yield from _ending(writing, ship, entry)
    for ship, squadron in writing.flags:
        yield _new(writing, ship, "flagship", {"squadron": squadron.name})


def _damage(writing: Writing, ship: Ship, entry: ShipOutcome, at_sea: Any) -> Iterator[NewRecord]:
    was = at_sea.hull_fraction(ship.card, writing.conditions[ship.code])
    now = at_sea.hull_fraction(ship.card, entry.condition)
    if now > was and entry.fate in (Fate.AFLOAT, Fate.CAPTURED):
        steps = at_sea.steps_lost(ship.card, entry.condition)
        yield _new(writing, ship, "damaged", {"percent": int(now * 100), "steps": steps})


def _ending(writing: Writing, ship: Ship, entry: ShipOutcome) -> Iterator[NewRecord]:
    if entry.fate is Fate.CAPTURED:
        captor = writing.ships.get(entry.captor_ship)
        name = captor.name if captor is not None else "the enemy"
        kind = "retaken" if ship.navy_id == ship.built_for_id else "captured"
        data = {"captor": name, "navy": ship.navy.name, "prisoners": entry.prisoners, "cause": entry.cause}
        yield _new(writing, ship, kind, data, what="captured")
        if captor is not None:
            data = {"prize": ship.name, "prisoners": entry.prisoners, "prize_code": ship.code}
            yield _new(writing, captor, "took", data, what=f"took/{ship.code}")
    elif entry.fate is Fate.INTERNED:
        yield _new(writing, ship, "interned", {})
    elif entry.fate is not Fate.AFLOAT:
        data = {
            "fate": entry.fate.value.capitalize(),
            "hits_taken": entry.hits_taken,
            "cause": entry.cause,
        }
        yield _new(writing, ship, "lost", data)


def _new(writing: Writing, ship: Ship, kind: str, data: dict[str, Any], *, what: str = "") -> NewRecord:
    side = writing.sides.get(ship.code, ship.navy)
    return NewRecord(
        ship=ship,
        when=writing.when,
        kind=kind,
        event=event(writing.battle, what or kind),
        data={**data, "battle": writing.title},
        turn=writing.turn,
        battle=writing.battle,
        navy_code=side.code,
    )
