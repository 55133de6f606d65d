"""Gazettes for members, and the page on which the umpire decides what is public."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect

from campaign.forms import number
from campaign.models.public import MOST_DELAY
from campaign.selectors.people.access import campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.public.gazettes import gazette_or_404, gazette_rows
from campaign.selectors.told import terms_of
from campaign.services.settings.publicity import publicity_change
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads, reads_and_posts

PAGE = 50  # turns


class PublicityForm(forms.Form):
    """What strangers and observers may read."""

    open = forms.BooleanField(
        required=False,
        label="Public page",
        help_text="Anyone with the address can read it, with no account. It shows no names of people and no orders. "
        "It shows no fleets before the end.",
    )
    score = forms.BooleanField(
        required=False,
        label="Public score",
        help_text="Observers and readers of the public page see the score, with the same delay as the gazettes.",
    )
    delay = number(
        "Gazettes are published after (turns)",
        0,
        MOST_DELAY,
        "A side reads its own gazette at once. With 1, others read that of turn 4 when turn 5 has been run.",
    )
    indexed = forms.BooleanField(
        required=False,
        label="Search engines may list the public page",
        help_text="Without this, the page asks them not to.",
    )


@reads
def gazettes(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The gazettes that the reader may read, newest first. Rule: G.IN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    rows = Paginator(gazette_rows(campaign, membership), PAGE).get_page(request.GET.get("page"))
    context = {"rows": rows, "terms": terms_of(campaign)}
    return campaign_page(request, "campaign/gazettes.html", campaign, membership, "gazettes", context)


@reads
def gazette(request: HtmxHttpRequest, code: str, number: int, side: str) -> HttpResponse:
    """A side's gazette of a turn. Raises Http404 for one that is not published for this reader. Rule: G.IN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    turn, paper_of, issue = gazette_or_404(campaign, membership, number, side)
    context = {"turn": turn, "side": paper_of, "issue": issue}
    return campaign_page(request, "campaign/gazette.html", campaign, membership, "gazettes", context)


@reads_and_posts
def publicity(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What strangers and observers may read, for the umpire to set. Raises Http404 for everyone else. Rule: G.UM1."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    terms = terms_of(campaign)
    typed = {"open": terms.open, "score": terms.score, "delay": terms.delay, "indexed": terms.indexed}
    form = PublicityForm(request.POST) if request.method == "POST" else PublicityForm(initial=typed)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        words = publicity_change(
            campaign=campaign, umpire=request.user, open_=said["open"], score=said["score"], delay=said["delay"],
            indexed=said["indexed"],
        )  # fmt: skip
        messages.success(request, " ".join(words) or "Nothing was changed.")
        return redirect("publicity", code)
    status = 422 if form.errors else 200
    context = {"form": form, "terms": terms}
    return campaign_page(
        request, "campaign/publicity.html", campaign, membership, "publicity", context, status
    )
