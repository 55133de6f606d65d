"""What is left of a document or of source code without its words: the part that decides dice.

A text with a space in it is words for people, and so is the reason of a throw. In source code that does not hold where a text is compared
or used as a key.
"""

from __future__ import annotations

import ast
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
    return _bare(ast.parse(source))


def _bare(part: object, keep: bool = False) -> str:
    """keep: whether texts stand where they are compared or used as keys."""
    if isinstance(part, list):
        return "".join(_bare(item, keep) for item in part)
    if not isinstance(part, ast.AST):
        return repr("" if is_words(part) and not keep else part)
    if _is_docstring(part) or _is_for_types(part):
        return ""
    if isinstance(part, ast.keyword) and part.arg == REASON:
        return "(reason)"
    fields = (
        f" {name}={_bare(_last(value) if name == 'module' else value, keep or _is_key(part, name))}"
        for name, value in ast.iter_fields(part)
        if value not in (None, [])
        and name not in _SILENT
        and not (name == "annotation" and isinstance(part, ast.arg))
    )
    return f"({type(part).__name__}{''.join(fields)})"


def _is_key(part: ast.AST, name: str) -> bool:
    """Whether the texts in a field of a node are compared or used as keys."""
    match part:
        case ast.Compare() | ast.Set() | ast.MatchValue():
            return True
        case ast.Dict():
            return name == "keys"
        case ast.Subscript():
            return name == "slice"
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in _ASKED and name == "args"
    return False


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
