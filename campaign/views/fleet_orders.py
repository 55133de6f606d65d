"""Many fleets at once: the table from which one order goes to several of them, and the plain list of the orders given.

Works without scripts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from battles.engine.core.telling import the_fleet
from campaign.accounts import listed
from campaign.forms import FleetsForm, OrdersForm
from campaign.models import Campaign, Membership, Order, Station, Turn
from campaign.selectors.desk.pages import turn_progress
from campaign.selectors.orders.fleet_table import FleetLine, fleet_lines, next_waiting, route_taken_up
from campaign.selectors.orders.orders import (
    goals,
    has_landings,
    havens,
    order_for,
    own_ports,
    part_rows,
    way_to,
)
from campaign.selectors.orders.orders_left import order_as_left
from campaign.selectors.people.access import (
    campaign_for_admiral_or_404,
    current_turn,
    stations_for,
)
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.orders.orders import Given, OrderRefused, OrdersRefused, order_withdraw, orders_submit
from campaign.views.requests import HtmxHttpRequest, campaign_page, number_in, posts, reads, reads_and_posts


@reads_and_posts
def fleet_table(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Every fleet of the reader's in one table; ticked ones get one order. Refused, it says why for each, and saves nothing."""
    campaign, membership = campaign_for_admiral_or_404(request.user, code)
    page = TablePage(campaign, membership, current_turn(campaign))
    return page.posted(request) if request.method == "POST" else page.shown(request, page.form())


class TablePage:
    """One admiral's table of fleets in one turn."""

    def __init__(self, campaign: Campaign, membership: Membership, turn: Turn | None) -> None:
        assert membership.side is not None  # an admiral has one: the database sees to it
        self.campaign, self.membership, self.turn, self.side = campaign, membership, turn, membership.side
        self.lines = fleet_lines(campaign, membership, turn) if turn is not None else []

    def form(self, *args: Any) -> FleetsForm:
        """The order for the ticked fleets."""
        return FleetsForm(
            *args,
            goals=goals(self.campaign, self.side),
            fleets=[(line.code, line.name) for line in self.lines if not line.alone],
            landings=has_landings(self.campaign),
            rule_set=self.campaign.book.rule_set,
        )

    def posted(self, request: HtmxHttpRequest) -> HttpResponse:
        """Give the ticked fleets their order."""
        form = self.form(request.POST)
        ticked = [line for line in self.lines if line.free and line.code in request.POST.getlist("fleets")]
        if not ticked:
            form.add_error(None, "Tick the fleets that the order is for.")
        unsent = {line.code: _unsent(line) for line in ticked if line.drafted}
        if not form.is_valid() or unsent or self.turn is None:
            return self.shown(request, form, refused=unsent, status=422)
        orders, fallen = self._orders(request, form, {line.code for line in ticked})
        try:
            orders_submit(turn=self.turn, membership=self.membership, orders=orders)
        except OrdersRefused as refusal:
            by_fleet = {code: [str(f.text) for f in faults] for code, faults in refusal.by_fleet.items()}
            return self.shown(request, form, refused=by_fleet, status=422)
        for words in fallen:
            messages.warning(request, words)
        names = listed([line.name for line in ticked])
        messages.success(request, f"Orders given to {names}. You can change them until orders close.")
        return redirect("fleet_table", self.campaign.code)

    def _orders(
        self, request: HtmxHttpRequest, form: FleetsForm, codes: set[str]
    ) -> tuple[list[Given], list[str]]:
        """The order of each ticked fleet, and in words what fell out of the standing ones."""
        assert self.turn is not None
        stations = {row.fleet.code: row for row in stations_for(self.membership)}
        source = stations.get(form.cleaned_data["copied"])
        copied = order_for(self.turn, source) if source is not None else None
        given: list[Given] = []
        said: list[str] = []
        for code in sorted(codes):
            station = stations[code]
            order, fallen = order_as_left(self.turn, self.side, station)
            said += fallen
            columns = OrderColumns.of(order)
            if source is None:
                columns = self._changed(station, columns, form.cleaned_data)
            else:
                columns = self._copied(station, columns, OrderColumns.of(copied), source)
            given.append(Given(station.fleet, columns, number_in(request.POST.get(f"seen-{code}", ""))))
        return given, said

    def _changed(self, station: Station, columns: OrderColumns, wanted: dict[str, Any]) -> OrderColumns:
        """A fleet's order with what the form changes in it."""
        goal = wanted["goal"]
        changes: dict[str, Any] = {}
        if goal == FleetsForm.STAY:
            changes["route"] = []
        elif goal:
            changes["route"] = way_to(self.campaign, self.side, station, [], goal)
        for name in ("stance", "on_arrival"):
            if wanted[name]:
                changes[name] = wanted[name]
        if changes.get("on_arrival") or (goal and columns.on_arrival != "escort"):
            changes["target"] = ""
        return columns._replace(**changes)

    def _copied(
        self, station: Station, columns: OrderColumns, copied: OrderColumns, source: Station
    ) -> OrderColumns:
        """Another fleet's order for this one; its own detachments stay as they are."""
        if source.fleet_id == station.fleet_id:
            return columns
        # a blockade stands by its port when its route has been sailed
        ahead = list(copied.route) or (
            [copied.target] if copied.on_arrival != "escort" and copied.target else []
        )
        route = route_taken_up(self.campaign, self.membership, station, ahead)
        target = copied.target if copied.on_arrival == "escort" or not route else ""
        return copied._replace(route=route, target=target, parts=columns.parts)

    def shown(
        self,
        request: HtmxHttpRequest,
        form: FleetsForm,
        *,
        refused: dict[str, list[str]] | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The page. refused: what is wrong, by the code of the fleet."""
        names = {line.code: line.name for line in self.lines}
        context = {
            "turn": self.turn,
            "lines": self.lines,
            "open": self.turn is not None and self.turn.phase == Turn.Phase.OPEN,
            "waiting": sum(line.waits for line in self.lines),
            "following": next_waiting(self.lines),
            "progress": turn_progress(self.turn, self.membership),
            "form": form,
            "ticked": request.POST.getlist("fleets"),
            "refused": [(names.get(code, code), faults) for code, faults in (refused or {}).items()],
        }
        template = "campaign/fleet_table.html"
        return campaign_page(
            request, template, self.campaign, self.membership, "fleet_table", context, status
        )


def _unsent(line: FleetLine) -> list[str]:
    return [
        f"You have changes to the orders of {the_fleet(line.name)} that you have not given. Give or discard them first."
    ]


@reads
def orders_list(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """All orders of the reader's fleets in plain words, to print, and to withdraw what was given this turn."""
    campaign, membership = campaign_for_admiral_or_404(request.user, code)
    turn = current_turn(campaign)
    lines = _in_full(campaign, membership, turn) if turn is not None else []
    context = {
        "turn": turn,
        "open": turn is not None and turn.phase == Turn.Phase.OPEN,
        "given": [line for line in lines if line.given],
        "standing": [line for line in lines if not line.given],
    }
    return campaign_page(request, "campaign/orders_list.html", campaign, membership, "fleet_table", context)


def _in_full(campaign: Campaign, membership: Membership, turn: Turn) -> list[FleetLine]:
    """The fleets' lines with ships that leave and battle instructions."""
    side = membership.side
    assert side is not None  # an admiral has one: the database sees to it
    form = OrdersForm(
        rule_set=campaign.book.rule_set, ports=own_ports(campaign, side), places=havens(campaign, side)
    )
    orders = {row.fleet.code: row for row in Order.objects.filter(turn=turn).select_related("fleet")}
    return [
        replace(
            line,
            parts=tuple(part_rows(campaign, side, orders.get(line.code))),
            instructions=tuple(form.in_words(orders[line.code])) if line.code in orders else (),
        )
        for line in fleet_lines(campaign, membership, turn)
    ]


@posts
def orders_withdraw(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Take back the orders that were given to a fleet this turn."""
    campaign, membership = campaign_for_admiral_or_404(request.user, code)
    turn = current_turn(campaign)
    station = stations_for(membership).filter(fleet__code=request.POST.get("fleet", "")).first()
    if turn is None or station is None:
        messages.error(request, "Choose one of your fleets.")
        return redirect("orders_list", code)
    try:
        order_withdraw(
            turn=turn,
            membership=membership,
            fleet=station.fleet,
            state_no=number_in(request.POST.get("state_no", "")),
        )
    except OrderRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, f"Orders withdrawn. {station.fleet.name} follows its standing orders again."
        )
    return redirect("orders_list", code)
