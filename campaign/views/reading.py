"""Reports of turns, as their readers may know them."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse

from campaign.models import Campaign, Turn
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.chart.chart import sighting_marks
from campaign.selectors.chart.chart_marks import news_rows
from campaign.selectors.chart.letter_parts import sightings_merged
from campaign.selectors.people.access import (
    Role,
    campaign_for_member_or_404,
    current_turn,
    turn_for_member_or_404,
)
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.reports.brief import brief_of
from campaign.selectors.reports.reports import known_of, side_report, umpire_report
from campaign.selectors.reports.score import end_in_words
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads

PAGE = 50  # rows of a list


@reads
def reports(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The turns that are over, newest first, each with its report."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    closed = campaign.turns.filter(phase=Turn.Phase.CLOSED).defer("ongoing", "luck").order_by("-number")
    turns = Paginator(closed, PAGE).get_page(request.GET.get("page"))
    return campaign_page(request, "campaign/reports.html", campaign, membership, "report", {"turns": turns})


@reads
def sightings(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The contacts of the reader's side, each with its reports: present and older ones, and with `?archive=1` all that came before.

    Rules: G.IG2, G.IN1.
    """
    campaign, membership = campaign_for_member_or_404(request.user, code)
    archive = request.GET.get("archive") == "1"
    turn = current_turn(campaign)
    hour = 24 * (turn.first_day if turn else campaign.calendar_day)
    contacts = news_rows(sighting_marks(campaign, membership, hour, archive=archive))
    context = {
        "contacts": contacts,
        "archived": Paginator(contacts["archive"], PAGE).get_page(request.GET.get("page"))
        if archive
        else None,
        "umpire": membership.role == Role.UMPIRE,
        "fold_hours": settings_from(campaign.settings).fold_hours,
    }
    return campaign_page(request, "campaign/sightings.html", campaign, membership, "sightings", context)


@reads
def report(request: HtmxHttpRequest, code: str, number: int) -> HttpResponse:
    """A side's report of a turn by day and hour; the umpire reads everything, an observer nothing. Rule: G.IN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    turn = turn_for_member_or_404(campaign, number)
    if turn.phase != Turn.Phase.CLOSED or membership.role == Role.OBSERVER:
        raise Http404("no report for this reader")
    side = membership.side
    ken = ken_of(membership)
    known = known_of(turn, side, ken)
    told = side_report(turn, side, ken, known) if side is not None else umpire_report(turn, known)
    newest = not campaign.turns.filter(number__gt=number, phase=Turn.Phase.CLOSED).exists()
    following = current_turn(campaign) if newest and campaign.status != Campaign.Status.CLOSED else None
    opened = following if following is not None and following.phase == Turn.Phase.OPEN else None
    context = {
        "turn": turn,
        "umpire": side is None,
        "report": told,
        "sightings": sightings_merged(told["sightings"]),
        "ended": end_in_words(campaign),
        "newest": newest,
        "following": opened,
        "brief": brief_of(turn, opened, side, told, ken, known),
    }
    return campaign_page(request, "campaign/report.html", campaign, membership, "report", context)
