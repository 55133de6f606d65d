"""A ship's card from her register entry: hull, fire points, steps and qualities. Rules: K.A1, K.S2, K.S3, K.S10, K.S11."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import GUNS_ESTIMATED, ShipFacts
from battles.engine.core.telling import listed
from battles.engine.rulesets.kohler import tables
from battles.engine.rulesets.kohler.tables import Column, Row

SCHEMA = 1
MERCHANTS = frozenset({"merchant", "transport"})
FRIGATE_BUILT = "frigate-built"
TONS_A_POINT = 33
DISPLACEMENT_A_POINT = 50
# Guns that a ship of a merchant row counts as when her register entry gives none: the row's lower end, and that of K.X1.
_LARGE_GUNS = 15
_SMALL_GUNS = 10

# Years from which the later age is met, guns below which its men-of-war are frigates, and from which they are unhandy. Rule: K.A1.14.
NAPOLEONIC_FROM = 1740
_FRIGATES_BELOW, _UNHANDY_FROM = 60, 110
PERIODS = ("1666", "napoleonic")

Note = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Card:
    """A derived ship card.

    guns: nominal, as counted where the register is silent. band: size band, 0 below 20. thresholds: hull points at which each
    step is lost. fire_track: doubled fire points after 0..n-1 steps. small: a small target. deep: too deep for shoals.
    estimated: names of figures (guns, hull, fire) that do not come from the register. napoleonic: a ship of the later age;
    carronades: her armament lists some. Rule: K.A1.14.
    """

    guns: int
    band: int
    hull_max: int
    n_steps: int
    thresholds: tuple[int, ...]
    fire_track: tuple[int, ...]
    fast: bool
    handy: bool
    unhandy: bool
    merchant: bool
    small: bool
    is_fireship: bool
    deep: bool
    estimated: tuple[str, ...] = ()
    napoleonic: bool = False
    carronades: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {
            "schema": SCHEMA, "guns": self.guns, "band": self.band, "hull_max": self.hull_max, "n_steps": self.n_steps,
            "thresholds": list(self.thresholds), "fire_track": list(self.fire_track), "fast": self.fast,
            "handy": self.handy, "unhandy": self.unhandy, "merchant": self.merchant, "small": self.small,
            "is_fireship": self.is_fireship, "deep": self.deep, "estimated": list(self.estimated),
            **{name: True for name in ("napoleonic", "carronades") if getattr(self, name)},
        }  # fmt: skip

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Card:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        if doc.get("schema") != SCHEMA:
            raise SchemaError(f"a Kohler card of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
        rows = {name: tuple(doc[name]) for name in ("thresholds", "fire_track", "estimated")}
        return cls(**{**{k: v for k, v in doc.items() if k != "schema"}, **rows})


def card(facts: ShipFacts) -> Card:
    """The card of a ship. Raises ValueError, with all reasons, when her overrides cannot be used (see `override_faults`).

    Rules: K.S2, K.S3, K.S11, K.A1.1, K.A1.2, K.A1.3, K.A1.4, K.A1.7, K.A1.9, K.A1.10, K.A1.12, K.A1.15, K.D2, K.D4, K.D5.
    """
    made, _ = _derive(facts)
    return made


def explain(facts: ShipFacts) -> tuple[Note, ...]:
    """How the card came about: (field, clause, sentence) for each figure. Raises ValueError as `card` does."""
    _, notes = _derive(facts)
    return tuple(notes)


# What may be set by hand, in words. Rules: K.S10, K.A1.12.
OVERRIDES: Mapping[str, str] = {
    "hull": "a number of points above 0, held to a tenth of the derived one",
    "fire": "a number of points above 0, halves allowed, held to a tenth of the derived one",
    "fast": "yes or no",
    "handy": "yes or no",
    "unhandy": "yes or no; not together with handy",
    "period": "1666 or napoleonic: the age whose figures the card has",
}


def override_faults(facts: ShipFacts) -> tuple[str, ...]:
    """What is wrong with a ship's overrides, a sentence each: unknown names, wrong kinds, opposites. Rules: K.S3, K.A1.12."""
    faults = []
    for name, value in facts.overrides.items():
        if name in ("fast", "handy", "unhandy"):
            if not isinstance(value, bool):
                faults.append(f"override {name} is {value!r}; it must be true or false")
        elif name == "period":
            if value not in PERIODS:
                faults.append(f"override period is {value!r}; it must be one of {', '.join(PERIODS)}")
        elif name in ("hull", "fire"):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 100:
                faults.append(f"override {name} is {value!r}; it must be a number of points above 0")
        else:
            faults.append(f"no override {name!r} in this rule set; use one of {', '.join(sorted(OVERRIDES))}")
    if facts.overrides.get("handy") is True and facts.overrides.get("unhandy") is True:
        faults.append("overrides handy and unhandy cannot be used together")
    return tuple(faults)


def _derive(facts: ShipFacts) -> tuple[Card, list[Note]]:
    faults = override_faults(facts)
    if faults:
        raise ValueError("; ".join(faults))
    notes: list[Note] = []
    of = tables.column(facts.built_by, napoleonic=is_napoleonic(facts))
    if of is Column.NAPOLEONIC:
        notes.append(("column", "K.A1.14", "A later ship: English column, three quarters of the hull."))
    else:
        notes.append(("column", "K.A1.9", f"Builder: {facts.built_by}; {of.value.capitalize()} column."))
    guns, row = _place(facts, of, notes)
    merchant = _is_merchant(facts)
    hull = _hull(facts, of, row, notes)
    fire = _fire(facts, of, row, notes)
    on_small_row = row in (tables.LARGE_MERCHANT, tables.SMALL_MERCHANT) or facts.ship_type == "fireship"
    n_steps = 2 if on_small_row else tables.steps_of(guns)
    notes.append(("n_steps", "K.D3" if n_steps == 2 else "K.D2", f"{guns} guns: {n_steps} damage steps."))
    fast, handy, unhandy = _qualities(facts, of, guns, fire, row, notes)
    hull = _override_hull(facts, hull, notes)
    fire = _override_fire(facts, fire, notes)
    estimated = [name for name, clause, _ in notes if name in _ESTIMATES and clause in _ESTIMATES[name]]
    if GUNS_ESTIMATED in facts.tags:
        estimated.insert(0, "guns")
    made = Card(
        guns=guns, band=tables.band_of(guns), hull_max=hull, n_steps=n_steps,
        thresholds=tables.thresholds(hull, n_steps), fire_track=tables.fire_track(fire, n_steps),
        fast=fast, handy=handy, unhandy=unhandy, merchant=merchant, small=on_small_row or guns < 30,
        is_fireship=facts.ship_type == "fireship", deep=guns >= 30 and of is not Column.DUTCH,
        estimated=tuple(dict.fromkeys(estimated)), napoleonic=of is Column.NAPOLEONIC,
        carronades=of is Column.NAPOLEONIC and "carr" in facts.gun_detail.casefold(),
    )  # fmt: skip
    if made.carronades:
        notes.append(("fire_track", "K.A1.14", "Carronades: a row of the hit table higher at Short range."))
    notes.append(("thresholds", "K.D4", f"Steps at {listed(map(str, made.thresholds))} points lost."))
    notes.append(("fire_track", "K.D5", f"Fire track {', '.join(map(points_text, made.fire_track))}."))
    return made, notes


def is_napoleonic(facts: ShipFacts) -> bool:
    """Whether a ship is of the later age: by the year she is met in, unless the register says it by hand. Rule: K.A1.14."""
    told = facts.overrides.get("period")
    if told is not None:
        return bool(told == "napoleonic")
    return facts.year_served is not None and facts.year_served >= NAPOLEONIC_FROM


# Clauses whose notes mark a figure as not the register's own.
_ESTIMATES = {
    "guns": frozenset({"K.A1.15", "K.X2"}),
    "hull": frozenset({"K.A1.5", "K.A1.6"}),
    "fire": frozenset({"K.A1.3"}),
}


def points_text(doubled: int) -> str:
    """Fire points as people write them: 7½ for 15. Rule: K.0.6."""
    whole, half = divmod(doubled, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def _named(row: Row) -> str:
    """A row of T6 in a sentence."""
    return f"row {row.name}" if row.name.isdigit() else f"the row “{row.name}”"


def _is_merchant(facts: ShipFacts) -> bool:
    return facts.ship_type in MERCHANTS


def _place(facts: ShipFacts, of: Column, notes: list[Note]) -> tuple[int, Row]:
    """Guns as counted, and her row of T6. Rules: K.A1.7, K.A1.8, K.A1.15, K.X2, K.S11."""
    guns, tons = facts.guns, facts.tons_burthen
    if facts.ship_type == "fireship":
        if guns is not None and guns >= 20:
            notes.append(("guns", "K.S11", f"A fire ship of {guns} guns: row 20."))
            return guns, tables.T6[20]
        clause = "K.S11" if guns is not None else "K.X2"
        counted = guns if guns is not None else _SMALL_GUNS
        notes.append(
            ("guns", clause, f"A fire ship counted as {counted} guns: {_named(tables.SMALL_MERCHANT)}.")
        )
        return counted, tables.SMALL_MERCHANT
    if _is_merchant(facts) and (guns is None or guns < 30):
        large = (guns is not None and guns >= 15) or (tons is not None and tons >= 200)
        row = tables.LARGE_MERCHANT if large else tables.SMALL_MERCHANT
        counted = guns if guns is not None else _LARGE_GUNS if large else _SMALL_GUNS
        clause = "K.A1.7" if guns is not None else "K.A1.15"
        notes.append(("guns", clause, f"A merchant counted as {counted} guns: {_named(row)}."))
        return counted, row
    if guns is None:
        guns = _guns_by_tons(facts)
        notes.append(("guns", "K.A1.15", f"Guns not known: counted as {guns} by its tons."))
    row = tables.row_of(tables.band_of(guns), of)
    clause = "K.A1.8" if of is Column.DUTCH and guns >= 90 else "K.S11" if guns >= 20 else "K.A1.7"
    notes.append(("band", clause, f"{guns} guns: {_named(row)}."))
    return guns, row


def _guns_by_tons(facts: ShipFacts) -> int:
    """The highest band whose hull range starts at or below her tonnage in points. Rule: K.A1.15."""
    points = _points_by_weight(facts)
    bands = [band for band, row in tables.T6.items() if points is not None and row.hull[0] <= points]
    return max(bands, default=_SMALL_GUNS)


def _points_by_weight(facts: ShipFacts) -> int | None:
    if facts.tons_burthen is not None:
        return facts.tons_burthen // TONS_A_POINT
    if facts.displacement_tons is not None:
        return facts.displacement_tons // DISPLACEMENT_A_POINT
    return None


def _hull(facts: ShipFacts, of: Column, row: Row, notes: list[Note]) -> int:
    """Hull points. Rules: K.A1.1, K.A1.4, K.A1.5, K.A1.6."""
    low, high = row.points(of)
    points = _points_by_weight(facts)
    if points is not None:
        if facts.tons_burthen is not None:
            weight = f"{facts.tons_burthen:,} tons burthen, 1 point per {TONS_A_POINT} tons"
        else:
            weight = f"{facts.displacement_tons:,} tons displacement, 1 point per {DISPLACEMENT_A_POINT} tons"
        notes.append(("hull", "K.A1.1", f"{weight}: {points}."))
        if of is Column.NAPOLEONIC:
            points = tables.three_quarters(points)
            notes.append(("hull", "K.A1.14", f"Three quarters of that: {points}."))
        if points < low:
            notes.append(("hull", "K.A1.4", f"Raised to {low}, the bottom of {_named(row)}."))
        return max(points, low)
    if of is Column.DUTCH:
        notes.append(("hull", "K.A1.5", f"Tons not known: bottom of {low}–{high}, {low}."))
        return low
    if facts.year_built is not None and facts.year_built < 1642:
        notes.append(("hull", "K.A1.6", f"Tons not known, launched {facts.year_built}: top of {low}–{high}."))
        return high
    middle = (low + high) // 2
    notes.append(("hull", "K.A1.6", f"Tons not known: middle of {low}–{high}, {middle}."))
    return middle


def _fire(facts: ShipFacts, of: Column, row: Row, notes: list[Note]) -> int:
    """Fire points, doubled. Rules: K.A1.2, K.A1.3."""
    if facts.broadside_lb is not None:
        doubled = max(1, -((25 - facts.broadside_lb) // 50))
        notes.append(
            (
                "fire",
                "K.A1.2",
                f"Broadside {facts.broadside_lb} lb, 1 point per 100 lb: {points_text(doubled)}.",
            )
        )
        return doubled
    doubled = tables.middle_fire(row, of)
    notes.append(("fire", "K.A1.3", f"Broadside not known: middle of {_named(row)}, {points_text(doubled)}."))
    return doubled


def _qualities(
    facts: ShipFacts, of: Column, guns: int, fire: int, row: Row, notes: list[Note]
) -> tuple[bool, bool, bool]:
    """Fast, Handy, Unhandy. Rules: K.A1.10, K.A1.11, K.A1.12, K.A1.13, K.A1.14, K.S3, K.A1.7 (merchants have none)."""
    fast = handy = unhandy = False
    clause, band = "K.A1.10", tables.band_of(guns)
    if _is_merchant(facts) or (facts.ship_type == "fireship" and band < 20):
        clause = "K.A1.7"
    elif of is Column.NAPOLEONIC:
        fast = handy = guns < _FRIGATES_BELOW
        unhandy, clause = guns >= _UNHANDY_FROM, "K.A1.14"
    else:
        fast, handy = tables.T7[of].get(band, (False, False))
        if of is Column.ENGLISH and (band >= 90 or (50 <= band <= 80 and fire >= row.english[1])):
            unhandy, clause = True, "K.A1.11"
        if of is Column.ENGLISH and band in (30, 40) and FRIGATE_BUILT in facts.tags:
            fast, handy, clause = True, True, "K.A1.13"
    notes.append(("qualities", clause, _quality_text(fast, handy, unhandy)))
    chosen = {name: facts.overrides[name] for name in ("fast", "handy", "unhandy") if name in facts.overrides}
    if chosen:
        fast = chosen.get("fast", fast)
        # Opposites: what the register says by hand puts out what the tables say.
        handy = chosen.get("handy", handy and not chosen.get("unhandy", False))
        unhandy = chosen.get("unhandy", unhandy and not chosen.get("handy", False))
        notes.append(("qualities", "K.A1.12", f"By the register: {_quality_text(fast, handy, unhandy)}"))
    return fast, handy, unhandy


def _quality_text(fast: bool, handy: bool, unhandy: bool) -> str:
    names = [name for name, has in (("Fast", fast), ("Handy", handy), ("Unhandy", unhandy)) if has]
    return (" and ".join(names) or "No qualities") + "."


def _override_hull(facts: ShipFacts, hull: int, notes: list[Note]) -> int:
    """A hull figure set by hand, held to a tenth of the derived one. Rule: K.S10."""
    if "hull" not in facts.overrides:
        return hull
    asked = int(Fraction(str(facts.overrides["hull"])) + Fraction(1, 2))
    given = _within_a_tenth(hull, asked)
    notes.append(("hull", "K.S10", _override_text(str(asked), str(given), str(hull))))
    return given


def _override_fire(facts: ShipFacts, fire: int, notes: list[Note]) -> int:
    """A fire figure set by hand, in points and halves, held to a tenth of the derived one; returns it doubled. Rule: K.S10."""
    if "fire" not in facts.overrides:
        return fire
    asked = int(Fraction(str(facts.overrides["fire"])) * 2 + Fraction(1, 2))
    given = _within_a_tenth(fire, asked)
    notes.append(("fire", "K.S10", _override_text(points_text(asked), points_text(given), points_text(fire))))
    return given


def _within_a_tenth(derived: int, asked: int) -> int:
    room = (derived + 5) // 10
    return max(1, min(max(asked, derived - room), derived + room))


def _override_text(asked: str, given: str, derived: str) -> str:
    held = "" if asked == given else f", {given} allowed, a tenth of {derived} either way"
    return f"Set by hand to {asked}{held}."
