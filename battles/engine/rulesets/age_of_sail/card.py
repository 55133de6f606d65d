"""A ship's card from her register entry. Rules: A.C1-A.C15, A.G21, A.G30."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from battles.engine.core.errors import SchemaError
from battles.engine.core.options import whole
from battles.engine.core.scenario import ShipFacts

SCHEMA = 1
FIRST_YEAR, LAST_YEAR = 1600, 1815
LINE_FROM, LINE_FROM_EARLY, EARLY_BEFORE = 50, 40, 1660
FEW_GUNS = 15
DEEP_FROM = 30
POUNDS_A_TON = 5
MASTS = ("fore", "main", "mizzen")
Note = tuple[str, str, str]

_LINE_TYPES = frozenset({"ship_of_line", "great_ship", "man_of_war"})
_LIGHT_TYPES = frozenset({"frigate", "corvette", "sloop", "brig", "privateer", "pirate"})
_MERCHANTS = frozenset({"merchant", "transport"})
# Types of the register that go by steam: there is no card for them. Rule: A.C10.
_STEAM = frozenset(
    {
        "battleship", "cruiser_1", "cruiser_2", "cruiser_3", "scout", "destroyer", "torpedo_boat", "gunboat",
        "ironclad", "steamer",
    }
)  # fmt: skip
_LINE_RATES, _LIGHT_RATES = range(1, 5), range(5, 7)
# Who builds for shoal waters. Rule: A.G21.
_SHALLOW_YARDS = frozenset(
    {
        "Dutch Republic", "United Provinces", "Denmark", "Denmark-Norway", "Sweden", "Hanse", "Brandenburg", "Poland",
        "Russia",
    }
)  # fmt: skip
# Years of each service by name, and the nations that it belongs to. Rule: A.C11.
_SERVICES = (
    (("England", "Great Britain", "Scotland"), 1648, 1660, "Commonwealth"),
    (("England", "Great Britain", "Scotland"), 1660, 1800, "Royal Navy"),
    (("Spain",), 1660, 1796, "Armada"),
    (("France",), 1618, 1789, "La Royale"),
    (("Dutch Republic", "United Provinces"), 1648, 1795, "United Provinces"),
)


class Values(NamedTuple):
    """Figures of a class: decks a side, values of the masts from bow to stern, hull units. Rules: A.C1, A.C2."""

    decks: int
    masts: tuple[int, ...]
    hull: int


CLASSES: Mapping[str, Values] = {"line": Values(3, (1, 1, 1), 3), "light": Values(2, (1, 2, 1), 3)}
# Masts that stand in a ship of so many. Rule: A.C8.
_STEPPED = {3: (0, 1, 2), 2: (0, 1), 1: (1,)}
# Tons a gun where tons are unknown: before 1700, and from then by class; and tons where guns are unknown too. Rule: A.G30.
_TONS_EARLY, _TONS_EARLY_BEFORE = 12, 1700
_TONS_A_GUN = {"line": 23, "light": 26}
_TONS = {"line": 1_000, "light": 300}


@dataclass(frozen=True, slots=True)
class Card:
    """A derived ship card.

    cls: "line" or "light". decks: gun decks a side. masts: names from bow to stern; values: what each is worth. pounds: her worth
    whole. service: label for people. estimated: clause by figure that no fact of the register settled (A.C15).
    """

    cls: str
    decks: int
    masts: tuple[str, ...]
    values: tuple[int, ...]
    hull: int
    pirate: bool
    privateer: bool
    deep: bool
    pounds: int
    service: str
    estimated: Mapping[str, str]

    @property
    def boxes(self) -> int:
        """Boxes of the whole card: decks of both sides, masts, hull units. Rules: A.V3, A.G20."""
        return 2 * self.decks + len(self.masts) + self.hull

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        doc: dict[str, Any] = {"schema": SCHEMA, **asdict(self)}
        doc["class"] = doc.pop("cls")
        return {**doc, "masts": list(self.masts), "values": list(self.values)}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Card:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        if doc.get("schema") != SCHEMA:
            raise SchemaError(
                f"an Age of Sail card of schema {doc.get('schema')!r}; this version reads {SCHEMA}"
            )
        rest = {name: value for name, value in doc.items() if name not in ("schema", "class")}
        return cls(cls=doc["class"], **{**rest, "masts": tuple(doc["masts"]), "values": tuple(doc["values"])})


def _above_none(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


class _Field(NamedTuple):
    allows: Callable[[Any], bool]
    words: str


_FIELDS: Mapping[str, _Field] = {
    "class": _Field(lambda value: isinstance(value, str) and value in CLASSES, "line or light"),
    "decks": _Field(lambda value: whole(value, 0, 3), "gun decks a side, 0 to 3"),
    "masts": _Field(lambda value: whole(value, 1, 3), "1, 2 or 3 masts"),
    "hull": _Field(lambda value: whole(value, 1, 3), "1, 2 or 3 hull units"),
    "pirate": _Field(lambda value: isinstance(value, bool), "true or false"),
    "pounds": _Field(_above_none, "a whole number of pounds above 0"),
}
# What may be set by hand, in words. Rule: A.C15.
WORDS: Mapping[str, str] = {name: field.words for name, field in _FIELDS.items()}


def card(facts: ShipFacts) -> Card:
    """The card of a ship. Raises ValueError, with all reasons, when none can be made (see `card_faults`). Rules: A.C1-A.C15."""
    made, _ = _derive(facts)
    return made


def explain(facts: ShipFacts) -> tuple[Note, ...]:
    """How the card came about: (field, clause, sentence) for each figure. Raises ValueError as `card` does. Rule: A.C15."""
    _, notes = _derive(facts)
    return tuple(notes)


def card_faults(facts: ShipFacts) -> tuple[tuple[str, str], ...]:
    """Everything against a card of these facts: (field of the facts, sentence). Rules: A.C10, A.C15."""
    found: list[tuple[str, str]] = []
    for name, value in facts.overrides.items():
        if name not in _FIELDS:
            known = ", ".join(sorted(_FIELDS))
            found.append((f"overrides.{name}", f"{name!r} is not an override in this rule set; use {known}"))
        elif not _FIELDS[name].allows(value):
            found.append((f"overrides.{name}", f"{name} {value!r} is not allowed; use {_FIELDS[name].words}"))
    if facts.guns is not None and facts.guns < 0:
        found.append(("guns", f"{facts.guns} guns; it must be 0 or more"))
    if facts.ship_type in _STEAM:
        found.append(("ship_type", f"a {facts.ship_type} goes by steam; this rule set ends in {LAST_YEAR}"))
    year = year_of(facts)
    if year is not None and not FIRST_YEAR <= year <= LAST_YEAR:
        field = "year_served" if facts.year_served is not None else "year_built"
        found.append(
            (
                field,
                f"the year {year} is outside this rule set's period, {FIRST_YEAR} to {LAST_YEAR} (A.C10)",
            )
        )
    return tuple(found)


def year_of(facts: ShipFacts) -> int | None:
    """The year she is met in, else that of her launch. Rule: A.C14."""
    return facts.year_served if facts.year_served is not None else facts.year_built


def _derive(facts: ShipFacts) -> tuple[Card, list[Note]]:
    """The card and its notes. Rules: A.C3, A.C5, A.C8, A.C15."""
    faults = card_faults(facts)
    if faults:
        raise ValueError("; ".join(text for _, text in faults))
    by_hand = facts.overrides
    estimated: dict[str, str] = {}
    notes: list[Note] = []
    cls = _class(facts, estimated, notes)
    values = CLASSES[cls]
    clause = "A.C1" if cls == "line" else "A.C2"
    decks = _decks(facts, cls, clause, estimated, notes)
    masts = by_hand.get("masts", 3)
    stepped = _STEPPED[masts]
    notes.append(
        ("masts", "A.C15", f"Set by hand: {masts}.")
        if "masts" in by_hand
        else ("masts", clause, "Three masts, as every ship of her class.")
    )
    hull = by_hand.get("hull", values.hull)
    notes.append(
        ("hull", "A.C15", f"Set by hand: {hull}.")
        if "hull" in by_hand
        else ("hull", clause, f"{hull} hull units.")
    )
    pirate = _pirate(facts, notes)
    made = Card(
        cls=cls, decks=decks, masts=tuple(MASTS[n] for n in stepped), values=tuple(values.masts[n] for n in stepped),
        hull=hull, pirate=pirate, privateer=facts.ship_type == "privateer", deep=_deep(facts, cls, notes),
        pounds=_pounds(facts, cls, estimated, notes), service=_service(facts), estimated=estimated,
    )  # fmt: skip
    return replace(
        made, estimated={name: why for name, why in estimated.items() if name not in by_hand}
    ), notes


def _rate(facts: ShipFacts) -> int | None:
    """The rate as a number, 7 for an unrated ship. Rule: A.C14."""
    text = facts.rate.strip().casefold()
    if text.startswith("unrated"):
        return 7
    found = re.match(r"[1-6]", text)
    return int(found.group()) if found else None


def _class(facts: ShipFacts, estimated: dict[str, str], notes: list[Note]) -> str:
    """Line or light: by hand, by rate, by type, by guns. Rules: A.C6, A.C14, A.C15."""
    chosen = facts.overrides.get("class")
    if chosen is not None:
        notes.append(("class", "A.C15", f"Set by hand: {chosen}."))
        return str(chosen)
    rate = _rate(facts)
    if facts.ship_type == "fireship":
        notes.append(("class", "A.C14", "A fire ship is one of the lower rates, whatever her rate."))
        return "light"
    if rate is not None:
        found = "line" if rate in _LINE_RATES else "light"
        notes.append(("class", "A.C6", f"Rate {facts.rate}: {found}."))
        return found
    if facts.ship_type in _LINE_TYPES:
        notes.append(("class", "A.C6", "Entered as a ship of the line."))
        return "line"
    if facts.ship_type in _LIGHT_TYPES:
        notes.append(("class", "A.C6", f"Entered as a {facts.ship_type}: light."))
        return "light"
    if facts.guns is None:
        estimated["class"] = "A.C14"
        notes.append(("class", "A.C14", "Neither rate, type nor guns are known: light."))
        return "light"
    year = year_of(facts)
    least = LINE_FROM_EARLY if year is not None and year < EARLY_BEFORE else LINE_FROM
    found = "line" if facts.guns >= least else "light"
    notes.append(("class", "A.C6", f"{facts.guns} guns, {least} or more are fit for the line: {found}."))
    return found


def _decks(facts: ShipFacts, cls: str, clause: str, estimated: dict[str, str], notes: list[Note]) -> int:
    """Gun decks a side, whatever the number of guns. Rules: A.C1, A.C2, A.C4, A.C7, A.C9, A.C14."""
    if "decks" in facts.overrides:
        decks = int(facts.overrides["decks"])
        notes.append(("decks", "A.C15", f"Set by hand: {decks}."))
        return decks
    if facts.guns == 0:
        notes.append(("decks", "A.C9", "No guns, no gun decks."))
        return 0
    if facts.guns is not None and facts.guns <= FEW_GUNS and facts.ship_type in _MERCHANTS:
        notes.append(("decks", "A.C9", f"A merchantman of {facts.guns} guns has one gun deck a side."))
        return 1
    if "class" in estimated:
        estimated["decks"] = "A.C14"
        notes.append(("decks", "A.C14", "Her guns are unknown: one gun deck a side."))
        return 1
    decks = CLASSES[cls].decks
    notes.append(("decks", clause, f"{decks} gun decks a side, as every ship of her class."))
    return decks


def _pirate(facts: ShipFacts, notes: list[Note]) -> bool:
    """Whether she is a pirate, who keeps no line. Rule: A.C12."""
    if "pirate" in facts.overrides:
        pirate = bool(facts.overrides["pirate"])
        notes.append(("pirate", "A.C15", f"Set by hand: {'yes' if pirate else 'no'}."))
        return pirate
    pirate = facts.ship_type == "pirate"
    notes.append(
        ("pirate", "A.C12", "Pirates sail in no line." if pirate else "It may sail in a line of battle.")
    )
    return pirate


def _deep(facts: ShipFacts, cls: str, notes: list[Note]) -> bool:
    """Whether she is too deep for shoals on the chart. Rule: A.G21."""
    big = facts.guns >= DEEP_FROM if facts.guns is not None else cls == "line"
    shallow = facts.built_by in _SHALLOW_YARDS
    deep = big and not shallow
    why = "built for shoal waters" if big and shallow else "deep" if deep else "of shallow draught"
    notes.append(("deep", "A.G21", f"It is {why}."))
    return deep


def _pounds(facts: ShipFacts, cls: str, estimated: dict[str, str], notes: list[Note]) -> int:
    """What a prize court gives for her whole. Rule: A.G30."""
    if "pounds" in facts.overrides:
        pounds = int(facts.overrides["pounds"])
        notes.append(("pounds", "A.C15", f"Set by hand: £{pounds:,}."))
        return pounds
    tons = facts.tons_burthen
    if tons is None:
        estimated["pounds"] = "A.G30"
        year = year_of(facts)
        early = year is not None and year < _TONS_EARLY_BEFORE
        a_gun = _TONS_EARLY if early else _TONS_A_GUN[cls]
        tons = facts.guns * a_gun if facts.guns else _TONS[cls]
    notes.append(("pounds", "A.G30", f"{tons:,} tons at £{POUNDS_A_TON}: £{POUNDS_A_TON * tons:,}."))
    return POUNDS_A_TON * tons


def _service(facts: ShipFacts) -> str:
    """The name of her service in her year, for people only. Rule: A.C11."""
    if facts.ship_type in ("privateer", "pirate"):
        return f"{facts.ship_type}, {facts.nation}"
    year = year_of(facts)
    for nations, first, last, name in _SERVICES:
        if facts.nation in nations and year is not None and first <= year <= last:
            return name
    return facts.nation
