"""The second channel: what is posted, where it is not posted, and what a server's answer means."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from campaign.models import Notice
from campaign.notices import kinds, webhook
from campaign.notices.send import notice_send
from campaign.notices.wishes import preferences_save
from campaign.notices.write import notice_write
from tests.support.people import world


class Chat(BaseHTTPRequestHandler):
    """A chat server on this machine: /taken takes, /moved sends elsewhere, /gone is gone, /ill fails."""

    got: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = {"/taken": 204, "/moved": 302, "/gone": 404, "/ill": 503}[self.path]
        if status == 204:
            self.got.append(body)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/taken")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def chat(settings: Any) -> Iterator[str]:
    """Its address; posts into a private network are allowed for it."""
    settings.WEBHOOKS_MAY_BE_PRIVATE = True
    Chat.got = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Chat)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_post_holds_subject_and_text_cut_to_what_is_taken(chat: str) -> None:
    webhook.post(f"{chat}/taken", subject="Turn 3", text="All is well.\n")
    assert Chat.got == [{"username": "Weather Gage", "content": "**Turn 3**\nAll is well."}]
    assert len(webhook.body_of(subject="x", text="y" * 5000)["content"]) <= 2000


def test_a_redirect_is_not_followed(chat: str) -> None:
    with pytest.raises(webhook.WebhookRefused, match="elsewhere"):
        webhook.post(f"{chat}/moved", subject="s", text="t")
    assert Chat.got == []


def test_what_is_gone_is_given_up_and_what_is_ill_is_tried_again(chat: str) -> None:
    with pytest.raises(webhook.WebhookRefused, match="404"):
        webhook.post(f"{chat}/gone", subject="s", text="t")
    with pytest.raises(webhook.WebhookFailed, match="503"):
        webhook.post(f"{chat}/ill", subject="s", text="t")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.9",
        "169.254.169.254",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "0.0.0.0",
        "localhost",
    ],
)
def test_no_post_reaches_into_a_private_network(host: str, settings: Any) -> None:
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
    ["http://chat.example/x", "ftp://chat.example/x", "https:///x", "https://me:pw@chat.example/x", "chat"],
)
def test_addresses_that_are_not_posted_to(address: str, settings: Any) -> None:
    settings.WEBHOOKS_MAY_BE_PRIVATE = False
    with pytest.raises(webhook.WebhookRefused):
        webhook.target_of(address)


@pytest.mark.django_db
def test_a_notice_goes_to_mail_and_webhook_each_once(chat: str) -> None:
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
