"""A campaign that began before a switch came in plays on as it did."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from campaign.rules.state.setting_values import AS_BEFORE
from tests.campaign.services.conftest import start

MIGRATIONS = [
    import_module(f"campaign.migrations.{name}").keep for name in ("0118_as_before", "0119_war_as_before")
]


@pytest.mark.django_db
@pytest.mark.clause(
    "G.KT1", "G.KT3", "G.KT4", "G.KT6", "G.OB1", "G.CA1", "G.LD1", "G.IG1", "G.AA1", "G.AA6", "G.UM3"
)
def test_a_campaign_under_way_keeps_its_rules_and_what_its_umpire_chose() -> None:
    campaign, other = start(), start("other")
    type(campaign).objects.filter(pk=other.pk).update(
        settings={"flight": "on", "landings": "on", "guns_heard": 9}
    )
    for keep in MIGRATIONS:
        keep(apps, None)
    campaign.refresh_from_db()
    other.refresh_from_db()
    assert campaign.settings == {**campaign.settings, **AS_BEFORE}
    assert other.settings == {**AS_BEFORE, "flight": "on", "landings": "on", "guns_heard": 9}


@pytest.mark.django_db
@pytest.mark.clause("G.CA1", "G.UM3")
def test_a_campaign_under_way_keeps_its_theatres_calendar_as_text() -> None:
    campaign = start()
    made = list(campaign.calendar_rows.values_list("code", "first", "text", "deed", "known"))
    campaign.calendar_rows.all().delete()
    import_module("campaign.migrations.0121_calendar").text_of_the_theatres(apps, None)
    assert list(campaign.calendar_rows.values_list("code", "first", "text", "deed", "known")) == made
    assert len(made) == len(campaign.theatre.document["calendar"])
