"""A practice campaign: one button starts it, no deadline runs it, and all of it can be deleted. A real one never can."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse

from campaign.models import Campaign, Notice
from campaign.services.archive.tables import LEFT_OUT, TABLES
from campaign.services.practice import BESIDE, NotForPractice, practice_delete, practice_start
from campaign.services.sweep import sweep
from campaign.services.turn.playing import turn_play
from campaign.services.turn.turns import turn_open
from fleets.models import Book
from fleets.services.registers import DATA, SHIPPED, register_import
from tests.support.factories import UserFactory
from tests.support.people import world
from tests.support.remembered import remembered

pytestmark = pytest.mark.django_db


def _register() -> None:
    """The ships of the one opening that is needed."""
    row = next(row for row in SHIPPED if row.year == 1666)
    path = DATA / "registers" / row.file
    register_import(path=path, code=row.code, title=row.title, original=True, year=row.year)


@remembered
def practised() -> Campaign:
    """A practice campaign of a person who is in no other."""
    _register()
    return practice_start(user=UserFactory(username="novice"))


def _counts() -> dict[str, int]:
    return {
        model._meta.label: model._base_manager.count()
        for model in apps.get_models(include_auto_created=True)
        if model._meta.app_label in ("campaign", "fleets", "battles") and model._meta.managed
    }


def test_it_has_only_automatic_admirals_and_no_deadline_and_there_is_one_a_person() -> None:
    campaign = practised()
    user = campaign.memberships.get().user

    assert [side.automatic for side in campaign.sides.all()] == [True, True, True]
    assert campaign.turns.get().deadline is None
    assert practice_start(user=user) == campaign
    sweep()
    assert campaign.turns.get().phase == "open"
    campaign.turns.update(phase="closed", days_run=3)
    assert turn_open(campaign=campaign, follows=campaign.turns.get()).deadline is None


def test_nothing_is_left_of_it_and_nothing_else_is_touched() -> None:
    other = world()
    _register()
    before = _counts()
    user = UserFactory(username="novice")
    campaign = practice_start(user=user)
    turn_play(turn=campaign.turns.get())
    assert Notice.objects.filter(campaign=campaign).exists()

    assert practice_delete(campaign=campaign, user=user) > 500

    after = _counts()
    assert {label: (before[label], count) for label, count in after.items() if count != before[label]} == {}
    assert Campaign.objects.get() == other.campaign
    user.refresh_from_db()
    assert not user.is_staff and not user.groups.exists()


def test_a_real_campaign_is_never_deleted() -> None:
    told = world()
    with pytest.raises(NotForPractice, match="cannot be deleted"):
        practice_delete(campaign=told.campaign, user=told.umpire.user)
    answer = told.client("umpire").post(reverse("practice_throw", args=["telltale"]), {"sure": "1"})
    assert answer.status_code == 404
    assert Campaign.objects.filter(pk=told.campaign.pk).exists() and Book.objects.exists()


def test_the_button_starts_it_and_the_desk_deletes_it_after_a_question(client: Any) -> None:
    campaign = practised()
    client.force_login(campaign.memberships.get().user)
    throw = reverse("practice_throw", args=[campaign.code])

    assert client.post(reverse("practice")).url == reverse("desk", args=[campaign.code])
    assert "Delete practice campaign" in client.get(reverse("desk", args=[campaign.code])).content.decode()
    assert "Everything in it is deleted" in client.post(throw).content.decode()
    assert Campaign.objects.exists()
    assert client.post(throw, {"sure": "1"}).url == reverse("home")
    assert not Campaign.objects.exists()


def test_who_may_not_start_campaigns_gets_no_practice_either(client: Any, settings: Any) -> None:
    settings.CAMPAIGNS_BY = "named"
    client.force_login(UserFactory(username="guest"))
    assert client.post(reverse("practice")).status_code == 403
    assert not Campaign.objects.exists()


@pytest.mark.one_database
def test_every_table_that_an_archive_leaves_out_is_deleted_or_belongs_to_the_server() -> None:
    """A new table that hangs on a campaign has to be entered in one of the two lists."""
    servers = {
        "campaign.Preferences", "campaign.Place", "campaign.Passage", "fleets.Register", "fleets.Composition", "fleets.ImportBatch",
        "fleets.HistoricalRegisterEntry", "admin.LogEntry",
    }  # fmt: skip
    assert LEFT_OUT - BESIDE.keys() == servers
    assert not BESIDE.keys() & {table.label for table in TABLES}
