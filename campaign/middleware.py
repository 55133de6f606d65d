"""The reader's own clock for every page, and the page of a campaign whose rules are not installed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from battles.engine.pinned.archives import RulesMissing
from campaign.models import Preferences

logger = logging.getLogger(__name__)
SESSION_KEY = "time_zone"


@receiver(user_logged_in)
def zone_remember(sender: object, request: HttpRequest, user: Any, **kwargs: object) -> None:
    """Keep a person's time zone in their session as they log in, so that no page has to look it up."""
    zone = Preferences.objects.filter(user=user).values_list("time_zone", flat=True).first()
    if zone:
        request.session[SESSION_KEY] = zone


class ReadersClock:
    """Shows times by the clock that the reader chose, in UTC to who chose none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer with the reader's zone in force."""
        zone = request.session.get(SESSION_KEY)
        if not zone:
            return self.get_response(request)
        with timezone.override(ZoneInfo(zone)):
            return self.get_response(request)


class MissingRules:
    """A page that asks rules which are not installed says which they are, with status 503. Rule: G.FA1."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page about it; None for other exceptions."""
        if not isinstance(exception, RulesMissing):
            return None
        logger.error("%s: %s", request.path, exception)
        return render(request, "campaign/rules_missing.html", {"why": str(exception)}, status=503)
