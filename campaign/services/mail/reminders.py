"""Timed emails: orders close soon, the daily digest, a deadline has moved.

Every function may be called at any time and twice: a notice is one row per event and reader.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Membership, Notice, Station, Turn
from campaign.notices import kinds
from campaign.notices.diary import deadline_entry
from campaign.notices.public import post_of_deadline
from campaign.notices.write import Reader, notice_write, notices_write, preferences_of
from campaign.selectors.people.absences import presence
from campaign.selectors.people.people import name_of

REMIND_BEFORE = timedelta(hours=24)
DIGEST_HOUR = 7  # in the reader's time zone
Role = Membership.Role


def entry_of(turn: Turn) -> str:
    """A turn's deadline as a calendar file, "" for none. A later file replaces it in the reader's calendar."""
    if turn.deadline is None:
        return ""
    now = timezone.now()
    address = f"{settings.SITE_URL}{reverse('campaign', args=[turn.campaign.code])}"
    # minutes since the opening: it grows with every entry, as calendars require
    age = int((now - turn.opened).total_seconds() // 60)
    return deadline_entry(turn, moved=max(0, age), at=now, address=address)


def reminders_write(now: datetime) -> int:
    """Remind admirals of an open turn whose orders close within a day, if one of their fleets has none for it and they are not ready.

    A deadline that moves brings a new reminder, and the grace period after it the last one. Absent admirals get none; their
    stand-ins are reminded of their fleets. Returns how many were written.
    """
    soon = Turn.objects.filter(
        phase=Turn.Phase.OPEN,
        hold=False,
        campaign__status=Campaign.Status.ACTIVE,
        deadline__gt=now,
        deadline__lte=now + REMIND_BEFORE,
    )
    written = 0
    for turn in soon.select_related("campaign__book"):
        if turn.deadline is None or turn.deadline - turn.opened <= REMIND_BEFORE:
            continue  # the opening was announced a day ago or less: no reminder is needed
        written += _remind(turn, now, f"reminder-{turn.deadline:%Y%m%dT%H%M}", lacking(turn, now))
    return written


def reminder_in_grace(*, turn: Turn, now: datetime, those: list[Lacking]) -> int:
    """The last reminder, once per deadline: orders were due, and are accepted until the grace period ends. Returns how many."""
    return _remind(turn, now, f"grace-{turn.deadline:%Y%m%dT%H%M}", those, grace_until=turn.grace_until)


def _remind(turn: Turn, now: datetime, what: str, those: list[Lacking], **more: Any) -> int:
    event = f"{turn.campaign.code}-T{turn.name}-{what}"
    told = set(Notice.objects.filter(event=event).values_list("recipient", flat=True))
    rows = [one for one in those if one.member.user_id not in told]
    if not rows:
        return 0
    entry = entry_of(turn)
    readers = [
        Reader(
            one.member.user,
            {"turn": turn, "side": one.member.side, "fleets": one.fleets, "others": one.others, **more},
            entry,
        )
        for one in rows
    ]
    notices = notices_write(campaign=turn.campaign, kind=kinds.REMINDER, event=event, readers=readers)
    return sum(notice is not None for notice in notices)


@dataclass(frozen=True)
class Lacking:
    """An admiral with fleets that have no orders. fleets: their own; others: by name, the fleets of those they stand in for."""

    member: Membership
    fleets: list[Any]
    others: list[tuple[str, list[Any]]]


def lacking(turn: Turn, now: datetime) -> list[Lacking]:
    """Admirals who are not absent and whose sides are not ready, with the fleets they command that have no orders for this turn.

    A fixed number of queries, however many fleets.
    """
    given = set(turn.orders.exclude(source__in=("standing", "opening")).values_list("fleet", flat=True))
    ready = turn.ready_marks.values("side")
    admirals = turn.campaign.memberships.filter(role=Role.ADMIRAL, side__automatic=False)
    people = {
        member.pk: member
        for member in admirals.exclude(side__in=ready).select_related("user", "side__navy", "campaign__book")
    }
    stations = Station.objects.filter(
        fleet__command__membership__in=people, fleet__ended=False, held_by=""
    ).select_related("fleet__command")
    without: dict[int, list[Any]] = {}
    for row in stations.exclude(fleet__in=given).order_by("fleet__code"):
        without.setdefault(row.fleet.command.membership_id, []).append(row.fleet)
    there = presence(turn.campaign, now)
    own: dict[int, list[Any]] = {}
    others: dict[int, list[tuple[str, list[Any]]]] = {}
    for key, fleets in without.items():
        commander = there.commander(key)
        if commander == key:
            own[key] = fleets
        elif commander in people:
            others.setdefault(commander, []).append((name_of(people[key].user), fleets))
    return [
        Lacking(member, own.get(key, []), others.get(key, []))
        for key, member in people.items()
        if key in own or key in others
    ]


def deadline_moved(*, turn: Turn, why: str, but: Collection[int] = ()) -> int:
    """Tell the admirals that a turn's deadline has moved, with the calendar entry that replaces the old one.

    but: keys of people who have read of it in another email.
    """
    turn.refresh_from_db(fields=["deadline"])
    if turn.deadline is None:
        return 0
    entry = entry_of(turn)
    shared: dict[Any, dict[str, Any]] = {}
    readers = [
        Reader(
            member.user,
            shared.setdefault(member.side_id, {"turn": turn, "side": member.side, "why": why}),
            entry,
        )
        for member in turn.campaign.memberships.filter(role=Role.ADMIRAL).select_related("user", "side")
        if member.user_id not in but
    ]
    event = f"{turn.campaign.code}-T{turn.name}-deadline-{turn.deadline:%Y%m%dT%H%M}"
    notices = notices_write(campaign=turn.campaign, kind=kinds.DEADLINE, event=event, readers=readers)
    post_of_deadline(turn=turn)
    return sum(notice is not None for notice in notices)


def digests_write(now: datetime) -> int:
    """Put what waits for the daily digest into one email per person and campaign, after 07:00 in their time zone. Returns how many."""
    waiting = Notice.objects.filter(status=Notice.Status.DIGEST, void="", recipient__isnull=False)
    written = 0
    for campaign_id, user_id in sorted(set(waiting.values_list("campaign", "recipient"))):
        rows = list(
            waiting.filter(campaign=campaign_id, recipient=user_id)
            .select_related("campaign__book", "recipient")
            .order_by("written", "pk")
        )
        written += _digest(rows, now) if rows else 0
    return written


def _digest(rows: list[Notice], now: datetime) -> int:
    user, campaign = rows[0].recipient, rows[0].campaign
    assert user is not None  # a post to a campaign's webhook waits for no digest
    here = now.astimezone(ZoneInfo(preferences_of(user).time_zone))
    morning = here.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    last = morning if here >= morning else morning - timedelta(days=1)
    due = [row for row in rows if row.written < last]
    if not due:
        return 0
    with transaction.atomic():
        notice = notice_write(
            campaign=campaign,
            kind=kinds.DIGEST,
            event=f"{campaign.code}-digest-{last:%Y%m%d}",
            user=user,
            context={"rows": due, "day": last},
        )
        Notice.objects.filter(pk__in=[row.pk for row in due], status=Notice.Status.DIGEST).update(
            status=Notice.Status.SENT, sent=now
        )
    return int(notice is not None)
