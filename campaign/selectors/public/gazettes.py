"""Gazettes for one reader: their own side's at once, the others' when they are published. Rules: G.IN1, G.IN4."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.http import Http404

from campaign.accounts.gazette import Issue, Paper, Printed, issue_of, paper_of
from campaign.models import Campaign, Membership, Side, Turn
from campaign.selectors.people.access import Role, turn_for_member_or_404
from campaign.selectors.people.knowing import Ken, ken_of, turn_events
from campaign.selectors.reports.reports import side_names
from campaign.selectors.told import last_told, terms_of


@dataclass(frozen=True, slots=True)
class GazetteRow:
    """A turn with the sides whose gazettes of it a reader may read. papers: side, and the title of its paper."""

    turn: Turn
    papers: tuple[tuple[Side, str], ...]


def gazette_rows(campaign: Campaign, membership: Membership) -> list[GazetteRow]:
    """Every turn of which the reader may read a gazette, newest first."""
    told = _told_to(campaign, membership)
    sides = list(campaign.sides.select_related("navy").order_by("navy__code"))
    titles = {side.pk: _paper(campaign, side).title for side in sides}
    rows = []
    for turn in campaign.turns.filter(phase=Turn.Phase.CLOSED).defer("ongoing", "luck").order_by("-number"):
        papers = tuple(
            (side, titles[side.pk]) for side in sides if _may_read(membership, side, turn.number, told)
        )
        if papers:
            rows.append(GazetteRow(turn, papers))
    return rows


def gazette_or_404(
    campaign: Campaign, membership: Membership, number: int, side_code: str
) -> tuple[Turn, Side, Issue]:
    """A side's gazette of a turn. Raises Http404 for one that the reader may not read, or not yet."""
    turn = turn_for_member_or_404(campaign, number)
    side = campaign.sides.select_related("navy").filter(navy__code=side_code).first()
    if side is None or turn.phase != Turn.Phase.CLOSED:
        raise Http404("no such gazette")
    if not _may_read(membership, side, number, _told_to(campaign, membership)):
        raise Http404("not published for this reader")
    own = membership.side_id is not None and side.pk == membership.side_id
    turn.campaign = campaign
    return turn, side, _issue(campaign, turn, side, ken_of(membership) if own else None)


def _told_to(campaign: Campaign, membership: Membership) -> int:
    """The newest turn of which the reader may read every side's gazette. Where strangers cannot, an admiral reads no enemy's."""
    terms = terms_of(campaign)
    if membership.role == Role.ADMIRAL and not terms.open and campaign.status != Campaign.Status.CLOSED:
        return 0
    return last_told(campaign, terms)


def _may_read(membership: Membership, side: Side, number: int, told: int) -> bool:
    return (
        membership.role == Role.UMPIRE
        or number <= told
        or (membership.side_id is not None and membership.side_id == side.pk)
    )


def _paper(campaign: Campaign, side: Side) -> Paper:
    return paper_of(side.nations or [side.name], int(campaign.start_date[:4]), campaign.theatre.code)


def _issue(campaign: Campaign, turn: Turn, side: Side, ken: Ken | None) -> Issue:
    events = turn_events(turn, side, ken)
    sides = {row.code: list(row.nations) or [row.name] for row in campaign.sides.select_related("navy")}
    allies = [code for pair in campaign.alliances if side.code in pair for code in pair if code != side.code]
    last = date.fromisoformat(campaign.start_date) + timedelta(
        days=turn.first_day + max(0, turn.days_run - 1)
    )
    return issue_of(
        events,
        Printed(
            paper=_paper(campaign, side),
            seed=f"{campaign.dice_code}/{side.code}",
            us=(side.code, *allies),
            nations=sides,
            names=side_names(campaign, side, events),
            start=campaign.start_date,
            number=turn.number,
            last=last,
        ),
    )
