"""A question before what cannot be undone: a page of its own, so that it works without scripts."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse

from campaign.models import Campaign, Membership
from campaign.views.requests import HtmxHttpRequest, campaign_page

SURE = "sure"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. lines: what will happen, a sentence each. button: what the answer does, as on the first button.

    back: name of the page to which Cancel leads. reason: "" for no reason, "may" or "must" for one.
    """

    title: str
    lines: tuple[str, ...]
    button: str
    back: str
    reason: str = "may"
    back_args: tuple[str, ...] = ()


def answered(request: HtmxHttpRequest, stamp: str = "") -> bool:
    """Whether a post comes from the question's own page. stamp: of what was asked about; another one is no answer."""
    return request.POST.get(SURE) == (stamp or "1")


def asked(
    request: HtmxHttpRequest, campaign: Campaign, membership: Membership, here: str, question: Question, stamp: str = ""
) -> HttpResponse:  # fmt: skip
    """The question, with everything that was sent; nothing is done yet."""
    left_out = {"csrfmiddlewaretoken", "reason", SURE}
    sent = [
        (name, value) for name, values in request.POST.lists() if name not in left_out for value in values
    ]
    context = {
        "question": question,
        "sent": sent,
        "stamp": stamp or "1",
        "reason": request.POST.get("reason", "")[:400],
        "back": reverse(question.back, args=[campaign.code, *question.back_args]),
    }
    return campaign_page(request, "campaign/confirm.html", campaign, membership, here, context)
