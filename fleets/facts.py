"""From a register entry to the facts that a rule set makes a card of."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from battles.engine.core.scenario import ShipFacts
from fleets.models import RegisterEntry


def facts_of(entry: RegisterEntry, *, rule_set: str) -> ShipFacts:
    """The facts of an entry, with the card fields that the register sets by hand for this rule set.

    Reads the ship's nation and register: select them with the entry. The name and the register's year are included because some
    sets print cards of named ships, and most ships' launch is not known. A row that is only being checked has no register yet.
    """
    extra = entry.extra or {}
    nation = entry.nation.name
    return ShipFacts(
        nation=nation,
        built_by=extra.get("built_by") or nation,
        ship_type=entry.ship_type,
        rate=entry.rate,
        guns=entry.guns,
        gun_detail=entry.gun_detail,
        broadside_lb=entry.broadside_lb,
        tons_burthen=entry.tons_burthen,
        displacement_tons=entry.displacement_tons,
        year_built=entry.year_built,
        crew=entry.crew,
        speed_knots=float(entry.speed_knots) if entry.speed_knots is not None else None,
        tags=tuple(extra.get("tags", ())),
        overrides=(entry.overrides or {}).get(rule_set, {}),
        name=entry.name,
        year_served=entry.register.year if entry.register_id is not None else None,
    )


def facts_document(facts: ShipFacts) -> dict[str, Any]:
    """Facts as a scenario document wants them."""
    return {**asdict(facts), "tags": list(facts.tags), "overrides": dict(facts.overrides)}


def facts_from(document: dict[str, Any]) -> ShipFacts:
    """Read back what `facts_document` wrote."""
    return ShipFacts(**{**document, "tags": tuple(document.get("tags", ()))})
