"""Orders tried out before they are given: every refusal, and when the fleet will be where. Rules: G.MV3, G.IN1.

Nothing of an enemy is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from battles.engine.core.errors import OrderFault
from battles.engine.pinned.archives import RulesMissing
from campaign.calendar import chart_time, spoken
from campaign.models import Turn
from campaign.pinned.use import rules_of
from campaign.rules.chart.types import FleetOrder
from campaign.rules.orders.orders import order_faults
from campaign.rules.turn.forecast import passage
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import pure_theatre, turn_facts


@dataclass(frozen=True, slots=True)
class TrialStage:
    """A place that the fleet comes to. when: date and time in words; in_turn: before the turn is over."""

    name: str
    when: str
    in_turn: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """How orders will go. faults: why they would be refused; then there are no stages. arrives: False after four weeks at sea."""

    faults: tuple[OrderFault, ...]
    stages: tuple[TrialStage, ...]
    arrives: bool


def order_trial(turn: Turn, order: FleetOrder) -> Trial:
    """Try an order as the turn stands, by the functions that will judge and sail it. Rules: G.MV1, G.MV3."""
    facts, _ = turn_facts(turn)
    try:
        use = rules_of(turn)
        faults = use(order_faults)(facts, order)
    except RulesMissing as missing:
        faults = (OrderFault("order/no-rules", "G.FA1", str(missing)),)
    if faults:
        return Trial(faults, (), False)
    tried = use(passage)(facts, order)
    places = pure_theatre(turn.campaign.theatre).places
    start = turn.campaign.start_date
    return Trial(
        (),
        tuple(
            TrialStage(short_name(places[s.place].name), spoken(chart_time(start, s.hour)), s.in_turn)
            for s in tried.stages
        ),
        tried.arrives,
    )
