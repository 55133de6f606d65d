"""Who goes for whom: every ship in reach of the enemy has one she is to fight, and enemies to be boarded have a party of boarders.

Two on one, the weakly supported first, is what the rules reward: hits take guns and men alike, and men decide a boarding. Section 12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from battles.engine.core.plane import within
from battles.engine.rulesets.thomas.captain.plan import IN_ACTION, Mode, Plan
from battles.engine.rulesets.thomas.captain.scene import Foe, Scene
from battles.engine.rulesets.thomas.captain.weights import Weights
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Kind

# How near a friend of hers must be to support an enemy, and how many of ours already there make her dearer or cheaper, in inches.
SUPPORT = 5_000
_CROWD = (0, -3, 0, 5, 10, 15)
_BEYOND_SPEED = 1_500


@dataclass(slots=True)
class Hunt:
    """prey: the enemy a ship is to go for. parties: ships that are to board an enemy, by her id. odds: theirs together, in tenths."""

    prey: dict[str, Foe] = field(default_factory=dict)
    parties: dict[str, tuple[str, ...]] = field(default_factory=dict)
    odds: dict[str, int] = field(default_factory=dict)

    def boards(self, ship: str, foe: str) -> bool:
        """Whether she is of the party that boards an enemy."""
        return ship in self.parties.get(foe, ())


def share_out(scene: Scene, plans: Mapping[str, Plan], weights: Weights, reach: Mapping[str, int]) -> Hunt:
    """Give every ship that fights her prey, and settle who boards whom. reach: the leg each ship may run."""
    hunt = Hunt()
    _support(scene)
    taken: dict[str, int] = {}
    fighting = {ship.id: ship for ship in scene.own if ship.fighting}
    for plan in plans.values():
        if plan.mode not in (Mode.FIGHT, Mode.HOLD):
            continue
        for code in plan.line:
            row = scene.near.get(code)
            if not row or row[0][0] > IN_ACTION:
                continue
            ship = fighting[code]
            foe = min(row[:8], key=lambda one: (_cost(ship, one[0], one[1], taken), one[1].id))[1]
            hunt.prey[code] = foe
            taken[foe.id] = taken.get(foe.id, 0) + 1
    allowed = {
        code
        for plan in plans.values()
        if plan.doctrine.boards and plan.mode is Mode.FIGHT
        for code in plan.line
    }
    _parties(hunt, scene, [fighting[code] for code in allowed], weights, reach)
    return hunt


def _support(scene: Scene) -> None:
    """How many friends each enemy near us has at hand."""
    for foe in {foe.id: foe for row in scene.near.values() for _, foe in row}.values():
        foe.company = foe.boarded_by = 0
    seen: set[tuple[str, str]] = set()
    for row in scene.near.values():
        for n, (_, a) in enumerate(row[:10]):
            for _, b in row[n + 1 : 10]:
                pair = (a.id, b.id) if a.id < b.id else (b.id, a.id)
                if pair not in seen and within(a.position, b.position, SUPPORT):
                    seen.add(pair)
                    a.company += 1
                    b.company += 1


def _cost(ship: Ship, distance: int, foe: Foe, taken: Mapping[str, int]) -> int:
    """What it costs to go for an enemy, in inches: her distance, her friends, less what two on one are worth."""
    crowd = _CROWD[min(taken.get(foe.id, 0), len(_CROWD) - 1)]
    cost = distance // 1_000 + min(foe.company, 4) + crowd
    if foe.seen.prize or foe.seen.on_fire:
        cost += 6
    small = foe.seen.kind in (Kind.FRIGATE, Kind.SMALL) and ship.kind is Kind.LINE
    if small and not foe.seen.has_fired:
        cost += 12
    return cost + (3 if small else 0)


def _parties(
    hunt: Hunt, scene: Scene, ships: Iterable[Ship], weights: Weights, reach: Mapping[str, int]
) -> None:
    """Parties of boarders: where enough men can be alongside this move. Those already in the fight count. Rule: T.B12n."""
    can: dict[str, list[tuple[int, Ship, Foe]]] = {}
    for ship in sorted(ships, key=lambda one: one.id):
        if ship.on_fire or ship.grapples or ship.breaking_off or not may_lead(ship):
            continue
        far = reach.get(ship.id, 0) + _BEYOND_SPEED
        for distance, foe in scene.near.get(ship.id, ()):
            if distance > far:
                break
            if not foe.seen.on_fire:
                can.setdefault(foe.id, []).append((distance, ship, foe))
    fast = _alongside(scene)
    used: set[str] = set()
    for code, rows in sorted(can.items(), key=lambda item: (item[1][0][2].men, item[0])):
        foe = rows[0][2]
        men = fast.get(code, 0)
        party: list[str] = []
        for _, ship, _ in sorted(rows, key=lambda row: (row[0], row[1].id)):
            if ship.id in used or (not fast.get(code) and 10 * ship.hands < weights.alone * foe.men):
                continue
            party.append(ship.id)
            men += ship.hands
            if 10 * men >= 20 * foe.men:
                break
        boarders = [ship for _, ship, _ in rows if ship.id in party]
        if party and 10 * men >= _due(boarders, foe, weights) * foe.men:
            used.update(party)
            hunt.parties[code] = tuple(party)
            hunt.odds[code] = min(40, 10 * men // foe.men)
            for one in party:
                hunt.prey[one] = foe


def _due(boarders: list[Ship], foe: Foe, weights: Weights) -> int:
    """The odds a party should have, in tenths: less against one who is worse hurt than any of them, or when they have no gun left."""
    if all(not ship.standing() for ship in boarders):
        return weights.last
    sounder = all(4 * ship.lost // ship.flot_max < foe.quarters for ship in boarders)
    return weights.hurt if sounder else weights.together


def may_lead(ship: Ship) -> bool:
    """Whether her people are fit to board: more than a third of them left, so that she is not worn out by it. Rule: T.O5g."""
    return 3 * ship.crew_halves > 2 * ship.crew_max


def _alongside(scene: Scene) -> dict[str, int]:
    """Men of ours already fast to each enemy."""
    found: dict[str, int] = {}
    for ship in scene.own:
        for one in ship.grapples if ship.fighting else ():
            other = one.other(ship.id)
            found[other] = found.get(other, 0) + ship.hands
    return found
