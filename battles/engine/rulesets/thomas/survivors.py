"""Step P11g: people saved from ships that went down this move. Rules: T.O5h, T.O5i, T.C15."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import RESCUE_REACH


def claim(battle: Battle, play: Play) -> None:
    """Ships within two inches that lie to save people, the nearest first, up to half of those aboard. Rule: T.O5h."""
    for sunk in play.sinking:
        aboard = sunk.guard_halves if sunk.prize_of else sunk.crew_halves
        left = aboard // 2 // 2
        sunk.crew_halves = sunk.guard_halves = 0
        if not battle.options["opt_crews"]:
            continue
        near = [one for one in battle.near(sunk, RESCUE_REACH) if _can_save(one)]
        near.sort(key=lambda one: (plane.distance(one.position, sunk.position), one.id))
        for ship in near:
            men = min(left, ship.crew // 4)
            if men and _lies_to(play, ship, sunk):
                left -= men
                _take_up(play, ship, sunk, men)
    play.sinking.clear()


def _can_save(ship: Ship) -> bool:
    """Whether she may lie to for anybody: her own people's ship, not struck, fast, afire or at anchor. Rules: T.O5h, T.O6a."""
    return ship.fighting and not ship.grapples and not ship.on_fire and not ship.anchored


def _lies_to(play: Play, ship: Ship, sunk: Ship) -> bool:
    ordered = play.order(ship).save
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    return asked is not None and asked.captain.saves(asked.view, ship.id, sunk.id)


def _take_up(play: Play, ship: Ship, sunk: Ship, men: int) -> None:
    """Friends are added to the crew, enemies are captives; she drifts all the next move. Rules: T.O5h, T.B6e."""
    friend = sunk.flag == ship.flag
    if friend:
        ship.crew_halves += 2 * men
    else:
        ship.captive_halves += 2 * men
    ship.rescue_next = True
    play.tell(
        "saved", "T.O5h", ship.id, **{"from": sunk.id}, friends=men if friend else 0, enemies=0 if friend else men
    )  # fmt: skip
