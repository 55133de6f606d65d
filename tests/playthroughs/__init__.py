"""One small game for each rule set, written out so that a person with the rule book can check it by hand.

`<set>.toml` is what is played: `state`, the fields of a ship's stored state that are written after each turn (`rows`: where they are
stored, else `ships`); `scenario`, a document as
`battles/engine/scenario.schema.json` has it, with its seed; and `orders`, a table for each turn with one line of notation for each ship.
What a line leaves open is decided by the automatic captain of the side. `<set>.txt` is the game as it was last written.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import DIE, Event, Log
from battles.engine.core.ruleset import RuleSet, ShipOrder
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.core.telling import Names
from battles.engine.play import seed_from
from battles.engine.readable import bill, handicaps
from battles.engine.registry import rule_set

HERE = Path(__file__).resolve().parent
OPENING = "Before the first turn"
OTHER_STEPS = {"setup": OPENING, "orders": "Orders that cannot be carried out"}


def recorded(name: str) -> Path:
    """Where the game of a rule set is kept as it was last written."""
    return HERE / f"{name}.txt"


def written(name: str) -> str:
    """The game of a rule set, played now. Raises FileNotFoundError for a set that has none."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    play = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
    scenario, rules = read_scenario(play["scenario"]), rule_set(name)
    orders: Mapping[str, Mapping[str, str]] = play["orders"]
    log = Log()
    dice = KeyedDice(seed_from(scenario.seed), prefix=scenario.code, log=log)
    captains = {side.id: rules.captains[side.captain](side.doctrine) for side in scenario.sides}
    state = rules.begin(scenario, dice, log)
    yield from _heading(rules, scenario)
    yield from _happened(rules, scenario, log.take())
    yield from _standing(rules.to_dict(state)[play.get("rows", "ships")], play["state"])
    turn = 0
    while not rules.over(state):
        turn += 1
        given = orders.get(str(turn), {})
        yield from ("", f"TURN {turn}", "", "Orders")
        yield from _ordered(rules, scenario, state, given)
        texts = {ship: ShipOrder(ship, text) for ship, text in given.items()}
        state = rules.advance(state, texts, captains, dice, log)
        yield from _happened(rules, scenario, log.take())
        yield from _standing(rules.to_dict(state)[play.get("rows", "ships")], play["state"])
    yield ""
    yield from bill(scenario, rules.outcome(state))


def _heading(rules: RuleSet[Any], scenario: Scenario) -> Iterator[str]:
    """What is fought, and how the figures of each ship came about."""
    yield f"{scenario.title} ({rules.title})"
    if scenario.note:
        yield scenario.note
    yield from handicaps(scenario)
    yield f"Wind towards {scenario.wind_towards} degrees, {scenario.strength.value}. Seed: {scenario.seed}."
    for side, _, ship in scenario.ships():
        yield ""
        yield f"{ship.id} {ship.name}, {side.name}"
        for field, clause, sentence in rules.explain(ship.facts):
            yield f"  {clause:8} {field.replace('_', ' ')}: {sentence}"


def _ordered(rules: RuleSet[Any], scenario: Scenario, state: Any, given: Mapping[str, str]) -> Iterator[str]:
    """The line of each ship that has one or could have one."""
    for side, _, ship in scenario.ships():
        if ship.id in given or not rules.standing_faults(state, side.id, ship.id):
            yield f"  {ship.id:8} {given.get(ship.id, 'left to the captain')}"


def _happened(rules: RuleSet[Any], scenario: Scenario, events: Iterable[Event]) -> Iterator[str]:
    """Throws and events, step by step, each with its clause."""
    names = Names.of(scenario)
    titles = {**OTHER_STEPS, **{step.id: f"{step.name} ({step.id})" for step in rules.steps}}
    for step, rows in groupby(events, key=lambda event: event.step):
        yield ""
        yield titles.get(step, step or OPENING)
        for event in rows:
            told = rules.words(event, names)
            if event.kind == DIE:
                faces = " ".join(map(str, event.data["faces"]))
                told = f"[{event.data['die']}: {faces}] {told}"
            yield f"  {event.clause:8} {told}"


def _standing(ships: Iterable[Mapping[str, Any]], fields: Sequence[str]) -> Iterator[str]:
    """A line for each ship: the fields that say something, by name."""
    yield ""
    yield "State"
    for ship in ships:
        said = [f"{field.replace('_', ' ')} {_plain(ship[field])}" for field in fields if _says(ship[field])]
        yield f"  {ship['id']} {ship['name']}: {', '.join(said)}"


def _says(value: Any) -> bool:
    """Whether a value is worth a word: a number always is, an empty text, an empty list and a no are not."""
    return value is not False and value not in ("", [], None)


def _plain(value: Any) -> str:
    if value is True:
        return "yes"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
