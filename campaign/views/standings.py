"""The score and the chronicle of a campaign, each for one reader at a time."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaign.selectors.people.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.reports.chronicle import Chapter, Chronicle
from campaign.selectors.reports.chronicle import chronicle as chronicle_for
from campaign.selectors.reports.score import end_in_words
from campaign.selectors.reports.score import standings as standings_for
from campaign.services.turn.ending import EndRefused, campaign_close
from campaign.views.confirming import answered, asked
from campaign.views.desk_questions import end_question
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads

NEWEST = 30  # rows of points for each side, before the reader asks for all
CHAPTERS = 12  # listed on a page: each is told anew, and a war of 200 turns has some 25


def chapters_asked(request: HttpRequest, told: Chronicle, page: int) -> Sequence[Chapter] | Page[Chapter]:
    """The chapters of the page that is asked for, all with `?all=1`. page: how many each has."""
    if request.GET.get("all") == "1":
        return told.chapters
    return Paginator(told.chapters, page).get_page(request.GET.get("page"))


@reads
def standings(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Points by side, each with its reason, as far as the reader may know: the newest, `?all=1` every one. Rule: G.VP1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    most = None if request.GET.get("all") == "1" else NEWEST
    context = {
        "standings": standings_for(campaign, membership, most=most),
        "ended": end_in_words(campaign),
        "umpire": membership.role == Role.UMPIRE,
    }
    return campaign_page(request, "campaign/standings.html", campaign, membership, "standings", context)


@reads
def chronicle(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The campaign from its beginning as the reader's side knows it; when it is over, whole for everyone. Rule: G.EN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    told = chronicle_for(campaign, membership)
    context = {"chronicle": told, "chapters": chapters_asked(request, told, CHAPTERS)}
    return campaign_page(request, "campaign/chronicle.html", campaign, membership, "chronicle", context)


@reads
def chapter(request: HtmxHttpRequest, code: str, number: int) -> HttpResponse:
    """A chapter of the chronicle as the reader may read it; `?every=1` adds every event. Raises Http404 for one that is not there."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    chapters = chronicle_for(campaign, membership).chapters
    if not 1 <= number <= len(chapters):
        raise Http404("no such chapter for this reader")
    context = {
        "chapter": chapters[number - 1],
        "before": chapters[number - 2] if number > 1 else None,
        "after": chapters[number] if number < len(chapters) else None,
        "every": request.GET.get("every") == "1",
    }
    return campaign_page(request, "campaign/chapter.html", campaign, membership, "chronicle", context)


@posts
def close(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire ends the campaign, with a reason, once they have said that they are sure. Rule: G.EN1."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    if campaign.status != campaign.Status.CLOSED and not answered(request):
        return asked(request, campaign, membership, "standings", end_question(campaign))
    try:
        campaign_close(
            campaign=campaign, umpire=membership.user.get_username(), reason=request.POST.get("reason", "")
        )
    except EndRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, "The campaign is over. Everyone has been notified.")
    return redirect("standings", code)
