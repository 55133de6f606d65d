"""What people type before they send it, fit to be stored as a draft and compared with what is stored."""

from __future__ import annotations

from typing import Any

LONGEST_VALUE = 200  # characters


def as_typed(value: Any) -> Any:
    """A value of a form as it was typed: text, the tick of a box, or the choices of a list."""
    if isinstance(value, list | tuple):
        return [str(one)[:LONGEST_VALUE] for one in value]
    return value if isinstance(value, bool) else "" if value is None else str(value)[:LONGEST_VALUE]


def plain(value: Any) -> str:
    """A value of a form as a browser would send it, to compare what was typed with what is stored."""
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, list | tuple):
        return " ".join(sorted(map(str, value)))
    return "" if value is None else str(value)
