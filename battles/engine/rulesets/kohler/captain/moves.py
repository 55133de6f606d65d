"""What a ship can do in one activation: every useful token string with where it ends, reckoned once and kept.

A string depends only on facing, wind, the six allowances and the qualities, so the lists are cached relative to the ship's hex;
whether a hex on the way is free is asked of the view when the list is used. The rules still check every token (K.M31).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from battles.engine.core.hexes import STEPS, Hex
from battles.engine.rulesets.kohler.passage import ALLOWANCES
from battles.engine.rulesets.kohler.state import Helm, LockKind, Ship, WindForce
from battles.engine.rulesets.kohler.view import BARRED, View

MOST_TURNS = 2


class Move(NamedTuple):
    """One way to spend an activation. tokens: K.M31. cells: hexes entered, relative to her own. end: where she lies then, drift
    included. facing: then. drifts: whether the last step is drift. enters: hexes entered under sail."""

    tokens: tuple[str, ...]
    cells: tuple[Hex, ...]
    end: Hex
    facing: int
    drifts: bool
    enters: int


class Qualities(NamedTuple):
    """What decides the list of moves. start: "" or "caught", "hove_to", "disabled", "port", "starboard" and "no_turn" (helm
    hit), "jammed" and "spun" (helm hit and no way on: nothing to choose), "still", "pivot"."""

    facing: int
    wind: int
    allowances: tuple[int, ...]
    handy: bool
    unhandy: bool
    start: str
    drift: bool
    light: bool


def moves(view: View, ship: Ship) -> tuple[Move, ...]:
    """The moves open to an own ship now, as far as she alone is concerned; the first is to do nothing. Rules: K.M4-K.M21."""
    if any(lock.kind is LockKind.GRAPPLE for lock in ship.locks) or ship.aground or view.at_anchor(ship):
        return (_STAY,)
    return listed(qualities(view, ship))


def on_the_spot(view: View, ship: Ship) -> tuple[Move, ...]:
    """The turns without moving of a ship whose way ahead is barred. Rule: K.M33."""
    if ship.is_handy or ship.caught_in_irons or ship.helm is not Helm.SOUND or ship.locks or ship.aground:
        return ()
    row = ALLOWANCES[view.strength][ship.move_level][ship.is_fast]
    step = STEPS[ship.facing]
    if not row[(ship.facing - view.wind - 3) % 6] or ship.disabled:
        return ()
    if view.entry((ship.pos[0] + step[0], ship.pos[1] + step[1]), ship) != BARRED:
        return ()
    drifts = view.strength in (WindForce.NORMAL, WindForce.STRONG)
    end = STEPS[view.wind] if drifts else (0, 0)
    return tuple(
        Move((token,), (), end, (ship.facing + by) % 6, drifts, 0) for by, token in ((-1, "P"), (1, "S"))
    )


def qualities(view: View, ship: Ship) -> Qualities:
    """The facts on which her list of moves depends. Rules: K.M15, K.M19, K.M20, K.M21, K.A2.4."""
    strength = view.strength
    wind = view.wind
    row = ALLOWANCES[strength][ship.move_level][ship.is_fast]
    allowances = _TURNED[wind](row)
    start = ""
    if strength is WindForce.STILL:
        start = "pivot" if ship.disabled or ship.prize_of else "still"
    elif ship.disabled:
        start = "disabled" if ship.helm is Helm.SOUND else "jammed"
    elif ship.caught_in_irons and (ship.facing - wind) % 6 == 3:
        start = "caught" if ship.helm is Helm.SOUND else ship.helm.value
    elif allowances[ship.facing] == 0:
        start = "hove_to" if ship.helm is Helm.SOUND else "jammed" if ship.helm is Helm.NO_TURN else "spun"
    elif ship.helm is not Helm.SOUND:
        start = ship.helm.value
    return Qualities(
        facing=ship.facing,
        wind=wind,
        allowances=allowances,
        handy=ship.is_handy,
        unhandy=ship.unhandy,
        start=start,
        drift=strength in (WindForce.NORMAL, WindForce.STRONG),
        light=strength is WindForce.LIGHT,
    )


def _turner(wind: int) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """Allowances by attitude become allowances by facing. Rule: K.M2."""
    order = [(facing - wind - 3) % 6 for facing in range(6)]
    return lambda row: tuple(row[rel] for rel in order)


_TURNED = tuple(_turner(wind) for wind in range(6))
_STAY = Move((), (), (0, 0), 0, False, 0)


@lru_cache(maxsize=20000)
def listed(q: Qualities) -> tuple[Move, ...]:
    """The list of moves for these facts, one for every different end, shortest orders first."""
    found: dict[tuple[Hex, int, bool], Move] = {}
    for move in sorted(_all(q), key=lambda m: (len(m.tokens), m.tokens)):
        found.setdefault((move.end, move.facing, move.drifts), move)
    return tuple(found.values())


def _still(q: Qualities, facing: int, tokens: tuple[str, ...], *, drifts: bool) -> Move:
    """A move that enters no hex: she drifts where the wind lets her and the rules do not spare her. Rules: K.M12, K.M15."""
    end = STEPS[q.wind] if drifts and q.drift else (0, 0)
    return Move(tokens, (), end, facing % 6, drifts and q.drift, 0)


def _all(q: Qualities) -> list[Move]:
    f = q.facing
    if q.start in ("still", "pivot"):
        found = [
            _still(q, f + turn, token, drifts=False) for turn, token in ((0, ()), (-1, ("P",)), (1, ("S",)))
        ]
        if q.start == "still":
            found += [Move((f"W{d}",), (STEPS[d],), STEPS[d], f, False, 1) for d in range(6)]
        return found
    if q.start in ("jammed", "spun"):
        return [_still(q, f, (), drifts=q.start == "jammed")]
    if q.start == "disabled":
        return [_still(q, f + turn, t, drifts=True) for turn, t in ((0, ()), (-1, ("P",)), (1, ("S",)))]
    if q.start == "hove_to":
        return [
            _still(q, f, (), drifts=True),
            _still(q, f - 1, ("P",), drifts=False),
            _still(q, f + 1, ("S",), drifts=False),
        ]
    if q.start in ("port", "starboard"):
        return _helm_forced(q, (f + (1 if q.start == "starboard" else -1)) % 6)
    found = [_still(q, f, (), drifts=True)]
    if q.start == "no_turn":
        _run(q, found, (), f, f, turns=9)
        return found
    if q.start == "caught":
        for by, token in ((-1, "P"), (1, "S")):
            found.append(_still(q, f + by, (token,), drifts=True))
            _run(q, found, (token,), (f + by) % 6, (f + by) % 6, turns=0)
        return found
    _run(q, found, (), f, f, turns=0)
    if q.handy:
        for by, token in _turns(q, f):
            new = (f + by) % 6
            found.append(_still(q, new, (token,), drifts=True))
            _run(q, found, (token,), new, new, turns=1)
    return found


def _helm_forced(q: Qualities, facing: int) -> list[Move]:
    """The rules turn her before anything else; she must then go one hex if she can. Rule: K.M21."""
    found: list[Move] = []
    if q.allowances[facing] == 0:
        return [_still(q, facing, (), drifts=True)]
    _run(q, found, (), facing, facing, turns=1)
    return found


def _turns(q: Qualities, facing: int) -> list[tuple[int, str]]:
    """The changes of facing after a hex entered: one hexside either way, or a tack from close hauled. Rules: K.M8, K.M9, K.A2.5."""
    found = [(-1, "P"), (1, "S")]
    if not q.light:
        rel = (facing - q.wind - 3) % 6
        if rel == 1:
            found.append((-2, "TP"))
        elif rel == 5:
            found.append((2, "TS"))
    return found


def _run(
    q: Qualities, found: list[Move], tokens: tuple[str, ...], first: int, facing: int, *, turns: int
) -> None:
    """All the ways to go on from the start of the run with this facing. Rules: K.M5-K.M11, K.M17."""
    most = 1 if q.unhandy else max(turns, MOST_TURNS)
    stack: list[tuple[tuple[str, ...], tuple[Hex, ...], Hex, int, int, int]] = [
        (tokens, (), (0, 0), facing, q.allowances[first], turns)
    ]
    while stack:
        orders, cells, pos, heading, cap, made = stack.pop()
        if len(cells) >= cap:
            continue
        step = STEPS[heading]
        cell = (pos[0] + step[0], pos[1] + step[1])
        gone, entered = (*orders, "A"), (*cells, cell)
        found.append(Move(gone, entered, cell, heading, False, len(entered)))
        stack.append((gone, entered, cell, heading, cap, made))
        if made < most:
            for by, token in _turns(q, heading):
                new = (heading + by) % 6
                found.append(Move((*gone, token), entered, cell, new, False, len(entered)))
                stack.append(((*gone, token), entered, cell, new, min(cap, q.allowances[new]), made + 1))
