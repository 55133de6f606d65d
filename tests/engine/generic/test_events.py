"""The registry of events of every rule set: what is logged is registered, with all its data and nothing else, and has words."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from battles.engine.cli import load
from battles.engine.core.log import DIE, Event
from battles.engine.core.telling import THROW, Kind, Names
from battles.engine.play import play_battle
from battles.engine.registry import rule_set
from tests.support.sets import SETS, scenario_files

pytestmark = pytest.mark.usefixtures("tiny_set")
SHIPPED = [
    pytest.param(name, path, id=f"{name}-{path.stem}") for name in SETS for path in scenario_files(name)
]
# Turns that are enough of a great battle; what comes seldom is looked for in the code.
MOST_TURNS = 5


def logged(name: str) -> dict[str, set[tuple[str, ...]]]:
    """By kind of event, the names of its data wherever the set's own code logs it."""
    rules: Any = rule_set(name)
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    found["refused"].add(tuple(sorted(rules.refused("A", "order/unreadable"))))
    folder = Path(str(import_module(type(rules).__module__).__file__)).parent
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in ("add", "tell") and len(node.args) > 1:
                    for kind in _texts(node.args[0]):
                        found[kind].add(tuple(sorted(_data(node))))
    return found


def _texts(node: ast.expr) -> list[str]:
    """The literal texts that an argument may be, either branch of a choice."""
    if isinstance(node, ast.IfExp):
        return _texts(node.body) + _texts(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _data(call: ast.Call) -> list[str]:
    found = []
    for word in call.keywords:
        if word.arg is not None:
            found.append(word.arg)
        elif isinstance(word.value, ast.Dict):
            found += [str(ast.literal_eval(key)) for key in word.value.keys if key is not None]
    return found


@pytest.mark.parametrize("name", SETS)
def test_exactly_the_kinds_that_the_code_logs_are_registered_with_their_data(name: str) -> None:
    kinds = rule_set(name).kinds
    assert logged(name) == {kind: {tuple(sorted(entry.fields))} for kind, entry in kinds.items()}


@pytest.mark.parametrize("name", SETS)
def test_the_description_of_each_kinds_data_is_true(name: str) -> None:
    for kind, entry in rule_set(name).kinds.items():
        assert len(set(entry.fields)) == len(entry.fields), kind
        assert {*entry.secret, *filter(None, [entry.step])} <= set(entry.fields), kind
        assert entry.step not in entry.secret or not entry.step, kind
        assert not (entry.hidden and entry.secret), kind


def check(event: Event, entry: Kind, words: str, codes: set[str]) -> None:
    """That an event is of its kind, and its sentence one that names no ship by her id."""
    assert words and words == words.strip() and not words.endswith("."), event
    assert "  " not in words and not {"None", "True", "False"} & set(words.split()), words
    assert not codes & set(words.replace(",", " ").replace(":", " ").split()), words
    assert set(event.data) <= set(entry.fields), event
    assert set(entry.fields) - set(event.data) <= set(entry.secret), event


@pytest.mark.parametrize(("name", "shipped"), SHIPPED)
def test_every_event_in_the_shipped_scenarios_is_registered_and_has_words_for_every_reader(
    name: str, shipped: Path
) -> None:
    rules: Any = rule_set(name)
    scenario = load(shipped)
    scenario = replace(scenario, turn_limit=min(scenario.turn_limit or MOST_TURNS, MOST_TURNS))
    events = play_battle(scenario, b"registered", log=True).events
    named, codes = Names.of(scenario), {ship.id for _, _, ship in scenario.ships()}
    kinds = {**rules.kinds, DIE: THROW}
    for event in events:
        assert set(event.data) == set(kinds[event.kind].fields), event
        check(event, kinds[event.kind], rules.words(event, named), codes)
    for side in scenario.sides:
        shown = list(rules.log_seen_by(scenario, events, side.id))
        for event in shown:
            check(event, kinds[event.kind], rules.words(event, named), codes)
        told = rules.teller(scenario).turn(shown)
        assert all(line.endswith(".") and line[-2] not in ". " for line in told)
