"""Who keeps the books of which campaign. The fleets know nothing of campaigns: the room above sets a keeper, which answers.

Rules: G.IN1, G.UM1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from fleets.models import Book

EVERY_BOOK = "fleets.keep_every_book"


@dataclass(frozen=True, slots=True)
class Held:
    """A battle that holds a ship. fighting: whether it is being fought at this moment. Rule: G.BT4."""

    title: str
    fighting: bool


class Keeper(Protocol):
    """What the fleets ask about the campaign that a book belongs to."""

    def books(self, user: Any) -> Iterable[int]:
        """Keys of the books whose umpire a user is."""
        ...

    def chart_time(self, book: Book) -> str:
        """The time on the chart, YYYY-MM-DDTHH:MM. Raises ValidationError while its ships must not be changed."""
        ...

    def held_by(self, book: Book, ship: str) -> Held | None:
        """The battle that holds a ship, None when none does. ship: its code. Rule: G.BT4."""
        ...

    def note(self, book: Book, user: Any, action: str, reason: str, *, ships: Collection[str] = ()) -> None:
        """Write into the umpire's log what was done. ships: codes of what was changed, which the log does not show."""
        ...


class NoKeeper:
    """Without a campaign room: only the site administrators keep books."""

    def books(self, user: Any) -> Iterable[int]:
        """None."""
        return ()

    def chart_time(self, book: Book) -> str:
        """Not known."""
        return ""

    def held_by(self, book: Book, ship: str) -> Held | None:
        """None is known."""
        return None

    def note(self, book: Book, user: Any, action: str, reason: str, *, ships: Collection[str] = ()) -> None:
        """There is no log."""


_keeper: Keeper = NoKeeper()


def keeper() -> Keeper:
    """Who answers."""
    return _keeper


def keeper_set(new: Keeper) -> None:
    """Let the room above answer from now on."""
    global _keeper
    _keeper = new


def books_of(user: Any) -> set[int] | None:
    """Keys of the books that a user may view: None for all of them. Rule: G.IN1."""
    if user.has_perm(EVERY_BOOK):
        return None
    return set(_keeper.books(user))
