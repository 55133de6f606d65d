"""The plans of a side for one move: what each squadron is about, in what order it sails, and where it makes for.

The rear and the middle of the enemy's line are attacked, so that its van has to come back against the wind. Section 12.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from battles.engine.core import plane
from battles.engine.core.plane import Point, unit
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas.captain.scene import THOUSANDTH, Foe, Scene
from battles.engine.rulesets.thomas.sailing import sailing_crew
from battles.engine.rulesets.thomas.state import Ship, SquadronState
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from battles.engine.rulesets.thomas.view import View

# A squadron told to hold its place fights when an enemy is so near, or when friends in action are; one in a fight is no longer bound
# to its line.
ROUSED = 14_000
IN_ACTION = 12_000
_HELP = 22_000
# A line of fewer is gone for wherever it is nearest.
A_LINE = 6
ATTENDANTS = frozenset({Kind.FRIGATE, Kind.SMALL, Kind.PINNACE})
_UPWIND = 4_000
_NEVER = 100


class Mode(StrEnum):
    """What a squadron is about. ATTEND: craft too small for the line, which help and keep clear."""

    FIGHT = "fight"
    HOLD = "hold"
    AWAY = "away"
    ATTEND = "attend"


@dataclass(slots=True)
class Plan:
    """One squadron's plan. line: ships that can sail, in sailing order; ahead: the next ahead of each. aim: where its head makes for."""

    squadron: str
    mode: Mode
    doctrine: Doctrine
    line: tuple[str, ...]
    ahead: dict[str, str] = field(default_factory=dict)
    aim: Point | None = None


@dataclass(slots=True)
class Fleet:
    """How the side stands. lost: % of its flotation; mine, theirs: weight of fire left within 4 inches; centre: of the enemy."""

    lost: int
    mine: int
    theirs: int
    centre: Point | None

    @property
    def outgunned(self) -> bool:
        """Whether the enemy has as much fire left."""
        return self.theirs >= self.mine

    @property
    def master(self) -> bool:
        """Whether it has less than half."""
        return 2 * self.theirs < self.mine

    def beaten(self, break_off: int) -> bool:
        """Whether as much is lost as instructions bear and the enemy is the stronger, or half of that and he is twice as strong."""
        mastered = 2 * self.lost >= break_off and self.theirs > 2 * self.mine
        return mastered or (self.lost >= break_off and self.outgunned)


def standing_of(view: View, scene: Scene) -> Fleet:
    """What both sides have left."""
    whole = left = 0
    for squadron in view.squadrons:
        for code in squadron.ships:
            ship = _own(view, code)
            if ship is not None and (not squadron.arrives or squadron.arrives <= view.move):
                whole += ship.flot_max
                left += ship.flot if ship.fighting else 0
        whole += sum(_gone(view, code) for code in squadron.ships)
    fighting = [ship for ship in scene.own if ship.fighting]
    mine = sum(3 * len(ship.standing()) // 2 for ship in fighting)
    foes = scene.foes.values()
    centre = _middle([foe.position for foe in foes]) if foes else None
    return Fleet(
        100 * (whole - left) // max(1, whole), mine, sum(foe.fire[0] + foe.ahead[0] for foe in foes), centre
    )


def _gone(view: View, code: str) -> int:
    """Flotation of a ship of ours that flies other colours now."""
    return 0 if _own(view, code) is not None else view.other(code).tons // 20


def _own(view: View, code: str) -> Ship | None:
    try:
        return view.own(code)
    except KeyError:
        return None


def _middle(points: Collection[Point]) -> Point:
    return sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)


def make_plans(view: View, scene: Scene, fleet: Fleet) -> dict[str, Plan]:
    """Plans of all squadrons on the table, by id."""
    present = {ship.id: ship for ship in scene.own if ship.fighting}
    heavy = any(ship.kind is Kind.LINE for ship in present.values())
    marks = worth_going_for(list(scene.foes.values()))
    plans = {}
    for squadron in view.squadrons:
        ships = [present[code] for code in squadron.ships if code in present]
        if ships:
            plans[squadron.id] = _plan(view, scene, fleet, squadron, ships, marks, heavy=heavy)
    return plans


def _plan(
    view: View,
    scene: Scene,
    fleet: Fleet,
    squadron: SquadronState,
    ships: list[Ship],
    marks: list[Foe],
    *,
    heavy: bool,
) -> Plan:
    doctrine = squadron.doctrine
    sailing = [ship for ship in ships if can_sail(ship)]
    # who has done with fighting gets away, and would take with her whoever follows her
    line = sailing_order([ship for ship in sailing if not worn_out(ship)] or sailing)
    mode = _mode(scene, fleet, doctrine, ships)
    if heavy and mode is not Mode.AWAY and all(ship.kind in ATTENDANTS for ship in ships):
        mode = Mode.ATTEND
    others = [ship for ship in sailing if ship not in line]
    plan = Plan(squadron.id, mode, doctrine, tuple(ship.id for ship in [*line, *others]))
    general = doctrine.chase == "general" and fleet.master and mode is Mode.FIGHT
    # In light airs a line that comes up ship by ship is beaten ship by ship: they go abreast.
    abreast = view.strength <= WindForce.LIGHT and mode is Mode.FIGHT
    if not general and not abreast:
        plan.ahead = {b.id: a.id for a, b in zip(line, line[1:], strict=False)}
    if line and marks:
        plan.aim = _aim(view, doctrine, line[0], marks)
    return plan


def can_sail(ship: Ship) -> bool:
    """Whether she can be expected in a line: masts, men and nothing that holds her. Rules: T.B5d, T.O5."""
    return not (ship.dismasted or ship.grapples or ship.on_fire or ship.anchored or ship.towed_by) and (
        ship.crew >= sailing_crew(ship) or ship.under_oars
    )


def worn_out(ship: Ship) -> bool:
    """Whether she can do no more with her guns: none is left, or a quarter of her flotation is. Section 12."""
    return not ship.standing() or 4 * ship.flot <= ship.flot_max


def sailing_order(ships: list[Ship]) -> list[Ship]:
    """From the head of the line to its tail, as they head now: list order, or the other way about after they have turned."""
    if len(ships) < 2:
        return ships
    first, last = ships[0], ships[-1]
    along = 0
    for ship in ships:
        sin, cos = unit(ship.heading)
        along += (first.x - last.x) * (sin // THOUSANDTH) + (first.y - last.y) * (cos // THOUSANDTH)
    return ships if along >= 0 else ships[::-1]


def _mode(scene: Scene, fleet: Fleet, doctrine: Doctrine, ships: Sequence[Ship]) -> Mode:
    """Away when told to avoid action, or when beaten; whoever holds its place fights when roused. Rule: G.MV5."""
    if doctrine.stance is Stance.AVOID or (doctrine.break_off < _NEVER and fleet.beaten(doctrine.break_off)):
        return Mode.AWAY
    if doctrine.stance is Stance.HOLD and not _roused(scene, doctrine, ships):
        return Mode.HOLD
    return Mode.FIGHT


def _roused(scene: Scene, doctrine: Doctrine, ships: Sequence[Ship]) -> bool:
    """Whether a squadron that holds its place has to fight: an enemy comes near, or friends whom it can help are in action.

    Who covers a convoy stays with it.
    """
    if any(_nearest(scene, ship) <= ROUSED for ship in ships):
        return True
    if doctrine.protect:
        return False
    engaged = [ship for ship in scene.own if ship.fighting and _nearest(scene, ship) <= IN_ACTION]
    return any(
        ship.squadron != friend.squadron and plane.within(ship.position, friend.position, _HELP)
        for ship in ships
        for friend in engaged
    )


def _nearest(scene: Scene, ship: Ship) -> int:
    """How far the nearest enemy is, as far as she looks."""
    row = scene.near.get(ship.id)
    return row[0][0] if row else 10**6


def worth_going_for(foes: list[Foe]) -> list[Foe]:
    """Enemies to be gone for: of a line all but its van, the third that leads on the course most of them steer."""
    steering = [foe for foe in foes if foe.mobile]
    if len(steering) < A_LINE:
        return foes
    sin, cos = sum(foe.sin for foe in steering), sum(foe.cos for foe in steering)
    if 2 * (abs(sin) + abs(cos)) < 1_000 * len(steering):
        return foes
    by_van = sorted(steering, key=lambda foe: (-(foe.x * sin + foe.y * cos), foe.id))
    van = {foe.id for foe in by_van[: len(by_van) // 3]}
    return [foe for foe in foes if foe.id not in van]


def _aim(view: View, doctrine: Doctrine, head: Ship, marks: list[Foe]) -> Point:
    """The enemy nearest to the head of the squadron, or to the ships it is to cover, and which side of it to keep to. Rule: G.MV5."""
    guarded = [ship for code in doctrine.protect if (ship := _own(view, code)) is not None and ship.afloat]
    here = _middle([ship.position for ship in guarded]) if guarded else head.position
    mark = min(marks, key=lambda foe: (plane.distance(here, foe.position), foe.id))
    if doctrine.gauge == "any" or plane.within(head.position, mark.position, 2 * _UPWIND):
        return mark.position
    way = view.wind_from if doctrine.gauge == "windward" else plane.turned(view.wind_from, plane.STRAIGHT)
    return plane.advance(mark.position, way, _UPWIND)
