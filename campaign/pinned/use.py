"""The one place that is asked for the rules of a campaign or a turn. Rule: G.FA1.

Whatever plays, judges or forecasts calls the rules through it: `rules_of(turn)(advance)(facts, state, outcomes, dice)`. That is today's
`advance` when the turn is played by today's rules, at no cost, and else the same of the version that the turn is pinned to.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Log
from battles.engine.pinned.archives import COASTS
from battles.engine.pinned.crossing import Crossing
from battles.engine.pinned.rules import TODAY, Use, use_of
from battles.engine.pinned.versions import Version
from campaign.coasts import rings_of
from campaign.models import Campaign, Turn
from campaign.pinned.pins import Pin, newest, pin_of, pin_of_turn
from campaign.rules.chart.land import Land

# the theatre whose land it is, of each version
_shores: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def rules_of(played: Campaign | Turn) -> Use:
    """The rules that a campaign or a turn plays by. Raises RulesMissing when they are not installed."""
    return rules_by(pin_of(played) if isinstance(played, Campaign) else pin_of_turn(played))


def rules_by(pin: Pin) -> Use:
    """The rules of some versions. Raises RulesMissing."""
    if pin.hash == newest(pin.rule_set.name).hash:
        return TODAY
    return use_of(pin.rule_set, pin.chart, special=(("Land", _land),))


def schemas_by(pin: Pin) -> tuple[int, int]:
    """The schema numbers of the state and of the facts that some versions store. Raises RulesMissing."""
    use = rules_by(pin)
    return use.constant("campaign.rules.chart.types", "SCHEMA"), use.constant(
        "campaign.rules.turn.snapshots", "SCHEMA"
    )


def keyed(use: Use, secret: str, prefix: str, log: Log | None = None) -> KeyedDice:
    """The dice of a secret, as the rules in use throw them. secret: in hexadecimal. Rule: G.FA1."""
    return use(KeyedDice)(bytes.fromhex(secret), prefix=prefix, log=log)


def land_named(land: Land, theatre: str) -> Land:
    """Remember whose land it is, so that an old version can be given its own."""
    _shores[land] = theatre
    return land


def _land(land: Any, crossing: Crossing, inward: bool) -> Any:  # noqa: FBT001 - as Special has it
    """A theatre's land on the other side, with the coast that is drawn there."""
    theatre = _shores[land]
    if not inward:
        return _todays[theatre]
    _todays[theatre] = land
    return _old_land(crossing.universe.versions, theatre, crossing)


_todays: dict[str, Any] = {}


@lru_cache(maxsize=32)
def _old_land(versions: tuple[Version, ...], theatre: str, crossing: Crossing) -> Any:
    document = json.loads(crossing.universe.files[f"{COASTS}/{theatre}.json"])
    kind = crossing.module("campaign.rules.chart.land", inward=True).Land
    return land_named(kind(lambda: rings_of(document)), theatre)
