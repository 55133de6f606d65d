"""Figures of a card set by hand in the register: what they may be, and the fields they set. Rules: T.S8, T.S29, T.S31."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from battles.engine.rulesets.thomas.guns import Mount, laid_out, part_of
from battles.engine.rulesets.thomas.tables import OARED_ROWS, Arc, Gun, Kind


def _whole(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _number(most: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= most


def _halves(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 <= value <= 60
        and 2 * value == int(2 * value)
    )


def _types(value: Any) -> bool:
    return isinstance(value, Mapping) and all(key in _GUNS and _halves(item) for key, item in value.items())


def _batteries(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    if set(value) <= _GUNS:
        return _types(value)
    return (
        set(value) <= {arc.value for arc in Arc}
        and all(map(_types, value.values()))
        and value.get("port", {}) == value.get("starboard", {})
    )


_GUNS = {gun.value for gun in Gun}
_KINDS = tuple(kind.value for kind in Kind)


class _Field(NamedTuple):
    """An override: what will do, in words, the field of the card, and units a coarse unit has (0: taken as it is)."""

    allows: Callable[[Any], bool]
    words: str
    target: str
    units: int


_FIELDS: Mapping[str, _Field] = {
    "tons": _Field(_whole(1, 20_000), "a whole number of tons", "tons", 0),
    "guns": _Field(_whole(0, 200), "a whole number of guns", "guns", 0),
    "flotation": _Field(_whole(1, 500), "a whole number of points", "flot_max", 0),
    "crew": _Field(_whole(1, 1_000), "a whole number of crew points", "crew_max", 0),
    "speed": _Field(_number(30), "inches above 0", "speed", 1_000),
    "turn": _Field(_number(180), "degrees, above 0 and up to 180", "turn", 100),
    "oar_speed": _Field(_number(30), "inches above 0", "oar_speed", 1_000),
    "oar_turn": _Field(_number(180), "degrees, above 0 and up to 180", "oar_turn", 100),
    "length": _Field(_number(6), "inches above 0, up to 6", "length", 1_000),
    "beam": _Field(_number(6), "inches above 0, up to 6", "beam", 1_000),
    "masts": _Field(_whole(1, 3), "1, 2 or 3", "masts", 0),
    "kind": _Field(lambda value: value in _KINDS, f"one of {', '.join(_KINDS)}", "kind", 0),
    "deep": _Field(lambda value: isinstance(value, bool), "true or false", "deep", 0),
    "batteries": _Field(
        _batteries,
        "batteries by type (short, medium, long), in halves, for the whole ship or for each of port, starboard, ahead and "
        "astern, port the same as starboard",
        "batteries",
        0,
    ),
    "batteries_percent": _Field(_whole(1, 99), "a whole percentage, 1 to 99", "batteries", 0),
}

# What may be set by hand, in words. Rule: T.S8.
WORDS: Mapping[str, str] = {name: field.words for name, field in _FIELDS.items()}


def faults(chosen: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(path, sentence) for every override that is unknown or will not do. Rules: T.S4a, T.S8."""
    for name, value in chosen.items():
        if name not in _FIELDS:
            yield (
                f"overrides.{name}",
                f"{name!r} is not an override in this rule set; use one of {', '.join(sorted(_FIELDS))}",
            )
        elif not _FIELDS[name].allows(value):
            yield f"overrides.{name}", f"{name} {value!r} is not allowed; use {_FIELDS[name].words}"


def figures(kind: Kind, mounts: tuple[Mount, ...], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a card that overrides without faults set, for a ship of this kind unless they name another.

    mounts: her batteries, of which a handicap may leave a part. Rules: T.S8, T.S31.
    """
    changes: dict[str, Any] = {}
    kind = Kind(chosen.get("kind", kind))
    for name, value in chosen.items():
        _, _, target, units = _FIELDS[name]
        if name == "batteries_percent":
            continue
        if name == "kind":
            changes[target] = kind
        elif name == "batteries":
            changes[target] = _mounts(value, kind)
        else:
            changes[target] = int(Fraction(str(value)) * units + Fraction(1, 2)) if units else value
    if "batteries_percent" in chosen:
        changes["batteries"] = part_of(changes.get("batteries", mounts), chosen["batteries_percent"])
    if "masts" in changes:
        changes["masts_to_dismast"] = 1 if changes["masts"] == 1 else 2
    if kind not in OARED_ROWS and "oar_speed" not in changes:
        changes["oar_speed"] = changes["oar_turn"] = 0
    return changes


def _mounts(value: Mapping[str, Any], kind: Kind) -> tuple[Mount, ...]:
    if set(value) <= _GUNS:
        return laid_out(kind, {Gun(name): int(2 * count) for name, count in value.items()})
    found = []
    for arc in Arc:
        for name, count in value.get(arc.value, {}).items():
            whole, half = divmod(int(2 * count), 2)
            found += [Mount(Gun(name), arc)] * whole + [Mount(Gun(name), arc, half=True)] * half
    return tuple(found)
