"""Where ships lie before the first turn, and where reinforcements come in. Rules: K.S6, K.S7, K.S8, K.A2.12-K.A2.14, K.G9."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battles.engine.core.dice import Dice, Die
from battles.engine.core.hexes import Hex, distance, step
from battles.engine.core.log import Log
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.shore import at_anchor, over_edge
from battles.engine.rulesets.kohler.state import Battle, Ship, SquadronState, Status
from battles.engine.rulesets.kohler.tables import is_english

GAP = 10
# Hexes between the lines where one side has been overhauled: long range. Rule: K.S7.
CAUGHT_GAP = 4
BETWEEN_SQUADRONS = 3
# Just outside the reach within which K.G9 holds fleets to be in touch.
ARRIVAL = 13
_SEARCH = 200
_PATIENCE = 60


def reach_heading(wind: int) -> int:
    """The facing of a port-tack reach. Rules: K.S7, K.M2."""
    return (wind + 5) % 6


def open_to(battle: Battle, ship: Ship, cell: Hex) -> bool:
    """Whether a ship may lie there as far as the chart goes: no land, no shoal too thin for her, not over the edge.

    Rules: K.S9, K.G13, K.M32.
    """
    return not (cell in battle.land or (ship.deep and cell in battle.shoal) or over_edge(battle, cell))


def clear_hex(battle: Battle, ship: Ship, wish: Hex) -> Hex:
    """The hex nearest to the one wished that is open to her and empty. Raises ValueError when there is none. Rule: K.S6."""
    if battle.edges is not None:
        q_min, r_min, q_max, r_max = battle.edges
        wish = min(max(wish[0], q_min), q_max), min(max(wish[1], r_min), r_max)
    for radius in range(_SEARCH):
        for cell in _ring(wish, radius):
            if cell not in battle.at and open_to(battle, ship, cell):
                return cell
    raise ValueError(f"no open water for {ship.name} within {_SEARCH} hexes of {list(wish)}")


def _ring(centre: Hex, radius: int) -> Iterator[Hex]:
    """The hexes exactly so many steps away, clockwise from the north. Rule: K.0.1."""
    if radius == 0:
        yield centre
        return
    cell = step(centre, 0, radius)
    for side in range(6):
        for _ in range(radius):
            yield cell
            cell = step(cell, side + 2)


def put(battle: Battle, ship: Ship, cell: Hex, facing: int) -> None:
    """Put a ship on the board and into the index. Rule: K.S6."""
    ship.pos, ship.facing, ship.status = cell, facing, Status.AFLOAT
    ship.in_irons_last_turn = battle.rel(facing) == 0
    battle.place(ship)


def anchor(battle: Battle) -> None:
    """Turn the ships that begin at anchor head to wind. See the switch `at_anchor`. Rule: K.S9."""
    for ship in battle.ships.values():
        if ship.status is Status.AFLOAT and at_anchor(battle, ship):
            ship.facing, ship.in_irons_last_turn = battle.upwind, True


def stations(sizes: Sequence[int]) -> list[int]:
    """Hexes astern of the van for each ship of a line: one apart in a squadron, three empty hexes between squadrons.

    sizes: ships in each squadron, van first. Rule: K.S7.
    """
    found: list[int] = []
    astern = 0
    for size in sizes:
        found += range(astern, astern + size)
        astern += size + BETWEEN_SQUADRONS
    return found


def lay_lines(battle: Battle, fleets: Sequence[Sequence[SquadronState]], gap: int) -> None:
    """Each fleet in one line ahead on the port-tack reach, middle ships opposite each other along the wind.

    fleets: the squadrons of each, van first, the fleet to windward first. gap: hexes between the lines. A place that is taken
    or not open water is changed for the nearest that is; ships on the board already stay. Rule: K.S7.
    """
    heading = reach_heading(battle.wind)
    centre = step((0, 0), battle.wind, -(gap // 2))
    for squadrons in fleets:
        ships = [battle.ships[code] for squadron in squadrons for code in squadron.ships]
        astern = stations([len(squadron.ships) for squadron in squadrons])
        if ships:
            middle = astern[len(ships) // 2]
            for ship, place in zip(ships, astern, strict=True):
                if ship.status is Status.EXPECTED:
                    wish = step(centre, heading, middle - place)
                    put(battle, ship, clear_hex(battle, ship, wish), heading)
        centre = step(centre, battle.wind, gap)


def disorder(battle: Battle, dice: Dice, log: Log | None) -> None:
    """Throw every ship out of her place, or not: two dice each, in list order. Rules: K.A2.12, K.A2.13, K.A2.14, K.S8."""
    rolled: set[str] = set()
    bonus = bool(battle.options.get("english_disorder_bonus", False))
    for ship in list(battle.ships.values()):
        if ship.status is not Status.AFLOAT:
            continue
        first, second = dice.throw(
            Die.D6,
            2,
            clause="K.A2.12",
            subjects=(0, ship.id),
            reason="out of place at the start",
        )
        if bonus and is_english(ship.nation):
            first -= 1
        hexes = 0 if first <= 2 else 1 if first <= 4 else 2
        cell = _thrown_clear(battle, ship, hexes, second, rolled, dice)
        rolled.add(ship.id)
        if cell != ship.pos:
            battle.move(ship, cell)
            if log is not None:
                q, r = cell
                log.add("disorder", "K.A2.12", ship.id, q=q, r=r)


def _thrown_clear(battle: Battle, ship: Ship, hexes: int, die: int, rolled: set[str], dice: Dice) -> Hex:
    """Where a ship ends that is displaced so many hexes, throwing again until the hex is clear of all who threw before her.

    From a friend's hex she goes on from there, from any other place that will not do she starts again. Rule: K.A2.14.
    """
    origin = base = ship.pos
    cell = step(base, battle.wind + die - 1, hexes)
    if hexes == 0 and not _taken(battle, ship, cell, rolled):
        return cell
    if hexes == 0:
        hexes, cell = 1, step(base, battle.wind + die - 1)
    for throw in range(1, _PATIENCE):
        others = _taken(battle, ship, cell, rolled)
        if not others and open_to(battle, ship, cell):
            return cell
        base = cell if others and all(battle.friends(ship, one) for one in others) else origin
        die = dice.d6(
            clause="K.A2.14",
            subjects=(0, ship.id, throw),
            reason="thrown clear of another ship",
        )
        cell = step(base, battle.wind + die - 1, hexes)
    return origin if not _taken(battle, ship, origin, rolled) else clear_hex(battle, ship, origin)


def _taken(battle: Battle, ship: Ship, cell: Hex, rolled: set[str]) -> list[Ship]:
    return [one for one in battle.at.get(cell, ()) if one is not ship and one.id in rolled]


def arrivals(battle: Battle, play: Play) -> None:
    """Bring in the squadrons due this turn: in line ahead, van first, from their edge, steering for the middle of the fight.

    They come in on that bearing from the middle of all ships, 13 hexes from the nearest, or on the rim of a sea with edges;
    squadrons of a side that come together follow each other. Rules: K.G9, K.S7, K.S9.
    """
    present = [ship.pos for ship in battle.ships.values() if ship.afloat]
    astern: dict[tuple[str, int], int] = {}
    for squadron in battle.squadrons.values():
        ships = [battle.ships[code] for code in squadron.ships]
        if not 0 < squadron.arrives <= battle.turn or not any(one.status is Status.EXPECTED for one in ships):
            continue
        direction = _bearing(battle, squadron)
        entry = _entry(battle, present, direction)
        heading = _inward(battle, direction)
        last = astern.get((squadron.side, direction), 0)
        for place, ship in enumerate(ships, start=last):
            cell = clear_hex(battle, ship, step(entry, heading, -place))
            put(battle, ship, cell, heading)
            if play.log is not None:
                q, r = cell
                play.log.add("arrived", "K.G9", ship.id, q=q, r=r, f=heading)
        astern[squadron.side, direction] = last + len(ships) + BETWEEN_SQUADRONS


def _bearing(battle: Battle, squadron: SquadronState) -> int:
    """Board direction a squadron comes from: the edge it is given, in chart degrees, else up wind. Rule: K.G25."""
    if squadron.edge is None:
        return battle.upwind
    return ((squadron.edge - battle.north) % 360 + 30) // 60 % 6


def _inward(battle: Battle, direction: int) -> int:
    """The facing nearest to the reverse of a direction in which a ship does not lie in irons. Rule: K.S7."""
    facing = (direction + 3) % 6
    return (facing + 1) % 6 if battle.rel(facing) == 0 else facing


def _entry(battle: Battle, present: Sequence[Hex], direction: int) -> Hex:
    """The hex a reinforcement's van enters by: from the middle of all ships outward, the first that is far enough from each."""
    cell = _middle(present)
    while any(distance(cell, other) < ARRIVAL for other in present):
        further = step(cell, direction)
        if over_edge(battle, further):
            break
        cell = further
    return cell


def _middle(cells: Sequence[Hex]) -> Hex:
    if not cells:
        return (0, 0)
    return sum(q for q, _ in cells) // len(cells), sum(r for _, r in cells) // len(cells)
