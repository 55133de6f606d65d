"""The orders of a fleet: its route leg by leg, stance, arrival, battle instructions, and a forecast.

Works without scripts; htmx swaps the form in place. What is typed is kept as a draft at every step, until it is given or discarded.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect

from battles.engine.core.errors import OrderFault
from battles.engine.core.telling import the_fleet
from campaign.as_typed import plain
from campaign.forms import STANCES, OrdersForm, arrivals
from campaign.models import Campaign, Membership, OrderDraft, Station, Turn
from campaign.selectors.chart.chart import fleet_marks, route_chart
from campaign.selectors.odds.meetings import meetings_of
from campaign.selectors.odds.reading import odds_against
from campaign.selectors.orders.drafts import draft_of
from campaign.selectors.orders.fleet_table import fleet_lines, holding, next_waiting
from campaign.selectors.orders.orders import (
    arrivals_at,
    charges,
    goals,
    has_landings,
    havens,
    own_ports,
    part_rows,
    route_plan,
    way_to,
)
from campaign.selectors.orders.orders_left import order_as_left
from campaign.selectors.orders.trial import Trial, order_trial
from campaign.selectors.people.access import (
    campaign_for_admiral_or_404,
    current_turn,
    station_for_member_or_404,
)
from campaign.selectors.people.commanding import may_command
from campaign.selectors.turn.facts import OrderColumns, pure_order
from campaign.selectors.turn.groups import groups_now
from campaign.services.orders.drafts import draft_drop, draft_save
from campaign.services.orders.orders import OrderRefused, order_submit
from campaign.views.requests import HtmxHttpRequest, campaign_page, number_in, reads_and_posts


@reads_and_posts
def orders(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """Show a fleet's orders, add or remove legs, try them out, and send them. Refusals come back with every reason."""
    page = page_of(request, code, fleet)
    if fleet in groups_now(page.campaign, page.turn):
        messages.info(request, f"Choose “Take command” to give orders to {page.station.fleet.name}.")
        return redirect("groups", code)
    if request.method != "POST":
        return page.opened(request)
    return page.posted(request)


def page_of(request: HtmxHttpRequest, code: str, fleet: str) -> OrdersPage:
    """The orders page of a fleet for its reader. Raises Http404 where they may not see it, or there is no turn to order for."""
    campaign, membership = campaign_for_admiral_or_404(request.user, code)
    station = station_for_member_or_404(membership, fleet)
    turn = current_turn(campaign)
    if turn is None or station.fleet.ended:
        raise Http404("no turn, or no longer a fleet")
    return OrdersPage(campaign, membership, station, turn)


class OrdersPage:
    """One reader's orders page of one fleet in one turn."""

    def __init__(self, campaign: Campaign, membership: Membership, station: Station, turn: Turn) -> None:
        self.campaign = campaign
        self.membership = membership
        self.station = station
        self.turn = turn
        assert membership.side is not None  # an admiral has one: the database sees to it
        self.side = membership.side
        self.order, self.fallen = order_as_left(turn, self.side, station)
        self.held = holding(campaign).get(station.held_by, "") if station.held_by else ""
        self.draft: OrderDraft | None = None
        self.choices: dict[str, Any] = {
            "rule_set": campaign.book.rule_set,
            "ports": own_ports(campaign, self.side),
            "places": havens(campaign, self.side),
            "charges": charges(campaign, self.side, station),
            "landings": has_landings(campaign),
        }

    def fresh_form(self) -> OrdersForm:
        """The form as the stored order has it."""
        return OrdersForm(initial=OrdersForm.initial_from(self.order), **self.choices)

    def standing_route(self) -> list[str]:
        """The route as the stored order has it."""
        return list(self.order.route) if self.order is not None else []

    def opened(self, request: HtmxHttpRequest) -> HttpResponse:
        """The page as it is first asked for: with what the reader has typed and not given, else with the stored order."""
        self.draft = draft_of(self.turn, self.membership, self.station)
        if self.draft is None:
            return self.shown(request, self.fresh_form(), self.standing_route())
        fields = {**self.fresh_form().initial, **self.draft.document["fields"]}
        # the page says when someone has changed the orders since; what is given then takes the place of theirs
        fields["state_no"] = self.state_no
        return self.shown(
            request, OrdersForm(initial=fields, **self.choices), list(self.draft.document["route"])
        )

    @property
    def state_no(self) -> int:
        """Number of the stored order, 0 before any."""
        return self.order.state_no if self.order is not None else 0

    def keep(self, form: OrdersForm, route: list[str]) -> None:
        """Keep what was typed as the reader's own draft; nothing where it is what the stored order says."""
        whose: dict[str, Any] = {
            "turn": self.turn,
            "membership": self.membership,
            "fleet": self.station.fleet,
        }
        typed = form.fields_as_typed()
        fresh = self.fresh_form().fields_as_typed()
        seen = number_in(str(typed.pop("state_no", "") or ""))
        same = all(plain(typed[name]) == plain(fresh[name]) for name in typed)
        if same and route == self.standing_route():
            draft_drop(**whose)
        else:
            draft_save(**whose, route=route, fields=typed, state_no=seen)
        self.draft = draft_of(self.turn, self.membership, self.station)

    def posted(self, request: HtmxHttpRequest) -> HttpResponse:
        """Change the draft, or send the orders."""
        form = OrdersForm(request.POST, **self.choices)
        route = [code for code in request.POST.getlist("route") if code]
        act = request.POST.get("act", "send")
        here = redirect("orders", self.campaign.code, self.station.fleet.code)
        if act == "discard":
            draft_drop(turn=self.turn, membership=self.membership, fleet=self.station.fleet)
            return _gone_to(request, here)
        if act in ("keep", "ships"):
            self.keep(form, self._with_picked(request, route))
            there = redirect("orders_ships", self.campaign.code, self.station.fleet.code)
            return _gone_to(request, there) if act == "ships" else HttpResponse(status=204)
        if act == "send":
            route = self._with_picked(request, route)
            return self._send(request, form, route)
        if act == "try":
            return self._try(request, form, self._with_picked(request, route))
        if act == "add":
            route = self._with_picked(request, route)
        elif act == "back":
            route = route[:-1]
        elif act == "clear":
            route = []
        self.keep(form, route)
        # the rest of the form comes back as it was typed, unchecked
        draft = OrdersForm(initial=form.fields_as_typed(), **self.choices)
        return self.shown(request, draft, route)

    def _try(self, request: HtmxHttpRequest, form: OrdersForm, route: list[str]) -> HttpResponse:
        """Show a forecast of the draft. Rule: G.MV3."""
        self.keep(form, route)
        if not form.is_valid():
            return self.shown(request, form, route, status=422)
        trial = order_trial(self.turn, pure_order(self.station.fleet.code, self._sent(form, route)))
        return self.shown(request, form, route, trial=trial)

    def _sent(self, form: OrdersForm, route: list[str]) -> OrderColumns:
        """The order that a valid form gives."""
        return OrderColumns(
            route, form.cleaned_data["stance"], form.cleaned_data["on_arrival"], form.instructions(),
            self._target(form, route), self.parts,
        )  # fmt: skip

    @property
    def parts(self) -> list[Any]:
        """The ships that the stored order sends away."""
        return list(self.order.parts) if self.order is not None else []

    def _target(self, form: OrdersForm, route: list[str]) -> str:
        """The fleet that an escort accompanies, or the port of a standing blockade whose route has been sailed. Rules: G.MV2, G.BL1."""
        stands = self.order is not None and self.order.on_arrival == form.cleaned_data["on_arrival"]
        if stands and self.order is not None and not route and self.order.on_arrival != "escort":
            return self.order.target
        return form.charge()

    def _with_picked(self, request: HtmxHttpRequest, route: list[str]) -> list[str]:
        picked, goal = request.POST.get("next", ""), request.POST.get("goal", "")
        if picked:
            return [*route, picked]
        if goal:
            try:
                return way_to(self.campaign, self.side, self.station, route, goal)
            except KeyError:
                return route
        return route

    def _send(self, request: HtmxHttpRequest, form: OrdersForm, route: list[str]) -> HttpResponse:
        if not form.is_valid():
            self.keep(form, route)
            return self.shown(request, form, route, status=422)
        try:
            order_submit(
                turn=self.turn,
                membership=self.membership,
                fleet=self.station.fleet,
                order=self._sent(form, route),
                state_no=form.cleaned_data["state_no"],
            )
        except OrderRefused as refusal:
            return self._refused(request, form, route, refusal.faults)
        messages.success(
            request,
            f"Orders for {the_fleet(self.station.fleet.name)} given. You can change them until orders close.",
        )
        return _gone_to(request, redirect("orders", self.campaign.code, self.station.fleet.code))

    def _refused(
        self, request: HtmxHttpRequest, form: OrdersForm, route: list[str], faults: tuple[OrderFault, ...]
    ) -> HttpResponse:
        self.keep(form, route)
        if any(fault.code == "order/stale" for fault in faults):
            self.order, self.fallen = order_as_left(self.turn, self.side, self.station)
            fresh, standing = self.fresh_form(), self.standing_route()
            return self.shown(request, fresh, standing, faults=faults, status=409)
        return self.shown(request, form, route, faults=faults, status=422)

    def shown(
        self,
        request: HtmxHttpRequest,
        form: OrdersForm,
        route: list[str],
        *,
        faults: tuple[OrderFault, ...] = (),
        trial: Trial | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The page, or the form alone when htmx asks for it."""
        plan = route_plan(self.campaign, self.side, self.station, route)
        lines = fleet_lines(self.campaign, self.membership, self.turn)
        marks = fleet_marks(self.campaign, self.membership, self.turn)
        mark = next(m for m in marks if m.code == self.station.fleet.code)
        context = {
            "turn": self.turn,
            "fleet": self.station.fleet,
            "mark": mark,
            "form": form,
            "plan": plan,
            "goals": goals(self.campaign, self.side),
            "faults": faults,
            "fallen": self.fallen,
            "trial": trial,
            "parts": part_rows(self.campaign, self.side, self.order),
            "order": self.order,
            "stances": STANCES,
            "arrivals": self._arrivals(form, plan.route),
            "held": self.held,
            "draft": self.draft,
            "overtaken": self.draft is not None and self.draft.state_no != self.state_no,
            "following": next_waiting(lines, self.station.fleet.code),
            "open": self.turn.phase == Turn.Phase.OPEN,
            "mine": may_command(membership=self.membership, fleet=self.station.fleet),
            "chart": route_chart(self.campaign, self.membership, self.turn, marks, mark, plan.route),
        }
        if not request.htmx:
            context["meetings"] = meetings_of(self.membership, self.turn, self.station)
            context["odds"] = odds_against(self.membership, self.turn, self.station.fleet.code)
        if self.held:
            context["own"] = next(line for line in lines if line.code == self.station.fleet.code)
            status = 422 if request.method == "POST" else status
        template = "campaign/orders_form.html" if request.htmx else "campaign/orders.html"
        return campaign_page(
            request, template, self.campaign, self.membership, "fleet_table", context, status
        )

    def _arrivals(self, form: OrdersForm, route: tuple[str, ...]) -> list[tuple[str, str, str]]:
        """What the fleet can do at the end of a route, and what the form has now, possible or not. Rules: G.MV2, G.BL1, G.CH5."""
        possible = arrivals_at(self.campaign, self.side, self.station, route)
        chosen = form["on_arrival"].value()
        return [
            row
            for row in arrivals(landings=self.choices["landings"], rule_set=self.choices["rule_set"])
            if row[0] in possible or row[0] == chosen
        ]


def _gone_to(request: HtmxHttpRequest, target: HttpResponseRedirect) -> HttpResponse:
    """Another page: by a redirect, which htmx has to be told in its own way."""
    if not request.htmx:
        return target
    response = HttpResponse(status=204)
    response["HX-Redirect"] = target.url
    return response
