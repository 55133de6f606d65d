"""Ships that are to leave a fleet: ticked, named and sent, one detachment at a time. Works without scripts. Rule: G.MV4."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from battles.engine.core.errors import OrderFault
from campaign.forms import STANCES, PartForm, arrivals
from campaign.models import Turn
from campaign.selectors.chart.fleet import fleet_page
from campaign.selectors.orders.orders import goals, in_company, part_rows, way_to
from campaign.selectors.orders.orders_left import order_as_left
from campaign.selectors.people.commanding import may_command
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.orders.orders import OrderRefused, order_submit
from campaign.views.orders import OrdersPage, page_of
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads_and_posts


@reads_and_posts
def orders_ships(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """Show the ships of a fleet to be ticked; add a detachment to its orders, or remove one. Raises Http404."""
    page = page_of(request, code, fleet)
    if not may_command(membership=page.membership, fleet=page.station.fleet):
        raise Http404("not theirs to order")
    sheet = fleet_page(page.campaign, page.station, page.turn)
    choices = _choices(page, sheet)
    if request.method != "POST":
        state = page.order.state_no if page.order is not None else 0
        return _shown(request, page, sheet, PartForm(initial={"state_no": state}, **choices))
    form = PartForm(request.POST, **choices)
    if not form.is_valid():
        return _shown(request, page, sheet, form, status=422)
    parts, said = _changed(request, page, form)
    try:
        _send(page, parts, form.cleaned_data["state_no"])
    except OrderRefused as refusal:
        page.order, page.fallen = order_as_left(page.turn, page.side, page.station)
        return _shown(request, page, sheet, form, faults=refusal.faults, status=422)
    messages.success(request, said)
    return redirect("orders_ships" if request.POST.get("act") == "drop" else "orders", code, fleet)


def _choices(page: OrdersPage, sheet: Any) -> dict[str, Any]:
    """The choices: ships of the fleet, fleets in company, places, and fleets to escort (this one among them)."""
    return {
        "ships": [(row.ship.code, row.ship.name) for squadron in sheet.squadrons for row in squadron.ships],
        "near": in_company(page.campaign, page.side, page.station),
        "goals": goals(page.campaign, page.side),
        "charges": [(page.station.fleet.code, page.station.fleet.name), *page.choices["charges"]],
        "landings": page.choices["landings"],
        "rule_set": page.choices["rule_set"],
    }


def _changed(request: HtmxHttpRequest, page: OrdersPage, form: PartForm) -> tuple[list[Any], str]:
    """The stored parts with one more, or without the one removed."""
    if request.POST.get("act") == "drop":
        number = request.POST.get("number", "")
        parts = [part for n, part in enumerate(page.parts) if str(n) != number]
        return parts, "The ships stay with the fleet."
    data = form.cleaned_data
    part: dict[str, Any] = {"ships": data["ships"], "to": data["to"]}
    if not data["to"]:
        goal = data["goal"]
        part |= {
            "name": data["name"].strip(),
            "route": way_to(page.campaign, page.side, page.station, [], goal) if goal else [],
            "stance": data["stance"],
            "on_arrival": data["on_arrival"],
            "target": data["target"] if data["on_arrival"] == "escort" else "",
        }
    return [*page.parts, part], "The ships leave the fleet at 06:00. You can change this until orders close."


def _send(page: OrdersPage, parts: list[Any], state_no: int | None) -> None:
    """Give the stored orders again with other parts. Raises OrderRefused."""
    order_submit(
        turn=page.turn,
        membership=page.membership,
        fleet=page.station.fleet,
        order=OrderColumns.of(page.order)._replace(parts=parts),
        state_no=state_no,
        keeps_draft=True,
    )


def _shown(
    request: HtmxHttpRequest,
    page: OrdersPage,
    sheet: Any,
    form: PartForm,
    *,
    faults: tuple[OrderFault, ...] = (),
    status: int = 200,
) -> HttpResponse:
    context = {
        "turn": page.turn,
        "fleet": page.station.fleet,
        "sheet": sheet,
        "form": form,
        "ticked": request.POST.getlist("ships"),
        "faults": faults,
        "fallen": page.fallen,
        "parts": part_rows(page.campaign, page.side, page.order),
        "stances": STANCES,
        "arrivals": arrivals(landings=page.choices["landings"], rule_set=page.choices["rule_set"]),
        "open": page.turn.phase == Turn.Phase.OPEN,
    }
    template = "campaign/orders_ships.html"
    return campaign_page(request, template, page.campaign, page.membership, "fleet_table", context, status)
