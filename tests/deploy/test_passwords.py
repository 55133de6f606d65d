"""Choosing a password by a link in an email."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.models import LinkRequest, Notice
from tests.support.factories import UserFactory
from tests.support.links import links_mailed

pytestmark = pytest.mark.django_db
START = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture
def invited():
    """An account without a password, as an invitation makes it."""
    return get_user_model().objects.create_user(username="new@club.example", email="new@club.example")


def words(page: bytes) -> bytes:
    """A page without its form tokens."""
    return re.sub(
        rb'name="csrfmiddlewaretoken" value="\w+"|"x-csrftoken": ?"\w+"|X-CSRFToken[^}]*', b"", page
    )


def link() -> str:
    """The address in the one mail that was sent."""
    (sent,) = mail.outbox
    found = re.search(r"http://127\.0\.0\.1:8000(/\S+)", sent.body)
    assert found is not None
    return found[1]


def test_an_invited_person_chooses_a_password_and_logs_in(client: Client, invited) -> None:
    client.post(reverse("password_reset"), {"email": "NEW@club.example"})
    assert links_mailed() == 1
    assert mail.outbox[0].to == ["new@club.example"]
    form = client.get(link(), follow=True)
    chosen = {"new_password1": "de zeven provincien", "new_password2": "de zeven provincien"}
    assert client.post(form.request["PATH_INFO"], chosen, follow=True).status_code == 200
    page = client.post(reverse("login"), {"username": invited.username, "password": "de zeven provincien"})
    assert page.status_code == 302
    used = client.get(link(), follow=True)
    assert b"has been used" in used.content


def test_a_stranger_learns_nothing_and_the_link_is_in_no_outbox(client: Client, invited) -> None:
    known = client.post(reverse("password_reset"), {"email": invited.email}, follow=True)
    strange = client.post(reverse("password_reset"), {"email": "nobody@club.example"}, follow=True)
    assert words(known.content) == words(strange.content)
    links_mailed()
    assert [sent.to for sent in mail.outbox] == [["new@club.example"]]
    assert not Notice.objects.exists()


@pytest.mark.parametrize(("name", "field"), [("password_reset", "email"), ("login_link", "who")])
def test_a_known_address_and_an_unknown_one_take_the_same_queries(
    client: Client, invited, name: str, field: str
) -> None:
    def cost(address: str) -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            client.post(reverse(name), {field: address})
        return [re.sub(r"'[^']*'|\"s\d+_x\d+\"", "-", query["sql"]) for query in queries]

    known, strange = cost("new@club.example"), cost("old@club.example")
    assert known == strange
    assert "linkrequest" in "".join(known) and "auth_user" not in "".join(known)
    assert cost("new@club.example") == cost("old@club.example"), "nor does a second request tell"
    assert mail.outbox == [], "no mail is sent while the asker waits"
    assert LinkRequest.objects.count() == 2


def test_an_account_gets_one_password_link_an_hour(client: Client, invited) -> None:
    with time_machine.travel(START, tick=False) as clock:
        for minute in range(0, 60, 2):
            clock.move_to(START + timedelta(minutes=minute))
            for typed in ("new@club.example", "NEW@club.example"):
                assert client.post(reverse("password_reset"), {"email": typed}).status_code == 302
            links_mailed()
        assert len(mail.outbox) == 1
        clock.move_to(START + timedelta(hours=1))
        client.post(reverse("password_reset"), {"email": "new@club.example"})
        assert links_mailed() == 1


def test_closed_accounts_and_those_without_an_address_get_no_emails(client: Client) -> None:
    UserFactory(username="gone", email="gone@club.example", is_active=False)
    UserFactory(username="silent", email="")
    for who in ("gone@club.example", "silent", ""):
        client.post(reverse("password_reset"), {"email": who})
        client.post(reverse("login_link"), {"who": who})
    assert links_mailed() == 0


def test_two_accounts_with_one_address_get_a_link_each(client: Client) -> None:
    for name in ("cornelis", "maarten"):
        UserFactory(username=name, email="tromp@club.example")
    client.post(reverse("password_reset"), {"email": "tromp@club.example"})
    assert links_mailed() == 2
    assert {name for name in ("cornelis", "maarten") for sent in mail.outbox if name in sent.body} == {
        *("cornelis", "maarten")
    }


def test_the_login_page_shows_the_way(client: Client) -> None:
    assert reverse("password_reset").encode() in client.get(reverse("login")).content


def test_pages_without_their_own_icon_find_one(client: Client) -> None:
    assert client.get("/favicon.ico").url.startswith("/static/")
