"""The documents of turns into their own table, compressed; what no one can need again is left behind.

In steps of a few turns, each a transaction of its own: stopped at any point, the migration continues where it was.
"""

from django.db import migrations, transaction

KINDS = ("state", "snapshot", "books")
AT_ONCE = 20


def pack(apps, schema_editor):
    """Every document that is still in its turn's row."""
    turns, documents = (apps.get_model("campaign", name).objects for name in ("Turn", "TurnDocument"))
    left = turns.exclude(state__isnull=True, snapshot__isnull=True, books__isnull=True).order_by("pk")
    while some := list(left.select_related("campaign")[:AT_ONCE]):
        with transaction.atomic(using=schema_editor.connection.alias):
            documents.bulk_create(
                (
                    documents.model(turn=turn, kind=kind, document=getattr(turn, kind))
                    for turn in some
                    for kind in KINDS
                    if getattr(turn, kind) is not None and _wanted(turn, kind)
                ),
                ignore_conflicts=True,
            )
            turns.filter(pk__in=[turn.pk for turn in some]).update(state=None, snapshot=None, books=None)


def _wanted(turn, kind):
    """A voided turn keeps its facts alone, and a campaign that is over cannot be rolled back."""
    if turn.void:
        return kind == "snapshot"
    return kind != "books" or turn.campaign.status != "closed"


def unpack(apps, schema_editor):
    """The way back."""
    turns, documents = (apps.get_model("campaign", name).objects for name in ("Turn", "TurnDocument"))
    while some := list(documents.order_by("pk")[:AT_ONCE]):
        with transaction.atomic(using=schema_editor.connection.alias):
            for row in some:
                turns.filter(pk=row.turn_id).update(**{row.kind: row.document})
            documents.filter(pk__in=[row.pk for row in some]).delete()


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("campaign", "0170_turn_documents")]

    operations = [migrations.RunPython(pack, unpack)]
