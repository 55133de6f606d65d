"""The only ways from an address to a campaign, a fleet or a turn. Without a role in it, a person gets a 404.

Rules: G.IN1, G.IN4.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import Http404

from campaign.models import Campaign, Membership, PublicPage, Station, Turn
from campaign.selectors.people.knowing import fleets_in_sight

Role = Membership.Role


def may_start_campaigns(user: User) -> bool:
    """Whether a person may start campaigns: everyone with an account, or who is named, as `settings.CAMPAIGNS_BY` has it."""
    if not user.is_authenticated or not user.is_active:
        return False
    return settings.CAMPAIGNS_BY == "everyone" or user.has_perm("campaign.add_campaign")


def campaign_for_member_or_404(user: User, code: str) -> tuple[Campaign, Membership]:
    """A campaign and the reader's part in it. Raises Http404 for everyone who has none."""
    try:
        membership = Membership.objects.select_related(
            "campaign__book", "campaign__theatre", "side__navy", "user"
        ).get(campaign__book__code=code, user=user)
    except Membership.DoesNotExist:
        raise Http404("no such campaign for this reader") from None
    return membership.campaign, membership


def campaign_for_umpire_or_404(user: User, code: str) -> tuple[Campaign, Membership]:
    """A campaign for its umpire. Raises Http404 for everyone else. Rule: G.UM1."""
    campaign, membership = campaign_for_member_or_404(user, code)
    if membership.role != Role.UMPIRE:
        raise Http404("the umpire's alone")
    return campaign, membership


def campaign_for_admiral_or_404(user: User, code: str) -> tuple[Campaign, Membership]:
    """A campaign for one of its admirals, whose membership names their side. Raises Http404 for everyone else."""
    campaign, membership = campaign_for_member_or_404(user, code)
    if membership.role != Role.ADMIRAL or membership.side is None:
        raise Http404("an admiral's alone")
    return campaign, membership


def public_campaign_or_404(code: str) -> tuple[Campaign, PublicPage]:
    """A campaign that strangers may read, with how much of it. Raises Http404 for every other. Rule: G.IN1."""
    try:
        page = PublicPage.objects.select_related("campaign__book", "campaign__theatre").get(
            campaign__book__code=code, open=True
        )
    except PublicPage.DoesNotExist:
        raise Http404("no such public campaign") from None
    return page.campaign, page


def anyone(campaign: Campaign) -> Membership:
    """A reader who knows what everyone may know: an observer who is nobody. It is in no table and stays out of them."""
    return Membership(campaign=campaign, role=Role.OBSERVER)


def reads_everything(membership: Membership) -> bool:
    """Whether a reader may know everything: the umpire, and every observer once the campaign is over. Rules: G.EN1, G.IN3."""
    over = membership.campaign.status == Campaign.Status.CLOSED
    return membership.role == Role.UMPIRE or (membership.role == Role.OBSERVER and over)


def station_for_member_or_404(membership: Membership, fleet_code: str) -> Station:
    """A fleet's station, with its fleet: of the reader's own side, of any side for the umpire. Raises Http404. Rule: G.IN1."""
    stations = stations_for(membership, ended=True)
    try:
        return stations.get(fleet__code=fleet_code)
    except Station.DoesNotExist:
        raise Http404("no such fleet for this reader") from None


def stations_for(membership: Membership, *, ended: bool = False) -> Any:
    """Stations of the fleets that a member may see: their side's, all for the umpire, an observer's when the campaign is over.

    In a campaign that is played by ship an admiral sees those that they command. Rules: G.IN1, G.IN4.
    """
    stations = Station.objects.select_related("fleet__navy").order_by("fleet__navy__code", "fleet__code")
    if reads_everything(membership):
        stations = stations.filter(fleet__navy__book=membership.campaign.book_id)
    elif membership.side is not None:
        stations = stations.filter(fleet__navy=membership.side.navy_id)
        keys = fleets_in_sight(membership)
        if keys is not None:
            stations = stations.filter(fleet__in=keys)
    else:
        return stations.none()
    return stations if ended else stations.filter(fleet__ended=False)


def fleet_names(membership: Membership) -> dict[str, str]:
    """By code the names of all fleets that a member may see, those that have ended among them. One query."""
    rows = stations_for(membership, ended=True).order_by()
    return dict(rows.values_list("fleet__code", "fleet__name"))


def current_turn(campaign: Campaign) -> Turn | None:
    """The turn that a campaign is in, without its documents; None before the first has opened."""
    return campaign.turns.order_by("-number").first()


def turn_for_member_or_404(campaign: Campaign, number: int) -> Turn:
    """A turn of a campaign by its number, without its documents. Raises Http404."""
    try:
        return campaign.turns.get(number=number)
    except Turn.DoesNotExist:
        raise Http404("no such turn") from None


def may_know_battle(membership: Membership, fleets: dict[str, list[str]]) -> bool:
    """Whether a member knows of a battle at once: the umpire of every one, an admiral of those that their side fights.

    fleets: codes by side. Where it is played by ship, those that their own fleets fight. Rules: G.IN1, G.IN4.
    """
    if membership.role == Membership.Role.UMPIRE:
        return True
    if membership.side is None or membership.side.code not in fleets:
        return False
    keys = fleets_in_sight(membership)
    if keys is None:
        return True
    own = membership.side.navy.fleets.filter(pk__in=keys, code__in=fleets[membership.side.code])
    return bool(own.exists())
