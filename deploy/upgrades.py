"""Which migrations the version that is running can live with, so that old and new workers may run side by side.

A new table, a column that may be empty or that the database fills, an index: the old version does not notice. A column or table that
goes or gets another name, and a column that must be filled, stop it.
"""

from __future__ import annotations

from django.db.migrations import Migration
from django.db.migrations import operations as op
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, ManyToManyField

GONE = (op.RemoveField, op.DeleteModel, op.RenameField, op.RenameModel, op.AlterModelTable)


def stops_the_old(migration: Migration, before: ProjectState) -> list[str]:
    """What a migration does that the version before it cannot live with, a line each. before: the models as that version has them."""
    found = []
    state = before.clone()
    made: set[str] = set()  # tables that the old version does not know
    for operation in migration.operations:
        if isinstance(operation, op.CreateModel):
            made.add(operation.name_lower)
        elif getattr(operation, "model_name_lower", "") not in made and _stops(operation, state, migration):
            found.append(f"{migration.app_label}.{migration.name}: {operation.describe()}")
        operation.state_forwards(migration.app_label, state)
    return found


def _stops(operation: Operation, state: ProjectState, migration: Migration) -> bool:
    if isinstance(operation, GONE):
        return True
    if not isinstance(operation, (op.AddField, op.AlterField)) or isinstance(
        operation.field, ManyToManyField
    ):
        return False
    if operation.field.null or operation.field.db_default is not NOT_PROVIDED:
        return False
    if isinstance(operation, op.AddField):
        return True  # the old version fills in the columns that it knows
    model = state.models[migration.app_label, operation.model_name_lower]
    return bool(model.fields[operation.name].null)


def stopping(loader: MigrationLoader, plan: list[tuple[Migration, bool]]) -> list[str]:
    """What of a plan of migrations the running version cannot live with."""
    found: list[str] = []
    for migration, _ in plan:
        before = loader.project_state([(migration.app_label, migration.name)], at_end=False)
        found += stops_the_old(migration, before)
    return found
