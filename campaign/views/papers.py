"""The papers of a campaign: rules in force, mail, the umpire's log and the proofs of fair dice."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.models import Campaign, Membership
from campaign.notices.send import notice_resend
from campaign.rules.snapshots import settings_from
from campaign.rules.types import setting_rows
from campaign.selectors import papers
from campaign.selectors.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.views.requests import HtmxHttpRequest

PAGE = 50


def _page(
    request: HtmxHttpRequest, template: str, here: str, part: tuple[Campaign, Membership], **context: Any
) -> HttpResponse:
    campaign, membership = part
    full = {"campaign": campaign, "membership": membership, "here": here, **context}
    return render(request, f"campaign/{template}.html", full)


@login_required
@require_safe
def rules_in_force(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The settings of the campaign with clause, value and default. Rule: G.CL1."""
    part = campaign_for_member_or_404(request.user, code)
    campaign = part[0]
    rows = setting_rows(settings_from({"turn_days": campaign.turn_days, **campaign.settings}))
    return _page(
        request, "rules_in_force", "rules", part, rows=rows, options=sorted(campaign.options.items())
    )


@login_required
@require_safe
def mailbox(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The reader's own notices; for the umpire also how everybody's are getting on."""
    part = campaign_for_member_or_404(request.user, code)
    campaign, membership = part
    own = Paginator(papers.notices_for(campaign, membership), PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {"notices": own}
    if membership.role == Role.UMPIRE:
        rows = papers.delivery_rows(campaign)
        context["deliveries"] = Paginator(rows, PAGE).get_page(request.GET.get("all"))
        context["undelivered"] = papers.undelivered(campaign)
    return _page(request, "mailbox", "mailbox", part, **context)


@login_required
@require_safe
def notice(request: HtmxHttpRequest, code: str, pk: int) -> HttpResponse:
    """A notice as it was written: one of the reader's own, anybody's for the umpire."""
    part = campaign_for_member_or_404(request.user, code)
    found = papers.notice_for_member_or_404(part[1], pk)
    return _page(request, "notice", "mailbox", part, notice=found)


@login_required
@require_POST
def resend(request: HtmxHttpRequest, code: str, pk: int) -> HttpResponse:
    """The umpire has a mail sent once more. Rule: G.UM1."""
    _, membership = campaign_for_umpire_or_404(request.user, code)
    found = papers.notice_for_member_or_404(membership, pk)
    if notice_resend(notice=found, umpire=request.user):
        messages.success(request, f"The mail to {found.recipient} is on its way again.")
    else:
        messages.warning(request, f"The mail to {found.recipient} is being sent at this moment.")
    return redirect("mailbox", code)


@login_required
@require_safe
def log(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What the umpire did, for everybody in the campaign to read. Rule: G.UM1."""
    part = campaign_for_member_or_404(request.user, code)
    actions = Paginator(part[0].umpire_actions.order_by("-at", "-pk"), PAGE)
    return _page(request, "log", "log", part, actions=actions.get_page(request.GET.get("page")))


@login_required
@require_safe
def fairness(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Hashes published beforehand, the secrets of what is over, and how to throw every die again. Rule: G.FA1."""
    part = campaign_for_member_or_404(request.user, code)
    proofs = papers.proofs(*part)
    newest = next((proof.number for proof in proofs if proof.closed), 0)
    return _page(request, "fairness", "fairness", part, proofs=proofs, newest=newest)
