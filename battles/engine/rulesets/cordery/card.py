"""A ship's card from her register entry: flotation points, turrets, batteries, torpedoes, ram. Rules: C.N1-C.N12, C.K21, C.K29."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from battles.engine.core.options import number, whole
from battles.engine.core.record import check_schema
from battles.engine.core.scenario import ShipFacts
from battles.engine.core.telling import listed, many
from battles.engine.rulesets.cordery import tables
from battles.engine.rulesets.cordery.tables import VARIANTS, Dice, Variant

SCHEMA = 1
Note = tuple[str, str, str]
_TUPLES = ("main_dice", "secondary_dice", "tubes", "estimated")

# What may be set by hand, in words. Rule: C.N11.
OVERRIDES: Mapping[str, str] = {
    "ram": "yes or no",
    "torpedoes": "a whole number from 0 to 4",
    "guns_per_turret": "a whole number from 1 to 3",
    "guns_per_battery": "a whole number from 1 to 3",
    "fp": "flotation points, a whole number from 1 to 24",
    "pounds": "a number of pounds above 0",
    "variant": f"one of {', '.join(VARIANTS)}",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A derived ship card.

    fp: flotation points. turret_fore ... battery_stbd: whether she has one. main_dice, secondary_dice: dice of one gun at each range from
    1 area on. tubes: bow, stern, port, stbd. pace: areas a turn. pounds: what she is worth whole. estimated: figures not the register's.
    """

    fp: int
    critical: int
    turret_fore: bool
    turret_aft: bool
    battery_port: bool
    battery_stbd: bool
    main_dice: Dice
    secondary_dice: Dice
    guns_per_turret: int
    guns_per_battery: int
    torpedoes: int
    tubes: tuple[str, ...]
    ram: bool
    pace: int
    deep: bool
    pounds: int
    variant: str = ""
    estimated: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        doc = asdict(self)
        return {"schema": SCHEMA, **doc, **{name: list(doc[name]) for name in _TUPLES}}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Card:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        check_schema(doc, SCHEMA, "a Cordery card")
        rows = {name: tuple(doc[name]) for name in _TUPLES}
        return cls(**{**{name: value for name, value in doc.items() if name != "schema"}, **rows})


def card(facts: ShipFacts) -> Card:
    """The card of a ship. Raises ValueError, with all reasons, for a ship that the set cannot play. Rules: C.N1-C.N12."""
    return _derive(facts)[0]


def explain(facts: ShipFacts) -> tuple[Note, ...]:
    """How the card came about: (field, clause, sentence) for each figure. Raises ValueError as `card` does. Rule: C.N11."""
    return tuple(_derive(facts)[1])


def card_faults(facts: ShipFacts) -> tuple[tuple[str, str], ...]:
    """Why a ship has no card here: (field of the facts, sentence). Rules: C.N7, C.N10, C.N11, C.N12, C.K11."""
    found = [("overrides", text) for text in _override_faults(facts.overrides)]
    if "variant" in facts.overrides:
        return tuple(found)
    if facts.ship_type not in tables.BATTLESHIPS:
        kind = facts.ship_type.replace("_", " ") or "ship of unknown type"
        found.append(
            (
                "ship_type",
                f"a {kind} has no card in this rule set, which is for battleships (C.N10); set the variant by hand to "
                f"{listed((name.replace('_', ' ') for name in VARIANTS), 'or')}",
            )
        )
        return tuple(found)
    year = _year(facts)
    if year is not None and not tables.FIRST_YEAR <= year <= tables.LAST_YEAR:
        found.append(
            (
                "year_built",
                f"a battleship of {year} has no card in this rule set; it is for ships launched {tables.FIRST_YEAR} to "
                f"{tables.LAST_YEAR} (C.N7)",
            )
        )
    return tuple(found)


def _override_faults(overrides: Mapping[str, Any]) -> list[str]:
    found = []
    for name, value in overrides.items():
        if name not in OVERRIDES:
            known = ", ".join(sorted(OVERRIDES))
            found.append(f"no override {name!r} in this rule set; use one of {known} (C.N11)")
        elif not _ALLOWED[name](value):
            found.append(f"override {name} is {value!r}; use {OVERRIDES[name]} (C.N11)")
    return found


_ALLOWED = {
    "ram": lambda value: isinstance(value, bool),
    "torpedoes": lambda value: whole(value, 0, tables.TORPEDOES),
    "guns_per_turret": lambda value: whole(value, 1, 3),
    "guns_per_battery": lambda value: whole(value, 1, 3),
    "fp": lambda value: whole(value, 1, 24),
    "pounds": lambda value: number(value, 1, 10**9),
    "variant": lambda value: isinstance(value, str) and value in VARIANTS,
}


def _year(facts: ShipFacts) -> int | None:
    """Her launch, or else the year she is met in. Rule: C.N7."""
    return facts.year_built if facts.year_built is not None else facts.year_served


def _derive(facts: ShipFacts) -> tuple[Card, list[Note]]:
    faults = card_faults(facts)
    if faults:
        raise ValueError("; ".join(text for _, text in faults))
    notes: list[Note] = []
    given = facts.overrides
    name = str(given.get("variant", ""))
    row = VARIANTS[name] if name else _STANDARD
    if name:
        notes.append(("variant", "C.N12", f"The {name.replace('_', ' ')} card, set by hand."))
    fp = _flotation(facts, row, notes)
    critical = max(1, fp // 2)
    notes.append(
        ("critical", "C.N12" if name or fp != tables.FP else "C.N1", f"Critical point at {critical}.")
    )
    notes.append(("turret_fore", "C.N12" if name else "C.N2", _armed(row.turrets, "main turret")))
    notes.append(("battery_port", "C.N12" if name else "C.N4", _armed(row.batteries, "secondary battery")))
    guns = [_guns(facts, row, field, notes) for field in ("guns_per_turret", "guns_per_battery")]
    torpedoes = _torpedoes(facts, row, notes)
    ram = _ram(facts, row, notes)
    pace = _pace(facts, row, notes)
    deep = not name or facts.ship_type in tables.DEEP_TYPES
    notes.append(("deep", "C.K21", f"{'Deep draught: it does not cross' if deep else 'It crosses'} shoals."))
    pounds = _pounds(facts, fp, notes)
    made = Card(
        fp=fp, critical=critical,
        turret_fore="turret_fore" in row.turrets, turret_aft="turret_aft" in row.turrets,
        battery_port="battery_port" in row.batteries, battery_stbd="battery_stbd" in row.batteries,
        main_dice=row.main, secondary_dice=row.secondary,
        guns_per_turret=guns[0], guns_per_battery=guns[1], torpedoes=torpedoes,
        tubes=tables.TUBES if torpedoes else (), ram=ram, pace=pace, deep=deep,
        pounds=pounds, variant=name, estimated=tuple(sorted({field for field, _, text in notes if "estimated" in text})),
    )  # fmt: skip
    return made, notes


_STANDARD = Variant(
    tables.FP, tables.TURRETS, tables.MAIN, tables.BATTERIES, tables.SECONDARY, tables.TORPEDOES, tables.PACE,
    False, None,
)  # fmt: skip


def _flotation(facts: ShipFacts, row: Variant, notes: list[Note]) -> int:
    """Flotation points: the row's, for some variants by tons; or set by hand. Rules: C.N1, C.N11, C.N12."""
    if "fp" in facts.overrides:
        notes.append(("fp", "C.N11", f"{facts.overrides['fp']} flotation points, set by hand."))
        return int(facts.overrides["fp"])
    tons = facts.displacement_tons
    if not row.by_tons or tons is None:
        notes.append(("fp", "C.N1" if row is _STANDARD else "C.N12", f"{row.fp} flotation points."))
        return row.fp
    fp = max(tables.LEAST_FP, min(tables.MOST_FP, tables.TONS_FP + tons // 1_000))
    notes.append(("fp", "C.N12", f"{fp} flotation points: {tons:,} tons."))
    return fp


def _guns(facts: ShipFacts, row: Variant, field: str, notes: list[Note]) -> int:
    """As how many guns a turret or a battery counts. Rules: C.N3, C.N11, C.N12."""
    year = _year(facts)
    if field in facts.overrides:
        notes.append((field, "C.N11", f"Each counts as {facts.overrides[field]}, set by hand."))
        return int(facts.overrides[field])
    if (
        field == "guns_per_battery"
        and row.quick > 1
        and year is not None
        and year >= tables.QUICK_FIRERS_FROM
    ):
        notes.append((field, "C.N12", f"Quick-firers, each counts as {row.quick}: {_launched(facts)}."))
        return row.quick
    notes.append((field, "C.N3", "Each counts as one gun."))
    return 1


def _armed(systems: tuple[str, ...], what: str) -> str:
    if not systems:
        return f"No {what}."
    names = {"fore": "fore", "aft": "aft", "port": "port", "stbd": "starboard"}
    where = " and ".join(names[system.rpartition("_")[2]] for system in systems)
    return f"{what[:1].upper()}{what[1:]} {where}."


def _launched(facts: ShipFacts) -> str:
    """How the year is told; a year that is not the launch's is marked as estimated. Rule: C.N11."""
    if facts.year_built is not None:
        return f"launched in {facts.year_built}"
    year = _year(facts)
    return (
        f"launch unknown, taken as {year} (estimated)" if year is not None else "launch unknown (estimated)"
    )


def _torpedoes(facts: ShipFacts, row: Variant, notes: list[Note]) -> int:
    """Torpedoes for a battle; a ship of an unknown year has them. Rules: C.N5, C.N9, C.N11, C.N12."""
    if "torpedoes" in facts.overrides:
        notes.append(
            ("torpedoes", "C.N11", f"{_torpedoes_told(int(facts.overrides['torpedoes']))}, set by hand.")
        )
        return int(facts.overrides["torpedoes"])
    year = _year(facts)
    count = row.torpedoes if year is None or year >= tables.TORPEDOES_FROM else 0
    notes.append(("torpedoes", "C.N9", f"{_torpedoes_told(count)}: {_launched(facts)}."))
    return count


def _torpedoes_told(count: int) -> str:
    return many(count, "torpedo", "torpedoes") if count else "No torpedoes"


def _ram(facts: ShipFacts, row: Variant, notes: list[Note]) -> bool:
    """Whether she has a ram; a ship of an unknown year has one. Rules: C.N8, C.N11, C.N12."""
    if "ram" in facts.overrides:
        notes.append(("ram", "C.N11", f"{'A' if facts.overrides['ram'] else 'No'} ram, set by hand."))
        return bool(facts.overrides["ram"])
    if row.ram is not None:
        notes.append(("ram", "C.N12", f"{'A' if row.ram else 'No'} ram."))
        return row.ram
    year = _year(facts)
    has = year is None or year < tables.NO_RAM_FROM
    notes.append(("ram", "C.N8", f"{'A' if has else 'No'} ram: {_launched(facts)}."))
    return has


def _pace(facts: ShipFacts, row: Variant, notes: list[Note]) -> int:
    """Areas a turn. Rules: C.N1, C.N12."""
    knots = facts.speed_knots
    if row.fast and knots is not None and knots >= tables.FAST_KNOTS:
        notes.append(("pace", "C.N12", f"{knots:g} knots: {tables.FAST_PACE} areas a turn."))
        return tables.FAST_PACE
    text = f"{row.pace} area{'s' if row.pace > 1 else ''} a turn."
    notes.append(("pace", "C.N1" if row is _STANDARD else "C.N12", text))
    return row.pace


def _pounds(facts: ShipFacts, fp: int, notes: list[Note]) -> int:
    """What she is worth whole. Rule: C.K29."""
    if "pounds" in facts.overrides:
        notes.append(("pounds", "C.N11", f"£{facts.overrides['pounds']:,}, set by hand."))
        return int(facts.overrides["pounds"])
    if facts.displacement_tons is not None:
        worth = facts.displacement_tons * tables.POUNDS_A_TON
        notes.append(
            ("pounds", "C.K29", f"{facts.displacement_tons:,} tons at £{tables.POUNDS_A_TON}: £{worth:,}.")
        )
        return worth
    variant = "variant" in facts.overrides
    worth = fp * tables.POUNDS_A_POINT if variant else tables.TONS * tables.POUNDS_A_TON
    by = (
        f"£{tables.POUNDS_A_POINT:,} a point"
        if variant
        else f"{tables.TONS:,} tons at £{tables.POUNDS_A_TON}"
    )
    notes.append(("pounds", "C.K29", f"Tons not known, {by} (estimated): £{worth:,}."))
    return worth
