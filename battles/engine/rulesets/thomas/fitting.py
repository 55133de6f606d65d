"""A ship as she enters a battle: her card, and what earlier battles and the campaign have left of her. Rules: T.S8, T.S2a, T.C10, T.C30."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battles.engine.core.crews import complement
from battles.engine.core.scenario import ScenarioShip, Side, Squadron
from battles.engine.rulesets.thomas import condition
from battles.engine.rulesets.thomas.card import Card
from battles.engine.rulesets.thomas.condition import Condition
from battles.engine.rulesets.thomas.state import Battery, Ship, Status


def fit_out(
    side: Side, squadron: Squadron, entry: ScenarioShip, own: Card, options: dict[str, object]
) -> Ship:
    """The ship of an entry, not on the table yet. Expects a card and a condition without faults.

    Rules: T.S8, T.S2a, T.C10, T.C11, T.C30.
    """
    crew_max = own.flot_max if options["crew_equals_flotation"] else own.crew_max
    ship = Ship(
        id=entry.id,
        name=entry.name,
        side=side.id,
        squadron=squadron.id,
        nation=entry.facts.nation,
        crew_max=crew_max,
        crew_of_card=own.crew_max if crew_max != own.crew_max else 0,
        complement=entry.complement if entry.complement is not None else complement(entry.facts)[0],
        captain=entry.captain,
        is_flagship=entry.id == squadron.flagship,
        status=Status.EXPECTED,
        **_of_card(own),
        **_of_condition(own, _aboard(own, entry), crew_max),
    )
    if entry.prize:
        ship.prize_of, ship.secured = side.id, True
    return ship


def _of_card(own: Card) -> dict[str, Any]:
    """What a card says of a ship, by field."""
    same = (
        "kind", "year", "tons", "guns", "length", "beam", "speed", "turn", "flot_max", "masts", "masts_to_dismast",
        "oar_speed", "oar_turn", "deep",
    )  # fmt: skip
    return {name: getattr(own, name) for name in same}


def _of_condition(own: Card, old: Condition, crew_max: int) -> dict[str, Any]:
    """What a condition says of a ship, by field; men in the measure of her crew in this battle. Rules: T.C10, T.O2b, T.S2a."""
    lost = frozenset(old.batteries_lost)
    same = (
        "flot", "masts_lost", "thresholds_met", "jury_used", "dishonoured", "captives_tried", "guard_from",
    )  # fmt: skip
    men = ("crew_halves", "captive_halves", "guard_halves")
    return {
        **{name: getattr(old, name) for name in same},
        **{name: getattr(old, name) * crew_max // own.crew_max for name in men},
        "batteries": [Battery(one.gun, one.arc, one.half, n in lost) for n, one in enumerate(own.batteries)],
        "jury_count": old.jury_minutes // condition.MINUTES_A_MOVE,
        "jury_since": 0 if old.masts_lost and not old.jury_used else -1,
    }


def _aboard(own: Card, entry: ScenarioShip) -> Condition:
    """Her condition, sound if there is none, with the men that the scenario counts where it says something else. Rule: T.C30."""
    if entry.condition is None:
        old = condition.sound(own)
    else:
        old = Condition.from_dict(entry.condition)
    if not entry.prize and old.guard_halves:
        # Her people have her again, or her captors have bought her in: no one aboard is guard or captive any more.
        old = replace(old, crew_halves=old.guard_halves, guard_halves=0, captive_halves=0, guard_from="")
    if entry.men is None or not entry.complement or entry.prize:
        return old
    told = (entry.complement * old.crew_halves + own.crew_max) // (2 * own.crew_max)
    if told == entry.men:
        return old
    return replace(old, crew_halves=2 * entry.men * own.crew_max // entry.complement)
