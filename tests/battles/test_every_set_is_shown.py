"""Every registered rule set can be shown: it has a board, a card page, words, scenarios and a book of clauses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.template.loader import get_template

from battles.boards import PRESENTATIONS, Board, Standing, board
from battles.data.scenarios import build
from battles.engine import registry
from battles.engine.core.telling import Names
from battles.engine.play import play_battle
from battles.rule_books import CAMPAIGN, ROOT, clause_address, rule_book
from campaign.templatetags.gage import BOOKS, clause_path
from fleets.selectors.cards import ShownCard
from tests.support.fleets import meeting

pytestmark = pytest.mark.parametrize("name", registry.names())
SEED = b"shown"


def test_it_is_presented_and_nothing_else_is(name: str) -> None:
    assert set(PRESENTATIONS) == set(registry.names())
    letters = [shown.letter for shown in PRESENTATIONS.values()]
    assert len({*letters, "G"}) == len(letters) + 1


def test_it_has_a_board_that_draws_a_battle_and_says_how_ships_stood(name: str) -> None:
    drawn: Board = board(name)
    battle = meeting(3, 3, rule_set=name)
    events = play_battle(battle, SEED, log=True).events
    doc: dict[str, Any] = drawn.replay(battle, events, None)
    assert json.loads(json.dumps(doc)) == doc
    assert doc["phases"] and len(doc["ships"]) == 6
    rows = drawn.standings(battle, events, None)
    assert [row.ship for row in rows] == [ship.id for _, _, ship in battle.ships()]
    assert all(isinstance(row, Standing) and row.word for row in rows)
    assert all(isinstance(sign, str) for sign in drawn.SIGNS)


def test_it_has_a_card_page_under_the_name_by_which_the_registers_look_for_it(name: str) -> None:
    page = PRESENTATIONS[name].card
    assert ShownCard(name, "").templates[0] == page
    rules: Any = registry.rule_set(name)
    ship = next(ship for _, _, ship in meeting(1, 1, rule_set=name).ships())
    card = rules.card(ship.facts)
    shown = get_template(page).render(
        {"name": "Antelope", "card": card, "condition": rules.at_sea.sound(card)}
    )
    assert "Antelope" in shown


def test_every_event_of_a_battle_has_words_and_some_are_news(name: str) -> None:
    rules: Any = registry.rule_set(name)
    battle = meeting(3, 3, rule_set=name)
    events = play_battle(battle, SEED, log=True).events
    names = Names.of(battle)
    assert rules.kinds
    assert [event for event in events if not rules.words(event, names)] == []
    sentences = {rules.words(event, names) for event in events}
    news = [line.strip().rstrip(".") for line in rules.teller(battle).turn(events)]
    assert any(line.startswith("Gunfire: ") for line in news)
    assert {line for line in news if not line.startswith("Gunfire: ")} < sentences


def test_it_has_scenarios_of_its_own(name: str) -> None:
    files = sorted(build.files(name).glob("*.json"))
    assert files and [file.stem for file in files] == sorted(build.SCENARIOS[name])
    assert {json.loads(file.read_text(encoding="utf-8"))["rule_set"] for file in files} == {name}


def test_it_has_a_book_whose_clauses_begin_with_its_letter(name: str) -> None:
    letter = PRESENTATIONS[name].letter
    assert (ROOT / f"battles/engine/rulesets/{name}/rules.md").is_file()
    assert rule_book(name).clauses > 20
    clauses = {clause for step in registry.rule_set(name).steps for clause in step.clauses}
    assert {clause[0] for clause in clauses} <= {letter, "G"}
    for clause in clauses:
        assert clause_address(clause) in (f"{name}#{clause}", f"{CAMPAIGN}#{clause}"), clause
        assert clause_path(clause).endswith(f"/rules/{BOOKS[clause[0]]}#{clause}")
