"""Two workers at one turn, over two connections: the second waits for the row, and gets nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from campaign.models import Notice, Order, Station, Turn
from campaign.services.turn import turns
from campaign.services.turn.rollback import rollback
from campaign.services.turn.turns import turn_lock, turn_run
from tests.campaign.services.conftest import start

pytestmark = [
    pytest.mark.clause("G.CL2", "G.UM2"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="on SQLite only one writes at a time"),
]


def beside(work: Callable[[], Any], results: list[Any]) -> threading.Thread:
    """Work in a thread, which has a connection of its own; its result, or what it raised, is put into the list."""

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            results.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def somebody_waits_for_a_row() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


@pytest.fixture
def closing(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """Two events: a worker is inside the transaction that closes its turn, and stays there until it may go on."""
    inside, go_on = threading.Event(), threading.Event()
    real = turns.notices_for_closed_turn

    def slow(**kwargs: Any) -> None:
        real(**kwargs)
        inside.set()
        assert go_on.wait(60)

    monkeypatch.setattr(turns, "notices_for_closed_turn", slow)
    return inside, go_on


@pytest.fixture
def quiet() -> Turn:
    """A locked turn in which nobody meets anybody."""
    turn = start().turns.get()
    Order.objects.update(stance="hold")
    Station.objects.filter(fleet__navy__code="NLD").update(at="texel")
    turn_lock(turn=turn)
    return turn


def standing() -> list[tuple[int, str, int]]:
    return list(Turn.objects.order_by("number").values_list("number", "phase", "first_day"))


def test_a_turn_being_closed_past_its_lease_is_closed_once_and_opens_one_turn(
    quiet: Turn, closing: tuple[threading.Event, threading.Event], settings: Any
) -> None:
    settings.LEASE_SECONDS = 3
    inside, go_on = closing
    told: list[Any] = []
    first = beside(lambda: turn_run(turn_id=quiet.pk), told)
    assert inside.wait(30), told

    def run_out() -> bool:
        quiet.refresh_from_db()
        assert quiet.lease_until is not None and quiet.phase == "reporting"
        return quiet.lease_until < timezone.now()

    wait_until(run_out)
    second = beside(lambda: turn_run(turn_id=quiet.pk), told)
    wait_until(somebody_waits_for_a_row)
    go_on.set()
    first.join(60)
    second.join(60)
    assert told == ["closed", "closed"]
    assert standing() == [(1, "closed", 0), (2, "open", 1)]
    quiet.refresh_from_db()
    assert (quiet.claim, quiet.attempts) == (None, 0)
    assert Notice.objects.filter(kind="umpire_report").count() == 1


def test_a_rollback_waits_for_a_turn_being_closed_and_also_undoes_the_one_it_opens(
    quiet: Turn, closing: tuple[threading.Event, threading.Event]
) -> None:
    inside, go_on = closing
    told: list[Any] = []
    umpire = quiet.campaign.memberships.get(role="umpire").user
    first = beside(lambda: turn_run(turn_id=quiet.pk), told)
    assert inside.wait(30), told
    second = beside(
        lambda: rollback(campaign=quiet.campaign, number=1, umpire=umpire, reason="the wrong wind").run, told
    )
    wait_until(somebody_waits_for_a_row)
    go_on.set()
    first.join(60)
    second.join(60)
    assert 2 in told, told
    assert standing() == [(1, "open", 0)]
    assert sorted(Turn.every.exclude(void="").values_list("number", flat=True)) == [1, 2]
