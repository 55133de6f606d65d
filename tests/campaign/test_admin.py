"""The admin of the campaign room: every list opens and can be searched, secrets stay shut, what services write is read-only."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.support.factories import (
    CommandFactory,
    FleetFactory,
    NavyFactory,
    UserFactory,
    WeatherWatchFactory,
)
from tests.support.people import World, world

MODELS = sorted(model.__name__.lower() for model in apps.get_app_config("campaign").get_models())


@pytest.fixture
def told(db: Any) -> World:
    """A campaign with rows of every kind."""
    made = world()
    WeatherWatchFactory(turn=made.closed)
    return made


@pytest.fixture
def staff(told: World) -> Client:
    """A browser of somebody who may do everything."""
    client = Client()
    client.force_login(UserFactory(username="keeper", is_staff=True, is_superuser=True))
    return client


def test_every_model_is_registered() -> None:
    registered = {
        model.__name__.lower() for model in admin.site._registry if model._meta.app_label == "campaign"
    }
    assert registered == set(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_every_list_opens_and_can_be_searched(staff: Client, name: str) -> None:
    address = reverse(f"admin:campaign_{name}_changelist")
    assert staff.get(address).status_code == 200
    assert staff.get(address, {"q": "tell"}).status_code == 200


@pytest.mark.parametrize("name", MODELS)
def test_every_row_opens(staff: Client, told: World, name: str) -> None:
    model = apps.get_model("campaign", name)
    row = model.objects.first()
    if row is None:
        row = told.campaign.notices.create(
            event="e", recipient=told.umpire.user, kind="invitation", address="a@b.example", subject="s", text="t", html="h",
            message_id="<1@x>",
        )  # fmt: skip
    assert staff.get(reverse(f"admin:campaign_{name}_change", args=[row.pk])).status_code == 200


@pytest.mark.clause("G.FA1")
def test_secrets_of_a_turn_are_shown_when_it_is_closed_and_not_before(staff: Client, told: World) -> None:
    opened = staff.get(reverse("admin:campaign_turn_change", args=[told.turn.pk])).content.decode()
    closed = staff.get(reverse("admin:campaign_turn_change", args=[told.closed.pk])).content.decode()
    assert told.turn.chart_hash in opened
    assert told.turn.chart_secret not in opened
    assert told.turn.battle_secret not in opened
    assert told.closed.chart_secret in closed


@pytest.mark.parametrize("name", ["turn", "order", "sighting", "report", "station", "notice", "umpireaction"])
def test_what_services_write_cannot_be_written_by_hand(staff: Client, told: World, name: str) -> None:
    model = apps.get_model("campaign", name)
    assert staff.get(reverse(f"admin:campaign_{name}_add")).status_code == 403
    row = model.objects.first()
    if row is not None:
        assert (
            staff.post(reverse(f"admin:campaign_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code
            == 403
        )
        assert model.objects.filter(pk=row.pk).exists()


def test_lists_ask_no_more_for_more_rows(
    staff: Client, told: World, django_assert_max_num_queries: Any
) -> None:
    for _ in range(5):
        navy = NavyFactory(book=told.campaign.book, code="ENG")
        CommandFactory(membership=told.english, fleet=FleetFactory(navy=navy))
    for name in ("command", "order", "membership", "station"):
        with django_assert_max_num_queries(11):
            staff.get(reverse(f"admin:campaign_{name}_changelist"))


def test_the_admin_is_shut_to_players(told: World) -> None:
    response = told.client("english").get(reverse("admin:campaign_sighting_changelist"))
    assert response.status_code == 302
