"""From a scenario to a battle: cards, old wounds, wind, everyone in place, who moves first.

Rules: A.S1-A.S3, A.C10, A.C14, A.G32, A.G36-A.G38.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from battles.engine.core import shore
from battles.engine.core.crews import complement
from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, SchemaError
from battles.engine.core.grid import Grid
from battles.engine.core.log import Log
from battles.engine.core.parties import SquadronState, absence_faults, entries, sides_of, squadrons_of
from battles.engine.core.plane import FULL, Box
from battles.engine.core.scenario import Scenario, ScenarioShip, ShipFacts, Side, Squadron
from battles.engine.rulesets.age_of_sail import condition as condition_
from battles.engine.rulesets.age_of_sail import layout, wind
from battles.engine.rulesets.age_of_sail.card import Card, card, card_faults
from battles.engine.rulesets.age_of_sail.condition import Condition
from battles.engine.rulesets.age_of_sail.options import option_faults, polygons, with_defaults
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship, Status
from battles.engine.rulesets.age_of_sail.tables import CONTACT, SLACK


def begin(scenario: Scenario, dice: Dice, log: Log | None = None) -> Battle:
    """The battle before its first round. Expects a scenario without faults. Rules: A.S1, A.S2, A.S3."""
    options = with_defaults(scenario.options)
    wind_from, strength = wind.opening(scenario, options)
    limit = options["last_round"]
    battle = Battle(
        title=scenario.title,
        turn=0,
        last_turn=scenario.turn_limit or limit,
        nightfall=scenario.turn_limit is not None and scenario.turn_limit < limit,
        first="",
        active="",
        wind_from=wind_from,
        wind=strength,
        sides=sides_of(scenario),
        squadrons=squadrons_of(scenario, SquadronState),
        ships={},
        options=options,
        shoals=polygons(scenario.options, "shoals"),
        land=polygons(scenario.options, "coast"),
        edges=scenario.edges,
        history=[(wind_from, strength)],
    )
    for number, (side, squadron, entry) in enumerate(scenario.ships()):
        battle.ships[entry.id] = _ship(scenario, number, side, squadron, entry)
    layout.deploy(battle, scenario)
    play = Play(dice=dice, log=log)
    layout.tell(battle, play)
    battle.first = _first(battle, scenario, play)
    play.tell("first", "A.S3", side=battle.first)
    return battle


def facts_of(entry: ScenarioShip, scenario: Scenario) -> ShipFacts:
    """A ship's facts with the year that the scenario knows. Rule: A.C14."""
    year = scenario.start[:4]
    if entry.facts.year_served is not None or not year.isdigit():
        return entry.facts
    return replace(entry.facts, year_served=int(year))


def _ship(scenario: Scenario, number: int, side: Side, squadron: Squadron, entry: ScenarioShip) -> Ship:
    """A ship with her card and what she has left. Rules: A.C1-A.C9, A.C12, A.G32, A.G36."""
    facts = facts_of(entry, scenario)
    made = card(facts)
    now = Condition.from_dict(entry.condition) if entry.condition is not None else Condition.sound(made)
    whole = complement(facts, year=facts.year_served)[0] if entry.complement is None else entry.complement
    rig = [state or -condition_.WHOLE for state in now.masts]
    anchored = "anchored" in facts.tags
    boxes = (now.decks_port, now.decks_stbd, now.hull, sum(state > 0 for state in rig))
    return Ship(
        id=entry.id, number=number, name=entry.name, side=side.id, owner=side.id, squadron=squadron.id, cls=made.cls,
        pirate=_pirate(made, scenario), boards=made.pirate or made.privateer, flagship=entry.id == squadron.flagship,
        commander=entry.captain, complement=whole, decks=made.decks, hull=made.hull, masts=made.values,
        names=made.masts, x=0, y=0, h=0, port=now.decks_port, stbd=now.decks_stbd, units=now.hull, rig=rig, start=boxes,
        sent_port=now.sent_port, sent_stbd=now.sent_stbd, rest=now.rest,
        anchor=Anchor.DOWN if anchored else Anchor.UP, moored=anchored, manned=0 if entry.prize else None,
        status=Status.EXPECTED if squadron.arrives else Status.AFLOAT,
    )  # fmt: skip


def _pirate(made: Card, scenario: Scenario) -> bool:
    """Whether she keeps no line. Rules: A.C12, A.L5."""
    return made.pirate or (made.privateer and bool(with_defaults(scenario.options)["privateers_as_pirates"]))


def _first(battle: Battle, scenario: Scenario, play: Play) -> str:
    """The side that moves first: by switch, not the one surprised, else by a throw. Rules: A.S3, A.P8, A.G37."""
    chosen = battle.options["first_mover"]
    if chosen is not None:
        return str(chosen)
    if len(scenario.surprised) == 1:
        return battle.enemy(scenario.surprised[0])
    attempt = 0
    while True:
        attempt += 1
        faces = [
            play.dice.d6(clause="A.S3", subjects=(attempt, code), reason="who moves first")
            for code in battle.sides
        ]
        if faces[0] != faces[1]:
            return [*battle.sides][faces[0] < faces[1]]


def faults(scenario: Scenario) -> Iterator[Fault]:
    """What this set cannot play in a scenario that is otherwise well formed, all of it. Rules: A.P1, A.C10, A.G37, A.G38."""
    for name, text in option_faults(scenario.options):
        yield Fault(f"options.{name}", text)
    codes = [side.id for side in scenario.sides]
    chosen = scenario.options.get("first_mover")
    if isinstance(chosen, str) and chosen not in codes:
        yield Fault("options.first_mover", f"{chosen!r} is not a side; use one of {', '.join(codes)} (A.S3)")
    if len(codes) != 2:
        yield Fault("sides", f"{len(codes)} sides; this rule set needs two (A.P1)")
    for name in ("land", "shoal"):
        if getattr(scenario, name):
            text = "this rule set has no cells; give shores and shoals as polygons in options (A.G37)"
            yield Fault(name, text)
    yield from absence_faults(scenario)
    whole = len(codes) == 2
    for path, entry in entries(scenario):
        found = list(_ship_faults(entry, scenario))
        whole = whole and not found
        for field, text in found:
            yield Fault(f"{path}.{field}", text)
    if whole:
        yield from _placing_faults(scenario)


def _ship_faults(entry: ScenarioShip, scenario: Scenario) -> Iterator[tuple[str, str]]:
    facts = facts_of(entry, scenario)
    against = card_faults(facts)
    for field, text in against:
        yield f"facts.{field}", f"{entry.name}: {text}"
    if entry.heading is not None and not 0 <= entry.heading < FULL:
        yield "heading", f"{entry.heading} is not a heading; use 0 to 35999 hundredths of a degree"
    if against or entry.condition is None:
        return
    try:
        now = Condition.from_dict(entry.condition)
    except (SchemaError, KeyError, TypeError, ValueError) as error:
        yield "condition", f"not a condition in this rule set: {error}"
        return
    for text in condition_.faults(card(facts), now):
        yield "condition", text


def _placing_faults(scenario: Scenario) -> Iterator[Fault]:
    """Ships in one place, on land or beyond the edges. Rules: A.B1, A.T9, A.G37."""
    land = [
        tuple((x, y) for x, y in shape)
        for shape in scenario.options.get("coast") or ()
        if isinstance(shape, list | tuple)
        and all(isinstance(point, list | tuple) and len(point) == 2 for point in shape)
    ]
    laid: Grid[Box] = Grid(4 * CONTACT)
    names: dict[Box, str] = {}
    spots = layout.spots(scenario)
    for n, (path, entry) in enumerate(entries(scenario)):
        spot = spots.get(entry.id)
        if spot is None:
            continue
        x, y, _ = spot
        if any(shore.inside((x, y), shape) for shape in land):
            yield Fault(f"{path}.position", f"{entry.name} lies ashore at {[x, y]}")
        if scenario.edges is not None:
            left, low, right, high = scenario.edges
            if not (left <= x <= right and low <= y <= high):
                yield Fault(f"{path}.position", f"{entry.name} lies beyond the edges at {[x, y]}")
        for other in sorted(laid.near((x, y), CONTACT - SLACK - 1)):
            yield Fault(f"{path}.position", f"{entry.name} lies on top of {names[other]} at {[x, y]}")
        box = Box(x, y, n, 0, 0)
        laid.place(box)
        names[box] = entry.name
