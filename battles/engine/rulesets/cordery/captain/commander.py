"""The commander: squadrons in line ahead until they are at close quarters, fire where it does most, the ram for cripples.

Rules: C.Q4-C.Q13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battles.engine.core import squares
from battles.engine.core.parties import SquadronState
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.cordery import steering
from battles.engine.rulesets.cordery.captain import line, melee, targets
from battles.engine.rulesets.cordery.captain.plain import advance, forced_move
from battles.engine.rulesets.cordery.captain.scene import (
    AREA,
    AREA_IF_CHOSEN,
    IMPATIENT,
    OUT_OF_REACH,
    PATIENCE,
    TORPEDO_REACH,
    Scene,
    Wanted,
    outmatched,
    withdraws,
)
from battles.engine.rulesets.cordery.play import Move, Targets
from battles.engine.rulesets.cordery.steering import Pose, after, rank
from battles.engine.rulesets.cordery.view import Seen, View

# Best range in areas by what the doctrine asks, and an enemy's range at which a side that holds begins to manoeuvre. Rule: C.Q10.
RANGES = {"close": 3, "best": 4, "long": 8}
HOLDS_UNTIL = 12


class Commander:
    """The captain that plays by default."""

    name = "commander"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine

    def targets(self, view: View, weapons: tuple[str, ...], given: Targets) -> Targets:
        """Fire where it does most. Rules: C.Q1-C.Q3."""
        return targets.choose(view, weapons, given, nearest=False)

    def moves(self, view: View, given: Mapping[str, str]) -> list[Move]:
        """Squadron by squadron, leaders first. Rules: C.Q5, C.Q8-C.Q10."""
        scene = Scene(view)
        away = withdraws(view) and outmatched(view)
        found: list[Move] = []
        for squadron in view.squadrons():
            found += _squadron(scene, squadron, given, away)
        return found


def _squadron(scene: Scene, squadron: SquadronState, given: Mapping[str, str], away: bool) -> list[Move]:
    doctrine = scene.view.doctrine_of(squadron.id)
    ships = [ship for ship in scene.own if ship.squadron == squadron.id]
    away = away or doctrine.stance is Stance.AVOID
    found: list[Move] = []
    free: list[Seen] = []
    for ship in ships:
        forced = forced_move(scene, ship, given, away or ship.prize or ship.id in doctrine.protect)
        if forced is not None:
            found.append(advance(scene, ship, forced))
        else:
            free.append(ship)
    for ship in list(free):
        ram = scene.ramming(ship, only_stuck=doctrine.board == "crippled") if doctrine.boards else None
        if ram is not None:
            free.remove(ship)
            scene.go(ship, ram)
            found.append(Move(ship.id, ram, True))
    if _waits(scene, ships, doctrine):
        return found + [advance(scene, ship, _straight(scene, ship)) for ship in free]
    if doctrine.chase == "general" and _beaten(scene):
        return found + [advance(scene, ship, _alone(scene, ship, doctrine)) for ship in free]
    formed, pace = line.formed(scene, free)
    return found + _in_line(scene, formed, pace, [ship for ship in free if ship not in formed], doctrine)


def _in_line(
    scene: Scene, formed: list[Seen], pace: int, others: list[Seen], doctrine: Doctrine
) -> list[Move]:
    """Division by division the leader and her followers, then those that are out of the line, and who is at close quarters.

    Rules: C.Q9, C.Q13.
    """
    found: list[Move] = []
    divisions = line.divisions(formed)
    mixed = [division for division in divisions if melee.at_close_quarters(scene, division)]
    engaged = [ship for division in mixed for ship in division]
    engaged += [ship for ship in others if melee.at_close_quarters(scene, [ship])]
    for division in divisions:
        if division in mixed:
            continue
        for n, ship in enumerate(division):
            if n:
                actions = line.follow(scene, ship, scene.began[division[n - 1].id], pace)
            else:
                actions = line.lead(
                    scene,
                    division,
                    pace,
                    doctrine,
                    range_of(doctrine, division, scene.view.quiet),
                    _foes(scene, doctrine, formed),
                )
            found.append(advance(scene, ship, actions))
    for ship in others:
        if ship in engaged:
            continue
        tail = formed[-1] if formed else None
        if tail is not None and line.rejoins(scene, ship, tail):
            found.append(advance(scene, ship, line.follow(scene, ship, scene.began[tail.id], ship.allowance)))
        else:
            found.append(advance(scene, ship, _alone(scene, ship, doctrine)))
    if engaged:
        wanted = range_of(doctrine, engaged, scene.view.quiet)._replace(area=AREA_IF_CHOSEN)
        for ship, actions in melee.moves(scene, engaged, wanted, _foes(scene, doctrine, engaged)):
            found.append(advance(scene, ship, actions))
    return found


def _waits(scene: Scene, ships: list[Seen], doctrine: Doctrine) -> bool:
    """Whether a squadron that holds has no enemy near enough yet. Rule: C.Q10."""
    if doctrine.stance is not Stance.HOLD:
        return False
    return all(squares.distance(ship.pos, foe.pos) > HOLDS_UNTIL for ship in ships for foe in scene.foes)


def _straight(scene: Scene, ship: Seen) -> str:
    """One area on the present course, or stop where it is not free."""
    open_ = scene.clear(ship, steering.legal(ship))
    return "F" if "F" in open_ else min(open_, key=len, default="")


def _beaten(scene: Scene) -> bool:
    """Whether half the enemies in play are breaking off. Rule: C.Q10."""
    return 2 * sum(foe.breaking_off for foe in scene.foes) >= len(scene.foes) > 0


def range_of(doctrine: Doctrine, ships: Sequence[Seen], quiet: int = 0) -> Wanted:
    """The range that a captain wants, never beyond the reach of half these ships. quiet: turns without a shot. Rules: C.Q4, C.Q10."""
    reach = sorted(max(len(ship.main_dice), TORPEDO_REACH) for ship in ships)[(len(ships) - 1) // 2]
    area = AREA if doctrine.fight_at == "best" else AREA_IF_CHOSEN
    beyond = OUT_OF_REACH if quiet < PATIENCE else IMPATIENT
    return Wanted(min(RANGES[doctrine.fight_at], reach), area, reach, beyond)


def _foes(scene: Scene, doctrine: Doctrine, ships: Sequence[Seen]) -> frozenset[str]:
    """The enemies by whose range these ships steer: those that fight and are no match too great, or the one nearest to a covered ship.

    Rules: C.Q4, C.Q10.
    """
    covered = [ship.pos for ship in scene.own if ship.id in doctrine.protect]
    fighting = [foe for foe in scene.foes if not foe.breaking_off] or scene.foes
    if any(ship.main_dice for ship in ships):
        points = sum(ship.fp_max for ship in ships)
        fighting = [foe for foe in fighting if 2 * foe.fp_max * len(ships) < 3 * points] or fighting
    if covered and fighting:
        fighting = [min(fighting, key=lambda foe: scene.nearest(foe.pos, covered))]
    return frozenset(foe.id for foe in fighting)


def _alone(scene: Scene, ship: Seen, doctrine: Doctrine) -> str:
    """The best move of a ship that is in no line. Rule: C.Q4."""
    wanted = range_of(doctrine, [ship], scene.view.quiet)
    among = _foes(scene, doctrine, [ship])
    foes = [pose.at for foe, _, pose in scene.foes_after(scene.before_fire) if foe.id in among]
    open_ = scene.clear(ship, steering.legal(ship)) or [""]

    def worth(pose: Pose) -> int:
        return scene.terms([ship], [pose], scene.before_fire) - scene.off_range(pose.at, foes, wanted)

    return min(open_, key=lambda actions: (-worth(after(scene.poses[ship.id], actions)), rank(actions)))
