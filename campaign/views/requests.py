"""What every page of the room takes."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request as the htmx middleware leaves it, of someone who is logged in; pages for others ask first."""

    htmx: HtmxDetails
    user: User  # type: ignore[assignment]
