"""The objectives of the sides: read by everyone as far as they may, made and changed by the umpire. Rules: G.OB1, G.OB4."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from campaign.accounts.objectives import heavy_ships
from campaign.models import Campaign, Membership
from campaign.objective_forms import ObjectiveForm, objective_fields
from campaign.rules.aims.rows import ObjectiveFaults
from campaign.selectors.people.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.reports.objectives import objectives as objectives_for
from campaign.selectors.reports.reports import all_names
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import objectives_of, pure_theatre
from campaign.services.setup import objectives as service
from campaign.services.umpire_log import UmpireRefused
from campaign.views.confirming import Question, answered, asked
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads, reads_and_posts


@reads
def objectives(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What each side is to do and how far it is, as the reader's side knows it. Rule: G.OB4."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    context = {
        "objectives": objectives_for(campaign, membership),
        "umpire": membership.role == Role.UMPIRE and campaign.status != Campaign.Status.CLOSED,
    }
    return campaign_page(request, "campaign/objectives.html", campaign, membership, "objectives", context)


@reads_and_posts
def objective_new(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire makes an objective. Rules: G.OB1, G.UM1."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    return _edited(
        request, campaign, membership, "", ObjectiveForm(request.POST or None, **_choices(campaign))
    )


@reads_and_posts
def objective(request: HtmxHttpRequest, code: str, objective: str) -> HttpResponse:
    """The umpire changes an objective. Rules: G.OB1, G.UM1."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    row = next((row for row in objectives_of(campaign) if row.id == objective), None)
    if row is None:
        raise Http404("no such objective")
    form = ObjectiveForm(
        request.POST or None, initial=objective_fields(row), fixed=True, **_choices(campaign)
    )
    return _edited(request, campaign, membership, objective, form)


@posts
def objective_delete(request: HtmxHttpRequest, code: str, objective: str) -> HttpResponse:
    """The umpire deletes an objective. Rules: G.OB1, G.UM1."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    if not answered(request):
        question = Question(
            title=f"Delete objective {objective}?",
            lines=("What it has paid stays paid. It cannot be restored, only created again.",),
            button="Delete objective",
            back="objective",
            back_args=(objective,),
            reason="must" if service.reason_wanted(campaign) else "may",
        )
        return asked(request, campaign, membership, "objectives", question)
    try:
        service.objective_delete(
            campaign=campaign,
            umpire=request.user,
            code=objective,
            reason=request.POST.get("reason", "")[:300],
        )
    except UmpireRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"Objective {objective} deleted.")
    return redirect("objectives", code)


def _edited(
    request: HtmxHttpRequest, campaign: Campaign, membership: Membership, code: str, form: ObjectiveForm
) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        try:
            saved = service.objective_save(
                campaign=campaign, umpire=request.user, row=form.row(), code=code, reason=form.cleaned_data["reason"],
            )  # fmt: skip
        except ObjectiveFaults as refusal:
            for fault in refusal.faults:
                form.fault(fault.path, fault.text)
        except UmpireRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, f"Objective {saved.code} saved. It holds from the next turn that runs.")
            return redirect("objectives", campaign.code)
    words = next((row.words for row in objectives_of(campaign) if row.id == code), "")
    context = {
        "form": form,
        "code": code,
        "objective": words,
        "reason_wanted": service.reason_wanted(campaign),
    }
    status = 422 if form.errors else 200
    return campaign_page(
        request, "campaign/objective.html", campaign, membership, "objectives", context, status=status
    )


def _choices(campaign: Campaign) -> dict[str, Any]:
    places = pure_theatre(campaign.theatre).places.values()
    sides = list(campaign.sides.values_list("navy__code", "name"))
    known, names = service.known_to(campaign), all_names(campaign)
    return {
        "sides": sides,
        "allies": sides,
        "convoys": [(code, names.get(code, f"the convoy {code}")) for code in sorted(known.convoys)],
        "fleets": sorted(
            ((code, names.get(code, code)) for code in known.fleets if code), key=lambda pair: pair[1]
        ),
        "heavy": heavy_ships(names),
        "others": [
            (row.id, f"{names.get(row.side, row.side)}: {row.words}") for row in objectives_of(campaign)
        ],
        "places": sorted(((p.code, short_name(p.name)) for p in places), key=lambda pair: pair[1]),
    }
