"""What one side may read of a battle's log: its own ships whole, of the enemy what is to be seen on the water.

Moves, broadsides, hits, masts, fires, fights and flags are everyone's to see; how much flotation, how many men and which guns an
enemy has left, what his magazines threatened and who commands whom, and the dice that tell as much, are his alone.
Rules: G.IN1, T.S18, TS-9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.thomas.events import KINDS

# Throws whose number or outcome tells what an enemy has left: guns, magazines, worn crews, men who board, his officers.
SECRET_DICE = frozenset({"T.B9", "T.S5", "T.N2", "T.O5g", "T.B12d", "G.AF1"})


def log_seen_by(scenario: Scenario, events: Iterable[Event], side: str) -> Iterator[Event]:
    """The events a side may read, in order, an enemy's secrets taken out. Rule: G.IN1."""
    own = {ship.id for party, _, ship in scenario.ships() if party.id == side}
    ships = {ship.id for _, _, ship in scenario.ships()}
    at_once = scenario.options.get("opt_surrender", True) is False
    for event in events:
        shown = _die(event, own, ships, scenario.code) if event.kind == DIE else _event(event, own)
        if shown is not None:
            yield shown
        _changes_hands(event, side, own, at_once=at_once)


def _changes_hands(event: Event, side: str, own: set[str], *, at_once: bool) -> None:
    """A prize is her captor's to read from when his men are aboard. Rules: T.O6g, T.B12p."""
    if event.kind == "secured" or (at_once and event.kind == "struck" and event.data["by"]):
        mine = event.data["by"] in own
    elif event.kind == "retaken":
        mine = event.data["side"] == side
    else:
        return
    (own.add if mine else own.discard)(event.ship)


def _die(event: Event, own: set[str], ships: set[str], prefix: str) -> Event | None:
    """A throw, unless it is an enemy's and tells too much; one that cannot be laid to anybody counts as an enemy's."""
    if event.clause not in SECRET_DICE:
        return event
    parts = str(event.data["key"]).removeprefix(f"{prefix}/").split("/")
    thrower = next((part for part in parts if part in ships), "")
    return event if thrower in own else None


def _event(event: Event, own: set[str]) -> Event | None:
    if event.kind == "round":
        return _round(event, own)
    if event.kind == "secured":
        # The men sent are the captor's to count, the captives both know.
        return event if event.data["by"] in own else _without(event, "men")
    if not event.ship or event.ship in own:
        return event
    kind = KINDS.get(event.kind)
    if kind is None or kind.hidden or (event.kind == "jury" and not event.data["up"]):
        return None
    return _without(event, *kind.secret) if kind.secret else event


def _round(event: Event, own: set[str]) -> Event:
    """Of a round each side counts its own fighters, and sees who falls. Rule: T.B12n."""
    data = dict(event.data)
    for party in ("attackers", "defenders"):
        data[party] = [[code, men if code in own else None] for code, men in data[party]]
    return event._replace(data=data)


def _without(event: Event, *names: str) -> Event:
    data: dict[str, Any] = {name: value for name, value in event.data.items() if name not in names}
    return event._replace(data=data)
