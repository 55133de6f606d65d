"""No foreign key points upward: deploy > campaign > battles > fleets > Django's own tables."""

from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.db.migrations.loader import MigrationLoader
from django.test.utils import isolate_apps

from tests.support.keys import BELOW, RANKS, upward_keys


def test_no_foreign_key_points_upward() -> None:
    every = apps.get_models(include_auto_created=True)
    assert {"fleets", "battles", "campaign"} <= {model._meta.app_label for model in every}
    assert upward_keys(every) == []


@pytest.fixture
def migrations(settings: Any) -> None:
    """They can be read: tests with a database on SQLite make their tables without them."""
    settings.MIGRATION_MODULES = {}


@pytest.mark.usefixtures("migrations")
def test_no_migration_depends_on_a_room_above_its_own() -> None:
    graph = MigrationLoader(None, ignore_no_migrations=True).graph
    upward = [
        (node, parent)
        for node in graph.nodes
        for parent in graph.node_map[node].parents
        if RANKS.get(parent[0], BELOW) > RANKS.get(node[0], BELOW)
    ]
    assert graph.nodes and upward == []


@pytest.mark.usefixtures("migrations")
def test_an_empty_database_is_made_in_a_few_migrations() -> None:
    nodes = MigrationLoader(None).graph.nodes
    for first in (
        ("fleets", "0197_all_before"),
        ("battles", "0197_all_before"),
        ("campaign", "0200_all_before"),
    ):
        assert min(node for node in nodes if node[0] == first[0]) == first


@pytest.mark.parametrize("kind", [models.ForeignKey, models.OneToOneField, models.ManyToManyField])
def test_an_upward_key_is_reported(kind: type[models.Field]) -> None:
    with isolate_apps("fleets", "campaign"):

        class Campaign(models.Model):
            class Meta:
                app_label = "campaign"

        options = {} if kind is models.ManyToManyField else {"on_delete": models.CASCADE}

        class Ship(models.Model):
            sails_in = kind(Campaign, **options)

            class Meta:
                app_label = "fleets"

        assert upward_keys([Campaign, Ship]) == ["fleets.Ship.sails_in -> campaign.Campaign"]


def test_a_key_within_a_room_or_downward_is_not_reported() -> None:
    with isolate_apps("fleets", "campaign"):

        class Ship(models.Model):
            taken_by = models.ForeignKey("self", on_delete=models.CASCADE)

            class Meta:
                app_label = "fleets"

        class Station(models.Model):
            ship = models.ForeignKey(Ship, on_delete=models.CASCADE)

            class Meta:
                app_label = "campaign"

        assert upward_keys([Ship, Station]) == []
