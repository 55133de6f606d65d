"""Who is in a campaign, the umpire's invitations and appointments, and the way out of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.accounts import with_article
from campaign.forms import choose
from campaign.models import Campaign, Invitation, Membership, Side
from campaign.selectors.people.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.people.people import is_last_umpire, offered, roll_of
from campaign.services.people import people as acts
from campaign.services.setup.invitations import (
    MOST_DAYS,
    USUAL_DAYS,
    invitation_again,
    invitation_mail,
    invitation_make,
    invitation_withdraw,
)
from campaign.services.umpire_log import UmpireRefused
from campaign.views.requests import HtmxHttpRequest, campaign_page, number_in


class InvitationForm(forms.Form):
    """The role on offer, and for whom."""

    part = forms.ChoiceField(choices=(), label="Role")
    chief = forms.BooleanField(required=False, label="Commander-in-chief of that side")
    whom = forms.CharField(
        required=False, max_length=80, label="Name", help_text="For your own list. No one else can read it."
    )
    address = forms.EmailField(
        required=False,
        max_length=254,
        label="Email address",
        help_text="We email the link there. Leave blank to send the link yourself.",
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, initial=USUAL_DAYS, label="Valid for (days)")

    def __init__(self, *args: Any, sides: list[Side], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        admirals = [(f"admiral:{side.code}", f"Admiral of {with_article(side.name)}") for side in sides]
        choose(self, "part", [*admirals, ("observer", "Observer"), ("umpire", "Umpire")])
        self.sides = {side.code: side for side in sides}

    def offer(self) -> dict[str, Any]:
        """What the service wants to know. Only for a valid form."""
        role, _, code = self.cleaned_data["part"].partition(":")
        rest = {name: self.cleaned_data[name] for name in ("chief", "whom", "address", "days")}
        return {"role": role, "side": self.sides.get(code), **rest}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Everyone in the campaign; the umpire invites, appoints and removes people here. Rules: G.IN4, G.UM1."""
    part = campaign_for_member_or_404(request.user, code)
    page = PeoplePage(request, *part)
    if request.method != "POST":
        return page.shown()
    campaign_for_umpire_or_404(request.user, code)
    act = request.POST.get("act", "")
    try:
        if act == "invite":
            return page.invite()
        if act == "again":
            return page.again()
        page.do(act)
    except UmpireRefused as refusal:
        return page.shown(fault=str(refusal), status=422)
    still = part[0].memberships.filter(pk=part[1].pk).exists()  # an umpire may remove themselves
    return redirect("people", code) if still else redirect("home")


class PeoplePage:
    """The page of people for one reader, and what its buttons do."""

    def __init__(self, request: HtmxHttpRequest, campaign: Campaign, membership: Membership) -> None:
        self.request, self.campaign, self.membership = request, campaign, membership
        self.umpire = membership.role == Role.UMPIRE
        self.sides = list(campaign.sides.select_related("navy")) if self.umpire else []

    def invite(self) -> HttpResponse:
        """Create an invitation and show its link, this once."""
        form = InvitationForm(self.request.POST, sides=self.sides)
        if not form.is_valid():
            return self.shown(form=form, status=422)
        try:
            made = invitation_make(campaign=self.campaign, umpire=self.request.user, **form.offer())
        except UmpireRefused as refusal:
            return self.shown(form=form, fault=str(refusal), status=422)
        return self._link_shown(*made)

    def again(self) -> HttpResponse:
        """Send an invitation again, with a new link. Raises UmpireRefused."""
        return self._link_shown(*invitation_again(invitation=self._invitation(), umpire=self.request.user))

    def _link_shown(self, made: Invitation, link: str) -> HttpResponse:
        mailed = bool(made.address) and invitation_mail(invitation=made, link=link)
        return self.shown(made=made, link=link, mailed=mailed)

    def do(self, act: str) -> None:
        """Do one of the umpire's acts. Raises UmpireRefused."""
        post = self.request.POST
        said: dict[str, Any] = {"campaign": self.campaign, "umpire": self.request.user}
        if act == "withdraw":
            invitation_withdraw(invitation=self._invitation(), umpire=self.request.user)
            self._told("Invitation withdrawn. Its link no longer works.")
        elif act == "take":
            acts.part_take_away(
                **said, member=number_in(post.get("member", "")), reason=post.get("reason", "")
            )
            self._told("Removed from the campaign. The umpire's log shows it.")
        elif act == "chief":
            acts.chief_name(**said, member=number_in(post.get("member", "")))
            self._told("Commander-in-chief appointed. The side has been notified.")
        elif act == "hand":
            self._hand(said)
        elif act in ("automatic", "by_hand"):
            on, reason = act == "automatic", post.get("reason", "")
            acts.side_automatic(**said, side=self._side(), automatic=on, reason=reason)
            self._told("Command changed. The umpire's log shows it.")
        else:
            raise UmpireRefused("Unknown action. Reload the page and try again.")

    def _hand(self, said: dict[str, Any]) -> None:
        given = {
            name.removeprefix("fleet_"): number_in(str(value))
            for name, value in self.request.POST.items()
            if name.startswith("fleet_")
        }
        moved = acts.fleets_hand(**said, side=self._side(), given=given)
        self._told(f"{moved} fleet{'' if moved == 1 else 's'} assigned." if moved else "Nothing was changed.")

    def _invitation(self) -> Invitation:
        rows = self.campaign.invitations.select_related("campaign__book", "campaign__theatre", "side")
        found = rows.filter(pk=number_in(self.request.POST.get("invitation", ""))).first()
        if found is None:
            raise UmpireRefused("Invitation not found. Reload the page and try again.")
        return found

    def _side(self) -> Side:
        side = next((row for row in self.sides if row.code == self.request.POST.get("side")), None)
        if side is None:
            raise UmpireRefused("Side not found. Reload the page and try again.")
        return side

    def _told(self, text: str) -> None:
        messages.success(self.request, text)

    def shown(self, *, status: int = 200, **more: Any) -> HttpResponse:
        """The page."""
        context = {
            "umpire": self.umpire,
            "roll": roll_of(self.campaign, self.membership),
            **more,
        }
        if self.umpire:
            context.setdefault("form", InvitationForm(sides=self.sides))
            made = more.get("made")
            context["offered"] = offered(made) if made is not None else ""
        who = (self.campaign, self.membership)
        return campaign_page(self.request, "campaign/people.html", *who, "people", context, status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_leave(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Leave a campaign: what that ends, and a button. Rule: G.IN4."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    template = "campaign/campaign_leave.html"
    if request.method == "POST":
        try:
            acts.part_leave(membership=membership, reason=request.POST.get("reason", "")[:400])
        except UmpireRefused as refusal:
            return campaign_page(
                request, template, campaign, membership, "people", {"fault": str(refusal)}, 422
            )
        messages.success(request, f"You have left {campaign.name}.")
        return redirect("home")
    context = {"stays": is_last_umpire(membership)}
    return campaign_page(request, template, campaign, membership, "people", context)
