"""Starting a campaign: a theatre, whose ships sail on each side, and who commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zoneinfo import available_timezones

from django.contrib import messages
from django.forms import BooleanField, Form, MultipleChoiceField
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from battles.engine import registry
from campaign.clock_forms import RhythmForm
from campaign.models import Campaign, Theatre
from campaign.selectors.people.access import campaign_for_umpire_or_404, may_start_campaigns
from campaign.selectors.rules import start_groups
from campaign.selectors.setup import fleet_lists, fleets_to_come, planned_list, register_by_pk, suggested
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.orders.openings import (
    opening_of,
    openings_of,
    sides_written,
    starting_point,
    starting_points,
)
from campaign.services.practice import practice_delete, practice_start
from campaign.services.setup.compositions import fleets_words
from campaign.services.setup.faults import free_campaign_code, setting_faults
from campaign.services.setup.setup import TURN_DAYS, SetupRefused, campaign_faults
from campaign.services.setup.setup import campaign_start as start_campaign
from campaign.services.setup.sides import SideStart
from campaign.start_forms import CampaignForm, ScheduleForm, SideForm
from campaign.views.confirming import Question, answered, asked
from campaign.views.requests import HtmxHttpRequest, number_in, posts, reads_and_posts
from fleets.selectors.registers import register_list

if TYPE_CHECKING:
    from fleets.models import Register

KEPT = "campaign_start"  # what was typed, in the session


@reads_and_posts
def campaign_start(request: HtmxHttpRequest) -> HttpResponse:
    """First choose a theatre, then fill in the rest. All errors are shown at once, and nothing is saved until there are none.

    People who may not start campaigns here learn whom to ask.
    """
    if not may_start_campaigns(request.user):
        return render(request, "campaign/campaign_start.html", {"not_named": True}, status=403)
    theatres = list(Theatre.objects.offered().order_by("start_date", "code"))
    wanted = request.POST.get("theatre") or request.GET.get("theatre") or ""
    theatre = next((row for row in theatres if row.code == wanted), None)
    if theatre is None:
        return _choice(request, theatres, wanted)
    chosen = request.POST.get("opening") or request.GET.get("opening") or ""
    if chosen and chosen not in openings_of(theatre.code):
        return _choice(request, theatres, chosen)
    page = StartPage(theatre, chosen, request)
    act, _, which = request.POST.get("act", "").partition(":")
    number = number_in(which)
    if act == "compose" and (address := page.compose_address(number)):
        page.keep()
        return redirect(address)
    if act == "fleets" and number < len(page.sides):
        return page.fleets_shown(number)
    if act == "look":
        page.look()
    elif request.method == "POST" and page.valid():
        try:
            campaign = page.start()
        except SetupRefused as refusal:
            page.take(refusal)
        else:
            _told(request, campaign)
            return redirect("desk", campaign.code)  # where the first steps are
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
    """The filled-in page for one theatre and one of its openings. chosen: its code, "" for the theatre's first.

    What was typed is kept for the session when the reader goes off to compose fleets, and is there again with `?resume=1`.
    """

    def __init__(self, theatre: Theatre, chosen: str, request: HtmxHttpRequest) -> None:
        self.theatre = theatre
        self.start_point = starting_point(theatre, chosen)
        self.opening = opening_of(chosen or theatre.code)
        self.request = request
        self.sent: Any = request.POST if request.method == "POST" else None
        self.kept = self._kept() if self.sent is None else {}
        self.form = CampaignForm(
            self.sent, rule_sets=_rule_sets(), initial={**self._first_values(), **self.kept}
        )
        clock = (
            self.sent if self.sent is not None and "clock-hours" in self.sent else None
        )  # a page may be older than these fields
        self.schedule = ScheduleForm(clock, prefix="clock", initial=self._first_schedule())
        choices = fleet_lists()
        self.sides: list[tuple[str, SideForm]] = []
        for number, row in enumerate(theatre.document["sides"]):
            own = fleets_to_come(self.opening, row["name"])
            initial = {
                "takes_part": number < 2 or bool(own),
                "automatic": bool(own),
                "ships": planned_list(self.opening, row["name"]) or suggested(theatre, row, choices),
                **self._kept_of(f"side{number}", SideForm),
            }
            form = SideForm(self.sent, prefix=f"side{number}", choices=[*choices, *own], initial=initial)
            form.fields["ships"].widget.attrs |= {
                "hx-post": reverse("campaign_start"), "hx-vals": f'{{"act": "fleets:{number}"}}', "hx-swap": "outerHTML",
                "hx-target": f"#fleets-{number}",
            }  # fmt: skip
            self.sides.append((row["name"], form))
        self.faults: list[str] = []
        self.setting_faults: dict[str, str] = {}

    def _first_values(self) -> dict[str, Any]:
        year = self.start_point.date[:4]
        return {
            "name": self.start_point.title,
            "rule_set": self.opening.get("rule_set", registry.names()[0]),
            "turn_days": self.opening.get("turn_days", TURN_DAYS),
            "code": free_campaign_code(f"C{year}"),
        }

    def _first_schedule(self) -> dict[str, Any]:
        """The schedule that a campaign has unless someone says otherwise, in the reader's own time zone."""
        usual = RhythmForm.initial_from(Campaign(time_zone=timezone.get_current_timezone_name()))
        return {**usual, **self._kept_of("clock", ScheduleForm)}

    def _kept(self) -> dict[str, Any]:
        """What was typed before the reader went to compose fleets, for this theatre."""
        kept = self.request.session.get(KEPT, {}) if self.request.GET.get("resume") == "1" else {}
        return kept if kept.get("theatre") == self.theatre.code else {}

    def _kept_of(self, prefix: str, form: type[Form]) -> dict[str, Any]:
        """The part of one form. A box without a tick is not sent, so it is told by the other fields."""
        found = {
            name.removeprefix(f"{prefix}-"): value
            for name, value in self.kept.items()
            if name.startswith(f"{prefix}-")
        }
        if not self.kept:
            return {}
        ticks = {name for name, field in form.base_fields.items() if isinstance(field, BooleanField)}
        lists = {name for name, field in form.base_fields.items() if isinstance(field, MultipleChoiceField)}
        read = {name: value if name in lists else value[-1] for name, value in found.items() if value}
        return {**dict.fromkeys(ticks, False), **dict.fromkeys(lists, []), **read}

    def keep(self) -> None:
        """Keep what was typed for the session."""
        self.request.session[KEPT] = {
            **{name: self.request.POST.getlist(name) for name in self.request.POST if "-" in name},
            **{
                name: self.request.POST[name]
                for name in self.request.POST
                if "-" not in name and name != "csrfmiddlewaretoken"
            },
        }

    def compose_address(self, number: int) -> str:
        """The page that composes the chosen ships of a side, which leads back here; "" when none are chosen."""
        name, form = self.sides[number] if number < len(self.sides) else ("", None)
        chosen = str(form["ships"].value() or "") if form is not None else ""
        found = _list_of(chosen)
        if found is None or not found[1]:
            return ""
        query = urlencode({"side": found[1], "back": "start", "opening": self.start_point.opening})
        return f"{reverse('compose', args=[found[0].code, self.theatre.code])}?{query}"

    def _typed_settings(self) -> dict[str, str]:
        """The settings on the page, as typed or kept."""
        source = self.request.POST if self.sent is not None else self.kept
        names = (row.name for group in start_groups(self._rule_set()) for row in group.rows)
        return {name: source[name] for name in names if name in source}

    def _rule_set(self) -> str:
        asked = str(self.form["rule_set"].value() or "")
        return asked if asked in registry.names() else registry.names()[0]

    def valid(self) -> bool:
        """Whether every form is; all are checked, so that all errors show at once."""
        answers = [
            self.form.is_valid(),
            not self.schedule.is_bound or self.schedule.is_valid(),
            *(form.is_valid() for _, form in self.sides),
        ]
        self.setting_faults = {
            fault.path.removeprefix("settings."): fault.text
            for fault in setting_faults(self._typed_settings())
        }
        return all(answers) and not self.setting_faults

    def _asked(self) -> dict[str, Any]:
        """What the service takes. Only for valid forms."""
        return {
            "theatre": self.theatre,
            "opening": self.start_point.opening,
            "umpire": self.request.user,
            "sides": [self._side(name, form.cleaned_data) for name, form in self._taking_part()],
            "settings": self._typed_settings(),
            **self.form.cleaned_data,
        }

    def look(self) -> None:
        """Say what is missing, without starting anything."""
        if not self.valid():
            return
        faults = campaign_faults(**self._asked())
        if faults:
            self.take(SetupRefused(faults))
        else:
            messages.success(self.request, "Nothing is missing. The campaign can start.")

    def start(self) -> Campaign:
        """Start the campaign. Raises SetupRefused."""
        campaign: Campaign = start_campaign(
            schedule=self.schedule.schedule() if self.schedule.is_bound else None, **self._asked()
        )
        self.request.session.pop(KEPT, None)
        return campaign

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

    def _fleets(self, form: SideForm) -> dict[str, Any]:
        """What the chosen ships of a side begin as."""
        found = _list_of(str(form["ships"].value() or ""))
        if found is None:
            return {}
        register, side = found
        written = side in sides_written(register=register.code, theatre=self.theatre.code)
        return {"ships": found, **fleets_words(register, side, pure_theatre(self.theatre), written=written)}

    def fleets_shown(self, number: int) -> HttpResponse:
        """What a side begins as, when other ships are chosen for it."""
        name, form = self.sides[number]
        context = {"number": number, "name": name, "fleets": self._fleets(form)}
        return render(self.request, "campaign/_start_fleets.html", context)

    def shown(self) -> HttpResponse:
        """The page with its errors, if any."""
        forms = (self.form, self.schedule, *dict(self.sides).values())
        bad = bool(self.faults or self.setting_faults) or any(f.is_bound and not f.is_valid() for f in forms)
        groups = start_groups(self._rule_set(), self._typed_settings(), self.setting_faults)
        context = {
            "theatre": self.theatre,
            "start": self.start_point,
            "opening": self.opening,
            "form": self.form,
            "schedule": self.schedule,
            "zones": sorted(available_timezones()),
            "first_groups": [group for group in groups if group.first],
            "open_more": any(group.open for group in groups if not group.first),
            "more_groups": [group for group in groups if not group.first],
            "editable": True,
            "sides": [
                (number, name, form, self._fleets(form)) for number, (name, form) in enumerate(self.sides)
            ],
            "faults": self.faults,
            "bad": bad,
            "may_import": self.request.user.is_staff
            and self.request.user.has_perm("fleets.add_registerentry"),
        }
        return render(self.request, "campaign/campaign_start.html", context, status=422 if bad else 200)


def _rule_sets() -> list[tuple[str, str]]:
    return [(name, registry.rule_set(name).title) for name in registry.names()]


def _list_of(chosen: str) -> tuple[Register, str] | None:
    """The register and the side of a choice of ships, None for no choice."""
    pk, bar, side = chosen.partition("|")
    if not bar or not pk.isdecimal() or len(pk) > 9:
        return None
    register = register_list().filter(pk=int(pk)).first()
    return (register, side) if register is not None else None
