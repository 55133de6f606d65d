"""How a ship goes out of play, and what becomes of whoever was fast to her. Rules: A.D13, A.B15, A.B18, A.M20."""

from __future__ import annotations

from battles.engine.rulesets.age_of_sail import lines
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Battle, Ship, Status


def leave(battle: Battle, play: Play, ship: Ship, status: Status, clause: str, bearing: int = -1) -> None:
    """She is out of play at once, with everything aboard. bearing: point that she left on, for one that withdraws. Rule: A.D13."""
    for code in [*ship.entangled]:
        untie(ship, battle.ships[code])
    lines.drop(battle, ship)
    battle.grid.lift(ship)
    ship.status = status
    ship.bearing = bearing
    play.tell("gone", clause, ship.id, how=status.value, x=ship.x, y=ship.y)
    release_prizes(battle, play, ship)


def release_prizes(battle: Battle, play: Play, captor: Ship) -> None:
    """Prizes that a lost captor had not manned go back to their former owners. Rule: A.B18."""
    for prize in battle.ships.values():
        if prize.afloat and prize.held and prize.captor == captor.id:
            prize.owner, prize.captor, prize.former = prize.former, "", ""
            play.tell("reverts", "A.B18", prize.id, side=prize.owner)


def tie(a: Ship, b: Ship) -> None:
    """Two ships are entangled. Rule: A.B1."""
    for one, other in ((a, b), (b, a)):
        if other.id not in one.entangled:
            one.entangled = sorted([*one.entangled, other.id])


def untie(a: Ship, b: Ship) -> None:
    """Two ships are apart."""
    for one, other in ((a, b), (b, a)):
        one.entangled = [code for code in one.entangled if code != other.id]
