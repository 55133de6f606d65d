"""The pages of clauses with their cases: for every book, with results, without, and with results of other rules."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from battles import clause_cases, rule_books
from battles.clause_cases import Results, Shown

BOOKS = rule_books.names()
RUN_ON = date(2026, 11, 22)


def page(name: str) -> str:
    """The page of a book as a stranger sees it, spaces made one."""
    response = Client().get(reverse("rules_cases", args=[name]))
    assert response.status_code == 200
    return re.sub(r"\s+", " ", unescape(response.content.decode()))


def clauses_of(name: str) -> list[str]:
    """The clauses of a book in its order."""
    return [clause for chapter in rule_books.chapters(name) for clause, _ in chapter.clauses]


def run(name: str, *tests: Shown, stamp: str | None = None) -> str:
    """The results of a run in which the last clause of a book was tested. Returns that clause."""
    clause = clauses_of(name)[-1]
    now = clause_cases.stamp_of(name) if stamp is None else stamp
    assert clause_cases.write(name, Results(RUN_ON, now, {clause: tests}))
    return clause


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for results."""
    monkeypatch.setattr(clause_cases, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", BOOKS)
def test_a_page_without_results_lists_every_clause_once_in_the_order_of_the_book(name: str) -> None:
    shown = page(name)
    listed = re.findall(r'id="([A-Z]\.[^"]+)"', shown)
    assert listed == clauses_of(name)
    assert listed == re.findall(r'id="([A-Z]\.[^"]+)"', rule_books.rule_book(name).html)
    assert "There are no results yet." in shown
    assert "passed" not in shown


@pytest.mark.parametrize("name", BOOKS)
def test_the_results_of_a_run_appear_with_their_clause(name: str) -> None:
    clause = run(name, Shown("A ship sinks", 1, 0), Shown("A ship floats", 4, 0))
    shown = page(name)
    assert (
        f"Last run on 22 November 2026. 1 of {len(clauses_of(name))} clauses have cases. All cases passed."
        in shown
    )
    detail = shown.partition(f'<details id="{clause}">')[2].partition("</details>")[0]
    assert '<span class="badge good">5 passed</span>' in detail
    assert "<li>A ship floats (4 cases): passed</li><li>A ship sinks: passed</li>" in detail
    assert f'href="{reverse("rules", args=[name])}#{clause}"' in detail


def test_a_failed_case_is_named_at_the_top_and_with_its_clause() -> None:
    clause = run("kohler", Shown("A ship sinks", 3, 2), Shown("A ship floats", 1, 1))
    shown = page("kohler")
    assert f'1 clause has a failed case: <a class="clause-ref" href="#{clause}">' in shown
    assert '<span class="badge bad">3 of 4 failed</span>' in shown
    assert "<strong>failed</strong>" in shown and "<strong>2 failed</strong>" in shown
    assert "All cases passed" not in shown
    results = clause_cases.read("kohler")
    assert results is not None
    clause_cases.write("kohler", replace(results, tests={**results.tests, "K.F7": (Shown("A miss", 1, 1),)}))
    assert "2 clauses have a failed case: " in page("kohler")


@pytest.mark.parametrize("name", BOOKS)
def test_results_from_other_rules_do_not_count(name: str) -> None:
    run(name, Shown("A ship sinks", 1, 1), stamp="0" * 64)
    shown = page(name)
    assert "Not run since the rules changed. The results of 22 November 2026 no longer count." in shown
    assert "<li>A ship sinks: not run</li>" in shown
    assert "failed" not in shown and "passed" not in shown


def test_the_page_of_an_unknown_rule_book_is_not_found() -> None:
    assert Client().get("/rules/trafalgar/cases").status_code == 404


@pytest.mark.parametrize("name", BOOKS)
def test_a_rule_book_links_to_the_cases_of_each_clause(name: str) -> None:
    book = unescape(Client().get(reverse("rules", args=[name])).content.decode())
    assert f'href="{reverse("rules_cases", args=[name])}">Cases and results</a>' in book
    for clause in clauses_of(name):
        assert f'href="{name}/cases#{clause}"' in book, clause


def test_results_are_read_back_as_written_and_writing_the_same_ones_changes_nothing() -> None:
    results = Results(RUN_ON, "f" * 64, {"K.F7": (Shown("A hit", 2, 1), Shown("A miss", 1, 0))})
    assert clause_cases.write("kohler", results)
    assert clause_cases.read("kohler") == results
    assert not clause_cases.write("kohler", results)


def test_each_rule_book_has_its_own_stamp() -> None:
    assert len({clause_cases.stamp_of(name) for name in BOOKS}) == len(BOOKS)


def test_a_clause_without_a_heading_is_known_by_its_first_words() -> None:
    headings = {
        c: text for name in BOOKS for chapter in rule_books.chapters(name) for c, text in chapter.clauses
    }
    assert headings["K.0.1"] == "Grid"
    assert headings["T.C3"] == "Clock"
    assert headings["K.F2"] == "Ships never combine fire: one D6 per broadside fired"
    assert all(text and len(text) <= 100 for text in headings.values())
