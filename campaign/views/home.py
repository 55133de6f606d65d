"""The first page: a person's campaigns."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.selectors.desk.pages import home_rows
from campaign.selectors.people.access import may_start_campaigns
from campaign.views.public import front
from campaign.views.requests import HtmxHttpRequest


@require_safe
def home(request: HtmxHttpRequest) -> HttpResponse:
    """A person's campaigns, what waits for them in each, and how to start one; for a stranger what this site is."""
    if not request.user.is_authenticated:
        return front(request)
    rows = home_rows(request.user)
    context = {
        "rows": rows,
        "several": len(rows) > 1,
        "waiting": any(row.awaits for row in rows),
        "lately": [row for row in rows if row.latest is not None],
        "may_start": may_start_campaigns(request.user),
    }
    return render(request, "campaign/home.html", context)
