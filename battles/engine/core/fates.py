"""The one list of fates that engine, web board, table and campaign share. Rule: G.BT3."""

from __future__ import annotations

from enum import StrEnum


class Fate(StrEnum):
    """What became of a ship in a battle. Rule: G.BT3."""

    AFLOAT = "afloat"
    CAPTURED = "captured"
    SUNK = "sunk"
    BLOWN_UP = "blown up"
    BURNT = "burnt"
    FOUNDERED = "foundered"
    WRECKED = "wrecked"
    SCUTTLED = "scuttled"
    INTERNED = "interned"
    MISSING = "missing"

    @property
    def lost(self) -> bool:
        """Whether the ship is no more: she never sails again under any flag."""
        return self in _LOST


_LOST = frozenset(
    {Fate.SUNK, Fate.BLOWN_UP, Fate.BURNT, Fate.FOUNDERED, Fate.WRECKED, Fate.SCUTTLED, Fate.MISSING}
)


class Flag(StrEnum):
    """What else is true of a ship afloat. Rule: G.BT3."""

    WITHDREW = "withdrew"
    AGROUND = "aground"
    DISABLED = "disabled"
    STRUCK = "struck"
