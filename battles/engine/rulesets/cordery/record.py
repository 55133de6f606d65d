"""A battle as a JSON document and back, exactly; and a quick copy of one. Numbers are integers throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.record import check_schema, owners_from, owners_to, plain, twin
from battles.engine.rulesets.cordery.state import Battle, Ship, Status

SCHEMA = 1
_SHIP = tuple(field.name for field in fields(Ship))
_TUPLES = ("fitted", "main_dice", "secondary_dice", "tubes")
_PLAIN = (
    "title", "turn", "last_turn", "own_limit", "towards", "strength", "options", "safe", "first", "quiet", "ended", "winner",
    "scores",
)  # fmt: skip


def to_dict(battle: Battle) -> dict[str, Any]:
    """The whole battle with a schema number; shares nothing with it."""
    return {
        "schema": SCHEMA,
        **{name: plain(getattr(battle, name)) for name in _PLAIN},
        "sides": owners_to(battle.sides),
        "squadrons": owners_to(battle.squadrons),
        "ships": [
            {name: plain(getattr(ship, name)) for name in _SHIP} | {"status": ship.status.value}
            for ship in battle.ships.values()
        ],
        "board": list(battle.board),
        "land": sorted(map(list, battle.land)),
        "shoal": sorted(map(list, battle.shoal)),
        "surprised": list(battle.surprised),
        "luck": {code: list(row) for code, row in battle.luck.items()},
    }


def from_dict(doc: Mapping[str, Any]) -> Battle:
    """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
    check_schema(doc, SCHEMA, "a Cordery battle")
    ships = {row["id"]: _ship(row) for row in doc["ships"]}
    west, south, east, north = doc["board"]
    return Battle(
        **{name: plain(doc[name]) for name in _PLAIN},
        sides=owners_from(SideState, doc["sides"]),
        squadrons=owners_from(SquadronState, doc["squadrons"]),
        ships=ships,
        board=(west, south, east, north),
        land=frozenset((x, y) for x, y in doc["land"]),
        shoal=frozenset((x, y) for x, y in doc["shoal"]),
        surprised=tuple(doc["surprised"]),
        luck={code: (row[0], row[1], row[2]) for code, row in doc["luck"].items()},
        at=_index(ships),
    )


def copy(battle: Battle) -> Battle:
    """A battle that shares nothing changeable with the first; the same as reading back its document, but quicker."""
    ships = {code: twin(ship, _SHIP) for code, ship in battle.ships.items()}
    made = twin(battle, tuple(field.name for field in fields(Battle)))
    made.ships, made.at = ships, _index(ships)
    made.scores, made.luck = dict(battle.scores), dict(battle.luck)
    made.squadrons = {code: twin(row, _SQUADRON) for code, row in battle.squadrons.items()}
    return made


_SQUADRON = tuple(field.name for field in fields(SquadronState))


def _ship(row: Mapping[str, Any]) -> Ship:
    return Ship(**{**row, **{name: tuple(row[name]) for name in _TUPLES}, "status": Status(row["status"])})


def _index(ships: Mapping[str, Ship]) -> dict[tuple[int, int], Ship]:
    return {ship.pos: ship for ship in ships.values() if ship.status is Status.IN_PLAY}
