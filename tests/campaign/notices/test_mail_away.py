"""An unavailable mail server is called once for the whole site, by workers and pages, and email delays no turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign import tasks
from campaign.models import MailOutage, Notice
from campaign.notices import send as sending
from campaign.notices.direct import direct_mail, mail_server
from campaign.notices.mail_away import outage_note, outage_now, outage_over
from campaign.notices.send import notices_send
from campaign.selectors.desk.alarms import alarms_of
from campaign.services.sweep import sweep
from tests.support.factories import NoticeFactory, UserFactory
from tests.support.links import links_mailed
from tests.support.silence import Silence, silence
from tests.support.smtp import mail_server as good_server
from tests.support.smtp import use

pytestmark = pytest.mark.django_db
Status = Notice.Status
NOON = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Any]:
    """Noon, and it stays noon until a test moves it."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def silent(settings: Any) -> Iterator[Silence]:
    """A mail server that takes connections and says nothing, to which the project sends."""
    with silence() as server:
        use(settings, server.port, seconds=0.2)
        yield server


def mails(count: int) -> list[int]:
    """Waiting mails, each of a campaign of its own."""
    return [NoticeFactory(recipient=UserFactory()).pk for _ in range(count)]


def minutes(row: Any) -> int:
    """How long a mail, or the site, waits."""
    moment = row.retry_after if isinstance(row, Notice) else row.until
    return round((moment - timezone.now()).total_seconds() / 60)


def test_a_silent_server_costs_one_wait_for_all_campaigns(clock: Any, silent: Silence) -> None:
    ids = mails(6)
    for pk in ids:
        assert notices_send(notice_ids=[pk]) == 0
    assert silent.connections == 1
    rows = list(Notice.objects.filter(pk__in=ids))
    assert {(row.status, row.attempts, minutes(row), row.claim) for row in rows} == {
        (Status.WAITING, 1, 1, None)
    }
    assert all("timed out" in row.error for row in rows), "each says why it waits"
    assert sweep().notices == [], "and none is handed out before its time"


def test_the_server_is_retried_after_1_minute_then_5_and_then_every_quarter_of_an_hour(
    clock: Any, silent: Silence
) -> None:
    ids = mails(3)
    found = []
    for calls in range(1, 6):
        for pk in ids:
            notices_send(notice_ids=[pk])
        assert silent.connections == calls
        outage = MailOutage.objects.get()
        assert (outage.tries, outage.since) == (calls, NOON)
        found.append(minutes(outage))
        clock.move_to(outage.until)
        assert set(ids) <= set(sweep().notices)
    assert found == [1, 5, 15, 15, 15]


def test_email_written_in_an_outage_waits_for_its_end(clock: Any, silent: Silence) -> None:
    outage_note("gone fishing")
    (pk,) = mails(1)
    assert notices_send(notice_ids=[pk]) == 0
    assert silent.connections == 0
    row = Notice.objects.get(pk=pk)
    assert (row.status, row.error, minutes(row)) == (Status.WAITING, "gone fishing", 1)


def test_when_the_server_returns_all_emails_are_sent_and_the_outage_ends(
    clock: Any, silent: Silence, settings: Any
) -> None:
    ids = mails(4)
    notices_send(notice_ids=ids)
    with good_server() as server:
        use(settings, server.port)
        assert notices_send(notice_ids=ids) == 0, "not before its time"
        clock.shift(timedelta(minutes=1))
        assert notices_send(notice_ids=ids) == 4
        assert server.connections == 1
    assert not MailOutage.objects.exists()


def test_a_server_that_refuses_one_reader_is_not_down(clock: Any, settings: Any) -> None:
    outage_note("timed out")
    clock.shift(timedelta(minutes=1))
    with good_server() as server:
        use(settings, server.port)
        (pk,) = mails(1)
        server.recipients[Notice.objects.get(pk=pk).address] = "450 4.2.0 Come again"
        assert notices_send(notice_ids=[pk]) == 0
    assert not MailOutage.objects.exists()


def test_only_one_of_all_workers_retries_the_server(clock: Any) -> None:
    outage_note("timed out")
    assert outage_now() is not None
    clock.shift(timedelta(minutes=1))
    asked = [outage_now() for _ in range(3)]
    assert asked[0] is None and [row is not None and minutes(row) for row in asked[1:]] == [1, 1]
    clock.shift(timedelta(minutes=1))
    assert outage_now() is None, "who called died; the next one calls"
    outage_over()
    assert [outage_now() for _ in range(3)] == [None] * 3


def test_posts_to_webhooks_do_not_wait_for_the_mail_server(
    clock: Any, silent: Silence, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[str] = []
    monkeypatch.setattr(sending.webhook, "post", lambda address, **_: posted.append(address))
    outage_note("timed out")
    row = NoticeFactory(recipient=UserFactory(), channel="webhook", address="https://chat.example/hook")
    assert notices_send(notice_ids=[*mails(1), row.pk]) == 1
    assert (posted, silent.connections) == (["https://chat.example/hook"], 0)


# --- pages ---------------------------------------------------------------------------------------------


def test_requested_links_delay_no_page_and_wait_for_the_server_once(silent: Silence) -> None:
    user = UserFactory(username="tromp", email="tromp@club.example")
    for page, field in (("login_link", "who"), ("password_reset", "email")):
        assert Client().post(reverse(page), {field: user.email}).status_code in (200, 302)
    assert silent.connections == 0
    assert links_mailed() == 0
    assert silent.connections == 1
    assert not direct_mail(stem="login_link", to=user.email, context={"user": user})
    assert mail_server() is None
    assert notices_send(notice_ids=mails(2)) == 0
    assert silent.connections == 1


def test_an_email_sent_by_a_page_ends_the_outage(clock: Any, settings: Any) -> None:
    outage_note("timed out")
    clock.shift(timedelta(minutes=1))
    with good_server() as server:
        use(settings, server.port)
        user = UserFactory(email="tromp@club.example")
        context = {"user": user, "name": "Tromp", "umpires": []}
        assert direct_mail(stem="address_note", to=user.email, context=context)
        assert [letter.to for letter in server.letters] == ["tromp@club.example"]
    assert not MailOutage.objects.exists()


# --- the umpire ----------------------------------------------------------------------------------------


def test_the_umpire_learns_that_the_mail_server_is_down_but_not_its_address(clock: Any) -> None:
    campaign = NoticeFactory(status="sent").campaign
    assert alarms_of(campaign) == []
    for _ in range(3):
        outage_note("SMTPServerDisconnected: smtp.secret.example hung up")
    clock.shift(timedelta(minutes=5))
    (alarm,) = alarms_of(campaign)
    assert alarm.text == (
        "The mail server has accepted no emails for 5 minutes. Emails wait and none are lost. We will try again in "
        "10 minutes. If this lasts, tell the site administrator."
    )
    clock.shift(timedelta(minutes=26))
    assert alarms_of(campaign) == [], "nobody has wanted to send a mail for long"


# --- turns do not wait for mail ------------------------------------------------------------------------


def test_a_slow_batch_hands_over_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "BATCH_SECONDS", -1)
    ids = mails(3)
    handed: list[list[int]] = []
    monkeypatch.setattr(tasks.send_notices, "delay", handed.append)
    while ids:
        tasks.send_notices(ids)
        ids = handed.pop() if handed else []
    assert len(mail.outbox) == 3
    assert set(Notice.objects.values_list("status", "attempts")) == {(Status.SENT, 1)}


def test_a_batch_that_no_one_hands_over_waits_for_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "BATCH_SECONDS", -1)
    ids = mails(3)
    assert notices_send(notice_ids=ids) == 1
    assert sweep().notices == ids[1:]


def test_a_slow_server_is_detected_even_by_a_batch_whose_time_is_up(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(sending, "BATCH_SECONDS", -1)
    ids = mails(4)
    left: list[list[int]] = []
    with good_server(hangs=0.6) as server:
        use(settings, server.port, seconds=0.2)
        assert notices_send(notice_ids=ids, left=left.append) == 0
        assert server.connections == 2
    assert MailOutage.objects.get().tries == 1
    assert left == [], "they wait for the server"
