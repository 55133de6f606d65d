"""What is stuck: turns, battles, email, the sweep. Counted for the whole site without names, and by campaign for its umpire.

Reading only. Every count is one query, whatever the number of turns and notices; all are nil when all is well. Rules: G.UM1, G.UM2.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from battles import leases
from battles.models import Battle
from campaign.accounts import listed, opening, with_article
from campaign.models import (
    BeatLease,
    Campaign,
    Heartbeat,
    MailOutage,
    Membership,
    Notice,
    Preferences,
    SetAsideMail,
    Turn,
)
from campaign.rules.state.aims import NEVER, Tally
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.desk.versions import versions_of
from campaign.selectors.people.people import name_of
from campaign.selectors.turn.facts import aims_of, objectives_of

MAIL_LATE = timedelta(minutes=15)
MAIL_TRIES = 3
MAIL_REMEMBERED = timedelta(days=7)
TURN_LATE = timedelta(minutes=10)
WORK_LATE = timedelta(minutes=15)
BUSY = (Turn.Phase.LOCKED, Turn.Phase.RUNNING, Turn.Phase.REPORTING)


@dataclass(frozen=True, slots=True)
class Stalls:
    """How many of each kind. turns_due: past their deadline and its grace, still open; turns_stuck: in work, and no one at work.

    mail_set_aside: emails of the last week that came in and could not be read.
    """

    mail_waiting: int
    mail_failed: int
    turns_due: int
    turns_stuck: int
    turns_failed: int
    battles: int
    addresses: int
    mail_set_aside: int = 0

    @property
    def turns(self) -> int:
        """Turns that do not go on."""
        return self.turns_due + self.turns_stuck + self.turns_failed


def stalls(campaign: Campaign | None = None, now: datetime | None = None) -> Stalls:
    """What is stuck in a campaign, or on the whole site. Six queries."""
    now = now or timezone.now()
    failed = Q(status=Notice.Status.FAILED, written__gte=now - MAIL_REMEMBERED)
    mail = Notice.objects.filter(_of(campaign, "campaign"), _mail_late(now) | failed, void="").aggregate(
        waiting=Count("pk", filter=_mail_late(now)), failed=Count("pk", filter=failed)
    )
    turns = Turn.objects.filter(_of(campaign, "campaign"))
    stuck = _idle("locked", now) & Q(campaign__status=Campaign.Status.ACTIVE, phase__in=BUSY)
    work = turns.aggregate(
        stuck=Count("pk", filter=stuck), failed=Count("pk", filter=Q(phase=Turn.Phase.FAILED))
    )
    return Stalls(
        mail_waiting=mail["waiting"],
        mail_failed=mail["failed"],
        turns_due=_turns_due(turns, now),
        turns_stuck=work["stuck"],
        turns_failed=work["failed"],
        battles=Battle.objects.filter(_of(campaign, "book__campaign"), _battle_stuck(now)).count(),
        addresses=_dead(campaign).count(),
        mail_set_aside=set_aside(campaign, now).count(),
    )


def _of(campaign: Campaign | None, path: str) -> Q:
    return Q() if campaign is None else Q(**{path: campaign.pk})


def _mail_late(now: datetime) -> Q:
    """Mail that is overdue, and mail that has been tried again and again: a server that is away always has a next try before it."""
    since = now - MAIL_LATE
    due = Q(retry_after__lt=since) | Q(retry_after=None, written__lt=since)
    due |= Q(attempts__gte=MAIL_TRIES, written__lt=since)
    waiting = Q(status=Notice.Status.WAITING) & due
    return waiting | Q(status=Notice.Status.SENDING, lease_until__lt=since)


def _turns_due(turns: Any, now: datetime) -> int:
    """Open turns that should have been run; grace is reckoned here, because databases reckon hours differently."""
    late = now - TURN_LATE
    rows = turns.filter(
        campaign__status=Campaign.Status.ACTIVE, phase=Turn.Phase.OPEN, hold=False, deadline__lt=late
    ).select_related("campaign")
    found = rows.only("deadline", "campaign__grace_hours")
    return sum(turn.grace_until is not None and turn.grace_until < late for turn in found)


def _idle(since: str, now: datetime) -> Q:
    """Work whose last lease has long run out, or that no one has taken up since it was given."""
    late = now - WORK_LATE
    return Q(lease_until__lt=late) | Q(**{"claim": None, f"{since}__lt": late})


def _battle_stuck(now: datetime) -> Q:
    going = Q(route=Battle.Route.ENGINE, status__in=(Battle.Status.READY, Battle.Status.FIGHTING))
    return Q(status=Battle.Status.FAILED) | (going & _idle("spawned", now))


def _dead(campaign: Campaign | None) -> QuerySet[Preferences]:
    """Settings of players whose address an email server has refused."""
    people = Membership.objects.filter(_of(campaign, "campaign"), campaign__status=Campaign.Status.ACTIVE)
    return Preferences.objects.filter(bounced__isnull=False, user__in=people.values("user"))


def set_aside(campaign: Campaign | None, now: datetime | None = None) -> QuerySet[SetAsideMail]:
    """Emails of the last week that came in and could not be read: a campaign's, and those of which no one knows whose they are."""
    nobodys = Q() if campaign is None else Q(membership=None)
    rows = SetAsideMail.objects.filter(_of(campaign, "membership__campaign") | nobodys)
    return rows.filter(at__gte=(now or timezone.now()) - MAIL_REMEMBERED).select_related("membership__user")


def mail_away(now: datetime | None = None) -> MailOutage | None:
    """The outage of the mail server that lasts; one whose next call is long overdue has no one who waits for it, and is none."""
    return MailOutage.objects.filter(until__gt=(now or timezone.now()) - MAIL_LATE).first()


def sweep_seconds(now: datetime | None = None) -> int | None:
    """Whole seconds since the sweep last wrote its sign of life into the database; None when it never did."""
    last = Heartbeat.objects.values_list("at", flat=True).order_by("pk").first()
    return None if last is None else max(0, int(((now or timezone.now()) - last).total_seconds()))


def beat_machine(now: datetime | None = None) -> str:
    """The machine whose beat asks for sweeps now, in words; "" when none does."""
    rows = BeatLease.objects.filter(until__gte=now or timezone.now())
    return rows.values_list("machine", flat=True).first() or ""


def sweep_late(age: int | None, now: datetime | None = None) -> bool:
    """Whether the sweep is overdue: by three rounds, or by one task's time limit while a worker is seen to be busy.

    An installation with one worker sweeps between its tasks, and a long battle is not an error.
    """
    if age is None or age <= 3 * settings.SWEEP_SECONDS + 60:
        return False
    return age > settings.TASK_TIME_LIMIT + 4 * settings.SWEEP_SECONDS or not _busy(now or timezone.now())


def _busy(now: datetime) -> bool:
    held = ~leases.free(now)
    return Battle.objects.filter(held).exists() or Turn.objects.filter(held).exists()


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that needs the umpire. text: a sentence. page: name of the page where they can act on it; link: its words."""

    text: str
    page: str
    link: str


def alarms_of(campaign: Campaign, now: datetime | None = None) -> list[Alarm]:
    """What is stuck in a campaign, the worst first; empty when all is well. A fixed number of queries."""
    now = now or timezone.now()
    found, age = stalls(campaign, now), sweep_seconds(now)
    rows: list[Alarm] = []
    if sweep_late(age, now):
        text = (
            f"Background work stopped {_span(age or 0)} ago. Until it resumes, deadlines will pass without effect and no emails "
            "will be sent. Tell the site administrator."
        )
        rows.append(Alarm(text, "log", "Open the umpire's log"))
    for number, (one, many, page, link) in (
        (found.turns_failed, _FAILED),
        (found.turns_due, _DUE),
        (found.turns_stuck, _STUCK),
        (found.battles, _BATTLES),
        (found.mail_waiting, _WAITING),
        (found.mail_failed, _GIVEN_UP),
        (found.mail_set_aside, _SET_ASIDE),
    ):
        if number:
            rows.append(Alarm(f"{one if number == 1 else many.format(number)}.", page, link))
    away = mail_away(now)
    if away is not None:
        for_, again = (int(gap.total_seconds()) for gap in (now - away.since, away.until - now))
        text = (
            f"The mail server has accepted no emails for {_span(for_)}. Emails wait and none are lost. We will try again "
            f"in {_span(again)}. If this lasts, tell the site administrator."
        )
        rows.append(Alarm(text, "mailbox", "Check emails"))
    if found.addresses:
        names = sorted(name_of(wishes.user) for wishes in _dead(campaign).select_related("user"))
        text = f"Emails to {listed(names)} are bouncing. We send nothing there until we have a new address."
        rows.append(Alarm(text, "people", "See people"))
    return _rules(campaign) + rows + _decisions(campaign)


def _rules(campaign: Campaign) -> list[Alarm]:
    """Rules that are not installed, or a newer version that the umpire has not yet decided about. Rules: G.FA1, G.UM1."""
    if campaign.status == Campaign.Status.CLOSED:
        return []
    found = versions_of(campaign)
    if found.missing:
        return [
            Alarm(
                f"The rules of this campaign cannot be played. {found.missing}",
                "rules_version",
                "See versions",
            )
        ]
    if found.offered and not found.passed:
        return [Alarm("A new version of the rules is available.", "rules_version", "See what changes")]
    return []


def _decisions(campaign: Campaign) -> list[Alarm]:
    """Decisive objectives that have been achieved where the umpire decides what becomes of it. Rule: G.OB3."""
    if settings_from(campaign.settings).decisive != "asks" or campaign.status == Campaign.Status.CLOSED:
        return []
    tallies, names = aims_of(campaign).tallies, dict(campaign.sides.values_list("navy__code", "name"))
    return [
        Alarm(
            f"{opening(with_article(names[row.side]))} has achieved a decisive objective: {row.words.rstrip('.')}. End the "
            "campaign, or change the setting for decisive objectives so that play continues.",
            "standings",
            "End campaign",
        )
        for row in objectives_of(campaign)
        if row.decisive and tallies.get(row.id, Tally()).achieved != NEVER
    ]


# One, several, the page, and what its link says.
_FAILED = ("The turn could not be run", "{} turns could not be run", "desk", "Try again")
_DUE = (
    "The turn is past its deadline and still open for orders",
    "{} turns are past their deadline and still open for orders",
    "desk",
    "Run turn",
)
_STUCK = (
    "The turn has started, but no worker is running it",
    "{} turns have started, but no worker is running them",
    "desk",
    "Check turn",
)
_BATTLES = (
    "A battle is stuck",
    "{} battles are stuck",
    "desk",
    "Check battles",
)
_WAITING = (
    "An email has been waiting for more than 15 minutes",
    "{} emails have been waiting for more than 15 minutes",
    "mailbox",
    "Check emails",
)
_GIVEN_UP = (
    "An email could not be sent in the last 7 days",
    "{} emails could not be sent in the last 7 days",
    "mailbox",
    "See why and send again",
)
_SET_ASIDE = (
    "An email that arrived in the last 7 days could not be read",
    "{} emails that arrived in the last 7 days could not be read",
    "mailbox",
    "See senders and reasons",
)


def _span(seconds: int) -> str:
    minutes = max(1, seconds // 60)
    if minutes == 1:
        return "a minute"
    return f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"
