"""What is only read: reports of turns, rules in force, the reader's mail, the umpire's log and the proofs of fair dice."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.models import Turn
from campaign.rules.snapshots import settings_from
from campaign.rules.types import setting_rows
from campaign.selectors.access import Role, campaign_for_member_or_404, turn_for_member_or_404
from campaign.selectors.pages import delivery_rows, notices_for, proofs
from campaign.selectors.reports import side_report, umpire_report
from campaign.views.requests import HtmxHttpRequest

PAGE = 50


@login_required
@require_safe
def reports(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Every turn that is over, newest first, each with its report."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    turns = campaign.turns.filter(phase=Turn.Phase.CLOSED).defer("state", "snapshot").order_by("-number")
    context = {"campaign": campaign, "membership": membership, "here": "report", "turns": turns}
    return render(request, "campaign/reports.html", context)


@login_required
@require_safe
def report(request: HtmxHttpRequest, code: str, number: int) -> HttpResponse:
    """A side's report of a turn by day and hour; the umpire reads everything, an observer nothing. Rule: G.IN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    turn = turn_for_member_or_404(campaign, number)
    if turn.phase != Turn.Phase.CLOSED or membership.role == Role.OBSERVER:
        raise Http404("no report for this reader")
    side = membership.side
    context = {
        "campaign": campaign,
        "membership": membership,
        "here": "report",
        "turn": turn,
        "umpire": side is None,
        "report": side_report(turn, side) if side is not None else umpire_report(turn),
        "newest": not campaign.turns.filter(number__gt=number, phase=Turn.Phase.CLOSED).exists(),
    }
    return render(request, "campaign/report.html", context)


@login_required
@require_safe
def rules_in_force(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The settings of the campaign with clause, value and default."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    rows = setting_rows(settings_from({"turn_days": campaign.turn_days, **campaign.settings}))
    context = {
        "campaign": campaign,
        "membership": membership,
        "here": "rules",
        "rows": rows,
        "options": sorted(campaign.options.items()),
    }
    return render(request, "campaign/rules_in_force.html", context)


@login_required
@require_safe
def mailbox(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The reader's own notices; for the umpire also how every notice is getting on, without what it says."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    context = {
        "campaign": campaign,
        "membership": membership,
        "here": "mailbox",
        "notices": notices_for(campaign, membership)[:PAGE],
    }
    if membership.role == Role.UMPIRE:
        context["deliveries"] = Paginator(delivery_rows(campaign), PAGE).get_page(request.GET.get("page"))
    return render(request, "campaign/mailbox.html", context)


@login_required
@require_safe
def notice(request: HtmxHttpRequest, code: str, pk: int) -> HttpResponse:
    """One of the reader's own notices, as it was written."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    found = get_object_or_404(notices_for(campaign, membership), pk=pk)
    context = {"campaign": campaign, "membership": membership, "here": "mailbox", "notice": found}
    return render(request, "campaign/notice.html", context)


@login_required
@require_safe
def log(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What the umpire did, for everybody in the campaign to read. Rule: G.UM1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    actions = Paginator(campaign.umpire_actions.order_by("-at", "-pk"), PAGE)
    context = {
        "campaign": campaign,
        "membership": membership,
        "here": "log",
        "actions": actions.get_page(request.GET.get("page")),
    }
    return render(request, "campaign/log.html", context)


@login_required
@require_safe
def fairness(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Hashes published when turns opened, and the secrets of those that are closed. Rule: G.FA1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    context = {
        "campaign": campaign,
        "membership": membership,
        "here": "fairness",
        "proofs": proofs(campaign),
    }
    return render(request, "campaign/fairness.html", context)
