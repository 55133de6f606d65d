"""The outcome of a battle: fates, flags, conditions. Rules: C.K1, C.K2, C.K5, C.K34."""

from __future__ import annotations

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.parties import officers_of
from battles.engine.rulesets.cordery.condition import Condition
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.tables import MINUTES, SYSTEMS

RULE_SET = "cordery"


def outcome(battle: Battle) -> Outcome:
    """The result of a battle that is over, one entry for every ship. Raises ValueError while it goes on. Rules: C.K1, C.K23, C.K34."""
    if not battle.ended:
        raise ValueError(f"the battle {battle.title!r} is not over")
    return Outcome(
        rule_set=RULE_SET,
        turns=battle.turn,
        minutes=battle.turn * MINUTES,
        ended=battle.ended,
        ships=tuple(map(_ship, battle.ships.values())),
        officers=officers_of(battle.squadrons, battle.luck),
        held_field=battle.winner,
        wind={"towards": battle.towards, "strength": battle.strength},
    )


def fate(ship: Ship) -> Fate:
    """Her fate in the list that all sets share. Rules: C.K1, G.BT3."""
    if ship.status is Status.EXPLODED:
        return Fate.BLOWN_UP
    return Fate.SUNK if ship.status.lost else Fate.AFLOAT


def kind(ship: Ship) -> str:
    """Her fate in the set's own words. Rule: C.K1."""
    if ship.aground and ship.afloat:
        return "aground"
    if ship.afloat and ship.breaking_off:
        return Status.BROKE_OFF.value
    return ship.status.value


def _flags(ship: Ship) -> frozenset[Flag]:
    if ship.status.lost or ship.expected:
        return frozenset()
    found = (
        (Flag.WITHDREW, kind(ship) in (Status.BROKE_OFF, Status.LEFT)),
        (Flag.AGROUND, ship.aground),
        (Flag.DISABLED, ship.engines_hit and ship.fp <= ship.critical),
    )
    return frozenset(flag for flag, holds in found if holds)


def condition(ship: Ship) -> Condition:
    """Her condition as she is now. Rule: C.K26."""
    standing = {name: bool(getattr(ship, name)) for name in SYSTEMS}
    return Condition(fp=ship.fp, engines_hit=ship.engines_hit, turret_half=_half(ship), **standing)


def _half(ship: Ship) -> bool:
    """Whether half the work on a turret that is still gone is done. Rule: C.K15."""
    return ship.turret_half and any(name in ship.fitted and not getattr(ship, name) for name in SYSTEMS[:2])


def _ship(ship: Ship) -> ShipOutcome:
    return ShipOutcome(
        ship=ship.id, side=ship.side, fate=fate(ship), condition=condition(ship).to_dict(), flags=_flags(ship),
        hits_given=ship.given, hits_taken=ship.taken, position=None if ship.expected else ship.pos, cause=kind(ship),
    )  # fmt: skip
