"""Invitations: the umpire creates, resends and withdraws them; the person who opens the link accepts or declines. Rules: G.IN4, G.UM1.

No one is in a campaign before they accept, and no account is created for anyone. A token has 192 random bits and cannot be
guessed. Only its hash is stored, so that no one who reads the database can join.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from campaign.accounts import opening, with_article
from campaign.models import Campaign, Invitation, Membership, Side
from campaign.notices.direct import direct_mail, plain_words
from campaign.selectors.people.people import name_of, offered, part_in_words
from campaign.services.mail.notices import notice_of_open_turn, word_to_umpires
from campaign.services.people.people import berths_take
from campaign.services.roles import umpire_admit
from campaign.services.turn.readiness import invitation_over
from campaign.services.umpire_log import UmpireRefused, act_log

Role = Membership.Role
USUAL_DAYS = 14
MOST_DAYS = 60
MOST_OPEN = 200
A_DAY = timedelta(days=1)


class InvitationRefused(ValueError):
    """An invitation that cannot be accepted; the text says why. gone: it has ended for everyone."""

    def __init__(self, text: str, *, gone: bool = False) -> None:
        self.gone = gone
        super().__init__(text)


def invitation_make(
    *, campaign: Campaign, umpire: User, role: str, side: Side | None = None, chief: bool = False,
    whom: str = "", address: str = "", days: int = USUAL_DAYS,
) -> tuple[Invitation, str]:  # fmt: skip
    """Create an invitation. Returns it with the whole link, which cannot be shown again. Raises UmpireRefused.

    An emailed link is shown to no one else, not even the umpire: the person who opens it has read the email.

    address: where `invitation_mail` is to send it, "" for nowhere; counts towards the umpire's daily limit. days: how long the link
    works, 1 to 60. The log says which role is offered, not to whom.
    """
    if role not in Role.values or (role == Role.ADMIRAL) != (side is not None):
        raise UmpireRefused("Choose a role: umpire, observer, or admiral of a side.")
    if side is not None and side.campaign_id != campaign.pk:
        raise UmpireRefused("That side is not in this campaign. Choose another.")
    if not 1 <= days <= MOST_DAYS:
        raise UmpireRefused(f"An invitation can last 1 to {MOST_DAYS} days. Change the number of days.")
    if campaign.status == Campaign.Status.CLOSED:
        raise UmpireRefused(f"{campaign.name} is over. No one can join it.")
    chief = chief and side is not None
    if chief and _chief_of(side) is not None:
        raise UmpireRefused(
            f"{opening(with_article(str(side)))} has a commander-in-chief. Invite an admiral instead. "
            "You can make them commander-in-chief later."
        )
    waiting = campaign.invitations.unanswered()
    if waiting.count() >= MOST_OPEN:
        raise UmpireRefused(f"You have {MOST_OPEN} open invitations, which is the limit. Withdraw some.")
    if address and waiting.filter(address__iexact=address, expires__gt=timezone.now()).exists():
        raise UmpireRefused(f"{address} already has an invitation. Send it again, or withdraw it first.")
    token, now = secrets.token_urlsafe(24), timezone.now()
    with transaction.atomic():
        if address:
            _mail_allow(umpire, address)
        made = Invitation.objects.create(
            campaign=campaign,
            role=role,
            side=side,
            chief=chief,
            whom=whom.strip()[:80],
            address=address,
            mailed=now if address else None,
            token_hash=_hash(token),
            made_by=umpire.get_username(),
            expires=now + timedelta(days=days),
        )
        act_log(
            campaign=campaign,
            actor=umpire.get_username(),
            action="invited someone",
            reason=f"to be {offered(made)}",
        )
    return made, _link(token)


def invitation_mail(*, invitation: Invitation, link: str, connection: Any | None = None) -> bool:
    """Email an invitation's link, whether or not that address has an account. Returns whether the server accepted it."""
    sent = direct_mail(
        stem="invitation",
        to=invitation.address,
        context={
            "title": plain_words(invitation.campaign.name),
            "theatre": invitation.campaign.theatre,
            "invitation": invitation,
            "part": offered(invitation),
            "by": plain_words(invitation.made_by.partition("@")[0]),
            "link": link,
        },
        connection=connection,
    )
    if not sent:
        invitation_unsent(invitation=invitation)
    return sent


def invitation_unsent(*, invitation: Invitation) -> None:
    """Note that an invitation's email was not sent: it does not count and can be sent again."""
    Invitation.objects.filter(pk=invitation.pk).update(mailed=None)
    invitation.mailed = None


def invitation_again(*, invitation: Invitation, umpire: User) -> tuple[Invitation, str]:
    """Give an invitation a new link, to be sent with `invitation_mail`; the old one stops working. Raises UmpireRefused.

    It lasts for as many days as it did at first. One address gets one email a day.
    """
    if not invitation.address:
        raise UmpireRefused("This invitation has no address. Withdraw it and create another.")
    if invitation.campaign.status == Campaign.Status.CLOSED:
        raise UmpireRefused(f"{invitation.campaign.name} is over. No one can join it.")
    token, now = secrets.token_urlsafe(24), timezone.now()
    if invitation.mailed is not None and invitation.mailed > now - A_DAY:
        raise UmpireRefused("This invitation was sent less than a day ago. Try again tomorrow.")
    with transaction.atomic():
        _mail_allow(umpire, invitation.address)
        row = Invitation.objects.unanswered().filter(pk=invitation.pk, mailed=invitation.mailed)
        lasts = invitation.expires - (invitation.mailed or invitation.made)
        new = {"token_hash": _hash(token), "mailed": now, "expires": now + lasts}
        if not row.update(made_by=umpire.get_username(), **new):
            raise UmpireRefused("That invitation has already been answered or withdrawn.")
        _log(invitation, umpire, "sent an invitation again")
    invitation.refresh_from_db()
    return invitation, _link(token)


def invitation_withdraw(*, invitation: Invitation, umpire: User) -> None:
    """Withdraw an invitation: its link stops working. Raises UmpireRefused if it has already been answered or withdrawn."""
    with transaction.atomic():
        row = Invitation.objects.unanswered().filter(pk=invitation.pk)
        if not row.update(withdrawn=timezone.now()):
            raise UmpireRefused("That invitation has already been answered or withdrawn.")
        _log(invitation, umpire, "withdrew an invitation")
        invitation_over(campaign=invitation.campaign)


def invitation_by_token(token: str) -> Invitation | None:
    """The invitation of a link; None for an unknown token."""
    rows = Invitation.objects.select_related("campaign__book", "campaign__theatre", "side__navy")
    found: Invitation | None = rows.filter(token_hash=_hash(token)).first()
    return found


def invitation_check(*, invitation: Invitation, user: User | None = None) -> None:
    """Check that someone can accept an invitation now. Raises InvitationRefused, with a sentence."""
    campaign = invitation.campaign
    if user is not None:
        part = campaign.memberships.filter(user=user).select_related("side").first()
        if part is not None:
            words = part_in_words(role=part.role, side=part.side, chief=part.chief)
            raise InvitationRefused(f"You have already joined {campaign.name}: you are {words}.")
    ask = f"Ask {invitation.made_by.partition('@')[0]} for a new one."
    if invitation.accepted is not None:
        raise InvitationRefused(f"This invitation has already been accepted. {ask}", gone=True)
    if invitation.declined is not None:
        raise InvitationRefused(f"This invitation has been declined. {ask}", gone=True)
    if invitation.withdrawn is not None:
        raise InvitationRefused(f"This invitation has been withdrawn. {ask}", gone=True)
    if invitation.expires <= timezone.now():
        raise InvitationRefused(f"This invitation has expired. {ask}", gone=True)
    if campaign.status == Campaign.Status.CLOSED:
        raise InvitationRefused(f"{campaign.name} is over. No one can join it.", gone=True)


def invitation_accept(*, invitation: Invitation, user: User) -> Membership:
    """Give someone the role they were invited to; the umpires are told. Raises InvitationRefused, with nothing changed.

    If two open the same link at once, the first gets the role. Someone invited as commander-in-chief becomes an admiral if the side
    has one by now. A side's first player takes it over from the automatic admiral, with the fleets that no one commands.
    Rule: G.IN4.
    """
    invitation_check(invitation=invitation, user=user)
    try:
        with transaction.atomic():
            return _join(invitation, user)
    except IntegrityError:
        raise InvitationRefused(f"You have already joined {invitation.campaign.name}.") from None


def invitation_decline(*, invitation: Invitation) -> None:
    """Decline an invitation, which needs no account; the umpires are told. Raises InvitationRefused."""
    invitation_check(invitation=invitation)
    campaign, part = invitation.campaign, offered(invitation)
    with transaction.atomic():
        row = Invitation.objects.unanswered().filter(pk=invitation.pk)
        if not row.update(declined=timezone.now()):
            raise InvitationRefused("This invitation has already been answered or withdrawn.", gone=True)
        whom = invitation.whom or invitation.address or "Someone"
        word_to_umpires(
            campaign=campaign,
            event=f"{campaign.code}-declined-{invitation.pk}",
            title="an invitation has been declined",
            text=f"{whom} has declined your invitation to be {part}.",
            page="people",
        )
        invitation_over(campaign=campaign)


def _join(invitation: Invitation, user: User) -> Membership:
    campaign, side, now = invitation.campaign, invitation.side, timezone.now()
    open_ = Invitation.objects.unanswered().filter(pk=invitation.pk, expires__gt=now)
    if not open_.update(accepted=now, accepted_by=user):
        raise InvitationRefused("This invitation has already been accepted or withdrawn.", gone=True)
    chief = invitation.chief and _chief_of(side) is None
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
            more = " The automatic admiral has handed over the side."
        notice_of_open_turn(membership=member)
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
        text=f"{name} has accepted your invitation and is now {part}.{more}",
        page="people",
    )
    return member


def _mail_allow(umpire: User, address: str) -> None:
    """Check that a person may have one more invitation emailed today. Raises UmpireRefused. Call it in the transaction that notes it.

    Members of campaigns they umpire are not strangers, and do not count. Whether an address has an account makes no difference:
    otherwise the limit would reveal it.
    """
    get_user_model().objects.select_for_update().get(pk=umpire.pk)  # two at once are counted one by one
    own = Membership.objects.filter(user=umpire, role=Role.UMPIRE).values("campaign")
    emails = Membership.objects.filter(campaign__in=own).values_list("user__email", flat=True)
    known = {email.casefold() for email in emails}
    if address.casefold() in known:
        return
    lately = Invitation.objects.filter(made_by=umpire.get_username(), mailed__gt=timezone.now() - A_DAY)
    strangers = [to for to in lately.values_list("address", flat=True) if to.casefold() not in known]
    most = settings.INVITATIONS_PER_DAY
    if len(strangers) >= most:
        raise UmpireRefused(
            f"You have sent {len(strangers)} invitations in 24 hours, and the limit is {most}. "
            "Leave the address empty and send the link yourself, or try again later."
        )


def _link(token: str) -> str:
    return f"{settings.SITE_URL}{reverse('join', args=[token])}"


def _log(invitation: Invitation, umpire: User, action: str) -> None:
    reason = f"to be {offered(invitation)}"
    act_log(campaign=invitation.campaign, actor=umpire.get_username(), action=action, reason=reason)


def _chief_of(side: Side | None) -> Membership | None:
    return side.memberships.filter(chief=True).first() if side is not None else None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
