"""The page that an invitation's link opens: accept with an account or with a new one, or decline."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.forms import UserCreationForm
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from campaign.models import Invitation, Membership
from campaign.selectors.people.people import offered, part_in_words
from campaign.selectors.told import terms_of
from campaign.services.people.own_account import AccountRefused, account_make, address_ask
from campaign.services.setup.invitations import (
    InvitationRefused,
    invitation_accept,
    invitation_by_token,
    invitation_check,
    invitation_decline,
)
from campaign.views.requests import HtmxHttpRequest
from campaign.zones import known_zone

BACKEND = "django.contrib.auth.backends.ModelBackend"
# The address of these pages holds a key, so other sites learn only which site the reader comes from. "no-referrer" would have the
# browser hide the origin from ourselves too, and the form would be refused as a forged one.
REFERRER = "strict-origin"
PASSWORD_HELP = (
    "At least 8 characters. Do not use a common word, digits only, or anything like your name or address."
)


class AccountForm(UserCreationForm):
    """A new account. It never reveals that another account has the same address."""

    email = forms.EmailField(
        label="Email address",
        max_length=254,
        help_text="The campaign's emails come here. They hold links that log you in, so use an address that is yours alone. "
        "Your umpire can read it.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    time_zone = forms.CharField(
        validators=[known_zone],
        initial="UTC",
        help_text="Times are shown in this time zone: for example, Europe/London.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    class Meta:
        model = get_user_model()
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.label, name.help_text = (
            "Username",
            "Everyone in the campaign can read it. Use letters and digits, not an email address.",
        )
        name.widget.attrs.pop("autofocus", None)  # a phone would scroll past the invitation
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label, self.fields["password2"].help_text = "Password again", ""

    def clean_username(self) -> str:
        """A name that others may read, not an address."""
        username: str = super().clean_username()
        if "@" in username:
            raise forms.ValidationError(
                "An email address is not a valid username: others in the campaign read it. Use letters and digits."
            )
        return username


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HtmxHttpRequest, token: str) -> HttpResponse:
    """What an invitation's link opens: a button for people with an account, a form for those without, and one to decline.

    Opening it accepts nothing, because email scanners open links too. Declining needs no account.
    """
    invitation = invitation_by_token(token)
    if invitation is None:
        raise Http404("no such invitation")
    person = request.user if request.user.is_authenticated else None
    declines = request.POST.get("act") == "decline"
    form = (
        None
        if person
        else AccountForm(
            None if declines else request.POST or None,
            initial={"email": invitation.address, "time_zone": invitation.campaign.time_zone},
        )
    )
    try:
        if declines:
            invitation_decline(invitation=invitation)
            return _join_page(request, {"invitation": invitation, "declined": True}, status=200)
        invitation_check(invitation=invitation, user=person)
        if request.method == "POST" and person is not None:
            return _joined(request, invitation_accept(invitation=invitation, user=person))
        if request.method == "POST" and form is not None and form.is_valid():
            return _joined(request, _newcomer(request, invitation, form))
    except InvitationRefused as refusal:
        context = {"invitation": invitation, "refused": str(refusal), "gone": refusal.gone}
        return _join_page(request, context, status=410 if refusal.gone else 409)
    context = {
        "invitation": invitation,
        "terms": terms_of(invitation.campaign),
        "offered": offered(invitation),
        "form": form,
        "token": token,
    }
    return _join_page(request, context, status=422 if form is not None and form.errors else 200)


def _newcomer(request: HtmxHttpRequest, invitation: Invitation, form: AccountForm) -> Membership:
    """Create the account and give it the role, or neither; then log it in. Raises InvitationRefused.

    The address is the account's at once if this link was emailed to it and shown to no one else. Any other is confirmed first: no one
    gets a campaign's emails because someone else typed their address.
    """
    data = form.cleaned_data
    address = data["email"]
    proven = invitation.mailed is not None and address.casefold() == invitation.address.casefold()
    with transaction.atomic():
        user = account_make(
            username=data["username"],
            address=address if proven else "",
            password=data["password1"],
            time_zone=data["time_zone"],
        )
        member = invitation_accept(invitation=invitation, user=user)
    request.META["PATH_INFO"] = "/join/"  # the record of logins keeps the path, and no token
    login(request, user, backend=BACKEND)
    if not proven:
        _confirmation_asked(request, user, address)
    return member


def _confirmation_asked(request: HtmxHttpRequest, user: Any, address: str) -> None:
    try:
        address_ask(user=user, address=address)
    except AccountRefused as refusal:
        messages.warning(request, f"{refusal} Then enter your address under Your account.")
    else:
        messages.info(request, f"We have emailed a link to {address}. Open it to confirm your address.")


def _joined(request: HtmxHttpRequest, member: Membership) -> HttpResponse:
    words = part_in_words(role=member.role, side=member.side, chief=member.chief)
    messages.success(request, f"Welcome. You are {words}.")
    return redirect("campaign", member.campaign.code)


def _join_page(request: HtmxHttpRequest, context: dict[str, Any], *, status: int) -> HttpResponse:
    offer: Invitation = context["invitation"]
    full = {"campaign": offer.campaign, "by": offer.made_by.partition("@")[0], **context}
    response = render(request, "campaign/join.html", full, status=status)
    response["Referrer-Policy"] = REFERRER
    return response
