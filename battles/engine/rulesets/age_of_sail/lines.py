"""Lines of battle: how they form and break, the leader's wake, and how far each ship follows it. Rules: A.L1-A.L8, A.S2."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core.plane import distance
from battles.engine.rulesets.age_of_sail.bearing import point_of
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.sailing import Spot, lawful
from battles.engine.rulesets.age_of_sail.state import Battle, Line, Ship
from battles.engine.rulesets.age_of_sail.tables import CM, STATION


def form(battle: Battle, squadron: str, ships: Sequence[Ship]) -> None:
    """A line of these ships, the leader first, with the wake that leads from the last to her. Rules: A.L2, A.L5."""
    ships = [ship for ship in ships if not ship.pirate]
    if len(ships) < 2:
        return
    wake: list[Spot] = []
    places = []
    for n, ship in enumerate(reversed(ships)):
        spot = (ship.x, ship.y, ship.h)
        if n:
            wake += _between(wake[-1], spot)
        wake.append(spot)
        places.append(len(wake) - 1)
    battle.lines.append(Line(squadron, [ship.id for ship in ships], wake, places[::-1]))


def _between(a: Spot, b: Spot) -> list[Spot]:
    """Places a centimetre apart between two ships, neither of theirs included."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    steps = max(1, round(distance(a[:2], b[:2]) / CM))
    return [(a[0] + dx * k // steps, a[1] + dy * k // steps, point_of(dx, dy)) for k in range(1, steps)]


def drop(battle: Battle, ship: Ship) -> None:
    """A ship is in no line any longer; those behind her form a new one under the next. Rules: A.L6, A.L7."""
    line = battle.line_of(ship)
    if line is None:
        return
    at = line.ships.index(ship.id)
    parts = [(line.ships[:at], line.places[:at]), (line.ships[at + 1 :], line.places[at + 1 :])]
    where = battle.lines.index(line)
    battle.lines[where : where + 1] = [
        _part(line, ships, places) for ships, places in parts if len(ships) > 1
    ]


def _part(line: Line, ships: list[str], places: list[int]) -> Line:
    """A part of a line under its own leader, with the wake astern of her. Rule: A.L2."""
    end = places[0]
    if end < 0:
        return Line(line.squadron, ships, [], [-1] * len(ships))
    return Line(line.squadron, ships, line.wake[: end + 1], [*places])


def head(line: Line, leader: Ship) -> None:
    """Let the wake end where the leader lies; it begins again when she is not on it. Rule: A.L2."""
    spot = (leader.x, leader.y, leader.h)
    if not line.wake or line.places[0] != len(line.wake) - 1 or line.wake[-1] != spot:
        line.wake = [spot]
        line.places = [0] + [-1] * (len(line.ships) - 1)


def sort_out(battle: Battle, play: Play) -> None:
    """Ships that cannot keep their place, or are told not to, leave their lines. Rules: A.L6, A.Q8."""
    captain, view = play.captain(battle.active), play.view(battle.active)
    for line in battle.lines_of(battle.active):
        for code in [*line.ships]:
            ship = battle.ships[code]
            inside = battle.line_of(ship)
            if inside is None:
                continue
            ordered = play.order(ship).detach
            wants = captain is not None and captain.detaches(view, ship, inside)
            if not battle.able(ship) or (ordered if ordered is not None else wants):
                drop(battle, ship)
                if battle.able(ship):
                    ship.independent = True


def follow(battle: Battle, ship: Ship, ahead: Sequence[Spot], most: int) -> int:
    """How many of the wake's next places a ship may take. Rules: A.L3, A.M11."""
    return lawful([spot[2] for spot in ahead[:most]], ship.h, battle.sails(ship))


def pace(battle: Battle, line: Line, path: Sequence[Spot]) -> int:
    """Steps that the whole line can take along the leader's path: the fewest of any ship on the wake. Rule: A.L3."""
    count = len(path)
    for code, place in zip(line.ships[1:], line.places[1:], strict=True):
        if place >= 0:
            steps = follow(battle, battle.ships[code], [*line.wake[place + 1 :], *path], count)
            if steps:
                count = min(count, steps)
    return count


def keep_up(battle: Battle, line: Line) -> None:
    """After a line has moved: what broke off it on the way goes on from the places where its ships lie now. Rules: A.L2, A.L6."""
    for n, part in enumerate(battle.lines):
        if part is not line and part.ships[0] in line.ships:
            at = line.ships.index(part.ships[0])
            battle.lines[n] = _part(line, part.ships, line.places[at : at + len(part.ships)])
    if line in battle.lines:
        trim(line)


def trim(line: Line) -> None:
    """Forget the wake astern of the last ship that needs it."""
    kept = [place for place in line.places if place >= 0]
    spare = STATION if len(kept) < len(line.places) else 0
    first = max(0, min(kept, default=0) - spare)
    del line.wake[:first]
    line.places = [place - first if place >= 0 else -1 for place in line.places]


def rejoin(line: Line, n: int, ship: Ship) -> None:
    """A ship off the wake that lies within a centimetre of one of its places follows it again. Rule: A.L8."""
    last = line.places[n - 1] if line.places[n - 1] >= 0 else len(line.wake) - 1
    found = [
        (square, -k)
        for k in range(max(0, last - STATION), -1, -1)
        if (square := (line.wake[k][0] - ship.x) ** 2 + (line.wake[k][1] - ship.y) ** 2) <= CM * CM
    ]
    line.places[n] = -min(found)[1] if found else -1
