"""What every page of the room takes, who may ask for it and how, and what all pages of a campaign show."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from campaign.models import Campaign, Membership


class HtmxHttpRequest(HttpRequest):
    """A request as the htmx middleware leaves it, of someone who is logged in; pages for others ask first."""

    htmx: HtmxDetails
    user: User  # type: ignore[assignment]


def reads(view: Any) -> Any:
    """A page for people who are logged in, which changes nothing."""
    return login_required(require_safe(view))


def posts(view: Any) -> Any:
    """What a button of such a page does."""
    return login_required(require_POST(view))


def reads_and_posts(view: Any) -> Any:
    """A page with a form that it takes itself."""
    return login_required(require_http_methods(["GET", "HEAD", "POST"])(view))


def campaign_page(
    request: HttpRequest,
    template: str,
    campaign: Campaign,
    membership: Membership,
    here: str,
    context: Mapping[str, Any],
    status: int = 200,
) -> HttpResponse:
    """A page of a campaign for one of its members. here: the entry of the menu that leads to it."""
    full = {"campaign": campaign, "membership": membership, "here": here, **context}
    return render(request, template, full, status=status)


def number_in(text: str, *, digits: int = 9) -> int:
    """A whole number as a form or an address has it; 0 for anything else, and for one of more digits."""
    return int(text) if text.isdecimal() and len(text) <= digits else 0
