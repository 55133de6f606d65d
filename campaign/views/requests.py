"""What every page of the room takes."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request as the htmx middleware leaves it."""

    htmx: HtmxDetails
