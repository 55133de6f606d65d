"""A campaign that began before a switch came in plays on as it did."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from campaign.rules.state.setting_values import AS_BEFORE
from tests.campaign.services.conftest import start

keep = import_module("campaign.migrations.0118_as_before").keep


@pytest.mark.django_db
@pytest.mark.clause("G.KT4", "G.KT6", "G.UM3")
def test_a_campaign_under_way_keeps_its_rules_and_what_its_umpire_chose() -> None:
    campaign, other = start(), start("other")
    type(campaign).objects.filter(pk=other.pk).update(settings={"flight": "on", "guns_heard": 9})
    keep(apps, None)
    campaign.refresh_from_db()
    other.refresh_from_db()
    assert campaign.settings == {**campaign.settings, **AS_BEFORE}
    assert other.settings == {"flight": "on", "guns_heard": 9, "after_battle_default": "renew"}
