"""What the umpire follows while a turn runs: how far the chart is, battles fought, and afterwards its emails. Rules: G.UM1, G.CL2."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from campaign.calendar import at_spoken, chart_time
from campaign.models import Campaign, Membership, Notice, Turn
from campaign.selectors.desk.pages import Progress, turn_progress

FOLLOWED = timedelta(minutes=10)  # emails that have not gone by then are a matter for the Emails page
_WAITING = (Notice.Status.WAITING, Notice.Status.SENDING)


@dataclass(frozen=True, slots=True)
class Mailing:
    """Emails about a turn that has run. turn: its number. failed: of those that did not go."""

    turn: int
    emails: int
    sent: int
    failed: int

    @property
    def waiting(self) -> int:
        """How many are still to go."""
        return self.emails - self.sent - self.failed


@dataclass(frozen=True, slots=True)
class Following:
    """How far the work on a turn is. day: of the turn, as far as the chart has been played; at: chart time in words, "" before.

    mailing: of the last turn that has run, None when there is nothing to follow.
    """

    progress: Progress
    day: int
    at: str
    mailing: Mailing | None

    @property
    def what(self) -> str:
        """What there is to follow: the turn, its emails, or nothing ("")."""
        if self.progress.running:
            return "turn"
        return "emails" if self.mailing is not None and self.mailing.waiting else ""

    @property
    def tag(self) -> str:
        """A tag that changes with everything that is shown."""
        progress, turn = self.progress, self.progress.turn
        shown = [
            turn and (turn.pk, turn.phase),
            (progress.words, progress.battles, progress.fought),
            (self.day, self.at),
            self.mailing,
        ]
        return f'"{salted_hmac("campaign.desk", repr(shown)).hexdigest()[:20]}"'


def following(campaign: Campaign, turn: Turn | None, umpire: Membership) -> Following:
    """What there is to follow at this moment, for the umpire."""
    progress = turn_progress(turn, umpire)
    day, at = 0, ""
    if turn is not None and turn.reached is not None and progress.running:
        day = min(turn.days, max(1, -(-(turn.reached - 24 * turn.first_day) // 24)))
        at = at_spoken(chart_time(campaign.start_date, turn.reached))
    return Following(progress, day, at, None if progress.running else _mailing(campaign))


def _mailing(campaign: Campaign) -> Mailing | None:
    since = timezone.now() - FOLLOWED
    last = campaign.turns.filter(phase=Turn.Phase.CLOSED, closed__gte=since).order_by("-number").first()
    if last is None:
        return None
    own = Q(event=f"{campaign.code}-T{last.name}-report")
    if campaign.status == Campaign.Status.CLOSED:
        own |= Q(event=f"{campaign.code}-over")
    rows = Notice.objects.filter(own, campaign=campaign, void="").exclude(status=Notice.Status.DIGEST)
    counted: dict[str, int] = dict(rows.order_by().values_list("status").annotate(Count("pk")))
    emails = sum(counted.values())
    failed = counted.get(Notice.Status.FAILED, 0)
    sent = emails - failed - sum(counted.get(status, 0) for status in _WAITING)
    return Mailing(last.number, emails, sent, failed) if emails else None
