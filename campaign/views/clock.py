"""The deadlines of a campaign, which everyone reads and the umpire sets, and the absences of admirals. Rules: G.CL1, G.IN4, G.UM1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from campaign.clock_forms import AbsenceForm, ExtendForm, MoveForm, RhythmForm, WebhookForm
from campaign.models import Absence, Campaign, Membership, Turn, host_of
from campaign.selectors.desk.clock import away_rows, clock_of
from campaign.selectors.people.access import Role, campaign_for_member_or_404, current_turn
from campaign.selectors.people.people import name_of
from campaign.services.desk import umpire as acts
from campaign.services.people.absences import AbsenceRefused, absence_announce, absence_change, absence_end
from campaign.services.settings.clock import rhythm_change, rhythm_words, webhook_set
from campaign.services.turn.turns import rhythm_of
from campaign.services.umpire_log import UmpireRefused
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads_and_posts

FORMS: dict[str, Any] = {"move": MoveForm, "extend": ExtendForm, "rhythm": RhythmForm, "webhook": WebhookForm}
SAID = {
    "move": "Deadline moved. Everyone has been notified.",
    "extend": "The turn has more time. Everyone has been notified.",
    "rhythm": "Schedule saved. Everyone is notified of any change.",
    "webhook": "Webhook saved.",
    "pause": "The campaign is paused.",
    "resume": "The campaign has resumed.",
}


@reads_and_posts
def clock(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Deadlines: everyone reads them, the umpire sets them. A refusal changes nothing and is shown on the page. Raises Http404."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    umpire = membership.role == Role.UMPIRE
    act, fault, form = "", "", None
    if request.method == "POST":
        if not umpire:
            raise Http404("the umpire's alone")
        act = request.POST.get("act", "")
        form = FORMS[act](request.POST) if act in FORMS else None
        if form is None or form.is_valid():
            try:
                _do(request, campaign, act, form.cleaned_data if form is not None else {})
                messages.success(request, SAID[act])
                return redirect("clock", code)
            except UmpireRefused as refusal:
                fault = str(refusal)
                campaign = Campaign.objects.select_related("book", "theatre").get(pk=campaign.pk)
        else:
            fault = "Correct the errors below."
    turn = current_turn(campaign)
    context = {
        "umpire": umpire,
        "fault": fault,
        "clock": clock_of(campaign, membership, turn, rhythm_of(campaign)),
        "rhythm": rhythm_words(campaign),
        "zone_here": timezone.get_current_timezone_name(),
        "reason": request.POST.get("reason", "") if act in ("pause", "resume") else "",
        **(_forms(campaign, act, form) if umpire else {}),
    }
    return campaign_page(
        request, "campaign/clock.html", campaign, membership, "clock", context, status=422 if fault else 200
    )


def _forms(campaign: Campaign, act: str, bound: Any) -> dict[str, Any]:
    """The forms of the page; a refused one keeps what was typed."""
    fresh = {
        "move": MoveForm(auto_id="move_%s"),
        "extend": ExtendForm(auto_id="extend_%s"),
        "rhythm": RhythmForm(initial=RhythmForm.initial_from(campaign), auto_id="rhythm_%s"),
        "webhook": WebhookForm(auto_id="webhook_%s"),
    }
    if bound is not None:
        bound.auto_id = f"{act}_%s"
        fresh[act] = bound
    forms = {f"{name}_form": form for name, form in fresh.items()}
    return {**forms, "webhook_host": host_of(campaign.webhook), "zones": sorted(available_timezones())}


def _do(request: HtmxHttpRequest, campaign: Campaign, act: str, data: dict[str, Any]) -> None:
    """Do one act. Raises UmpireRefused."""
    who: dict[str, Any] = {"campaign": campaign, "umpire": request.user}
    reason = request.POST.get("reason", "")[:2000]
    whole: dict[str, Callable[[], Any]] = {
        "pause": lambda: acts.campaign_pause(reason=reason, **who),
        "resume": lambda: acts.campaign_resume(reason=reason, **who),
        "webhook": lambda: _webhook(data, who),
        "rhythm": lambda: rhythm_change(**data, **who),
        "move": lambda: acts.turn_deadline_set(turn=_turn(campaign), umpire=request.user, **data),
        "extend": lambda: acts.turn_extend(turn=_turn(campaign), umpire=request.user, **data),
    }
    if act not in whole:
        raise UmpireRefused("Unknown action. Reload the page and try again.")
    if campaign.status == Campaign.Status.CLOSED:
        raise UmpireRefused("The campaign is over. Its deadlines can no longer change.")
    whole[act]()


def _webhook(data: dict[str, Any], who: dict[str, Any]) -> None:
    if data["remove"]:
        webhook_set(address="", **who)
    elif data["address"].strip():
        webhook_set(address=data["address"], **who)


def _turn(campaign: Campaign) -> Turn:
    turn = current_turn(campaign)
    if turn is None:
        raise UmpireRefused("No turn has opened yet.")
    return turn


@reads_and_posts
def away(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """An admiral's own absences, everyone's for the umpire: announce, change, end early. Raises Http404 for everyone else."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    if membership.role == Role.OBSERVER:
        raise Http404("observers have no absences")
    row = _absence(request, membership)
    form = _absence_form(campaign, membership, row, request.POST if _sends(request) else None)
    fault = ""
    if request.method == "POST":
        try:
            if request.POST.get("act") == "end":
                if row is None:
                    raise Http404("no such absence for this reader")
                absence_end(absence=row, by=request.user)
                messages.success(request, "Absence ended. The umpire has been notified.")
                return redirect("away", code)
            if form.is_valid():
                _keep(request, membership, row, form)
                return redirect("away", code)
            fault = "Correct the errors below."
        except AbsenceRefused as refusal:
            fault = str(refusal)
    context = {
        "umpire": membership.role == Role.UMPIRE,
        "zone_here": timezone.get_current_timezone_name(),
        "rows": away_rows(campaign, membership),
        "form": form,
        "changing": row,
        "fault": fault,
    }
    return campaign_page(
        request, "campaign/away.html", campaign, membership, "clock", context, status=422 if fault else 200
    )


def _sends(request: HtmxHttpRequest) -> bool:
    return request.method == "POST" and request.POST.get("act") != "end"


def _absence(request: HtmxHttpRequest, membership: Membership) -> Absence | None:
    """The absence that is to be changed or ended: the reader's own, anyone's for the umpire. Raises Http404."""
    given = request.POST.get("absence") or request.GET.get("change") or ""
    if not given:
        return None
    rows = {str(one.row.pk): one.row for one in away_rows(membership.campaign, membership) if one.editable}
    if given not in rows:
        raise Http404("no such absence for this reader")
    row = rows[given]
    row.membership.campaign = membership.campaign
    return row


def _absence_form(
    campaign: Campaign, membership: Membership, row: Absence | None, posted: Any
) -> AbsenceForm:
    admirals = campaign.memberships.filter(role=Role.ADMIRAL).select_related("user", "side__navy")
    people = sorted(admirals, key=lambda member: (str(member.side), name_of(member.user)))
    if membership.role != Role.UMPIRE:
        mates = [m for m in people if m.side_id == membership.side_id and m.pk != membership.pk]
        own, people = membership, []
    else:
        own, mates = None, people
        if row is not None:
            own = row.membership
            mates = [m for m in people if m.side_id == own.side_id and m.pk != own.pk]
    initial = AbsenceForm.initial_from(row) if row is not None else None
    return AbsenceForm(posted, people=people, stand_ins=mates, own=own, initial=initial)


def _keep(request: HtmxHttpRequest, membership: Membership, row: Absence | None, form: AbsenceForm) -> None:
    """Announce or change. Raises AbsenceRefused."""
    data = form.cleaned_data
    what: dict[str, Any] = {
        "first": data["first"], "last": data["last"], "note": data["note"], "stand_in": form.named("stand_in"), "by": request.user
    }  # fmt: skip
    if row is not None:
        _, doubts = absence_change(absence=row, **what)
    else:
        whose = form.named("whose") if membership.role == Role.UMPIRE else membership
        if whose is None:
            raise AbsenceRefused("Choose the admiral who is away.")
        _, doubts = absence_announce(membership=whose, **what)
    messages.success(request, "Absence saved. The umpire has been notified.")
    for doubt in doubts:
        messages.warning(request, doubt)
