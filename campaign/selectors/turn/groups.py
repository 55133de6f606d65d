"""Which fleets sail by themselves. Rule: G.KT2."""

from __future__ import annotations

from campaign.models import Campaign, SideOrder, Turn


def groups_now(campaign: Campaign, turn: Turn | None) -> frozenset[str]:
    """Codes of the fleets that sail by themselves as a turn's orders stand. Rule: G.KT2."""
    fleets = campaign.carried.get("fleets", {})
    groups = {code for code, row in fleets.items() if row.get("group")}
    if not groups:
        return frozenset()
    standing = {row["side"]: row for row in campaign.carried.get("economy", {}).get("orders", ())}
    if turn is not None:
        rows = SideOrder.objects.filter(turn=turn).select_related("side__navy")
        standing |= {row.side.code: row.document for row in rows}
    return frozenset(groups.difference(*(order.get("in_hand", ()) for order in standing.values())))
