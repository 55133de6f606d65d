"""The rules as pages: every clause can be linked to, every link works, the steps of play match the engine."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from battles import rule_books
from battles.engine import registry

BOOKS = rule_books.names()
_OPENED = re.compile(r"^\s*- \*\*([A-Z]\.[A-Z]{0,2}\d+(?:\.\d+)*[a-z]?)\b", re.M)


def source(name: str) -> str:
    """The text that a book is made of."""
    root = Path(rule_books.__file__).resolve().parent.parent
    folder = "campaign/rules" if name == "campaign" else f"battles/engine/rulesets/{name}"
    return (root / folder / "rules.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BOOKS)
def test_every_clause_of_the_text_has_one_anchor_and_links_to_itself(name: str) -> None:
    html = rule_books.rule_book(name).html
    clauses = set(_OPENED.findall(source(name)))
    assert len(clauses) >= 10
    for clause in clauses:
        assert html.count(f'id="{clause}"') == 1, clause
        assert f'<a href="#{clause}" class="clause-id">{clause}</a>' in html, clause


@pytest.mark.parametrize("name", BOOKS)
def test_no_anchor_is_repeated_and_no_link_is_dead(name: str) -> None:
    html = rule_books.rule_book(name).html
    anchors = re.findall(r'id="([^"]+)"', html)
    assert len(anchors) == len(set(anchors))
    for to in re.findall(r'href="([^"]+)"', html):
        book, _, anchor = to.partition("#")  # the page of cases has the anchors of its book
        assert f'id="{anchor}"' in rule_books.rule_book(book.removesuffix("/cases") or name).html, to


def test_a_clause_of_the_other_rule_book_links_to_it() -> None:
    assert 'href="campaign#G.' in rule_books.rule_book("kohler").html
    assert 'href="kohler#K.' in rule_books.rule_book("campaign").html
    assert rule_books.clause_address("K.F7") == "kohler#K.F7"
    assert rule_books.clause_address("G.FA1") == "campaign#G.FA1"
    assert rule_books.clause_address("T.C3") == "thomas#T.C3"
    assert rule_books.clause_address("Q.K04") == ""


def test_a_reading_has_its_own_anchor_and_leaves_the_clause_its_own() -> None:
    html = rule_books.rule_book("campaign").html
    reading, clause = html.index('id="reading-G.CL1"'), html.index('id="G.CL1"')
    assert reading < clause


@pytest.mark.parametrize("name", BOOKS)
def test_the_text_brings_no_markup_or_style_of_its_own(name: str) -> None:
    html = rule_books.rule_book(name).html
    assert "<script" not in html and "style=" not in html and "onclick" not in html


@pytest.mark.parametrize("name", registry.names())
def test_the_sequence_of_play_on_the_page_matches_the_engine(name: str) -> None:
    page = unescape(Client().get(reverse("rules", args=[name])).content.decode())
    for step in registry.rule_set(name).steps:
        assert f'<th scope="row">{step.id}</th><td>{step.name}</td>' in page
        for clause in step.clauses:
            assert f'href="#{clause}"' in page
            assert f'id="{clause}"' in page, clause


def test_everyone_can_read_the_rules() -> None:
    index = Client().get(reverse("rules_index"))
    assert index.status_code == 200
    for name in BOOKS:
        assert reverse("rules", args=[name]) in index.content.decode()
        assert Client().get(reverse("rules", args=[name])).status_code == 200


def test_an_unknown_rule_book_is_not_found() -> None:
    assert Client().get("/rules/trafalgar").status_code == 404
    with pytest.raises(KeyError):
        rule_books.rule_book("trafalgar")


def test_every_clause_named_in_the_engines_card_notes_is_in_the_rule_book() -> None:
    from battles.engine.core.scenario import ShipFacts

    for facts in (
        ShipFacts("England", "England", guns=52, tons_burthen=540),
        ShipFacts("France", "Dutch Republic"),
    ):
        for _, clause, _ in registry.rule_set("kohler").explain(facts):
            assert rule_books.clause_address(clause), clause
