"""One battle from scenario to outcome, for the command line and the task that fights it, and the proof of its dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from battles.engine.core.dice import Die, FastDice, KeyedDice, keyed_faces
from battles.engine.core.log import DIE, Event, Log
from battles.engine.core.outcome import Outcome
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Scenario
from battles.engine.registry import rule_set


@dataclass(frozen=True, slots=True)
class Played:
    """A battle that has been fought. events: () when no log was asked for. state: the final state, a JSON document."""

    outcome: Outcome
    events: tuple[Event, ...]
    state: dict[str, Any]


def play_battle(scenario: Scenario, seed: bytes, *, log: bool) -> Played:
    """Fight a scenario to its end under the captains that its sides name.

    seed: the battle's secret; dice keys begin with the scenario's code. The same seed gives the same battle. Raises
    UnknownRuleSet and ScenarioFaults. Rule: G.FA1.
    """
    rules: RuleSet[Any] = rule_set(scenario.rule_set)
    kept = Log() if log else None
    state = rules.play(scenario, KeyedDice(seed, prefix=scenario.code, log=kept), kept)
    events = kept.take() if kept is not None else ()
    return Played(rules.outcome(state), events, rules.to_dict(state))


def play_for_odds(scenario: Scenario, seed: int) -> Outcome:
    """Fight a scenario with dice that no one keeps: one of many runs. Raises UnknownRuleSet and ScenarioFaults."""
    rules: RuleSet[Any] = rule_set(scenario.rule_set)
    return rules.outcome(rules.play(scenario, FastDice(seed)))


def seed_from(text: str) -> bytes:
    """A seed as bytes: hexadecimal digits as the bytes they stand for, any other text as it is written."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode()


def verify(events: Iterable[Event], seed: bytes) -> Iterator[str]:
    """Recompute every die of a log from seed and key; yields a sentence for each that is not what the seed gives.

    A key that comes twice is wrong too: its second throw was never made. Rule: G.FA1.
    """
    seen: set[str] = set()
    for event in events:
        if event.kind != DIE:
            continue
        key, faces = str(event.data["key"]), tuple(event.data["faces"])
        if key in seen:
            yield f"turn {event.turn}: the dice of {key} are thrown a second time"
        seen.add(key)
        try:
            due = keyed_faces(seed, key, Die(event.data["die"]), len(faces))
        except ValueError:
            yield f"turn {event.turn}: {key} throws an unknown die {event.data['die']!r}"
            continue
        if due != faces:
            yield f"turn {event.turn}: {key} shows {list(faces)}, the seed gives {list(due)}"
