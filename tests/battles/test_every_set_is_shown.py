"""Every registered rule set can be shown: it has a board, a card page, words, scenarios and a book of clauses.

A tiny set goes through the same checks, and then without one piece after another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from battles.boards import PRESENTATIONS
from battles.data.scenarios import build
from battles.engine import registry
from campaign.templatetags.gage import clause_path
from fleets.selectors.cards import ShownCard
from tests.support.sets import SETS, SHOWN, TINY
from tests.support.shown import PIECES
from tests.support.tiny_set.rules import RULES

pytestmark = pytest.mark.usefixtures("tiny_pages")


def test_every_rule_set_and_nothing_else_is_presented_each_with_its_own_letter() -> None:
    assert set(PRESENTATIONS) == set(registry.names()) == set(SETS)
    letters = [shown.letter for shown in PRESENTATIONS.values()]
    assert len({*letters, "G"}) == len(letters) + 1


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", SETS)
def test_a_rule_set_has_everything_that_its_pages_need(name: str, piece: str) -> None:
    assert PIECES[piece](name) == ""


@pytest.mark.parametrize("name", SETS)
def test_the_registers_find_its_card_page_and_its_clauses_link_to_its_rule_book(
    name: str,
) -> None:
    assert ShownCard(name, "").templates[0] == PRESENTATIONS[name].card
    for step in registry.rule_set(name).steps:
        for clause in step.clauses:
            book = "campaign" if clause[0] == "G" else name
            assert clause_path(clause).endswith(f"/rules/{book}#{clause}")


def test_the_shipped_scenarios_match_those_that_the_script_builds() -> None:
    for name in build.SCENARIOS:
        stems = [file.stem for file in sorted(PRESENTATIONS[name].scenarios.glob("*.json"))]
        assert stems == sorted(build.SCENARIOS[name])


Take = Callable[[pytest.MonkeyPatch, Path], None]


def without(**change: object) -> Take:
    """Takes a piece away by changing the set's presentation."""
    return lambda patch, empty: patch.setitem(PRESENTATIONS, TINY, replace(PRESENTATIONS[TINY], **change))


TAKEN: dict[str, tuple[Take, str]] = {
    "board": (
        without(module="tests.support.tiny_set.no_board"),
        "tiny has no board: write tests.support.tiny_set.no_board with SIGNS, replay and standings",
    ),
    "card": (
        without(card="fleets/cards/none.html"),
        "tiny has no card page: write templates/fleets/cards/none.html",
    ),
    "words": (
        lambda patch, empty: patch.setattr(
            type(RULES), "kinds", {kind: entry for kind, entry in RULES.kinds.items() if kind != "moved"}
        ),
        "tiny has no words for moved: enter them in its KINDS",
    ),
    "scenarios": (
        lambda patch, empty: patch.setitem(
            PRESENTATIONS, TINY, replace(PRESENTATIONS[TINY], scenarios=empty)
        ),
        "tiny has no scenario: put one into {empty}",
    ),
    "book": (
        lambda patch, empty: patch.setattr(registry, "folder", lambda name: empty),
        "tiny has no rule book: write rules.md in the folder of the set",
    ),
    "slip": (
        without(slip=replace(SHOWN.slip, clause="Y.99")),
        "tiny has an order slip by Y.99, which is not in its rule book: name the clause that says how orders are written",
    ),
}


@pytest.mark.parametrize("piece", PIECES)
def test_a_rule_set_missing_one_piece_fails_one_check_that_says_what_to_add(
    piece: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    take, sentence = TAKEN[piece]
    take(monkeypatch, tmp_path)
    said = {name: check(TINY) for name, check in PIECES.items()}
    assert {name: text for name, text in said.items() if text} == {piece: sentence.format(empty=tmp_path)}
