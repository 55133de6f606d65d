"""A login link by email, guessing at passwords, and sessions that end with a password."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse

from battles import leases
from campaign.models import LinkRequest, Notice
from campaign.tasks import send_links, sweep
from deploy.logs import HideTokens
from tests.deploy.test_passwords import words
from tests.support.factories import UserFactory
from tests.support.links import keyed_links, links_mailed, path_and_key

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
START = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture
def tromp(settings: Any) -> Any:
    """Somebody with an account and an address."""
    settings.SITE_URL = "http://testserver"
    return UserFactory(username="tromp", email="Tromp@club.example")


def ask(who: str, path: str = "/me/wishes", client: Client | None = None) -> Any:
    """Fill the form in, and let a worker answer it."""
    answer = (client or Client()).post(reverse("login_link"), {"who": who, "next": path})
    links_mailed()
    return answer


@pytest.mark.parametrize("who", ["tromp", "TROMP", "tromp@club.example", " Tromp@club.example "])
def test_a_link_is_emailed_by_name_or_address_and_leads_on(tromp: Any, who: str) -> None:
    assert ask(who).status_code == 200
    (sent,) = mail.outbox
    assert sent.to == ["Tromp@club.example"]
    (link,) = keyed_links(sent.body)
    client = Client()
    assert "Log in as tromp" in client.get(link).content.decode()
    done = client.post(
        "/in", dict(re.findall(r'name="(key|next)" value="([^"]*)"', client.get(link).content.decode()))
    )
    assert done.url == "/me/wishes"
    assert client.get("/me/wishes").status_code == 200
    assert not Notice.objects.exists(), "umpires read the outbox"


def test_a_stranger_learns_nothing_from_the_answer(tromp: Any) -> None:
    UserFactory(username="gone", email="gone@club.example", is_active=False)
    UserFactory(username="silent", email="")
    answers = {
        words(ask(who).content) for who in ("tromp", "nobody", "nobody@club.example", "gone", "silent")
    }
    assert len(answers) == 1
    assert [sent.to for sent in mail.outbox] == [["Tromp@club.example"]]


def test_an_account_gets_one_link_in_five_minutes(tromp: Any) -> None:
    with time_machine.travel(START, tick=False) as clock:
        first = words(ask("tromp").content)
        clock.move_to(START + timedelta(minutes=4, seconds=59))
        assert words(ask("tromp@club.example").content) == first
        assert len(mail.outbox) == 1
        clock.move_to(START + timedelta(minutes=5))
        ask("tromp")
        assert len(mail.outbox) == 2


def test_a_requested_link_lasts_a_day(tromp: Any) -> None:
    with time_machine.travel(START, tick=False) as clock:
        ask("tromp")
        (link,) = keyed_links(mail.outbox[0].body)
        clock.move_to(START + timedelta(hours=23, minutes=59))
        assert Client().get(link).status_code == 200
        clock.move_to(START + timedelta(hours=24))
        assert Client().get(link).status_code == 410


def test_a_link_waits_for_an_unavailable_mail_server_and_the_answer_is_the_same(
    tromp: Any, settings: Any
) -> None:
    good = settings.EMAIL_BACKEND
    with time_machine.travel(START, tick=False) as clock:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
        assert len({words(ask(who).content) for who in ("tromp", "nobody")}) == 1
        settings.EMAIL_BACKEND = good
        assert links_mailed() == 0, "it is tried again a minute later"
        clock.move_to(START + timedelta(minutes=2))
        assert links_mailed() == 1
        assert links_mailed() == 0


def test_a_link_that_no_mail_server_accepted_for_an_hour_is_given_up(tromp: Any, settings: Any) -> None:
    good = settings.EMAIL_BACKEND
    with time_machine.travel(START, tick=False) as clock:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
        ask("tromp")
        settings.EMAIL_BACKEND = good
        clock.move_to(START + timedelta(hours=1))
        assert links_mailed() == 0
        clock.move_to(START + timedelta(hours=25))
        assert links_mailed() == 0
        assert not LinkRequest.objects.exists(), "what strangers typed is not kept"


def test_a_refused_email_is_not_an_error_and_is_retried(tromp: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from smtplib import SMTPServerDisconnected

    def drop(self: Any, fail_silently: bool = False) -> int:
        raise SMTPServerDisconnected("gone")

    with time_machine.travel(START, tick=False) as clock:
        with monkeypatch.context() as broken:
            broken.setattr("django.core.mail.EmailMessage.send", drop)
            assert ask("tromp").status_code == 200
        clock.move_to(START + timedelta(minutes=2))
        assert (links_mailed(), len(mail.outbox)) == (1, 1)


def test_a_request_is_handed_to_a_worker_at_once_and_later_by_the_sweep(
    tromp: Any, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[int] = []
    monkeypatch.setattr(send_links, "delay", handed.append)
    monkeypatch.setattr(
        send_links, "delay_on_commit", lambda pk: transaction.on_commit(lambda: handed.append(pk))
    )
    with django_capture_on_commit_callbacks(execute=True):
        Client().post(reverse("login_link"), {"who": "tromp"})
    asked = LinkRequest.objects.get()
    assert handed == [asked.pk]
    sweep()
    assert handed == [asked.pk, asked.pk]
    send_links(asked.pk)
    send_links(asked.pk)
    assert len(mail.outbox) == 1
    sweep()
    assert len(handed) == 2


def test_a_worker_that_died_leaves_the_link_to_another(tromp: Any) -> None:
    with time_machine.travel(START, tick=False) as clock:
        Client().post(reverse("login_link"), {"who": "tromp"})
        asked = LinkRequest.objects.get()
        leases.take(LinkRequest.objects.filter(pk=asked.pk))
        assert links_mailed() == 0
        clock.move_to(START + timedelta(minutes=3))
        assert links_mailed() == 1


@pytest.mark.parametrize(
    "path", ["/x\x00y", "/" + "x" * 600, "//elsewhere.example/", "https://elsewhere.example"]
)
def test_a_link_never_leads_off_our_site(tromp: Any, path: str) -> None:
    assert ask("tromp", path).status_code == 200
    (link,) = keyed_links(mail.outbox[0].body)
    assert path_and_key(link)[0] == "/"


def test_the_login_page_offers_a_link_and_remembers_the_destination(tromp: Any) -> None:
    page = Client().get(reverse("login") + "?next=/c/x/").content.decode()
    assert f'action="{reverse("login_link")}"' in page
    assert page.count('name="next" value="/c/x/"') == 2
    client = Client()
    client.force_login(tromp)
    assert client.get(reverse("login") + "?next=/me/wishes").url == "/me/wishes"


def guess(client: Client, password: str = "wrong") -> Any:
    """One try at the password form."""
    return client.post(reverse("login"), {"username": "tromp", "password": password})


def test_too_many_wrong_passwords_lock_the_form_for_that_guesser_and_say_until_when(
    tromp: Any, settings: Any
) -> None:
    settings.AXES_ENABLED, settings.AXES_FAILURE_LIMIT = True, 3
    client = Client(REMOTE_ADDR="10.1.1.1")
    assert [guess(client).status_code for _ in range(2)] == [200, 200]
    locked = guess(client)
    assert locked.status_code == 429
    for said in ("Too many wrong passwords", "3 failed attempts", "in an hour", reverse("login_link")):
        assert said in locked.content.decode()
    assert guess(client, "sea room").status_code == 429, "not even the right one"
    elsewhere = Client(REMOTE_ADDR="10.2.2.2")
    assert guess(elsewhere, "sea room").status_code == 302, "nobody is locked out from elsewhere"
    ask("tromp", client=client)
    (link,) = keyed_links(mail.outbox[0].body)
    page = client.get(link).content.decode()
    assert (
        client.post("/in", dict(re.findall(r'name="(key|next)" value="([^"]*)"', page))).url == "/me/wishes"
    )


def two(person: Any) -> tuple[Client, Client]:
    """Two browsers in which one person is logged in."""
    here, there = Client(), Client()
    here.force_login(person)
    there.force_login(person)
    return here, there


NEW = {"new_password1": "de zeven provincien", "new_password2": "de zeven provincien"}


def test_a_changed_password_ends_every_other_session_and_leaves_this_one(tromp: Any) -> None:
    here, there = two(tromp)
    assert here.post(reverse("own_password"), {"old_password": "wrong", **NEW}).status_code == 200
    assert there.get(reverse("account")).status_code == 200
    done = here.post(reverse("own_password"), {"old_password": "sea room", **NEW})
    assert (done.status_code, done.url) == (302, reverse("account"))
    assert "You are logged out everywhere else" in here.get(reverse("account")).content.decode()
    assert there.get(reverse("account")).url.startswith(reverse("login"))


def test_a_password_chosen_by_email_ends_every_session(tromp: Any, client: Client) -> None:
    here, there = two(tromp)
    client.post(reverse("password_reset"), {"email": tromp.email})
    links_mailed()
    found = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)
    assert found is not None
    form = client.get(found[1], follow=True)
    client.post(form.request["PATH_INFO"], NEW)
    for browser in (here, there):
        assert browser.get(reverse("account")).url.startswith(reverse("login"))


def test_the_proxys_log_holds_neither_queries_nor_tokens() -> None:
    conf = (ROOT / "deploy" / "nginx" / "weather-gage.conf").read_text()
    form = conf.partition("log_format weather_gage")[2].partition(";")[0]
    for telling in ("$request ", "$request_uri", "$args", "$query_string", "$http_referer", "$uri"):
        assert telling not in form
    assert conf.count("access_log /var/log/nginx/weather-gage.log weather_gage;") == conf.count("server {")
    hidden = [
        line.split()[0].removeprefix("~") for line in conf.splitlines() if line.strip().startswith("~^")
    ]
    for name in ("join", "address", "leave"):
        assert any(re.match(pattern, reverse(name, args=["token"])) for pattern in hidden)
    assert any(
        re.match(pattern, reverse("password_reset_confirm", args=["Mg", "token"])) for pattern in hidden
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Gone: /join/AbC-_9", "Gone: /join/-"),
        ("GET /in?next=%2Fc%2F&key=AbC-_9 HTTP/1.1", "GET /in?next=%2Fc%2F&key=- HTTP/1.1"),
        ("Gone: /me/address/a:b:c", "Gone: /me/address/-"),
        ("Not Found: /accounts/password/Mg/c0ffee-12/", "Not Found: /accounts/password/Mg/-/"),
        ("Not Found: /c/telltale/", "Not Found: /c/telltale/"),
    ],
)
def test_a_log_line_contains_no_tokens(line: str, told: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "%s", (line,), None)
    assert HideTokens().filter(record)
    assert record.getMessage() == told
