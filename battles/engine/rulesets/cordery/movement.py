"""Ships move: what is ordered and legal is made area by area, up to a ship, land or the edge. Rules: C.M5-C.M11, C.S8, C.S9, C.D3-C.D5."""

from __future__ import annotations

from battles.engine.core import squares
from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery import ramming, safety
from battles.engine.rulesets.cordery.play import Move, Orders, Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.steering import AHEAD, TURNS, begun, held


def move(battle: Battle, play: Play, side: str) -> None:
    """All ships of a side move, one at a time in the order their captain likes. Rules: C.S8, C.S9."""
    orders = {code: row for code, row in play.orders.items() if battle.ships[code].side == side}
    given = {code: row.move for code, row in orders.items() if row.move is not None}
    captain = play.captains.get(side)
    planned = captain.moves(play.views[side], given) if captain is not None else []
    moves = {one.ship: one for one in planned}
    for code, ship in battle.ships.items():
        if ship.side == side:
            moves.setdefault(code, Move(code, ""))
    for code, one in moves.items():
        ship = battle.ships[code]
        if ship.side == side and ship.afloat:
            _go(battle, play, ship, _settled(battle, play, ship, one, orders.get(code)))


def _settled(battle: Battle, play: Play, ship: Ship, wished: Move, orders: Orders | None) -> Move:
    """What a ship will try: her orders as far as they are legal, else her captain's wish. Rules: C.M6, C.M11, C.D3, C.D4, C.D5, C.R11."""
    forced = held(ship)
    asked = wished.actions if orders is None or orders.move is None else orders.move
    ram = wished.ram if orders is None or orders.move is None else orders.ram
    ordered = orders is not None and orders.move is not None
    if forced is not None:
        if ordered and asked != forced:
            _refuse(play, ship, asked, "C.M6", "order/locked")
        return Move(ship.id, forced, True)
    found = begun(asked, ship.allowance, ship.last_action)
    if ship.lock_rudder:
        found = found[: len(found) - len(found.lstrip(AHEAD))]
    if ordered and found != asked:
        locked = ship.lock_rudder and found != begun(asked, ship.allowance, ship.last_action)
        _refuse(play, ship, asked, *(("C.M6", "order/locked") if locked else ("C.M11", "order/illegal-move")))
    if ship.breaking_off:
        if ram and ordered:
            _refuse(play, ship, "ram", "C.D4", "order/no-aggression")
        ram = False
        if not ship.lock_rudder:
            allowed = safety.moves(battle, ship)
            if allowed and found not in allowed:
                if ordered:
                    _refuse(play, ship, asked, "C.D3", "order/breaking-off")
                found = allowed[0]
    return Move(ship.id, found, ram)


def _refuse(play: Play, ship: Ship, token: str, clause: str, code: str) -> None:
    play.tell("refused", clause, ship.id, token=token or "-", code=code)


def _go(battle: Battle, play: Play, ship: Ship, wanted: Move) -> None:
    """Make a movement, area by area; it ends at a ship, at land, and at the board's edge.

    Rules: C.M2, C.M7, C.M8, C.M9, C.M10, C.R1, C.R2.
    """
    path = [[ship.x, ship.y, ship.h]]
    spent = 0
    last = ""
    closed, was_aground = battle.closed(ship), ship.aground
    rammed: Ship | None = None
    left = False
    for action in wanted.actions:
        if action == AHEAD:
            to = squares.step(ship.pos, ship.h)
            if not battle.on_board(to):
                left = True
                break
            if to in closed:
                ship.aground = ship.lock_bridge > 0
                break
            rammed = battle.at.get(to)
            if rammed is not None:
                break
            battle.put(ship, to)
        else:
            ship.h = squares.turned(ship.h, TURNS[action])
        last = action
        spent += 1
        path.append([ship.x, ship.y, ship.h])
    ship.last_action = last
    if not ship.lock_bridge:
        ship.last_spent = spent
    play.moved.add(ship.id)
    if len(path) > 1:
        play.tell("moved", "C.M2", ship.id, path=path, tokens=wanted.actions[:spent])
    if left:
        _leave(battle, play, ship)
    elif ship.aground and not was_aground:
        play.tell("aground", "C.M10", ship.id)
    if rammed is not None and wanted.ram:
        ramming.ram(battle, play, ship, rammed)


def _leave(battle: Battle, play: Play, ship: Ship) -> None:
    """Gone over an edge for good: broken off over her own, or left. Rules: C.M9, C.K1."""
    over = _edge(battle, squares.step(ship.pos, ship.h))
    status = Status.BROKE_OFF if ship.breaking_off and battle.safe[ship.side] in over else Status.LEFT
    battle.remove(ship, status)
    play.tell("left", "C.M9", ship.id, safe=status is Status.BROKE_OFF)


def _edge(battle: Battle, at: Square) -> set[str]:
    """The edges beyond which an area lies."""
    (x, y), (west, south, east, north) = at, battle.board
    found = (
        ("west", west is not None and x < west),
        ("south", south is not None and y < south),
        ("east", east is not None and x > east),
        ("north", north is not None and y > north),
    )
    return {name for name, beyond in found if beyond}


def tick(battle: Battle) -> None:
    """Counters of the movement phase that is over: course locks, and ships at anchor. Rules: C.S10, C.H2, C.T6, C.K31."""
    for ship in battle.in_play():
        ship.lock_bridge = max(0, ship.lock_bridge - 1)
        ship.lock_rudder = max(0, ship.lock_rudder - 1)
        ship.anchored = max(0, ship.anchored - 1)
