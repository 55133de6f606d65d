"""The only ways from an address to a ship or a battle of a campaign. Rule: G.IN1."""

from __future__ import annotations

from typing import Any

from django.http import Http404

from battles.models import Battle
from battles.selectors import battle_of_book, battle_of_book_light
from campaign.models import Membership
from fleets.selectors import ship_of_book

Role = Membership.Role


def ship_for_member_or_404(membership: Membership, code: str) -> Any:
    """A ship that sails for the reader's side (a prize among them), any for the umpire. Raises Http404."""
    if membership.role != Role.UMPIRE and membership.side is None:
        raise Http404("no such ship for this reader")
    ship = ship_of_book(membership.campaign.book, code)
    if ship is None or not may_see_ship(membership, ship):
        raise Http404("no such ship for this reader")
    return ship


def may_see_ship(membership: Membership, ship: Any) -> bool:
    """Whether a ship's page is for this reader: she sails under his side's colours, or he is the umpire."""
    if membership.role == Role.UMPIRE:
        return True
    return membership.side is not None and ship.navy_id == membership.side.navy_id


def battle_for_member_or_404(membership: Membership, code: str, *, whole: bool) -> tuple[Battle, str | None]:
    """A battle in which the reader's side took part, any for the umpire, and the side he reads it for (None: all of it).

    whole: with roster, outcome and log. Raises Http404, for a third side too.
    """
    find = battle_of_book if whole else battle_of_book_light
    try:
        battle = find(membership.campaign.book, code)
    except Battle.DoesNotExist:
        raise Http404("no such battle for this reader") from None
    if membership.role == Role.UMPIRE:
        return battle, None
    if membership.side is None or membership.side.code not in battle.roster.navies:
        raise Http404("no such battle for this reader")
    return battle, membership.side.code
