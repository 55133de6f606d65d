"""Pages that strangers read may be kept for a short while by caches that many share; what is anyone's own never is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import conditional_page

from campaign.views.requests import HtmxHttpRequest

SECONDS = 60  # a page that its umpire closes is gone everywhere after as many
# A session is a person, and messages are what was said to one.
OWN = frozenset({settings.SESSION_COOKIE_NAME, "messages"})


def shared(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page with an ETag, that caches may share when it was made for no one in particular.

    A page that holds a form's token, or was asked for with a cookie of a person, stays in that person's browser.
    """

    @wraps(view)
    def answered(request: HtmxHttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        own = request.user.is_authenticated or OWN & request.COOKIES.keys()
        if own or response.cookies or "CSRF_COOKIE_NEEDS_UPDATE" in request.META:
            patch_cache_control(response, private=True, no_cache=True)
        else:
            patch_cache_control(response, public=True, max_age=SECONDS)
        # a part of a page for a script is not the page
        patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response

    return conditional_page(answered)
