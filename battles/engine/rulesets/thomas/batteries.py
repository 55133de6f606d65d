"""Which battery goes first when one is shot away or thrown overboard. Rules: T.B11a, T.O7a."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from battles.engine.rulesets.thomas.tables import Arc, Gun

_ARCS = (Arc.ASTERN, Arc.AHEAD, Arc.PORT, Arc.STARBOARD)
_GUNS = (Gun.SHORT, Gun.MEDIUM, Gun.LONG)


class Mounted(Protocol):
    """A battery of a card or of a ship."""

    @property
    def gun(self) -> Gun: ...
    @property
    def arc(self) -> Arc: ...
    @property
    def half(self) -> bool: ...


def first_to_go(
    standing: Iterable[tuple[int, Mounted]],
    *,
    covering: Collection[Arc] = (),
    only: Collection[Arc] = tuple(Arc),
) -> int | None:
    """The number of the battery an owner gives up first, None when there is none to give.

    standing: numbered batteries that are left. covering: groups whose arc covers an enemy, kept longest. only: groups it must
    come from while one of them stands (T.B11a, six_side engaged). Rules: T.B11a, T.B11c.
    """
    left = list(standing)
    chosen = [(number, gun) for number, gun in left if gun.arc in only] or left

    def worth(row: tuple[int, Mounted]) -> tuple[bool, bool, int, int, int]:
        number, gun = row
        in_use = gun.arc in covering
        return in_use, not gun.half, _GUNS.index(gun.gun), _ARCS.index(gun.arc), number

    found = min(chosen, key=worth, default=None)
    if found is None:
        return None
    first, _ = found
    return first
