"""The umpire's page of convoys and interned ships. Rules: G.CV1, G.NE1, G.UM1."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaign.forms import ConvoyForm
from campaign.models import Campaign, Membership, Turn
from campaign.selectors.ashore.trade import cargo_rows, interned_rows
from campaign.selectors.people.access import campaign_for_umpire_or_404, current_turn
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import theatre_of
from campaign.services.setup import convoys as service
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads_and_posts


@reads_and_posts
def convoys(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Every convoy under way and every ship interned; the umpire creates another convoy. Rule: G.CV1."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    turn = current_turn(campaign)
    choices = _choices(campaign)
    if request.method != "POST" or turn is None:
        return _shown(request, campaign, membership, turn, ConvoyForm(**choices))
    form = ConvoyForm(request.POST, **choices)
    if not form.is_valid():
        return _shown(request, campaign, membership, turn, form, status=422)
    data = dict(form.cleaned_data)
    reason, sails_in, side = data.pop("reason"), data.pop("sails_in"), data.pop("side")
    data |= {
        "side": campaign.sides.select_related("navy").get(navy__code=side),
        "ships": [line.strip() for line in data["ships"].splitlines() if line.strip()],
        "sails_day": campaign.calendar_day + sails_in,
    }
    try:
        service.convoy_make_by_umpire(
            campaign=campaign, turn=turn, umpire=request.user, reason=reason, **data
        )
    except service.ConvoyRefused as refusal:
        for fault in refusal.faults:
            form.add_error(fault.path if fault.path in form.fields else None, fault.text)
        return _shown(request, campaign, membership, turn, form, status=422)
    messages.success(request, f"{data['name']} created. Its admiral will find it among their fleets.")
    return redirect("convoys", code)


@posts
def interned_release(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire releases interned ships. Rule: G.NE1."""
    campaign, _ = campaign_for_umpire_or_404(request.user, code)
    turn = current_turn(campaign)
    if turn is not None:
        try:
            service.interned_release(
                campaign=campaign, turn=turn, umpire=request.user, ships=request.POST.getlist("ships"),
                reason=request.POST.get("reason", "")[:300],
            )  # fmt: skip
        except service.ConvoyRefused as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, "The ships are released. Their admiral can give them orders.")
    return redirect("convoys", code)


def _choices(campaign: Campaign) -> dict[str, Any]:
    places = theatre_of(campaign).places.values()
    return {
        "sides": list(campaign.sides.values_list("navy__code", "name")),
        "places": sorted(((p.code, short_name(p.name)) for p in places), key=lambda pair: pair[1]),
    }


def _shown(
    request: HtmxHttpRequest,
    campaign: Campaign,
    membership: Membership,
    turn: Turn | None,
    form: ConvoyForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "cargoes": cargo_rows(campaign),
        "interned": interned_rows(campaign),
        "open": turn is not None and turn.phase == Turn.Phase.OPEN,
    }
    return campaign_page(
        request, "campaign/convoys.html", campaign, membership, "rules", context, status=status
    )
