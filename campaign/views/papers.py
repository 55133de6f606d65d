"""The papers of a campaign: its settings, emails, the umpire's log and the proofs of fair dice."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import cache_control

from battles.engine import registry
from campaign.chart_picture import picture_png
from campaign.models import Campaign, Membership
from campaign.notices.send import notice_resend
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.desk.alarms import set_aside
from campaign.selectors.desk.versions import versions_of
from campaign.selectors.mail import papers
from campaign.selectors.people.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.reports.luck import luck_for
from campaign.selectors.rules import setting_groups, setting_table, tie_table
from campaign.selectors.turn.facts import opening_of
from campaign.services.settings.rule_changes import TIES, RulesRefused
from campaign.services.settings.rule_changes import rules_change as change_rules
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads

PAGE, PROOFS = 50, 20


def _page(
    request: HtmxHttpRequest, template: str, here: str, part: tuple[Campaign, Membership], **context: Any
) -> HttpResponse:
    return campaign_page(request, f"campaign/{template}.html", *part, here, context)


@reads
def rules_in_force(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The settings of the campaign with clause, value and default, and how the sides stand. Rule: G.CL1."""
    return _rules(request, campaign_for_member_or_404(request.user, code))


@posts
def rules_change(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire changes settings, wars and alliances from the next turn on, with a reason that everyone can read. Rule: G.UM1."""
    part = campaign_for_umpire_or_404(request.user, code)
    campaign = part[0]
    ties = {row.name: request.POST.get(row.name, row.typed) for row in tie_table(campaign)}
    typed = {row.name: request.POST.get(row.name, row.typed) for row in setting_table(campaign)}
    reason = request.POST.get("reason", "")
    try:
        told = change_rules(
            campaign=campaign, umpire=request.user, typed=typed, reason=reason,
            ties={(name.split("-")[1], name.split("-")[2]): tie for name, tie in ties.items()},
        )  # fmt: skip
    except RulesRefused as refusal:
        faults = {fault.path: fault.text for fault in refusal.faults}
        return _rules(request, part, typed={**typed, **ties}, faults=faults, reason=reason, status=422)
    if told:
        messages.success(
            request,
            "Settings saved. They apply from the next turn. Everyone can read the changes in the umpire's log.",
        )
    else:
        messages.info(request, "Nothing was changed.")
    return redirect("rules_in_force", code)


def _rules(
    request: HtmxHttpRequest,
    part: tuple[Campaign, Membership],
    *,
    typed: dict[str, str] | None = None,
    faults: dict[str, str] | None = None,
    reason: str = "",
    status: int = 200,
) -> HttpResponse:
    campaign, membership = part
    response = _page(
        request, "rules_in_force", "rules", part, groups=setting_groups(campaign, typed, faults),
        ties=tie_table(campaign, typed), tie_choices=TIES, faults=faults or {}, reason=reason,
        editable=membership.role == Role.UMPIRE, rule_set=registry.rule_set(campaign.book.rule_set).title, versions=versions_of(campaign),
        mark=opening_of(campaign).mark, options=sorted(campaign.options.items()),
    )  # fmt: skip
    response.status_code = status
    return response


@reads
def mailbox(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The reader's own notices; for the umpire also the delivery of everyone's."""
    part = campaign_for_member_or_404(request.user, code)
    campaign, membership = part
    own = Paginator(papers.notices_for(campaign, membership), PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {"notices": own}
    if membership.role == Role.UMPIRE:
        rows = papers.delivery_rows(campaign)
        context["deliveries"] = Paginator(rows, PAGE).get_page(request.GET.get("all"))
        context["undelivered"] = papers.undelivered(campaign)
        context["set_aside"] = set_aside(campaign)[:PAGE]
    return _page(request, "mailbox", "mailbox", part, **context)


@reads
def notice(request: HtmxHttpRequest, code: str, pk: int) -> HttpResponse:
    """A notice as it was written: one of the reader's own, anyone's for the umpire."""
    part = campaign_for_member_or_404(request.user, code)
    found = papers.notice_for_member_or_404(part[1], pk)
    return _page(request, "notice", "mailbox", part, notice=found)


@reads
@cache_control(private=True, no_cache=True)
def notice_picture(request: HtmxHttpRequest, code: str, pk: int) -> HttpResponse:
    """The chart that a notice shows: of the reader's own, of anyone's for the umpire. Raises Http404. Rule: G.IN1."""
    part = campaign_for_member_or_404(request.user, code)
    found = papers.notice_for_member_or_404(part[1], pk)
    if found.picture is None:
        raise Http404("no picture goes with it")
    try:
        return HttpResponse(picture_png(found.picture), content_type="image/png")
    except ValueError as error:
        raise Http404("the picture cannot be rendered") from error


@posts
def resend(request: HtmxHttpRequest, code: str, pk: int) -> HttpResponse:
    """The umpire sends an email again. Rule: G.UM1."""
    _, membership = campaign_for_umpire_or_404(request.user, code)
    found = papers.notice_for_member_or_404(membership, pk)
    if notice_resend(notice=found, umpire=request.user):
        messages.success(request, f"The email to {found.reader} is queued and will be sent again.")
    else:
        messages.warning(request, f"The email to {found.reader} is being sent now.")
    return redirect("mailbox", code)


@reads
def log(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What the umpire did, for everyone in the campaign to read. Rule: G.UM1."""
    part = campaign_for_member_or_404(request.user, code)
    actions = Paginator(part[0].umpire_actions.order_by("-at", "-pk"), PAGE)
    return _page(request, "log", "log", part, actions=actions.get_page(request.GET.get("page")))


@reads
def fairness(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Hashes published beforehand, the published secrets, when the others are published, and how to check every die. Rule: G.FA1."""
    part = campaign_for_member_or_404(request.user, code)
    turns = Paginator(papers.turns_proved(part[0]), PROOFS).get_page(request.GET.get("page"))
    proofs = papers.proofs(*part, turns)
    newest = next((proof.number for proof in proofs if proof.chart_secret), 0)
    after = settings_from(part[0].settings).secrets_after
    return _page(
        request, "fairness", "fairness", part, proofs=proofs, turns=turns, newest=newest, after=after
    )


@reads
def luck(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Dice thrown against dice expected, of what is revealed. Rule: G.FA2."""
    part = campaign_for_member_or_404(request.user, code)
    return _page(request, "luck", "fairness", part, luck=luck_for(*part))
