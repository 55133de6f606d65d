"""The kinds of chart event: each is described by name with the data that it carries, and there are no others."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.accounts import TELLERS
from campaign.rules.state.events import EVENT_KINDS, NEAR, check
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def test_the_chart_reports_exactly_the_kinds_that_the_accounts_have_words_for() -> None:
    made = b.facts([b.fleet("e", "ENG", "a")])
    state = turn.begin(made, {}, b.dice(made))
    chart = Chart(made, state, ScriptedDice(()))
    state.events.clear()
    assert set(EVENT_KINDS) == set(TELLERS)
    for kind in TELLERS:
        chart.tell(kind, "G.0", "NLD", "ENG", "ENG")
    assert [event.kind for event in state.events] == list(TELLERS)
    assert {event.knows for event in state.events} == {("ENG", "NLD")}
    with pytest.raises(KeyError, match="'dinner' is not a kind of event"):
        chart.tell("dinner", "G.0")


@pytest.mark.clause("G.IN2")
def test_an_event_for_one_side_notes_the_nearest_place_and_one_for_both_does_not() -> None:
    made = b.facts([b.fleet("e", "ENG", "a", to="b", run=40_000)])
    state = turn.begin(made, {}, b.dice(made))
    state.events.clear()
    chart = Chart(made, state, ScriptedDice(()))
    chart.tell("sailed", "G.0", "ENG", fleet="e")
    chart.tell("sailed", "G.0", "ENG", fleet="e", place="c", hour=7)
    chart.tell("sailed", "G.0", "ENG", "NLD", fleet="e")
    chart.tell("sailed", "G.0", "NLD", fleet="e")
    chart.tell("sailed", "G.0", "ENG", fleet="x")
    assert [event.data.get("near") for event in state.events] == ["b", None, None, None, None]
    assert [event.hour for event in state.events] == [0, 7, 0, 0, 0]


CODE = Path(__file__).parents[3] / "campaign"


def told() -> Iterator[tuple[str, str]]:
    """(kind, datum) wherever the chart's rules tell an event by its name."""
    for path in (CODE / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "tell"
            ):
                kinds = {one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)}
                for kind in kinds & set(EVENT_KINDS):
                    yield from ((kind, word.arg) for word in node.keywords if word.arg not in (None, "hour"))


def test_everything_the_rules_report_of_a_kind_is_in_its_data_and_every_datum_is_used() -> None:
    found = list(told())
    assert len(found) > 150
    assert [row for row in found if row[1] not in EVENT_KINDS[row[0]].fields] == []
    text = "".join(path.read_text(encoding="utf-8") for path in (CODE / "rules").rglob("*.py"))
    for kind, entry in EVENT_KINDS.items():
        assert entry.fields and len(set(entry.fields)) == len(entry.fields), kind
        for name in entry.fields:
            assert f"{name}=" in text or f'"{name}":' in text, (kind, name)


class Noted(dict[str, Any]):
    """Data of an event that carries none, and notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return default


def asked(teller: Callable[..., Any], data: str = "data") -> set[str]:
    """Names of the data that a telling asks for, in its own code and in that of the functions to which it hands them on."""
    if isinstance(teller, partial):  # a template, whose words are looked up as it is filled in
        noted = Noted()
        teller(noted, {})
        return noted.asked
    found: set[str] = set()
    for node in ast.walk(ast.parse(dedent(inspect.getsource(teller)))):
        match node:
            case ast.Call(func=ast.Attribute(ast.Name(id="data"), "get"), args=[ast.Constant(str(name)), *_]):
                found.add(name)
            case ast.Subscript(value=ast.Name(id="data"), slice=ast.Constant(str(name))):
                found.add(name)
            case ast.Compare(left=ast.Constant(str(name)), comparators=[ast.Name(id="data")]):
                found.add(name)
            case ast.Call(func=ast.Name(id=helper), args=args) if any(
                isinstance(one, ast.Name) and one.id == "data" for one in args
            ):
                found |= asked(vars(inspect.getmodule(teller))[helper])
                found |= {one.value for one in args if isinstance(one, ast.Constant)}
    return found


# what reports add of another event of the same battle
ADDED = {"battle_ended": ("place",)}


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_a_text_uses_only_data_that_its_kind_carries(kind: str) -> None:
    assert asked(TELLERS[kind]) <= {*EVENT_KINDS[kind].fields, NEAR, *ADDED.get(kind, ())}


def test_an_event_with_data_of_another_kind_is_refused_when_it_is_made() -> None:
    check("sailed", {"fleet": "e", "to": "b"})
    with pytest.raises(KeyError, match="an event 'sailed' carries no dinner, pounds"):
        check("sailed", {"fleet": "e", "pounds": 5, "dinner": "b"})
