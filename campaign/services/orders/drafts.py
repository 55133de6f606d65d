"""Drafts: what a member has typed of a fleet's orders and not given yet, kept on the server for them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from campaign.as_typed import LONGEST_VALUE, as_typed
from campaign.models import Membership, OrderDraft, Turn
from campaign.selectors.people.commanding import may_command

if TYPE_CHECKING:
    from fleets.models import Fleet

LONGEST_ROUTE = 200  # places


def draft_save(
    *,
    turn: Turn,
    membership: Membership,
    fleet: Fleet,
    route: Sequence[str],
    fields: Mapping[str, Any],
    state_no: int,
) -> bool:
    """Keep what a member has typed, right or wrong. Returns False, and keeps nothing, where they could not give it.

    fields: as the form has them. state_no: number of the order that they saw, 0 for none.
    """
    if turn.phase != Turn.Phase.OPEN or not may_command(membership=membership, fleet=fleet):
        return False
    document = {
        "route": [str(code)[:LONGEST_VALUE] for code in route[:LONGEST_ROUTE]],
        "fields": {name: as_typed(value) for name, value in fields.items()},
    }
    OrderDraft.objects.update_or_create(
        turn=turn, membership=membership, fleet=fleet, defaults={"document": document, "state_no": state_no}
    )
    return True


def draft_drop(*, turn: Turn, membership: Membership, fleet: Fleet) -> None:
    """Forget what a member has typed. Twice is harmless."""
    OrderDraft.objects.filter(turn=turn, membership=membership, fleet=fleet).delete()
