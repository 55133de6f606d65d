"""The second channel: what is posted, where it is not posted, and what a server's answer means."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any

import pytest
from django.utils import timezone

from campaign.models import Notice
from campaign.notices import kinds, webhook
from campaign.notices.send import notice_send, notices_send
from campaign.notices.wishes import preferences_save
from campaign.notices.write import notice_write
from tests.support.factories import NoticeFactory
from tests.support.people import world


class Chat(BaseHTTPRequestHandler):
    """A chat server on this machine: /taken takes, /gone is gone, /ill fails, /30x sends elsewhere; the others are its bad habits."""

    got: list[dict[str, Any]] = []
    hosts: list[str] = []
    elsewhere = ""
    retry_after = "90"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.hosts.append(self.headers["Host"])
        habit = self.path.strip("/")
        if hasattr(self, f"habit_{habit}"):
            with suppress(OSError):  # who posts has hung up
                getattr(self, f"habit_{habit}")()
            return
        status = int(habit) if habit.isdigit() else {"taken": 204, "gone": 404, "ill": 503}[habit]
        if status == 204:
            self.got.append(body)
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", self.elsewhere)
        if status in (429, 503):
            self.send_header("Retry-After", self.retry_after)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def habit_drips(self) -> None:
        """A header that never ends, a letter at a time."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Drip: ")
        while True:
            self.wfile.write(b"x")
            self.connection.settimeout(0.05)
            with suppress(TimeoutError):
                if not self.connection.recv(1):
                    return

    def habit_huge(self) -> None:
        """An answer without end, as fast as it is taken."""
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b"x" * 65536)

    def habit_silent(self) -> None:
        """No answer at all."""
        self.connection.recv(1)

    def habit_hangs_up(self) -> None:
        """Half an answer."""
        self.wfile.write(b"HTTP/1.1 2")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def chat(settings: Any) -> Iterator[str]:
    """Its address; posts into a private network are allowed for it."""
    settings.WEBHOOKS_MAY_BE_PRIVATE = True
    Chat.got, Chat.hosts, Chat.retry_after = [], [], "90"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Chat)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()  # waits for what it still answers: nothing may be left of a post
    thread.join()


def test_a_post_holds_subject_and_text_cut_to_the_accepted_length(chat: str) -> None:
    webhook.post(f"{chat}/taken", subject="Turn 3", text="All is well.\n")
    (body,) = Chat.got
    assert (body["username"], body["content"]) == ("Weather Gage", "**Turn 3**\nAll is well.")
    assert len(webhook.body_of(subject="x", text="y" * 5000)["content"]) <= 2000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(chat: str, status: int) -> None:
    """Not even to the address that it came from, much less to one in a private network."""
    with socket.create_server(("127.0.0.1", 0)) as inner:
        inner.settimeout(0.1)
        for elsewhere in (f"{chat}/taken", f"http://127.0.0.1:{inner.getsockname()[1]}/metadata"):
            Chat.elsewhere = elsewhere
            with pytest.raises(webhook.WebhookRefused, match="redirects posts"):
                webhook.post(f"{chat}/{status}", subject="s", text="t")
        with pytest.raises(TimeoutError):
            inner.accept()
    assert Chat.got == []


def test_a_silent_server_is_abandoned_after_a_set_number_of_seconds(
    chat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "SECONDS", 0.3)
    began = monotonic()
    with pytest.raises(webhook.WebhookFailed, match="did not accept the post"):
        webhook.post(f"{chat}/silent", subject="s", text="t")
    assert monotonic() - began < 30, "it would have said nothing for ever"


def test_a_server_that_never_finishes_is_cut_off(chat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter now and then keeps every timeout of a socket from ending; it said at once that it took the post."""
    monkeypatch.setattr(webhook, "SECONDS", 0.3)
    began = monotonic()
    webhook.post(f"{chat}/drips", subject="s", text="t")
    assert 0.25 < monotonic() - began < 30, "it would have dripped for ever"
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_nothing_is_read_of_a_huge_answer(chat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "SECONDS", 60)
    began = monotonic()
    webhook.post(f"{chat}/huge", subject="s", text="t")
    assert monotonic() - began < 30, "it was read until it was cut off"


def test_half_an_answer_counts_as_none(chat: str) -> None:
    with pytest.raises(webhook.WebhookFailed, match="did not accept the post"):
        webhook.post(f"{chat}/hangs_up", subject="s", text="t")


def test_a_missing_webhook_is_given_up_and_a_failing_one_is_retried(chat: str) -> None:
    with pytest.raises(webhook.WebhookRefused, match="404"):
        webhook.post(f"{chat}/gone", subject="s", text="t")
    with pytest.raises(webhook.WebhookFailed, match="503"):
        webhook.post(f"{chat}/ill", subject="s", text="t")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "10.1.2.3", "192.168.0.9", "169.254.169.254", "0.0.0.0", "localhost", "100.64.0.1", "100.100.100.200",
        "168.63.129.16", "192.0.0.192", "224.0.0.1", "255.255.255.255", "2130706433", "0x7f.1", "0177.1",
        "[::1]", "[::]", "[::ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]",
        "[::a00:1]", "[2002:a00:1::]", "[64:ff9b::a00:1]", "[64:ff9b::a9fe:a9fe]", "[2001:db8::1]",
        "[fec0::1]", "[feff::1]", "[64:ff9b:1::808:808]", "[::808:808]", "[3fff::1]", "[5f00::1]", "[100::1]", "[4000::1]",
        "[::ffff:127.0.0.1]", "[2001::1]", "198.18.0.1", "192.88.99.1", "203.0.113.5", "240.0.0.1",
    ],
)  # fmt: skip
def test_no_post_reaches_a_private_network(host: str, settings: Any) -> None:
    settings.WEBHOOKS_MAY_BE_PRIVATE = False
    with pytest.raises(webhook.WebhookRefused, match="private"):
        webhook.post(f"https://{host}/x", subject="s", text="t")


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.WEBHOOKS_MAY_BE_PRIVATE = False
    answer = [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("10.0.0.7", 443))]
    monkeypatch.setattr(webhook.socket, "getaddrinfo", lambda *a, **k: answer)
    with pytest.raises(webhook.WebhookRefused, match="private"):
        webhook.public_address("chat.example", 443)


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8", "2002:808:808::", "64:ff9b::808:808"],
)
def test_a_public_address_is_posted_to(address: str, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.WEBHOOKS_MAY_BE_PRIVATE = False
    answer = [(2, 1, 6, "", (address, 443))]
    monkeypatch.setattr(webhook.socket, "getaddrinfo", lambda *a, **k: answer)
    assert webhook.public_address("chat.example", 443) == address


def test_a_name_is_looked_up_once_so_that_it_cannot_be_redirected_in_between(
    chat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(chat.rpartition(":")[2])
    asked: list[str] = []
    real = socket.getaddrinfo

    def look_up(host: str, *args: Any, **kwargs: Any) -> Any:
        if host != "chat.example":
            return real(host, *args, **kwargs)
        asked.append(host)
        # the second answer leads to a port of another address, at which nobody is
        return [(2, 1, 6, "", ("127.0.0.1" if len(asked) == 1 else "127.0.0.99", port))]

    monkeypatch.setattr(webhook.socket, "getaddrinfo", look_up)
    webhook.post(f"http://chat.example:{port}/taken", subject="s", text="t")

    assert asked == ["chat.example"]
    assert Chat.hosts == [f"chat.example:{port}"], "the server is asked by its name"
    assert len(Chat.got) == 1


def test_a_server_that_cannot_prove_its_name_gets_nothing(chat: str) -> None:
    with pytest.raises(webhook.WebhookFailed, match="SSL"):
        webhook.post(chat.replace("http://", "https://") + "/taken", subject="s", text="t")
    assert Chat.got == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "minutes"),
    [
        ("90", 2), ("1800", 30), ("0.35", 1), ("", 1), ("soon", 1), ("999999999", 24 * 60),
        ("date", 45), ("inf", 1), ("-5", 1),
    ],
)  # fmt: skip
def test_a_server_that_asks_for_a_delay_gets_it(chat: str, asked: str, minutes: int) -> None:
    in_45 = timezone.now() + timedelta(minutes=45)
    Chat.retry_after = format_datetime(in_45, usegmt=True) if asked == "date" else asked
    notice = NoticeFactory(channel="webhook", address=f"{chat}/429")

    assert not notice_send(notice_id=notice.pk)

    notice.refresh_from_db()
    assert notice.status == "waiting" and notice.retry_after is not None
    wait = notice.retry_after - timezone.now()
    assert timedelta(minutes=minutes - 1) < wait <= timedelta(minutes=minutes)


@pytest.mark.django_db
def test_a_webhook_that_fails_or_is_missing_harms_no_other_notice(chat: str) -> None:
    habits = ("ill", "gone", "302", "taken")
    rows = [NoticeFactory(channel="webhook", address=f"{chat}/{habit}") for habit in habits]
    letter = NoticeFactory()

    assert notices_send(notice_ids=[row.pk for row in (*rows, letter)]) == 2

    states = {row.address.rpartition("/")[2]: row.status for row in Notice.objects.filter(channel="webhook")}
    assert states == {"ill": "waiting", "gone": "failed", "302": "failed", "taken": "sent"}
    letter.refresh_from_db()
    assert letter.status == "sent"


@pytest.mark.parametrize(
    "address",
    [
        "http://chat.example/x",
        "ftp://chat.example/x",
        "https:///x",
        "https://me:pw@chat.example/x",
        "chat",
        "https://a..b/x",
        "https://chat.example:22/x",
        "https://chat.example:80/x",
        "https://chat.example:0/x",
        "https://chat.example:8443/x",
        "https://chat.example:99999/x",
    ],
)
def test_some_addresses_are_never_posted_to(address: str, settings: Any) -> None:
    settings.WEBHOOKS_MAY_BE_PRIVATE = False
    with pytest.raises(webhook.WebhookRefused):
        webhook.target_of(address)


def test_an_address_may_name_its_port_where_it_is_the_right_one(settings: Any) -> None:
    settings.WEBHOOKS_MAY_BE_PRIVATE = False
    assert webhook.target_of("https://chat.example:443/x") == ("https", "chat.example", 443, "/x")


@pytest.mark.parametrize(
    "call",
    ["@everyone", "@here", "@Channel", "@all", "<!everyone>", "<!channel>", "<@123456>", "<@&9>", "<#5>"],
)
def test_a_players_words_cannot_mention_everyone(call: str) -> None:
    body = webhook.body_of(subject=f"A letter: {call}", text=f"To arms, {call}!\nann@club.example <3 @fleet")
    assert body["allowed_mentions"] == {"parse": []}, "Discord's own word for it"
    assert call not in body["content"], "for servers that do not know that word"
    assert body["content"].replace("\u200b", "").count(call) == 2, "and it is read as it was written"
    assert "ann@club.example <3 @fleet" in body["content"]


@pytest.mark.django_db
def test_a_notice_goes_once_by_email_and_once_by_webhook(chat: str) -> None:
    told = world()
    preferences_save(
        user=told.english.user, time_zone="UTC", plain_text=False, kinds={}, webhook=f"{chat}/taken"
    )
    for _ in range(2):
        notice_write(
            campaign=told.campaign,
            kind=kinds.INVITATION,
            event="i",
            user=told.english.user,
            context={"membership": told.english, "side": told.english.side},
        )
    rows = {row.channel: row for row in Notice.objects.all()}
    assert set(rows) == {"email", "webhook"}
    assert notice_send(notice_id=rows["webhook"].pk)
    assert not notice_send(notice_id=rows["webhook"].pk)
    assert len(Chat.got) == 1
