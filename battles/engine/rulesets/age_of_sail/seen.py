"""What one side may know of a battle, as a JSON document: the only thing its player's page is made of. Rules: A.P10, G.IN1.

Damage is open to both sides. Hidden are the enemy's officers, captains and orders, and squadrons that have yet to come.
"""

from __future__ import annotations

from typing import Any

from battles.engine.rulesets.age_of_sail.state import Battle, Ship

SCHEMA = 1


def seen_by(battle: Battle, side: str) -> dict[str, Any]:
    """What a side may know. Places in thousandths of a centimetre, headings in points. Raises KeyError for no side."""
    doctrine = battle.sides[side].doctrine
    others = [ship for ship in battle.ships.values() if ship.owner != side and not ship.expected]
    return {
        "schema": SCHEMA,
        "side": side,
        "title": battle.title,
        "turn": battle.turn,
        "last_turn": battle.last_turn,
        "ended": battle.ended,
        "wind_from": battle.wind_from,
        "strength": battle.wind,
        "first": battle.first,
        "land": [[list(point) for point in shape] for shape in battle.land],
        "shoals": [[list(point) for point in shape] for shape in battle.shoals],
        "edges": list(battle.edges) if battle.edges else None,
        "sides": [{"id": s.id, "name": s.name, "nation": s.nation} for s in battle.sides.values()],
        "stance": doctrine.stance.value,
        "squadrons": [
            {"id": one.id, "name": one.name, "officer": one.officer, "arrives": one.arrives}
            for one in battle.squadrons.values()
            if one.side == side
        ],
        "own": [_own(ship) for ship in battle.ships.values() if ship.owner == side],
        "seen": [_seen(ship) for ship in others if ship.afloat],
        "gone": [
            {"id": ship.id, "name": ship.name, "side": ship.owner, "status": ship.status.value}
            for ship in others
            if not ship.afloat
        ],
    }


def _seen(ship: Ship) -> dict[str, Any]:
    return {
        "id": ship.id, "name": ship.name, "side": ship.owner, "came_with": ship.side, "squadron": ship.squadron,
        "class": ship.cls, "pirate": ship.pirate, "flagship": ship.flagship, "x": ship.x, "y": ship.y, "heading": ship.h,
        "decks_port": ship.port, "decks_stbd": ship.stbd, "units": ship.units, "rig": [*ship.rig],
        "alight": ship.fire_stage, "anchor": ship.anchor.value, "aground": ship.aground,
        "entangled": [*ship.entangled], "captor": ship.captor, "manned": ship.manned,
    }  # fmt: skip


def _own(ship: Ship) -> dict[str, Any]:
    return {
        **_seen(ship), "status": ship.status.value, "captain": ship.commander, "withdrawing": ship.withdrawing,
        "sent_port": ship.sent_port, "sent_stbd": ship.sent_stbd,
    }  # fmt: skip
