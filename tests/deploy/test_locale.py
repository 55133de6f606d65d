"""The words that the admin of Django says otherwise on this site."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import django.contrib.admin
import django.contrib.auth
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

FOLDER = Path(settings.LOCALE_PATHS[0]) / "en_GB" / "LC_MESSAGES"
WORDS = dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', (FOLDER / "django.po").read_text(), re.M))


def test_the_compiled_words_are_those_of_the_text() -> None:
    with (FOLDER / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert WORDS and {said: compiled.gettext(said) for said in WORDS} == WORDS


def test_django_still_says_each_of_them_with_the_same_places_for_names() -> None:
    catalogues = [
        Path(app.__file__).parent / "locale" / "en" / "LC_MESSAGES" / "django.po"
        for app in (django.contrib.admin, django.contrib.auth)
    ]
    said = "".join(re.findall(r'"(.*)"', "".join(path.read_text() for path in catalogues)))
    for words, ours in WORDS.items():
        assert words in said
        assert re.findall(r"%\(?\w*\)?s|{}", words) == re.findall(r"%\(?\w*\)?s|{}", ours)


@pytest.mark.django_db
def test_a_list_of_the_admin_says_them(admin_client: Client) -> None:
    page = admin_client.get(reverse("admin:auth_user_changelist")).content.decode()
    for words in (
        "Filter the menu",
        "Select this row: admin",
        "Everything under Fleets",
        "Reverse the order",
    ):
        assert words in page
    assert "object" not in re.sub(r"<[^>]*>", "", page)
