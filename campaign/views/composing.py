"""The pages on which the ships of a register become fleets: each press of a button is kept, and what is still missing is listed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from campaign.models import Theatre
from campaign.selectors.composing import composing_chart, may_compose, place_choices, side_rows
from campaign.selectors.setup import home_port
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.orders.openings import sides_written
from campaign.services.setup.compositions import place_faults
from campaign.views.requests import HtmxHttpRequest, number_in, reads, reads_and_posts
from fleets import compositions as pure
from fleets.selectors.registers import register_of
from fleets.services import compositions as service

if TYPE_CHECKING:
    from fleets.models import Register


@reads
def compositions(request: HtmxHttpRequest, register: str) -> HttpResponse:
    """Which sides of a register have been composed, for which theatres. Raises Http404."""
    found = _register_or_404(request, register)
    context = {
        "register": found,
        "rows": side_rows(found, lambda theatre: sides_written(register=found.code, theatre=theatre)),
    }
    return render(request, "campaign/compositions.html", context)


@reads_and_posts
def compose(request: HtmxHttpRequest, register: str, theatre: str) -> HttpResponse:
    """One side's ships in fleets and squadrons, with what is still missing. `?side=` names the side. Raises Http404."""
    page = ComposePage(request, _register_or_404(request, register), theatre)
    if request.method == "POST":
        return page.posted()
    return page.shown()


def _register_or_404(request: HtmxHttpRequest, code: str) -> Register:
    found = register_of(code) if may_compose(request.user) else None
    if found is None:
        raise Http404("no such register for this reader")
    return found


class ComposePage:
    """The page for one side and one theatre. Raises Http404 for one that is not there."""

    def __init__(self, request: HtmxHttpRequest, register: Register, theatre: str) -> None:
        self.request, self.register = request, register
        self.side = request.GET.get("side", "")
        row = Theatre.objects.offered().filter(code=theatre).first()
        self.entries = service.entries_of(register, self.side)
        if row is None or not self.entries:
            raise Http404("no such theatre or side")
        self.theatre = row
        self.fault = ""
        self._read()

    def _read(self) -> None:
        made = service.composition_of(self.register, self.side, self.theatre.code)
        nations = {entry.nation.name for entry in self.entries}
        self.first = service.plan_suggested(
            self.entries, name=f"{self.side} fleet", place=home_port(pure_theatre(self.theatre), nations)
        )
        self.made = made
        self.plan = pure.plan_of(made.document) if made is not None else self.first

    def posted(self) -> HttpResponse:
        """Keep what was typed and do what a button says; a refusal keeps nothing and is shown."""
        act, _, what = self.request.POST.get("act", "save").partition(":")
        if act == "forget":
            service.composition_forget(register=self.register, side=self.side, theatre=self.theatre.code)
            messages.success(self.request, "The fleets are suggested afresh from the register.")
            return self._to(self._address())
        try:
            service.composition_change(
                register=self.register, side=self.side, theatre=self.theatre.code, first=self.first,
                state_no=number_in(self.request.POST.get("state_no", "")), change=self._change(act, what), user=self.request.user,
            )  # fmt: skip
        except service.CompositionStale:
            self.fault = "Someone else has changed these fleets. They are shown as they are now. Make your change again."
        except ValueError as refusal:
            self.fault = str(refusal)
        if self.fault:
            return self.shown(422)
        if act == "done":
            return self._to(self._back() or reverse("compositions", args=[self.register.code]))
        if self.request.htmx:
            self._read()
            return self.shown()
        return redirect(self._address())

    def _change(self, act: str, what: str) -> Callable[[pure.Plan], pure.Plan]:
        """What a button does to a plan, after what was typed. Raises ValueError when it is called for what cannot be done."""
        sent = self.request.POST
        known = {entry.name for entry in self.entries} | self.plan.placed()
        ticked = [name for name in sent.getlist("ship") if name in known]
        target = what if act == "to" else sent.get("to", "")

        def change(plan: pure.Plan) -> pure.Plan:
            plan = pure.renamed(plan, sent.dict())
            if act in ("move", "to"):
                if not ticked:
                    raise ValueError("Tick the ships to move first.")
                return pure.moved(plan, ticked, "" if target == "none" else target)
            if act == "delete":
                return pure.without(plan, what)
            if act == "raise":
                return pure.raised(plan, what)
            return plan

        return change

    def _to(self, address: str) -> HttpResponse:
        """Another page: with scripts the whole of it, not a part in the place of the form."""
        return HttpResponseClientRedirect(address) if self.request.htmx else redirect(address)

    def _address(self) -> str:
        return f"{self.request.path}?{self.request.GET.urlencode()}"

    def _back(self) -> str:
        """The page that starts a campaign, if the reader came from there."""
        if self.request.GET.get("back") != "start":
            return ""
        opening = urlencode({"opening": self.request.GET.get("opening", "")})
        return f"{reverse('campaign_start')}?theatre={self.theatre.code}&{opening}&resume=1"

    def shown(self, status: int = 200) -> HttpResponse:
        """The page."""
        if status != 200:
            self._read()
        entries = {entry.name: entry for entry in self.entries}
        missing = [
            *pure.faults(self.plan, entries),
            *place_faults(self.plan, pure_theatre(self.theatre)),
        ]
        placed = self.plan.placed()
        context: dict[str, Any] = {
            "register": self.register, "side": self.side, "theatre": self.theatre, "plan": self.plan,
            "fleets": [self._fleet(n, fleet, entries) for n, fleet in enumerate(self.plan.fleets)],
            "ashore": [entry for entry in self.entries if entry.name not in placed],
            "ships": len(self.entries), "placed": len(placed & set(entries)),
            "state_no": self.made.state_no if self.made is not None else 0, "made": self.made,
            "missing": missing, "advice": pure.advice(self.plan), "fault": self.fault,
            "places": place_choices(pure_theatre(self.theatre)), "chart": composing_chart(self.theatre, self.plan),
            "chosen": self.request.POST.get("chart_fleet", ""), "back": self._back(), "targets": self._targets(),
        }  # fmt: skip
        return render(self.request, "campaign/compose.html", context, status=status)

    def _fleet(self, n: int, fleet: pure.FleetPlan, entries: dict[str, Any]) -> dict[str, Any]:
        squadrons = [
            {
                "at": f"{n}.{k}", "field": f"squadron-{n}-{k}", "plan": one, "first": k == 0,
                "ships": [(name, entries.get(name)) for name in one.ships],
            }
            for k, one in enumerate(fleet.squadrons)
        ]  # fmt: skip
        return {"at": str(n), "field": f"fleet-{n}", "plan": fleet, "squadrons": squadrons}

    def _targets(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Where ticked ships can go, grouped by fleet."""
        rows = [
            (
                fleet.name or f"Fleet {n + 1}",
                [
                    *((f"{n}.{k}", one.name or f"Squadron {k + 1}") for k, one in enumerate(fleet.squadrons)),
                    (f"{n}.{pure.NEW}", f"a new squadron of {fleet.name or 'this fleet'}"),
                ],
            )
            for n, fleet in enumerate(self.plan.fleets)
        ]
        return [*rows, ("Elsewhere", [(pure.NEW, "a new fleet"), ("none", "no fleet")])]
