"""Who is in a campaign, the umpire's invitations and appointments, and the page that an invitation's link opens."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import UserCreationForm
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from campaign.forms import choose
from campaign.models import Campaign, Invitation, Membership, Side
from campaign.selectors.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.people import invitations_open, part_in_words, roll_of
from campaign.services import people as acts
from campaign.services.invitations import (
    MOST_DAYS,
    InvitationRefused,
    invitation_accept,
    invitation_by_token,
    invitation_check,
    invitation_mail,
    invitation_make,
    invitation_withdraw,
)
from campaign.services.own_account import account_make
from campaign.services.umpire_log import UmpireRefused
from campaign.views.requests import HtmxHttpRequest
from campaign.zones import known_zone

BACKEND = "django.contrib.auth.backends.ModelBackend"
# The address of these pages holds a key; no other site is told more than where the reader comes from. "no-referrer" would have the
# browser hide the origin from ourselves too, and the form would be refused as a forged one.
REFERRER = "strict-origin"
PASSWORD_HELP = (
    "Eight characters or more: no common word, not only figures, nothing like your name or address."
)


class InvitationForm(forms.Form):
    """What part is offered, and to whom."""

    part = forms.ChoiceField(choices=())
    chief = forms.BooleanField(required=False, label="as commander in chief of that side")
    whom = forms.CharField(
        required=False, max_length=80, label="For whom", help_text="For your own list; nobody else reads it."
    )
    address = forms.EmailField(
        required=False,
        max_length=254,
        label="Mail it to",
        help_text="Leave it empty to hand the link over yourself.",
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, initial=14, label="Good for how many days")

    def __init__(self, *args: Any, sides: list[Side], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        admirals = [(f"admiral:{side.code}", f"Admiral of {side.name}") for side in sides]
        choose(self, "part", [*admirals, ("observer", "Observer"), ("umpire", "Umpire")])
        self.sides = {side.code: side for side in sides}

    def offer(self) -> dict[str, Any]:
        """What the service wants to know. Only for a valid form."""
        role, _, code = self.cleaned_data["part"].partition(":")
        rest = {name: self.cleaned_data[name] for name in ("chief", "whom", "days")}
        return {"role": role, "side": self.sides.get(code), **rest}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Everybody in the campaign; the umpire invites, appoints and takes away here. Rules: G.IN4, G.UM1."""
    part = campaign_for_member_or_404(request.user, code)
    page = PeoplePage(request, *part)
    if request.method != "POST":
        return page.shown()
    campaign_for_umpire_or_404(request.user, code)
    act = request.POST.get("act", "")
    if act == "invite":
        return page.invite()
    try:
        page.do(act)
    except UmpireRefused as refusal:
        return page.shown(fault=str(refusal), status=422)
    still = part[0].memberships.filter(pk=part[1].pk).exists()  # an umpire may take his own part away
    return redirect("people", code) if still else redirect("home")


class PeoplePage:
    """The page of people for one reader, and what its buttons do."""

    def __init__(self, request: HtmxHttpRequest, campaign: Campaign, membership: Membership) -> None:
        self.request, self.campaign, self.membership = request, campaign, membership
        self.umpire = membership.role == Role.UMPIRE
        self.sides = list(campaign.sides.select_related("navy")) if self.umpire else []

    def invite(self) -> HttpResponse:
        """Make an invitation and show its link, this once."""
        form = InvitationForm(self.request.POST, sides=self.sides)
        if not form.is_valid():
            return self.shown(form=form, status=422)
        try:
            made, link = invitation_make(campaign=self.campaign, umpire=self.request.user, **form.offer())
        except UmpireRefused as refusal:
            return self.shown(form=form, fault=str(refusal), status=422)
        address = form.cleaned_data["address"]
        mailed = bool(address) and invitation_mail(invitation=made, link=link, address=address)
        return self.shown(made=made, link=link, mailed=mailed, unsent="" if mailed else address)

    def do(self, act: str) -> None:
        """Do one of the umpire's acts. Raises UmpireRefused."""
        post = self.request.POST
        said: dict[str, Any] = {"campaign": self.campaign, "umpire": self.request.user}
        if act == "withdraw":
            found = self.campaign.invitations.filter(pk=_number(post.get("invitation", ""))).first()
            if found is None:
                raise UmpireRefused("There is no such invitation.")
            invitation_withdraw(invitation=found, umpire=self.request.user)
            self._told("The invitation is withdrawn; its link is worthless.")
        elif act == "take":
            acts.part_take_away(**said, member=_number(post.get("member", "")), reason=post.get("reason", ""))
            self._told("The part is taken away; it stands in your log.")
        elif act == "chief":
            acts.chief_name(**said, member=_number(post.get("member", "")))
            self._told("Named; the side has been told.")
        elif act == "hand":
            self._hand(said)
        elif act in ("automatic", "by_hand"):
            on, reason = act == "automatic", post.get("reason", "")
            acts.side_automatic(**said, side=self._side(), automatic=on, reason=reason)
            self._told("Done; it stands in your log.")
        else:
            raise UmpireRefused("There is no such act.")

    def _hand(self, said: dict[str, Any]) -> None:
        given = {
            name.removeprefix("fleet_"): _number(str(value))
            for name, value in self.request.POST.items()
            if name.startswith("fleet_")
        }
        moved = acts.fleets_hand(**said, side=self._side(), given=given)
        self._told(
            f"{moved} fleet{'' if moved == 1 else 's'} handed over." if moved else "Nothing was changed."
        )

    def _side(self) -> Side:
        side = next((row for row in self.sides if row.code == self.request.POST.get("side")), None)
        if side is None:
            raise UmpireRefused("There is no such side.")
        return side

    def _told(self, text: str) -> None:
        messages.success(self.request, text)

    def shown(self, *, status: int = 200, **more: Any) -> HttpResponse:
        """The page."""
        context = {
            "campaign": self.campaign,
            "membership": self.membership,
            "here": "people",
            "umpire": self.umpire,
            "roll": roll_of(self.campaign, self.membership),
            **more,
        }
        if self.umpire:
            context.setdefault("form", InvitationForm(sides=self.sides))
            context["invitations"] = [(row, _offered(row)) for row in invitations_open(self.campaign)]
            made = more.get("made")
            context["offered"] = _offered(made) if made is not None else ""
        return render(self.request, "campaign/people.html", context, status=status)


def _number(given: str) -> int:
    return int(given) if given.isdecimal() and len(given) < 10 else 0


def _offered(invitation: Invitation) -> str:
    return part_in_words(role=invitation.role, side=invitation.side, chief=invitation.chief)


class AccountForm(UserCreationForm):
    """A new account. That another account has the same address is told to nobody."""

    email = forms.EmailField(
        label="E-mail address",
        max_length=254,
        help_text="The campaign’s mails come here. They hold links that log you in, so let it be yours alone.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    time_zone = forms.CharField(
        validators=[known_zone],
        initial="UTC",
        help_text="Times are shown by this clock, like Europe/Amsterdam.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    class Meta:
        model = get_user_model()
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.label, name.help_text = (
            "User name",
            "Others in the campaign read it. Letters and figures, no address.",
        )
        name.widget.attrs.pop("autofocus", None)  # a phone would scroll past what one is invited to
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label, self.fields["password2"].help_text = "The same password again", ""

    def clean_username(self) -> str:
        """A name that others may read: no address."""
        username: str = super().clean_username()
        if "@" in username:
            raise forms.ValidationError("Others in the campaign read this name; let it be no address.")
        return username


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HtmxHttpRequest, token: str) -> HttpResponse:
    """What an invitation's link opens: a button for who has an account, a form for who has none. Opening it takes nothing."""
    invitation = invitation_by_token(token)
    if invitation is None:
        raise Http404("nobody made such an invitation")
    person = request.user if request.user.is_authenticated else None
    form = (
        None
        if person
        else AccountForm(
            request.POST or None,
            initial={"email": invitation.address, "time_zone": invitation.campaign.time_zone},
        )
    )
    try:
        invitation_check(invitation=invitation, user=person)
        if request.method == "POST" and person is not None:
            return _joined(request, invitation_accept(invitation=invitation, user=person))
        if request.method == "POST" and form is not None and form.is_valid():
            return _joined(request, _newcomer(request, invitation, form))
    except InvitationRefused as refusal:
        context = {"invitation": invitation, "refused": str(refusal), "gone": refusal.gone}
        return _join_page(request, context, status=410 if refusal.gone else 409)
    context = {"invitation": invitation, "offered": _offered(invitation), "form": form, "token": token}
    return _join_page(request, context, status=422 if form is not None and form.errors else 200)


def _newcomer(request: HtmxHttpRequest, invitation: Invitation, form: AccountForm) -> Membership:
    """Make the account and give it the part, or neither; then log it in. Raises InvitationRefused."""
    data = form.cleaned_data
    with transaction.atomic():
        user = account_make(
            username=data["username"],
            address=data["email"],
            password=data["password1"],
            time_zone=data["time_zone"],
        )
        member = invitation_accept(invitation=invitation, user=user)
    request.META["PATH_INFO"] = "/join/"  # the record of log-ins keeps the path, and no token
    login(request, user, backend=BACKEND)
    return member


def _joined(request: HtmxHttpRequest, member: Membership) -> HttpResponse:
    words = part_in_words(role=member.role, side=member.side, chief=member.chief)
    messages.success(request, f"Welcome aboard: you are {words}.")
    return redirect("campaign", member.campaign.code)


def _join_page(request: HtmxHttpRequest, context: dict[str, Any], *, status: int) -> HttpResponse:
    offer: Invitation = context["invitation"]
    full = {"campaign": offer.campaign, "by": offer.made_by.partition("@")[0], **context}
    response = render(request, "campaign/join.html", full, status=status)
    response["Referrer-Policy"] = REFERRER
    return response
