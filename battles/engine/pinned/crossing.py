"""Calls into another version of the rules: values go in as that version's own, and what comes out is today's again.

A version has its own classes. A value (a dataclass, a named tuple, a member of an enumeration, an error) is made again on the other side
from its fields, by their names. A field that the other side does not know may be left out while it holds its default, and one that only
the other side has takes its default there. Everything else is refused: a value that lost something on the way would decide other dice.
What is no value (a chart in play, dice, a rule set) stays on its side and is handed back as it is.
"""

from __future__ import annotations

import dataclasses
import importlib
import types
from collections import OrderedDict
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from battles.engine.pinned.archives import RulesMissing
from battles.engine.pinned.universe import Universe

P = ParamSpec("P")
R = TypeVar("R")
_RULES = ("battles.engine.", "campaign.rules.")
# Built from much, given with every call: made again once for each that comes.
_LARGE, _MOST_LARGE = frozenset({"Theatre"}), 16
# Given a value and the modules and files of the other side, the value there: for a class that is no plain value and yet has to cross.
Special = Callable[[Any, "Crossing", bool], Any]


class RulesApart(RulesMissing):
    """A value that today's rules and an old version do not share."""


class Crossing:
    """Calls into a universe. special: by class."""

    def __init__(self, universe: Universe, special: Mapping[str, Special]) -> None:
        self.universe, self.special = universe, special
        self._large: OrderedDict[tuple[int, bool], tuple[Any, Any]] = OrderedDict()

    def named(self, function: Callable[P, R]) -> Any:
        """What the universe has under the name of one of today's functions or classes. Raises RulesMissing."""
        return _named(self.universe.module, function.__module__, function.__qualname__, self.universe)

    def function(self, function: Callable[P, R]) -> Callable[P, R]:
        """The function, class or class method of the universe that has the name of one of today's."""
        there = self.named(function)

        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            args_there = [self._cross(value, inward=True) for value in args]
            kwargs_there = {name: self._cross(value, inward=True) for name, value in kwargs.items()}
            try:
                found = there(*args_there, **kwargs_there)
            except Exception as error:
                if _home_of(error, self.universe) is None:
                    raise
                raise self._error(error) from error
            result: R = self._cross(found, inward=False)
            return result

        return called

    def value(self, value: R, *, inward: bool) -> R:
        """A value on the other side. inward: from today's side to the universe's."""
        found: R = self._cross(value, inward=inward)
        return found

    def module(self, name: str, *, inward: bool) -> types.ModuleType:
        """A module of the other side, by the name that it has among today's."""
        return self.universe.module(name) if inward else importlib.import_module(name)

    def _cross(self, value: Any, *, inward: bool) -> Any:
        """A value on the other side. inward: from today's side to the universe's."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is dict:
            return {self._cross(k, inward=inward): self._cross(v, inward=inward) for k, v in value.items()}
        if kind in _HEAPS:
            return kind(self._cross(item, inward=inward) for item in value)
        if kind is types.MappingProxyType:
            return types.MappingProxyType(self._cross(dict(value), inward=inward))
        if isinstance(value, types.GeneratorType):
            return (self._cross(item, inward=inward) for item in value)
        if isinstance(value, dict | list | set):  # a counter, a default dictionary
            return self._subclass(value, inward=inward)
        home = _home_of(value, None if inward else self.universe)
        if home is None:
            return value
        return self._value(value, kind, home, inward=inward)

    def _subclass(self, value: Any, *, inward: bool) -> Any:
        made = value.copy()
        made.clear()
        crossed = self._cross(dict(value) if isinstance(value, dict) else list(value), inward=inward)
        made.extend(crossed) if isinstance(made, list) else made.update(crossed)
        return made

    def _value(self, value: Any, kind: type, home: str, *, inward: bool) -> Any:
        if kind.__qualname__ in self.special:
            return self.special[kind.__qualname__](value, self, inward)
        fields = _fields(kind)
        if fields is None and not isinstance(value, Enum):
            if inward:
                raise TypeError(
                    f"{kind.__qualname__} of today's rules cannot be handed to {self.universe.versions}"
                )
            return value
        there = _named(lambda name: self.module(name, inward=inward), home, kind.__qualname__, self.universe)
        if fields is None:
            return there[value.name]
        if kind.__qualname__ not in _LARGE:
            return self._made(value, fields, there, inward=inward)
        key = (id(value), inward)
        if key not in self._large:
            self._large[key] = (value, self._made(value, fields, there, inward=inward))
            while len(self._large) > _MOST_LARGE:
                self._large.popitem(last=False)
        self._large.move_to_end(key)
        return self._large[key][1]

    def _made(self, value: Any, fields: dict[str, Any], there: Any, *, inward: bool) -> Any:
        """A value made again from its fields. Raises RulesApart."""
        known = _fields(there) or {}
        given = {}
        for name, usual in fields.items():
            own = getattr(value, name)
            if name in known:
                given[name] = self._cross(own, inward=inward)
            elif usual is _NONE or own != usual():
                raise RulesApart(_apart(there, name, self.universe))
        wanted = [name for name, usual in known.items() if name not in given and usual is _NONE]
        if wanted:
            raise RulesApart(_apart(there, wanted[0], self.universe))
        return there(**given)

    def _error(self, error: Exception) -> Exception:
        """An error of the universe as today's of the same name, with what it says."""
        home = _home_of(error, self.universe)
        kind = _named(importlib.import_module, home or "", type(error).__qualname__, self.universe)
        found: Exception = kind.__new__(kind)
        found.args = error.args
        found.__dict__.update(self._cross(vars(error), inward=False))
        return found


_PLAIN = frozenset({str, int, bool, type(None), float, bytes})
_HEAPS = frozenset({list, tuple, set, frozenset})
_NONE: Any = object()


def _home_of(value: object, universe: Universe | None) -> str | None:
    kind: Any = type(value)
    return _home(kind, universe)


@cache
def _home(kind: Any, universe: Universe | None) -> str | None:
    """The module, by its name among today's, of a class of the rules; None for a class that is none of them.

    universe: whose class it is, None for today's.
    """
    prefix = f"{universe.prefix}." if universe else ""
    if not kind.__module__.startswith(prefix):
        return None
    name = kind.__module__.removeprefix(prefix)
    return name if name.startswith(_RULES) else None


@cache
def _fields(kind: Any) -> dict[str, Any] | None:
    """What a value is made of: the names, and for each what makes its default, or _NONE; None for a class of no values."""
    if hasattr(kind, "_field_defaults") and issubclass(kind, tuple):
        defaults = kind._field_defaults
        return {name: _usual(defaults[name]) if name in defaults else _NONE for name in kind._fields}
    if not dataclasses.is_dataclass(kind):
        return None
    return {row.name: _default(row) for row in dataclasses.fields(kind) if row.init}


def _default(row: dataclasses.Field[Any]) -> Any:
    if row.default is not dataclasses.MISSING:
        return _usual(row.default)
    return row.default_factory if row.default_factory is not dataclasses.MISSING else _NONE


def _usual(value: Any) -> Callable[[], Any]:
    return lambda: value


def _named(module: Callable[[str], Any], home: str, name: str, universe: Universe) -> Any:
    """What a module calls by a name, of a class too. Raises RulesMissing."""
    found = module(home)
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise RulesMissing(
                f"{universe.versions[-1]} has no {home}.{name}, which the site now asks for."
            ) from error
    return found


def _apart(there: type, field: str, universe: Universe) -> str:
    versions = " and ".join(map(str, universe.versions))
    return (
        f"Today’s rules and {versions} do not share the field {field} of {there.__qualname__}, so they cannot work together. "
        "Tell the site administrator."
    )
