"""Handing work to workers over unavailable brokers: no request fails or waits, and the sweep finds the work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings as site
from django.urls import reverse

from campaign import publishing, tasks
from campaign.models import Turn
from campaign.publishing import RUN_TURN, Rest, hand_on, publish
from campaign.services import sweep as sweeping
from campaign.services.sweep import sweep
from deploy.celery_app import app
from deploy.env import broker
from tests.support.factories import TurnFactory
from tests.support.people import World, world
from tests.support.redis import free_port
from tests.support.silence import silence

CODE = "telltale"
FEW_SECONDS = 10.0  # far more than one wait for a broker, far less than one for each of those who ask


@pytest.fixture
def rest(monkeypatch: pytest.MonkeyPatch) -> Rest:
    """The rest of a process that has just begun, by a clock that stands still."""
    made = Rest(clock=lambda: 0.0)
    monkeypatch.setattr(publishing, "broker", made)
    return made


@pytest.fixture
def use_broker(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[Callable[[str], None]]:
    """Has the site publish to an address, with the settings that a server has for it."""

    def use(url: str) -> None:
        made = broker(url, queue_folder=tmp_path, visibility_timeout=960)
        changes = {
            "broker_url": made["CELERY_BROKER_URL"],
            "broker_write_url": made["CELERY_BROKER_URL"],
            "broker_transport_options": made["CELERY_BROKER_TRANSPORT_OPTIONS"],
        }
        for name, value in changes.items():
            monkeypatch.setitem(app.conf.changes, name, value)
        _forget_connections()

    _forget_connections()
    yield use
    _forget_connections()


def _forget_connections() -> None:
    app._pool = app.amqp._producer_pool = None


def redis(port: int) -> str:
    return f"redis://127.0.0.1:{port}/0"


# --- a rest after a failure ----------------------------------------------------------------------------


def test_after_a_failure_no_one_tries_until_the_pause_is_over_and_then_one_does() -> None:
    now = 100.0
    rest = Rest(seconds=15, clock=lambda: now)
    assert rest.may_try() and rest.may_try(), "all is well"
    rest.failed()
    now = 114.9
    assert not rest.may_try()
    now = 115.0
    assert [rest.may_try() for _ in range(3)] == [True, False, False], "one finds out for the others"
    now = 130.0
    assert rest.may_try(), "the one who tried never came back"
    rest.worked()
    assert rest.may_try() and rest.may_try()


# --- brokers that are away -----------------------------------------------------------------------------


@pytest.mark.parametrize("away", ["silent", "refused"])
def test_an_unavailable_broker_is_called_once_and_no_one_else_waits(
    rest: Rest, use_broker: Callable[[str], None], away: str
) -> None:
    with silence() as server:
        use_broker(redis(server.port if away == "silent" else free_port()))
        began = time.monotonic()
        assert [hand_on(RUN_TURN, number) for number in range(16)] == [False] * 16
        assert time.monotonic() - began < FEW_SECONDS
        assert server.connections == (away == "silent")


def test_sixteen_simultaneous_callers_wait_once_each_and_in_parallel(
    rest: Rest, use_broker: Callable[[str], None]
) -> None:
    with silence() as server:
        use_broker(redis(server.port))
        threads = [threading.Thread(target=hand_on, args=(RUN_TURN, number)) for number in range(16)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert time.monotonic() - began < FEW_SECONDS
        assert 1 <= server.connections <= 16
        seen = server.connections
        assert not hand_on(RUN_TURN, 17)
        assert server.connections == seen


def test_a_broker_that_returns_is_used_again(
    monkeypatch: pytest.MonkeyPatch, use_broker: Callable[[str], None]
) -> None:
    now = 0.0
    monkeypatch.setattr(publishing, "broker", Rest(clock=lambda: now))
    use_broker(redis(free_port()))
    assert not hand_on(RUN_TURN, 1)
    use_broker("memory://")
    assert not hand_on(RUN_TURN, 2)
    now = 15.0
    assert hand_on(RUN_TURN, 3) and hand_on(RUN_TURN, 4)


def test_an_unwritable_message_folder_fails_no_one(
    rest: Rest, use_broker: Callable[[str], None], tmp_path: Any
) -> None:
    (tmp_path / "messages").write_text("where a folder should be")
    use_broker("filesystem://")
    assert not hand_on(RUN_TURN, 1)


# --- a page --------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("away", ["silent", "refused"])
def test_an_umpire_running_a_turn_without_a_broker_learns_it_is_queued_and_the_sweep_finds_it(
    rest: Rest, use_broker: Callable[[str], None], away: str, django_capture_on_commit_callbacks: Any
) -> None:
    told = world()
    with silence() as server:
        use_broker(redis(server.port if away == "silent" else free_port()))
        began = time.monotonic()
        with django_capture_on_commit_callbacks(execute=True) as ran:
            answer = told.client("umpire").post(
                reverse("turn_run", args=[CODE]), {"sure": "2-open"}, follow=True
            )
        assert time.monotonic() - began < FEW_SECONDS
    assert (answer.redirect_chain, len(ran)) == ([(reverse("campaign", args=[CODE]), 302)], 1)
    assert "are closed. The turn is queued to run." in answer.content.decode()
    told.turn.refresh_from_db()
    assert told.turn.phase == Turn.Phase.LOCKED
    assert told.turn.pk in sweep().turns


@pytest.mark.django_db
def test_messages_published_in_a_transaction_go_out_after_it(
    rest: Rest, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.run_turn, "delay", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        publish(RUN_TURN, 7)
        assert sent == []
    assert sent == [7]


# --- the sweep -----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_sweep_hands_over_each_turn_as_soon_as_it_is_locked(
    rest: Rest, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: World = world()
    Turn.objects.filter(pk=told.turn.pk).update(deadline=told.turn.opened)
    other = TurnFactory(deadline=told.turn.opened).pk
    happened: list[tuple[str, int]] = []

    def lock(*, turn: Turn) -> bool:
        happened.append(("locked", turn.pk))
        return bool(Turn.objects.filter(pk=turn.pk).update(phase=Turn.Phase.LOCKED))

    monkeypatch.setattr(sweeping, "turn_lock_or_hold", lock)
    monkeypatch.setattr(tasks.run_turn, "delay", lambda pk: happened.append(("handed on", pk)))
    monkeypatch.setattr(tasks.send_notices, "delay", lambda ids: None)

    tasks.sweep()

    first, second = happened[0][1], happened[2][1]
    assert {first, second} == {told.turn.pk, other}
    assert happened == [("locked", first), ("handed on", first), ("locked", second), ("handed on", second)]


# --- queues --------------------------------------------------------------------------------------------


def test_email_has_its_own_queue() -> None:
    def queue(name: str) -> Any:
        return app.amqp.router.route({}, name)["queue"].name

    names = [name for name in app.tasks if name.startswith(("campaign.tasks.", "battles.tasks."))]
    mails = {name for name in names if queue(name) == "mail"}
    assert mails == {publishing.SEND_NOTICE, publishing.SEND_NOTICES, publishing.SEND_LINKS}
    assert {name.name for name in site.CELERY_TASK_QUEUES} == {"default", "mail", "odds"}
