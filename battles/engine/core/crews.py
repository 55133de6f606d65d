"""Men of a ship when the register does not tell them. Rule: G.CR1."""

from __future__ import annotations

from fractions import Fraction

from battles.engine.core.scenario import ShipFacts

MERCHANTS = frozenset({"merchant", "transport"})
# Men of a vessel of which neither guns nor tons are known: a pinnace's or a fire ship's handful.
FEWEST = 30
_HALF = Fraction(1, 2)
# Men a ton where the rule counts guns and no guns are known: the half a ton of the years before 1600.
_A_TON = _HALF


def complement(facts: ShipFacts, *, year: int | None = None) -> tuple[int, bool]:
    """Men of a full complement, and whether the figure is estimated.

    year: the year she serves in, which rules when her launch is unknown. The register's crew stands as it is; else half a man a
    ton before 1600, 5.5 a gun to 1699, 8 a gun to 1850, merchants a third of either, one man per 18 tons displacement in steam.
    Where the figure asked for is missing too, the next one known is taken. Rounded half up, never below 1. Rule: G.CR1.
    """
    if facts.crew is not None:
        return facts.crew, False
    built = facts.year_built if facts.year_built is not None else year
    men = _men(facts, built)
    if men is None:
        return FEWEST, True
    if facts.ship_type in MERCHANTS and (built is None or built <= 1850):
        men /= 3
    return max(1, int(men + _HALF)), True


def prize_crew(prisoners: int, complement: int) -> int:
    """Men it takes to sail a prize and guard her people, rounded up. Rule: G.PR1."""
    return -(-(2 * prisoners + complement) // 10)


def _men(facts: ShipFacts, built: int | None) -> Fraction | None:
    tons = facts.tons_burthen if facts.tons_burthen is not None else facts.displacement_tons
    by_tons = None if tons is None else tons * _A_TON
    if built is not None and built > 1850:
        weight = facts.displacement_tons if facts.displacement_tons is not None else facts.tons_burthen
        return None if weight is None else Fraction(weight, 18)
    a_gun = Fraction(11, 2) if built is None or built < 1700 else Fraction(8)
    by_guns = None if facts.guns is None else facts.guns * a_gun
    if built is not None and built < 1600:
        return by_tons if by_tons is not None else by_guns
    return by_guns if by_guns is not None else by_tons
