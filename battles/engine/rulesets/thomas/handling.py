"""How big she is, how fast and how handy, and how many masts she has. Rules: T.S1, T.S7, T.S9, T.B5d, section 11."""

from __future__ import annotations

import math
from fractions import Fraction

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas.gaps import Known, words
from battles.engine.rulesets.thomas.guns import race_built
from battles.engine.rulesets.thomas.tables import NELSON_FROM, OARED_ROWS, Kind, Sample

Note = tuple[str, str, str]

A_KNOT = 750
_HANDY, _UNHANDY = 9_000, 4_500
_ONE_MAST = frozenset({"cutter", "sloop_rigged", "one_mast"})
_TWO_MASTS = frozenset({"brig", "schooner", "ketch", "bomb", "lugger", "snow", "two_masts"})
_LENGTHS = {Kind.GALLEY: 1_400, Kind.GALLEASSE: 1_600, Kind.PINNACE: 500}


def speed_and_turn(
    facts: ShipFacts, kind: Kind, year: int, tons: int, row: Sample | None, notes: list[Note]
) -> tuple[int, int]:
    """Listed speed and turn: printed, by type, or 0.75 inch for each knot the register gives. Rules: T.S7, T.S9."""
    if row is not None:
        speed, turn, why = row.speed, row.turn, "as printed"
    else:
        speed, turn, why = _by_type(facts, kind, year, tons)
    if facts.speed_knots is not None:
        speed = max(1, int(Fraction(str(facts.speed_knots)) * A_KNOT + Fraction(1, 2)))
        why = f"{facts.speed_knots} knots"
    notes.append(("speed", "T.S7", f"{why.capitalize()}: {inches(speed)} inches."))
    notes.append(("turn", "T.S9", f"{turn // 100} degrees."))
    return speed, turn


def inches(thousandths: int) -> str:
    """A length as people write it: 6.75."""
    return f"{thousandths / 1_000:.3f}".rstrip("0").rstrip(".")


def _by_type(facts: ShipFacts, kind: Kind, year: int, tons: int) -> tuple[int, int, str]:
    found = words(facts)
    if not found.isdisjoint({"carrack", "hulk"}):
        return 4_000, _UNHANDY, "carrack or hulk"
    if kind is Kind.MERCHANT:
        indiaman = not found.isdisjoint({"east_indiaman", "indiaman"})
        return (5_250, _UNHANDY, "East Indiaman") if indiaman else (4_500, _UNHANDY, "merchantman")
    if not found.isdisjoint({"bomb", "fireship", "storeship"}):
        return 4_500, _UNHANDY, "bomb, fireship or storeship"
    if not found.isdisjoint({"cutter", "schooner", "lugger"}):
        return 9_000, _HANDY, "fore-and-aft rigged"
    if not found.isdisjoint({"sloop", "brig", "corvette", "yacht"}):
        return 8_250, _HANDY, "sloop or brig"
    if year >= NELSON_FROM:
        return _nelson(kind)
    if year >= 1600:
        return 6_000, _UNHANDY, "rated ship of the 17th century"
    if "great_ship" in found and year < 1570:
        return 5_000, _UNHANDY, "old great ship"
    if race_built(facts.nation, kind, year, tons):
        return 8_000, _HANDY, "race-built galleon"
    return (6_000, _UNHANDY, "large galleon") if tons > 800 else (7_000, _UNHANDY, "galleon")


def _nelson(kind: Kind) -> tuple[int, int, str]:
    if kind is Kind.LINE:
        return 6_000, _UNHANDY, "ship of the line"
    if kind is Kind.FIFTY:
        return 6_750, _UNHANDY, "50 to 63 guns"
    if kind is Kind.FRIGATE:
        return 9_000, _HANDY, "frigate"
    if kind is Kind.GALLEON:
        return 7_000, _UNHANDY, "galleon"
    return 8_250, _HANDY, "small craft"


def oars(kind: Kind) -> tuple[int, int]:
    """Speed and turn under oars, 0 and 0 where she has none. Rule: TS-2."""
    row = OARED_ROWS.get(kind)
    return (row.oar_speed or 0, row.oar_turn or 0) if row is not None else (0, 0)


def size(known: Known, notes: list[Note]) -> tuple[int, int]:
    """Length and beam of the model. Rule: T.S1."""
    length = _LENGTHS.get(known.kind) or _by_cube_root(known.tons, 130 if known.year < NELSON_FROM else 145)
    beam = max(1, length // (7 if known.kind in (Kind.GALLEY, Kind.GALLEASSE) else 4))
    notes.append(("length", "T.S1", f"Length {inches(length)}, beam {inches(beam)} inches."))
    return length, beam


def _by_cube_root(tons: int, factor: int) -> int:
    """factor times the cube root of the tons, to the nearest whole number."""
    cube = 8 * factor**3 * tons
    root = round(math.exp(math.log(cube) / 3))
    while root**3 > cube:
        root -= 1
    while (root + 1) ** 3 <= cube:
        root += 1
    return (root + 1) // 2


def masts(facts: ShipFacts) -> int:
    """Masts of her rig, 3 when unknown. Rule: T.B5d."""
    found = words(facts)
    return 1 if not found.isdisjoint(_ONE_MAST) else 2 if not found.isdisjoint(_TWO_MASTS) else 3
