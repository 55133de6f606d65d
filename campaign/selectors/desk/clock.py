"""The Deadlines page: the current turn, the schedule, the next deadlines, absences. Each for one reader. Rules: G.CL1, G.IN1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.deadlines import Rhythm
from campaign.models import Absence, Campaign, Membership, Turn
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.absences import absences_ahead, today_of
from campaign.selectors.people.access import Role

SHOWN = 4
OUTAGES = {
    "shift": "After an outage, deadlines are put back by the length of the outage.",
    "hold": "A turn that falls due during an outage is held until the umpire releases it.",
    "run": "A turn that falls due during an outage runs as soon as the site is back.",
}


@dataclass(frozen=True, slots=True)
class AwayRow:
    """An absence for a page. now: whether it holds; editable: by the reader."""

    row: Absence
    now: bool
    editable: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """What the Deadlines page shows. grace_until: the end of its grace period, if in one. outage: the setting, in a sentence."""

    now: datetime
    turn: Turn | None
    grace_until: datetime | None
    coming: tuple[datetime, ...]
    outage: str
    away: tuple[AwayRow, ...]


def clock_of(campaign: Campaign, membership: Membership, turn: Turn | None, rhythm: Rhythm) -> Clock:
    """The page for one reader: an admiral sees absences on their own side, the umpire all, an observer none."""
    now = timezone.now()
    opening = turn.deadline if turn is not None and turn.deadline is not None else now
    return Clock(
        now=now,
        turn=turn,
        grace_until=grace_of(turn, now),
        coming=tuple(rhythm.coming(max(opening, now), SHOWN)),
        outage=OUTAGES.get(settings_from(campaign.settings).after_outage, OUTAGES["shift"]),
        away=tuple(away_rows(campaign, membership, now)),
    )


def grace_of(turn: Turn | None, now: datetime | None = None) -> datetime | None:
    """Until when a turn past its deadline still takes orders; None outside a grace period."""
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
