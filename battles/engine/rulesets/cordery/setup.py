"""From a scenario to a battle: cards, carried-over damage, sides, squadrons, and everyone in place. Rules: C.S11, C.K31, C.K35, C.K36."""

from __future__ import annotations

from collections.abc import Iterator

from battles.engine.core.crews import complement
from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, SchemaError
from battles.engine.core.log import Log
from battles.engine.core.parties import SquadronState, absence_faults, entries, sides_of, squadrons_of
from battles.engine.core.scenario import Scenario, ScenarioShip, Side, Squadron, Strength
from battles.engine.rulesets.cordery import layout
from battles.engine.rulesets.cordery.at_sea import ANCHORED
from battles.engine.rulesets.cordery.card import Card, card, card_faults
from battles.engine.rulesets.cordery.condition import Condition, lost_systems
from battles.engine.rulesets.cordery.options import option_faults, with_defaults
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.tables import SYSTEMS

SIDES = 2


def faults(scenario: Scenario) -> Iterator[Fault]:
    """What this set cannot play in a scenario that is otherwise well formed. Rules: C.P1, C.N10, C.K10, C.K36, C.K37."""
    for name, text in option_faults(scenario.options):
        yield Fault(f"options.{name}", text)
    if scenario.strength is Strength.GALE:
        yield Fault("wind.strength", "no battle begins in a gale (G.WX3)")
    if len(scenario.sides) != SIDES:
        yield Fault("sides", f"{len(scenario.sides)} sides; this rule set has two (C.P1)")
    yield from absence_faults(scenario)
    for path, ship in entries(scenario):
        yield from _ship_faults(path, ship)
    yield from _edge_faults(scenario)
    if len(scenario.sides) == SIDES:
        yield from layout.faults(scenario)


def _edge_faults(scenario: Scenario) -> Iterator[Fault]:
    """Safe edges of sides that are none, and edges that the board has not. Rule: C.D3."""
    chosen = scenario.options.get("safe_edges", {})
    if not isinstance(chosen, dict):
        return
    sides = [side.id for side in scenario.sides]
    for code, edge in chosen.items():
        if code not in sides:
            yield Fault(f"options.safe_edges.{code}", f"not a side; use one of {', '.join(sides)}")
        elif edge in ("north", "south") and scenario.edges is None:
            yield Fault(
                f"options.safe_edges.{code}",
                f"the board has no edge in the {edge}; give edges, or use east or west",
            )


def _ship_faults(path: str, ship: ScenarioShip) -> Iterator[Fault]:
    against = card_faults(ship.facts)
    for field, text in against:
        yield Fault(f"{path}.facts.{field}", text)
    if against or ship.condition is None:
        return
    made = card(ship.facts)
    try:
        now = Condition.from_dict(ship.condition)
    except (SchemaError, KeyError, TypeError) as error:
        yield Fault(f"{path}.condition", f"not a condition in this rule set: {error}")
        return
    if not 0 < now.fp <= made.fp:
        yield Fault(
            f"{path}.condition",
            f"{now.fp} flotation points are left; a ship in a battle has 1 to {made.fp} (C.D6)",
        )
    for name in SYSTEMS:
        if getattr(now, name) and not getattr(made, name):
            yield Fault(f"{path}.condition", f"{name.replace('_', ' ')} is not on the card (C.K26)")


def begin(scenario: Scenario, dice: Dice, log: Log | None = None) -> Battle:
    """The battle before its first turn. Expects a scenario without faults. Rules: C.S11, C.K35, C.K36."""
    options = with_defaults(scenario.options)
    placed = layout.poses(scenario)
    battle = Battle(
        title=scenario.title,
        turn=0,
        last_turn=scenario.turn_limit or options["last_turn"],
        own_limit=scenario.turn_limit is not None,
        towards=scenario.wind_towards,
        strength=scenario.strength.value,
        sides=sides_of(scenario),
        squadrons=squadrons_of(scenario, SquadronState),
        ships={ship.id: _ship(side, squadron, ship, options) for side, squadron, ship in scenario.ships()},
        options=options,
        safe=layout.safe_edges(scenario, placed),
        board=layout.board(scenario),
        land=frozenset(scenario.land),
        shoal=frozenset(scenario.shoal),
        surprised=scenario.surprised,
    )
    for code, pose in placed.items():
        ship = battle.ships[code]
        ship.status, ship.h = Status.IN_PLAY, pose.heading
        battle.put(ship, pose.at)
    if log is not None:
        for ship in battle.in_play():
            log.add(
                "placed",
                "C.S11",
                ship.id,
                x=ship.x,
                y=ship.y,
                h=ship.h,
                side=ship.side,
                left=ship.fp,
                steps=ship.steps,
            )
    return battle


def _ship(side: Side, squadron: Squadron, entry: ScenarioShip, options: dict[str, object]) -> Ship:
    """A ship with her card and what earlier battles have left of her. Rules: C.K7, C.K26, C.K31, C.K35."""
    own = card(entry.facts)
    now = Condition.from_dict(entry.condition) if entry.condition is not None else Condition.sound(own)
    main, secondary = _dice(own, options)
    ship = Ship(
        id=entry.id, name=entry.name, side=side.id, squadron=squadron.id, fp_max=own.fp, critical=own.critical, fp=now.fp,
        fitted=tuple(name for name in SYSTEMS if getattr(own, name)), main_dice=main, secondary_dice=secondary,
        guns_per_turret=own.guns_per_turret, guns_per_battery=own.guns_per_battery, tubes=own.tubes,
        torpedoes=own.torpedoes, ram=own.ram, pace=own.pace, deep=own.deep,
        complement=entry.complement if entry.complement is not None else complement(entry.facts)[0],
        engines_hit=now.engines_hit, turret_half=now.turret_half, prize=entry.prize, captain=entry.captain, fp_before=now.fp,
        anchored=int(options["anchored_turns"]) if ANCHORED in entry.facts.tags else 0,  # type: ignore[call-overload]
    )  # fmt: skip
    gone = lost_systems(own, now)
    for name in ship.fitted:
        setattr(ship, name, name not in gone)
    ship.came_critical = ship.breaking_off = ship.fp <= ship.critical
    return ship


def _dice(own: Card, options: dict[str, object]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Dice by range: the switches' for the standard card, a variant's own. Rules: C.G2, C.G3, C.N12."""
    if own.variant:
        return own.main_dice, own.secondary_dice
    return tuple(options["main_dice"]), tuple(options["secondary_dice"])  # type: ignore[arg-type]
