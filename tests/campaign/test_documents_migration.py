"""The migration that packs the documents of turns: whole, stopped half-way, and back again."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection, models

from campaign.models import Turn, TurnDocument
from campaign.models.packed import PackedJSONField
from tests.support.factories import CampaignFactory, TurnFactory

MIGRATION = import_module("campaign.migrations.0171_documents_packed")
KINDS = ("state", "snapshot", "books")


OLD = Apps()  # of the migration's models only what it touches


class _Editor:
    connection = connection


class Campaign(models.Model):
    """As it was."""

    status = models.CharField(max_length=9)

    class Meta:
        apps, app_label, db_table = OLD, "campaign", "campaign_campaign"


class OldTurn(models.Model):
    """As it was, with three columns."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    void = models.CharField(max_length=40)
    state = models.JSONField(null=True)
    snapshot = models.JSONField(null=True)
    books = models.JSONField(null=True)

    class Meta:
        apps, app_label, db_table = OLD, "campaign", "campaign_turn"


class Document(models.Model):
    """As it is."""

    turn = models.ForeignKey(OldTurn, on_delete=models.CASCADE)
    kind = models.CharField(max_length=8)
    document = PackedJSONField()

    class Meta:
        apps, app_label, db_table = OLD, "campaign", "campaign_turndocument"


class _Then:
    """The registry of that time, as the migration asks it."""

    @staticmethod
    def get_model(app: str, name: str) -> Any:
        return {"Turn": OldTurn, "TurnDocument": Document}[name]


@pytest.fixture
def old(db: Any) -> Any:
    """The models as they were, and the three columns in the table of turns."""
    kind = "text" if connection.vendor == "sqlite" else "jsonb"
    with connection.cursor() as cursor:
        for name in KINDS:
            cursor.execute(f"ALTER TABLE campaign_turn ADD COLUMN {name} {kind} NULL")
    return _Then


def _columns(turn: Turn) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(KINDS)} FROM campaign_turn WHERE id = %s", [turn.pk])
        return tuple(json.loads(value) if isinstance(value, str) else value for value in cursor.fetchone())


def test_every_document_is_packed_also_when_the_migration_was_stopped(
    old: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, over = CampaignFactory(), CampaignFactory(status="closed")
    turns = [TurnFactory(campaign=campaign, number=n, phase="closed") for n in (1, 2, 3)]
    turns += [
        TurnFactory(campaign=campaign, number=3, run=2, void="rollback 1"),
        TurnFactory(campaign=over, phase="closed"),
        TurnFactory(campaign=campaign, number=4),
    ]
    for turn in turns[:-1]:
        OldTurn.objects.filter(pk=turn.pk).update(**{kind: {kind: turn.pk, "name": "é"} for kind in KINDS})
    monkeypatch.setattr(MIGRATION, "AT_ONCE", 2)
    wanted = MIGRATION._wanted

    def killed(turn: Any, kind: str) -> bool:
        if turn.pk == turns[3].pk:
            raise KeyboardInterrupt
        return bool(wanted(turn, kind))

    monkeypatch.setattr(MIGRATION, "_wanted", killed)
    with pytest.raises(KeyboardInterrupt):
        MIGRATION.pack(old, _Editor)
    assert TurnDocument.objects.count() == 6 and _columns(turns[0]) == (None, None, None)
    assert _columns(turns[2]) != (None, None, None)
    monkeypatch.setattr(MIGRATION, "_wanted", wanted)
    MIGRATION.pack(old, _Editor)

    def kept(turn: Turn) -> list[str]:
        here = Turn.every.get(pk=turn.pk)
        assert _columns(turn) == (None, None, None)
        found = {kind: getattr(here, kind) for kind in KINDS}
        assert all(document in (None, {kind: turn.pk, "name": "é"}) for kind, document in found.items())
        return [kind for kind in KINDS if found[kind] is not None]

    all_, none = ["state", "snapshot", "books"], list[str]()
    assert [kept(turn) for turn in turns] == [all_, all_, all_, ["snapshot"], ["state", "snapshot"], none]

    MIGRATION.unpack(old, _Editor)
    assert not TurnDocument.objects.exists()
    assert _columns(turns[0]) == tuple({kind: turns[0].pk, "name": "é"} for kind in KINDS)
