"""Starting a campaign: a theatre, whose ships sail on each side, and who commands."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from battles.engine import registry
from campaign.models import Campaign, Theatre
from campaign.selectors.people.access import campaign_for_umpire_or_404, may_start_campaigns
from campaign.selectors.setup import fleet_lists, fleets_to_come, planned_list, register_by_pk, suggested
from campaign.services.orders.openings import opening_of, openings_of, starting_point, starting_points
from campaign.services.practice import practice_delete, practice_start
from campaign.services.setup.setup import TURN_DAYS, SetupRefused
from campaign.services.setup.setup import campaign_start as start_campaign
from campaign.services.setup.sides import SideStart
from campaign.start_forms import CampaignForm, SideForm
from campaign.views.confirming import Question, answered, asked
from campaign.views.requests import HtmxHttpRequest, posts, reads_and_posts


@reads_and_posts
def campaign_start(request: HtmxHttpRequest) -> HttpResponse:
    """First choose a theatre, then fill in the rest. All errors are shown at once, and nothing is saved until there are none.

    People who may not start campaigns here learn whom to ask.
    """
    if not may_start_campaigns(request.user):
        return render(request, "campaign/campaign_start.html", {"not_named": True}, status=403)
    theatres = list(Theatre.objects.order_by("start_date", "code"))
    asked = request.POST.get("theatre") or request.GET.get("theatre") or ""
    theatre = next((row for row in theatres if row.code == asked), None)
    if theatre is None:
        return _choice(request, theatres, asked)
    chosen = request.POST.get("opening") or request.GET.get("opening") or ""
    if chosen and chosen not in openings_of(theatre.code):
        return _choice(request, theatres, chosen)
    page = StartPage(theatre, chosen, request)
    if request.method == "POST" and page.valid():
        try:
            campaign = page.start()
        except SetupRefused as refusal:
            page.take(refusal)
        else:
            _told(request, campaign)
            return redirect("campaign", campaign.code)
    return page.shown()


@posts
def practice(request: HtmxHttpRequest) -> HttpResponse:
    """Start a practice campaign with one button, or go back to the one that the reader has."""
    if not may_start_campaigns(request.user):
        return render(request, "campaign/campaign_start.html", {"not_named": True}, status=403)
    try:
        campaign = practice_start(user=request.user)
    except SetupRefused as refusal:
        messages.error(request, " ".join(fault.text for fault in refusal.faults))
        return redirect("campaign_start")
    messages.success(
        request,
        "This is your practice campaign. Run its turns, try everything, and throw it away from the desk.",
    )
    return redirect("desk", campaign.code)


@posts
def practice_throw(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Throw a practice campaign away, once its umpire has said that they are sure. Raises Http404 for any other campaign."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    if not campaign.practice:
        raise Http404("never a real campaign")
    if not answered(request):
        question = Question(
            title=f"Throw {campaign.name} away?",
            lines=("Everything in it is deleted: turns, battles, ships and emails. It cannot be restored.",),
            button="Delete practice campaign",
            back="desk",
            reason="",
        )
        return asked(request, campaign, membership, "desk", question)
    practice_delete(campaign=campaign, user=request.user)
    messages.success(request, f"{campaign.name} is deleted.")
    return redirect("home")


def _choice(request: HtmxHttpRequest, theatres: list[Theatre], unknown: str) -> HttpResponse:
    """The theatres and their openings to choose from. unknown: what was asked for and is neither, "" for nothing."""
    context = {
        "starts": [start for theatre in theatres for start in starting_points(theatre)],
        "unknown": unknown,
    }
    return render(request, "campaign/campaign_start.html", context, status=404 if unknown else 200)


def _told(request: HtmxHttpRequest, campaign: Campaign) -> None:
    """Say what has begun, and which invitations the mail server did not accept."""
    invited = list(campaign.invitations.all())
    sent = " We have emailed the invitations." if any(row.mailed for row in invited) else ""
    messages.success(request, f"{campaign.name} has begun. Turn 1 is open.{sent}")
    unsent = [row.address for row in invited if row.mailed is None]
    if unsent:
        messages.warning(
            request,
            f"We could not email {' and '.join(unsent)}. Send the invitation again from the People page.",
        )


class StartPage:
    """The filled-in page for one theatre and one of its openings. chosen: its code, "" for the theatre's first."""

    def __init__(self, theatre: Theatre, chosen: str, request: HtmxHttpRequest) -> None:
        self.theatre = theatre
        self.start_point = starting_point(theatre, chosen)
        self.opening = opening_of(chosen or theatre.code)
        self.request = request
        data = request.POST if request.method == "POST" else None
        rule_sets = [(name, registry.rule_set(name).title) for name in registry.names()]
        self.form = CampaignForm(data, rule_sets=rule_sets, initial=self._first_values())
        choices = fleet_lists()
        self.sides: list[tuple[str, SideForm]] = []
        for number, row in enumerate(theatre.document["sides"]):
            own = fleets_to_come(self.opening, row["name"])
            initial = {
                "takes_part": number < 2 or bool(own),
                "ships": planned_list(self.opening, row["name"]) or suggested(theatre, row, choices),
            }
            form = SideForm(data, prefix=f"side{number}", choices=[*choices, *own], initial=initial)
            self.sides.append((row["name"], form))
        self.faults: list[str] = []

    def _first_values(self) -> dict[str, Any]:
        year = self.start_point.date[:4]
        return {
            "name": self.start_point.title,
            "rule_set": self.opening.get("rule_set", registry.names()[0]),
            "turn_days": self.opening.get("turn_days", TURN_DAYS),
            "code": f"C{year}",
        }

    def valid(self) -> bool:
        """Whether every form is; all are checked, so that all errors show at once."""
        answers = [self.form.is_valid(), *(form.is_valid() for _, form in self.sides)]
        return all(answers)

    def start(self) -> Any:
        """Start the campaign. Raises SetupRefused."""
        sides = [self._side(name, form.cleaned_data) for name, form in self._taking_part()]
        return start_campaign(
            theatre=self.theatre,
            opening=self.start_point.opening,
            umpire=self.request.user,
            sides=sides,
            **self.form.cleaned_data,
        )

    def _taking_part(self) -> list[tuple[str, SideForm]]:
        return [(name, form) for name, form in self.sides if form.cleaned_data.get("takes_part")]

    def _side(self, name: str, data: dict[str, Any]) -> SideStart:
        pk, register_side = data["ships"].split("|", 1)
        return SideStart(
            side=name,
            register=register_by_pk(int(pk)),
            register_side=register_side,
            admirals=[data["admiral"]] if data["admiral"] else [],
            automatic=data["automatic"],
        )

    def take(self, refusal: SetupRefused) -> None:
        """Put the service's refusals where they belong: beside the field, or at the top of the page."""
        starting = self._taking_part()
        fields = {"side": None, "register": "ships", "admirals": "admiral"}
        for fault in refusal.faults:
            number, _, field = fault.path.removeprefix("sides[").partition("].")
            if field and number.isdigit() and int(number) < len(starting):
                starting[int(number)][1].add_error(fields.get(field), fault.text)
            elif fault.path in self.form.fields:
                self.form.add_error(fault.path, fault.text)
            else:
                self.faults.append(fault.text)

    def shown(self) -> HttpResponse:
        """The page with its errors, if any."""
        bad = bool(self.faults) or any(
            f.is_bound and not f.is_valid() for f in (self.form, *dict(self.sides).values())
        )
        context = {
            "theatre": self.theatre,
            "start": self.start_point,
            "opening": self.opening,
            "form": self.form,
            "sides": self.sides,
            "faults": self.faults,
            "bad": bad,
        }
        return render(self.request, "campaign/campaign_start.html", context, status=422 if bad else 200)
