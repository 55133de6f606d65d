"""The migration to one open turn per campaign repairs a database that holds two, and the campaign continues."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from battles.models import Battle
from campaign.models import Heartbeat, Notice, Turn
from campaign.rules.state.setting_values import AS_BEFORE
from campaign.services.desk.audit import campaign_audit
from campaign.services.turn.playing import turn_play
from campaign.services.turn.turns import turn_lock, turn_run
from fleets.models import ServiceRecord
from tests.campaign.services.conftest import start
from tests.support.factories import NoticeFactory

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.CL2", "G.UM3")]
CONSTRAINT = "one_open_turn_in_a_campaign"


def mend() -> None:
    """Runs what the migration does with data, then puts the constraint back."""
    migration = import_module("campaign.migrations.0100_one_open_turn")
    migration.mend_turns(apps, None)
    migration.mend_heartbeat(apps, None)
    (constraint,) = (row for row in Turn._meta.constraints if row.name == CONSTRAINT)
    connection.check_constraints()  # PostgreSQL makes no index while it has something to look at
    create = str(constraint.create_sql(Turn, connection.schema_editor(collect_sql=True)))
    with connection.cursor() as cursor:
        cursor.execute(create)


@pytest.fixture
def without_constraint(db: Any) -> None:
    """The database as it was before: a campaign may have several open turns."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX {CONSTRAINT}")


def opened_again(turn: Turn, number: int, **fields: Any) -> Turn:
    """A turn as a second closing of the same one opened it."""
    return Turn.objects.create(
        campaign=turn.campaign,
        number=number,
        first_day=turn.first_day,
        days=1,
        chart_hash=turn.chart_hash,
        **fields,
    )


def test_the_first_of_two_open_turns_continues_and_the_later_ones_are_void(without_constraint: None) -> None:
    campaign, other = start(), start("other")
    for each in (campaign, other):
        each.settings = {**each.settings, **AS_BEFORE}
        each.save()
        turn_play(turn=each.turns.get())
    second = campaign.turns.get(number=2)
    third, fourth = opened_again(second, 3), opened_again(second, 4)
    turn_lock(turn=third)
    turn_run(turn_id=third.pk)
    spurious = Battle.objects.filter(contacts__turn=third)
    assert spurious.exists()
    for number in (2, 3):
        NoticeFactory(campaign=campaign, event=f"small-T{number}-reminder", status="waiting")
    ship = ServiceRecord.objects.filter(ship__book=campaign.book).first()
    assert ship is not None
    ServiceRecord(
        ship=ship.ship, when=ship.when, kind=ship.kind, data=ship.data, turn=third.reference, event="again",
        navy_code=ship.navy_code,
    ).save()  # fmt: skip
    for at in (fourth.opened, second.opened):
        Heartbeat.objects.create(at=at)

    mend()

    assert list(campaign.turns.order_by("number").values_list("number", "phase")) == [
        (1, "closed"),
        (2, "open"),
    ]
    action = campaign.umpire_actions.get(action="voided turns opened by mistake")
    assert action.reason.startswith("Turns 2, 3, 4 were open at once") and action.actor == "the clock"
    assert action.turn == "small/2"
    voided = Turn.every.filter(campaign=campaign).exclude(void="")
    assert {turn.void for turn in voided} == {f"second turn {action.pk}"} and voided.count() == 2
    assert set(spurious.values_list("status", flat=True)) == {"void"}
    assert set(
        Notice.objects.filter(event__endswith="-reminder", void="").values_list("event", flat=True)
    ) == {"small-T2-reminder"}
    void = ServiceRecord.objects.exclude(void="")
    assert void.filter(event="again").exists() and set(void.values_list("turn", flat=True)) == {
        third.reference
    }
    assert other.turns.count() == 2 and not other.umpire_actions.exists()
    assert Heartbeat.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        opened_again(second, 9)
    assert list(campaign_audit(campaign=other)) == []


def test_a_repaired_campaign_plays_on_under_the_free_numbers(
    without_constraint: None,
) -> None:
    campaign = start()
    turn_play(turn=campaign.turns.get())
    opened_again(campaign.turns.get(number=2), 3)
    mend()
    turn_play(turn=campaign.turns.get(number=2))
    assert [(turn.name, turn.phase) for turn in campaign.turns.order_by("number")] == [
        ("1", "closed"), ("2", "closed"), ("3r2", "open"),
    ]  # fmt: skip
    campaign.refresh_from_db()
    assert list(campaign_audit(campaign=campaign)) == []
