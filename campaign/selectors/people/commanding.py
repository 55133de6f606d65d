"""Whose orders a fleet and a side take. Rule: G.IN4."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from campaign.models import Membership
from campaign.selectors.people.absences import stood_in_for
from campaign.selectors.people.knowing import fleets_in_sight

if TYPE_CHECKING:
    from fleets.models import Fleet


def may_command(*, membership: Membership, fleet: Fleet) -> bool:
    """Whether a member may give this fleet orders; see `fleets_commanded`. Rule: G.IN4."""
    return fleet.pk in fleets_commanded(membership=membership, fleets=[fleet])


def fleets_commanded(*, membership: Membership, fleets: Iterable[Fleet]) -> set[int]:
    """Keys of those of some fleets that a member may give orders: as their own admiral, or as the commander-in-chief of their side.

    Where it is played by ship the commander-in-chief orders the fleets that they see, and writes letters to the others. Who stands in
    for an admiral who is away may give what orders that one may. A few queries, whatever the fleets. Rule: G.IN4.
    """
    if membership.role != Membership.Role.ADMIRAL or membership.side is None:
        return set()
    own = {fleet.pk for fleet in fleets if fleet.navy_id == membership.side.navy_id and not fleet.ended}
    if not own:
        return own
    keys = fleets_in_sight(membership)
    if keys is not None:
        return own & keys
    found = _commands(membership, own)
    if found != own:
        found = found.union(*(_commands(absent, own) for absent in stood_in_for(membership)))
    return found


def _commands(membership: Membership, fleets: set[int]) -> set[int]:
    """Those of some fleets of their side that are a member's own, all of them for the commander-in-chief."""
    if membership.chief:
        return fleets
    return set(membership.commands.filter(fleet__in=fleets).values_list("fleet", flat=True))


def acts_as_chief(membership: Membership) -> bool:
    """Whether a member gives their side's shore orders: the commander-in-chief, or their stand-in. Rule: G.IN4."""
    return membership.chief or any(absent.chief for absent in stood_in_for(membership))
