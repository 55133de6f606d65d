"""A target, and a fire phase with given faces, for tests of gunfire."""

from __future__ import annotations

from battles.engine.rulesets.kohler import gunnery
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Ship
from tests.engine.kohler.builders import play, ship


def enemy(**over: object) -> Ship:
    """A Dutch ship of 52 guns that cannot fire back unless told otherwise."""
    return ship(**{"id": "D1", "side": "DUT", "fire_track": (0, 0, 0, 0), **over})


def fire(fight: Battle, *faces: int, **over: object) -> Play:
    """Play a fire phase with these faces and see that none is left over."""
    played = play(*faces, **over)  # type: ignore[arg-type]
    with played.dice:  # type: ignore[attr-defined]
        gunnery.fire_phase(fight, played)
    return played
