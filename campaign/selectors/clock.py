"""The clock's page: the present turn, the rhythm, the next deadlines, who is away. Each for one reader. Rules: G.CL1, G.IN1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.deadlines import Rhythm
from campaign.models import Absence, Campaign, Membership, Turn
from campaign.selectors.absences import absences_ahead, today_of
from campaign.selectors.access import Role
from campaign.selectors.rules import setting_table

SHOWN = 4


@dataclass(frozen=True, slots=True)
class AwayRow:
    """An absence for a page. now: whether it holds; editable: by the reader."""

    row: Absence
    now: bool
    editable: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """What the clock's page shows. grace_until: when the turn is in grace, until when it is. outage: the rule's value in force."""

    now: datetime
    turn: Turn | None
    grace_until: datetime | None
    coming: tuple[datetime, ...]
    outage: str
    away: tuple[AwayRow, ...]


def clock_of(campaign: Campaign, membership: Membership, turn: Turn | None, rhythm: Rhythm) -> Clock:
    """The clock for one reader: he sees who of his own side is away, the umpire sees everybody, an observer nobody."""
    now = timezone.now()
    opening = turn.deadline if turn is not None and turn.deadline is not None else now
    outage = next((row.here for row in setting_table(campaign) if row.name == "after_outage"), "")
    return Clock(
        now=now,
        turn=turn,
        grace_until=grace_of(turn, now),
        coming=tuple(rhythm.coming(max(opening, now), SHOWN)),
        outage=str(outage),
        away=tuple(away_rows(campaign, membership, now)),
    )


def grace_of(turn: Turn | None, now: datetime | None = None) -> datetime | None:
    """Until when a turn that is past its deadline still takes orders; None when it is in no grace."""
    now = now or timezone.now()
    if turn is None or turn.phase != Turn.Phase.OPEN or turn.deadline is None or turn.hold:
        return None
    until = turn.grace_until
    return until if until is not None and turn.deadline <= now < until else None


def away_rows(campaign: Campaign, membership: Membership, now: datetime | None = None) -> list[AwayRow]:
    """Absences that hold or are to come, as far as they are a reader's business. Rule: G.IN1."""
    if membership.role == Role.UMPIRE:
        rows = absences_ahead(now, membership__campaign=campaign.pk)
    elif membership.side is not None:
        rows = absences_ahead(now, membership__campaign=campaign.pk, membership__side=membership.side_id)
    else:
        rows = []
    return [
        AwayRow(
            row,
            now=row.first <= today_of(row.membership, now),
            editable=membership.role == Role.UMPIRE or row.membership_id == membership.pk,
        )
        for row in rows
    ]
