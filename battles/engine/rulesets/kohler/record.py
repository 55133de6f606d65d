"""A battle as a JSON document and back, exactly; and a quick copy of one. Numbers are integers throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from battles.engine.core.record import check_schema, owners_from, owners_to, plain, twin
from battles.engine.rulesets.kohler.state import (
    Battle,
    Group,
    Helm,
    Lock,
    LockKind,
    Ship,
    SideState,
    SquadronState,
    Status,
    WindForce,
)

SCHEMA = 1

_SHIP_FIELDS = tuple(field.name for field in fields(Ship) if field.name != "locks")
_LOCK_FIELDS = tuple(field.name for field in fields(Lock))
# Fields that states written before them lack: they then have their defaults. Rule: K.A1.14.
_LATER = ("napoleonic", "carronades")
_TUPLES = ("thresholds", "fire_track")
_LISTS = ("fires", "gun_timers", "unchecked_steps")
_BATTLE_PLAIN = (
    "title", "turn", "last_turn", "wind", "wind_prev", "options", "north", "visibility", "met", "quiet", "ended",
)  # fmt: skip


def to_dict(battle: Battle) -> dict[str, Any]:
    """The whole battle with a schema number; shares nothing with it."""
    number = {id(lock): n for n, lock in enumerate(battle.locks)}
    return {
        "schema": SCHEMA,
        **{name: plain(getattr(battle, name)) for name in _BATTLE_PLAIN},
        "strength": int(battle.strength),
        "sides": owners_to(battle.sides),
        "squadrons": owners_to(battle.squadrons),
        "ships": [_ship(ship, number) for ship in battle.ships.values()],
        "locks": [_lock(lock) for lock in battle.locks],
        "groups": [[one.squadron, one.init, one.in_command, list(one.ships)] for one in battle.groups],
        "land": sorted(map(list, battle.land)),
        "shoal": sorted(map(list, battle.shoal)),
        "edges": None if battle.edges is None else list(battle.edges),
        "officers": {code: list(row) for code, row in battle.officers.items()},
        "at": [[q, r, [ship.id for ship in here]] for (q, r), here in battle.at.items()],
    }


def from_dict(doc: Mapping[str, Any]) -> Battle:
    """Read back what `to_dict` wrote, the order of the index and of every ship's locks included.

    Raises SchemaError on another schema number.
    """
    check_schema(doc, SCHEMA, "a Kohler battle")
    locks = [
        Lock(**{**row, "kind": LockKind(row["kind"]), "lost": dict(row["lost"])}) for row in doc["locks"]
    ]
    ships = {row["id"]: _ship_from(row, locks) for row in doc["ships"]}
    edges = doc["edges"]
    return Battle(
        **{name: plain(doc[name]) for name in _BATTLE_PLAIN},
        strength=WindForce(doc["strength"]),
        sides=owners_from(SideState, doc["sides"]),
        squadrons=owners_from(SquadronState, doc["squadrons"]),
        ships=ships,
        land=frozenset((q, r) for q, r in doc["land"]),
        shoal=frozenset((q, r) for q, r in doc["shoal"]),
        edges=None if edges is None else (edges[0], edges[1], edges[2], edges[3]),
        groups=[Group(code, init, there, tuple(codes)) for code, init, there, codes in doc["groups"]],
        locks=locks,
        officers={code: (row[0], row[1], row[2]) for code, row in doc["officers"].items()},
        at={(q, r): [ships[code] for code in codes] for q, r, codes in doc["at"]},
    )


def copy(battle: Battle) -> Battle:
    """A battle that shares nothing changeable with the first; the same as reading back its document, but quicker."""
    twins = {id(lock): _copy_lock(lock) for lock in battle.locks}
    ships = {code: _copy_ship(ship, twins) for code, ship in battle.ships.items()}
    return Battle(
        **{name: getattr(battle, name) for name in _SHARED},
        sides=battle.sides,
        squadrons={code: twin(squadron, _SQUADRON_FIELDS) for code, squadron in battle.squadrons.items()},
        ships=ships,
        groups=[Group(one.squadron, one.init, one.in_command, one.ships) for one in battle.groups],
        locks=[twins[id(lock)] for lock in battle.locks],
        quiet=dict(battle.quiet),
        officers=dict(battle.officers),
        at={cell: [ships[ship.id] for ship in here] for cell, here in battle.at.items()},
    )


# Values that no rule changes in place: numbers, and the scenario's own.
_SHARED = (
    "title", "turn", "last_turn", "wind", "wind_prev", "strength", "options", "north", "visibility", "land", "shoal",
    "edges", "met", "ended",
)  # fmt: skip
_SQUADRON_FIELDS = tuple(field.name for field in fields(SquadronState))


def _copy_ship(ship: Ship, twins: Mapping[int, Lock]) -> Ship:
    made = twin(ship, _SHIP_FIELDS)
    for name in _LISTS:
        setattr(made, name, getattr(ship, name)[:])
    made.placement = dict(ship.placement)
    made.locks = [twins[id(lock)] for lock in ship.locks]
    return made


def _lock(lock: Lock) -> dict[str, Any]:
    doc = {name: plain(getattr(lock, name)) for name in _LOCK_FIELDS}
    doc["kind"] = lock.kind.value
    return doc


def _copy_lock(lock: Lock) -> Lock:
    made = twin(lock, _LOCK_FIELDS)
    made.lost = dict(lock.lost)
    return made


def _ship(ship: Ship, number: Mapping[int, int]) -> dict[str, Any]:
    doc = {name: plain(getattr(ship, name)) for name in _SHIP_FIELDS}
    doc["status"], doc["helm"] = ship.status.value, ship.helm.value
    doc["locks"] = [number[id(lock)] for lock in ship.locks]
    return doc


def _ship_from(row: Mapping[str, Any], locks: list[Lock]) -> Ship:
    values = {name: row[name] for name in _SHIP_FIELDS if name in row or name not in _LATER}
    for name in _TUPLES:
        values[name] = tuple(row[name])
    for name in _LISTS:
        values[name] = list(row[name])
    came = row["came_from"]
    values["came_from"] = None if came is None else (came[0], came[1])
    values["pos"] = (row["pos"][0], row["pos"][1])
    values["placement"] = dict(row["placement"])
    values["status"], values["helm"] = Status(row["status"]), Helm(row["helm"])
    return Ship(**values, locks=[locks[n] for n in row["locks"]])
