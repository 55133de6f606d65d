"""What is left of a document or of source code without its words: the part that decides dice.

A text with a space in it is words for people, and so is the reason of a throw. In source code that does not hold where a text is compared
or used as a key.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

REASON = "reason"


def is_words(value: object) -> bool:
    """Whether a value is a text for people."""
    return isinstance(value, str) and " " in value


def wordless(value: Any) -> Any:
    """A JSON document without its words: an empty text where there were some."""
    if isinstance(value, dict):
        return {key: "" if key == REASON else wordless(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [wordless(item) for item in value]
    return "" if is_words(value) else value


def bare_source(source: str) -> str:
    """A module's syntax tree as text: no comments, docstrings, words or annotations, and of an import the last part of the module's name.

    So a module may be worded better, typed or moved to another folder and stays the same. Empty fields are left out, because
    versions of Python differ in them. Raises SyntaxError.
    """
    said: list[str] = []
    _say(ast.parse(source), False, said.append)
    return "".join(said)


def _say(part: object, keep: bool, say: Callable[[str], None]) -> None:
    """Says a part of the tree. keep: whether texts stand where they are compared or used as keys.

    A site that starts says a million parts of its rules, so what hangs on the kind of a node alone is found once.
    """
    if isinstance(part, list):
        for item in part:
            _say(item, keep, say)
        return
    if not isinstance(part, ast.AST):
        say(repr("" if not keep and is_words(part) else part))
        return
    kind: Any = type(part)  # the stubs take a kind of node for something that has no hash
    if (kind is ast.Expr and _is_docstring(part)) or (kind is ast.If and _is_for_types(part)):
        return
    if isinstance(part, ast.keyword) and part.arg == REASON:
        say("(reason)")
        return
    say(f"({kind.__name__}")
    for name, opening, key in _fields(kind):
        value = getattr(part, name, None)
        if value is None or value == []:
            continue
        say(opening)
        if name == "module":
            value = _last(value)
        _say(value, keep or key or (kind is ast.Call and name == "args" and _asks(part)), say)
    say(")")


@cache
def _fields(kind: type[ast.AST]) -> tuple[tuple[str, str, bool], ...]:
    """The fields of a kind of node that count: name, the text before its value, whether texts in it are compared or used as keys."""
    silent = _SILENT | {"annotation"} if kind is ast.arg else _SILENT
    keys = kind._fields if kind in (ast.Compare, ast.Set, ast.MatchValue) else _KEYS.get(kind, ())
    return tuple((name, f" {name}=", name in keys) for name in kind._fields if name not in silent)


_KEYS: dict[type[ast.AST], tuple[str, ...]] = {ast.Dict: ("keys",), ast.Subscript: ("slice",)}


def _asks(part: ast.AST) -> bool:
    """Whether a call looks for its arguments."""
    return isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _ASKED


# methods whose arguments are looked for
_ASKED = frozenset(
    [
        "count",
        "endswith",
        "find",
        "get",
        "index",
        "partition",
        "pop",
        "removeprefix",
        "removesuffix",
        "setdefault",
        "split",
        "startswith",
    ]
)
_SILENT = frozenset({"ctx", "kind", "level", "returns", "type_comment", "type_ignores", "type_params"})


def _last(module: str) -> str:
    return module.rpartition(".")[2]


def _is_docstring(part: ast.AST) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


def _is_for_types(part: ast.AST) -> bool:
    return isinstance(part, ast.If) and isinstance(part.test, ast.Name) and part.test.id == "TYPE_CHECKING"
