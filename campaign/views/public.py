"""Pages for strangers: the front page, and the public page of a campaign whose umpire has turned it on. Rule: G.IN1.

Each reads as `anyone`, an observer who is nobody, so a stranger is never shown more than an observer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from battles.engine import registry
from battles.selectors import can_be_read
from battles.table_reading import is_told
from campaign.models import Campaign, PublicPage
from campaign.selectors.chart.chart import chart_page
from campaign.selectors.people.access import anyone, current_turn, public_campaign_or_404
from campaign.selectors.people.action import battle_for_member_or_404
from campaign.selectors.public.gazettes import gazette_or_404, gazette_rows
from campaign.selectors.public.page import facts_of, showcase
from campaign.selectors.reports.chronicle import chronicle
from campaign.selectors.reports.news import releases_for
from campaign.selectors.reports.score import standings
from campaign.selectors.told import open_battles
from campaign.views.battles import battle_context, log_context, replay_answer, table_context
from campaign.views.requests import HtmxHttpRequest
from campaign.views.sharing import shared
from campaign.views.standings import chapters_asked

CHAPTERS, GAZETTES = 10, 6  # chapters told on a page, turns whose gazettes are listed beside the chart
LAYOUT = "campaign/public_base.html"


@shared
def front(request: HttpRequest) -> HttpResponse:
    """What this is, for someone who is not logged in: pictures, rule sets, finished campaigns to look at."""
    sets = [(code, registry.rule_set(code).title) for code in registry.names()]
    context = {"rule_sets": sets, "showcase": showcase()}
    return render(request, "campaign/front.html", context)


def for_anyone(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that needs no login. It asks search engines to stay away unless the umpire lets them in."""

    @wraps(view)
    def seen(request: HtmxHttpRequest, code: str, **more: Any) -> HttpResponse:
        campaign, page = public_campaign_or_404(code)
        response = view(request, campaign, page, **more)
        if not page.indexed:
            response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return require_safe(shared(seen))


def _page(
    request: HttpRequest, template: str, campaign: Campaign, page: PublicPage, here: str, **more: Any
) -> HttpResponse:
    context = {
        "campaign": campaign, "page": page, "membership": anyone(campaign), "here": here, "layout": LAYOUT, "facts": facts_of(campaign),
        **more,
    }  # fmt: skip
    return render(request, template, context)


@for_anyone
def public(request: HtmxHttpRequest, campaign: Campaign, page: PublicPage) -> HttpResponse:
    """A campaign as everyone may know it: the theatre, the day, the score, released facts, gazettes, battles. Raises Http404."""
    reader = anyone(campaign)
    turn = current_turn(campaign)
    return _page(
        request, "campaign/public.html", campaign, page, "public",
        chart=chart_page(campaign, reader, turn, whole=True),
        standings=standings(campaign, reader, most=0), releases=releases_for(campaign, reader),
        gazettes=Paginator(gazette_rows(campaign, reader), GAZETTES).get_page(request.GET.get("page")), battles=open_battles(campaign),
    )  # fmt: skip


@for_anyone
def public_chronicle(request: HtmxHttpRequest, campaign: Campaign, page: PublicPage) -> HttpResponse:
    """The chronicle as everyone may know it, chapter after chapter. Raises Http404."""
    known = {row.code for row in open_battles(campaign)}
    told = chronicle(campaign, anyone(campaign))
    return _page(
        request,
        "campaign/public_chronicle.html",
        campaign,
        page,
        "public_chronicle",
        chronicle=told,
        chapters=chapters_asked(request, told, CHAPTERS),
        open_battles=known,
    )


@for_anyone
def public_gazette(
    request: HtmxHttpRequest, campaign: Campaign, page: PublicPage, number: int, side: str
) -> HttpResponse:
    """A gazette that is published. Raises Http404."""
    turn, whose, issue = gazette_or_404(campaign, anyone(campaign), number, side)
    return _page(
        request, "campaign/gazette.html", campaign, page, "public", turn=turn, side=whose, issue=issue
    )


@for_anyone
def public_battle(
    request: HtmxHttpRequest, campaign: Campaign, page: PublicPage, battle: str
) -> HttpResponse:
    """A battle whose seed is open, with its replay. Raises Http404 for every other. Rule: G.FA1."""
    reader = anyone(campaign)
    row, side = battle_for_member_or_404(reader, battle, whole=True)
    if is_told(row):
        told = table_context(campaign, reader, row, side)
        return _page(request, "battles/battle_table.html", campaign, page, "public", **told)
    if not can_be_read(row):
        raise Http404("nothing to read")
    if request.htmx:
        return render(request, "battles/_log.html", log_context(row, side, request.GET.get("turn", "")))
    source = reverse("public_replay", args=[campaign.code, row.code])
    more = battle_context(campaign, anyone(campaign), row, side, request.GET.get("turn", ""))
    return _page(request, "battles/battle.html", campaign, page, "public", **more, source=source)


@gzip_page
@for_anyone
def public_replay(
    request: HtmxHttpRequest, campaign: Campaign, page: PublicPage, battle: str
) -> HttpResponse:
    """What the replay of such a battle draws, as JSON with an ETag. Raises Http404."""
    return replay_answer(request, anyone(campaign), battle)
