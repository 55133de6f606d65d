"""Absences and stand-ins. Days are counted in the absent person's time zone. Rule: G.IN4.

A stand-in stands in for one who is away, never for one for whom that one stands in; and one who is away himself stands in for no one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from campaign.deadlines import away_on
from campaign.models import Absence, Campaign, Membership

A_DAY = timedelta(days=1)  # no two clocks are further apart


def zone_of(member: Membership) -> ZoneInfo:
    """The time zone of a member: the one they chose, else UTC."""
    wishes = getattr(member.user, "notice_preferences", None)
    return ZoneInfo(wishes.time_zone if wishes is not None else "UTC")


def today_of(member: Membership, now: datetime | None = None) -> date:
    """The day that it is where a member is."""
    return (now or timezone.now()).astimezone(zone_of(member)).date()


def _rows(**which: Any) -> Any:
    # someone who was removed is not absent but gone
    return Absence.objects.filter(ended=None, membership__left=None, **which).select_related(
        "membership__user__notice_preferences", "membership__side__navy", "stand_in__user"
    )


def absences_now(now: datetime | None = None, **which: Any) -> list[Absence]:
    """The absences that hold at a moment. which: lookups that narrow them. One query."""
    now = now or timezone.now()
    near = _rows(first__lte=(now + A_DAY).date(), last__gte=(now - A_DAY).date(), **which)
    return [row for row in near if away_on([(row.first, row.last)], today_of(row.membership, now))]


def absences_ahead(now: datetime | None = None, **which: Any) -> list[Absence]:
    """The absences that hold or are to come, the earliest first. One query."""
    now = now or timezone.now()
    rows = _rows(last__gte=(now - A_DAY).date(), **which)
    return [row for row in rows if row.last >= today_of(row.membership, now)]


def stood_in_for(membership: Membership, now: datetime | None = None) -> list[Membership]:
    """The admirals of their side for whom a member stands in now; no one while they are away too.

    One query where no one named him, else two. The members found belong to the same campaign and side.
    """
    rows = [row for row in absences_now(now, stand_in=membership.pk) if row.deputy is not None]
    if not rows or absences_now(now, membership=membership.pk):
        return []
    absent = [row.membership for row in rows]
    for member in absent:
        member.campaign, member.side = membership.campaign, membership.side
    return absent


@dataclass(frozen=True)
class Present:
    """Who of a campaign is away at a moment. away: keys of memberships; stands_in: key of the one away to that of who stands in."""

    away: frozenset[int]
    stands_in: dict[int, int]

    def sides(self, members: Iterable[Membership]) -> frozenset[int]:
        """Keys of the sides of which an admiral is there."""
        return frozenset(m.side_id for m in members if m.pk not in self.away and m.side_id is not None)

    def commander(self, member: int) -> int | None:
        """Key of who commands for a member: themselves, their stand-in, None when they are away without one."""
        return self.stands_in.get(member) if member in self.away else member


def presence(campaign: Campaign, now: datetime | None = None) -> Present:
    """Who of a campaign is away. One query."""
    rows = absences_now(now, membership__campaign=campaign.pk)
    away = frozenset(row.membership_id for row in rows)
    stands_in = {
        row.membership_id: row.deputy.pk
        for row in rows
        if row.deputy is not None and row.deputy.pk not in away
    }
    return Present(away, stands_in)


def spans_of(members: Collection[int]) -> dict[int, list[tuple[date, date]]]:
    """The days on which members were or will be away, by the key of the member; of an absence that was ended early those that it had."""
    spans: dict[int, list[tuple[date, date]]] = {}
    for row in Absence.objects.filter(membership__in=members):
        last = row.last if row.ended is None else min(row.last, row.ended.date())
        if row.first <= last:
            spans.setdefault(row.membership_id, []).append((row.first, last))
    return spans
