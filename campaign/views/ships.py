"""A ship's page: its card as it is now, who is aboard, and its ledger. The umpire corrects it on a page of its own."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect

from campaign.selectors.ashore.dockyards import ship_yard
from campaign.selectors.orders.condition import ship_state
from campaign.selectors.people.access import campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.people.action import ship_for_member_or_404
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads, reads_and_posts
from fleets.selectors.cards import ship_card
from fleets.selectors.ships import officers_aboard, service_history, ship_facts
from fleets.services.ship_edits import ship_amend
from fleets.ship_forms import ShipForm


@reads
def ship(request: HtmxHttpRequest, code: str, ship: str) -> HttpResponse:
    """A ship of the reader's own side; any ship for the umpire. Raises Http404 for every other reader."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    found = ship_for_member_or_404(membership, ship)
    shown, officers = ship_card(found), officers_aboard(found)
    context = {
        "ship": found,
        "shown": shown,
        "card_template": shown.templates,
        "officers": officers,
        "captain_told": any(life.officer.name == found.captain for life in officers),
        "yard": ship_yard(campaign, found),
        "state": ship_state(campaign.book.rule_set, found),
        "facts": ship_facts(found),
        "history": service_history(found),
    }
    return campaign_page(request, "fleets/ship.html", campaign, membership, "ship", context)


@reads_and_posts
def ship_correct(request: HtmxHttpRequest, code: str, ship: str) -> HttpResponse:
    """The umpire corrects a ship, in the marks of its rule set and with a reason. Raises Http404. Rules: G.UM1, G.SV1, G.BT4."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    found = ship_for_member_or_404(membership, ship)
    form = ShipForm(request.POST or None, instance=found)
    if request.method == "POST" and form.is_valid():
        fresh = ship_for_member_or_404(membership, ship)
        said = form.cleaned_data
        try:
            done = ship_amend(
                ship=fresh, values=form.values(), reason=said["reason"], user=request.user, void_battle=said.get("void_battle", False),
            )  # fmt: skip
        except ValidationError as refusal:
            form.add_error(None, refusal.messages)
        else:
            messages.success(request, f"{fresh.name}: {'corrected' if done else 'nothing changed'}.")
            return redirect("ship", code, ship)
    fresh = ship_for_member_or_404(membership, ship)
    shown = ship_card(fresh)
    context = {"ship": fresh, "form": form, "shown": shown, "card_template": shown.templates}
    status = 422 if form.errors else 200
    return campaign_page(request, "campaign/ship_correct.html", campaign, membership, "ship", context, status)
