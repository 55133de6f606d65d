"""The campaign's questions about a ship, answered from her card and condition as stored. Rules: K.G1-K.G3, K.G15-K.G25, K.G28."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from battles.engine.core import at_sea
from battles.engine.core.at_sea import Mark
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain.weights import COMMANDER
from battles.engine.rulesets.kohler.card import Card
from battles.engine.rulesets.kohler.condition import SOUND, Condition
from battles.engine.rulesets.kohler.damage import steps_at
from battles.engine.rulesets.kohler.tables import LEVELS

Doc = Mapping[str, Any]

_HALF = Fraction(1, 2)
_SPEEDS = (Fraction(1), Fraction(2, 3), Fraction(1, 3), Fraction(0))
_NO_GO, _NO_GO_CRIPPLED = 60, 90
_HANDS = 10
# The turn from which a squadron may make sail: the last that the switch takes, and beyond any battle's.
AT_ANCHOR_TO_THE_END = 500
POUNDS_A_POINT = 250


def founders(steps_lost: int, damaged: bool, prize: bool, die: int) -> bool:
    """Whether a ship goes down in a gale: the D8, one less for a prize, must exceed her steps lost; a sound ship is safe.

    Rules: K.G1, K.G2, K.G3.
    """
    return damaged and die - prize <= steps_lost


def men_share(card: Card, condition: Condition) -> Fraction:
    """Share of the full complement left: boarding hits are men, half a share falls with the hull. Rule: K.G21."""
    lost = Fraction(condition.hits_board, card.hull_max) + Fraction(condition.hits_struct, 2 * card.hull_max)
    return max(Fraction(0), 1 - lost)


def men_left(card: Card, condition: Condition, complement: int) -> int:
    """Men left of a full complement, halves up. Rule: K.G21."""
    return int(complement * men_share(card, condition) + _HALF)


def steps(card: Card, condition: Condition) -> int:
    """Steps lost, structural and boarding hits together. Rule: K.G16."""
    return steps_at(card.thresholds, condition.hits_struct + condition.hits_board)


class AtSea(at_sea.AtSea):
    """Pure functions of card and condition documents.

    The yard's work goes by the share of hull lost alone: no masts, no batteries (K.G17). Timber is mended in a dockyard alone (K.G6,
    K.G18), and there is no strain at sea (K.G28). Nothing goes by steam.
    """

    def sound(self, card: Doc) -> dict[str, Any]:
        """The condition of an undamaged ship."""
        return SOUND.to_dict()

    def hull_fraction(self, card: Doc, condition: Doc) -> Fraction:
        """Share of the hull shot away; men are not counted. Rule: K.G15."""
        return Fraction(Condition.from_dict(condition).hits_struct, Card.from_dict(card).hull_max)

    def afloat(self, card: Doc, condition: Doc) -> bool:
        """Whether a hull point is left; those that a boarding fight cost are gone as well. Rules: K.D12, K.G15."""
        now = Condition.from_dict(condition)
        return now.hits_struct + now.hits_board < Card.from_dict(card).hull_max

    def steps_lost(self, card: Doc, condition: Doc) -> int:
        """Damage steps lost. Rule: K.G16."""
        return steps(Card.from_dict(card), Condition.from_dict(condition))

    def mend(self, card: Doc, condition: Doc, *, done: str, men: int, complement: int) -> dict[str, Any]:
        """The condition after finished work.

        done: "hull" makes the timber whole, "recruits" takes off boarding hits as far as `men` of `complement` fill her, "mast"
        and "battery" change nothing here. Raises ValueError on anything else. Rule: K.G18.
        """
        before = Condition.from_dict(condition)
        if done == "hull":
            return replace(before, hits_struct=0).to_dict()
        if done == "recruits":
            return replace(before, hits_board=_still_missing(card, before, men, complement)).to_dict()
        if done in ("mast", "battery"):
            return before.to_dict()
        raise ValueError(f"no work called {done!r}; there is hull, mast, battery, recruits")

    def sea_speed(self, card: Doc, condition: Doc, *, off_wind: int | None = None) -> Fraction:
        """Factor on the cruising speed for damage, 0 when too few men are left to sail her.

        off_wind: degrees between her course and the wind, when known: a ship at level -2 makes nothing good inside her no-go
        angle. Rules: K.G19, K.G22.
        """
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        level = LEVELS[made.n_steps][steps(made, state)]
        if _HANDS * men_share(made, state) < 1:
            return Fraction(0)
        if level == 2 and off_wind is not None and abs(off_wind) < _NO_GO_CRIPPLED:
            return Fraction(0)
        return _SPEEDS[level]

    def no_go(self, card: Doc, condition: Doc) -> int:
        """Degrees off the wind within which she cannot lay her course: 60, 90 once she has lost two hexes. Rule: K.G20."""
        made = Card.from_dict(card)
        level = LEVELS[made.n_steps][steps(made, Condition.from_dict(condition))]
        return _NO_GO_CRIPPLED if level >= 2 else _NO_GO

    def men(self, card: Doc, condition: Doc, complement: int) -> int:
        """Men left of a full complement after this damage. Rule: K.G21."""
        return men_left(Card.from_dict(card), Condition.from_dict(condition), complement)

    def can_sail(self, card: Doc, men: int, complement: int) -> bool:
        """Whether a tenth of her people are there to sail her. Rule: K.G22."""
        return _HANDS * men >= complement

    def would_leave(self, doctrine: Doctrine, lost: Fraction, against: Fraction) -> bool:
        """In line they leave a stronger enemy at two fifths of what their instructions let them lose. Guidance: K.AI11. Rule: G.CO1."""
        if doctrine.board == "pays":
            return super().would_leave(doctrine, lost, against)
        return (
            doctrine.break_off < 100
            and against > 1
            and 10_000 * lost >= COMMANDER.beaten * doctrine.break_off
        )

    def value(self, card: Doc, condition: Doc) -> Fraction:
        """Hull points left and fire points of the present step. Rule: K.G23."""
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        lost = steps(made, state)
        fire = made.fire_track[lost] if lost < made.n_steps else 0
        return max(0, made.hull_max - state.hits_struct - state.hits_board) + Fraction(fire, 2)

    def whole_value(self, card: Doc) -> Fraction:
        """Hull points and fire points undamaged. Rule: K.G23."""
        made = Card.from_dict(card)
        return made.hull_max + Fraction(made.fire_track[0], 2)

    def pounds(self, card: Doc, condition: Doc) -> int:
        """Two hundred and fifty pounds a point of her present value. Rules: G.PR4, K.G23."""
        return int(POUNDS_A_POINT * self.value(card, condition))

    def commissioned(self, card: Doc, condition: Doc, *, men: int, complement: int) -> dict[str, Any]:
        """As she is: men this set has lost come back with recruits alone. Rules: G.PR4, K.G18, K.G7."""
        return self.mend(card, condition, done="recruits", men=men, complement=complement)

    def deep(self, card: Doc) -> bool:
        """Whether she is too deep for shoals: 30 guns or more, and no Dutch or Baltic yard's build. Rule: K.G24."""
        return Card.from_dict(card).deep

    def hit(self, card: Doc, condition: Doc, hits: int) -> dict[str, Any]:
        """Structural hits, as many as her hull has left at most. Rules: G.PT1, K.G15."""
        before = Condition.from_dict(condition)
        left = Card.from_dict(card).hull_max - before.hits_struct - before.hits_board
        return replace(before, hits_struct=before.hits_struct + max(0, min(hits, left))).to_dict()

    def at_anchor(self, scenario: Doc, side: str) -> dict[str, Any]:
        """Every squadron of the side lies at anchor to the end of the battle. Rules: G.PT1, K.S9."""
        own = [s["id"] for row in scenario["sides"] if row["id"] == side for s in row["squadrons"]]
        options = dict(scenario.get("options", {}))
        anchored = {**options.get("at_anchor", {}), **dict.fromkeys(own, AT_ANCHOR_TO_THE_END)}
        return {**scenario, "options": {**options, "at_anchor": anchored}}

    def marks(self, card: Doc, condition: Doc) -> tuple[Mark, ...]:
        """What a table crosses off on her card: hull, men, and her flag officer. Rules: K.G6, K.B21."""
        most, now = Card.from_dict(card).hull_max, Condition.from_dict(condition)
        return (
            Mark("hits_struct", "Hull boxes shot away", now.hits_struct, 0, most, "K.G6"),
            Mark("hits_board", "Boxes crossed off for men", now.hits_board, 0, most, "K.B21"),
            Mark("flag_lost", "Flag officer out of action", int(not now.flag_officer_ok), 0, 1, "K.G8"),
        )

    def with_marks(self, card: Doc, condition: Doc, values: Mapping[str, int]) -> dict[str, Any]:
        """Her condition with these marks. Rules: K.G6, K.B21."""
        return Condition(values["hits_struct"], values["hits_board"], not values["flag_lost"]).to_dict()


def _still_missing(card: Doc, before: Condition, men: int, complement: int) -> int:
    """Boarding hits that recruits have not made good. Rule: K.G18."""
    if complement <= 0:
        return before.hits_board
    hull = Card.from_dict(card).hull_max
    missing = hull * (1 - Fraction(men, complement)) - Fraction(before.hits_struct, 2)
    return min(before.hits_board, max(0, -(-missing.numerator // missing.denominator)))


AT_SEA = AtSea()
