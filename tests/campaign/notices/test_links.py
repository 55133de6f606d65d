"""Keys in the links of emails: added as an email is sent, stored nowhere, valid once and for one person."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.urls import reverse

from campaign.models import Notice
from campaign.notices import kinds
from campaign.notices.links import WARNING, key_owner, key_use, sign_in_link
from campaign.notices.send import notice_resend, notice_send
from campaign.notices.write import notice_write
from tests.support.links import keyed_links, path_and_key, without_keys
from tests.support.people import World, world

pytestmark = pytest.mark.one_database

SITE = "http://testserver"
PATH = "/c/telltale/"


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """A campaign whose mails link to the test client's own site."""
    settings.SITE_URL = SITE
    return world()


@pytest.fixture
def sent(told: World) -> Any:
    """The invitation of the English admiral, as it left for the mail server."""
    notice_send(notice_id=write(told).pk)
    return mail.outbox[0]


def write(told: World, event: str = "e") -> Notice:
    """One notice to the English admiral."""
    notice = notice_write(
        campaign=told.campaign,
        kind=kinds.INVITATION,
        event=event,
        user=told.english.user,
        context={"membership": told.english, "side": told.english.side},
        calendar="BEGIN:VCALENDAR\nURL:http://testserver/c/telltale/\nEND:VCALENDAR\n",
    )
    assert notice is not None
    return notice


def logged_in(client: Client) -> int | None:
    """Id of whom a browser is logged in as."""
    key = client.session.get("_auth_user_id")
    return int(key) if key else None


def test_only_links_to_a_campaign_get_a_key_in_text_and_html(told: World, sent: Any) -> None:
    html = sent.alternatives[0].content
    for body in (sent.body, html):
        paths = {path_and_key(link)[0] for link in keyed_links(body)}
        assert paths == {PATH, "/c/telltale/mail/"}
    shown = re.sub(r'href="[^"]*"', "", html)
    assert f"{SITE}/c/telltale/mail/" in shown and "key=" not in shown, "what is shown stays as it was"
    assert f"{SITE}/me/wishes" in sent.body and "key=" not in sent.extra_headers["List-Unsubscribe"]
    assert sent.attachments[0].content.count("key=") == 0
    assert sent.body.rstrip().endswith(WARNING)


@pytest.mark.clause("G.IN1")
def test_the_secret_of_the_dice_is_not_saved_with_any_turn(told: World, sent: Any) -> None:
    keys = {path_and_key(link)[1] for link in keyed_links(sent.body + sent.alternatives[0].content)}
    notice = Notice.objects.get()
    assert keys and "key=" not in notice.text + notice.html
    assert without_keys(sent.body) == notice.text
    shown = told.client("umpire").get(reverse("notice", args=["telltale", notice.pk])).content.decode()
    assert "key=" not in shown and not any(key in shown for key in keys)


def test_a_full_stop_after_a_link_is_not_part_of_it(told: World) -> None:
    notice = write(told)
    Notice.objects.update(text=f"See {SITE}/c/telltale/turns/1/. Or ({SITE}/c/telltale/).\n", html="")
    notice_send(notice_id=notice.pk)
    body = mail.outbox[0].body
    assert [path_and_key(link)[0] for link in keyed_links(body)] == ["/c/telltale/turns/1/", PATH]
    assert without_keys(body).startswith(f"See {SITE}/c/telltale/turns/1/. Or ({SITE}/c/telltale/).")


@pytest.mark.parametrize("why", ["closed account", "another address by now"])
def test_an_email_that_does_not_reach_the_readers_present_account_gets_no_key(told: World, why: str) -> None:
    notice = write(told)
    change = {"is_active": False} if why == "closed account" else {"email": "elsewhere@club.example"}
    get_user_model().objects.filter(pk=told.english.user.pk).update(**change)
    notice_send(notice_id=notice.pk)
    assert "key=" not in mail.outbox[0].body + mail.outbox[0].alternatives[0].content
    assert mail.outbox[0].body == notice.text


def test_a_webhook_gets_no_key(told: World, monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[str] = []
    monkeypatch.setattr("campaign.notices.webhook.post", lambda address, subject, text: posted.append(text))
    notice = write(told)
    Notice.objects.update(channel="webhook", address="https://chat.example/hook")
    notice_send(notice_id=notice.pk)
    assert f"{SITE}{PATH}" in posted[0] and "key=" not in posted[0]


def test_an_email_that_is_sent_again_has_a_new_key_and_its_old_message_id(told: World, sent: Any) -> None:
    (old, *_) = keyed_links(sent.body)
    key_use(path_and_key(old)[1])
    notice_resend(notice=Notice.objects.get(), umpire=told.umpire.user)
    notice_send(notice_id=Notice.objects.get().pk)
    again = mail.outbox[1]
    assert again.extra_headers["Message-ID"] == sent.extra_headers["Message-ID"]
    assert key_owner(path_and_key(old)[1]) is None
    assert key_owner(path_and_key(keyed_links(again.body)[0])[1]) == told.english.user


def test_opening_a_link_uses_up_nothing_and_its_button_logs_in_once(told: World, sent: Any) -> None:
    link, (path, key) = keyed_links(sent.body)[0], path_and_key(keyed_links(sent.body)[0])
    scanner = Client()
    for look in (scanner.head, scanner.get, scanner.get):
        assert look(link).status_code == 200
    assert logged_in(scanner) is None
    reader = Client(enforce_csrf_checks=True)
    page = reader.get(link)
    assert "Log in as english" in page.content.decode()
    assert "no-store" in page["Cache-Control"] and page["Referrer-Policy"] == "strict-origin"
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
    assert token is not None
    assert reader.post("/in", {"key": key, "next": path}).status_code == 403, "only by the page's own button"
    done = reader.post("/in", {"key": key, "next": path, "csrfmiddlewaretoken": token[1]})
    assert (done.status_code, done.url) == (302, path)
    assert logged_in(reader) == told.english.user.pk
    later = Client().get(link)
    assert later.status_code == 410 and "no longer works" in later.content.decode()
    assert f"{reverse('login')}?next=%2Fc%2Ftelltale%2F" in later.content.decode()
    assert 'name="who"' in later.content.decode()


def test_a_person_who_is_logged_in_goes_straight_on_even_from_a_used_link(told: World, sent: Any) -> None:
    link = keyed_links(sent.body)[0]
    client = told.client("english")
    assert client.get(link).url == PATH
    key_use(path_and_key(link)[1])
    assert client.get(link).url == PATH
    assert client.post("/in", {"key": path_and_key(link)[1], "next": PATH}).url == PATH


def test_a_key_logs_in_no_one_else_and_offers_to_switch_accounts(told: World, sent: Any) -> None:
    link = keyed_links(sent.body)[0]
    client = told.client("dutch")
    page = client.get(link).content.decode()
    assert "You are logged in as dutch" in page and "Switch to english" in page
    assert logged_in(client) == told.dutch.user.pk
    client.post("/in", {"key": path_and_key(link)[1], "next": PATH})
    assert logged_in(client) == told.english.user.pk
    dead = told.client("dutch").get(link)
    assert dead.status_code == 410 and "Continue as dutch" in dead.content.decode()


def test_a_key_dies_with_another_login_a_new_password_a_new_address_or_time(told: World) -> None:
    user = told.english.user

    def key() -> str:
        user.refresh_from_db()
        return path_and_key(sign_in_link(user, PATH))[1]

    before = key()
    told.client("english")
    assert key_owner(before) is None
    before = key()
    user.set_password("van tromp's broom")
    user.save()
    assert key_owner(before) is None
    before = key()
    user.email = "elsewhere@club.example"
    user.save()
    assert key_owner(before) is None
    start = datetime(2026, 7, 1, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        before = key()
        clock.move_to(start + timedelta(days=7, seconds=-1))
        assert key_owner(before) == user
        clock.move_to(start + timedelta(days=7))
        assert key_owner(before) is None


def test_two_people_who_press_the_button_at_once_log_in_once(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = path_and_key(sign_in_link(told.english.user, PATH))[1]
    first, second = key_owner(key), key_owner(key)
    monkeypatch.setattr("campaign.notices.links.key_owner", lambda _: first)
    assert key_use(key) == first
    monkeypatch.setattr("campaign.notices.links.key_owner", lambda _: second)
    assert key_use(key) is None


@pytest.mark.parametrize("change", ["cut", "last", "words", "", "ü", "A" * 500, "A" * 32])
def test_a_broken_key_gives_an_error_and_lets_no_one_in(told: World, change: str) -> None:
    key = path_and_key(sign_in_link(told.english.user, PATH))[1]
    broken = {"cut": key[:-5], "last": key[:-2] + ("AA" if key[-2:] != "AA" else "BB")}.get(change, change)
    client = Client()
    for answer in (
        client.get("/in", {"key": broken, "next": PATH}),
        client.post("/in", {"key": broken, "next": PATH}),
    ):
        assert answer.status_code == (410 if len(broken) == len(key) else 400)
        assert "next=%2Fc%2Ftelltale%2F" in answer.content.decode()
    assert logged_in(client) is None


@pytest.mark.parametrize(
    "where",
    [
        "https://evil.example/",
        "//evil.example/c/",
        "/\\evil.example",
        "javascript:alert(1)",
        "c/x",
        "",
        "///x.example",
    ],
)
def test_a_link_leads_only_into_this_site(told: World, where: str) -> None:
    key = path_and_key(sign_in_link(told.english.user, PATH))[1]
    page = Client().get("/in", {"key": key, "next": where}).content.decode()
    assert 'name="next" value="/"' in page
    assert Client().post("/in", {"key": key, "next": where}).url == "/"
