"""What was stored of a turn, read back: a document that is wrongly shaped is told in a sentence. Rules: G.CL2, G.UM2."""

from __future__ import annotations

from battles.failures import reading
from campaign.models import Turn
from campaign.pinned.use import rules_of
from campaign.rules.chart.types import FleetOrder, Theatre, TurnFacts
from campaign.rules.state.state import TurnState
from campaign.rules.turn.snapshots import facts_from_dict


def state_of(turn: Turn) -> TurnState | None:
    """A turn's state at its last stop; None when it has none yet. Raises Unreadable and RulesMissing."""
    if turn.state is None:
        return None
    use = rules_of(turn)
    with reading(f"The stored state of turn {turn.number}"):
        return use(TurnState.from_dict)(turn.state)


def facts_of(turn: Turn, theatre: Theatre) -> tuple[TurnFacts, dict[str, FleetOrder]]:
    """A turn's facts and orders as they were when it was locked. Raises Unreadable and RulesMissing."""
    use = rules_of(turn)
    with reading(f"The stored facts of turn {turn.number}"):
        return use(facts_from_dict)(turn.snapshot or {}, theatre)
