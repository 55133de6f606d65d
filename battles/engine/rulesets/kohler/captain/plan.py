"""A squadron's plan for the turn: which enemies to go for or to get away from, in what order to sail, at what range to fight.

Made once a turn from what the side sees, so that a ship's own choice is quick. Guidance: K.AI1, K.AI2, K.AI4, K.AI11.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from battles.engine.core.hexes import STEPS, Hex, distance
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.kohler.captain.odds import own_points, their_points
from battles.engine.rulesets.kohler.state import Ship, SquadronState, Status
from battles.engine.rulesets.kohler.view import Seen, View, estimate

# A broadside so many times the enemy's gains by keeping off (K.AI1), in %.
HEAVY = 140
OPENING = 7
# How far from the middle of her squadron a ship may be to find all her enemies in the plan, and the farthest she can meet one:
# two runs of five hexes and four of gunshot.
STRAY, MEET = 7, 14


class Mode(StrEnum):
    """What a squadron is about."""

    FIGHT = "fight"
    HOLD = "hold"
    AWAY = "away"


@dataclass(slots=True)
class Band:
    """Enemies of one squadron in sight, with their middle and how far off it the farthest lies."""

    id: str
    ships: list[Seen]
    centre: Hex
    spread: int
    points: int


class Fleet(NamedTuple):
    """How the whole side stands.

    lost: % of its hull. outgunned: the enemy in sight has at least as many guns left. master: it has less than half of ours.
    in_action: a ship of ours has been hit in this battle, or has hit.
    """

    lost: int
    outgunned: bool
    master: bool
    in_action: bool


@dataclass(slots=True)
class Plan:
    """One squadron's plan. line: own ships that can sail, in sailing order. ahead: the next ship in the line, by ship.

    aim: the hex to make for (or to get away from). keep_off: fight at 2 to 4 hexes rather than close. board: allowed; picky: only
    enemies that are crippled; by_guns: the squadron boards no sound ship, and so fights with its guns from the line.
    course: the reach the line is to fight on, -1 for none. near: all enemies that a ship within STRAY hexes of the centre can meet.
    A commander adds: covered, ships that others protect; crippled ships, where friends and prizes lie helpless; windward, the direction
    to gain on the enemy, -1 for none. least, most: the hexes from the nearest enemy between which to stay; bound when the
    instructions say so. formed: the line is kept close, as no one of the squadron is in contact with an enemy yet; slack: its
    widest gap, in hexes too many; level: of damage of its slowest ship (K.D6). in_line: it keeps the side's line of battle (`fleet`),
    on its course, at its pace in hexes a turn. flag_leaves: the flagship is so hurt that she hauls out, and no one keeps near her.
    """

    squadron: str
    mode: Mode
    aim: Hex | None
    line: tuple[str, ...]
    flagship: str
    band: Band | None = None
    ahead: dict[str, str] = field(default_factory=dict)
    keep_off: bool = False
    board: bool = True
    picky: bool = False
    course: int = -1
    centre: Hex = (0, 0)
    near: list[Seen] = field(default_factory=list)
    covered: frozenset[str] = frozenset()
    cripples: list[Hex] = field(default_factory=list)
    windward: int = -1
    least: int = 0
    most: int = 2
    bound: bool = False
    formed: bool = False
    slack: int = 0
    level: int = 0
    by_guns: bool = False
    in_line: bool = False
    pace: int = 9
    flag_leaves: bool = False


def middle(cells: list[Hex]) -> Hex:
    """The hex nearest to the mean of some hexes."""
    n = len(cells)
    return (2 * sum(q for q, _ in cells) + n) // (2 * n), (2 * sum(r for _, r in cells) + n) // (2 * n)


def bands(view: View) -> list[Band]:
    """Enemies in sight that still sail or fight, by squadron."""
    groups: dict[str, list[Seen]] = {}
    for seen in view.enemies():
        if not seen.fired:
            groups.setdefault(f"{seen.flag}/{seen.squadron}", []).append(seen)
    return [_band(code, ships) for code, ships in groups.items()]


def _band(code: str, ships: list[Seen]) -> Band:
    cells = [ship.pos for ship in ships]
    centre = middle(cells)
    return Band(code, ships, centre, max(distance(centre, c) for c in cells), sum(map(their_points, ships)))


def make_plans(view: View, enemy: list[Band] | None = None, *, beaten: int = 100) -> dict[str, Plan]:
    """Plans of all own squadrons on the board, by squadron id. enemy: its squadrons in sight, where they are known already.

    beaten: % of the loss its instructions bear at which a side that is outgunned gets away.
    """
    enemy = bands(view) if enemy is None else enemy
    fleet = side_of(view, enemy)
    chosen: dict[str, int] = {}
    plans: dict[str, Plan] = {}
    for squadron in view.squadrons():
        ships = [s for code in squadron.ships if (s := _mine(view, code)) is not None]
        if ships:
            plans[squadron.id] = _plan(view, fleet, squadron, ships, enemy, chosen, beaten)
    return plans


def _mine(view: View, code: str) -> Ship | None:
    try:
        ship = view.own(code)
    except KeyError:
        return None
    return ship if ship.status is Status.AFLOAT else None


def _plan(
    view: View,
    fleet: Fleet,
    squadron: SquadronState,
    ships: list[Ship],
    enemy: list[Band],
    chosen: dict[str, int],
    beaten: int,
) -> Plan:
    doctrine = squadron.doctrine
    line = _sailing_order(ships)
    flagship = next((s for s in ships if s.is_flagship), ships[0])
    centre = middle([s.pos for s in ships])
    band = _opponent(centre, enemy, chosen, _guarded(view, doctrine))
    mode = _mode(fleet, squadron, band, centre, beaten)
    # A general chase frees every ship from her place in the line once the enemy is beaten.
    general = doctrine.chase == "general" and fleet.master and mode is Mode.FIGHT
    plan = Plan(
        squadron=squadron.id,
        mode=mode,
        aim=None,
        line=tuple(s.id for s in line),
        flagship=flagship.id,
        band=band,
        ahead={} if general else {b.id: a.id for a, b in zip(line, line[1:], strict=False)},
        keep_off=band is not None and _keeps_off(doctrine, ships, band),
        board=doctrine.boards and mode is Mode.FIGHT,
        picky=doctrine.board == "crippled",
        by_guns=doctrine.board != "pays",
        centre=centre,
        near=[s for b in enemy if distance(centre, b.centre) <= STRAY + MEET + b.spread for s in b.ships],
    )
    if plan.keep_off:
        plan.least, plan.most = 2, 4
    if band is not None:
        if line:
            plan.course = _course(view, line[0], band)
        plan.aim = _aim(view, doctrine, plan, centre, band)
        chosen[band.id] = chosen.get(band.id, 0) + len(ships)
    return plan


def _sailing_order(ships: list[Ship]) -> list[Ship]:
    """Ships that can make sail, from the head of the line to its tail as they head now. Guidance: K.AI2."""
    able = [s for s in ships if not s.disabled and not s.prize_of and not s.aground and not s.fired]
    if len(able) > 1:
        first, last = able[0].pos, able[-1].pos
        along = 0
        for ship in able:
            uq, ur = STEPS[ship.facing]
            dq, dr = first[0] - last[0], first[1] - last[1]
            along += 2 * (dq * uq + dr * ur) + dq * ur + dr * uq
        if along < 0:
            able.reverse()
    return able


def _course(view: View, head: Ship, band: Band) -> int:
    """The reach nearest to how the head of the line lies now; of two equally near the one towards the enemy. Guidance: K.AI2."""
    dq, dr = band.centre[0] - head.pos[0], band.centre[1] - head.pos[1]

    def cost(course: int) -> tuple[int, int]:
        turn = (course - head.facing) % 6
        uq, ur = STEPS[course]
        return min(turn, 6 - turn), -(2 * (dq * uq + dr * ur) + dq * ur + dr * uq)

    return min(((view.upwind + 2) % 6, (view.upwind + 4) % 6), key=cost)


def _guarded(view: View, doctrine: Doctrine) -> Hex | None:
    """The middle of the ships to be covered, None when there are none left. Rule: G.MV5."""
    cells = [ship.pos for code in doctrine.protect if (ship := _mine(view, code)) is not None]
    return middle(cells) if cells else None


def _opponent(centre: Hex, enemy: list[Band], chosen: dict[str, int], guarded: Hex | None) -> Band | None:
    """The enemy squadron to go for: the nearest (to those we cover, if any), rather one not yet taken on by enough of ours."""
    here = guarded or centre

    best, least = None, 10**9
    for band in enemy:
        cost = distance(here, band.centre)
        if cost < least:
            cost += max(0, chosen.get(band.id, 0) - 2 * len(band.ships))
            if cost < least:
                best, least = band, cost
    return best


def side_of(view: View, enemy: list[Band]) -> Fleet:
    """How the whole side stands against the enemy in sight. Guidance: K.AI11."""
    hulls = [view.hull_of(squadron) for squadron in view.squadrons() if squadron.arrives <= view.turn]
    left, whole = sum(h[0] for h in hulls), sum(h[1] for h in hulls)
    ships = view.own_ships()
    guns = sum(map(own_points, ships))
    theirs = sum(band.points for band in enemy)
    in_action = any(ship.hits_given or ship.hits_taken for ship in ships)
    return Fleet(100 * (whole - left) // max(1, whole), guns <= theirs, guns > 2 * theirs, in_action)


def _mode(fleet: Fleet, squadron: SquadronState, band: Band | None, centre: Hex, beaten: int) -> Mode:
    """Fight, stand or get away: away when the fleet has lost as much as its instructions bear and is not winning even so.

    beaten: % of that loss at which a fleet that fights in line goes while it can; in a melee it would only be caught.

    Rules: G.MV5, K.AI11.
    """
    doctrine = squadron.doctrine
    if doctrine.stance is Stance.AVOID:
        return Mode.AWAY
    share = 100 if doctrine.board == "pays" else beaten
    if 100 * fleet.lost >= share * doctrine.break_off and doctrine.break_off < 100 and fleet.outgunned:
        return Mode.AWAY
    if doctrine.stance is Stance.HOLD and band is not None and distance(centre, band.centre) > OPENING:
        return Mode.HOLD
    return Mode.FIGHT


def _keeps_off(doctrine: Doctrine, ships: list[Ship], band: Band) -> bool:
    """Whether the squadron gains by keeping to 2-4 hexes: by order, or because its broadsides are much the heavier. K.AI1."""
    if doctrine.fight_at != "best":
        return doctrine.fight_at == "long"
    mine = sum(ship.fire_track[0] for ship in ships) * len(band.ships)
    hers = sum(estimate(seen).fire_track[0] for seen in band.ships) * len(ships)
    return 100 * mine >= HEAVY * hers


def _aim(view: View, doctrine: Doctrine, plan: Plan, centre: Hex, band: Band) -> Hex:
    """Where the head of the line steers: at the enemy, until near on the side of the wind that the instructions want."""
    q, r = band.centre
    if plan.mode is Mode.FIGHT and doctrine.gauge != "any" and distance(centre, band.centre) > OPENING:
        side = view.upwind if doctrine.gauge == "windward" else view.wind
        return q + 4 * STEPS[side][0], r + 4 * STEPS[side][1]
    return q, r
