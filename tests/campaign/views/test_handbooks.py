"""The handbooks as help pages: for everyone, without secrets or dead links."""

from __future__ import annotations

import re
from functools import cache
from html import unescape

import pytest
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse

from battles.engine.pinned.versions import ROOT
from campaign.handbooks import HANDBOOKS, HELP, UMPIRES_HELP, handbook, help_address
from tests.support.english import BANNED
from tests.support.people import ENGLISH, PEOPLE, World

each = pytest.mark.parametrize("name", HANDBOOKS)


@cache
def _page(address: str) -> str:
    answer = Client().get(address)
    return answer.content.decode() if answer.status_code == 200 else ""


@each
def test_a_handbook_is_open_to_everyone_and_shows_every_task(name: str) -> None:
    assert reverse("handbook", args=[name]) in Client().get(reverse("handbooks")).content.decode()
    page = unescape(Client().get(reverse("handbook", args=[name])).content.decode())
    tasks = re.findall(r"^## (.+)", (ROOT / f"docs/{name}.md").read_text(), re.M)
    assert len(tasks) > 10
    for task in tasks:
        assert f">{task}</h2>" in page, task


@each
def test_every_link_in_a_handbook_works(name: str) -> None:
    links = re.findall(r'href="([^"]+)"', handbook(name).html)
    assert links
    for link in links:
        address, _, anchor = link.partition("#")
        page = _page(address or reverse("handbook", args=[name]))
        assert page and (not anchor or f'id="{anchor}"' in page), link


@each
def test_the_anchors_of_a_handbook_are_the_same_on_the_site_and_in_the_repository(name: str) -> None:
    headings = handbook(name).contents
    for heading in headings:
        assert re.sub(r"[^\w\- ]", "", heading.text.lower()).replace(" ", "-") == heading.anchor
    assert len({heading.anchor for heading in headings}) == len(headings)


@each
def test_a_handbook_avoids_replaced_phrases(name: str) -> None:
    text = (ROOT / f"docs/{name}.md").read_text()
    assert [phrase for phrase in BANNED if re.search(phrase, text, re.I)] == []
    assert len(text.splitlines()) <= 370


def test_words_that_link_to_a_document_outside_the_site_are_plain_words() -> None:
    html = handbook("umpire").html
    assert "Commands has the details" in html and "commands.md" not in html


def test_every_page_with_help_is_a_page_and_its_section_is_there() -> None:
    for section in {*HELP.values(), *UMPIRES_HELP.values()}:
        name, _, heading = section.partition("#")
        assert heading in {row.anchor for row in handbook(name).contents}, section
    pages = {key for key in get_resolver().reverse_dict if isinstance(key, str)}
    for page in {*HELP, *UMPIRES_HELP}:
        assert page in pages or _is_admin_page(page), page


def _is_admin_page(page: str) -> bool:
    for args in ([], [1], [1, 2]):
        try:
            return bool(reverse(page, args=args))
        except NoReverseMatch:
            continue
    return False


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("person", "view", "args", "section"),
    [
        ("english", "orders", [f"{ENGLISH}-f"], "admiral#give-orders"),
        ("english", "clock", [], "admiral#know-when-orders-close"),
        ("umpire", "clock", [], "umpire#set-the-deadlines"),
        ("umpire", "desk", [], "umpire#run-the-turns"),
        ("observer", "log", [], ""),
    ],
)
def test_a_page_links_to_the_help_for_its_reader(
    told: World, person: str, view: str, args: list[str], section: str
) -> None:
    shown = told.client(person).get(reverse(view, args=[told.campaign.book.code, *args]))
    name, _, heading = section.partition("#")
    found = re.findall(r'<p class="help-here"><a href="([^"]+)"', shown.content.decode())
    assert found == ([f"{reverse('handbook', args=[name])}#{heading}"] if section else [])


@pytest.mark.one_database
@pytest.mark.parametrize("view", ["changelist", "import"])
def test_a_page_of_the_admin_links_to_the_help_of_register_editors(admin_client: Client, view: str) -> None:
    name = f"admin:fleets_registerentry_{view}"
    shown = admin_client.get(reverse(name)).content.decode()
    assert f'<a href="{help_address(name)}">Help with this page</a>' in shown


@pytest.mark.one_database
@pytest.mark.parametrize("person", PEOPLE)
def test_everyone_reads_the_same_handbooks(told: World, person: str) -> None:
    client = told.client(person)
    for address in (reverse("handbooks"), *(reverse("handbook", args=[name]) for name in HANDBOOKS)):
        page = client.get(address)
        assert page.status_code == 200
        if address != reverse("handbooks"):
            assert handbook(address.strip("/").rpartition("/")[2]).html in page.content.decode()


def test_an_unknown_handbook_is_not_found() -> None:
    assert Client().get("/help/cook/").status_code == 404
    assert help_address("log") == ""
