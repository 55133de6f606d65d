"""The weather table T8, row by row, in a whole turn: way under sail, drift, and the guns."""

from __future__ import annotations

import pytest

from battles.engine.core.hexes import distance
from battles.engine.rulesets.kohler import turn
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import Status, WindForce
from tests.engine.kohler.builders import battle, events, play, ship

# strength: hexes reached in a turn close hauled, reaching, running; drift of an idle ship and of a wreck; added to the die.
T8 = {
    WindForce.STILL: (0, 0, 0, 0, 0, 0),
    WindForce.LIGHT: (1, 2, 1, 0, 0, 0),
    WindForce.NORMAL: (1, 3, 2, 1, 0, 0),
    WindForce.STRONG: (1, 4, 3, 2, 1, 1),
}


@pytest.mark.clause("K.A2.4", "K.A2.5", "K.A2.6", "K.A2.7", "K.A2.11", "K.M4", "K.M12", "K.D12")
@pytest.mark.parametrize("strength", list(T8), ids=lambda item: item.name.lower())
def test_each_strength_of_wind_has_the_effects_in_its_line_of_the_table(strength: WindForce):
    *ways, drift, wreck_drift, more = T8[strength]
    carried = 1 if strength is WindForce.STRONG else 0
    firing = Orders(tokens=(), targets={"starboard": "D1"})
    ships = [
        ship(id="CH", pos=(0, 0), facing=1),
        ship(id="RE", pos=(20, 0), facing=2),
        ship(id="RU", pos=(40, 0), facing=3),
        ship(id="ID", pos=(60, 0), facing=1),
        ship(id="WR", pos=(80, 0), status=Status.SINKING, hits_struct=22, steps_lost=4),
        ship(id="D1", side="DUT", pos=(62, 0), facing=1),
    ]
    sea = battle(*ships, strength=strength, turn=0)
    orders = {code: Orders(tokens=("A",) * 5) for code in ("CH", "RE", "RU")}
    orders |= {"ID": firing, "D1": Orders(tokens=(), targets={"port": "", "starboard": ""})}
    played = play(1, 2, 3, 3, 6, orders=orders)
    turn.play_turn(sea, played)
    played.dice.finish()
    assert [sea.ships[code].moved_hexes for code in ("CH", "RE", "RU")] == ways
    for code, far in (("ID", drift), ("WR", wreck_drift), ("D1", drift)):
        start = {"ID": (60, 0), "WR": (80, 0), "D1": (62, 0)}[code]
        assert sea.ships[code].pos == (start[0], start[1] + far)
    assert distance(sea.ships["RE"].pos, (20, carried)) == ways[1]
    (shot,) = events(played, "fire")
    assert sum(value for _, value in shot.data["mods"]) == more
