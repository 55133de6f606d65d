"""The captain that plays by default: he leads lines, judges for all their ships, and obeys the battle instructions. Rules: A.Q1-A.Q14."""

from __future__ import annotations

from battles.engine.core.plane import within
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.age_of_sail.captain import goals
from battles.engine.rulesets.age_of_sail.captain.odds import BOX, wins
from battles.engine.rulesets.age_of_sail.captain.scene import (
    Target,
    best_shots,
    broadsides,
    dice,
    suffered,
    target,
)
from battles.engine.rulesets.age_of_sail.captain.weighing import (
    ALONE,
    LEADING,
    WATCHED,
    candidates,
    embers,
    fires_about,
    gauge,
    hazards,
    liked,
    nearest_of,
    path_of,
)
from battles.engine.rulesets.age_of_sail.play import Course, Shot
from battles.engine.rulesets.age_of_sail.sailing import Spot
from battles.engine.rulesets.age_of_sail.state import Line, Ship
from battles.engine.rulesets.age_of_sail.tables import CM, CONTACT, RANGE, STATION
from battles.engine.rulesets.age_of_sail.view import View

HOLDS_UNTIL = 24 * CM
BOARDS_FROM = BOX * 65 // 100
AWAY = 60 * CM
BREAKS_AT = 8 * CM
# A ship alone judges her volleys from every third step of a path, and from its end. Rule: A.Q4.
LOOKS = 3
ALONGSIDE = tuple(range(-8, 9))
_TOUCH = (CONTACT - 2) ** 2
_MANY = 3


class Commander(goals.Goals):
    """Fights in line."""

    name = "commander"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine

    # --- lines ---

    def detaches(self, view: View, ship: Ship, line: Line) -> bool:
        """Rules: A.Q8, A.Q12."""
        if self._chases(view) or _at_close_quarters(view, ship):
            return True
        leader = view.ship(line.ships[0])
        if ship is leader:
            return False
        allowed = view.sails(ship).allowed[leader.h]
        if 2 * allowed < view.sails(leader).allowed[leader.h]:
            return True
        return ship.id == line.ships[-1] and self._boardable(view, ship, alone=True) is not None

    def _chases(self, view: View) -> bool:
        """Whether every ship is free to chase. Rule: A.Q12."""
        if view.doctrine.chase != "general":
            return False
        enemies = view.enemies
        able = sum(view.able(one) for one in enemies)
        return any(view.flees(one) for one in enemies) or 2 * able < sum(view.able(one) for one in view.own)

    # --- moving ---

    def course(self, view: View, ship: Ship) -> Course:
        """Rules: A.Q4, A.Q5, A.Q12, A.Q13."""
        foes = view.enemies
        if not foes:
            return Course((0,))
        doctrine = view.doctrine_of(ship)
        sails = view.sails(ship)
        foes.sort(key=lambda one: (one.x - ship.x) ** 2 + (one.y - ship.y) ** 2)
        nearest = foes[0]
        fleeing = view.flees(ship)
        if doctrine.stance is Stance.HOLD and not fleeing:
            if not within(ship.position, nearest.position, HOLDS_UNTIL):
                return Course((0,) * max(1, sails.allowed[ship.h] // 2))
        line = view.line_of(ship)
        if line is None:
            prey = self._boardable(view, ship, alone=False)
            if prey is not None:
                return prey
            return self._alone(view, ship, foes, fleeing)
        return self._leading(view, ship, line, foes, fleeing)

    def _watched(self, view: View, ship: Ship, foes: list[Ship]) -> list[Target]:
        """The nearest enemies; of a side with ships to protect, nearest to those. Rule: A.Q12."""
        long_range = view.doctrine_of(ship).fight_at == "long"
        wards = [one for one in view.own if one.id in view.doctrine.protect]
        if wards and ship not in wards:
            foes = sorted(
                foes,
                key=lambda foe: min((foe.x - one.x) ** 2 + (foe.y - one.y) ** 2 for one in wards),
            )
            foes = foes[:1]
        return [target(view, one, long_range=long_range) for one in foes]

    def _alone(self, view: View, ship: Ship, foes: list[Ship], fleeing: bool) -> Course:
        """A ship that sails by herself. Rules: A.Q4, A.Q14."""
        sails = view.sails(ship)
        rows = self._watched(view, ship, foes[:WATCHED])
        reach = RANGE + sails.allowed[ship.h] * CM
        near = [row for row in rows if within(ship.position, row.ship.position, reach)]
        guns = dice(view, ship)
        fires = fires_about(view, ship, sails.allowed[ship.h])
        narrow = view.narrow
        wanted = liked(view, ship)
        doctrine = view.doctrine_of(ship)
        others = [
            one for one in view.near(ship.position, (sails.allowed[ship.h] + 1) * CM) if one is not ship
        ]
        best: tuple[tuple[int, int, int, int, int], tuple[int, ...]] | None = None
        for turns in candidates(ship.h, sails, ALONE, full=False):
            path = path_of(ship, turns)
            end = path[-1]
            value = 2 * broadsides([*path[::LOOKS], end], guns, near, narrow=narrow) if near else 0
            lost, rakes = suffered(end, ship, rows, narrow=narrow)
            value -= lost + self._reach(view, end, rows, wanted, fleeing, doctrine.gauge)
            value -= hazards(view, path) + embers(fires, end)
            if any((one.x - end[0]) ** 2 + (one.y - end[1]) ** 2 < _TOUCH for one in others):
                value -= BOX
            turned = sum(map(abs, turns))
            key = (-value, rakes, turned, len(turns), -sum(turns))
            if best is None or key < best[0]:
                best = key, turns
        return Course(best[1] if best is not None else (0,))

    def _reach(
        self, view: View, end: Spot, rows: list[Target], wanted: int, fleeing: bool, side: str
    ) -> int:  # fmt: skip
        """What the distance to the nearest enemy speaks against a path. Rules: A.Q4, A.Q12."""
        found = nearest_of(end, rows)
        if found is None:
            return 0
        away, row = found
        if fleeing:
            return -2 * min(away, AWAY)
        return abs(away - wanted) - gauge(view, side, end, row)

    def _leading(self, view: View, ship: Ship, line: Line, foes: list[Ship], fleeing: bool) -> Course:
        """The leader judges for his line. Rules: A.Q13, A.Q14."""
        sails = view.sails(ship)
        ships = [view.ship(code) for code in line.ships]
        middle = len(ships) // 2
        centre = ships[middle]
        foes = sorted(
            foes, key=lambda one: min((one.x - own.x) ** 2 + (one.y - own.y) ** 2 for own in (ship, centre))
        )
        reach = (RANGE + 2 * sails.allowed[ship.h] * CM) ** 2
        near = [
            one for one in foes if any((one.x - own.x) ** 2 + (one.y - own.y) ** 2 <= reach for own in ships)
        ]
        rows = self._watched(view, ship, near or foes[:WATCHED])
        guns = [dice(view, one) for one in ships]
        fires = fires_about(view, ship, sails.allowed[ship.h])
        narrow = view.narrow
        wanted = liked(view, ship)
        doctrine = view.doctrine_of(ship)
        best: tuple[tuple[int, int, int, int, int], tuple[int, ...]] | None = None
        many = len(ships) >= _MANY
        for turns in candidates(ship.h, sails, LEADING if many else ALONE, full=many):
            path = path_of(ship, turns)
            if not self._all_tack(view, ships, path, sails.shut):
                continue
            ends = _ends(line, ships, path)
            value = rakes = 0
            if near:
                for one, spot, own in zip(ships, ends, guns, strict=True):
                    there = [
                        row for row in rows if abs(row.x - spot[0]) <= _FAR and abs(row.y - spot[1]) <= _FAR
                    ]
                    if there:
                        lost, raked = suffered(spot, one, there, narrow=narrow)
                        value += 2 * broadsides((spot,), own, there, narrow=narrow) - lost
                        rakes += raked
            value -= self._reach(view, ends[0], rows, wanted, fleeing, doctrine.gauge)
            value -= hazards(view, path) + embers(fires, path[-1])
            turned = sum(map(abs, turns))
            key = (-value, rakes, turned, len(turns), -sum(turns))
            if best is None or key < best[0]:
                best = key, turns
        return Course(best[1] if best is not None else (0,))

    def _all_tack(self, view: View, ships: list[Ship], path: list[Spot], shut: tuple[bool, ...]) -> bool:
        """Whether every follower's allowance is enough to tack after him. Rule: A.Q13."""
        run = [spot[2] for spot in path if shut[spot[2]]]
        if not run:
            return True
        least = min(view.sails(one).allowed[run[0]] for one in ships)
        return least > len(run)

    # --- boarding ---

    def _boardable(self, view: View, ship: Ship, *, alone: bool) -> Course | None:
        """The path that brings her alongside an enemy worth boarding, None where there is none. Rule: A.Q5."""
        if not view.doctrine_of(ship).board or ship.repairing or ship.fired_port or ship.fired_stbd:
            return None
        if not ship.strength or view.flees(ship):
            return None
        sails = view.sails(ship)
        reach = (sails.allowed[ship.h] + 1) * CM
        eager = ship.boards or self._chases(view)
        prey = []
        for one in view.near(ship.position, reach):
            if one.owner != ship.owner and one.acts and not one.fire_stage:
                chance = wins(ship.strength, one.strength)
                if chance >= BOARDS_FROM and (eager or _beaten(one)):
                    prey.append((-chance, one.number, one))
        for _, _, one in sorted(prey, key=lambda row: row[:2]):
            turns = _alongside(view, ship, one)
            if turns is not None:
                return Course(turns, one.id)
        return None

    # --- guns ---

    def shots(self, view: View, ship: Ship, path: list[Spot]) -> list[Shot]:
        """Rules: A.Q1-A.Q3."""
        reach = RANGE + len(path) * CM
        long_range = view.doctrine_of(ship).fight_at == "long"
        rows = [
            target(view, one, long_range=long_range)
            for one in view.near(ship.position, reach)
            if one.owner != ship.owner and not one.held
        ]
        return [shot for _, shot in best_shots(view, ship, path, rows)] if rows else []


_FAR = RANGE + 20 * CM


def _at_close_quarters(view: View, ship: Ship) -> bool:
    """Whether a ship is in the thick of it: an enemy within 8 cm, or a fire within 12. Rule: A.Q8."""
    if ship.fire_stage:
        return any(one is not ship and one.owner == ship.owner for one in view.near(ship.position, RANGE))
    for one in view.near(ship.position, RANGE):
        if one is not ship and (one.fire_stage or (one.owner != ship.owner and one.acts)):
            if one.fire_stage or within(ship.position, one.position, BREAKS_AT):
                return True
    return False


def _beaten(ship: Ship) -> bool:
    """Whether a ship is ripe for boarding: half her decks gone, one mast at most, or aground. Rule: A.Q5."""
    return ship.all_decks <= ship.decks or ship.standing <= 1 or ship.aground


def _ends(line: Line, ships: list[Ship], path: list[Spot]) -> list[Spot]:
    """Where the ships of a line will be when the leader has sailed a path. Rules: A.Q13, A.L2, A.L3."""
    wake = line.wake
    top = len(wake) - 1
    ahead = top + len(path) - 1
    found = [path[-1]]
    for ship, place in zip(ships[1:], line.places[1:], strict=True):
        if place < 0:
            found.append((ship.x, ship.y, ship.h))
            continue
        at = max(place, min(ahead - STATION, place + len(path) - 1))
        found.append(wake[at] if at <= top else path[at - top])
        ahead = at
    return found


def _alongside(view: View, ship: Ship, prey: Ship) -> tuple[int, ...] | None:
    """The shortest lawful path whose next step would touch a ship, and nobody before her. Rules: A.Q5, A.B1."""
    sails = view.sails(ship)
    others = [
        (one.x, one.y)
        for one in view.near(ship.position, (sails.allowed[ship.h] + 2) * CM)
        if one is not ship and one is not prey
    ]
    found = []
    for turns in candidates(ship.h, sails, ALONGSIDE, full=True):
        path = path_of(ship, turns)
        for n, (x, y, _) in enumerate(path):
            if abs(prey.x - x) < CONTACT and (prey.x - x) ** 2 + (prey.y - y) ** 2 < _TOUCH:
                found.append((n, turns, path))
                break
    for n, turns, path in sorted(found, key=lambda row: row[0]):
        if n and not any(
            abs(ox - x) < CONTACT and abs(oy - y) < CONTACT
            for x, y, _ in path[1 : n + 1]
            for ox, oy in others
        ):
            return turns[:n]
    return None
