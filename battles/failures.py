"""Why work failed, as a sentence for an umpire: without an exception's own words, which may tell what a side does not know."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
ROOMS = ("battles", "campaign", "fleets")


class Unreadable(ValueError):
    """A stored document that is not what it should be; the text says which and why."""


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Around code that reads a stored document. what: which one, as the subject of a sentence. Raises Unreadable."""
    try:
        yield
    except UNREADABLE as error:
        if isinstance(error, KeyError) and error.args:
            why = f"it has no “{error.args[0]}”."
        else:
            why = str(error) if _is_ours(error) else "its structure is not what is expected."
        raise Unreadable(f"{what} cannot be read: {why.rstrip('.')}.") from error


def in_words(error: Exception, what: str) -> str:
    """A failure as a sentence. what: the work that failed, as the subject of a sentence, for example "Turn 5" or "It"."""
    if _is_ours(error):
        return str(error)
    return (
        f"{what} stopped because of an unexpected error ({_where(error)}). "
        "The server's log has the details. Show this to your site administrator."
    )


def died(what: str, times: int, last: str) -> str:
    """The words for work that killed its worker each time. last: the failure noted last, "" for none."""
    text = f"{what} was started {times} times, and each time the program stopped before it was done."
    return f"{text} The last error: {last}" if last else text


def _is_ours(error: Exception) -> bool:
    """Whether an exception's text was written for people: the project's own are."""
    return type(error).__module__.partition(".")[0] in ROOMS and bool(str(error))


def _where(error: Exception) -> str:
    """The kind of an exception and the line of the project that it passed through last."""
    kind = type(error).__name__
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS:
            return f"{kind} in {path.relative_to(ROOT)}, line {frame.lineno}"
    return kind
