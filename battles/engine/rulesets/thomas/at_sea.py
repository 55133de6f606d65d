"""The campaign's questions about a ship, answered from her card and condition as stored. Rules: T.C24-T.C34, T.C37, T.C38."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from battles.engine.core import at_sea
from battles.engine.core.at_sea import Mark, Work, hull_class
from battles.engine.core.dice import Dice
from battles.engine.core.scenario import Strength
from battles.engine.rulesets.thomas import condition as condition_
from battles.engine.rulesets.thomas import marks as marks_
from battles.engine.rulesets.thomas.batteries import first_to_go
from battles.engine.rulesets.thomas.card import Card
from battles.engine.rulesets.thomas.condition import Condition
from battles.engine.rulesets.thomas.tables import JURY_MOVES

Doc = Mapping[str, Any]

_HALF = Fraction(1, 2)
_BY_GUNS = Fraction(2, 3)
NO_GO, NO_GO_CRIPPLED = 45, 90
WATCH_MINUTES = 240
JURY_MINUTES = JURY_MOVES * condition_.MINUTES_A_MOVE
_KEEP_BATTERIES = 2
_LAST_THRESHOLD = 3
POUNDS_A_POINT = 100
_BLOWS = frozenset({Strength.STRONG, Strength.GALE})
_QUIET = frozenset({Strength.STILL, Strength.LIGHT})


def half_up(value: Fraction) -> int:
    """The nearest whole number, halves up. Section 8, "At sea"."""
    return int(value + _HALF)


def can_row(card: Card, condition: Condition) -> bool:
    """Whether her oars are of use still: not from three quarters damaged. Rule: T.O4h."""
    return card.oar_speed > 0 and 4 * (card.flot_max - condition.flot) < 3 * card.flot_max


def dismasted(card: Card, condition: Condition) -> bool:
    """Whether she has lost so many masts that she drifts. Rule: T.B5d."""
    return condition.masts_lost >= card.masts_to_dismast


class AtSea(at_sea.AtSea):
    """Pure functions of card and condition documents.

    Guns and flotation return only in port (T.C10). The one mast that may be replaced at sea is played watch by watch (T.C18, T.C37).
    Nothing goes by steam.
    """

    def sound(self, card: Doc) -> dict[str, Any]:
        """The condition of an undamaged ship."""
        return condition_.sound(Card.from_dict(card)).to_dict()

    def hull_fraction(self, card: Doc, condition: Doc) -> Fraction:
        """Share of the flotation lost. Rule: T.C24."""
        most = Card.from_dict(card).flot_max
        return Fraction(most - Condition.from_dict(condition).flot, most)

    def steps_lost(self, card: Doc, condition: Doc) -> int:
        """Whole quarters of the flotation lost. Rule: T.C25."""
        return int(4 * self.hull_fraction(card, condition))

    def work(self, card: Doc, condition: Doc) -> Work:
        """The yard's work: hull by the share lost, masts with a jury mast to change, batteries rounded up. Rule: T.C26."""
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        return Work(
            hull_class(self.hull_fraction(card, condition)),
            min(made.masts, state.masts_lost + state.jury_used),
            (_halves(made, state.batteries_lost) + 1) // 2,
        )

    def mend(self, card: Doc, condition: Doc, *, done: str, men: int, complement: int) -> dict[str, Any]:
        """The condition after finished work in port.

        done: "hull", "mast" (the jury mast is changed last), "battery" (a whole one before a half one), or "recruits", which
        brings her to `men` of `complement`, no one aboard being guard or captive then. Raises ValueError on anything else.
        Rules: T.C27, T.C30, T.C10.
        """
        made, before = Card.from_dict(card), Condition.from_dict(condition)
        if done == "hull":
            after = replace(before, flot=made.flot_max, thresholds_met=0)
        elif done == "mast":
            after = _with_mast(before)
        elif done == "battery":
            back = min(before.batteries_lost, key=lambda n: (made.batteries[n].half, n), default=None)
            after = replace(before, batteries_lost=tuple(n for n in before.batteries_lost if n != back))
        elif done == "recruits":
            after = before
            if complement > 0:
                crew = 2 * men * made.crew_max // complement
                after = replace(before, crew_halves=crew, guard_halves=0, captive_halves=0, guard_from="")
        else:
            raise ValueError(f"no work called {done!r}; there is hull, mast, battery, recruits")
        return after.to_dict()

    def sea_speed(self, card: Doc, condition: Doc) -> Fraction:
        """Factor on the cruising speed for masts and hands lost; a vessel that can row never falls below a half. Rule: T.C28.

        Whether a prize crew is strong enough is the campaign's to ask (T.C31).
        """
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        hands = 50 * state.crew_halves >= made.tons or state.guard_halves > 0
        speed = Fraction(1)
        if state.masts_lost:
            speed = _HALF
        if dismasted(made, state) or not hands:
            speed = Fraction(0)
        return max(speed, _HALF) if can_row(made, state) else speed

    def no_go(self, card: Doc, condition: Doc, *, strength: Strength | None = None) -> int:
        """Degrees off the wind within which she cannot lay her course; none for oars in still and light airs. Rule: T.C29."""
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        if strength in _QUIET and can_row(made, state):
            return 0
        return NO_GO_CRIPPLED if state.masts_lost else NO_GO

    def men(self, card: Doc, condition: Doc, complement: int) -> int:
        """Men left of a full complement: her own people, or the prize crew that has her. Rule: T.C30."""
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        return half_up(Fraction(complement * (state.guard_halves or state.crew_halves), 2 * made.crew_max))

    def can_sail(self, card: Doc, men: int, complement: int) -> bool:
        """Whether so many men of her complement can sail her. Rules: T.C31, T.O5."""
        made = Card.from_dict(card)
        return 100 * men * made.crew_max >= made.tons * complement

    def value(self, card: Doc, condition: Doc) -> Fraction:
        """Flotation and crew left; a third of it is that of a ship without a gun, and its batteries make the rest. Rule: T.C32."""
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        gone = _halves(made, state.batteries_lost)
        every = _halves(made, range(len(made.batteries)))
        return (state.flot + state.crew_halves // 2) * (1 - _BY_GUNS * Fraction(gone, max(1, every)))

    def whole_value(self, card: Doc) -> Fraction:
        """Flotation and crew undamaged. Rule: T.C32."""
        made = Card.from_dict(card)
        return Fraction(made.flot_max + made.crew_max)

    def pounds(self, card: Doc, condition: Doc) -> int:
        """A hundred pounds a point of flotation left. Rules: G.PR4, T.C32."""
        return POUNDS_A_POINT * Condition.from_dict(condition).flot

    def commissioned(self, card: Doc, condition: Doc, *, men: int, complement: int) -> dict[str, Any]:
        """Her prize crew is her crew, her captives are ashore, and nothing is held against her. Rules: G.PR4, T.C30, T.C22."""
        made, before = Card.from_dict(card), Condition.from_dict(condition)
        crew = 2 * men * made.crew_max // complement if complement > 0 else before.guard_halves
        return replace(
            before,
            crew_halves=crew,
            guard_halves=0,
            guard_from="",
            captive_halves=0,
            captives_tried=False,
            dishonoured=False,
        ).to_dict()

    def deep(self, card: Doc) -> bool:
        """Whether she is too deep for shoals. Rule: T.C33."""
        return Card.from_dict(card).deep

    def hit(self, card: Doc, condition: Doc, hits: int) -> dict[str, Any]:
        """Points of flotation, down to none; the quarters that this takes her past are met. Rules: G.PT1, T.C24."""
        most, before = Card.from_dict(card).flot_max, Condition.from_dict(condition)
        flot = max(0, before.flot - hits)
        met = max(before.thresholds_met, min(_LAST_THRESHOLD, 4 * (most - flot) // most))
        return replace(before, flot=flot, thresholds_met=met).to_dict()

    def mast_lost(self, card: Doc, condition: Doc) -> dict[str, Any]:
        """One mast more is gone, without a throw. Rule: T.C38."""
        most, before = Card.from_dict(card).masts, Condition.from_dict(condition)
        return replace(before, masts_lost=min(most, before.masts_lost + 1)).to_dict()

    def at_anchor(self, scenario: Doc, side: str) -> dict[str, Any]:
        """Every ship of the side lies at anchor. Rules: G.PT1, T.S22."""
        return {
            **scenario,
            "sides": [_anchored(row) if row["id"] == side else row for row in scenario["sides"]],
        }

    def watch_at_sea(
        self, card: Doc, condition: Doc, strength: Strength, dice: Dice, ship: str
    ) -> dict[str, Any]:
        """Her condition after four hours at sea: strain and the jury mast, without dice. Flotation 0: she has foundered.

        Captives rise on the chart, where it is known who holds her (G.PR2, for T.C14). Rules: T.C16, T.C37, T.C18, T.O7a.
        """
        made, state = Card.from_dict(card), Condition.from_dict(condition)
        return _jury(_strained(made, state, strength)).to_dict()

    def marks(self, card: Doc, condition: Doc) -> tuple[Mark, ...]:
        """What a table writes on her card. Rule: T.C10."""
        return marks_.marks(card, condition)

    def with_marks(self, card: Doc, condition: Doc, values: Mapping[str, int]) -> dict[str, Any]:
        """Her condition with these marks. Raises ValueError for a condition that cannot be. Rule: T.C10."""
        return marks_.with_marks(card, condition, values)


def _anchored(side: Doc) -> dict[str, Any]:
    """A side of a scenario document with all its ships at anchor. Rule: T.S22."""
    return {
        **side,
        "squadrons": [
            {
                **squadron,
                "ships": [
                    {**ship, "facts": {**ship["facts"], "tags": [*ship["facts"].get("tags", ()), "anchored"]}}
                    for ship in squadron["ships"]
                ],
            }
            for squadron in side["squadrons"]
        ],
    }


def _halves(card: Card, batteries: Iterable[int]) -> int:
    """Some of her batteries, by their numbers, in halves of a whole one."""
    return sum(1 if card.batteries[n].half else 2 for n in batteries)


def _with_mast(before: Condition) -> Condition:
    if before.masts_lost:
        return replace(before, masts_lost=before.masts_lost - 1, jury_minutes=0)
    return replace(before, jury_used=False, jury_minutes=0)


def _strained(card: Card, before: Condition, strength: Strength) -> Condition:
    """A point of flotation, or a battery thrown overboard for it while more than two stay. Rules: T.O7, T.O7a, T.C37."""
    if strength not in _BLOWS or 4 * (card.flot_max - before.flot) < 3 * card.flot_max or not before.flot:
        return before
    standing = [row for row in enumerate(card.batteries) if row[0] not in before.batteries_lost]
    if len(standing) > _KEEP_BATTERIES:
        gone = first_to_go(standing)
        assert gone is not None
        return replace(before, batteries_lost=tuple(sorted((*before.batteries_lost, gone))))
    return replace(before, flot=before.flot - 1)


def _jury(before: Condition) -> Condition:
    """Four hours' work on the one mast that may be replaced at sea. Rules: T.C18, T.O2b, T.C37."""
    if before.jury_used or not before.masts_lost:
        return before
    minutes = before.jury_minutes + WATCH_MINUTES
    if minutes < JURY_MINUTES:
        return replace(before, jury_minutes=minutes)
    return replace(before, masts_lost=before.masts_lost - 1, jury_minutes=0, jury_used=True)


AT_SEA = AtSea()
