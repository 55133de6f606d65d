"""From a scenario to a battle: cards, carried-over damage, sides, squadrons, hour, wind, and everyone in place.

Rules: T.S8, T.S10-T.S14, T.S20-T.S25, T.S31, T.C1, T.C2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from battles.engine.core import plane, shore
from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, SchemaError
from battles.engine.core.grid import Grid
from battles.engine.core.log import Log
from battles.engine.core.parties import SquadronState, absence_faults, entries, sides_of, squadrons_of
from battles.engine.core.plane import Box
from battles.engine.core.scenario import Scenario, ScenarioShip, ShipFacts
from battles.engine.rulesets.thomas import condition as condition_
from battles.engine.rulesets.thomas import fitting, handicap, layout, wind
from battles.engine.rulesets.thomas.card import card, card_faults
from battles.engine.rulesets.thomas.condition import Condition
from battles.engine.rulesets.thomas.gaps import period
from battles.engine.rulesets.thomas.options import LAST_MOVE, OPTIONS, option_faults, with_defaults
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle
from battles.engine.rulesets.thomas.tables import Period

# No card is longer (overrides.py): thousandths of an inch.
LONGEST = 6_000


def begin(scenario: Scenario, dice: Dice, log: Log | None = None) -> Battle:
    """The battle before its first move: hour, wind, every ship with her card and her old wounds, in line or where she is put.

    Expects a scenario without faults. Dice of the set-up belong to move 0.
    Rules: T.S8, T.S10, T.S11, T.S12, T.S14, T.S20, T.S24, T.S31, T.C1, T.C2.
    """
    options = with_defaults(scenario.options)
    wind_from, strength = wind.from_chart(scenario.wind_towards, scenario.strength)
    prevailing = _prevailing(options.pop("prevailing"), wind_from)
    start = _start_minute(scenario, options, dice)
    if options["wind_start"] == "thrown":
        wind_from, prevailing, strength = wind.throw_opening(
            dice, variable=options["wind_setup"] == "variable"
        )
    battle = Battle(
        title=scenario.title,
        move=0,
        start=start,
        last_move=scenario.turn_limit or LAST_MOVE,
        wind_from=wind_from,
        prevailing=prevailing,
        strength=strength,
        sides=sides_of(scenario),
        squadrons=squadrons_of(scenario, SquadronState),
        ships={},
        options=options,
        nelson=_nelson(scenario),
        land=tuple(tuple((x, y) for x, y in land) for land in scenario.options.get("coast", ())),
    )
    left = {side.id: handicap.of_side(scenario, side.id) for side in scenario.sides}
    made = {}
    for side, squadron, entry in scenario.ships():
        own = handicap.handicapped(card(facts_of(entry, scenario)), left[side.id])
        made[entry.id] = fitting.fit_out(side, squadron, entry, own, options)
    battle.ships = {code: made[code] for code in sorted(made)}
    _restore_tows(battle, scenario)
    play = Play(dice=dice, log=log)
    layout.deploy(battle, scenario, play)
    layout.tell(battle, play)
    return battle


def facts_of(entry: ScenarioShip, scenario: Scenario) -> ShipFacts:
    """A ship's facts with the name and the year that the scenario knows. Rules: T.S24, section 11."""
    return replace(
        entry.facts,
        name=entry.facts.name or entry.name,
        year_served=entry.facts.year_served if entry.facts.year_served is not None else year_of(scenario),
    )


def year_of(scenario: Scenario) -> int | None:
    """The year of the battle, None when the scenario has no date. Rule: T.S24."""
    year = scenario.start[:4]
    return int(year) if year.isdigit() else None


def _nelson(scenario: Scenario) -> bool:
    """Whether T.N1-T.N4 hold: by switch, by period, by the year, else by the ships' own years. Rule: T.S24."""
    chosen = scenario.options.get("nelson_rules")
    if chosen is not None:
        return bool(chosen)
    named = scenario.options.get("period", "auto")
    if named != "auto":
        return bool(named == "nelson")
    year = year_of(scenario)
    if year is None:
        year = max((card(facts_of(entry, scenario)).year for _, _, entry in scenario.ships()), default=0)
    return period(year) is Period.NELSON


def _prevailing(chosen: int | str | None, wind_from: int) -> int | None:
    """The prevailing bearing: the campaign's, none, or the wind that blows at the start. Rules: T.C2, T.S11."""
    if chosen is None:
        return wind_from
    return None if isinstance(chosen, str) else chosen * 100


def _start_minute(scenario: Scenario, options: dict[str, object], dice: Dice) -> int:
    """Minute of the day of the first move: the switch's, the scenario's, else thrown. Rules: T.S10, T.C1."""
    chosen = options.pop("start_minute")
    if isinstance(chosen, int):
        return chosen
    date, _, clock = scenario.start.partition("T")
    hours, _, minutes = clock.partition(":")
    if hours.isdigit() and minutes[:2].isdigit():
        return int(hours) * 60 + int(minutes[:2])
    return wind.throw_hour(dice, campaign=bool(options["campaign"])) * 60


def faults(scenario: Scenario) -> Iterator[Fault]:
    """What this set cannot play in a scenario that is otherwise well formed, all of it. Rules: T.S4, T.S21, T.S23, T.S30."""
    for name, text in option_faults(scenario.options):
        yield Fault(f"options.{name}", text)
    if len(scenario.sides) != 2:
        yield Fault("sides", f"{len(scenario.sides)} sides; this rule set needs two (T.S23)")
    for name in ("land", "shoal"):
        if getattr(scenario, name):
            yield Fault(name, "this rule set has no cells; give shores as polygons in options.coast (T.S21)")
    if scenario.edges is not None:
        yield Fault("edges", "the sea in this rule set has no edges (T.S16)")
    yield from absence_faults(scenario)
    yield from handicap.faults(scenario)
    hulls: list[tuple[str, str, Box]] = []
    for path, entry in entries(scenario):
        found = list(_ship_faults(entry, scenario))
        for field, text in found:
            yield Fault(f"{path}.{field}", text)
        if not found and entry.position is not None:
            made = card(facts_of(entry, scenario))
            hull = Box(*entry.position, layout.heading_of(entry, scenario), made.length, made.beam)
            hulls.append((path, entry.name, hull))
    yield from _placing_faults(scenario, hulls)


def _ship_faults(entry: ScenarioShip, scenario: Scenario) -> Iterator[tuple[str, str]]:
    facts = facts_of(entry, scenario)
    against = card_faults(facts)
    for field, text in against:
        yield f"facts.{field}" if field else "facts", f"{entry.name}: {text}"
    if entry.heading is not None and not 0 <= entry.heading < plane.FULL:
        yield "heading", f"{entry.heading} is not a heading; use 0 to 35999 hundredths of a degree"
    if against or entry.condition is None:
        return
    try:
        condition = Condition.from_dict(entry.condition)
    except (SchemaError, KeyError, TypeError, ValueError) as error:
        yield "condition", f"not a condition in this rule set: {error}"
        return
    for text in condition_.faults(card(facts), condition):
        yield "condition", text


def _placing_faults(scenario: Scenario, hulls: list[tuple[str, str, Box]]) -> Iterator[Fault]:
    """Ships on top of each other or ashore. Rules: T.S20, T.S21."""
    coast = scenario.options.get("coast", ())
    lands = [tuple((x, y) for x, y in land) for land in coast] if OPTIONS["coast"].allows(coast) else []
    laid: Grid[Box] = Grid(4 * LONGEST)
    names: dict[Box, str] = {}
    for path, name, hull in hulls:
        if any(shore.ashore(hull, land) for land in lands):
            yield Fault(f"{path}.position", f"{name} lies ashore at {[hull.x, hull.y]}")
        for other in sorted(laid.near((hull.x, hull.y), hull.length + LONGEST)):
            if plane.overlap(hull, other, -plane.TOUCH):
                text = f"{name} lies on top of {names[other]} at {[hull.x, hull.y]}"
                yield Fault(f"{path}.position", text)
        laid.place(hull)
        names.setdefault(hull, name)


def _restore_tows(battle: Battle, scenario: Scenario) -> None:
    """Ships that came in tow are still in tow of a ship that is here. Rule: T.C36."""
    for _, _, entry in scenario.ships():
        tower = (entry.condition or {}).get("towed_by", "")
        if tower in battle.ships and not battle.ships[tower].towing and tower != entry.id:
            battle.ships[entry.id].towed_by = tower
            battle.ships[tower].towing = entry.id
