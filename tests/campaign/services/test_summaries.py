"""Summaries of turns: written with the reports, made again for old turns, and never different from what they sum up."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from campaign.accounts.history import history_of, news_of
from campaign.models import Campaign, Report, TurnSummary
from campaign.services.desk.audit import campaign_audit
from campaign.services.turn.summaries import summaries_write
from tests.campaign.services.conftest import first_turn_played
from tests.support.factories import ReportFactory, SideFactory, TurnFactory

MIGRATION = import_module("campaign.migrations.0192_summaries_and_emails_packed")
pytestmark = pytest.mark.django_db


class _Editor:
    connection = connection


def stored() -> dict[tuple[int, int | None], Any]:
    return {(row.turn_id, row.side_id): (row.events, row.news) for row in TurnSummary.objects.all()}


def recomputed(campaign: Campaign) -> dict[tuple[int, int | None], Any]:
    reports = Report.objects.filter(turn__campaign=campaign)
    return {
        (row.turn_id, row.side_id): (history_of(row.events), news_of(row.events) if row.side_id else [])
        for row in reports
    }


@pytest.mark.clause("G.IN1")
def test_a_turn_that_is_over_has_a_summary_of_every_report() -> None:
    campaign = first_turn_played()
    assert stored() == recomputed(campaign)
    assert len(stored()) == 3 and all(events for events, _ in stored().values())
    reports = Report.objects.filter(turn__campaign=campaign).select_related("turn")
    summaries_write(reports=reports)
    assert stored() == recomputed(campaign)


@pytest.mark.clause("G.UM3")
def test_old_turns_get_theirs_in_steps_also_when_the_migration_was_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = first_turn_played()
    side = SideFactory(campaign=campaign)
    kept = [7, "gale", "G.WX3", [], {"zone": "channel"}]
    for number in (3, 4):
        ReportFactory(
            turn=TurnFactory(campaign=campaign, number=number, phase="closed"), side=side, events=[kept]
        )
    void = TurnFactory(campaign=campaign, number=5, phase="closed", void="rollback 1")
    ReportFactory(turn=void, side=side, events=[kept])
    TurnSummary.objects.all().delete()
    monkeypatch.setattr(MIGRATION, "AT_ONCE", 1)
    seen: list[Any] = []

    def killed(events: list[Any]) -> Any:
        seen.append(events)
        if len(seen) == 5:
            raise KeyboardInterrupt
        return history_of(events)

    monkeypatch.setattr(MIGRATION, "history_of", killed)
    with pytest.raises(KeyboardInterrupt):
        MIGRATION.summarise(apps, _Editor)
    assert len(stored()) == 4  # of the first two turns
    monkeypatch.setattr(MIGRATION, "history_of", history_of)
    MIGRATION.summarise(apps, _Editor)
    assert stored() == recomputed(campaign) and len(stored()) == 5
    assert not any("summary" in fault for fault in campaign_audit(campaign=campaign))
