"""What the recording of a battle as a JSON document needs in every rule set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from battles.engine.core.errors import SchemaError
from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.scenario import doctrine_from

T = TypeVar("T")
Owner = TypeVar("Owner", bound=SideState | SquadronState)


def check_schema(doc: Mapping[str, Any], schema: int, what: str) -> None:
    """Raises SchemaError for a document of another schema number. what: with its article, as in "a Kohler battle"."""
    if doc.get("schema") != schema:
        raise SchemaError(f"{what} of schema {doc.get('schema')!r}; this version reads {schema}")


def plain(value: Any) -> Any:
    """A JSON value that shares no list or object with the given one."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def twin(value: T, names: tuple[str, ...]) -> T:
    """An object of the same class that shares these fields with the first and has no others."""
    kind = type(value)
    made = kind.__new__(kind)
    for name in names:
        setattr(made, name, getattr(value, name))
    return made


def owners_to(owners: Mapping[str, Owner]) -> list[dict[str, Any]]:
    """Sides or squadrons as rows of a document."""
    rows = []
    for owner in owners.values():
        row: dict[str, Any] = plain(asdict(owner))
        row["doctrine"]["stance"] = owner.doctrine.stance.value
        rows.append(row)
    return rows


def owners_from(make: type[Owner], rows: list[dict[str, Any]]) -> dict[str, Owner]:
    """Read back what `owners_to` wrote, by id. make: the set's class."""
    return {
        row["id"]: make(**{**row, **_tuples(row), "doctrine": doctrine_from(row["doctrine"])}) for row in rows
    }


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
