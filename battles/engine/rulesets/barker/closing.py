"""The outcome of a battle: every hull, its fate and its condition. Rules: P.K14, P.K16, P.K28, P.K31, P.K32, P.K36, P.K50."""

from __future__ import annotations

from fractions import Fraction

from battles.engine.core.crews import prize_crew
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import MinesLeft, Outcome, ShipOutcome
from battles.engine.core.parties import officers_of
from battles.engine.rulesets.barker import characters
from battles.engine.rulesets.barker.condition import GONE, Condition
from battles.engine.rulesets.barker.state import Battle, Hull, Status, Unit
from battles.engine.rulesets.barker.tables import MINUTES, YARD
from battles.engine.rulesets.barker.weather_dice import weather_out

RULE_SET = "barker"
_FATES = {
    Status.CAPTURED: Fate.CAPTURED,
    Status.SCUTTLED: Fate.SCUTTLED,
    Status.WRECKED: Fate.WRECKED,
}
# How it was lost, in the words by which the campaign tells of it. Rule: P.K16.
_CAUSES = {
    "fire": "gunfire",
    "torpedo": "sunk_torpedo",
    "mine": "mined",
    "ram": "sunk_ramming",
    "nets": "fouled",
}
# How a unit that is sunk went down, where the common list has a word of its own. Rule: P.K16.
_HOW = {"exploded": Fate.BLOWN_UP}


def outcome(battle: Battle) -> Outcome:
    """The result of a battle that is over, one entry for every ship of the scenario. Raises ValueError while it goes on."""
    if not battle.ended:
        raise ValueError(f"the battle {battle.title!r} is not over")
    towards, strength = weather_out(battle)
    return Outcome(
        rule_set=RULE_SET,
        turns=battle.turn,
        minutes=MINUTES * battle.turn,
        ended=battle.ended,
        ships=tuple(_ship(battle, hull) for hull in battle.ships.values()),
        officers=officers_of(battle.squadrons, battle.luck),
        held_field=battle.held,
        wind={"towards": towards, "strength": strength.value},
        mines=tuple(
            MinesLeft(row.side, len(row.sections), row.known, row.carrier, row.unlaid)
            for row in battle.fields
        ),
    )


def fate(unit: Unit) -> Fate:
    """A unit's fate in the list that all sets share. Rule: P.K16."""
    if unit.status is Status.SUNK:
        return _HOW.get(unit.fate, Fate.SUNK)
    return _FATES.get(unit.status, Fate.AFLOAT)


def condition(battle: Battle, hull: Hull) -> Condition:
    """What a hull carries away: the unit's ladder if the battle changed it, else its own; a commander's luck on his flagship.

    Rules: P.K05, P.K31, P.K36.
    """
    unit = hull.unit
    character, officer, partner = characters.remembered(battle, hull)
    if fate(unit).lost:
        return Condition().at(GONE)
    now = Condition.from_dict(hull.entered)
    rung = now.rung
    if (unit.damage, unit.crippled) != (unit.came_damage, unit.came_crippled):
        rung = Condition(unit.damage, unit.crippled).rung
    return Condition(character=character, officer=officer, partner=partner).at(rung)


def _flags(unit: Unit) -> frozenset[Flag]:
    """Rule: P.K50."""
    if fate(unit).lost:
        return frozenset()
    found = (
        (Flag.WITHDREW, unit.status in (Status.RETREATED, Status.TURNED_BACK)),
        (Flag.AGROUND, unit.aground and unit.status is Status.IN_PLAY),
    )
    return frozenset(flag for flag, holds in found if holds)


def _ship(battle: Battle, hull: Hull) -> ShipOutcome:
    unit = hull.unit
    now = condition(battle, hull)
    taken = unit.status is Status.CAPTURED
    captor = battle.units.get(unit.by) if taken else None
    prisoners = _men_left(hull, now) if taken else 0
    crew = 0
    if captor is not None:
        able = battle.ships[captor.hulls[0]].men // 2
        crew = min(prize_crew(prisoners, hull.complement), able)
    there = unit.status not in (Status.EXPECTED, Status.TURNED_BACK)
    return ShipOutcome(
        ship=hull.id, side=hull.side, fate=fate(unit), condition=now.to_dict(), flags=_flags(unit),
        captor=captor.side if captor is not None else "", captor_ship=captor.hulls[0] if captor is not None else "",
        prize_crew=crew, prisoners=prisoners, hits_given=unit.given if unit.hulls[0] == hull.id else 0, hits_taken=unit.taken,
        position=(unit.x // YARD, unit.y // YARD) if there else None, cause=_CAUSES.get(unit.fate, unit.fate or unit.status.value),
    )  # fmt: skip


def _men_left(hull: Hull, now: Condition) -> int:
    """Men aboard before the battle by what the damage since has left of them, rounded half up. Rules: P.K23, P.K32."""
    before = 1 - Condition.from_dict(hull.entered).lost / 2
    return int(hull.men * (1 - now.lost / 2) / before + Fraction(1, 2))
