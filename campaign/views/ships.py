"""A ship's page: its card as it is now, who is aboard, and its ledger."""

from __future__ import annotations

from django.http import HttpResponse

from campaign.selectors.ashore.dockyards import ship_yard
from campaign.selectors.orders.condition import ship_state
from campaign.selectors.people.access import campaign_for_member_or_404
from campaign.selectors.people.action import ship_for_member_or_404
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads
from fleets.selectors.cards import ship_card
from fleets.selectors.ships import officers_aboard, service_history, ship_facts


@reads
def ship(request: HtmxHttpRequest, code: str, ship: str) -> HttpResponse:
    """A ship of the reader's own side; any ship for the umpire. Raises Http404 for every other reader."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    found = ship_for_member_or_404(membership, ship)
    shown = ship_card(found)
    context = {
        "ship": found,
        "shown": shown,
        "card_template": shown.templates,
        "officers": officers_aboard(found),
        "yard": ship_yard(campaign, found),
        "state": ship_state(campaign.book.rule_set, found),
        "facts": ship_facts(found),
        "history": service_history(found),
    }
    return campaign_page(request, "fleets/ship.html", campaign, membership, "ship", context)
