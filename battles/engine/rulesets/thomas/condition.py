"""What the campaign keeps of a ship's state between battles. Rules: T.C10, T.C23."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from battles.engine.core.record import check_schema
from battles.engine.rulesets.thomas.card import Card
from battles.engine.rulesets.thomas.state import Ship

SCHEMA = 1
MINUTES_A_MOVE = 90


@dataclass(frozen=True, slots=True)
class Condition:
    """Flotation, men in half points, batteries and masts lost, and what a jury mast, captives and honour (T.C22) stand at.

    batteries_lost: their places on the card, ascending. thresholds_met: 0 to 3. jury_minutes: work done on a jury mast that is
    not up yet. guard_halves: her prize crew if she is a prize, guard_from the ship that sent it. towed_by: "" or a ship's id.
    Fires, irons, grapples and boats do not outlive a battle (T.C17, T.C36). Rules: T.C10, T.C11, T.C13.
    """

    flot: int
    crew_halves: int
    captive_halves: int = 0
    guard_halves: int = 0
    guard_from: str = ""
    batteries_lost: tuple[int, ...] = ()
    masts_lost: int = 0
    thresholds_met: int = 0
    jury_minutes: int = 0
    jury_used: bool = False
    dishonoured: bool = False
    captives_tried: bool = False
    towed_by: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {"schema": SCHEMA, **asdict(self), "batteries_lost": list(self.batteries_lost)}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Condition:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number, KeyError when a field lacks."""
        check_schema(doc, SCHEMA, "a Thomas condition")
        values = {name: doc[name] for name in _FIELDS}
        values["batteries_lost"] = tuple(values["batteries_lost"])
        return cls(**values)


_FIELDS = tuple(field.name for field in fields(Condition))


def sound(card: Card) -> Condition:
    """The condition of an undamaged ship with all her people. Rule: T.S8."""
    return Condition(flot=card.flot_max, crew_halves=2 * card.crew_max)


def of(ship: Ship) -> Condition:
    """The condition of a ship as she is now, her men counted as on her card. Rules: T.C10, T.C18, T.C37, T.S2a."""
    as_on_card = ship.crew_of_card or ship.crew_max
    crew, captives, guard = (
        halves * as_on_card // ship.crew_max
        for halves in (ship.crew_halves, ship.captive_halves, ship.guard_halves)
    )
    return Condition(
        flot=ship.flot,
        crew_halves=crew,
        captive_halves=captives,
        guard_halves=guard,
        guard_from=ship.guard_from,
        batteries_lost=tuple(n for n, one in enumerate(ship.batteries) if one.lost),
        masts_lost=ship.masts_lost,
        thresholds_met=ship.thresholds_met,
        jury_minutes=ship.jury_count * MINUTES_A_MOVE,
        jury_used=ship.jury_used,
        dishonoured=ship.dishonoured,
        captives_tried=ship.captives_tried,
        towed_by=ship.towed_by,
    )


def faults(card: Card, condition: Condition) -> tuple[str, ...]:
    """What cannot be in a condition of a ship with this card, a sentence each. Rules: T.C10, T.B5d, T.B9c."""
    found = []
    if not 0 < condition.flot <= card.flot_max:
        found.append(f"flotation is {condition.flot}; a ship afloat has 1 to {card.flot_max}")
    for name in ("crew_halves", "captive_halves", "guard_halves", "jury_minutes"):
        if getattr(condition, name) < 0:
            found.append(f"{name} is {getattr(condition, name)}; it must be 0 or more")
    if not 0 <= condition.masts_lost <= card.masts:
        found.append(f"{condition.masts_lost} masts lost of {card.masts}")
    if not 0 <= condition.thresholds_met <= 3:
        found.append(f"thresholds_met is {condition.thresholds_met}; it may be 0 to 3")
    wrong = [n for n in condition.batteries_lost if not 0 <= n < len(card.batteries)]
    if wrong or len(set(condition.batteries_lost)) != len(condition.batteries_lost):
        found.append(f"batteries lost are {list(condition.batteries_lost)} of {len(card.batteries)}")
    return tuple(found)
