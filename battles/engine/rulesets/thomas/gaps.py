"""What the register leaves blank: year, kind, tons and guns of a ship, from what it does know. Rules: T.S24, T.S26-T.S30."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from battles.engine.core.scenario import GUNS_ESTIMATED, ShipFacts
from battles.engine.rulesets.thomas import guns as guns_
from battles.engine.rulesets.thomas.tables import (
    NELSON_FROM,
    OARED_ROWS,
    SAMPLES,
    Kind,
    Period,
    Sample,
    is_english,
    is_southern,
)

_TYPES: dict[str, Kind] = {
    "galleass": Kind.GALLEASSE, "galleasse": Kind.GALLEASSE, "galley": Kind.GALLEY, "pinnace": Kind.PINNACE,
    "auxiliary": Kind.AUXILIARY, "merchant": Kind.MERCHANT, "transport": Kind.MERCHANT, "galleon": Kind.GALLEON,
    "great_ship": Kind.GALLEON, "carrack": Kind.GALLEON,
}  # fmt: skip
_SMALL_CRAFT = frozenset({"sloop", "brig", "corvette", "cutter", "schooner", "lugger", "yacht", "bomb"})
MERCHANTMEN = frozenset({"merchant", "transport", "hulk", "fireship", "storeship"})
# Years taken for ships of which neither launch nor service is dated: the midst of each period's best known war.
_ARMADA_YEAR, _NELSON_YEAR = 1588, 1800
_ARMADA_KINDS = frozenset({Kind.GALLEON, Kind.GALLEASSE, Kind.GALLEY, Kind.PINNACE, Kind.AUXILIARY})
_SAMPLE_YEARS = {
    "hope": 1559, "revenge": 1577, "white bear": 1565, "prince royal": 1610, "james": 1633, "san cristobal": 1588,
    "san martin": 1588,
}  # fmt: skip
_NEAR, _SERVICE = 5, 60

Note = tuple[str, str, str]


@dataclass(slots=True)
class Known:
    """A ship with her gaps filled. row: of TS-1, or of TS-2 (row_is_type). estimated: clause by figure. Rule: T.S29."""

    kind: Kind
    merchant: bool
    year: int
    tons: int = 0
    guns: int = 0
    row: Sample | None = None
    row_is_type: bool = False
    estimated: dict[str, str] = field(default_factory=dict)


def period(year: int) -> Period:
    """Whose table of guns holds in a year. Rules: T.S4, T.S24."""
    return Period.NELSON if year >= NELSON_FROM else Period.ARMADA


def words(facts: ShipFacts) -> frozenset[str]:
    """The words that say what sort of ship she is: her type and her tags."""
    return frozenset(
        one.casefold().replace(" ", "_").replace("-", "_") for one in (facts.ship_type, *facts.tags)
    )


def year_of(facts: ShipFacts) -> int:
    """Her own year: launch, else the year she is met in, else one of the period her type belongs to. Rule: T.S24."""
    year = facts.year_built if facts.year_built is not None else facts.year_served
    if year is not None:
        return year
    return _ARMADA_YEAR if _TYPES.get(facts.ship_type) in _ARMADA_KINDS else _NELSON_YEAR


def sample_of(facts: ShipFacts) -> Sample | None:
    """Her row of TS-1, when she is one of the ships printed there: by name, flag and time. Section 11, item 8."""
    name = facts.name.casefold()
    people = "english" if is_english(facts.nation) else "portuguese" if _iberian(facts.nation) else ""
    row = SAMPLES.get((people, name))
    if row is None:
        return None
    due = _SAMPLE_YEARS[name]
    if facts.year_built is not None:
        return row if abs(facts.year_built - due) <= _NEAR else None
    met = facts.year_served
    return row if met is not None and due <= met <= due + _SERVICE else None


def _iberian(nation: str) -> bool:
    return nation.casefold() in ("portugal", "portuguese", "spain", "spanish")


def anything_known(facts: ShipFacts) -> bool:
    """Whether there is anything to make a card of. Rule: T.S30."""
    figures = (facts.tons_burthen, facts.guns, facts.crew)
    by_hand = "tons" in facts.overrides or "guns" in facts.overrides
    listed = bool(facts.gun_detail)
    oared = _kind_by_type(facts) in OARED_ROWS
    return by_hand or listed or oared or sample_of(facts) is not None or any(one for one in figures)


def fill(facts: ShipFacts, notes: list[Note]) -> Known:
    """Year, kind, tons and guns of a ship, estimated where they are missing. Expects facts of which something is known.

    Rules: T.S26-T.S29.
    """
    year = year_of(facts)
    merchant = not MERCHANTMEN.isdisjoint(words(facts))
    guns = facts.overrides.get("guns", facts.guns)
    if guns is None and facts.gun_detail:
        guns = int(sum(one.number for one in guns_.read(facts.gun_detail)))
    known = Known(_kind(facts, year, guns), merchant, year)
    known.row = sample_of(facts)
    if known.row is None and known.kind in OARED_ROWS:
        known.row, known.row_is_type = OARED_ROWS[known.kind], True
    tons = facts.overrides.get("tons") or facts.tons_burthen
    if known.row is not None and not known.row_is_type:
        tons = known.row.tons
    if tons is None and known.row_is_type and known.row is not None:
        tons = known.row.tons
        known.estimated["tons"] = "T.S29"
        notes.append(("tons", "T.S29", f"Tons not known: {tons}, those of a {known.kind.value}."))
    if not tons and not guns:
        tons, guns = _from_men(facts, known, notes)
    elif not tons:
        tons = _tons(facts, known, int(guns or 0), notes)
    if guns is None:
        guns = guns_.by_tons(tons, kind=known.kind, merchant=merchant, year=year)
        known.estimated["guns"] = "T.S27"
        notes.append(("guns", "T.S27", f"Guns not known: {guns} for {tons} tons."))
    elif GUNS_ESTIMATED in facts.tags and "guns" not in facts.overrides:
        known.estimated["guns"] = "T.S29"
        notes.append(("guns", "T.S29", f"{guns} guns, an estimate."))
    known.tons, known.guns = int(tons), int(guns)
    known.kind = _kind(facts, year, known.guns)
    notes.insert(
        0, ("kind", "T.S8", f"{known.kind.value.capitalize()} of {year}, {period(year).value} period.")
    )
    return known


def _kind_by_type(facts: ShipFacts) -> Kind | None:
    found = words(facts)
    if "auxiliary_oars" in found:
        return Kind.AUXILIARY
    return next((kind for name, kind in _TYPES.items() if name in found), None)


def _kind(facts: ShipFacts, year: int, guns: int | None) -> Kind:
    """What sort of ship she is, by type, else by rated guns. Rules: T.S8, T.N4, T.N4a, T.N4b."""
    by_type = _kind_by_type(facts)
    if by_type is not None:
        return by_type
    found = words(facts)
    if not _SMALL_CRAFT.isdisjoint(found) or not MERCHANTMEN.isdisjoint(found):
        return Kind.SMALL
    if year < 1600:
        return Kind.GALLEON
    if guns is None:
        return {"ship_of_line": Kind.LINE, "frigate": Kind.FRIGATE}.get(facts.ship_type, Kind.SMALL)
    return (
        Kind.LINE if guns >= 64 else Kind.FIFTY if guns >= 50 else Kind.FRIGATE if guns >= 20 else Kind.SMALL
    )


def _to_ten(value: Fraction) -> int:
    return max(10, int(value / 10 + Fraction(1, 2)) * 10)


def _tons(facts: ShipFacts, known: Known, guns: int, notes: list[Note]) -> int:
    """Tons from guns by type, of a merchantman from her men first; to the nearest 10. Rule: T.S28."""
    if known.merchant and facts.crew is not None:
        tons, words_ = _to_ten(Fraction(10 * facts.crew)), f"{facts.crew} men of a merchantman, 10 tons each"
    else:
        a_gun = _tons_a_gun(facts, known)
        tons, words_ = _to_ten(Fraction(a_gun * guns)), f"{guns} guns, {a_gun} tons each"
    known.estimated["tons"] = "T.S28"
    notes.append(("tons", "T.S28", f"Tons not known: {words_}, {tons}."))
    return tons


def _tons_a_gun(facts: ShipFacts, known: Known) -> int:
    if known.merchant:
        return 40
    if known.year < 1600:
        return 21 if is_southern(facts.nation) else 13
    return 12 if known.year < NELSON_FROM else guns_.TONS_A_GUN.get(known.kind, 21)


def _from_men(facts: ShipFacts, known: Known, notes: list[Note]) -> tuple[int, int | None]:
    """Tons, and guns or None, of a ship of which only the men are known. Rules: T.S28, T.S27."""
    men = facts.crew or 0
    if known.merchant:
        return _tons(facts, known, 0, notes), None
    known.estimated["tons"] = "T.S28"
    if known.year < 1600:
        notes.append(("tons", "T.S28", f"Only its {men} men are known: {2 * men} tons."))
        return max(1, 2 * men), None
    a_gun = Fraction(11, 2) if known.year < NELSON_FROM else Fraction(8)
    guns = max(1, int(men / a_gun + Fraction(1, 2)))
    known.estimated["guns"] = "T.S28"
    known.kind = _kind(facts, known.year, guns)
    notes.append(("guns", "T.S28", f"Only its {men} men are known: {guns} guns."))
    return _tons(facts, known, guns, notes), guns
