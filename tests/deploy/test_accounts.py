"""Choosing a password by a link in a mail."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.urls import reverse

from campaign.models import Notice
from tests.support.silence import silence
from tests.support.smtp import use

pytestmark = pytest.mark.django_db


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


def test_somebody_invited_chooses_a_password_and_logs_in(client: Client, invited) -> None:
    client.post(reverse("password_reset"), {"email": "NEW@club.example"})
    assert mail.outbox[0].to == ["new@club.example"]
    form = client.get(link(), follow=True)
    chosen = {"new_password1": "de zeven provincien", "new_password2": "de zeven provincien"}
    assert client.post(form.request["PATH_INFO"], chosen, follow=True).status_code == 200
    page = client.post(reverse("login"), {"username": invited.username, "password": "de zeven provincien"})
    assert page.status_code == 302
    used = client.get(link(), follow=True)
    assert b"has been used" in used.content


def test_a_stranger_learns_nothing_and_the_link_lies_in_no_outbox(client: Client, invited) -> None:
    known = client.post(reverse("password_reset"), {"email": invited.email}, follow=True)
    strange = client.post(reverse("password_reset"), {"email": "nobody@club.example"}, follow=True)
    assert words(known.content) == words(strange.content)
    assert len(mail.outbox) == 1
    assert not Notice.objects.exists()


def test_a_silent_mail_server_is_told_to_everybody_alike_and_waited_for_once(
    client: Client, invited, settings
) -> None:
    with silence() as server:
        use(settings, server.port, seconds=0.2)
        for address in (invited.email, "nobody@club.example", invited.email):
            page = client.post(reverse("password_reset"), {"email": address}).content.decode()
            assert "The mail server cannot be reached" in page
        assert server.connections == 1


def test_the_login_page_shows_the_way(client: Client) -> None:
    assert reverse("password_reset").encode() in client.get(reverse("login")).content


def test_pages_without_an_icon_of_their_own_find_one(client: Client) -> None:
    assert client.get("/favicon.ico").url.startswith("/static/")
