"""Where everyone is at the moment a side moves: enemies as judged by eye from the nearest own ship, prizes, neighbours. Rule: T.S18."""

from __future__ import annotations

from dataclasses import dataclass, field

from battles.engine.core.plane import Point, advance, unit
from battles.engine.rulesets.thomas.captain import guess
from battles.engine.rulesets.thomas.captain.guess import Fire
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from battles.engine.rulesets.thomas.view import Seen, View

# How far a ship looks for those she may have to do with this move: gunshot, and the run of a fast one in this wind.
LOOK = {WindForce.CALM: 16_000, WindForce.LIGHT: 17_000, WindForce.MEDIUM: 25_000, WindForce.STRONG: 34_000}
GUNSHOT = 16_000
THOUSANDTH = 10**6
# Two thirds of what the eye may be out: half an inch of distance, and five degrees of bearing, in thousandths of the distance.
_SLIP, _YAW = 333, 58


class Foe:
    """An enemy who fights: where she seems to be, and what is thought of her. men: fighters; company: friends of hers near.

    doubt: how far from there she may well be, for she was judged by eye. choice: ships of ours in her gunshot.
    """

    __slots__ = (
        "ahead", "beam", "boarded_by", "choice", "company", "cos", "crippled", "doubt", "fire", "heading", "id", "length", "men", "mobile",
        "quarters", "seen", "sin", "x", "y",
    )  # fmt: skip

    def __init__(self, seen: Seen, where: Point, far: int, *, nelson: bool) -> None:
        self.id = seen.id
        self.seen = seen
        self.x, self.y = where
        self.doubt = _SLIP + far * _YAW // 1_000
        self.heading = seen.heading
        sin, cos = unit(seen.heading)
        self.sin, self.cos = sin // THOUSANDTH, cos // THOUSANDTH
        self.length = guess.length_of(seen.kind, seen.tons, nelson=nelson)
        self.beam = self.length // (7 if seen.kind in (Kind.GALLEY, Kind.GALLEASSE) else 4)
        self.quarters = min(3, seen.quarters_lost)
        silent = seen.on_fire or seen.prize
        self.fire: Fire = (
            guess.NO_FIRE if silent else guess.broadside(seen.kind, seen.guns, self.quarters, nelson=nelson)
        )
        self.ahead: Fire = guess.NO_FIRE if silent else guess.bow_fire(seen.kind, self.quarters)
        self.men = guess.men_of(seen, nelson=nelson)
        self.crippled = guess.crippled(seen, nelson=nelson)
        self.mobile = not (seen.dismasted or seen.on_fire or seen.anchored or seen.grappled_to)
        self.company = self.choice = 0
        self.boarded_by = 0

    @property
    def position(self) -> Point:
        """Where she seems to be."""
        return self.x, self.y


@dataclass(slots=True)
class Struck:
    """A ship that has hauled down her colours to us and is not secured yet."""

    id: str
    x: int
    y: int
    seen: Seen


@dataclass(slots=True)
class Scene:
    """One side's picture. near: enemies within a look of each own ship, the nearest first, with their distance."""

    foes: dict[str, Foe] = field(default_factory=dict)
    struck: dict[str, Struck] = field(default_factory=dict)
    burning: list[Point] = field(default_factory=list)
    near: dict[str, list[tuple[int, Foe]]] = field(default_factory=dict)
    own: list[Ship] = field(default_factory=list)


def look_about(view: View) -> Scene:
    """Judge every enemy from the own ship that has her nearest, or else from the first of the side. Rule: T.S18."""
    scene = Scene(own=view.own_ships())
    eyes = [ship for ship in scene.own if not ship.struck]
    rows: dict[str, list[tuple[int, str]]] = {}
    best: dict[str, tuple[int, Ship, int]] = {}
    seen_near: dict[str, Seen] = {}
    for ship in eyes:
        mine = []
        for seen in view.near(ship.id, LOOK[view.strength]):
            sight = view.look(ship.id, seen.id)
            mine.append((sight.distance, seen.id))
            seen_near[seen.id] = seen
            last = best.get(seen.id)
            if last is None or sight.distance < last[0]:
                best[seen.id] = sight.distance, ship, sight.bearing
        mine.sort()
        rows[ship.id] = mine
    if eyes:
        for seen in view.others():
            if seen.id not in best:
                sight = view.look(eyes[0].id, seen.id)
                best[seen.id] = sight.distance, eyes[0], sight.bearing
                seen_near[seen.id] = seen
    for code, (distance, ship, bearing) in best.items():
        _add(view, scene, seen_near[code], advance(ship.position, bearing, distance), distance)
    for code, row in rows.items():
        scene.near[code] = [(far, scene.foes[foe]) for far, foe in row if foe in scene.foes]
        for far, foe in scene.near[code]:
            foe.choice += far <= GUNSHOT
    scene.burning += [ship.position for ship in scene.own if ship.on_fire]
    return scene


def _add(view: View, scene: Scene, seen: Seen, where: Point, far: int) -> None:
    if seen.on_fire:
        scene.burning.append(where)
    if seen.struck and not seen.secured:
        scene.struck[seen.id] = Struck(seen.id, *where, seen)
        return
    scene.foes[seen.id] = Foe(seen, where, far, nelson=view.nelson)
