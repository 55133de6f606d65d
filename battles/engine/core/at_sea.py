"""The questions that the campaign asks of a rule set about a ship: pure functions of her card and condition, documents as stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, ClassVar, NamedTuple

from battles.engine.core.dice import Dice
from battles.engine.core.scenario import Doctrine, Strength

# Upper bounds of the share of hull lost, each belonging to its class (G.RP2).
_CLASSES = (
    (Fraction(0), "none"),
    (Fraction(1, 4), "light"),
    (Fraction(1, 2), "medium"),
    (Fraction(3, 4), "heavy"),
)
# What a set that says nothing else is taken to mean.
_STEPS = 4
_NO_GO = 60
_HANDS = 10
_POUNDS_A_POINT = 250


@dataclass(frozen=True, slots=True)
class Work:
    """What a dockyard has to do. hull: none, light, medium, heavy or worse; masts, batteries: how many. Rule: G.RP2."""

    hull: str
    masts: int = 0
    batteries: int = 0


class Mark(NamedTuple):
    """A figure of a ship's condition that a table writes on her card. least, most: its bounds. Rule: G.BT2."""

    name: str
    label: str
    value: int
    least: int
    most: int
    clause: str

    def check(self, value: int) -> None:
        """Raises ValueError for a figure out of bounds, with a sentence."""
        if not self.least <= value <= self.most:
            raise ValueError(f"{self.label} is {value}; it may be {self.least} to {self.most}")


class Vessel(NamedTuple):
    """A kind of merchantman that raiders meet. least: lowest face of the die that stands for it. points: of the set. Rule: G.NC1."""

    name: str
    least: int
    points: Fraction
    pounds: int


class Trade(NamedTuple):
    """Merchantmen at sea that no one lists. vessels: those of the highest faces first. present_at: lowest throw at which a neutral is
    met; contraband_at: at which a search finds contraband. Rule: G.NC1.
    """

    vessels: tuple[Vessel, ...]
    present_at: int
    contraband_at: int


def hull_class(lost: Fraction) -> str:
    """How a yard calls a hull of which this share is lost: none, light, medium, heavy or worse. Rule: G.RP2."""
    return next((name for most, name in _CLASSES if lost <= most), "worse")


class AtSea(ABC):
    """The campaign's questions about a ship.

    Fractions are exact. port_batteries: whether the set plays the guns of a port itself. lays_mines: whether its ships lay minefields
    (G.MN1). stays_aground: whether a ship fast when a battle ends stays so on the chart (G.SV1). strikes_by_night: whether its torpedo
    craft attack by night (G.NT1). trade: what raiders meet, None where they meet nothing (G.NC1).
    What most sets answer alike is answered here.
    """

    port_batteries: ClassVar[bool] = False
    lays_mines: ClassVar[bool] = False
    stays_aground: ClassVar[bool] = False
    strikes_by_night: ClassVar[bool] = False
    trade: ClassVar[Trade | None] = None

    @abstractmethod
    def sound(self, card: Mapping[str, Any]) -> dict[str, Any]:
        """The condition of an undamaged ship."""

    @abstractmethod
    def hull_fraction(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """Share of the hull lost, 0 to 1. It is less than 1 for every ship that is not lost. Captured ships are not lost."""

    def afloat(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> bool:
        """Whether she has hull left to float on, so that a battle can be fought with her."""
        return self.hull_fraction(card, condition) < 1

    def steps_lost(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        """Damage steps lost, what G.GF1 counts: begun quarters of the hull."""
        lost = self.hull_fraction(card, condition) * _STEPS
        return -(-lost.numerator // lost.denominator)

    def work(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Work:
        """What a yard has to do to make her whole. Rule: G.RP2."""
        return Work(hull_class(self.hull_fraction(card, condition)))

    def mend(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], *, done: str, men: int, complement: int
    ) -> dict[str, Any]:
        """The condition after finished work: done is "hull", "mast", "battery" or "recruits". The hull is all there is to mend."""
        return self.sound(card) if done == "hull" else dict(condition)

    def sea_speed(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """Factor on the chart's cruising speed for damage, 0 to 1: half of it goes with the hull. Rule: G.MV1."""
        return 1 - self.hull_fraction(card, condition) / 2

    def no_go(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        """Degrees off the wind within which she cannot lay her course, 0 for a steamer. Rules: G.MV1, G.ST3."""
        return 0 if self.steam(card) else _NO_GO

    def men(self, card: Mapping[str, Any], condition: Mapping[str, Any], complement: int) -> int:
        """Men left of a full complement after this damage: half of them fall with the hull. Rule: G.CR1."""
        return int(complement * (1 - self.hull_fraction(card, condition) / 2) + Fraction(1, 2))

    def would_leave(self, doctrine: Doctrine, lost: Fraction, against: Fraction) -> bool:
        """Whether the captains of a fleet leave a battle as soon as it begins: for what they have lost before, and the odds.

        They do when they have lost what their instructions let them lose and the enemy is stronger, or half of that and the enemy is more
        than twice as strong. lost: mean share of the hulls of the fleet. against: the enemy's strength by theirs. Rules: G.CO1, G.MV5.
        """
        most, lost = doctrine.break_off, 100 * lost
        return most < 100 and ((lost >= most and against > 1) or (2 * lost >= most and against > 2))

    def can_sail(self, card: Mapping[str, Any], men: int, complement: int) -> bool:
        """Whether so many men can sail her: a tenth of her complement."""
        return _HANDS * men >= complement

    def value(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """Her present value in the set's own points: what the hull left is worth."""
        return self.whole_value(card) * (1 - self.hull_fraction(card, condition))

    @abstractmethod
    def whole_value(self, card: Mapping[str, Any]) -> Fraction:
        """Her value undamaged."""

    def pounds(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        """What a prize court values her at as she is, in whole pounds. Rule: G.PR4."""
        return int(_POUNDS_A_POINT * self.value(card, condition))

    def commissioned(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], *, men: int, complement: int
    ) -> dict[str, Any]:
        """The condition of a prize taken into service: the men aboard are her people, no one is a captive any longer. Rule: G.PR4."""
        return dict(condition)

    def carpenters(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        """Her condition after her own carpenters have done what they may on a cruise: up to a tenth of the hull lost.

        Unchanged in sets that forbid mending at sea. Rules: G.0, G.RP1.
        """
        return dict(condition)

    def jury_mast(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        """Her condition after a quiet day at sea in which she rigged one jury mast.

        Unchanged in sets without masts, or whose own clause rigs them (in `watch_at_sea`). Rules: G.0, G.RP1.
        """
        return dict(condition)

    def deep(self, card: Mapping[str, Any]) -> bool:
        """Whether she is too deep for shoals. Rule: G.CH4."""
        return False

    def mines(self, card: Mapping[str, Any]) -> int:
        """Sections of a minefield that she can carry, 0 for who lays none. Rule: G.MN1."""
        return 0

    def mines_aboard(self, card: Mapping[str, Any]) -> int:
        """Sections that she has aboard when a campaign begins. Rule: G.MN1."""
        return 0

    def sweeps(self, card: Mapping[str, Any], year: int) -> bool:
        """Whether she sweeps mines in a year. Rule: G.MN3."""
        return False

    def mined(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], attack: int, defence: int
    ) -> dict[str, Any]:
        """Her condition after a minefield has attacked her. attack, defence: the faces of its die and of hers. Rule: G.MN2."""
        return dict(condition)

    def torpedo_craft(self, card: Mapping[str, Any]) -> bool:
        """Whether she may take part in a torpedo attack by night. Rule: G.NT1."""
        return False

    def stops_trade(self, card: Mapping[str, Any]) -> bool:
        """Whether she may stop and search merchantmen. Rule: G.NC1."""
        return False

    def steam(self, card: Mapping[str, Any]) -> bool:
        """Whether she goes by steam, whatever the wind. Rule: G.ST1."""
        return False

    @abstractmethod
    def hit(self, card: Mapping[str, Any], condition: Mapping[str, Any], hits: int) -> dict[str, Any]:
        """Her condition after so many hits in the hull, in the set's smallest unit; nothing is left at the most. Rule: G.PT1."""

    def mast_lost(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        """Her condition after a mast went outside a battle. In sets that count none her hull loses its next step, unless that sinks her.

        Rule: G.KT5.
        """
        before = self.steps_lost(card, condition)
        for hits in count(1):
            struck = self.hit(card, condition, hits)
            if not self.afloat(card, struck):
                return dict(condition)
            if self.steps_lost(card, struck) > before:
                return struck
        raise AssertionError("hits bring every hull to nothing")

    def at_anchor(self, scenario: Mapping[str, Any], side: str) -> dict[str, Any]:
        """A scenario document in which the ships of a side lie at anchor, as far as the set knows anchoring. Rule: G.PT1."""
        return dict(scenario)

    def watch_at_sea(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], strength: Strength, dice: Dice, ship: str
    ) -> dict[str, Any]:
        """Her condition after four hours at sea in this wind. Rule: G.GF2."""
        return dict(condition)

    @abstractmethod
    def marks(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> tuple[Mark, ...]:
        """What a table writes on her card, as it stands now, in the order of the result sheet. Rule: G.BT2."""

    @abstractmethod
    def with_marks(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], values: Mapping[str, int]
    ) -> dict[str, Any]:
        """Her condition with these marks, every one of them by name and within its bounds. Raises ValueError for what cannot be."""

    def marked(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], values: Mapping[str, int]
    ) -> dict[str, Any]:
        """Her condition with other marks, by name. Raises ValueError with a sentence for one that cannot be. Rule: G.BT2."""
        bounds = {mark.name: mark for mark in self.marks(card, condition)}
        for name, value in values.items():
            if name not in bounds:
                raise ValueError(f"no mark {name!r} in these rules")
            bounds[name].check(value)
        return self.with_marks(
            card, condition, {name: values.get(name, mark.value) for name, mark in bounds.items()}
        )
