"""The captain that plays by default: he leads lines, judges for all their ships, and obeys the battle instructions. Rules: A.Q1-A.Q14."""

from __future__ import annotations

from math import isqrt

from battles.engine.core.plane import within
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.age_of_sail.captain import goals
from battles.engine.rulesets.age_of_sail.captain.odds import BOX, wins
from battles.engine.rulesets.age_of_sail.captain.scene import (
    Target,
    best_shots,
    dice,
    salvo,
    suffered,
    target,
)
from battles.engine.rulesets.age_of_sail.captain.weighing import (
    ALONE,
    LEADING,
    WATCHED,
    cut,
    embers,
    fan,
    fires_about,
    gauge,
    hazards,
    in_the_way,
    liked,
    path_of,
)
from battles.engine.rulesets.age_of_sail.play import Course, Shot
from battles.engine.rulesets.age_of_sail.sailing import Sails, Spot
from battles.engine.rulesets.age_of_sail.state import Line, Ship
from battles.engine.rulesets.age_of_sail.tables import CM, RANGE, STATION
from battles.engine.rulesets.age_of_sail.view import View

HOLDS_UNTIL = 24 * CM
BOARDS_FROM = BOX * 65 // 100
# The chance that boards a ship that is not beaten yet, and how near her friends and ours are counted. Rule: A.Q5.
STORMS_FROM = BOX * 85 // 100
HELP = 8 * CM
AWAY = 60 * CM
BREAKS_AT = 8 * CM
# A ship alone judges her volleys from every third step of a path, and from its end. Rule: A.Q4.
LOOKS = 3
ALONGSIDE = tuple(range(-8, 9))
_MANY = 3
_Key = tuple[int, int, int, int, int]


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
        sails = view.sails(ship)
        about = view.near(ship.position, _sight(sails))
        foes = [one for one in about if one.owner != ship.owner and one.acts] or view.enemies
        foes.sort(key=lambda one: (one.x - ship.x) ** 2 + (one.y - ship.y) ** 2)
        if not foes:
            return Course((0,))
        doctrine = view.doctrine_of(ship)
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
            return self._alone(view, ship, about, foes, fleeing)
        return self._leading(view, ship, line, foes, fleeing)

    def _watched(self, view: View, ship: Ship, foes: list[Ship], friends: list[Ship]) -> list[Target]:
        """The nearest enemies; of a side with ships to protect, nearest to those. Rule: A.Q12."""
        long_range = view.doctrine_of(ship).fight_at == "long"
        wards = [one for one in view.own if one.id in view.doctrine.protect] if view.doctrine.protect else []
        if wards and ship not in wards:
            foes = [
                min(
                    view.enemies,
                    key=lambda foe: min((foe.x - one.x) ** 2 + (foe.y - one.y) ** 2 for one in wards),
                )
            ]
        return [target(view, one, friends, long_range=long_range) for one in foes]

    def _alone(self, view: View, ship: Ship, about: list[Ship], foes: list[Ship], fleeing: bool) -> Course:
        """A ship that sails by herself. Rules: A.Q4, A.Q14."""
        sails = view.sails(ship)
        reach = RANGE + sails.allowed[ship.h] * CM
        friends = [one for one in about if one.owner == ship.owner]
        rows = self._watched(view, ship, foes[:WATCHED], friends)
        near = [row for row in rows if within(ship.position, row.ship.position, reach)]
        guns = dice(view, ship)
        fires = fires_about(about, ship)
        narrow = view.narrow
        wanted = liked(view, ship)
        side = view.doctrine_of(ship).gauge
        hunted = rows
        if ship.boards:
            hunted = [row for row in rows if _straggles(view, row.ship)] or rows
        goals = _nearest_anywhere(ship, hunted, max(sails.allowed))
        paths = fan(ship.h, sails, ALONE, full=False)
        room = (sails.allowed[ship.h] + 1) * CM
        others = [
            one
            for one in about
            if -room < one.x - ship.x < room and -room < one.y - ship.y < room
            if one is not ship and one.id not in ship.parted
        ]
        taken = in_the_way(paths, ship, others) if others else set()
        x0, y0 = ship.x, ship.y
        worth: dict[int, tuple[int, int]] = {}
        best: tuple[_Key, tuple[int, ...]] | None = None
        for way in paths.ways:
            whole = way
            if taken:
                free = cut(way, paths, taken, sails)
                if free is None:
                    continue
                way = free
            x, y, h = paths.spots[way.spots[-1]]
            end = x0 + x, y0 + y, h
            square = min([(at[0] - end[0]) ** 2 + (at[1] - end[1]) ** 2 for at in goals])
            value = -_against(isqrt(square), wanted, fleeing)
            if side:
                value += gauge(view, side, end, rows)
            if fires:
                value -= embers(fires, end)
            if near:
                port = stbd = 0
                for n in (*way.spots[::LOOKS], way.spots[-1]):
                    made = worth.get(n)
                    if made is None:
                        x, y, h = paths.spots[n]
                        made = worth[n] = salvo(x0 + x, y0 + y, h, guns, near, narrow=narrow)
                    if made[0] > port:
                        port = made[0]
                    if made[1] > stbd:
                        stbd = made[1]
                value += 2 * (port + stbd)
            # what is left to be reckoned only speaks against it
            if best is not None and -value > best[0][0]:
                continue
            lost, rakes = suffered(end, ship, rows, narrow=narrow)
            value -= lost
            if view.shoals or view.land:
                value -= hazards(view, path_of(ship, way, paths))
            key = (-value, rakes, way.turned, len(way.turns), -sum(way.turns))
            if best is None or key < best[0]:
                best = key, whole.turns
        return Course(best[1] if best is not None else (0,))

    def _leading(self, view: View, ship: Ship, line: Line, foes: list[Ship], fleeing: bool) -> Course:
        """The leader judges for his line. Rules: A.Q13, A.Q14."""
        sails = view.sails(ship)
        ships = [view.ship(code) for code in line.ships]
        far = RANGE + 2 * sails.allowed[ship.h] * CM
        facing = [
            [one for one in view.near(own.position, far) if one.owner != ship.owner and one.acts]
            for own in ships
        ]
        near = {one.id: one for foes in facing for one in foes}
        rows = self._watched(view, ship, [*near.values()] or foes[:WATCHED], view.own)
        known = {row.ship.id: row for row in rows}
        targets = [[known[one.id] for one in foes if one.id in known] for foes in facing]
        guns = [dice(view, one) for one in ships]
        fires = fires_about(view.near(ship.position, _sight(sails)), ship)
        narrow = view.narrow
        wanted = liked(view, ship)
        doctrine = view.doctrine_of(ship)
        best: tuple[_Key, tuple[int, ...]] | None = None
        many = len(ships) >= _MANY
        paths = fan(ship.h, sails, LEADING if many else ALONE, full=many)
        for way in paths.ways:
            path = path_of(ship, way, paths)
            if not self._all_tack(view, ships, path, sails.shut):
                continue
            ends = _ends(line, ships, path)
            value = rakes = 0
            if near:
                for one, spot, own, there in zip(ships, ends, guns, targets, strict=True):
                    if there:
                        lost, raked = suffered(spot, one, there, narrow=narrow)
                        value += 2 * sum(salvo(*spot, own, there, narrow=narrow)) - lost
                        rakes += raked
            x, y, _ = ends[0]
            square = min([(row.next[0] - x) ** 2 + (row.next[1] - y) ** 2 for row in rows])
            value -= _against(isqrt(square), wanted, fleeing)
            if doctrine.gauge:
                value += gauge(view, doctrine.gauge, ends[0], rows)
            value -= hazards(view, path) + embers(fires, path[-1])
            key = (-value, rakes, way.turned, len(way.turns), -sum(way.turns))
            if best is None or key < best[0]:
                best = key, way.turns
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
        wish = view.doctrine_of(ship)
        if not wish.boards or ship.repairing or ship.fired_port or ship.fired_stbd:
            return None
        if not ship.strength or view.flees(ship):
            return None
        sails = view.sails(ship)
        reach = (sails.allowed[ship.h] + 1) * CM
        eager = self._chases(view)
        prey = []
        for one in view.near(ship.position, reach):
            if one.owner != ship.owner and one.acts and not one.fire_stage:
                chance = wins(ship.strength, one.strength)
                if chance < BOARDS_FROM or _blast_near(view, one):
                    continue
                storms = ship.boards or chance >= STORMS_FROM
                bold = wish.board == "pays" and (eager or (storms and _unhelped(view, ship, one)))
                if bold or _beaten(one):
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
        foes = [one for one in view.near(ship.position, reach) if one.owner != ship.owner and not one.held]
        if not foes:
            return []
        friends = [one for one in view.near(ship.position, reach + RANGE) if one.owner == ship.owner]
        rows = [target(view, one, friends, long_range=long_range, moves=False) for one in foes]
        return best_shots(view, ship, path, rows)


def _sight(sails: Sails) -> int:
    """How far off an enemy can matter in this move and the next."""
    return RANGE + 2 * max(sails.allowed) * CM


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


def _straggles(view: View, prey: Ship) -> bool:
    """Whether an enemy has no friend with guns within 12 cm: what pirates and privateers make for. Rule: A.Q4."""
    return not any(
        one is not prey and one.owner == prey.owner and one.acts and one.all_decks
        for one in view.near(prey.position, RANGE)
    )


def _against(away: int, wanted: int, fleeing: bool) -> int:
    """What the distance to the nearest enemy speaks against a path. Rule: A.Q4."""
    return -2 * min(away, AWAY) if fleeing else abs(away - wanted)


def _nearest_anywhere(ship: Ship, rows: list[Target], most: int) -> list[Spot]:
    """Where those enemies will be that may be the nearest to some place within so many centimetres."""
    squares = [(row.next[0] - ship.x) ** 2 + (row.next[1] - ship.y) ** 2 for row in rows]
    reach = isqrt(min(squares)) + (2 * most + 1) * CM
    return [row.next for row, square in zip(rows, squares, strict=True) if square <= reach * reach]


def _blast_near(view: View, prey: Ship) -> bool:
    """Whether a ship that will blow up five times in six before one can part again lies within 12 cm. Rule: A.Q5."""
    return any(one.fire_stage > 1 for one in view.near(prey.position, RANGE))


def _unhelped(view: View, ship: Ship, prey: Ship) -> bool:
    """Whether no more of an enemy's friends than of ours are at hand. Rule: A.Q5."""
    help_ = 0
    for one in view.near(prey.position, HELP):
        if one is not ship and one is not prey and one.acts and one.all_decks:
            help_ += 1 if one.owner == ship.owner else -1
    return help_ >= 0


def _alongside(view: View, ship: Ship, prey: Ship) -> tuple[int, ...] | None:
    """The shortest lawful path whose next step would touch a ship, and nobody before her. Rules: A.Q5, A.B1."""
    sails = view.sails(ship)
    others = [
        one
        for one in view.near(ship.position, (sails.allowed[ship.h] + 2) * CM)
        if one is not ship and one is not prey
    ]
    paths = fan(ship.h, sails, ALONGSIDE, full=True)
    goal = in_the_way(paths, ship, [prey])
    if not goal:
        return None
    taken = in_the_way(paths, ship, others)
    found: tuple[int, tuple[int, ...]] | None = None
    for way in paths.ways:
        n = next((n for n, spot in enumerate(way.spots) if spot in goal), 0)
        if n and (found is None or n < found[0]) and not any(spot in taken for spot in way.spots[: n + 1]):
            found = n, way.turns[:n]
    return found[1] if found is not None else None
