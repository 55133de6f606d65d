"""How fleets under Kohler's captains conduct themselves: whether a reader who knows the period would believe the battle.

`python -m tests.study --conduct [NAME ...] [--runs N] [--workers N]`. For each side of a scenario, over all its battles:

line: share of its ships that can make sail and lie on the side's commonest heading, mean of the turns from the first shot to the
side's first squadron that breaks off; battles in which no shot fell count not at all. gauge: share of the turns up to then in
which the middle of the side lay to windward of the enemy's. clear: of battles in which the side had lost a quarter of its strength
(hull, lost ships as a whole), the share in which it was out of gunshot by nightfall: nine in ten of its ships that can make sail had
no enemy under his own colours within four hexes. silent: share of its ships that never fired. lost: median of ships lost, fire
ships apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any

from battles.data.scenarios.build import files
from battles.engine.cli import load
from battles.engine.core.dice import FastDice
from battles.engine.core.fates import Fate
from battles.engine.core.hexes import STEPS, distance
from battles.engine.core.log import Log
from battles.engine.core.scenario import Scenario
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.arcs import bearing_to
from battles.engine.rulesets.kohler.captain.moves import Move, moves
from battles.engine.rulesets.kohler.captain.odds import DISCS
from battles.engine.rulesets.kohler.captain.plan import Mode
from battles.engine.rulesets.kohler.state import Battle, Ship
from battles.engine.rulesets.kohler.view import FREE, Seen, View
from tests.study_line import in_line

GUNSHOT = 4
CLEAR_OF = 10  # one ship in so many may still be under fire
BEATEN = 25  # % of strength lost


@dataclass(slots=True)
class Conduct:
    """One side in one battle. headings, windward: sums over `gunfire` and `turns` turns, in %. broke: turn of the first break, 0 never."""

    ships: int = 0
    turns: int = 0
    gunfire: int = 0
    headings: float = 0
    windward: int = 0
    broke: int = 0
    fired: set[str] = field(default_factory=set)
    strength_lost: int = 0
    clear: bool = False
    lost: int = 0
    chances: int = 0
    idle: int = 0


class Watched:
    """A captain who is watched: whether he uses a chance to bring a broadside to bear on enemies who will not move any more."""

    def __init__(self, captain: Any, conduct: Conduct) -> None:
        self.captain, self.conduct = captain, conduct

    def __getattr__(self, name: str) -> Any:
        return getattr(self.captain, name)

    def tokens(self, view: View, ship: str) -> tuple[str, ...]:
        """The captain's own choice."""
        chosen: tuple[str, ...] = self.captain.tokens(view, ship)
        mine = view.own(ship)
        near = view.enemies_near(mine.pos, DISCS[8])
        grapples = bool(chosen) and chosen[-1].startswith("G:")
        if (
            not sails(mine)
            or not in_line(mine)
            or grapples
            or not near
            or not all(seen.acted or seen.locked for seen in near)
        ):
            return chosen
        bearing = {move.tokens: self._bears(view, mine, move, near) for move in moves(view, mine)}
        if any(bearing.values()):
            self.conduct.chances += 1
            self.conduct.idle += not bearing.get(chosen, False)
        return chosen

    @staticmethod
    def _bears(view: View, ship: Ship, move: Move, near: list[Seen]) -> bool:
        q, r = ship.pos
        if any(view.entry((q + cell[0], r + cell[1]), ship) != FREE for cell in move.cells):
            return False
        end = q + move.end[0], r + move.end[1]
        return any(bearing_to(end, move.facing, seen.pos) is not None for seen in near if not seen.fired)


def sails(ship: Ship) -> bool:
    """Whether she can make sail: under her own colours, free, not disabled, no fire ship."""
    free = ship.afloat and not ship.prize_of and not ship.locks and not ship.aground
    return free and not ship.disabled and not ship.is_fireship


def battle(scenario: Scenario, seed: int) -> dict[str, Conduct]:
    """Fight a scenario once and watch both sides."""
    rules: Any = rule_set("kohler")
    dice, log = FastDice(seed), Log()
    sea: Battle = rules.begin(scenario, dice)
    found = {side.id: Conduct(ships=sum(1 for _ in side.ships())) for side in scenario.sides}
    captains = {
        side.id: Watched(rules.captains[side.captain](side.doctrine), found[side.id])
        for side in scenario.sides
    }
    table = rules.table(sea, captains, dice, log)
    began = False
    while not sea.ended:
        rules.play_turn(sea, table)
        for event in log.take():
            if event.kind == "fire":
                began = True
                ship = sea.ships[event.ship]
                found[ship.side].fired.add(ship.id)
        for side, conduct in found.items():
            plans = captains[side]._plans.values()
            if not conduct.broke and any(plan.mode is Mode.AWAY for plan in plans):
                conduct.broke = sea.turn
            if not conduct.broke:
                _watch(sea, side, conduct, began=began)
    for side, conduct in found.items():
        _close(sea, side, conduct)
    return found


def _watch(sea: Battle, side: str, conduct: Conduct, *, began: bool) -> None:
    own = [ship for ship in sea.ships.values() if ship.flag == side and sails(ship)]
    theirs = [ship for ship in sea.ships.values() if ship.flag != side and sails(ship)]
    if not own or not theirs:
        return
    conduct.turns += 1
    conduct.windward += _height(sea, own) > _height(sea, theirs)
    if began:
        conduct.gunfire += 1
        conduct.headings += max(Counter(ship.facing for ship in own).values()) / len(own)


def _height(sea: Battle, ships: Sequence[Ship]) -> float:
    """How far to windward the middle of some ships lies."""
    uq, ur = STEPS[sea.upwind]
    return sum(2 * (q * uq + r * ur) + q * ur + r * uq for q, r in (s.pos for s in ships)) / len(ships)


def _close(sea: Battle, side: str, conduct: Conduct) -> None:
    came = [ship for ship in sea.ships.values() if ship.side == side and not ship.is_fireship]
    whole = sum(ship.hull_max for ship in came)
    left = sum(ship.hull_left for ship in came if ship.afloat and not ship.prize_of)
    conduct.strength_lost = 100 * (whole - left) // whole
    gone = (rule_set("kohler").outcome(sea)).ships
    fire_ships = {ship.id for ship in sea.ships.values() if ship.is_fireship}
    conduct.lost = sum(
        row.fate is not Fate.AFLOAT and row.ship not in fire_ships for row in gone if row.side == side
    )
    enemies = [
        s for s in sea.ships.values() if s.afloat and s.flag != side and not s.prize_of and not s.fired
    ]
    own = [ship for ship in came if ship.flag == side and sails(ship)]
    near = sum(any(distance(ship.pos, foe.pos) <= GUNSHOT for foe in enemies) for ship in own)
    conduct.clear = CLEAR_OF * near <= len(own)


def study(scenario: Scenario, *, runs: int, workers: int = 1, first: int = 1) -> list[dict[str, Conduct]]:
    """Watch so many battles, seeds `first` and on."""
    seeds = range(first, first + runs)
    if workers == 1:
        return [battle(scenario, seed) for seed in seeds]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(partial(battle, scenario), seeds, chunksize=2))


def rows(scenario: Scenario, battles: Sequence[dict[str, Conduct]]) -> Iterator[str]:
    """The lines of the table for one scenario."""
    for n, side in enumerate(scenario.sides):
        seen = [one[side.id] for one in battles]
        lines = [100 * one.headings / one.gunfire for one in seen if one.gunfire]
        gauges = [100 * one.windward / one.turns for one in seen if one.turns]
        beaten = [one for one in seen if one.strength_lost >= BEATEN]
        broke = sorted(one.broke for one in seen if one.broke)
        clear = f"{100 * sum(o.clear for o in beaten) / len(beaten):.0f}% of {len(beaten)}" if beaten else "-"
        silent = 100 * sum(o.ships - len(o.fired) for o in seen) / sum(o.ships for o in seen)
        losses = sorted(one.lost for one in seen)
        hull = sum(one.strength_lost for one in seen) / len(seen)
        idle = 1000 * sum(one.idle for one in seen) // max(1, sum(one.chances for one in seen))
        yield (
            f"| {scenario.title if not n else ''} | {side.name} | {side.doctrine.gauge} | {_mean(lines)} | {_mean(gauges)} | "
            f"{len(broke)}{f', turn {median(broke):.0f}' if broke else ''} | {hull:.0f}% | {clear} | {silent:.0f}% | "
            f"{median(losses):.0f} ({losses[0]}-{losses[-1]}) | {idle} |"
        )


def _mean(shares: Sequence[float]) -> str:
    return f"{sum(shares) / len(shares):.0f}%" if shares else "-"


def print_conduct(*, runs: int, workers: int, only: Sequence[str]) -> None:
    """Watch the shipped scenarios of the Four Days, or those named, and print the table."""
    print(
        "| scenario | side | gauge wanted | line | gauge held | broke off | strength lost | clear | silent | lost |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in only or [f"four_days_{day}" for day in range(1, 5)]:
        scenario = load(files("kohler") / f"{name}.json")
        for line in rows(scenario, study(scenario, runs=runs, workers=workers)):
            print(line, flush=True)
