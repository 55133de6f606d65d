"""What a member has typed of a fleet's orders and not given yet. It is theirs alone: only their own membership finds it."""

from __future__ import annotations

from campaign.models import Membership, OrderDraft, Station, Turn


def draft_of(turn: Turn, membership: Membership, station: Station) -> OrderDraft | None:
    """A member's own draft for a fleet; None when they have none, or the turn takes no orders now."""
    if turn.phase != Turn.Phase.OPEN:
        return None
    return OrderDraft.objects.filter(turn=turn, membership=membership, fleet=station.fleet_id).first()


def drafted(turn: Turn, membership: Membership) -> frozenset[int]:
    """Keys of the fleets for which a member has a draft."""
    if turn.phase != Turn.Phase.OPEN:
        return frozenset()
    rows = OrderDraft.objects.filter(turn=turn, membership=membership)
    return frozenset(rows.values_list("fleet", flat=True))
