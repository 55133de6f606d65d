"""What has come to a reader by dispatch: news of their side's other fleets, letters, and facts that the umpire released.

Rules: G.IN2, G.IN3, G.IN5, G.IN1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from campaign.accounts import sentence
from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Letter, Membership, Release, Station
from campaign.rules.chart.dispatches import HOURS_A_DAY
from campaign.rules.state.events import EVENT_KINDS
from campaign.selectors.people.access import stations_for
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.people.people import name_of
from campaign.selectors.reports.reports import side_names

Role = Membership.Role
NEWS_DAYS = 14


@dataclass(frozen=True, slots=True)
class NewsRow:
    """News that has come: when it came, when it happened, and what it says."""

    came: str
    happened: str
    text: str


@dataclass(frozen=True, slots=True)
class LetterRow:
    """A letter as a reader may see it. whose: in, out, or taken. fate: in words."""

    letter: Letter
    whose: str
    author: str
    reader: str
    when: str
    fate: str


def news_rows(campaign: Campaign, membership: Membership) -> list[NewsRow]:
    """News of their side's other fleets that came in the last two weeks, newest first; nothing where knowledge is shared. Rule: G.IN2."""
    ken = ken_of(membership)
    if ken is None or membership.side is None:
        return []
    late = [(at, e) for at, e in ken.news(ken.hour - NEWS_DAYS * HOURS_A_DAY) if EVENT_KINDS[e[1]].weighty]
    names = side_names(campaign, membership.side, [event for _, event in late])
    return [
        NewsRow(_spoken(campaign, at), _spoken(campaign, event[0]), sentence(event, names))
        for at, event in late
    ]


def letter_rows(campaign: Campaign, membership: Membership) -> list[LetterRow]:
    """Letters that a reader has sent, has received, or that their side has taken; all of them for the umpire. Rule: G.IN5."""
    rows = campaign.letters.select_related("sender__user", "recipient__user", "taken_by")
    return [_letter_row(campaign, membership, row) for row in _readable(rows, campaign, membership)]


def _readable(rows: QuerySet[Letter], campaign: Campaign, membership: Membership) -> QuerySet[Letter]:
    if membership.role == Role.UMPIRE:
        return rows
    mine = Q(sender=membership) | Q(recipient=membership, fate=Letter.Fate.DELIVERED)
    if membership.side_id is not None:
        mine |= Q(taken_by=membership.side_id, fate=Letter.Fate.TAKEN)
    return rows.filter(mine)


def _letter_row(campaign: Campaign, membership: Membership, row: Letter) -> LetterRow:
    whose = "out" if row.sender_id == membership.pk else "in"
    if whose == "in" and row.recipient_id != membership.pk:
        whose = "seen" if membership.role == Role.UMPIRE else "taken"
    if row.fate == Letter.Fate.TAKEN and row.taken_by_id == membership.side_id is not None:
        whose = "taken"
    return LetterRow(
        row,
        whose,
        name_of(row.sender.user),
        name_of(row.recipient.user),
        _spoken(campaign, row.written),
        _fate_words(campaign, membership, row, whose),
    )


def _fate_words(campaign: Campaign, membership: Membership, row: Letter, whose: str) -> str:
    """What became of a letter, as far as the reader may know: who wrote it learns nothing of what the sea or the enemy did to it."""
    told = _spoken(campaign, row.told) if row.told is not None else ""
    if whose == "taken":
        return f"taken {told}"
    if whose == "out" and membership.role != Role.UMPIRE:
        return f"delivered {told}" if row.fate == Letter.Fate.DELIVERED else "sent"
    return f"{row.fate} {told}".strip()


def releases_for(campaign: Campaign, membership: Membership) -> list[tuple[Release, str]]:
    """Facts that the umpire has released to the reader's side or to everyone, with when they were true; all for the umpire. Rule: G.IN3."""
    rows = campaign.releases.select_related("side")
    if membership.role != Role.UMPIRE:
        own = Q(side=membership.side_id) if membership.side_id is not None else Q(pk__in=())
        rows = rows.filter(own | Q(side=None))
    return [(row, _spoken(campaign, row.hour)) for row in rows[:100]]


def recipients(membership: Membership) -> list[Membership]:
    """Whom a player may write to: everyone but observers and themselves, their own side first. Rule: G.IN5."""
    rows = membership.campaign.memberships.exclude(role=Role.OBSERVER).exclude(pk=membership.pk)
    found = list(rows.select_related("user", "side__navy", "campaign__book", "campaign__theatre"))
    return sorted(found, key=lambda row: (row.side_id != membership.side_id, row.side is None, str(row.user)))


def carriers(membership: Membership) -> list[tuple[str, str]]:
    """Ships that a player can send letters by, code and name: those of the fleets that they see. Rule: G.IN5."""
    if membership.role != Role.ADMIRAL:
        return []
    fleets = stations_for(membership).values("fleet")
    ships = membership.campaign.book.ships.filter(squadron__fleet__in=fleets, fate="afloat", prize=False)
    return list(ships.order_by("name").values_list("code", "name"))


def fleets_to_release(campaign: Campaign) -> list[Any]:
    """Every fleet on the chart, for the umpire's choice of what to release."""
    stations = Station.objects.filter(fleet__navy__book=campaign.book_id, fleet__ended=False)
    return [
        row.fleet
        for row in stations.select_related("fleet__navy__nation").order_by("fleet__navy__code", "fleet__name")
    ]


def _spoken(campaign: Campaign, hour: int) -> str:
    return spoken(chart_time(campaign.start_date, hour))
