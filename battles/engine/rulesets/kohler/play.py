"""What a turn is played with: dice, log, orders and captains; and the face of a Kohler captain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from battles.engine.core.ruleset import Table
from battles.engine.rulesets.kohler.view import View


@dataclass(frozen=True, slots=True)
class Orders:
    """One ship's orders for one turn, read from the one-line notation (see notation.py).

    tokens: as in K.M31, None = left to the captain. targets: ship id by broadside ("port", "starboard"), "" = hold fire,
    absent = left to the captain. intents: True = board, by enemy id. part: whether to part from an enemy after a round (K.B26).
    fire_ship: fire this fire ship now (token X, K.X4).
    """

    tokens: tuple[str, ...] | None = None
    targets: Mapping[str, str] = field(default_factory=dict)
    intents: Mapping[str, bool] = field(default_factory=dict)
    part: Mapping[str, bool] = field(default_factory=dict)
    fire_ship: bool = False


class KohlerCaptain(Protocol):
    """Decides for the ships of one side, from a view of that side only. Asked at the moment the rules need an answer."""

    name: str

    def begin_turn(self, view: View) -> None:
        """The wind and the order of groups are known; make the turn's plan."""
        ...

    def fire_ships(self, view: View) -> tuple[str, ...]:
        """Own fire ships to be fired now. Rule: K.X4."""
        ...

    def ship_order(self, view: View, squadron: str, ships: tuple[str, ...]) -> tuple[str, ...]:
        """The order in which the ships of a group act; the same ids, rearranged. Rule: K.I17."""
        ...

    def tokens(self, view: View, ship: str) -> tuple[str, ...]:
        """Movement tokens of a ship whose activation begins now. Rule: K.M31."""
        ...

    def boards(self, view: View, ship: str, enemy: str) -> bool:
        """Whether the ship wishes to board that enemy when they are in contact. Rule: K.B1."""
        ...

    def parts(self, view: View, ship: str, enemy: str) -> bool:
        """Whether the ship wishes to part from an enemy she is grappled to. Rule: K.B26."""
        ...

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        """Target id by broadside, "" to hold fire; a broadside left out fires by K.AI7. Rule: K.F1."""
        ...


@dataclass(slots=True)
class Play(Table):
    """Everything a step needs besides the battle itself. Rule: K.0.4.

    wind_dice: this turn's two dice for the wind, (0, 0) when none were thrown; step 1a leaves them for step 1b.
    """

    orders: Mapping[str, Orders] = field(default_factory=dict)
    captains: Mapping[str, KohlerCaptain] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    wind_dice: tuple[int, int] = (0, 0)
