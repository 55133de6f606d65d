"""Where the sea ends: edges of the map, land, shoals, and ships aground or at anchor. Rules: K.S9, K.M32, K.G13."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.hexes import Hex
from battles.engine.core.ruleset import Table
from battles.engine.rulesets.kohler.state import Battle, Ship, Status

OCCUPIED = "occupied"
WRECK = "wreck"
LAND = "land"
SHOAL = "shoal"


def over_edge(battle: Battle, cell: Hex) -> bool:
    """Whether a hex lies outside the edges (q_min, r_min, q_max, r_max), if the scenario gives any. Rules: K.S9, K.M32."""
    if battle.edges is None:
        return False
    q_min, r_min, q_max, r_max = battle.edges
    q, r = cell
    return not (q_min <= q <= q_max and r_min <= r <= r_max)


def barred(battle: Battle, ship: Ship, cell: Hex) -> str:
    """Why a ship may not choose to enter a hex, "" when she may.

    A fired fire ship is no one's friend and bars nothing. Rules: K.M22, K.M23, K.M32, K.G13, K.X15.
    """
    for other in battle.at.get(cell, ()):
        if other.status is Status.SINKING:
            return WRECK
        if other is not ship and battle.friends(ship, other):
            return OCCUPIED
    if cell in battle.land:
        return LAND
    if ship.deep and cell in battle.shoal:
        return SHOAL
    return ""


def at_anchor(battle: Battle, ship: Ship) -> bool:
    """Whether she lies at anchor this turn, by the scenario's switch `at_anchor`.

    A prize is cut out, a fired fire ship slips. The original has no anchoring; see "Switches" in rules.md. Rule: K.S9.
    """
    until: Mapping[str, int] | None = battle.options.get("at_anchor")
    if not until or ship.prize_of or ship.fired:
        return False
    return battle.turn < until.get(ship.squadron, 0)


def take_ground(battle: Battle, play: Table, ship: Ship, came_from: Hex) -> bool:
    """What edge, land or shoal do to a ship that has just come into her hex; whether they ended her way.

    Over an edge she is gone, on land she is wrecked, on a shoal too high for her she lies aground and keeps the hex she came
    from. A wreck is past all that. Rules: K.M32, K.G13.
    """
    if ship.status is not Status.AFLOAT:
        return False
    if over_edge(battle, ship.pos):
        play.tell("gone", "K.M32", ship.id)
        battle.remove(ship, Status.GONE)
        return True
    if ship.pos in battle.land:
        ship.cause = "driven ashore"
        play.tell("wrecked", "K.G13", ship.id, q=ship.pos[0], r=ship.pos[1])
        battle.remove(ship, Status.WRECKED)
        return True
    if ship.deep and ship.pos in battle.shoal:
        ship.aground = True
        ship.came_from = came_from
        play.tell("aground", "K.G13", ship.id, q=ship.pos[0], r=ship.pos[1])
        return True
    return False
