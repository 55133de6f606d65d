"""A battle as a JSON document and back, exactly; and a quick copy of one. Numbers are integers throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from battles.engine.core.grid import Grid
from battles.engine.core.record import check_schema, owners_from, owners_to, plain, twin
from battles.engine.rulesets.thomas.state import (
    CELL,
    Adrift,
    Battery,
    Battle,
    Grapple,
    Rig,
    Ship,
    SideState,
    SquadronState,
    Status,
)
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind, WindForce

SCHEMA = 2

_ENUMS = {"kind": Kind, "status": Status, "adrift": Adrift, "rig": Rig}
_SHIP_FIELDS = tuple(one.name for one in fields(Ship) if one.name not in ("batteries", "grapples"))
_GRAPPLE_FIELDS = tuple(one.name for one in fields(Grapple))
_BATTLE_PLAIN = (
    "title", "move", "start", "last_move", "wind_from", "prevailing", "options", "nelson", "spell_calm", "spell_quiet",
    "first", "moving", "met", "ended", "held_field",
)  # fmt: skip


def to_dict(battle: Battle) -> dict[str, Any]:
    """The whole battle with a schema number; shares nothing with it."""
    number = {id(one): n for n, one in enumerate(battle.grapples)}
    return {
        "schema": SCHEMA,
        **{name: plain(getattr(battle, name)) for name in _BATTLE_PLAIN},
        "strength": int(battle.strength),
        "sides": owners_to(battle.sides),
        "squadrons": owners_to(battle.squadrons),
        "ships": [_ship(ship, number) for ship in battle.ships.values()],
        "grapples": [{name: getattr(one, name) for name in _GRAPPLE_FIELDS} for one in battle.grapples],
        "land": [[list(point) for point in land] for land in battle.land],
        "officers": {code: list(row) for code, row in battle.officers.items()},
    }


def from_dict(doc: Mapping[str, Any]) -> Battle:
    """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
    check_schema(doc, SCHEMA, "a Thomas battle")
    grapples = [Grapple(**row) for row in doc["grapples"]]
    ships = {row["id"]: _ship_from(row, grapples) for row in doc["ships"]}
    return Battle(
        **{name: plain(doc[name]) for name in _BATTLE_PLAIN},
        strength=WindForce(doc["strength"]),
        sides=owners_from(SideState, doc["sides"]),
        squadrons=owners_from(SquadronState, doc["squadrons"]),
        ships=ships,
        grapples=grapples,
        land=tuple(tuple((x, y) for x, y in land) for land in doc["land"]),
        officers={code: (row[0], row[1], row[2]) for code, row in doc["officers"].items()},
        grid=_grid(ships),
    )


def copy(battle: Battle) -> Battle:
    """A battle that shares nothing changeable with the first; the same as reading back its document, but quicker."""
    twins = {id(one): twin(one, _GRAPPLE_FIELDS) for one in battle.grapples}
    ships = {code: _copy_ship(ship, twins) for code, ship in battle.ships.items()}
    return Battle(
        **{name: getattr(battle, name) for name in _BATTLE_PLAIN},
        strength=battle.strength,
        sides=battle.sides,
        squadrons=dict(battle.squadrons),
        ships=ships,
        grapples=[twins[id(one)] for one in battle.grapples],
        land=battle.land,
        officers=dict(battle.officers),
        grid=_grid(ships),
    )


def _grid(ships: Mapping[str, Ship]) -> Grid[Ship]:
    """The index of neighbours, made again: no one reads the order of its cells."""
    grid: Grid[Ship] = Grid(CELL)
    for ship in ships.values():
        if ship.status is Status.AFLOAT:
            grid.place(ship)
    return grid


def _copy_ship(ship: Ship, twins: Mapping[int, Grapple]) -> Ship:
    made = twin(ship, _SHIP_FIELDS)
    made.batteries = [Battery(one.gun, one.arc, one.half, one.lost) for one in ship.batteries]
    made.grapples = [twins[id(one)] for one in ship.grapples]
    return made


def _ship(ship: Ship, number: Mapping[int, int]) -> dict[str, Any]:
    doc = {name: plain(getattr(ship, name)) for name in _SHIP_FIELDS}
    for name in _ENUMS:
        doc[name] = doc[name].value
    doc["batteries"] = [[one.gun.value, one.arc.value, one.half, one.lost] for one in ship.batteries]
    doc["grapples"] = [number[id(one)] for one in ship.grapples]
    return doc


def _ship_from(row: Mapping[str, Any], grapples: list[Grapple]) -> Ship:
    values = {name: row[name] for name in _SHIP_FIELDS}
    for name, enum in _ENUMS.items():
        values[name] = enum(row[name])
    values["batteries"] = [
        Battery(Gun(gun), Arc(arc), half, lost) for gun, arc, half, lost in row["batteries"]
    ]
    return Ship(**values, grapples=[grapples[n] for n in row["grapples"]])
