"""Who is carried down wind, how far, and what happens when a drifter meets a ship or the shore. Rules: T.B6-T.B6g, T.B12m."""

from __future__ import annotations

from battles.engine.core.plane import unit
from battles.engine.rulesets.thomas import slaves
from battles.engine.rulesets.thomas.contact import carry, run, wreck
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import body, drifts, fighting_body
from battles.engine.rulesets.thomas.state import Adrift, Battle, Ship


def drift_all(battle: Battle, play: Play) -> None:
    """Step P4: the drifters of both sides, the most leeward first, ships in a fight as one body.

    Rules: T.B6, T.B6a, T.B6b, T.B6f, T.B12m, T.S17.
    """
    if not battle.drift:
        return
    drifters = [
        ship for ship in battle.afloat() if drifts(battle, ship) and not slaves.abandoned(battle, ship)
    ]
    bodies = _bodies(battle, drifters)
    for ships in bodies:
        # One of them may have been struck by a drifter in the meantime, or be gone.
        if all(ship.afloat for ship in ships) and not any(ship.run_into for ship in ships):
            drift_body(battle, play, ships)


def drift_idle_locks(battle: Battle, play: Play) -> None:
    """Last of step P6: ships still fast to each other, with no fight going on, drift together. Rule: T.B12m."""
    if not battle.drift:
        return
    idle = [
        ship
        for ship in battle.afloat()
        if ship.grapples and not ship.drifted and not fighting_body(battle, ship)
    ]
    for ships in _bodies(battle, idle):
        if not any(ship.drifted or ship.run_into or ship.anchored for ship in ships):
            drift_body(battle, play, ships)


def _bodies(battle: Battle, ships: list[Ship]) -> list[list[Ship]]:
    """Drifters with those who are fast to them, the most leeward body first, ties in ascending order. Rules: T.B6a, T.B12m."""
    seen: set[str] = set()
    rows: list[tuple[int, str, list[Ship]]] = []
    for ship in ships:
        if ship.id in seen:
            continue
        group = _with_tows(battle, body(battle, ship))
        seen.update(one.id for one in group)
        rows.append((-max(leeward(battle, one) for one in group), group[0].id, group))
    rows.sort(key=lambda row: row[:2])
    return [group for _, _, group in rows]


def _with_tows(battle: Battle, ships: list[Ship]) -> list[Ship]:
    """Ships and those in tow of them: a tower that drifts takes her tow with her. Rules: T.O3f, T.B12m."""
    return ships + [battle.ships[one.towing] for one in ships if one.towing]


def leeward(battle: Battle, ship: Ship) -> int:
    """How far down wind a ship lies, for comparison. Rule: T.B6a."""
    sin, cos = unit(battle.downwind)
    return ship.x * sin + ship.y * cos


def drift_body(battle: Battle, play: Play, ships: list[Ship]) -> None:
    """Carry ships that are fast to each other, or one alone, straight down wind until the first of them is stopped.

    A ship on whom they drift is adrift from now, unless they lay against her already; one that touches land is lost.
    Rules: T.B6, T.B6b, T.B6c, T.B12m, T.S22.
    """
    together = [ship.id for ship in ships]
    found = [
        (run(battle, ship, battle.downwind, battle.drift, ignoring=together, beam_on=True), ship)
        for ship in ships
    ]
    first, bow = min(found, key=lambda row: (row[0].length, row[0].met is None and not row[0].ashore))
    for ship in ships:
        start = [ship.x, ship.y, ship.heading]
        carry(battle, ship, battle.downwind, first.length)
        ship.drifted = True
        ship.stopped_short = first.met is not None
        play.tell(
            "drifted", "T.B6", ship.id, path=[start, [ship.x, ship.y, ship.heading]],
            stopped=first.met.id if first.met is not None else None,
        )  # fmt: skip
    if first.ashore:
        wreck(battle, play, bow)
    elif first.met is not None and first.length:
        _run_into(battle, play, first.met, bow)


def _run_into(battle: Battle, play: Play, struck: Ship, by: Ship) -> None:
    """The ship struck does not move this move and drifts from the next until she gets under way; drifters feel nothing.

    Rules: T.B6c, T.S22.
    """
    if struck.run_into or struck.drifted or drifts(battle, struck):
        return
    struck.run_into = True
    struck.adrift = Adrift.COLLISION
    torn = struck.anchored
    struck.anchored = struck.cutting_cable = False
    play.tell("run_into", "T.B6c", struck.id, by=by.id)
    if torn:
        play.tell("anchored", "T.S22", struck.id, cut=False, torn=True)


def drift_now(battle: Battle, play: Play, ship: Ship) -> None:
    """A ship that turned too near the wind, or could not bear away far enough, drifts in place of her leg. Rules: T.B7, T.B2g."""
    if battle.drift and not ship.drifted:
        drift_body(battle, play, _with_tows(battle, [ship]))
