"""What this set cannot play in a scenario that is otherwise well formed, all of it. Rules: P.Z08, P.S11, P.K36, P.K38, P.K42, P.K44."""

from __future__ import annotations

import re
from collections.abc import Iterator

from battles.engine.core.errors import Fault, SchemaError
from battles.engine.core.grid import Grid
from battles.engine.core.parties import absence_faults, entries
from battles.engine.core.plane import Box, overlap
from battles.engine.core.scenario import Scenario, ScenarioShip, Strength
from battles.engine.rulesets.barker import coming, layout, minefields, setup
from battles.engine.rulesets.barker.at_sea import ANCHORED
from battles.engine.rulesets.barker.card import card, card_faults
from battles.engine.rulesets.barker.clock import HOUR, seconds
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.layout import CELL
from battles.engine.rulesets.barker.options import OPTIONS, option_faults, with_defaults
from battles.engine.rulesets.barker.pairs import bases
from battles.engine.rulesets.barker.state import Cell
from battles.engine.rulesets.barker.tables import BASE_LENGTH, BASE_WIDTH, OVERLAP, YEARS, Phase, Type

_START = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d.*")
# The shortest day and night: SUNRISE, SUNSET, DUSK and DAWN have to find room. Rules: P.T05, P.T06.
_LEAST_DAY, _LEAST_NIGHT = 3 * HOUR, 1 * HOUR
SIDES = 2


def faults(scenario: Scenario) -> Iterator[Fault]:
    """What this set cannot play: one fault for each thing, with its path."""
    switches = [Fault(f"options.{name}", text) for name, text in option_faults(scenario.options)]
    yield from switches
    when = list(_hour_faults(scenario, {fault.path for fault in switches}))
    yield from when
    if scenario.strength is Strength.GALE and not scenario.fixed_positions:
        yield Fault("wind.strength", "no battle begins in a gale (G.WX3)")
    if len(scenario.sides) != SIDES:
        yield Fault("sides", f"{len(scenario.sides)} sides; this rule set has two (P.K02)")
        return
    yield from absence_faults(scenario)
    year = None if when else setup.year_of(scenario)
    ships = [fault for path, ship in entries(scenario) for fault in _ship_faults(path, ship, year)]
    yield from ships
    if not switches and not ships:
        yield from _place_faults(scenario)


def _hour_faults(scenario: Scenario, wrong: set[str]) -> Iterator[Fault]:
    """Rules: P.Z08, P.K15, P.K42."""
    if scenario.start and not _START.fullmatch(scenario.start):
        yield Fault("start", f"{scenario.start!r} is not an hour; give it as 1904-08-10T12:30 (P.K42)")
    elif not scenario.start and scenario.options.get("year") is None:
        yield Fault("start", "the year is not known; give a start, or the switch year (P.K42)")
    elif scenario.start and int(scenario.start[:4]) not in YEARS:
        yield Fault(
            "start",
            f"{scenario.start[:4]} is outside this rule set, which is for {YEARS[0]} to {YEARS[-1]} (P.Z08)",
        )
    if not wrong & {"options.sunrise", "options.nightfall"}:
        rise, dark = (
            seconds(scenario.options.get(name, OPTIONS[name].default)) for name in ("sunrise", "nightfall")
        )
        if not rise + _LEAST_DAY <= dark <= rise + 24 * HOUR - _LEAST_NIGHT:
            yield Fault(
                "options.nightfall",
                "nightfall comes 3 hours or more after sunrise, and before midnight (P.K15)",
            )


def _ship_faults(path: str, ship: ScenarioShip, year: int | None) -> Iterator[Fault]:
    against = card_faults(ship.facts)
    for field, text in against:
        yield Fault(f"{path}.facts.{field}", text)
    if not against:
        yield from _age_faults(path, ship, year)
    if ship.condition is None:
        return
    try:
        now = Condition.from_dict(ship.condition)
    except (SchemaError, KeyError, TypeError, ValueError) as error:
        yield Fault(f"{path}.condition", f"not a condition in this rule set: {error}")
        return
    if now.gone:
        yield Fault(f"{path}.condition", "nothing of it is left, so it cannot fight (P.K33)")
    elif not against and card(ship.facts).kind is Type.SUB and now.rung:
        yield Fault(
            f"{path}.condition", "a submarine is sound or lost; it has neither markers nor crippling (P.U09)"
        )


def _age_faults(path: str, ship: ScenarioShip, year: int | None) -> Iterator[Fault]:
    """A type before its year, a ship before its launch. Rule: P.S11."""
    if year is None:
        return
    row = KINDS[card(ship.facts).kind]
    if year < row.first:
        yield Fault(
            f"{path}.facts.ship_type", f"{ship.name}: there is no {row.words} before {row.first} (P.S11)"
        )
    built = ship.facts.year_built
    if built is not None and built > year:
        yield Fault(
            f"{path}.facts.year_built", f"{ship.name} was launched in {built}, after this battle (P.S11)"
        )


def _place_faults(scenario: Scenario) -> Iterator[Fault]:
    """Ships off the table, ashore, or on each other; mines where none can lie; a guard with nothing to guard."""
    if scenario.edges is not None:
        west, south, east, north = scenario.edges
        if west >= east or south >= north:
            yield Fault(
                "edges", "minimum and maximum are swapped; give [x minimum, y minimum, x maximum, y maximum]"
            )
            return
    options = with_defaults(scenario.options)
    there = bases(scenario)
    anchored = [base for base in there if layout.is_anchored(base) and not base.first.squadron.arrives]
    if options["guard"] and not anchored:
        yield Fault(
            "options.guard", f"a guard needs ships at anchor in the port; tag them {ANCHORED} (P.K38)"
        )
    first = scenario.sides[0].id
    poses, field, _ = setup.places(scenario, there, first, Phase.DAY, options)
    table = layout.table(scenario, field.axis, options["table_mm"], poses)
    land = frozenset(scenario.land)
    edges = {side.id: field.edge(side.id) for side in scenario.sides}
    yield from minefields.faults(scenario, there, land, table, edges)
    if options["setup"] == "table":
        return
    paths = {ship.id: (f"{path}.position", ship.name) for path, ship in entries(scenario)}
    shallow = land | frozenset(scenario.shoal)
    grid: Grid[Box] = Grid(BASE_LENGTH)
    lying: dict[Box, str] = {}
    for code, pose in poses.items():
        path, name = paths[code]
        box = Box(pose.x, pose.y, pose.h, BASE_LENGTH, BASE_WIDTH)
        at = [pose.x // 100, pose.y // 100]
        if not coming.inside(table, (pose.x, pose.y)):
            yield Fault(path, f"{name} lies off the table at {at} (P.K42)")
        elif _on_squares(box, shallow):
            yield Fault(path, f"{name} lies on land or a shoal at {at} (P.K42)")
        for other in grid.near((pose.x, pose.y), 2 * BASE_LENGTH):
            if overlap(box, other, -OVERLAP - 1):
                yield Fault(path, f"{name} lies on the base of {lying[other]}, at {at} (P.S01)")
                break
        grid.place(box)
        lying[box] = name


def _on_squares(box: Box, squares: frozenset[Cell]) -> bool:
    """Whether a base lies on any of these squares, by more than the tolerance. Rule: P.Z03."""
    i, j = box.x // CELL, box.y // CELL
    near = [(i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)]
    return any(
        cell in squares
        and overlap(
            box, Box(cell[0] * CELL + CELL // 2, cell[1] * CELL + CELL // 2, 0, CELL, CELL), -OVERLAP - 1
        )
        for cell in near
    )
