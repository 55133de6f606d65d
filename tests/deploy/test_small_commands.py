"""Commands that only load or print."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from campaign.models import Theatre
from campaign.services.setup.setup import shipped_theatres
from tests.support.people import world

pytestmark = pytest.mark.django_db


def test_the_shipped_theatres_are_loaded_and_loading_again_changes_nothing() -> None:
    for _ in range(2):
        call_command("load_theatres", stdout=io.StringIO())
        assert Theatre.objects.count() == len(shipped_theatres())


def test_what_the_site_runs_on_is_said_without_addresses() -> None:
    out = io.StringIO()
    call_command("about", stdout=out)
    lines = dict(line.split(maxsplit=1) for line in out.getvalue().splitlines()[1:])
    assert set(lines) == {"Python", "Django", "Database", "Broker", "Engine"}
    assert lines["Broker"] == "memory"
    assert lines["Engine"] == "interpreted (WEATHER_GAGE_ENGINE says so)"


def test_a_campaign_is_described_on_the_terminal() -> None:
    world()
    out = io.StringIO()
    call_command("chronicle", "telltale", stdout=out)
    assert "31 May 1666" in out.getvalue() and "Battle off the Galloper" in out.getvalue()
