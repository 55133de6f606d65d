"""The switches of a rule set: what each may be, what it is when a scenario leaves it alone, and what is wrong with a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple


class Option(NamedTuple):
    """A switch: its default, whether a value will do, what would do in words, and the clause it belongs to."""

    default: Any
    allows: Callable[[Any], bool]
    words: str
    clause: str


Options = Mapping[str, Option]


def choice(*values: str, clause: str) -> Option:
    """A choice whose first value is the default."""
    return Option(values[0], lambda value: value in values, " or ".join(values), clause)


def switch(default: bool, clause: str) -> Option:
    """On or off."""
    return Option(default, lambda value: isinstance(value, bool), "true or false", clause)


def number(value: Any, least: float, most: float) -> bool:
    """Whether a value is a number within bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def whole(value: Any, least: int, most: int) -> bool:
    """Whether a value is a whole number within bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def chosen(known: Options, options: Mapping[str, Any]) -> dict[str, Any]:
    """Every switch of a set, those of a scenario over the defaults. Raises nothing: call `option_faults` first."""
    return {name: options.get(name, option.default) for name, option in known.items()}


def option_faults(known: Options, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(name, sentence) for every option that is unknown or has a value the set cannot use."""
    for name, value in options.items():
        if name not in known:
            yield name, f"not an option in this rule set; use one of {', '.join(sorted(known))}"
        elif not known[name].allows(value):
            yield name, f"{value!r} is not allowed; use {known[name].words} ({known[name].clause})"
