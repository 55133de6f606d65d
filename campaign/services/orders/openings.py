"""Opening positions: where the fleets of a theatre lay when its war is taken up, who led them, and what they had been told.

An opening is a file of `campaign/data/openings`. A fleet's `squadrons` are names of the register's, or {"name", "ships"} where
the register has the ships of another day; `entries` changes fields of register entries (who was aboard on the first day), and
`overrides` gives card figures by rule set and ship type, where the register itself sets none. A side's `doctrine` holds for all its
fleets, where their own instructions are silent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "data"
CHANGEABLE = ("role", "commander", "overrides")
SOURCE = "opening"


@dataclass(frozen=True, slots=True)
class FleetStart:
    """A fleet to begin with. place: code. entries: of the register, in the order of sailing. orders: fields of its first order."""

    code: str
    name: str
    commander: str
    place: str
    entries: list[Any]
    orders: Mapping[str, Any] = field(default_factory=dict)


def opening_of(theatre: str) -> dict[str, Any]:
    """Where the fleets of a theatre historically lay, {} when no one wrote it down."""
    path = DATA / "openings" / f"{theatre}.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def card_figures(theatre: str, rule_set: str, ship_type: str) -> Mapping[str, Any]:
    """The figures that a theatre's opening gives the cards of a ship type, {} for none."""
    found: Mapping[str, Any] = opening_of(theatre).get("overrides", {}).get(rule_set, {}).get(ship_type, {})
    return found


def planned_fleets(
    *, theatre: str, side: str, register: str, register_side: str, entries: Sequence[Any]
) -> list[FleetStart] | None:
    """A side's fleets by the theatre's opening; None when it has none for these ships. Rule: G.CH3."""
    opening = opening_of(theatre)
    plan = opening.get("sides", {}).get(side, {})
    if opening.get("register") != register or plan.get("register_side") != register_side:
        return None
    return [
        FleetStart(
            fleet["code"],
            fleet["name"],
            fleet["commander"],
            fleet["place"],
            _with_figures(_mustered(fleet, entries), opening.get("overrides", {})),
            _first_order(fleet.get("orders", {}), plan.get("doctrine", {})),
        )
        for fleet in plan["fleets"]
    ]


def _first_order(orders: Mapping[str, Any], doctrine: Mapping[str, Any]) -> dict[str, Any]:
    """A fleet's first order under the doctrine of its side, which its own goes before; {} when neither says anything. Rule: G.MV5."""
    if not doctrine:
        return dict(orders)
    own = orders.get("instructions", {})
    return {**orders, "instructions": {**own, "doctrine": {**doctrine, **own.get("doctrine", {})}}}


def _with_figures(entries: list[Any], figures: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[Any]:
    """Entries with card figures of their ship types, by rule set; what is set for a ship itself stands."""
    for entry in entries:
        own = entry.overrides or {}
        entry.overrides = own | {
            rule_set: {**by_type.get(entry.ship_type, {}), **own.get(rule_set, {})}
            for rule_set, by_type in figures.items()
        }
    return entries


def _mustered(fleet: Mapping[str, Any], entries: Sequence[Any]) -> list[Any]:
    """Register entries of a fleet, squadron by squadron; those that the opening changes are changed here and nowhere else."""
    by_name = {entry.name: entry for entry in entries}
    found = []
    for squadron in fleet["squadrons"]:
        if isinstance(squadron, str):
            found += [entry for entry in entries if entry.squadron == squadron]
            continue
        for name in squadron["ships"]:
            by_name[name].squadron = squadron["name"]
            by_name[name].division = ""
            found.append(by_name[name])
    for name, changes in fleet.get("entries", {}).items():
        for field_name in CHANGEABLE:
            if field_name in changes:
                setattr(by_name[name], field_name, changes[field_name])
    return found
