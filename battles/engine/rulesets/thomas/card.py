"""A ship's card from her register entry: flotation, crew, batteries, speed, turn, size. Rules: section 11, T.S1-T.S9, T.S26-T.S30."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas import gaps, handling, overrides
from battles.engine.rulesets.thomas import guns as guns_
from battles.engine.rulesets.thomas.gaps import Known
from battles.engine.rulesets.thomas.guns import Mount
from battles.engine.rulesets.thomas.tables import (
    OARED_ROWS,
    Arc,
    Gun,
    Kind,
    Sample,
    is_shallow_yard,
)

SCHEMA = 1
DEEP_FROM = 30

Note = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Card:
    """A derived ship card.

    guns: rated. length, beam, speed, oar_speed: thousandths of an inch; turn, oar_turn: hundredths of a degree; oar_speed 0
    where she has no oars. batteries in the order of the card: port, starboard, ahead, astern. merchant: under no rule of
    frigates (T.N4b). estimated: clause by figure that the register does not have (T.S29).
    """

    kind: Kind
    year: int
    tons: int
    guns: int
    flot_max: int
    crew_max: int
    batteries: tuple[Mount, ...]
    speed: int
    turn: int
    oar_speed: int
    oar_turn: int
    length: int
    beam: int
    masts: int
    masts_to_dismast: int
    deep: bool
    estimated: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {
            "schema": SCHEMA, "kind": self.kind.value, "year": self.year, "tons": self.tons, "guns": self.guns,
            "flot_max": self.flot_max, "crew_max": self.crew_max,
            "batteries": [[one.gun.value, one.arc.value, one.half] for one in self.batteries],
            "speed": self.speed, "turn": self.turn, "oar_speed": self.oar_speed, "oar_turn": self.oar_turn,
            "length": self.length, "beam": self.beam, "masts": self.masts, "masts_to_dismast": self.masts_to_dismast,
            "deep": self.deep, "estimated": dict(self.estimated),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Card:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        if doc.get("schema") != SCHEMA:
            raise SchemaError(f"a Thomas card of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
        plain = {name: value for name, value in doc.items() if name != "schema"}
        mounts = tuple(Mount(Gun(gun), Arc(arc), half) for gun, arc, half in doc["batteries"])
        return cls(
            **{**plain, "kind": Kind(doc["kind"]), "batteries": mounts, "estimated": dict(doc["estimated"])}
        )

    def count(self, gun: Gun, arc: Arc | None = None) -> Fraction:
        """Batteries of a type, of one group or of the whole ship, halves as halves."""
        mine = (one for one in self.batteries if one.gun is gun and arc in (None, one.arc))
        return sum((Fraction(1, 2) if one.half else Fraction(1) for one in mine), Fraction(0))


def card(facts: ShipFacts) -> Card:
    """The card of a ship. Raises ValueError, with all reasons, when none can be made (see `card_faults`).

    Rules: T.S1-T.S9, T.S26-T.S30.
    """
    made, _ = _derive(facts)
    return made


def explain(facts: ShipFacts) -> tuple[Note, ...]:
    """How the card came about: (field, clause, sentence) for each figure. Raises ValueError as `card` does. Rule: T.S29."""
    _, notes = _derive(facts)
    return tuple(notes)


def card_faults(facts: ShipFacts) -> tuple[tuple[str, str], ...]:
    """Everything against making a card of these facts: (field of the facts, sentence). Rules: T.S4, T.S7, T.S30."""
    found = list(overrides.faults(facts.overrides))
    if facts.speed_knots is not None and facts.speed_knots <= 0:
        found.append(("speed_knots", f"a speed of {facts.speed_knots} knots; it must be above 0"))
    if facts.guns is not None and facts.guns < 0:
        found.append(("guns", f"{facts.guns} guns; it must be 0 or more"))
    try:
        listed = guns_.read(facts.gun_detail)
    except ValueError as error:
        found.append(("gun_detail", str(error)))
    else:
        period = gaps.period(gaps.year_of(facts))
        found += [("gun_detail", text) for text in guns_.faults(listed, period)]
    if not found and not gaps.anything_known(facts):
        found.append(("", "neither tons, guns nor men are known, so no card can be made (T.S30)"))
    return tuple(found)


def _derive(facts: ShipFacts) -> tuple[Card, list[Note]]:
    faults = card_faults(facts)
    if faults:
        raise ValueError("; ".join(text for _, text in faults))
    notes: list[Note] = []
    known = gaps.fill(facts, notes)
    row = known.row
    flot, crew = _flotation(known, notes), _crew(facts, known, notes)
    mounts = _batteries(facts, known, notes)
    speed, turn = handling.speed_and_turn(facts, known.kind, known.year, known.tons, row, notes)
    oar_speed, oar_turn = handling.oars(known.kind)
    length, beam = handling.size(known, notes)
    masts = handling.masts(facts)
    estimated = dict(known.estimated)
    if "tons" in estimated:
        estimated |= dict.fromkeys(("flotation", "crew", "length"), estimated["tons"])
    if not facts.gun_detail and row is None:
        estimated["batteries"] = "T.S26" if facts.guns is not None else known.estimated.get("guns", "T.S27")
    elif row is not None and known.row_is_type and not facts.gun_detail:
        estimated["batteries"] = "T.S29"
    made = Card(
        kind=known.kind, year=known.year, tons=known.tons, guns=known.guns, flot_max=flot, crew_max=crew,
        batteries=mounts, speed=speed, turn=turn, oar_speed=oar_speed, oar_turn=oar_turn, length=length, beam=beam,
        masts=masts, masts_to_dismast=1 if masts == 1 else 2, deep=_deep(facts, known), estimated=estimated,
    )  # fmt: skip
    notes.append(("masts", "T.B5d", f"{masts} masts, dismasted by the loss of {made.masts_to_dismast}."))
    notes += [_by_hand(name, value) for name, value in facts.overrides.items()]
    left = {name: clause for name, clause in estimated.items() if name not in facts.overrides}
    return replace(made, estimated=left, **overrides.figures(made.kind, mounts, facts.overrides)), notes


def _by_hand(name: str, value: Any) -> Note:
    """What the note of an override says. Rules: T.S8, T.S31."""
    if name == "batteries_percent":
        return "batteries", "T.S31", f"A handicap leaves {value}%."
    return name, "T.S8", f"Set by hand: {value}."


def half_up(number: int, divisor: int) -> int:
    """A quotient rounded half up, never below 1. Rule: T.S2."""
    return max(1, (2 * number + divisor) // (2 * divisor))


def _flotation(known: Known, notes: list[Note]) -> int:
    """A point for 20 tons, or the printed figure. Rules: T.S2, TS-1."""
    if known.row is not None and not known.row_is_type:
        notes.append(("flotation", "TS-1", f"As printed: {known.row.flot}."))
        return known.row.flot
    points = half_up(known.tons, 20)
    notes.append(("flotation", "T.S2", f"{known.tons} tons, 1 point per 20: {points}."))
    return points


def _crew(facts: ShipFacts, known: Known, notes: list[Note]) -> int:
    """A point for 10 tons; merchantmen by their men, or thinner. Rules: T.S2, TS-1, section 11."""
    if known.row is not None and not known.row_is_type:
        notes.append(("crew", "TS-1", f"As printed: {known.row.crew}."))
        return known.row.crew
    by_tons = half_up(known.tons, 10)
    if not known.merchant:
        notes.append(("crew", "T.S2", f"{known.tons} tons, 1 point per 10: {by_tons}."))
        return by_tons
    least = -(-known.tons // 100) + 1
    if facts.crew is not None:
        crew = min(by_tons, max(least, half_up(facts.crew, 4)))
        notes.append(("crew", "T.S2", f"A merchantman of {facts.crew} men, 1 point per 4: {crew}."))
        return max(1, crew)
    crew = max(least, half_up(known.tons, 40))
    notes.append(("crew", "T.S2", f"A merchantman of {known.tons} tons, 1 point per 40: {crew}."))
    return crew


def _batteries(facts: ShipFacts, known: Known, notes: list[Note]) -> tuple[Mount, ...]:
    """Batteries from listed guns, a printed row, or the shares of a total. Rules: T.S4, T.S26, T.S29, TS-1, TS-2."""
    row = known.row
    if row is not None and not (known.row_is_type and facts.gun_detail):
        clause = "T.S29" if known.row_is_type else "TS-1"
        mounts = guns_.laid_out(known.kind, _halves(row))
    elif facts.gun_detail:
        clause = "T.S4"
        mounts = guns_.batteries(guns_.read(facts.gun_detail), gaps.period(known.year))
    else:
        clause = "T.S26"
        shares = guns_.of_total(
            known.guns, kind=known.kind, merchant=known.merchant, nation=facts.nation, year=known.year,
            tons=known.tons,
        )  # fmt: skip
        mounts = guns_.batteries(shares, gaps.period(known.year))
    notes.append(("batteries", clause, batteries_text(mounts)))
    return mounts


def _halves(row: Sample) -> dict[Gun, int]:
    return {Gun.SHORT: row.short, Gun.MEDIUM: row.medium, Gun.LONG: row.long}


def batteries_text(mounts: tuple[Mount, ...]) -> str:
    """Batteries in words, group by group. Rules: T.S4, T.S5."""
    said = []
    for arc in Arc:
        for gun in Gun:
            mine = [one for one in mounts if one.arc is arc and one.gun is gun]
            whole = sum(not one.half for one in mine)
            text = f"{whole or ''}{'½' * (len(mine) - whole)}"
            if mine:
                said.append(f"{arc.value} {text} {gun.value}")
    return f"{', '.join(said) or 'No batteries'}."


def _deep(facts: ShipFacts, known: Known) -> bool:
    """Too deep for shoals: 30 rated guns, no Dutch or Baltic yard, no oars. Rule: T.C33."""
    return known.guns >= DEEP_FROM and not is_shallow_yard(facts.built_by) and known.kind not in OARED_ROWS
