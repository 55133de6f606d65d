"""Pages of the registers: searched, sorted, paged, and open to people who are logged in."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from fleets.models import Register
from tests.support.factories import NationFactory, RegisterEntryFactory, RegisterFactory, UserFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


@pytest.fixture
def reader() -> Client:
    """Somebody who is logged in and has no part in any campaign."""
    client = Client()
    client.force_login(UserFactory())
    return client


@pytest.fixture
def register() -> Register:
    """Sixty ships of two sides."""
    made: Register = RegisterFactory(code="club", title="The club's register", sources="A book")
    dutch = NationFactory(name="Dutch Republic")
    for n in range(40):
        RegisterEntryFactory(register=made, name=f"English {n:02}", guns=30 + n, side="English")
    for n in range(20):
        RegisterEntryFactory(
            register=made, name=f"Dutch {n:02}", guns=None, nation=dutch, side="Dutch", ship_type="frigate"
        )
    return made


def names(answer: Any) -> list[str]:
    """Ships of a page, in its order."""
    return re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', answer.content.decode())


def test_registers_are_for_people_who_are_logged_in(register: Register) -> None:
    entry = register.entries.first()
    assert entry is not None
    for path in ("/registers/", "/registers/club/", f"/registers/club/{entry.pk}/"):
        answer = Client().get(path)
        assert answer.status_code == 302 and "/accounts/login/" in answer["Location"], path


def test_the_list_names_every_register_and_how_many_ships_it_has(reader: Client, register: Register) -> None:
    text = reader.get("/registers/").content.decode()
    assert "The club&#x27;s register" in text and "60 ships" in text


def test_without_registers_the_page_says_what_to_do(reader: Client) -> None:
    assert "load_registers" in reader.get("/registers/").content.decode()


def test_a_register_is_shown_fifty_ships_at_a_time(reader: Client, register: Register) -> None:
    first, second = reader.get("/registers/club/"), reader.get("/registers/club/?page=2")
    assert len(names(first)) == 50 and len(names(second)) == 10
    assert not set(names(first)) & set(names(second))
    assert names(reader.get("/registers/club/?page=99")) == names(second)


def test_search_finds_by_words_side_and_type(reader: Client, register: Register) -> None:
    assert names(reader.get("/registers/club/?q=english+07")) == ["English 07"]
    assert len(names(reader.get("/registers/club/?side=Dutch"))) == 20
    assert len(names(reader.get("/registers/club/?type=frigate"))) == 20
    assert names(reader.get("/registers/club/?side=Dutch&type=ship_of_line")) == []
    assert "No ships match your search" in reader.get("/registers/club/?q=xyz").content.decode()


def test_columns_sort_both_ways_and_unknown_values_come_last(reader: Client, register: Register) -> None:
    up, down = reader.get("/registers/club/?sort=guns"), reader.get("/registers/club/?sort=-guns")
    assert names(up)[:40] == [f"English {n:02}" for n in range(40)]
    assert names(down)[:40] == [f"English {n:02}" for n in reversed(range(40))]
    assert all(name.startswith("Dutch") for name in names(up)[40:] + names(down)[40:])
    assert 'aria-sort="ascending"' in up.content.decode()
    assert 'aria-sort="descending"' in down.content.decode()
    assert names(reader.get("/registers/club/?sort=commander;drop")) == names(reader.get("/registers/club/"))


def test_an_entry_shows_facts_source_confidence_and_one_card_per_rule_set(
    reader: Client, register: Register
) -> None:
    entry = RegisterEntryFactory(
        register=register, name="Antelope", guns=52, tons_burthen=734, broadside_lb=None, source="Anderson, list 2",
        confidence="low", crew=None,
    )  # fmt: skip
    text = reader.get(f"/registers/club/{entry.pk}/").content.decode()
    assert "Anderson, list 2" in text and "Low confidence" in text
    assert "734 tons" in text and "not established" in text
    assert "Card under Kohler, 1666" in text and "Hull, 22 points" in text
    assert 'href="/rules/kohler#K.A1.1"' in text
    kohler, _, thomas = text.partition("Card under Kohler, 1666")[2].partition("Card under Thomas")
    assert kohler.count('<i class="box"></i>') == 22 and "est." in kohler
    assert "Flotation, 37" in thomas and thomas.count("box small") == 37 and "est." in thomas


def test_an_entry_of_another_register_is_not_found(reader: Client, register: Register) -> None:
    other = RegisterEntryFactory(register=RegisterFactory(code="other"))
    assert reader.get(f"/registers/club/{other.pk}/").status_code == 404
    assert reader.get("/registers/nowhere/").status_code == 404


def test_the_pages_take_few_queries(
    reader: Client, register: Register, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for path, queries in (("/registers/", 3), ("/registers/club/", 7)):
        with django_assert_max_num_queries(queries):
            reader.get(path)
