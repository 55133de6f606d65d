"""From a scenario to a battle: cards, carried-over damage, sides, squadrons, wind, and everyone in place.

Rules: K.S1-K.S11, K.W1, K.I6, K.G8, K.G9, K.G25.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from battles.engine.core.crews import complement
from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, SchemaError
from battles.engine.core.log import Log
from battles.engine.core.overhauled import caught
from battles.engine.core.parties import absence_faults, entries, squadrons_of
from battles.engine.core.scenario import Scenario, ScenarioShip, ShipFacts, Side, Squadron, Strength
from battles.engine.rulesets.kohler import layout, wind
from battles.engine.rulesets.kohler.card import card
from battles.engine.rulesets.kohler.condition import SOUND, Condition
from battles.engine.rulesets.kohler.damage import fire_now, steps_at
from battles.engine.rulesets.kohler.options import (
    LAST_TURN,
    option_faults,
    with_defaults,
)
from battles.engine.rulesets.kohler.state import (
    Battle,
    Ship,
    SideState,
    SquadronState,
    Status,
)
from battles.engine.rulesets.kohler.tables import is_dutch

_ADVISED = range(4, 11)


def begin(scenario: Scenario, dice: Dice, log: Log | None = None) -> Battle:
    """The battle before its first turn: every ship with her card and her old wounds, in line or where the scenario puts her.

    Expects a scenario without faults. Dice of the set-up belong to turn 0. Rules: K.S1, K.S2, K.S8, K.S9, K.W1, K.A2.1.
    """
    options = with_defaults(scenario.options)
    index, north, strength = wind.from_chart(scenario.wind_towards, scenario.strength)
    if options["wind_start"] == "random":
        index = wind.random_start(dice)
    battle = Battle(
        title=scenario.title,
        turn=0,
        last_turn=scenario.turn_limit or options["last_turn"] or LAST_TURN,
        wind=index,
        wind_prev=None,
        strength=strength,
        sides=_sides(scenario),
        squadrons=squadrons_of(scenario, SquadronState),
        ships={
            ship.id: _ship(side, squadron, ship, year_of(scenario))
            for side, squadron, ship in scenario.ships()
        },
        options=options,
        north=north,
        visibility=options["visibility"],
        land=frozenset(scenario.land),
        shoal=frozenset(scenario.shoal),
        edges=scenario.edges,
        quiet={side.id: 0 for side in scenario.sides},
    )
    _place(battle, scenario, dice, log)
    return battle


def faults(scenario: Scenario) -> Iterator[Fault]:
    """What this set cannot play in a scenario that is otherwise well formed. Rules: K.S5, K.S10, K.G8, K.G25."""
    for name, text in option_faults(scenario.options):
        yield Fault(f"options.{name}", text)
    if scenario.strength is Strength.GALE:
        yield Fault("wind.strength", "no battle begins in a gale (G.WX3)")
    yield from _sea_faults(scenario)
    squadrons = {squadron.id for side in scenario.sides for squadron in side.squadrons}
    for option in ("initiative", "at_anchor"):
        named = scenario.options.get(option, {})
        for code in named if isinstance(named, dict) else ():
            if code not in squadrons:
                yield Fault(
                    f"options.{option}.{code}",
                    f"not a squadron in this scenario; use {', '.join(sorted(squadrons))}",
                )
    yield from absence_faults(scenario)
    for path, ship in entries(scenario):
        for field, text in _ship_faults(ship, year_of(scenario)):
            yield Fault(f"{path}.{field}", text)


def _sea_faults(scenario: Scenario) -> Iterator[Fault]:
    """Edges that are no box, or leave too little deep water for so many ships. Rules: K.S6, K.S9."""
    if scenario.edges is None:
        return
    q_min, r_min, q_max, r_max = scenario.edges
    if q_min > q_max or r_min > r_max:
        yield Fault(
            "edges", "minimum and maximum are swapped; give [q minimum, r minimum, q maximum, r maximum]"
        )
        return
    closed = {*scenario.land, *scenario.shoal}
    shut = sum(q_min <= q <= q_max and r_min <= r <= r_max for q, r in closed)
    room, ships = (q_max - q_min + 1) * (r_max - r_min + 1) - shut, sum(1 for _ in scenario.ships())
    if room < 2 * ships:
        yield Fault(
            "edges",
            f"they leave {room} hexes of deep water for {ships} ships; at least {2 * ships} are needed",
        )
    for path, ship in entries(scenario):
        if ship.position is not None and not (
            q_min <= ship.position[0] <= q_max and r_min <= ship.position[1] <= r_max
        ):
            yield Fault(f"{path}.position", f"{ship.name} lies outside the edges at {list(ship.position)}")


def met_in(facts: ShipFacts, year: int | None) -> ShipFacts:
    """A ship's facts with the year of the battle where her register has none of its own. Rule: K.A1.14."""
    return facts if facts.year_served is not None else replace(facts, year_served=year)


def year_of(scenario: Scenario) -> int | None:
    """The year of a battle, None where its scenario does not say. Rule: K.A1.14."""
    year = scenario.start[:4]
    return int(year) if year.isdigit() else None


def _ship_faults(ship: ScenarioShip, year: int | None) -> Iterator[tuple[str, str]]:
    if ship.heading is not None and not 0 <= ship.heading <= 5:
        yield (
            "heading",
            f"{ship.heading} is not a hexside; use 0 to 5, clockwise from the north of the board (K.0.2)",
        )
    try:
        own = card(met_in(ship.facts, year))
    except (ValueError, TypeError) as error:
        yield "facts.overrides", str(error)
        return
    if ship.condition is None:
        return
    try:
        condition = Condition.from_dict(ship.condition)
    except (SchemaError, KeyError, TypeError, ValueError) as error:
        yield "condition", f"not a condition in this rule set: {error}"
        return
    lost = condition.hits_struct + condition.hits_board
    if lost >= own.hull_max:
        yield (
            "condition",
            f"{lost} of {own.hull_max} hull points are gone: the ship is not afloat (K.D12)",
        )


def _sides(scenario: Scenario) -> dict[str, SideState]:
    """Sides in list order; draws of initiative go to whom the scenario names, else the Dutch, else the last listed.

    Rule: K.I6.
    """
    named = any(side.wins_ties is not None for side in scenario.sides)
    dutch = any(is_dutch(side.nation) for side in scenario.sides)
    states = {}
    for side in scenario.sides:
        last = side is scenario.sides[-1]
        wins = bool(side.wins_ties) if named else is_dutch(side.nation) if dutch else last
        states[side.id] = SideState(
            side.id, side.name, side.nation, side.captain, side.doctrine, wins_ties=wins
        )
    return states


def _ship(side: Side, squadron: Squadron, entry: ScenarioShip, year: int | None) -> Ship:
    """A ship with her card and what earlier battles have left of her; not on the board yet.

    Old damage counts in full and calls for no critical checks. Rules: K.S2, K.S11, K.G7, K.G8, K.B24.
    """
    own = card(met_in(entry.facts, year))
    old = Condition.from_dict(entry.condition) if entry.condition is not None else SOUND
    ship = Ship(
        id=entry.id,
        name=entry.name,
        side=side.id,
        squadron=squadron.id,
        nation=entry.facts.nation,
        built_by=entry.facts.built_by,
        guns=own.guns,
        band=own.band,
        hull_max=own.hull_max,
        n_steps=own.n_steps,
        thresholds=own.thresholds,
        fire_track=own.fire_track,
        fast=own.fast,
        handy=own.handy,
        unhandy=own.unhandy,
        merchant=own.merchant,
        small=own.small,
        is_fireship=own.is_fireship,
        deep=own.deep,
        complement=entry.complement if entry.complement is not None else complement(entry.facts)[0],
        captain=entry.captain,
        napoleonic=own.napoleonic,
        carronades=own.carronades,
        hits_struct=old.hits_struct,
        hits_board=old.hits_board,
        board_before=old.hits_board,
        flag_officer_ok=old.flag_officer_ok,
        status=Status.EXPECTED,
        prize_of=side.id if entry.prize else "",
        is_flagship=entry.id == squadron.flagship,
    )
    ship.steps_lost = steps_at(ship.thresholds, ship.hits_struct + ship.hits_board)
    return ship


def _place(battle: Battle, scenario: Scenario, dice: Dice, log: Log | None) -> None:
    """Ships the scenario places, then everyone else in line, then disorder. Rules: K.S4, K.S6, K.S7, K.S8."""
    reach = layout.reach_heading(battle.wind)
    for _, squadron, entry in scenario.ships():
        if entry.position is not None and not squadron.arrives:
            facing = reach if entry.heading is None else entry.heading
            layout.put(battle, battle.ships[entry.id], entry.position, facing)
    if any(entry.position is None and not squadron.arrives for _, squadron, entry in scenario.ships()):
        present = {
            side.id: [battle.squadrons[one.id] for one in side.squadrons if not one.arrives]
            for side in scenario.sides
        }
        fleets = [present[code] for code in _to_windward(scenario, dice)]
        usual = layout.CAUGHT_GAP if caught(scenario) else layout.GAP
        layout.lay_lines(battle, fleets, scenario.gap or usual)
    layout.anchor(battle)
    if log is not None:
        _log_placed(battle, log)
    wanted = battle.options["disorder"]
    if wanted if wanted is not None else not scenario.fixed_positions:
        layout.disorder(battle, dice, log)


def _to_windward(scenario: Scenario, dice: Dice) -> list[str]:
    """Side ids, the one to windward first: the scenario's, or the one not surprised, else by a die. Rules: K.S7, G.SI1."""
    codes = [side.id for side in scenario.sides]
    ready = [code for code in codes if code not in scenario.surprised]
    if scenario.gauge:
        first = scenario.gauge
    elif len(ready) == 1:
        first = ready[0]
    else:
        die = dice.d6(clause="K.S7", subjects=(0,), reason="which side has the weather gauge")
        first = codes[0] if die <= 3 else codes[1]
    return [first, *(code for code in codes if code != first)]


def _log_placed(battle: Battle, log: Log) -> None:
    """The opening day: wind, sizes of squadrons against the advice, every ship. Rules: K.S4, K.S6."""
    log.add(
        "wind", "K.W1", towards=battle.wind, was=battle.wind, strength=int(battle.strength),
        strength_was=int(battle.strength),
    )  # fmt: skip
    for squadron in battle.squadrons.values():
        if len(squadron.ships) not in _ADVISED:
            log.add(
                "warned",
                "K.S4",
                squadron.flagship,
                squadron=squadron.id,
                ships=len(squadron.ships),
            )
    for ship in battle.ships.values():
        if ship.status is Status.AFLOAT:
            q, r = ship.pos
            log.add(
                "placed", "K.S6", ship.id, q=q, r=r, f=ship.facing, squadron=ship.squadron,
                side=ship.side, hull=ship.hull_left, steps=ship.steps_lost, fire=fire_now(ship),
            )  # fmt: skip
