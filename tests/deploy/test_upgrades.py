"""Which migrations old and new workers can live with side by side."""

from __future__ import annotations

import pytest
from django.db import migrations, models
from django.db.migrations import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from deploy.upgrades import stops_the_old


def state() -> ProjectState:
    """One table with a column that may be empty and one that may not."""
    found = ProjectState()
    fields = [
        ("id", models.AutoField(primary_key=True)),
        ("loose", models.TextField(null=True)),
        ("name", models.TextField()),
    ]
    found.add_model(ModelState("campaign", "Ship", fields))
    return found


@pytest.mark.parametrize(
    ("operation", "stops"),
    [
        (migrations.RemoveField("Ship", "name"), True),
        (migrations.RenameField("Ship", "name", "title"), True),
        (migrations.RenameModel("Ship", "Vessel"), True),
        (migrations.DeleteModel("Ship"), True),
        (migrations.AddField("Ship", "guns", models.IntegerField(default=0)), True),
        (migrations.AddField("Ship", "guns", models.IntegerField(db_default=0)), False),
        (migrations.AddField("Ship", "guns", models.IntegerField(null=True)), False),
        (migrations.AlterField("Ship", "loose", models.TextField(default="")), True),
        (migrations.AlterField("Ship", "name", models.TextField(blank=True)), False),
        (migrations.AddIndex("Ship", models.Index(fields=["name"], name="by_name")), False),
    ],
    ids=lambda value: value.describe() if isinstance(value, Operation) else "",
)  # fmt: skip
def test_only_what_the_old_version_would_miss_stops_it(operation: Operation, stops: bool) -> None:
    migration = Migration("0999_next", "campaign")
    migration.operations = [operation]
    assert bool(stops_the_old(migration, state())) == stops


def test_a_new_table_may_have_any_columns_and_a_line_names_the_migration() -> None:
    migration = Migration("0999_next", "campaign")
    migration.operations = [
        migrations.CreateModel("Boat", [("id", models.AutoField(primary_key=True))]),
        migrations.AddField("Boat", "oars", models.IntegerField()),
        migrations.RemoveField("Ship", "name"),
    ]
    assert stops_the_old(migration, state()) == ["campaign.0999_next: Remove field name from Ship"]
