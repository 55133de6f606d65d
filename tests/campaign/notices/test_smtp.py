"""Emails through real servers on this machine: what arrives, and what happens to a notice when the server is faulty."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from campaign.models import Campaign, MailOutage, Notice, Preferences, Turn, UmpireAction
from campaign.notices import send as sending
from campaign.notices.send import notices_send
from campaign.services.mail.notices import notices_for_closed_turn
from campaign.services.mail.reminders import deadline_moved
from campaign.services.sweep import sweep
from campaign.services.turn.playing import turn_play
from campaign.tasks import send_notice, send_notices
from tests.campaign.services.conftest import start
from tests.support.factories import CampaignFactory, NoticeFactory, UserFactory
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.put_back import put_back
from tests.support.redis import free_port
from tests.support.smtp import MailServer, mail_server, silent_server, use

pytestmark = pytest.mark.django_db
Status = Notice.Status

DEADLINE = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)
ANN, BEN, CID = (f"{name}@club.example" for name in ("ann", "ben", "cid"))
NOBODY = "550 5.1.1 No such user here"


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    """A good server, to which the project sends."""
    with mail_server() as made:
        use(settings, made.port)
        yield made


def notices(*names: str, campaign: Campaign | None = None) -> list[Notice]:
    """A waiting mail to each of some people."""
    campaign = campaign or CampaignFactory()
    return [
        NoticeFactory(campaign=campaign, recipient=UserFactory(username=n), message_id=f"<{n}@gage.example>")
        for n in names
    ]


def send_all(rows: list[Notice]) -> int:
    """Send some notices as a worker does, and look at what became of them."""
    sent = notices_send(notice_ids=[row.pk for row in rows])
    for row in rows:
        row.refresh_from_db()
    return sent


def waits(row: Notice) -> int:
    """Minutes until the next try."""
    assert row.retry_after is not None and row.claim is None
    return round((row.retry_after - timezone.now()).total_seconds() / 60)


def later(row: Notice) -> None:
    """Let the wait be over, the site's as well as the mail's."""
    Notice.objects.filter(pk=row.pk).update(retry_after=timezone.now() - timedelta(seconds=1))
    MailOutage.objects.update(until=timezone.now() - timedelta(seconds=1))


# --- what arrives --------------------------------------------------------------------------------------


@pytest.fixture
def told(settings: Any) -> World:
    """A campaign full of tell-tales, whose turn 2 closes at a known hour and takes orders by mail."""
    settings.SITE_URL, settings.REPLY_TO = "https://gage.club.example", "orders@club.example"
    settings.DEFAULT_FROM_EMAIL = "Weather Gage <gage@club.example>"
    made = world()
    Turn.objects.filter(campaign=made.campaign).update(deadline=DEADLINE)
    made.turn.refresh_from_db()
    made.closed.refresh_from_db()
    return made


@pytest.mark.clause("G.IN1")
def test_a_turns_email_arrives_whole_with_text_html_and_calendar_entry(
    told: World, server: MailServer
) -> None:
    notices_for_closed_turn(turn=told.closed, following=told.turn)

    assert send_all(list(Notice.objects.order_by("pk"))) == 3

    boxes = server.drop.boxes()
    assert set(boxes) == {f"{name}@club.example" for name in ("english", "dutch", "umpire")}
    (letter,) = boxes["english@club.example"]
    row = Notice.objects.get(recipient=told.english.user)
    assert (letter.sender, letter.mail["From"]) == ("gage@club.example", "Weather Gage <gage@club.example>")
    assert (letter.mail["To"], letter.subject) == ("english@club.example", row.subject)
    assert letter.message_id == row.message_id
    assert letter.mail["Auto-Submitted"] == "auto-generated"
    assert letter.mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter.mail["Reply-To"].addresses[0].addr_spec == "orders@club.example"
    assert abs(letter.mail["Date"].datetime.replace(tzinfo=UTC) - timezone.now()) < timedelta(minutes=1)
    for fact in (f"Fleet {ENGLISH}", "Mon 23 Nov 2026, 20:00 UTC", "Battle off the Galloper"):
        assert fact in letter.text and fact in letter.read
    assert letter.entry["dtstart"].dt == DEADLINE
    assert letter.entry["uid"] == "telltale-turn-2@gage.club.example"
    assert letter.holds([f"Fleet {DUTCH}", f"{DUTCH}-01", "Fleet nowhere"]) == []


def test_a_moved_deadline_arrives_as_the_same_entry_with_a_later_number(
    told: World, server: MailServer
) -> None:
    for day in (1, 2):
        Turn.objects.filter(pk=told.turn.pk).update(deadline=DEADLINE + timedelta(days=day))
        told.turn.refresh_from_db()
        with time_machine.travel(told.turn.opened + timedelta(hours=day), tick=False):
            deadline_moved(turn=told.turn, why="The umpire: Easter")
            send_all(list(Notice.objects.filter(status=Status.WAITING)))

    first, second = (letter.entry for letter in server.drop.boxes()["dutch@club.example"])
    assert first["uid"] == second["uid"]
    assert int(second["sequence"]) > int(first["sequence"])
    assert second["dtstart"].dt - first["dtstart"].dt == timedelta(days=1)


def test_letters_beyond_ascii_and_long_lines_arrive_as_written(server: MailServer) -> None:
    (row,) = notices("zoe")
    words = "De Ruyter’s “Zeven Provinciën” – " + "sails on and on " * 100
    Notice.objects.filter(pk=row.pk).update(
        subject="Zeven Provinciën: “gezien”",
        text=f"{words}\n.\n..dots\nFrom here on\n",
        html=f"<p>{words}</p>",
    )

    assert send_all([row]) == 1

    (letter,) = server.letters
    assert letter.subject == "Zeven Provinciën: “gezien”"
    assert letter.text == f"{words}\n.\n..dots\nFrom here on\n"
    assert words.strip() in letter.html
    assert max(len(line) for line in letter.raw.splitlines()) < 998, "RFC 5322 lets no line be longer"


def test_a_batch_uses_one_connection(server: MailServer) -> None:
    rows = notices(*(f"person-{n}" for n in range(12)))

    assert send_all(rows) == 12

    assert server.connections == 1
    assert server.drop.ids() == [row.message_id for row in rows]


# --- a recipient that is refused -----------------------------------------------------------------------


def test_one_bad_address_is_marked_and_harms_no_other_email(server: MailServer) -> None:
    server.recipients[BEN] = NOBODY
    ann, ben, cid = rows = notices("ann", "ben", "cid")

    assert send_all(rows) == 2

    assert [letter.to for letter in server.letters] == [ANN, CID]
    assert (ben.status, ben.attempts, ben.retry_after, ben.error) == (Status.FAILED, 1, None, NOBODY)
    wishes = Preferences.objects.get()
    assert (wishes.user, wishes.why) == (ben.recipient, NOBODY) and wishes.bounced is not None
    entry = UmpireAction.objects.get()
    assert (entry.campaign, entry.actor, entry.action) == (
        ben.campaign,
        "the post",
        "marked an address as dead",
    )
    assert BEN not in entry.reason


@pytest.mark.parametrize(
    ("answer", "dead"),
    [
        ("550 No such user", True),
        ("550 5.1.1 <ben@club.example>: Recipient address rejected", True),
        ("550 5.2.1 The mailbox is closed", True),
        ("550 5.7.1 Your server is on a list", False),
        ("550 5.2.2 Mailbox full", False),
        ("552 5.2.2 Mailbox full", False),
        ("554 5.7.1 Relay access denied", False),
        ("553 Go away", False),
    ],
)
def test_only_an_address_that_does_not_exist_counts_as_dead(
    server: MailServer, answer: str, dead: bool
) -> None:
    server.recipients[BEN] = answer
    (row,) = notices("ben")

    assert send_all([row]) == 0

    assert (row.status, row.error) == (Status.FAILED, answer)
    assert Preferences.objects.filter(bounced__isnull=False).exists() is dead
    assert UmpireAction.objects.exists() is dead


def test_an_address_that_has_changed_since_the_email_was_written_is_not_marked(server: MailServer) -> None:
    server.recipients[BEN] = NOBODY
    (row,) = notices("ben")
    row.recipient.email = "ben@new.example"
    row.recipient.save()

    assert send_all([row]) == 0

    assert row.status == Status.FAILED
    assert not Preferences.objects.exists()


def test_a_temporarily_refused_reader_is_retried_at_growing_intervals_and_then_given_up(
    server: MailServer,
) -> None:
    server.recipients[BEN] = "450 4.2.0 Greylisted, come again"
    (row,) = notices("ben")

    found = []
    for _ in range(6):
        send_all([row])
        assert row.status == Status.WAITING
        found.append(waits(row))
        assert send_all([row]) == 0, "not before its time"
        later(row)
    send_all([row])

    assert found == [1, 5, 20, 60, 240, 720]
    assert (row.status, row.attempts, row.error) == (Status.FAILED, 7, "450 4.2.0 Greylisted, come again")
    assert not Preferences.objects.exists() and not UmpireAction.objects.exists()


def test_a_reader_accepted_at_the_second_try_gets_the_email(server: MailServer) -> None:
    server.recipients[BEN] = "451 Come again"
    (row,) = notices("ben")
    send_all([row])
    server.recipients.clear()
    later(row)

    assert send_all([row]) == 1

    assert (row.status, row.attempts, row.error) == (Status.SENT, 2, "")
    assert server.drop.ids() == [row.message_id]


# --- a server that takes nothing -----------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["553 5.1.8 Sender address rejected", "451 4.7.1 Too fast"])
def test_a_server_that_refuses_the_sender_is_left_alone_and_no_email_is_lost(
    server: MailServer, answer: str
) -> None:
    server.sender = answer
    rows = notices("ann", "ben", "cid")

    assert send_all(rows) == 0

    assert server.connections == 2, "two tries, then the third has to wait as they do"
    assert {(row.status, row.attempts, row.error, waits(row)) for row in rows} == {
        (Status.WAITING, 1, answer, 1)
    }
    assert not Preferences.objects.exists()
    server.sender = ""
    for row in rows:
        later(row)
    assert send_all(rows) == 3


def test_emails_wait_for_days_for_a_missing_server(settings: Any) -> None:
    use(settings, free_port())
    rows = notices("ann", "ben")
    found = []
    for _ in range(8):
        send_all(rows)
        assert {row.status for row in rows} == {Status.WAITING}
        assert {row.attempts for row in rows} == {len(found) + 1}, "the second shared the first one's try"
        found.append(waits(rows[0]))
        for row in rows:
            later(row)
    assert found == [1, 5, 15, 15, 15, 15, 15, 15]
    assert "Connection refused" in rows[0].error and rows[0].error == rows[1].error
    rows += notices("cid", campaign=rows[0].campaign)
    Notice.objects.filter(pk__in=[row.pk for row in rows[:2]]).update(attempts=399)
    Notice.objects.filter(pk=rows[2].pk).update(attempts=400 - 2)

    send_all(rows)

    assert [row.status for row in rows] == [Status.FAILED, Status.FAILED, Status.WAITING], (
        "after four hundred tries and four days"
    )


def test_a_silent_server_is_waited_for_no_longer_than_the_settings_say(settings: Any) -> None:
    rows = notices("ann", "ben", "cid")
    with silent_server() as port:
        use(settings, port, seconds=0.2)
        began = timezone.now()
        assert send_all(rows) == 0

    assert timezone.now() - began < timedelta(seconds=1), "one wait for all"
    assert {(row.status, row.attempts) for row in rows} == {(Status.WAITING, 1)}
    assert "timed out" in rows[0].error


def test_a_server_that_falls_silent_midway_stops_the_batch_after_two(settings: Any) -> None:
    rows = notices("ann", "ben", "cid")
    with mail_server(hangs=0.6) as server:
        use(settings, server.port, seconds=0.2)
        assert send_all(rows) == 0

        assert server.connections == 2
    assert {(row.status, row.attempts, waits(row)) for row in rows} == {(Status.WAITING, 1, 1)}
    assert not server.letters


def test_an_email_refused_for_its_content_is_the_only_one_given_up(server: MailServer) -> None:
    server.data = "554 5.7.1 Looks like spam"
    rows = notices("ann", "ben", "cid")

    assert send_all(rows) == 0

    assert {(row.status, row.attempts, row.error) for row in rows} == {
        (Status.FAILED, 1, "554 5.7.1 Looks like spam")
    }
    assert not Preferences.objects.exists()


def test_an_email_that_the_server_cannot_store_now_is_retried(server: MailServer) -> None:
    server.data = "452 4.3.1 No room"
    (row,) = notices("ann")
    send_all([row])
    assert (row.status, row.error, waits(row)) == (Status.WAITING, "452 4.3.1 No room", 1)


def test_a_server_that_takes_few_emails_per_connection_is_called_again_at_once(server: MailServer) -> None:
    server.most = 2
    rows = notices("ann", "ben", "cid", "dan", "eve")

    assert send_all(rows) == 5

    assert server.connections == 3
    assert {row.attempts for row in rows} == {1}
    assert server.drop.ids() == [row.message_id for row in rows]


# --- at least once -------------------------------------------------------------------------------------


def test_after_a_drop_the_email_is_resent_under_its_message_id(server: MailServer) -> None:
    server.drops = 1
    rows = notices("ann", "ben")

    assert send_all(rows) == 1

    ann, ben = rows
    assert (ann.status, ben.status) == (Status.WAITING, Status.SENT), "the next one has a new connection"
    assert (ann.attempts, waits(ann)) == (1, 1)
    later(ann)
    assert send_all(rows) == 1
    assert server.drop.ids() == [ann.message_id, ben.message_id, ann.message_id]
    assert server.letters[0].mail.as_string().partition("\n\n")[0].count(ann.message_id) == 1


def test_an_email_accepted_before_its_worker_died_is_resent_under_its_message_id(
    server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = notices("ann", "ben")

    class Killed(BaseException):
        """What ends a worker."""

    def killed(*args: Any, **changes: Any) -> bool:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(sending, "_give_back", killed)
        with pytest.raises(Killed):
            send_all(rows)
    ann, ben = Notice.objects.order_by("pk")
    assert (ann.status, ben.status) == (Status.SENDING, Status.WAITING)
    assert send_all([ann]) == 0, "its lease still runs"

    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        assert ann.pk in sweep().notices
        assert send_all(rows) == 2

    assert server.drop.ids() == [ann.message_id, ben.message_id, ann.message_id], "the untried goes first"


def test_an_email_that_took_longer_than_its_lease_is_sent_and_not_sent_again(
    server: MailServer, settings: Any
) -> None:
    settings.LEASE_SECONDS = 0
    (row,) = notices("ann")

    assert send_all([row]) == 1

    assert (row.status, row.claim) == (Status.SENT, None)
    assert send_all([row]) == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(
    "sqlite" in connection.settings_dict["ENGINE"], reason="two threads have no SQLite in memory in common"
)
def test_two_workers_with_the_same_batch_send_each_email_once(server: MailServer) -> None:
    rows = notices(*(f"person-{n}" for n in range(20)))
    ids = [row.pk for row in rows]
    sent: list[int] = []

    def work() -> None:
        try:
            sent.append(notices_send(notice_ids=ids))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(sent) == len(server.letters) == len(set(server.drop.ids())) == 20


def test_a_second_worker_takes_nothing_that_the_first_is_sending(server: MailServer) -> None:
    rows = notices("ann", "ben")
    seconds: list[int] = []
    send = sending.Line.send

    def watched(line: sending.Line, mail: Any) -> None:
        if not seconds:
            # the other worker comes while the first is at ann's: he sends ben's and leaves hers
            seconds.append(-1)
            seconds[0] = notices_send(notice_ids=[row.pk for row in rows])
        send(line, mail)

    sending.Line.send = watched  # type: ignore[method-assign]
    try:
        firsts = send_all(rows)
    finally:
        sending.Line.send = send  # type: ignore[method-assign]

    assert (firsts, seconds) == (1, [1])
    assert sorted(server.drop.ids()) == [row.message_id for row in rows]


def test_running_both_tasks_twice_sends_once(server: MailServer) -> None:
    rows = notices("ann", "ben")
    ids = [row.pk for row in rows]
    for _ in range(2):
        send_notice(ids[0])
        send_notices(ids)
    assert sorted(server.drop.ids()) == sorted(row.message_id for row in rows)


# --- the turn goes on ----------------------------------------------------------------------------------


@pytest.mark.one_database
def test_a_turn_closes_and_the_next_opens_whatever_the_server_does(settings: Any) -> None:
    campaign = start()
    use(settings, free_port())
    turn_play(turn=campaign.turns.get())
    for habit in ("nobody", "sender", "data", "away"):
        with put_back(), mail_server() as server:
            use(settings, server.port if habit != "away" else free_port())
            server.recipients["english@club.example"] = NOBODY if habit == "nobody" else "250 OK"
            server.sender = "553 Not you" if habit == "sender" else ""
            server.data = "554 Not this" if habit == "data" else ""
            for _ in range(2):
                send_notices(sweep().notices)

            assert list(campaign.turns.values_list("number", "phase")) == [(1, "closed"), (2, "open")]
            rows = Notice.objects.all()
            states = {Status.SENT} if habit == "nobody" else set()
            states |= {Status.FAILED} if habit in ("nobody", "data") else {Status.WAITING}
            assert set(rows.values_list("status", flat=True)) == states, habit
            assert rows.exclude(status=Status.SENT).filter(error="").count() == 0, "each says why"
