"""Battles in the admin: to be read by staff, and no seed among what they read."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from battles.models import Battle
from tests.support.factories import (
    SECRET,
    BattleFactory,
    BattleLogFactory,
    BattleOutcomeFactory,
    RosterFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
MODELS = ("battle", "roster", "battleoutcome", "battlelog")


@pytest.fixture
def keeper() -> Client:
    """A superuser."""
    client = Client()
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def battle() -> Battle:
    """A battle with everything that belongs to it."""
    made: Battle = BattleFactory(status="fought")
    RosterFactory(battle=made, digest="cd" * 32)
    BattleOutcomeFactory(battle=made, roster_digest="cd" * 32, state_hash="ef" * 32)
    BattleLogFactory(battle=made)
    return made


@pytest.mark.one_database
@pytest.mark.clause("G.FA1")
def test_no_administration_page_ever_shows_the_dice_of_a_battle(keeper: Client, battle: Battle) -> None:
    path = f"/admin/battles/battle/{battle.pk}/change/"
    for status in Battle.Status.values:
        Battle.objects.filter(pk=battle.pk).update(status=status)
        assert SECRET not in keeper.get(path).content.decode(), status
    assert SECRET not in keeper.get("/admin/battles/battle/").content.decode()


@pytest.mark.one_database
@pytest.mark.parametrize("model", MODELS)
def test_battles_cannot_be_added_changed_or_deleted_by_hand(
    keeper: Client, battle: Battle, model: str
) -> None:
    row = {
        "battle": battle,
        "roster": battle.roster,
        "battleoutcome": battle.outcome,
        "battlelog": battle.log,
    }[model]
    base = f"/admin/battles/{model}/"
    assert keeper.get(base).status_code == 200
    assert keeper.get(f"{base}{row.pk}/change/").status_code == 200
    assert keeper.get(f"{base}add/").status_code == 403
    assert keeper.post(f"{base}{row.pk}/change/", {"title": "Changed"}).status_code == 403
    assert keeper.post(f"{base}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    row.refresh_from_db()


@pytest.mark.one_database
def test_players_do_not_get_in(battle: Battle) -> None:
    client = Client()
    client.force_login(UserFactory())
    assert client.get(f"/admin/battles/battle/{battle.pk}/change/").status_code == 302


def test_a_list_of_many_battles_takes_as_many_queries_as_a_short_one(
    keeper: Client, battle: Battle, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        RosterFactory(battle=BattleFactory(book=battle.book))
    with django_assert_max_num_queries(10):
        keeper.get("/admin/battles/battle/")
