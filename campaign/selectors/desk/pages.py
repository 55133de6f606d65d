"""What the pages of the campaign room show, read for one reader at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, F, Max

from battles.models import Battle
from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Membership, Order, Station, Turn
from campaign.selectors.awaits import Await, awaits
from campaign.selectors.people.access import may_know_battle
from campaign.selectors.reports.reports import last_report
from campaign.selectors.turn.ongoing import waits_for

Phase = Turn.Phase
WORKING = (Phase.LOCKED, Phase.RUNNING, Phase.FIGHTING, Phase.REPORTING)
PHASES = {
    Phase.OPEN: "open for orders",
    Phase.LOCKED: "closed for orders, about to run",
    Phase.RUNNING: "under way",
    Phase.FIGHTING: "a battle is being fought",
    Phase.REPORTING: "reports are being written",
    Phase.CLOSED: "closed",
    Phase.HELD: "held by the umpire",
    Phase.FAILED: "failed",
}

WAITS = "waiting for a battle that players are fighting"


@dataclass(frozen=True, slots=True)
class HomeRow:
    """One campaign on a person's home page. waits: a sentence about how it stands; urgent: whether they have to act.

    awaits: what waits for them, each with its page. latest: what the last turn brought, as `last_report` has it.
    """

    campaign: Campaign
    membership: Membership
    turn: Turn | None
    chart_date: str
    waits: str
    urgent: bool
    awaits: tuple[Await, ...] = ()
    latest: dict[str, Any] | None = None

    @property
    def number(self) -> int:
        """How much waits for them."""
        return sum(row.number for row in self.awaits)


def home_rows(user: User) -> list[HomeRow]:
    """A person's campaigns with what waits for them, those in which they have to act first."""
    memberships = list(
        Membership.objects.filter(user=user).select_related(
            "campaign__book", "campaign__theatre", "side__navy"
        )
    )
    turns = _current_turns([m.campaign_id for m in memberships])
    given = _orders_given([turn.pk for turn in turns.values()])
    rows = []
    for membership in memberships:
        turn = turns.get(membership.campaign_id)
        waits, urgent = _waits(membership, turn, given.get(turn.pk, {}) if turn else {})
        campaign = membership.campaign
        found = awaits(membership, turn)
        latest = last_report(campaign, membership) if campaign.status != Campaign.Status.CLOSED else None
        date = chart_date(campaign, turn)
        rows.append(HomeRow(campaign, membership, turn, date, waits, urgent or bool(found), found, latest))
    return sorted(rows, key=lambda row: (not row.urgent, row.campaign.name))


def chart_date(campaign: Campaign, turn: Turn | None) -> str:
    """The chart's date as a turn opens, in words."""
    day = turn.first_day if turn else campaign.calendar_day
    return spoken(chart_time(campaign.start_date, day * 24))


def _current_turns(campaigns: list[int]) -> dict[int, Turn]:
    newest = (
        Turn.objects.filter(campaign__in=campaigns)
        .values("campaign")
        .annotate(last=Max("pk"))
        .values_list("last", flat=True)
    )
    turns = Turn.objects.filter(pk__in=list(newest))
    turns = turns.annotate(ready_count=Count("ready_marks"))
    return {turn.campaign_id: turn for turn in turns}


def _orders_given(turns: list[int]) -> dict[int, dict[int, int]]:
    """Orders given by people, by turn and navy."""
    rows = (
        Order.objects.filter(turn__in=turns, source__in=("web", "mail"))
        .values("turn", navy=F("fleet__navy"))
        .annotate(given=Count("pk"))
    )
    found: dict[int, dict[int, int]] = {}
    for row in rows:
        found.setdefault(row["turn"], {})[row["navy"]] = row["given"]
    return found


def _waits(membership: Membership, turn: Any, given: dict[int, int]) -> tuple[str, bool]:
    """What waits for a member, and whether they have to act."""
    if membership.campaign.status == Campaign.Status.CLOSED:
        return "The campaign is over. You can still read its reports.", False
    if turn is None:
        return "The first turn has not opened yet.", False
    if turn.phase == Phase.FAILED:
        if membership.role == Membership.Role.UMPIRE:
            return f"Turn {turn.number} could not be run. Check why, then try again.", True
        return f"Turn {turn.number} could not be run. We have notified the umpire.", False
    if turn.phase != Phase.OPEN:
        return f"Turn {turn.number}: {PHASES[Phase(turn.phase)]}.", False
    if membership.role == Membership.Role.UMPIRE:
        return f"Turn {turn.number} is open. Sides ready: {turn.ready_count}.", False
    if membership.side is None:
        return f"Turn {turn.number} is open for orders.", False
    if turn.ready_marks.filter(side=membership.side_id).exists() if turn.ready_count else False:
        return "Your side is marked ready.", False
    sent = given.get(membership.side.navy_id, 0)
    if sent:
        return f"Orders given to {sent} of your fleets. Mark orders ready when you have finished.", True
    return f"Turn {turn.number} is waiting for your orders.", True


@dataclass(frozen=True, slots=True)
class SideDesk:
    """How far a side is with its orders, for the umpire's desk. given: fleets with orders of this turn by a person or admiral."""

    name: str
    code: str
    colour: str
    automatic: bool
    ready: bool
    ready_by: str
    fleets: int
    given: int
    admirals: tuple[str, ...]


def umpire_desk(campaign: Campaign, turn: Turn) -> list[SideDesk]:
    """Which sides are ready and have given orders. For the umpire only."""
    marks = {mark.side_id: mark for mark in turn.ready_marks.all()}
    fleets = dict(
        Station.objects.filter(fleet__navy__book=campaign.book_id, fleet__ended=False)
        .values_list("fleet__navy")
        .annotate(Count("pk"))
    )
    given = _orders_given([turn.pk]).get(turn.pk, {})
    people: dict[int, list[str]] = {}
    for member in campaign.memberships.filter(role=Membership.Role.ADMIRAL).select_related("user"):
        people.setdefault(member.side_id or 0, []).append(str(member.user))
    return [
        SideDesk(
            name=side.name,
            code=side.code,
            colour=side.colour,
            automatic=side.automatic,
            ready=side.pk in marks,
            ready_by=marks[side.pk].by if side.pk in marks else "",
            fleets=fleets.get(side.navy_id, 0),
            given=given.get(side.navy_id, 0),
            admirals=tuple(sorted(people.get(side.pk, ()))),
        )
        for side in campaign.sides.select_related("navy")
    ]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the running of a turn is. fought, battles: of those that a member may know are being fought."""

    turn: Turn | None
    words: str
    running: bool
    failed: bool
    ready: bool
    battles: int
    fought: int


def turn_progress(turn: Turn | None, membership: Membership) -> Progress:
    """Where a turn stands, for one reader: battles are counted for the umpire and for the sides that fight in them.

    A turn that waits for people who fight a battle is not running: there is nothing to follow. Rules: G.BT4, G.IN1.
    """
    if turn is None:
        return Progress(None, "no turn has opened yet", False, False, False, 0, 0)
    running = turn.phase in WORKING
    battles = fought = 0
    if turn.phase == Phase.FIGHTING:
        known = [c for c in turn.contacts.select_related("battle") if may_know_battle(membership, c.fleets)]
        battles = len(known)
        fought = sum(c.battle is not None and c.battle.status in ("fought", "written") for c in known)
    ready = membership.side_id is not None and turn.ready_marks.filter(side=membership.side_id).exists()
    words = PHASES[Phase(turn.phase)]
    if turn.phase == Phase.FIGHTING and not battles:
        words = PHASES[Phase.RUNNING]  # a battle between others is no business of this reader
    if turn.phase == Phase.FIGHTING and any(
        battle.route != Battle.Route.ENGINE for battle in waits_for(turn)
    ):
        running, words = False, WAITS if battles else words
    return Progress(turn, words, running, turn.phase == Phase.FAILED, ready, battles, fought)
