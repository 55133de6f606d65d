"""The first account of a new site."""

from __future__ import annotations

import io
import re

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client

from tests.support.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def made(*words: str) -> str:
    out = io.StringIO()
    call_command("make_administrator", *words, stdout=out)
    return out.getvalue()


def test_an_administrator_without_a_password_logs_in_once_by_the_link_that_is_printed() -> None:
    told = made("anna", "anna@club.example")
    user = get_user_model().objects.get()
    assert (user.is_staff, user.is_superuser, user.has_usable_password()) == (True, True, False)
    path = "/" + told.splitlines()[-1].split("/", 3)[3]
    client = Client()
    fields = dict(re.findall(r'name="(key|next)" value="([^"]*)"', client.get(path).content.decode()))
    assert client.post("/in", fields).url == "/me/account"
    assert client.get("/admin/").status_code == 200
    assert Client().post("/in", fields).status_code == 410, "the link is used"


def test_one_who_is_locked_out_gets_a_new_link_and_keeps_their_password() -> None:
    made("anna", "anna@club.example")
    user = get_user_model().objects.get()
    user.set_password("a long password")
    user.is_active = False
    user.save()
    assert "anna is a site administrator" in made("Anna", "ANNA@club.example")
    user = get_user_model().objects.get()
    assert user.is_active and user.check_password("a long password")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("anna", "anna@other.example"), "anna has another email address"),
        (("berta", "anna@club.example"), "belongs to another account"),
        (("no name", "berta@club.example"), "Enter a valid username"),
        (("berta", "berta"), "is not an email address"),
    ],
)
def test_another_persons_name_or_address_is_refused(words: tuple[str, str], error: str) -> None:
    UserFactory(username="anna", email="anna@club.example", is_superuser=False)
    with pytest.raises(CommandError, match=error):
        made(*words)
    (user,) = get_user_model().objects.all()
    assert not user.is_superuser
