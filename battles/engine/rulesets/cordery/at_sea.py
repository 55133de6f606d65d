"""The campaign's questions about a ship, answered from her card and condition as stored. Rules: C.K4, C.K12-C.K33."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from battles.engine.core import at_sea
from battles.engine.core.at_sea import Mark, Work, hull_class
from battles.engine.rulesets.cordery.card import Card
from battles.engine.rulesets.cordery.condition import Condition, lost_systems
from battles.engine.rulesets.cordery.tables import SYSTEMS, TURRETS

Doc = Mapping[str, Any]
ANCHORED = "anchored"

_STEPS = 4
_HALF = Fraction(1, 2)
# Battery units of a yard: a turret takes two, a battery or the engines one. Rule: C.K14.
_TURRET_UNITS = 2
_LABELS = {
    "turret_fore": ("Fore turret in action", "C.H3"),
    "turret_aft": ("Aft turret in action", "C.H3"),
    "battery_port": ("Port battery in action", "C.H5"),
    "battery_stbd": ("Starboard battery in action", "C.H5"),
}


def _read(card: Doc, condition: Doc) -> tuple[Card, Condition]:
    return Card.from_dict(card), Condition.from_dict(condition)


class AtSea(at_sea.AtSea):
    """Pure functions of card and condition documents.

    Nothing is mended at sea and nothing strains there; there are no masts and no guns ashore (C.K25, C.K27, C.K30).
    """

    def sound(self, card: Doc) -> dict[str, Any]:
        """The condition of an undamaged ship. Rule: C.K26."""
        return Condition.sound(Card.from_dict(card)).to_dict()

    def hull_fraction(self, card: Doc, condition: Doc) -> Fraction:
        """Share of the flotation points lost. Rules: C.K3, C.K12."""
        made, now = _read(card, condition)
        return Fraction(made.fp - now.fp, made.fp)

    def steps_lost(self, card: Doc, condition: Doc) -> int:
        """Whole quarters of the flotation points lost. Rule: C.K13."""
        return int(_STEPS * self.hull_fraction(card, condition))

    def work(self, card: Doc, condition: Doc) -> Work:
        """What a yard has to do: the hull by its share, turrets, batteries and engines in battery units. Rules: C.K4, C.K14."""
        made, now = _read(card, condition)
        lost = lost_systems(made, now)
        units = sum(_TURRET_UNITS if name in TURRETS else 1 for name in lost)
        return Work(
            hull_class(self.hull_fraction(card, condition)), 0, units + now.engines_hit - now.turret_half
        )

    def mend(self, card: Doc, condition: Doc, *, done: str, men: int, complement: int) -> dict[str, Any]:
        """The condition after finished work: all flotation points for the hull, one unit for a battery.

        Units give back the engines first, then turrets, fore before aft, then batteries, port first. Raises ValueError for work that is
        none. Rule: C.K15.
        """
        made, now = _read(card, condition)
        if done == "hull":
            return replace(now, fp=made.fp).to_dict()
        if done == "battery":
            return _unit_done(made, now).to_dict()
        if done in ("mast", "recruits"):
            return now.to_dict()
        raise ValueError(f"no work called {done!r}; there is hull, mast, battery, recruits")

    def sea_speed(self, card: Doc, condition: Doc) -> Fraction:
        """Half with engines hit or flooded, so that she is caught again. Rules: C.K6, C.K16."""
        return _HALF if Condition.from_dict(condition).engines_hit else Fraction(1)

    def no_go(self, card: Doc, condition: Doc) -> int:
        """None: steam. Rule: C.K17."""
        return 0

    def men(self, card: Doc, condition: Doc, complement: int) -> int:
        """Half the share of the hull that is lost falls with it, rounded half up. Rules: C.K9, C.K18."""
        return int(complement * (1 - _HALF * self.hull_fraction(card, condition)) + _HALF)

    def can_sail(self, card: Doc, men: int, complement: int) -> bool:
        """A tenth of her people can sail her. Rule: C.K19."""
        return 10 * men >= complement

    def value(self, card: Doc, condition: Doc) -> Fraction:
        """Flotation points left. Rule: C.K20."""
        return Fraction(Condition.from_dict(condition).fp)

    def whole_value(self, card: Doc) -> Fraction:
        """Flotation points undamaged. Rule: C.K20."""
        return Fraction(Card.from_dict(card).fp)

    def pounds(self, card: Doc, condition: Doc) -> int:
        """Her whole worth by the share of the points left, rounded down. Rule: C.K29."""
        made, now = _read(card, condition)
        return made.pounds * now.fp // made.fp

    def deep(self, card: Doc) -> bool:
        """Whether she is too deep for shoals. Rule: C.K21."""
        return Card.from_dict(card).deep

    def steam(self, card: Doc) -> bool:
        """Every ship of the set goes by steam. Rule: C.K30."""
        return True

    def hit(self, card: Doc, condition: Doc, hits: int) -> dict[str, Any]:
        """One point for every two hits or part of two. Rule: C.K28."""
        now = Condition.from_dict(condition)
        return replace(now, fp=max(0, now.fp - -(-hits // 2))).to_dict()

    def mast_lost(self, card: Doc, condition: Doc) -> dict[str, Any]:
        """Her condition after the chart's long shot: the next quarter of her points is gone, but she does not sink. Rule: C.K27."""
        made, now = _read(card, condition)
        marks = [max(1, made.fp * quarters // _STEPS) for quarters in (3, 2, 1)]
        left = next((mark for mark in marks if mark < now.fp), min(1, now.fp))
        return replace(now, fp=left).to_dict()

    def at_anchor(self, scenario: Doc, side: str) -> dict[str, Any]:
        """Every ship of the side is anchored. Rule: C.K31."""
        return {
            **scenario,
            "sides": [_anchored(row) if row["id"] == side else row for row in scenario["sides"]],
        }

    def marks(self, card: Doc, condition: Doc) -> tuple[Mark, ...]:
        """What a table writes on her card: points left, systems that stand, engines. Rule: C.K32."""
        made, now = _read(card, condition)
        return (
            Mark("fp", "Flotation points left", now.fp, 0, made.fp, "C.D1"),
            *(
                Mark(name, label, int(getattr(now, name)), 0, 1, clause)
                for name, (label, clause) in _LABELS.items()
                if getattr(made, name)
            ),
            Mark("engines_hit", "Engines hit or flooded", int(now.engines_hit), 0, 1, "C.H4"),
        )

    def with_marks(self, card: Doc, condition: Doc, values: Mapping[str, int]) -> dict[str, Any]:
        """Her condition with these marks; a turret marked standing is no longer half mended. Rule: C.K32."""
        now = Condition.from_dict(condition)
        standing = {name: bool(values[name]) for name in SYSTEMS if name in values}
        back = any(standing.get(name) and not getattr(now, name) for name in TURRETS)
        return replace(
            now,
            fp=values["fp"],
            engines_hit=bool(values["engines_hit"]),
            turret_half=now.turret_half and not back,
            **standing,
        ).to_dict()


def _unit_done(card: Card, now: Condition) -> Condition:
    """One battery unit of work is finished. Rule: C.K15."""
    lost = lost_systems(card, now)
    if now.engines_hit:
        return replace(now, engines_hit=False)
    if not lost:
        return now
    if lost[0] in TURRETS and not now.turret_half:
        return replace(now, turret_half=True)
    return replace(now, turret_half=False, **{lost[0]: True})


def _anchored(side: Doc) -> dict[str, Any]:
    squadrons = []
    for squadron in side["squadrons"]:
        ships = []
        for ship in squadron["ships"]:
            tags = [*ship["facts"].get("tags", ()), ANCHORED]
            ships.append({**ship, "facts": {**ship["facts"], "tags": list(dict.fromkeys(tags))}})
        squadrons.append({**squadron, "ships": ships})
    return {**side, "squadrons": squadrons}


AT_SEA = AtSea()
