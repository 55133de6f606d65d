"""A person's notification settings: time zone, kinds of email, webhook; and unsubscribing without logging in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from campaign.middleware import SESSION_KEY
from campaign.models import Campaign, Membership
from campaign.notices import webhook
from campaign.notices.kinds import KINDS
from campaign.notices.wishes import WishRefused, leave_read, preferences_save
from campaign.notices.wishes import leave as leave_kind
from campaign.notices.write import preferences_of
from campaign.views.requests import HtmxHttpRequest, reads_and_posts
from campaign.zones import known_zone

HOW = (("now", "at once"), ("digest", "in a daily digest"), ("off", "not at all"))


class WishesForm(forms.Form):
    """How a person is notified."""

    time_zone = forms.CharField(
        validators=[known_zone],
        help_text="Used for times in emails and on pages. For example, Europe/London.",
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
    )
    plain_text = forms.BooleanField(required=False, label="Plain-text emails only")
    webhook = forms.URLField(
        required=False,
        assume_scheme="https",
        max_length=500,
        label="Webhook",
        help_text="Notifications that you receive at once are also posted to this address, in Discord's format. "
        "Leave blank for none.",
    )

    def clean_webhook(self) -> str:
        """An address that we can post to."""
        address: str = self.cleaned_data["webhook"]
        if address:
            try:
                webhook.target_of(address)
            except webhook.WebhookRefused as refusal:
                raise forms.ValidationError(str(refusal)) from refusal
        return address


@reads_and_posts
def wishes(request: HtmxHttpRequest) -> HttpResponse:
    """See and change one's own notification settings."""
    kept = preferences_of(request.user)
    chosen = {kind.stem: kept.kinds.get(kind.stem, "now") for kind in KINDS if not kind.always}
    form = WishesForm(
        request.POST or None,
        initial={"time_zone": kept.time_zone, "plain_text": kept.plain_text, "webhook": kept.webhook},
    )
    if request.method == "POST":
        chosen = {stem: request.POST.get(f"kind_{stem}", how) for stem, how in chosen.items()}
        if form.is_valid():
            try:
                preferences_save(user=request.user, kinds=chosen, **form.cleaned_data)
            except WishRefused as refusal:
                form.add_error(None, str(refusal))
            else:
                request.session[SESSION_KEY] = form.cleaned_data["time_zone"]
                messages.success(request, "Settings saved.")
                return redirect("wishes")
    kinds: list[tuple[Any, str]] = [(kind, chosen[kind.stem]) for kind in KINDS if kind.stem in chosen]
    context = {"form": form, "kinds": kinds, "how": HOW, "kept": kept, "commands": _commands(request.user)}
    return render(request, "campaign/wishes.html", context, status=422 if form.errors else 200)


def _commands(user: Any) -> list[Membership]:
    """A person's roles as admiral in campaigns that are not over: turns may wait for them there."""
    parts = Membership.objects.filter(user=user, role=Membership.Role.ADMIRAL)
    going = parts.exclude(campaign__status=Campaign.Status.CLOSED)
    return list(going.select_related("campaign__book").order_by("campaign__name"))


@csrf_exempt  # an email program posts here by itself; the link is signed for one person and one kind
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HtmxHttpRequest, token: str) -> HttpResponse:
    """Turn one kind of email off from its own header or foot. Opening the link asks first: email scanners open links."""
    try:
        user_id, stem = leave_read(token)
    except WishRefused as refusal:
        raise Http404(str(refusal)) from refusal
    done = leave_kind(user_id=user_id, stem=stem) if request.method == "POST" else None
    return render(request, "campaign/leave.html", {"stem": stem, "done": done})
