"""Invitations by link: made and withdrawn by the umpire, taken by whoever opens the link. Rules: G.IN4, G.UM1.

A token has 192 random bits and cannot be guessed; only its hash is stored, so that nobody who reads the database can take a part.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Invitation, Membership, Side
from campaign.notices.direct import direct_mail
from campaign.selectors.people import name_of, part_in_words
from campaign.services.notices import word_to_umpires
from campaign.services.people import berths_take
from campaign.services.roles import umpire_admit
from campaign.services.umpire_log import UmpireRefused, act_log

Role = Membership.Role
MOST_DAYS = 60
MOST_OPEN = 200


class InvitationRefused(ValueError):
    """An invitation that cannot be taken; the text says why. gone: it is over for everybody."""

    def __init__(self, text: str, *, gone: bool = False) -> None:
        self.gone = gone
        super().__init__(text)


def invitation_make(
    *, campaign: Campaign, umpire: Any, role: str, side: Side | None = None, chief: bool = False,
    whom: str = "", days: int = 14,
) -> tuple[Invitation, str]:  # fmt: skip
    """Make an invitation. Returns it with the whole link, which is nowhere to be read again. Raises UmpireRefused.

    days: how long the link is good, 1 to 60. The log says what part is offered, not to whom.
    """
    if role not in Role.values or (role == Role.ADMIRAL) != (side is not None):
        raise UmpireRefused("Choose a part: umpire, observer, or admiral of a side.")
    if side is not None and side.campaign_id != campaign.pk:
        raise UmpireRefused("There is no such side in this campaign.")
    if not 1 <= days <= MOST_DAYS:
        raise UmpireRefused(f"An invitation is good for 1 to {MOST_DAYS} days.")
    if campaign.status == Campaign.Status.CLOSED:
        raise UmpireRefused(f"{campaign.name} is over; nobody can join it.")
    chief = chief and side is not None
    if chief and _chief_of(side) is not None:
        raise UmpireRefused(f"{side} has a commander in chief. Invite an admiral, and name him later.")
    if campaign.invitations.filter(accepted=None, withdrawn=None).count() >= MOST_OPEN:
        raise UmpireRefused("There are too many open invitations; withdraw some.")
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        made = Invitation.objects.create(
            campaign=campaign,
            role=role,
            side=side,
            chief=chief,
            whom=whom.strip()[:80],
            token_hash=_hash(token),
            made_by=umpire.get_username(),
            expires=timezone.now() + timedelta(days=days),
        )
        act_log(
            campaign=campaign,
            actor=umpire.get_username(),
            action="invited somebody",
            reason=f"to be {part_in_words(role=role, side=side, chief=chief)}",
        )
    return made, f"{settings.SITE_URL}{reverse('join', args=[token])}"


def invitation_mail(*, invitation: Invitation, link: str, address: str) -> bool:
    """Mail an invitation's link, the same whether there is an account of that address or not. Returns whether the server took it."""
    sent = direct_mail(
        stem="invitation",
        to=address,
        context={
            "campaign": invitation.campaign,
            "invitation": invitation,
            "part": _part(invitation),
            "by": invitation.made_by.partition("@")[0],
            "link": link,
        },
    )
    if sent:
        Invitation.objects.filter(pk=invitation.pk).update(address=address)
        invitation.address = address
    return sent


def invitation_withdraw(*, invitation: Invitation, umpire: Any) -> None:
    """Make an invitation's link worthless. Raises UmpireRefused for one that was taken or withdrawn already."""
    with transaction.atomic():
        row = Invitation.objects.filter(pk=invitation.pk, accepted=None, withdrawn=None)
        if not row.update(withdrawn=timezone.now()):
            raise UmpireRefused("That invitation has been taken, or is withdrawn already.")
        act_log(
            campaign=invitation.campaign,
            actor=umpire.get_username(),
            action="withdrew an invitation",
            reason=f"to be {_part(invitation)}",
        )


def invitation_by_token(token: str) -> Invitation | None:
    """The invitation of a link; None for a token that nobody made."""
    rows = Invitation.objects.select_related("campaign__book", "campaign__theatre", "side__navy")
    found: Invitation | None = rows.filter(token_hash=_hash(token)).first()
    return found


def invitation_check(*, invitation: Invitation, user: Any | None = None) -> None:
    """Whether somebody can take an invitation as things stand. Raises InvitationRefused, with a sentence."""
    campaign = invitation.campaign
    if user is not None:
        part = campaign.memberships.filter(user=user).select_related("side").first()
        if part is not None:
            words = part_in_words(role=part.role, side=part.side, chief=part.chief)
            raise InvitationRefused(f"You have a part in {campaign.name} already: you are {words}.")
    ask = f"Ask {invitation.made_by.partition('@')[0]} for another."
    if invitation.accepted is not None:
        raise InvitationRefused(f"This invitation has been taken. {ask}", gone=True)
    if invitation.withdrawn is not None:
        raise InvitationRefused(f"This invitation has been withdrawn. {ask}", gone=True)
    if invitation.expires <= timezone.now():
        raise InvitationRefused(f"This invitation was good for some days, which are over. {ask}", gone=True)
    if campaign.status == Campaign.Status.CLOSED:
        raise InvitationRefused(f"{campaign.name} is over; nobody can join it any more.", gone=True)


def invitation_accept(*, invitation: Invitation, user: Any) -> Membership:
    """Give somebody the part that he was invited to; the umpires are told. Raises InvitationRefused, with nothing changed.

    Two who open the same link at once: the first gets the part. Who was to be commander in chief is an admiral if another is by now.
    A side's first player takes it over from the automatic admiral, with the fleets that nobody commands. Rule: G.IN4.
    """
    invitation_check(invitation=invitation, user=user)
    try:
        with transaction.atomic():
            return _join(invitation, user)
    except IntegrityError:
        raise InvitationRefused(f"You have a part in {invitation.campaign.name} already.") from None


def _join(invitation: Invitation, user: Any) -> Membership:
    campaign, side, now = invitation.campaign, invitation.side, timezone.now()
    open_ = Invitation.objects.filter(pk=invitation.pk, accepted=None, withdrawn=None, expires__gt=now)
    if not open_.update(accepted=now, accepted_by=user):
        raise InvitationRefused("This invitation has been taken, or withdrawn.", gone=True)
    chief = invitation.chief and side is not None and _chief_of(side) is None
    member = Membership.objects.create(
        campaign=campaign, user=user, role=invitation.role, side=side, chief=chief
    )
    if member.role == Role.UMPIRE:
        umpire_admit(user=user)
    name, part = name_of(user), part_in_words(role=member.role, side=side, chief=chief)
    more = ""
    if side is not None:
        berths_take(membership=member)
        if Side.objects.filter(pk=side.pk, automatic=True).update(automatic=False):
            more = " The automatic admiral has handed the side over."
    act_log(
        campaign=campaign,
        actor=name,
        action="joined the campaign",
        reason=f"{part}, invited by {invitation.made_by.partition('@')[0]}.{more}",
    )
    word_to_umpires(
        campaign=campaign,
        event=f"{campaign.code}-joined-{member.pk}",
        title=f"{name} has joined",
        text=f"{name} has taken your invitation and is {part}.{more}",
        page="people",
    )
    return member


def _part(invitation: Invitation) -> str:
    return part_in_words(role=invitation.role, side=invitation.side, chief=invitation.chief)


def _chief_of(side: Side | None) -> Membership | None:
    return side.memberships.filter(chief=True).first() if side is not None else None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
