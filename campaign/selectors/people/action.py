"""The only ways from an address to a ship or a battle of a campaign. Rule: G.IN1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404

from battles.models import Battle
from battles.selectors import battle_of_book, battle_of_book_light
from campaign.models import Membership
from campaign.selectors.people.access import may_know_battle, reads_everything
from campaign.selectors.people.knowing import fleets_in_sight, ken_of, turn_events
from campaign.selectors.revealed import seed_is_open
from fleets.selectors.ships import ship_of_book

if TYPE_CHECKING:
    from fleets.models import Ship

Role = Membership.Role


def ship_for_member_or_404(membership: Membership, code: str) -> Any:
    """A ship that sails for the reader's side (a prize among them), any for the umpire. Raises Http404."""
    if membership.role != Role.UMPIRE and membership.side is None:
        raise Http404("no such ship for this reader")
    ship = ship_of_book(membership.campaign.book, code)
    if ship is None or not may_see_ship(membership, ship):
        raise Http404("no such ship for this reader")
    return ship


def may_see_ship(membership: Membership, ship: Ship) -> bool:
    """Whether a ship's page is for this reader: she sails under their side's colours, or they are the umpire.

    Where it is played by ship, she sails in their fleet, or in none and they are commander-in-chief. Rules: G.IN1, G.IN4.
    """
    if membership.role == Role.UMPIRE:
        return True
    if membership.side is None or ship.navy_id != membership.side.navy_id:
        return False
    keys = fleets_in_sight(membership)
    if keys is None:
        return True
    return ship.squadron.fleet_id in keys if ship.squadron is not None else membership.chief


def battle_for_member_or_404(membership: Membership, code: str, *, whole: bool) -> tuple[Battle, str | None]:
    """A battle in which the reader's side took part, any for the umpire, and the side they read it for (None: all of it).

    For an observer, one whose seed is open: everyone can work out all of it by then. Rule: G.FA1. What was thrown on the tabletop no one
    can, so of such a battle they read what the table showed, for the side "", until they may read everything.
    whole: with roster, outcome and log. Raises Http404, for a third side too.
    """
    find = battle_of_book if whole else battle_of_book_light
    try:
        battle = find(membership.campaign.book, code)
    except Battle.DoesNotExist:
        raise Http404("no such battle for this reader") from None
    if membership.role == Role.UMPIRE or (
        membership.role == Role.OBSERVER and seed_is_open(membership.campaign, battle)
    ):
        hidden = battle.route != Battle.Route.ENGINE and not reads_everything(membership)
        return battle, "" if hidden else None
    if membership.side is None or membership.side.code not in battle.roster.navies:
        raise Http404("no such battle for this reader")
    if not _heard_of(membership, battle):
        raise Http404("no news of it has come to this reader")
    return battle, membership.side.code


def battle_for_fighter_or_404(membership: Membership, code: str) -> tuple[Battle, str | None]:
    """The same, with everything of it, for those who have a part in it: its sides and the umpire. Raises Http404 for observers."""
    if membership.role == Role.OBSERVER:
        raise Http404("an observer has no part in it")
    return battle_for_member_or_404(membership, code, whole=True)


def _heard_of(membership: Membership, battle: Battle) -> bool:
    """Whether a battle of their side is known to a reader: their own fleets fought it, or they have news of it. Rules: G.IN2, G.IN4."""
    ken = ken_of(membership)
    if ken is None:
        return True
    for contact in battle.contacts.select_related("turn"):
        if may_know_battle(membership, contact.fleets):
            return True
        contact.turn.campaign = membership.campaign
        events = turn_events(contact.turn, membership.side, ken)
        if any(kind == "battle" and data["battle"] == contact.code for _, kind, _, _, data in events):
            return True
    return False
