"""How work is claimed: by the columns of its own row, held while it lasts, abandoned when it kills its workers."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from battles import leases
from battles.models import Battle
from campaign.models import Contact, Notice, Turn
from campaign.notices.write import unsent
from tests.support.factories import BattleFactory, NoticeFactory, TurnFactory

pytestmark = pytest.mark.clause("G.UM2")


def run_out(battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rows",
    [
        lambda: Turn.objects.exclude(campaign__status="paused"),
        lambda: Turn.objects.filter(campaign__name="A small war"),
        lambda: Turn.objects.exclude(contacts__battle__status="ready"),
        lambda: Turn.objects.filter(contacts__in=Contact.objects.all()),
        lambda: Turn.objects.filter(pk__in=Turn.objects.filter(number=1)),
        lambda: Turn.objects.filter(~Q(number=2) & Exists(Contact.objects.filter(turn=OuterRef("pk")))),
        lambda: Turn.objects.filter(number=1).distinct(),
        lambda: Turn.objects.order_by("pk")[:1],
    ],
    ids=["join", "joined column", "excluded join", "many", "subquery", "exists", "distinct", "slice"],
)
def test_rows_chosen_by_another_table_are_not_claimed(rows: Callable[[], Any]) -> None:
    turn = TurnFactory()
    with pytest.raises(TypeError, match="Work is taken by the columns of its own row; these rows of Turn"):
        leases.take(rows())
    turn.refresh_from_db()
    assert (turn.claim, turn.attempts) == (None, 0)


@pytest.mark.django_db
def test_rows_chosen_by_their_own_columns_are_claimed_once() -> None:
    turn, notice = TurnFactory(), NoticeFactory(status=Notice.Status.WAITING)
    rows = Turn.objects.filter(Q(number=turn.number) | ~Q(phase="closed"), campaign=turn.campaign_id)
    assert isinstance(leases.take(rows), uuid.UUID)
    assert leases.take(rows) is None
    assert leases.take(unsent().filter(pk__in=[notice.pk]), status=Notice.Status.SENDING) is not None


@pytest.mark.django_db
def test_work_that_is_given_back_does_not_count_as_tried() -> None:
    battle = BattleFactory()
    token = leases.take(Battle.objects.all())
    assert token is not None
    leases.give_back(battle, uuid.uuid4())
    battle.refresh_from_db()
    assert (battle.claim, battle.attempts) == (token, 1)
    leases.give_back(battle, token)
    battle.refresh_from_db()
    assert (battle.claim, battle.attempts) == (None, 0)


@pytest.mark.django_db
def test_work_tried_three_times_is_taken_up_once_more_only_to_be_abandoned() -> None:
    battle, rows = BattleFactory(), Battle.objects.all()
    for _ in range(leases.MAX_ATTEMPTS):
        token, spent = leases.take_or_give_up(rows)
        assert token is not None and not spent
        assert leases.take_or_give_up(rows) == (None, False)
        run_out(battle)
    token, spent = leases.take_or_give_up(rows)
    assert token is not None and spent
    assert leases.take_or_give_up(rows) == (None, False)


def claimed(seconds: float) -> tuple[Battle, uuid.UUID]:
    """A battle in work, with so much left of its lease."""
    battle = BattleFactory()
    token = leases.take(Battle.objects.all())
    assert token is not None
    Battle.objects.update(lease_until=timezone.now() + timedelta(seconds=seconds))
    return battle, token


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.django_db(transaction=True)
def test_work_is_marked_as_under_way_while_it_lasts_and_no_longer() -> None:
    battle, token = claimed(5)
    threads = threading.active_count()

    def left() -> timedelta:
        battle.refresh_from_db()
        assert battle.lease_until is not None
        return battle.lease_until - timezone.now()

    with leases.kept(battle, token, every=0.02):
        until(lambda: left() > timedelta(seconds=30))
    assert threading.active_count() == threads
    leases.finish(battle, token, status=Battle.Status.FOUGHT)
    battle.refresh_from_db()
    assert battle.lease_until is None


@pytest.mark.django_db(transaction=True)
def test_work_that_another_has_taken_over_cannot_be_finished_twice() -> None:
    battle, token = claimed(5)
    other = uuid.uuid4()
    Battle.objects.update(claim=other)
    threads = threading.active_count()
    with leases.kept(battle, token, every=0.01):
        until(lambda: threading.active_count() == threads)  # it has ended by itself
    with pytest.raises(leases.LeaseLost):
        leases.finish(battle, token, status=Battle.Status.FOUGHT)
    battle.refresh_from_db()
    assert (battle.claim, battle.status) == (other, Battle.Status.READY)


@pytest.mark.django_db
def test_quick_work_does_not_ask_for_more_time(django_assert_num_queries: Any) -> None:
    battle, token = claimed(5)
    with django_assert_num_queries(0), leases.kept(battle, token):
        pass
