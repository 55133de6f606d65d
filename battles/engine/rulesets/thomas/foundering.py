"""Step P11b: the strain of a strong wind on ships nearly destroyed. Rules: T.O7-T.O7c."""

from __future__ import annotations

from battles.engine.rulesets.thomas.damage import lose_battery, sink
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import WindForce

_KEEP = 2


def strain(battle: Battle, play: Play) -> None:
    """A point of flotation of every ship three quarters damaged, or a battery overboard instead; at 0 she founders.

    Rules: T.O7, T.O7a, T.O7b, T.O7c.
    """
    if not battle.options["opt_founder"] or battle.strength is not WindForce.STRONG:
        return
    for ship in list(battle.afloat()):
        if not ship.three_quarters_damaged:
            continue
        saved = bool(ship.standing()) and _jettisons(play, ship)
        if saved:
            lose_battery(battle, play, ship, None)
        else:
            ship.flot -= 1
        play.tell("foundering", "T.O7", ship.id, flot=ship.flot, saved=saved)
        if ship.flot <= 0:
            sink(battle, play, ship, Status.FOUNDERED, "foundered")


def _jettisons(play: Play, ship: Ship) -> bool:
    """By order, by the captain, else while more than two batteries stay. Rule: T.O7a and section 12."""
    ordered = play.order(ship).jettison
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    if asked is not None:
        return asked.captain.jettisons(asked.view, ship.id)
    return len(ship.standing()) > _KEEP
