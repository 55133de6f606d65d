"""The umpire's digest: once a day at 07:00 in their time zone, if there is anything to tell. Rules: G.UM1, G.UM2."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from campaign.models import Campaign, Membership
from campaign.notices import kinds
from campaign.notices.write import notice_write
from campaign.selectors.desk.morning import morning_of
from campaign.selectors.people.absences import zone_of

HOUR = 7  # by the umpire's clock


def umpire_digests_write(now: datetime) -> int:
    """Write the digests that are due. Twice, and by two sweeps at once, each is written once. Returns how many were.

    An umpire is thought of once a day, whether there is anything to tell him or not, so a round that finds no one due is one query.
    """
    going = (Campaign.Status.ACTIVE, Campaign.Status.PAUSED, Campaign.Status.FAILED)
    umpires = Membership.objects.filter(role=Membership.Role.UMPIRE, campaign__status__in=going)
    # before yesterday: no one's clock is further apart
    perhaps = Q(digested=None) | Q(digested__lt=(now + timedelta(days=1)).date())
    rows = umpires.filter(perhaps).select_related(
        "campaign__book", "campaign__theatre", "user__notice_preferences"
    )
    return sum(_digest(member, now) for member in rows)


def _digest(member: Membership, now: datetime) -> bool:
    here = now.astimezone(zone_of(member))
    morning = here.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if here < morning:
        morning -= timedelta(days=1)
    day = morning.date()
    if member.digested is not None and member.digested >= day:
        return False
    with transaction.atomic():
        mine = Membership.objects.filter(Q(digested=None) | Q(digested__lt=day), pk=member.pk)
        if not mine.update(digested=day) or (member.joined is not None and member.joined >= morning):
            return False
        told = morning_of(member.campaign, now)
        if not told.anything:
            return False
        context: dict[str, Any] = {"told": told, "day": day, "turn": told.turn}
        notice = notice_write(
            campaign=member.campaign,
            kind=kinds.UMPIRE_DIGEST,
            event=f"{member.campaign.code}-umpire-digest-{day:%Y%m%d}",
            user=member.user,
            context=context,
        )
    return notice is not None
