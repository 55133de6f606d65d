"""Where everybody begins: the table, the two columns of a contact on the chart, an anchorage and the guns of its port.

Rules: P.S32, P.K04, P.K38, P.K42.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from battles.engine.core.plane import FULL, RIGHT, STRAIGHT, Point, advance, bearing, distance
from battles.engine.core.scenario import Scenario, Squadron
from battles.engine.rulesets.barker.at_sea import ANCHORED
from battles.engine.rulesets.barker.card import card
from battles.engine.rulesets.barker.pairs import Base
from battles.engine.rulesets.barker.state import Cell
from battles.engine.rulesets.barker.tables import BASE_LENGTH, BOATS, MERCHANTS, MILE, YARD, Phase, Type

Table = tuple[int, int, int, int]
# Yards to a millimetre of the table when cruising. Rules: P.S32, Table 3.
CRUISING_MM = 40
# Between a squadron's rear edge and the front of the next; between the columns; between the fleet and its train. Rule: P.K42.
BETWEEN = 400 * YARD
FLOTILLAS_OFF = 2_000 * YARD
TRAIN_ASTERN = 4_000 * YARD
# Room that is kept beyond the rearmost base of a fleet too long for the table.
ROOM = 4_000 * YARD
# Side of a square of land. Rule: P.K42.
CELL = 500 * YARD
# An anchorage without a shore of its own gets one: so far from the ships, so many squares deep and long. Rules: P.K38, P.S25, P.S29.
SHORE_OFF = 1_000 * YARD
SHORE_DEEP, SHORE_LONG = 2, 36
# Rule: P.K38.
BATTERIES_APART = MILE
POSTS_FROM_GUARD, POSTS = 4, 2


class Pose(NamedTuple):
    """Where a base lies and heads."""

    x: int
    y: int
    h: int


class Field(NamedTuple):
    """The long axis: bearing of its north or east end, and by side whether that end is his. Rule: P.K42."""

    axis: int
    ends: Mapping[str, bool]

    def edge(self, side: str) -> int:
        """Bearing of a side's own end of the table, its entry edge."""
        return self.axis if self.ends[side] else (self.axis + STRAIGHT) % FULL


def upright(towards: int) -> bool:
    """Whether the long axis is north to south in a wind: it blows within 45 degrees of that. Rule: P.K42."""
    off = towards % 180
    return off <= 45 or off >= 135


def field_of(scenario: Scenario, initiative: str) -> Field:
    """The long axis, north to south with a wind within 45 degrees of it; the gauge's side nearer to the wind's eye. Rule: P.K42."""
    from_ = (scenario.wind_towards + 180) % 360
    north_south = upright(scenario.wind_towards)
    first, second = (side.id for side in scenario.sides)
    if scenario.gauge:
        windward = from_ <= 90 or from_ >= 270 if north_south else from_ < 180
        ahead = scenario.gauge if windward else (second if scenario.gauge == first else first)
    else:
        ahead = second if initiative == first else first
    return Field(0 if north_south else RIGHT, {code: code == ahead for code in (first, second)})


def placed_field(poses: Mapping[str, Pose], sides: Mapping[str, str]) -> Field:
    """The axis along which the sides of a scenario with places of its own lie farthest apart. sides: by unit."""
    first, second = dict.fromkeys(sides.values())
    means = []
    for code in (first, second):
        own = [pose for unit, pose in poses.items() if sides[unit] == code]
        means.append((sum(pose.x for pose in own) // len(own), sum(pose.y for pose in own) // len(own)))
    dx, dy = means[0][0] - means[1][0], means[0][1] - means[1][1]
    upright = abs(dy) >= abs(dx)
    ahead = (dy if upright else dx) > 0
    return Field(0 if upright else RIGHT, {first: ahead, second: not ahead})


def table(scenario: Scenario, axis: int, millimetres: Sequence[int], poses: Mapping[str, Pose]) -> Table:
    """The edges of the sea; the long side grows where a fleet would not find room. Rules: P.S32, P.K04, P.K42."""
    if scenario.edges is not None:
        west, south, east, north = (n * YARD for n in scenario.edges)
        return west, south, east, north
    long, wide = (n * CRUISING_MM * YARD // 2 for n in millimetres)
    x, y = (wide, long) if axis == 0 else (long, wide)
    x = max([x, *(abs(pose.x) + ROOM for pose in poses.values())])
    y = max([y, *(abs(pose.y) + ROOM for pose in poses.values())])
    return -x, -y, x, y


def start_range(scenario: Scenario, phase: Phase, yards: Sequence[int]) -> int:
    """How far apart the leaders' fronts begin. Rule: P.K04."""
    clear, haze, fog, half_light, night = yards
    if scenario.gap is not None:
        return scenario.gap * YARD
    sky = scenario.options.get("sky", "clear")
    if phase is Phase.NIGHT:
        found = night
    elif sky == "fog":
        found = fog
    elif phase in (Phase.DAWN, Phase.DUSK):
        found = half_light
    else:
        found = haze if sky == "haze" else clear
    return found * YARD


def given(bases: Sequence[Base]) -> dict[str, Pose | None]:
    """Places that the scenario gives; bases of boats take those of their squadron's first ships. None: to be laid out. Rule: P.K36."""
    found: dict[str, Pose | None] = {}
    taken: dict[str, int] = {}
    for base in bases:
        squadron = base.first.squadron
        n = taken.get(squadron.id, 0)
        taken[squadron.id] = n + 1
        if squadron.arrives:
            continue
        boats = base.type in BOATS and all(ship.position is not None for ship in squadron.ships)
        ship = squadron.ships[n] if boats else base.first.ship
        found[base.first.ship.id] = (
            None
            if ship.position is None
            else Pose(ship.position[0] * YARD, ship.position[1] * YARD, (ship.heading or 0) % FULL)
        )
    return found


def is_anchored(base: Base) -> bool:
    """Whether a base lies at anchor when the battle opens. Rule: P.K38."""
    return ANCHORED in base.first.ship.facts.tags


def columns(bases: Sequence[Base], field: Field, gap: int) -> dict[str, Pose]:
    """Everybody in columns facing the middle: line ahead by squadrons, flotillas to port, merchants and prizes astern. Rule: P.K42."""
    found: dict[str, Pose] = {}
    for code in field.ends:
        own = [base for base in bases if base.first.side.id == code and not base.first.squadron.arrives]
        end = field.edge(code)
        course = (end + STRAIGHT) % FULL
        anchored = [base for base in own if is_anchored(base)]
        found |= _anchorage(anchored, end, gap)
        own = [base for base in own if base not in anchored]
        train = [base for base in own if _in_train(base)]
        boats = [base for base in own if _in_flotilla(base)]
        line = [base for base in own if base not in train and base not in boats]
        if not line:
            line, boats = boats, []
        lead = advance((0, 0), end, gap // 2 + BASE_LENGTH // 2)
        rear = 0
        for base, off in _in_column(line):
            found[base.first.ship.id] = Pose(*advance(lead, end, off), course)
            rear = off + BASE_LENGTH
        port = advance(lead, (course - RIGHT) % FULL, FLOTILLAS_OFF)
        for base, off in _in_column(boats):
            found[base.first.ship.id] = Pose(*advance(port, end, off), course)
        back = rear + TRAIN_ASTERN if line else 0
        for base, off in _in_column(train):
            found[base.first.ship.id] = Pose(*advance(lead, end, back + off), course)
    return found


def _in_train(base: Base) -> bool:
    return base.first.ship.prize or base.type in MERCHANTS or base.type in _DISGUISED


_DISGUISED = frozenset({Type.RAIDER_L, Type.RAIDER_T, Type.MINELAYER})


def _in_flotilla(base: Base) -> bool:
    """Whether a base belongs to a flotilla's column; submarines lie with them."""
    return base.type is Type.SUB or is_flotilla(base.first.squadron)


def is_flotilla(squadron: Squadron) -> bool:
    """Whether a squadron is one of torpedo craft only, or of these and one scout. Rules: P.S16, P.K36."""
    kinds = [card(ship.facts).kind for ship in squadron.ships if not ship.prize]
    boats = sum(kind in BOATS for kind in kinds)
    return boats > 0 and len(kinds) - boats == kinds.count(Type.SC) <= 1


def _in_column(bases: Sequence[Base]) -> Iterator[tuple[Base, int]]:
    """Bases with how far each lies astern of the first: touching within a squadron, with room between squadrons."""
    off = 0
    for n, base in enumerate(bases):
        if n:
            off += BASE_LENGTH
            if base.first.squadron is not bases[n - 1].first.squadron:
                off += BETWEEN
        yield base, off


def _anchorage(bases: Sequence[Base], end: int, gap: int) -> dict[str, Pose]:
    """Ships at anchor in line ahead along the shore behind them, 400 yd from middle to middle. Rule: P.K38."""
    course = (end + RIGHT) % FULL
    middle = advance((0, 0), end, gap // 2 + BASE_LENGTH // 4)
    lead = advance(middle, course, BASE_LENGTH * (len(bases) - 1) // 2)
    return {
        base.first.ship.id: Pose(*advance(lead, course, -BASE_LENGTH * n), course) for n, base in enumerate(bases)
    }  # fmt: skip


def shore(end: int, gap: int) -> frozenset[Cell]:
    """A straight coast behind an anchorage for which the scenario gives none. Rules: P.K38, P.S25."""
    first = -(-(gap // 2 + BASE_LENGTH // 2 + SHORE_OFF) // CELL)
    cells = [(i, first + j) for i in range(-SHORE_LONG // 2, SHORE_LONG // 2) for j in range(SHORE_DEEP)]
    # Squares are named by their south-west corners, so those of a mirrored coast begin one farther off.
    if end >= STRAIGHT:
        cells = [(i, -j - 1) for i, j in cells]
    return frozenset((j, i) if end % STRAIGHT else (i, j) for i, j in cells)


def port(guard: int, anchored: Sequence[Pose], land: frozenset[Cell]) -> list[tuple[bool, Pose]]:
    """The batteries of a port and, at a guard of 4, its searchlight posts: whether a battery, place and face, which is seaward.

    One mile apart about the point of the shore that is nearest to the anchorage. Rule: P.K38.
    """
    middle = (
        sum(pose.x for pose in anchored) // len(anchored),
        sum(pose.y for pose in anchored) // len(anchored),
    )
    squares = sorted(land)
    here = min((_centre(cell) for cell in squares), key=lambda at: distance(at, middle))
    face = (bearing(here, middle) + RIGHT // 2) // RIGHT * RIGHT % FULL if here != middle else 0
    along = (face + RIGHT) % FULL
    wanted = [(True, (2 * n - guard + 1) * BATTERIES_APART // 2) for n in range(guard)]
    if guard >= POSTS_FROM_GUARD:
        wanted += [(False, (2 * n - POSTS + 1) * BATTERIES_APART) for n in range(POSTS)]
    found: list[tuple[bool, Pose]] = []
    for battery, off in wanted:
        target = advance(here, along, off)
        free = [at for at in map(_centre, squares) if at not in [(pose.x, pose.y) for _, pose in found]]
        if free:
            found.append((battery, Pose(*min(free, key=lambda at: distance(at, target)), face)))
    return found


def _centre(cell: Cell) -> Point:
    return cell[0] * CELL + CELL // 2, cell[1] * CELL + CELL // 2
