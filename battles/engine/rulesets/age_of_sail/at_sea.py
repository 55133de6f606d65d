"""The campaign's questions about a ship. Rules: A.G2-A.G33, A.G36."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from battles.engine.core import at_sea
from battles.engine.core.at_sea import Mark, Work, hull_class
from battles.engine.core.dice import Dice
from battles.engine.core.scenario import Strength
from battles.engine.rulesets.age_of_sail.card import Card
from battles.engine.rulesets.age_of_sail.condition import DOWN, JURY, WHOLE, Condition
from battles.engine.rulesets.age_of_sail.damage import first_given_up
from battles.engine.rulesets.age_of_sail.hazards import RAISED
from battles.engine.rulesets.age_of_sail.tables import CLOSE_HAULED, SINKS_UP_TO

HITS_A_BOX = 3
REST = 6
HANDS = 10
_ROUGH = frozenset({Strength.STRONG, Strength.GALE})
_HALF = Fraction(1, 2)
Doc = Mapping[str, Any]


def _read(card: Doc, condition: Doc) -> tuple[Card, Condition]:
    return Card.from_dict(card), Condition.from_dict(condition)


def hull_fraction(card: Card, now: Condition) -> Fraction:
    """Decks and hull units lost of all; a wreck that floats counts half a box short of the whole. Rule: A.G12."""
    if now.gone:
        return Fraction(1)
    whole = 2 * card.decks + card.hull
    lost = whole - now.decks_port - now.decks_stbd - now.sent_port - now.sent_stbd - now.hull
    return min(Fraction(lost, whole), Fraction(2 * whole - 1, 2 * whole))


def damage_fraction(card: Card, now: Condition) -> Fraction:
    """Boxes lost of all, masts included, decks sent off not. Rules: A.G2, A.B13."""
    lost = card.boxes - now.boxes - now.sent_port - now.sent_stbd
    return Fraction(lost, card.boxes)


def men(card: Card, now: Condition, complement: int) -> int:
    """Men left of a complement, rounded half up. Rules: A.G9, A.G18."""
    return int(complement * (1 - damage_fraction(card, now) / 2) + _HALF)


def sinkable(now: Condition) -> bool:
    """Whether nothing of decks and hull is left. Rules: A.D11, A.G25."""
    return not (now.decks_port or now.decks_stbd or now.hull)


class AtSea(at_sea.AtSea):
    """Pure functions of card and condition. Nothing goes by steam, and there are no guns ashore. Rule: A.G31."""

    def sound(self, card: Doc) -> dict[str, Any]:
        """Nothing lost. Rule: A.G26."""
        return Condition.sound(Card.from_dict(card)).to_dict()

    def hull_fraction(self, card: Doc, condition: Doc) -> Fraction:
        """Share of decks and hull lost. Rule: A.G12."""
        return hull_fraction(*_read(card, condition))

    def steps_lost(self, card: Doc, condition: Doc) -> int:
        """Whole quarters of the hull lost. Rule: A.G13."""
        return int(4 * self.hull_fraction(card, condition))

    def work(self, card: Doc, condition: Doc) -> Work:
        """A hull job by its share lost, and every mast that is not whole. Rule: A.G14."""
        now = Condition.from_dict(condition)
        return Work(
            hull_class(self.hull_fraction(card, condition)), sum(state < WHOLE for state in now.masts)
        )

    def mend(self, card: Doc, condition: Doc, *, done: str, men: int, complement: int) -> dict[str, Any]:
        """After finished work in a yard, or when men come aboard. Rules: A.G4, A.G15."""
        made, now = _read(card, condition)
        if done == "hull":
            return replace(
                now, decks_port=made.decks - now.sent_port, decks_stbd=made.decks - now.sent_stbd, hull=made.hull
            ).to_dict()  # fmt: skip
        if done == "mast":
            return _with_mast(made, now, WHOLE).to_dict()
        if done == "recruits":
            return _home(made, now, men, complement).to_dict()
        return now.to_dict()

    def sea_speed(self, card: Doc, condition: Doc) -> Fraction:
        """Masts left of all by value, a jury mast at half. Rule: A.G16."""
        made, now = _read(card, condition)
        power = sum(value * state for value, state in zip(made.values, now.masts, strict=True))
        return Fraction(power, WHOLE * sum(made.values))

    def no_go(self, card: Doc, condition: Doc) -> int:
        """Degrees off the wind. Rules: A.G17, A.M4."""
        return CLOSE_HAULED * 45 // 2

    def men(self, card: Doc, condition: Doc, complement: int) -> int:
        """Half the share of boxes lost falls. Rule: A.G18."""
        return men(*_read(card, condition), complement)

    def can_sail(self, card: Doc, men: int, complement: int) -> bool:
        """A tenth of her complement. Rule: A.G19."""
        return HANDS * men >= complement

    def value(self, card: Doc, condition: Doc) -> Fraction:
        """Boxes left. Rule: A.G20."""
        return Fraction(Condition.from_dict(condition).boxes)

    def whole_value(self, card: Doc) -> Fraction:
        """Boxes of the card. Rule: A.G20."""
        return Fraction(Card.from_dict(card).boxes)

    def pounds(self, card: Doc, condition: Doc) -> int:
        """Her worth by what is left of her. Rule: A.G30."""
        made, now = _read(card, condition)
        return made.pounds * now.boxes // made.boxes

    def commissioned(self, card: Doc, condition: Doc, *, men: int, complement: int) -> dict[str, Any]:
        """In service with the men who are aboard. Rule: A.G30."""
        return self.mend(card, condition, done="recruits", men=men, complement=complement)

    def jury_mast(self, card: Doc, condition: Doc) -> dict[str, Any]:
        """One fallen mast stands again at half its value. Rules: A.G3, A.G27."""
        return _with_mast(*_read(card, condition), JURY).to_dict()

    def deep(self, card: Doc) -> bool:
        """Rule: A.G21."""
        return Card.from_dict(card).deep

    def hit(self, card: Doc, condition: Doc, hits: int) -> dict[str, Any]:
        """Three hits are a box, from the side with more decks left, then from the hull. Rule: A.G29."""
        now = Condition.from_dict(condition)
        for _ in range(-(-hits // HITS_A_BOX)):
            if now.decks_port or now.decks_stbd:
                side = "decks_port" if now.decks_port >= now.decks_stbd else "decks_stbd"
                now = replace(now, **{side: getattr(now, side) - 1})
            else:
                now = replace(now, hull=max(0, now.hull - 1))
        return now.to_dict()

    def mast_lost(self, card: Doc, condition: Doc) -> dict[str, Any]:
        """A mast goes outside a battle: a jury mast first, then as an owner gives them up. Rule: A.G28."""
        made, now = _read(card, condition)
        mast = first_given_up(made.masts, made.values, now.masts)
        masts = tuple(DOWN if n == mast else state for n, state in enumerate(now.masts))
        return replace(now, masts=masts).to_dict()

    def at_anchor(self, scenario: Doc, side: str) -> dict[str, Any]:
        """Every ship of the side begins at anchor. Rule: A.G32."""
        return {
            **scenario,
            "sides": [
                {**row, "squadrons": [{**squadron, "ships": [_anchored(ship) for ship in squadron["ships"]]}
                                      for squadron in row["squadrons"]]}
                if row["id"] == side else row
                for row in scenario["sides"]
            ],
        }  # fmt: skip

    def watch_at_sea(
        self, card: Doc, condition: Doc, strength: Strength, dice: Dice, ship: str
    ) -> dict[str, Any]:
        """Four hours: in a rough sea a wreck may founder, once a day. Rules: A.G7, A.G25."""
        now = Condition.from_dict(condition)
        now = replace(now, rest=max(0, now.rest - 1))
        if strength in _ROUGH and sinkable(now) and not now.rest and not now.gone:
            face = dice.d6(clause="A.G25", subjects=(ship,), reason="the high seas")
            now = replace(now, gone=True) if face <= SINKS_UP_TO else replace(now, rest=REST)
        return now.to_dict()

    def marks(self, card: Doc, condition: Doc) -> tuple[Mark, ...]:
        """What a table writes on her card. Rule: A.G33."""
        made, now = _read(card, condition)
        return (
            Mark("decks_port", "Gun decks left, port", now.decks_port, 0, made.decks, "A.C4"),
            Mark("decks_stbd", "Gun decks left, starboard", now.decks_stbd, 0, made.decks, "A.C4"),
            Mark("hull", "Hull units left", now.hull, 0, made.hull, "A.C5"),
            *(
                Mark(name, f"{name.title()}mast standing", int(state > DOWN), 0, 1, "A.C3")
                for name, state in zip(made.masts, now.masts, strict=True)
            ),
            Mark("sent_port", "Port decks away as prize crew", now.sent_port, 0, made.decks, "A.B13"),
            Mark("sent_stbd", "Starboard decks away as prize crew", now.sent_stbd, 0, made.decks, "A.B13"),
        )

    def with_marks(self, card: Doc, condition: Doc, values: Mapping[str, int]) -> dict[str, Any]:
        """Her condition with these marks. Raises ValueError for one that cannot be. Rule: A.G33."""
        made, now = _read(card, condition)
        masts = tuple(
            (state if state > DOWN else WHOLE) if values[name] else DOWN
            for name, state in zip(made.masts, now.masts, strict=True)
        )
        rest: dict[str, Any] = {name: value for name, value in values.items() if name not in made.masts}
        for side, word in (("port", "port"), ("stbd", "starboard")):
            decks = rest[f"decks_{side}"] + rest[f"sent_{side}"]
            if decks > made.decks:
                raise ValueError(
                    f"{decks} {word} decks left and sent away; the card has {made.decks} on a side"
                )
        return replace(now, masts=masts, **rest).to_dict()


def _with_mast(card: Card, now: Condition, made: int) -> Condition:
    """One mast more, of the highest value; a jury mast is changed for a whole one last. Rules: A.G15, A.G27."""
    order = [n for n, state in enumerate(now.masts) if state < made and (made == WHOLE or state == DOWN)]
    if not order:
        return now
    mast = min(order, key=lambda n: (now.masts[n] == JURY, -card.values[n], RAISED.index(card.masts[n])))
    return replace(now, masts=tuple(made if n == mast else state for n, state in enumerate(now.masts)))


def _home(card: Card, now: Condition, men: int, complement: int) -> Condition:
    """Decks whose crews are back from prizes, port first. Rules: A.G5, A.G15."""
    away = -(-2 * card.decks * (complement - min(men, complement)) // complement) if complement > 0 else 0
    back = max(0, now.sent_port + now.sent_stbd - away)
    port = min(back, now.sent_port)
    stbd = back - port
    return replace(
        now, decks_port=now.decks_port + port, sent_port=now.sent_port - port,
        decks_stbd=now.decks_stbd + stbd, sent_stbd=now.sent_stbd - stbd,
    )  # fmt: skip


def _anchored(ship: Doc) -> dict[str, Any]:
    facts = ship["facts"]
    return {**ship, "facts": {**facts, "tags": [*facts.get("tags", ()), "anchored"]}}


AT_SEA = AtSea()
