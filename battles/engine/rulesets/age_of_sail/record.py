"""A battle as a JSON document and back, exactly; and a quick copy of one. Numbers are integers throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.record import check_schema, owners_from, owners_to, plain, twin
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Line, Ship, Status

SCHEMA = 1
_SHIP = tuple(one.name for one in fields(Ship))
_TUPLES = ("masts", "names", "start", "prefer")
_LISTS = ("rig", "shoals", "entangled", "parted", "path")
_PLAIN = (
    "title", "turn", "last_turn", "nightfall", "first", "active", "wind_from", "wind", "options", "quiet", "stirred",
    "ended", "held_field", "withdrawing", "parting",
)  # fmt: skip


def to_dict(battle: Battle) -> dict[str, Any]:
    """The whole battle with a schema number; shares nothing with it."""
    return {
        "schema": SCHEMA,
        **{name: plain(getattr(battle, name)) for name in _PLAIN},
        "sides": owners_to(battle.sides),
        "squadrons": owners_to(battle.squadrons),
        "ships": [_ship(ship) for ship in battle.ships.values()],
        "lines": [
            {
                "squadron": row.squadron,
                "ships": [*row.ships],
                "wake": plain(row.wake),
                "places": [*row.places],
            }
            for row in battle.lines
        ],
        "shoals": plain(battle.shoals),
        "land": plain(battle.land),
        "edges": plain(battle.edges),
        "history": plain(battle.history),
        "officers": plain(battle.officers),
    }


def from_dict(doc: Mapping[str, Any]) -> Battle:
    """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
    check_schema(doc, SCHEMA, "an Age of Sail battle")
    battle = Battle(
        **{name: plain(doc[name]) for name in _PLAIN},
        sides=owners_from(SideState, doc["sides"]),
        squadrons=owners_from(SquadronState, doc["squadrons"]),
        ships={row["id"]: _ship_from(row) for row in doc["ships"]},
        lines=[
            Line(row["squadron"], [*row["ships"]], [(x, y, h) for x, y, h in row["wake"]], [*row["places"]])
            for row in doc["lines"]
        ],
        shoals=_polygons(doc["shoals"]),
        land=_polygons(doc["land"]),
        edges=tuple(doc["edges"]) if doc["edges"] else None,
        history=[(towards, strength) for towards, strength in doc["history"]],
        officers={code: (row[0], row[1], row[2]) for code, row in doc["officers"].items()},
    )
    return _placed(battle)


def copy(battle: Battle) -> Battle:
    """A battle that shares nothing changeable with the first."""
    return _placed(
        Battle(
            **{name: plain(getattr(battle, name)) for name in _PLAIN},
            sides=battle.sides,
            squadrons=dict(battle.squadrons),
            ships={code: _copy_ship(ship) for code, ship in battle.ships.items()},
            lines=[Line(row.squadron, [*row.ships], [*row.wake], [*row.places]) for row in battle.lines],
            shoals=battle.shoals,
            land=battle.land,
            edges=battle.edges,
            history=[*battle.history],
            officers=dict(battle.officers),
        )
    )


def _placed(battle: Battle) -> Battle:
    for ship in battle.in_play():
        battle.grid.place(ship)
    return battle


def _copy_ship(ship: Ship) -> Ship:
    made = twin(ship, _SHIP)
    for name in _LISTS:
        setattr(made, name, [*getattr(ship, name)])
    return made


def _ship(ship: Ship) -> dict[str, Any]:
    doc = {name: plain(getattr(ship, name)) for name in _SHIP}
    return {**doc, "anchor": ship.anchor.value, "status": ship.status.value}


def _ship_from(row: Mapping[str, Any]) -> Ship:
    values = {name: plain(row[name]) for name in _SHIP}
    values |= {name: tuple(row[name]) for name in _TUPLES}
    return Ship(**{**values, "anchor": Anchor(row["anchor"]), "status": Status(row["status"])})


def _polygons(rows: Any) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(tuple((x, y) for x, y in shape) for shape in rows)
