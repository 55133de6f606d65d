"""What a side of a new campaign begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fleets.models import Register


@dataclass(frozen=True, slots=True)
class SideStart:
    """A side to begin with. side: its name in the theatre's document. register, register_side: whose ships.

    admirals: addresses that are invited; until the first of them has joined, the automatic admiral commands. players: accounts that
    take part at once, for who owns them, as the demo does. automatic: the automatic admiral commands although there are players.
    """

    side: str
    register: Register
    register_side: str
    admirals: Sequence[str] = ()
    automatic: bool = False
    players: Sequence[Any] = ()
