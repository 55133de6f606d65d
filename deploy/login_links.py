"""Logging in by a link in an email: the page that it opens, and the form that asks for one.

Opening the link does not use it up: email scanners and link previews open it before the reader. The button on the page does.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from campaign.notices.links import key_names, key_owner, key_use, key_whole, own_path
from campaign.selectors.people.people import name_of
from campaign.services.mail.link_requests import link_ask
from campaign.views.join import BACKEND, REFERRER


class LinkForm(forms.Form):
    """Who wants a login link."""

    who = forms.CharField(
        label="Username or email address",
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )


@never_cache
@sensitive_post_parameters("key")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """A link's page: a button that logs in the person the key names. If they are logged in already, it redirects at once."""
    given: Any = request.POST if request.method == "POST" else request.GET
    path, key = own_path(given.get("next", "")), given.get("key", "")
    if request.user.is_authenticated and key_names(key, request.user):
        return redirect(path)
    if request.method == "POST":
        user = key_use(key)
        if user is not None:
            login(request, user, backend=BACKEND)
            return redirect(path)
    owner = key_owner(key)
    context = {"next": path, "form": LinkForm()}
    if owner is None:
        return _page(
            request, "link_dead", context | {"whole": key_whole(key)}, 410 if key_whole(key) else 400
        )
    other = name_of(request.user) if request.user.is_authenticated else ""
    return _page(request, "sign_in", context | {"key": key, "name": owner.get_username(), "other": other})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def login_link(request: HttpRequest) -> HttpResponse:
    """Ask for a login link by email. The answer is the same whether there is such an account or not."""
    form = LinkForm(request.POST or None)
    path = own_path((request.POST if request.method == "POST" else request.GET).get("next", ""))
    context: dict[str, Any] = {"form": form, "next": path}
    if request.method == "POST" and form.is_valid():
        link_ask(kind="login", who=form.cleaned_data["who"], path=path)
        return _page(request, "login_link_sent", {"next": path})
    return _page(request, "login_link", context, 422 if form.errors else 200)


def locked_out(request: HttpRequest, response: Any = None, credentials: Any = None) -> HttpResponse:
    """The page for someone who has tried too many passwords."""
    hours = int(settings.AXES_COOLOFF_TIME)
    words = "an hour" if hours == 1 else f"{hours} hours"
    context = {"tries": settings.AXES_FAILURE_LIMIT, "wait": words}
    return render(request, "registration/locked.html", context, status=429)


def _page(request: HttpRequest, name: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    response = render(request, f"registration/{name}.html", context, status=status)
    response["Referrer-Policy"] = REFERRER
    return response
