"""The handbooks, open to everyone as the rule books are."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.handbooks import HANDBOOKS
from campaign.handbooks import handbook as handbook_named


@require_safe
def handbooks(request: HttpRequest) -> HttpResponse:
    """The handbooks there are, and whom each is for."""
    rows = [(name, title, reader) for name, (title, reader) in HANDBOOKS.items()]
    return render(request, "campaign/handbooks.html", {"handbooks": rows})


@require_safe
def handbook(request: HttpRequest, name: str) -> HttpResponse:
    """One handbook. Raises Http404 for an unknown name."""
    if name not in HANDBOOKS:
        raise Http404("handbook not found")
    others = [(other, title) for other, (title, _) in HANDBOOKS.items() if other != name]
    return render(request, "campaign/handbook.html", {"book": handbook_named(name), "others": others})
