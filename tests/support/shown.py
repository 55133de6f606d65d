"""What a rule set must have beside its rules so that it can be shown: for each piece a check that says what is missing and what to add."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from battles.boards import PRESENTATIONS, Board, Standing
from battles.engine import registry
from battles.engine.core.telling import Names
from battles.engine.play import play_battle
from battles.rule_books import CAMPAIGN, clause_address, file_of, rule_book
from tests.support import sets

SEED = b"shown"


def board(name: str) -> str:
    """A board that draws a battle and says how ships stood."""
    module = PRESENTATIONS[name].module
    if find_spec(module) is None:
        return f"{name} has no board: write {module} with SIGNS, replay and standings"
    drawn: Board = import_module(module)  # type: ignore[assignment]
    battle = sets.meeting(name, 3, 3)
    events = play_battle(battle, SEED, log=True).events
    doc: dict[str, Any] = drawn.replay(battle, events, None)
    assert json.loads(json.dumps(doc)) == doc
    assert doc["phases"] and len(doc["ships"]) == 6
    rows = drawn.standings(battle, events, None)
    assert [row.ship for row in rows] == [ship.id for _, _, ship in battle.ships()]
    assert all(isinstance(row, Standing) and row.word for row in rows)
    assert all(isinstance(sign, str) for sign in drawn.SIGNS)
    return ""


def card(name: str) -> str:
    """A card page."""
    page = PRESENTATIONS[name].card
    rules: Any = registry.rule_set(name)
    ship = next(ship for _, _, ship in sets.meeting(name, 1, 1).ships())
    made = rules.card(ship.facts)
    try:
        template = get_template(page)
    except TemplateDoesNotExist:
        return f"{name} has no card page: write templates/{page}"
    shown = template.render({"name": "Antelope", "card": made, "condition": rules.at_sea.sound(made)})
    assert "Antelope" in shown
    return ""


def words(name: str) -> str:
    """Words for every event of a battle, and some that are news."""
    rules: Any = registry.rule_set(name)
    battle = sets.meeting(name, 3, 3)
    events = play_battle(battle, SEED, log=True).events
    names = Names.of(battle)
    silent = sorted({event.kind for event in events if not rules.words(event, names)})
    if silent:
        return f"{name} has no words for {', '.join(silent)}: enter them in its KINDS"
    sentences = {rules.words(event, names) for event in events}
    news = [line.strip().rstrip(".") for line in rules.teller(battle).turn(events)]
    assert any(line.startswith("Hits: ") for line in news)
    assert {line for line in news if not line.startswith("Hits: ")} < sentences
    return ""


def scenarios(name: str) -> str:
    """Scenarios of its own."""
    folder = PRESENTATIONS[name].scenarios
    files = sorted(folder.glob("*.json"))
    if not files:
        return f"{name} has no scenario: put one into {folder}"
    assert {json.loads(file.read_text(encoding="utf-8"))["rule_set"] for file in files} == {name}
    return ""


def book(name: str) -> str:
    """A book in which every clause of its sequence of play stands under its letter."""
    file = file_of(name)
    if not file.is_file():
        return f"{name} has no rule book: write {file.name} in the folder of the set"
    assert rule_book(name).clauses >= 10
    clauses = {clause for step in registry.rule_set(name).steps for clause in step.clauses}
    assert {clause[0] for clause in clauses} <= {PRESENTATIONS[name].letter, "G"}
    for clause in clauses:
        assert clause_address(clause) in (f"{name}#{clause}", f"{CAMPAIGN}#{clause}"), clause
    return ""


def slip(name: str) -> str:
    """A slip for orders at the table, whose signs are those of a clause of its own."""
    clause = PRESENTATIONS[name].slip.clause
    if file_of(name).is_file() and clause_address(clause) != f"{name}#{clause}":
        return f"{name} has an order slip by {clause}, which is not in its rule book: name the clause that says how orders are written"
    return ""


PIECES: dict[str, Callable[[str], str]] = {
    "board": board, "card": card, "words": words, "scenarios": scenarios, "book": book, "slip": slip,
}  # fmt: skip
