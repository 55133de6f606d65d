"""What one side may read of a battle's log: its own ships whole, of the enemy what is to be seen on the water.

Moves, broadsides, visible damage, fires and captures are everyone's to see; how many points an enemy has left, what his guns are
worth, what struck his helm, his gun decks or his flag officer, and the dice of those, are his alone. Rules: G.IN1, K.I3, K.C1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.kohler.events import KINDS

# Kinds that tell how many fires burn aboard; from without only whether she burns is seen. Rule: K.F13.
FIRES = frozenset({"alight", "fire_out"})
# Throws that an enemy makes behind his screen: critical checks, each fire, gun decks, helm, the fate of his officers.
SECRET_DICE = frozenset({"K.C1", "K.C3", "K.C7", "K.C8", "K.C9", "K.G11"})


def log_seen_by(scenario: Scenario, events: Iterable[Event], side: str) -> Iterator[Event]:
    """The events a side may read, in order, an enemy's secrets taken out. Rule: G.IN1."""
    own = {ship.id for party, _, ship in scenario.ships() if party.id == side}
    ships = {ship.id for _, _, ship in scenario.ships()}
    for event in events:
        shown = _die(event, own, ships) if event.kind == DIE else _event(event, own)
        if shown is not None:
            yield shown
        if event.kind in ("captured", "retaken", "taken_after"):
            _changes_hands(event, side, own)


def _changes_hands(event: Event, side: str, own: set[str]) -> None:
    """A ship that is taken is her captor's to read from then on."""
    if event.data.get("side") == side or event.data.get("by") in own:
        own.add(event.ship)
    else:
        own.discard(event.ship)


def _die(event: Event, own: set[str], ships: set[str]) -> Event | None:
    if event.clause not in SECRET_DICE:
        return event
    thrower = next((part for part in str(event.data["key"]).split("/") if part in ships), "")
    return event if not thrower or thrower in own else None


def _event(event: Event, own: set[str]) -> Event | None:
    if event.kind == "boarding":
        return _boarding(event, own)
    if not event.ship or event.ship in own:
        return event
    kind = KINDS.get(event.kind)
    if kind is None or kind.hidden:
        return None
    if event.kind in FIRES:
        return event._replace(data={"fires": min(1, event.data["fires"])})
    return _without(event, *kind.secret) if kind.secret else event


def _boarding(event: Event, own: set[str]) -> Event:
    """A round's totals tell the hull left, so each side reads its own total and who won. Rule: K.B16."""
    event = event if event.ship in own else _without(event, "own")
    return event if event.data.get("target") in own else _without(event, "other")


def _without(event: Event, *names: str) -> Event:
    data: dict[str, Any] = {name: value for name, value in event.data.items() if name not in names}
    return event._replace(data=data)
