"""What shots are worth to an admiral, in whole numbers: a hundredth of a half SP times 36, the pairs of dice. Rules: AA01, AA03, AA08."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from battles.engine.rulesets.barker import effects
from battles.engine.rulesets.barker.effects import MARKERS
from battles.engine.rulesets.barker.factors import ATTACK, CRIPPLED, DEFENCE, OBSOLETE, REDUCED
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import ASHORE, BOATS, TORPEDO_CRAFT, Grade, Type

# Share of its SP that a unit counts for, in hundredths: by damage markers, and crippled. Rule: AA01.
STRENGTH = (100, 85, 70)
STRENGTH_CRIPPLED = 25
# What a result is worth in hundredths of the target's SP. Rule: AA08.
SUNK, LAMED, HIT = 100, 50, 15
_FACES = range(1, 7)


class Kind(NamedTuple):
    """What the odds of a unit hang on."""

    type: Type
    crippled: bool
    obsolete: bool
    damage: int
    sp2: int
    spent: bool


def kind(unit: Unit, shown: Type | None = None) -> Kind:
    """That of a unit. shown: the type as which it is seen."""
    spent = unit.type in BOATS and unit.fired
    return Kind(shown or unit.type, unit.crippled, unit.obsolete, unit.damage, unit.sp2, spent)


def strength(unit: Unit) -> int:
    """SP by what is left of a unit, in half hundredths. Rule: AA01."""
    return unit.sp2 * (STRENGTH_CRIPPLED if unit.crippled else STRENGTH[unit.damage])


@lru_cache(maxsize=4096)
def chances(attack: int, defence: int) -> tuple[int, int]:
    """In how many of 36 throws two totals without their dice end LESSER and GREATER."""
    grades = [effects.grade(attack + a, defence + d) for a in _FACES for d in _FACES]
    return grades.count(Grade.LESSER), grades.count(Grade.GREATER)


@lru_cache(maxsize=65_536)
def worth(firer: Kind, target: Kind, band: int, less: int) -> int:
    """What one shot is worth in a band; 0 where there is none. less: taken from the shooter besides what `Kind` tells. Rule: AA08."""
    row = ATTACK.get(firer.type)
    factor = row[band] if row is not None else None
    if factor is None:
        return 0
    factor -= less + CRIPPLED * firer.crippled + OBSOLETE * firer.obsolete + REDUCED * firer.spent
    lesser, greater = chances(
        factor, DEFENCE[target.type] - CRIPPLED * target.crippled - OBSOLETE * target.obsolete
    )
    low, high = _results(target, torpedo=firer.type in TORPEDO_CRAFT and target.type not in ASHORE)
    return target.sp2 * (lesser * low + greater * high)


def _results(target: Kind, *, torpedo: bool) -> tuple[int, int]:
    """What a LESSER and a GREATER are worth on a target."""
    if target.type is Type.SUB:
        return HIT, SUNK
    if torpedo:
        return (SUNK if target.crippled else LAMED), SUNK
    last = target.damage >= MARKERS
    low = (SUNK if target.crippled else LAMED) if last else HIT
    # A cripple's markers lead to its end.
    low = low if last or not target.crippled else SUNK // 3
    return low, SUNK if target.crippled or target.type in ASHORE else LAMED
