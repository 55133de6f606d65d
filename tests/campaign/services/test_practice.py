"""A practice campaign: one button starts it, no deadline runs it, and all of it can be deleted. A real one never can."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse

from campaign.models import Campaign, Notice
from campaign.services import practice
from campaign.services.archive.tables import LEFT_OUT, TABLES
from campaign.services.orders.openings import opening_of
from campaign.services.practice import BESIDE, NotForPractice, practice_delete, practice_start
from campaign.services.setup.refusals import SetupRefused
from campaign.services.sweep import sweep
from campaign.services.turn.turns import turn_open
from fleets.models import Book
from fleets.services.registers import DATA, SHIPPED, register_import
from tests.support.answers import flawless
from tests.support.factories import CampaignFactory, UserFactory
from tests.support.people import world
from tests.support.remembered import remembered
from tests.support.turns import turn_closes

pytestmark = pytest.mark.django_db
REFUSED = "No theatre with its ships is loaded. The site administrator can load them with “make setup”."
ALL = ("narrow_seas_1666", "atlantic_1805", "caribbean", "yellow_sea_1904")


@remembered
def _register() -> None:
    """The ships of the one opening that is needed."""
    row = next(row for row in SHIPPED if row.year == 1666)
    path = DATA / "registers" / row.file
    register_import(path=path, code=row.code, title=row.title, original=True, year=row.year)


@remembered
def practised() -> Campaign:
    """A practice campaign of a person who is in no other."""
    _register()
    return flawless(practice_start, user=UserFactory(username="novice"))


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


def test_its_theatre_is_the_narrow_seas_or_the_first_other_whose_ships_are_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def chosen(*loaded: str, registers: bool = True) -> str:
        rows = [SimpleNamespace(code=code) for code in loaded]
        monkeypatch.setattr(
            practice, "Theatre", SimpleNamespace(objects=SimpleNamespace(offered=lambda: rows))
        )
        books = (
            {opening_of(code)["register"] for code in ALL}
            if registers
            else {opening_of("caribbean")["register"]}
        )
        monkeypatch.setattr(practice, "register_list", lambda: [SimpleNamespace(code=code) for code in books])
        try:
            theatre, plan, register = practice._chosen()
        except SetupRefused as why:
            return why.faults[0].text
        assert plan == opening_of(theatre.code) and register.code == plan["register"]
        return str(theatre.code)

    assert chosen("atlantic_1805", "yellow_sea_1904", "narrow_seas_1666", "caribbean") == "narrow_seas_1666"
    assert chosen("yellow_sea_1904", "no_such_sea", "caribbean", "atlantic_1805") == "atlantic_1805"
    assert chosen("narrow_seas_1666", "caribbean", registers=False) == "caribbean"
    assert chosen("narrow_seas_1666", "no_such_sea", registers=False) == REFUSED


def test_its_name_is_cut_and_its_code_is_the_first_that_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    user = UserFactory(username="Ann.Long-Name")
    codes = ["practice-ann-lon", "practice-ann-lon-2", "practice-ann-lon-3"]
    for taken, code in enumerate(codes):
        assert practice._free_code(user) == code
        CampaignFactory(book__code=codes[taken])
    assert practice._free_code(UserFactory(username="Ann.Lo")) == "practice-ann-lo"
    assert practice._free_code(UserFactory(username="ben_")) == "practice-ben"
    _register()
    title = "x" * 200
    monkeypatch.setattr(practice, "opening_of", lambda code: {**opening_of(code), "title": title})
    assert practice_start(user=user).name == f"Practice: {title}"[:120]


def test_nothing_is_left_of_it_and_nothing_else_is_touched() -> None:
    other = world()
    _register()
    before = _counts()
    user = UserFactory(username="novice")
    campaign = practice_start(user=user)
    turn_closes(campaign.turns.get())
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
def test_every_table_beside_an_archive_leads_to_its_campaign() -> None:
    def end_of(label: str, path: str) -> Any:
        model = apps.get_model(label)
        for name in path.split("__"):
            fields = {} if model is None else {field.name: field for field in model._meta.get_fields()}
            model = getattr(fields.get(name), "related_model", None)
        return model

    assert {label: end_of(label, path) for label, path in BESIDE.items()} == dict.fromkeys(BESIDE, Campaign)


@pytest.mark.one_database
def test_every_table_that_an_archive_leaves_out_is_deleted_or_belongs_to_the_server() -> None:
    """A new table that hangs on a campaign has to be entered in one of the two lists."""
    servers = {
        "campaign.Preferences", "campaign.Place", "campaign.Passage", "fleets.Register", "fleets.Composition", "fleets.ImportBatch",
        "fleets.HistoricalRegisterEntry", "admin.LogEntry",
    }  # fmt: skip
    assert LEFT_OUT - BESIDE.keys() == servers
    assert not BESIDE.keys() & {table.label for table in TABLES}
