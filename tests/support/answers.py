"""What a service answers: nothing when it does what it is asked, else the words of a refusal, or of whatever else went wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import pytest
from django.db import DatabaseError

Act = TypeVar("Act", bound=Callable[..., Any])


def answer_of(act: Callable[..., Any], *args: Any, **more: Any) -> str:
    """The text of what an act raises, "" when it is done, so that a test can compare either with what it expects."""
    try:
        act(*args, **more)
    except Exception as why:
        return str(why) or repr(why)
    return ""


def result_of(act: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """What an act returns, or the text of what it raises, so that a test compares either with what it expects."""
    try:
        return act(*args, **more)
    except Exception as why:
        return repr(why)


# What no service raises on purpose; a refusal has a class of its own.
ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, DatabaseError)


def flawless(act: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """What an act returns. A refusal is raised as it is; an error of the program fails the test, as a wrong answer does."""
    try:
        return act(*args, **more)
    except ERRORS as why:
        pytest.fail(f"{act.__name__} ends in an error: {why!r}")


def unerring(act: Act) -> Act:
    """A helper of tests through which an error of the program fails the test, as a wrong answer does (`flawless`)."""

    @wraps(act)
    def acted(*args: Any, **more: Any) -> Any:
        return flawless(act, *args, **more)

    return cast("Act", acted)
