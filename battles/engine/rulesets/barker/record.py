"""A battle as a JSON document and back, exactly; and a quick copy of one. Numbers are integers throughout. Rule: P.Z13."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from battles.engine.core.parties import SideState
from battles.engine.core.record import check_schema, owners_from, owners_to, plain, twin
from battles.engine.rulesets.barker.state import (
    Bank,
    BarkerSquadron,
    Battle,
    Field,
    Formation,
    Group,
    Hull,
    Marker,
    Party,
    Sighting,
    Status,
    Unit,
)
from battles.engine.rulesets.barker.tables import Mode, Phase, Type

SCHEMA = 1
T = TypeVar("T")


def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_BATTLE, _UNIT, _HULL, _PARTY, _FIELD = map(_names, (Battle, Unit, Hull, Party, Field))
# Held as rows of a document of their own; everything else of a battle is plain.
_ROWS = (
    "sides",
    "squadrons",
    "units",
    "ships",
    "groups",
    "parties",
    "formations",
    "fields",
    "banks",
    "markers",
)
_SETS = ("land", "shoal")
_PLAIN = tuple(name for name in _BATTLE if name not in (*_ROWS, *_SETS))


def to_dict(battle: Battle) -> dict[str, Any]:
    """The whole battle with a schema number; shares nothing with it."""
    return {
        "schema": SCHEMA,
        **{name: plain(getattr(battle, name)) for name in _PLAIN},
        **{name: sorted(map(list, getattr(battle, name))) for name in _SETS},
        "sides": owners_to(battle.sides),
        "squadrons": owners_to(battle.squadrons),
        "units": [_row(unit) for unit in battle.units.values()],
        "ships": [{**_row(hull, "unit"), "unit": hull.unit.id} for hull in battle.ships.values()],
        "groups": [_row(group) for group in battle.groups.values()],
        "parties": [
            {**_row(party, "remembered"), "remembered": [_row(one) for one in party.remembered.values()]}
            for party in battle.parties.values()
        ],
        **{
            name: [_row(one) for one in getattr(battle, name)]
            for name in ("formations", "fields", "banks", "markers")
        },
    }


def from_dict(doc: Mapping[str, Any]) -> Battle:
    """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
    check_schema(doc, SCHEMA, "a Barker battle")
    units = {row["id"]: _read(Unit, row, type=Type, status=Status) for row in doc["units"]}
    values = {name: plain(doc[name]) for name in _PLAIN}
    west, south, east, north = doc["table"]
    return Battle(
        **{
            **values,
            "mode": Mode(doc["mode"]),
            "phase": Phase(doc["phase"]),
            "table": (west, south, east, north),
            "surprised": tuple(doc["surprised"]),
            "received": {code: tuple(words) for code, words in doc["received"].items()},
            "tallies": {code: tuple(firers) for code, firers in doc["tallies"].items()},
            "luck": {code: tuple(row) for code, row in doc["luck"].items()},
        },
        sides=owners_from(SideState, doc["sides"]),
        squadrons=owners_from(BarkerSquadron, doc["squadrons"]),
        units=units,
        ships={
            row["id"]: Hull(**{**row, "unit": units[row["unit"]], "entered": plain(row["entered"])}) for row in doc["ships"]
        },
        groups={row["id"]: Group(**row) for row in doc["groups"]},
        parties={row["id"]: _party(row) for row in doc["parties"]},
        formations=[
            Formation(row["kind"], tuple(row["members"]), [(x, y, h) for x, y, h in row["track"]]) for row in doc["formations"]
        ],
        fields=[_read(Field, row, sections=_points) for row in doc["fields"]],
        banks=[Bank(**row) for row in doc["banks"]],
        markers=[Marker(**row) for row in doc["markers"]],
        land=frozenset((x, y) for x, y in doc["land"]),
        shoal=frozenset((x, y) for x, y in doc["shoal"]),
    )  # fmt: skip


def copy(battle: Battle) -> Battle:
    """A battle that shares nothing changeable with the first; the same as reading back its document, but quicker."""
    made = twin(battle, _BATTLE)
    made.units = {code: twin(unit, _UNIT) for code, unit in battle.units.items()}
    made.ships = {code: twin(hull, _HULL) for code, hull in battle.ships.items()}
    for hull in made.ships.values():
        hull.unit = made.units[hull.unit.id]
    made.squadrons = {code: twin(row, _names(BarkerSquadron)) for code, row in battle.squadrons.items()}
    made.groups = {code: twin(row, _names(Group)) for code, row in battle.groups.items()}
    made.parties = {code: twin(row, _PARTY) for code, row in battle.parties.items()}
    for party in made.parties.values():
        party.remembered = {code: twin(one, _names(Sighting)) for code, one in party.remembered.items()}
    made.formations = [Formation(one.kind, one.members, list(one.track)) for one in battle.formations]
    made.fields = [twin(one, _FIELD) for one in battle.fields]
    for field in made.fields:
        field.sections = list(field.sections)
    made.banks = [twin(one, _names(Bank)) for one in battle.banks]
    made.markers = [twin(one, _names(Marker)) for one in battle.markers]
    made.tallies, made.lost2, made.luck = dict(battle.tallies), dict(battle.lost2), dict(battle.luck)
    made.received = dict(battle.received)
    made.options = plain(battle.options)
    return made


def _row(item: Any, *without: str) -> dict[str, Any]:
    """The fields of an object as plain JSON; enumerations are their words."""
    return {name: plain(getattr(item, name)) for name in _names(type(item)) if name not in without}


def _points(rows: list[list[int]]) -> list[tuple[int, int]]:
    return [(x, y) for x, y in rows]


def _read(make: type[T], row: Mapping[str, Any], **readers: Any) -> T:
    """An object of a row; what a reader is named for is read by it, other lists are tuples."""
    return make(
        **{
            name: readers[name](value)
            if name in readers
            else tuple(value)
            if isinstance(value, list)
            else value
            for name, value in row.items()
        }
    )


def _party(row: Mapping[str, Any]) -> Party:
    seen = {one["unit"]: _read(Sighting, one, type=Type) for one in row["remembered"]}
    return _read(Party, {**row, "remembered": {}}, remembered=lambda _: seen)
