"""What is wrong with a scenario document: every fault with its JSON path, in words for people.

Two passes: the published schema (`battles/engine/scenario.schema.json`), then what a schema cannot see (ids that repeat or
point nowhere, ships on top of each other). The second pass skips whatever the first found to be out of shape, so that both
report in one go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from battles.engine.core.errors import Fault

SCHEMA_FILE = Path(__file__).resolve().parent.parent / "scenario.schema.json"


def document_faults(doc: object) -> tuple[Fault, ...]:
    """Everything wrong with a scenario document, ordered by path; empty when it can be read. Rule: G.BT6."""
    faults = {Fault(_path(error), _sentence(error)) for error in _leaves(_validator().iter_errors(doc))}
    if isinstance(doc, dict):
        faults.update(_meaning_faults(doc))
    return tuple(sorted(faults, key=lambda fault: (_path_order(fault.path), fault.text)))


def _whole_number(_checker: Any, value: object) -> bool:
    """Only what JSON writes without a point: 50.0 would bring a float into stored state."""
    return isinstance(value, int) and not isinstance(value, bool)


@cache
def _validator() -> Any:
    strict = Draft202012Validator.TYPE_CHECKER.redefine("integer", _whole_number)
    maker: Any = validators.extend(Draft202012Validator, type_checker=strict)  # type: ignore[no-untyped-call]
    return maker(json.loads(SCHEMA_FILE.read_text()))


def _rows(doc: Mapping[str, Any], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The entries of a list that are objects, with their places in it."""
    value = doc.get(name)
    if isinstance(value, list):
        for n, row in enumerate(value):
            if isinstance(row, dict):
                yield n, row


def _code(row: Mapping[str, Any], name: str = "id") -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _cell(value: object) -> tuple[int, int] | None:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(n, int) for n in value):
        return value[0], value[1]
    return None


def _meaning_faults(doc: Mapping[str, Any]) -> Iterator[Fault]:
    sides = [(f"sides[{i}]", side) for i, side in _rows(doc, "sides")]
    squadrons = [(f"{p}.squadrons[{j}]", s) for p, side in sides for j, s in _rows(side, "squadrons")]
    ships = [(f"{p}.ships[{k}]", ship) for p, squadron in squadrons for k, ship in _rows(squadron, "ships")]
    for kind, rows in (("side", sides), ("squadron", squadrons), ("ship", ships)):
        yield from _repeated(kind, rows)
    ids = list(dict.fromkeys(_code(side) for _, side in sides))
    gauge = _code(doc, "gauge")
    if gauge and gauge not in ids:
        yield Fault("gauge", f"{gauge!r} is not a side; use one of {', '.join(ids)} or nothing")
    surprised = doc.get("surprised")
    for n, code in enumerate(surprised if isinstance(surprised, list) else ()):
        if isinstance(code, str) and code not in ids:
            yield Fault(f"surprised[{n}]", f"{code!r} is not a side; use one of {', '.join(ids)}")
    for path, squadron in squadrons:
        flagship = _code(squadron, "flagship")
        if flagship and flagship not in [_code(ship) for _, ship in _rows(squadron, "ships")]:
            yield Fault(f"{path}.flagship", f"{flagship!r} is not a ship of this squadron")
    known = {_code(ship) for _, ship in ships}
    for path, row in sides + squadrons:
        doctrine = row.get("doctrine")
        protect = doctrine.get("protect") if isinstance(doctrine, dict) else None
        for n, code in enumerate(protect if isinstance(protect, list) else ()):
            if isinstance(code, str) and code not in known:
                yield Fault(f"{path}.doctrine.protect[{n}]", f"{code!r} is not a ship in this battle")
    yield from _placing_faults(doc, ships)


def _repeated(kind: str, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[Fault]:
    first: dict[str, str] = {}
    for path, row in rows:
        code = _code(row)
        if code and first.setdefault(code, path) != path:
            text = f"the {kind} id {code!r} is already used by {first[code]}; every id must be unique"
            yield Fault(f"{path}.id", text)


def _placing_faults(doc: Mapping[str, Any], ships: list[tuple[str, Mapping[str, Any]]]) -> Iterator[Fault]:
    land_cells = doc.get("land")
    land = {_cell(cell) for cell in land_cells} if isinstance(land_cells, list) else set()
    placed: dict[tuple[int, int], str] = {}
    for path, ship in ships:
        here, name = f"{path}.position", _code(ship, "name") or path
        if ship.get("position") is None:
            if doc.get("fixed_positions") is True:
                yield Fault(here, "positions are fixed, so every ship needs one: [q, r]")
            continue
        cell = _cell(ship["position"])
        if cell is None:
            continue
        if cell in placed:
            yield Fault(here, f"{name} lies on top of {placed[cell]} at {list(cell)}")
        if cell in land:
            yield Fault(here, f"{name} lies ashore at {list(cell)}")
        placed.setdefault(cell, name)


def _leaves(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    """The causes at the bottom. "May be absent" is no cause: of a choice only the other branch is reported."""
    for error in errors:
        if error.context:
            yield from _leaves(e for e in error.context if e.validator_value != "null")
        else:
            yield error


def _path(error: ValidationError) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    return path.lstrip(".")


def _path_order(path: str) -> list[tuple[int, int, str]]:
    """Sorting key of a path in which ships[10] comes after ships[2]."""
    parts = re.findall(r"[^.\[\]]+", path)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def _sentence(error: ValidationError) -> str:
    """A fault in words for people: what is there, and what would be right."""
    value: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    match error.validator:
        case "type":
            names = rule if isinstance(rule, list) else [rule]
            return f"{_shown(value)} should be {' or '.join(_TYPE_NAMES[name] for name in names)}"
        case "enum":
            # Words only: true and false are read in old documents, but no one should write them again.
            return f"{_shown(value)} is not one of {', '.join(one for one in rule if isinstance(one, str))}"
        case "required":
            return f"is missing {', '.join(name for name in rule if name not in value)}"
        case "additionalProperties":
            known = schema.get("properties", {})
            extra = sorted(set(value) - set(known))
            return f"{', '.join(extra)} not known here; use only {', '.join(sorted(known))}"
        case "minimum":
            return f"{value} is too small; the minimum is {rule}"
        case "maximum":
            return f"{value} is too large; the maximum is {rule}"
        case "minItems":
            return f"has {len(value)} {_entries(value)}; at least {rule} are needed"
        case "maxItems":
            return f"has {len(value)} {_entries(value)}; no more than {rule} are allowed"
        case "minLength":
            return "is empty; some text is needed"
        case "const":
            return f"{_shown(value)} should be {rule!r}"
    return error.message


def _entries(value: list[Any]) -> str:
    return "entry" if len(value) == 1 else "entries"


def _shown(value: object) -> str:
    """A value as JSON writes it, cut short when it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


_TYPE_NAMES = {
    "string": "some text", "integer": "a whole number", "number": "a number", "object": "an object", "array": "a list",
    "boolean": "true or false", "null": "nothing",
}  # fmt: skip
