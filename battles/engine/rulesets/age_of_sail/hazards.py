"""Ships aground, wrecks in high seas, and the crews that raise masts. Rules: A.T7, A.T8, A.D12, A.T10, A.W8, A.R1-A.R6."""

from __future__ import annotations

from battles.engine.rulesets.age_of_sail import leaving
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship, Status
from battles.engine.rulesets.age_of_sail.tables import HIGH_SEAS, REFLOATS_FROM, REPAIRS_FROM, SINKS_UP_TO

# Names of masts in the order in which a crew raises them, of those that are worth the same. Rule: A.R3.
RAISED = ("main", "fore", "mizzen")


def refloat(battle: Battle, play: Play) -> None:
    """Ships aground try to come off. Rules: A.S6, A.T7, A.T8."""
    for ship in battle.of(battle.active):
        if ship.aground:
            face = play.dice.d6(clause="A.T7", subjects=(battle.turn, ship.id), reason="to refloat")
            if face >= REFLOATS_FROM:
                ship.aground = False
                play.tell("refloated", "A.T7", ship.id)


def high_seas(battle: Battle, play: Play) -> None:
    """Wrecks that the sea takes; those aground are safe. Rules: A.S7, A.D12, A.T10, A.W8."""
    if battle.wind < HIGH_SEAS:
        return
    for ship in [one for one in battle.in_play() if one.owner == battle.active]:
        if ship.sinkable and not ship.aground:
            face = play.dice.d6(clause="A.D12", subjects=(battle.turn, ship.id), reason="the high seas")
            if face <= SINKS_UP_TO:
                leaving.leave(battle, play, ship, Status.SUNK, "A.D12")


def weigh(battle: Battle, play: Play) -> None:
    """Anchors that come up this turn, and crews that begin to heave. Rules: A.T2, A.G32."""
    for ship in battle.of(battle.active):
        if ship.anchor is Anchor.WEIGHING:
            ship.anchor = Anchor.UP
            play.tell("weighed", "A.T2", ship.id)
        elif ship.anchor is Anchor.DOWN and battle.turn > ship.came and _weighs(play, ship):
            ship.anchor = Anchor.WEIGHING
            play.tell("weighs", "A.T2", ship.id)


def _weighs(play: Play, ship: Ship) -> bool:
    ordered, captain = play.order(ship).weigh, play.captain(ship.owner)
    if ordered is not None:
        return ordered
    return captain is not None and captain.weighs(play.view(ship.owner), ship)


def repair(battle: Battle, play: Play) -> None:
    """Crews that leave guns and boarding pikes to raise a mast. Rules: A.S8, A.R1-A.R3, A.R5, A.R6."""
    for ship in battle.of(battle.active):
        mast = _mast(play, ship)
        if mast is not None:
            ship.repairing = True
            face = play.dice.d6(clause="A.R1", subjects=(battle.turn, ship.id), reason="to raise a mast")
            made = face >= REPAIRS_FROM
            if made:
                ship.rig[mast] = -ship.rig[mast]
            play.tell("repair", "A.R1", ship.id, mast=ship.names[mast], made=made, rig=[*ship.rig])


def _mast(play: Play, ship: Ship) -> int | None:
    """The fallen mast that she tries to raise, None for none. Rules: A.R1, A.R3."""
    fallen = [n for n, state in enumerate(ship.rig) if state < 0]
    if not fallen:
        return None
    ordered, captain = play.order(ship).repair, play.captain(ship.owner)
    if ordered is not None:
        return next((n for n in fallen if ship.names[n] == ordered), None)
    if captain is None or not captain.repairs(play.view(ship.owner), ship):
        return None
    return min(fallen, key=lambda n: (-ship.masts[n], RAISED.index(ship.names[n])))
