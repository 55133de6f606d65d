"""The first page: a person's campaigns."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from campaign.selectors.desk.pages import home_rows
from campaign.selectors.people.access import may_start_campaigns
from campaign.views.requests import HtmxHttpRequest, reads


@reads
def home(request: HtmxHttpRequest) -> HttpResponse:
    """A person's campaigns, what waits for them in each, and how to start one."""
    context = {"rows": home_rows(request.user), "may_start": may_start_campaigns(request.user)}
    return render(request, "campaign/home.html", context)
