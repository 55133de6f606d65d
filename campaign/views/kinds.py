"""Every kind of email, as the umpire reads it before the players do: when it is written, and what it would look like now.

Nothing is written and nothing is sent. Rule: G.UM1.
"""

from __future__ import annotations

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin

from campaign.mail_examples import preview, readers
from campaign.models import Campaign, Membership
from campaign.notices.kinds import ANSWERED, KINDS, Kind
from campaign.selectors.people.access import campaign_for_umpire_or_404
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads

# An email is a page of its own in a frame: its styles are in its elements, and it may load and run nothing.
LETTER_POLICY = {
    "default-src": [NONE], "style-src": [UNSAFE_INLINE], "img-src": ["data:"], "frame-ancestors": [SELF], "form-action": [NONE],
    "base-uri": [NONE],
}  # fmt: skip


@reads
def mail_kinds(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """All kinds of email with when each is written. For the umpire; others get a 404."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    context = {
        "kinds": KINDS,
        "answered": ANSWERED,
    }
    return campaign_page(request, "campaign/mail_kinds.html", campaign, membership, "mailbox", context)


@reads
def mail_kind(request: HtmxHttpRequest, code: str, stem: str) -> HttpResponse:
    """A kind of email as one member would get it now: `?reader=7` chooses the membership by its number."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    kind, chosen, choices = _chosen(request, campaign, stem)
    context = {
        "campaign": campaign, "membership": membership, "here": "mailbox", "kind": kind, "readers": choices, "reader": chosen,
        "answered": kind.stem in ANSWERED,
    }  # fmt: skip
    if chosen is not None:
        context["preview"] = preview(campaign, kind, chosen)
    return render(request, "campaign/mail_kind.html", context)


@reads
@xframe_options_sameorigin
@csp(LETTER_POLICY)  # type: ignore[arg-type]
def mail_kind_letter(request: HtmxHttpRequest, code: str, stem: str) -> HttpResponse:
    """The HTML of such an email by itself, for the frame on its page."""
    campaign, _ = campaign_for_umpire_or_404(request.user, code)
    kind, chosen, _ = _chosen(request, campaign, stem)
    if chosen is None:
        raise Http404("no one gets such an email")
    return HttpResponse(preview(campaign, kind, chosen).letter.html)


def _chosen(
    request: HtmxHttpRequest, campaign: Campaign, stem: str
) -> tuple[Kind, Membership | None, list[Membership]]:
    """The kind, the reader asked for (the first by default), and all possible readers. Raises Http404."""
    kind = next((kind for kind in KINDS if kind.stem == stem), None)
    if kind is None:
        raise Http404("no such kind of email")
    choices = readers(campaign, kind)
    asked = request.GET.get("reader", "")
    if not asked:
        return kind, choices[0] if choices else None, choices
    chosen = next((member for member in choices if str(member.pk) == asked), None)
    if chosen is None:
        raise Http404("no such reader")
    return kind, chosen, choices
