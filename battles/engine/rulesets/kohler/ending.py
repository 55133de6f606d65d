"""When a battle ends, and who picks up the crippled ships. Rules: K.G9, K.G12, K.G13."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battles.engine.core.hexes import Hex, distance
from battles.engine.rulesets.kohler import damage
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Ship, Status

REACH = 12
_QUIET_TURNS = 2
_CELL = REACH + 1


class Near:
    """Ships sorted into squares of 13 by 13 hexes, so that whoever is within 12 hexes of a place lies in the nine around it."""

    def __init__(self, ships: Iterable[Ship]) -> None:
        self._cells: dict[Hex, list[Ship]] = {}
        for ship in ships:
            q, r = ship.pos
            self._cells.setdefault((q // _CELL, r // _CELL), []).append(ship)

    def around(self, place: Hex) -> Iterator[Ship]:
        """All ships within 12 hexes of a place. Rule: K.G9."""
        q, r = place
        for dq in (0, -1, 1):
            for dr in (0, -1, 1):
                for ship in self._cells.get((q // _CELL + dq, r // _CELL + dr), ()):
                    if distance(ship.pos, place) <= REACH:
                        yield ship


def test(battle: Battle, play: Play) -> None:
    """Step 5f: whether the battle is over. Sets `ended` to beaten, parted or nightfall.

    A side with no ship left to act, some of which got away over the edge, has parted rather than been beaten.
    While a squadron is still to come in before nightfall, fleets that are beaten or apart wait for it. Rule: K.G9.
    """
    count_quiet_turns(battle)
    if not _awaited(battle):
        able = sides_able_to_act(battle)
        if len(able) < 2:
            away = any(one.status is Status.GONE and one.flag not in able for one in battle.ships.values())
            battle.ended = "parted" if away else "beaten"
        elif any(turns >= _QUIET_TURNS for turns in battle.quiet.values()):
            battle.ended = "parted"
    if not battle.ended and battle.turn >= battle.last_turn:
        battle.ended = "nightfall"


def sides_able_to_act(battle: Battle) -> set[str]:
    """Sides with a ship afloat under her own crew; prizes and fired fire ships act for no one. Rule: K.G9."""
    return {
        ship.flag for ship in battle.ships.values() if ship.afloat and not ship.prize_of and not ship.fired
    }


def count_quiet_turns(battle: Battle) -> None:
    """Count, for each side, the turns running that all her ships have been out of reach of every enemy able to move.

    Nothing counts before two enemies have been within 12 hexes of each other. Rules: K.G9, K.G13.
    """
    afloat = [ship for ship in battle.ships.values() if ship.afloat and not ship.fired]
    if not battle.met:
        everybody = Near(afloat)
        battle.met = any(_enemy_near(battle, ship, everybody) for ship in afloat)
    if not battle.met:
        return
    movers = Near(ship for ship in afloat if able_to_move(ship))
    touched = set()
    for ship in afloat:
        if ship.flag not in touched and not _safe(battle, ship) and _enemy_near(battle, ship, movers):
            touched.add(ship.flag)
    for side in battle.sides:
        battle.quiet[side] = 0 if side in touched else battle.quiet.get(side, 0) + 1


def able_to_move(ship: Ship) -> bool:
    """Afloat, under her own crew, free and with sails left. Rule: K.0.7."""
    return (
        ship.afloat
        and not ship.fired
        and not ship.prize_of
        and not ship.locks
        and not ship.aground
        and not ship.disabled
    )


def take_disabled(battle: Battle, play: Play) -> None:
    """Disabled ships fall to the nearest enemy able to move within 12 hexes, unless a friend able to move is as near.

    Played once, when a battle has ended otherwise than by a gale. Rule: K.G12.
    """
    movers = [ship for ship in battle.ships.values() if able_to_move(ship)]
    near = Near(movers)
    rank = {ship.id: n for n, ship in enumerate(movers)}
    for ship in list(battle.ships.values()):
        if not ship.afloat or ship.fired or not ship.disabled:
            continue
        about = sorted(
            near.around(ship.pos),
            key=lambda one: (distance(one.pos, ship.pos), rank[one.id]),
        )
        enemies = [one for one in about if one.flag != ship.flag]
        friends = [one for one in about if one.flag == ship.flag]
        if not enemies:
            continue
        captor = enemies[0]
        if friends and distance(friends[0].pos, ship.pos) <= distance(captor.pos, ship.pos):
            continue
        if play.log is not None:
            play.log.add("taken_after", "K.G12", ship.id, captor=captor.id, side=captor.flag)
        damage.capture(battle, play, ship, captor)


def _enemy_near(battle: Battle, ship: Ship, near: Near) -> bool:
    return any(other.flag != ship.flag for other in near.around(ship.pos))


def _safe(battle: Battle, ship: Ship) -> bool:
    """Whether she floats where deep ships cannot follow. Rule: K.G13."""
    return not ship.deep and not ship.aground and ship.pos in battle.shoal


def _awaited(battle: Battle) -> bool:
    return any(
        battle.turn < squadron.arrives <= battle.last_turn
        and any(battle.ships[code].status is Status.EXPECTED for code in squadron.ships)
        for squadron in battle.squadrons.values()
    )
