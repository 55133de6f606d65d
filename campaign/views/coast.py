"""The coast of a theatre's chart, fetched apart from the pages that show it and kept by the browser."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from campaign.selectors.sea.chart_paper import coast_digest, coast_drawing

YEAR = 365 * 86400  # seconds


@require_safe
def coast(request: HttpRequest, theatre: str, digest: str) -> HttpResponse:
    """The land as a drawing that the chart refers to. It tells nothing of a campaign, so it needs no login.

    The digest in its address changes with the coast, so a browser may keep it for ever. Raises Http404 for any other.
    """
    try:
        known = coast_digest(theatre)
    except FileNotFoundError:
        raise Http404("no such coast") from None
    if digest != known:
        raise Http404("no such coast")
    response = HttpResponse(coast_drawing(theatre), content_type="image/svg+xml")
    patch_cache_control(response, public=True, max_age=YEAR, immutable=True)
    return response
