"""A ship's card from its register entry. Rules: P.S02-P.S13, P.G12, P.V13, P.K25, P.K26, P.K34, P.K37, P.K41, P.Z08."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from battles.engine.core.options import number, whole
from battles.engine.core.record import check_schema
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.barker.factors import ATTACK, DEFENCE
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.tables import ASHORE, BOATS, Type

SCHEMA = 1
Note = tuple[str, str, str]

OBSOLETE_BEFORE = 1890
# Years from launch to completion where the register knows the launch alone. Rule: P.S10.
FITTING_OUT = 2
COAST_DEFENCE_TONS = 6_000
SCOUT_LAUNCHED, SCOUT_TONS, SCOUT_KNOTS = 1903, 4_500, 24
LINER_KNOTS, LINER_TONS = 17, 5_000
KNOTS_LEAST, KNOTS_MOST = 4, 12

_BY_TYPE = {
    "battleship": Type.BB,
    "ironclad": Type.BB,
    "turret_ship": Type.BB,
    "barbette_ship": Type.BB,
    "central_battery_ship": Type.BB,
    "coast_defence": Type.BB,
    "monitor": Type.BB,
    "cruiser_1": Type.C1,
    "cruiser_2": Type.C2,
    "cruiser_3": Type.C3,
    "gunboat": Type.C3,
    "sloop": Type.C3,
    "destroyer": Type.TBD,
    "torpedo_boat": Type.TB,
    "submarine": Type.SUB,
    "merchant": Type.TRAMP,
}
# Rule: P.Z08.
_TOO_MODERN = frozenset({"dreadnought", "battlecruiser"})
# Tags that outrank the type. Rule: P.K41.
_TAGS = {
    "liner": Type.LINER,
    "tramp": Type.TRAMP,
    "sail": Type.SAIL,
    "fishing": Type.FISH,
    "amc": Type.AMC,
    "raider": Type.RAIDER_L,
    "minelayer": Type.MINELAYER,
    "submarine": Type.SUB,
}
_BY_HAND = tuple(kind.value for kind in Type if kind not in ASHORE)
OVERRIDES: Mapping[str, str] = {
    "type": f"one of {', '.join(_BY_HAND)}",
    "obsolete": "yes or no",
    "sp2": "twice the points, a whole number from 0 to 48",
    "knots": f"cruising speed, {KNOTS_LEAST} to {KNOTS_MOST} knots",
    "wt_from": "the year in which wireless was fitted, 1900 to 1913, or 0 for never",
    "searchlight": "yes or no",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A derived card of one hull.

    sp2: twice its SP, by itself. moves, extra_free, signal_nm, size_rank: Table 1. af: attack at close, normal, long and extreme
    range, None where no shot is possible. df: defence. wt_from: year of its wireless, 0 never. launched: year, 0 unknown. knots:
    cruising speed.
    """

    type: str
    obsolete: bool
    sp2: int
    moves: int
    extra_free: bool
    af: tuple[int | None, ...]
    df: int
    signal_nm: int
    size_rank: int
    wt_from: int
    searchlight: bool
    tons: int
    knots: int
    deep: bool
    launched: int
    estimated: tuple[str, ...] = ()

    @property
    def kind(self) -> Type:
        """The type, as the set knows it."""
        return Type(self.type)

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        doc = asdict(self)
        return {"schema": SCHEMA, **doc, "af": list(self.af), "estimated": list(self.estimated)}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Card:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        check_schema(doc, SCHEMA, "a Barker card")
        rows = {name: value for name, value in doc.items() if name != "schema"}
        return cls(**{**rows, "af": tuple(doc["af"]), "estimated": tuple(doc["estimated"])})


def card(facts: ShipFacts) -> Card:
    """The card of a ship. Raises ValueError, with all reasons, for one that the set cannot play. Rule: P.K41."""
    return _derive(facts)[0]


def explain(facts: ShipFacts) -> tuple[Note, ...]:
    """How the card came about: (field, clause, sentence). Raises ValueError as `card` does. Rule: P.K41."""
    return tuple(_derive(facts)[1])


def card_faults(facts: ShipFacts) -> tuple[tuple[str, str], ...]:
    """Why a ship has no card here: (field of the facts, sentence). Rules: P.Z08, P.K41."""
    found = [("overrides", text) for text in _override_faults(facts.overrides)]
    if not found and "type" not in facts.overrides and _type_of(facts) is None:
        words = facts.ship_type.replace("_", " ") or "ship of unknown type"
        if facts.ship_type in _TOO_MODERN:
            text = f"a {words} is too modern for this rule set, which ends in 1913 without one (P.Z08)"
        else:
            text = f"a {words} is not a ship of 1890 to 1913 (P.K41); set the type by hand to {OVERRIDES['type']}"
        found.append(("ship_type", text))
    return tuple(found)


def _override_faults(overrides: Mapping[str, Any]) -> list[str]:
    found = []
    for name, value in overrides.items():
        if name not in OVERRIDES:
            found.append(
                f"no override {name!r} in this rule set; use one of {', '.join(sorted(OVERRIDES))} (P.K41)"
            )
        elif not _ALLOWED[name](value):
            found.append(f"override {name} is {value!r}; use {OVERRIDES[name]} (P.K41)")
    return found


_ALLOWED: Mapping[str, Callable[[Any], bool]] = {
    "type": lambda value: value in _BY_HAND,
    "obsolete": lambda value: isinstance(value, bool),
    "sp2": lambda value: whole(value, 0, 48),
    "knots": lambda value: number(value, KNOTS_LEAST, KNOTS_MOST) and whole(value, KNOTS_LEAST, KNOTS_MOST),
    "wt_from": lambda value: value == 0 or whole(value, 1900, 1913),
    "searchlight": lambda value: isinstance(value, bool),
}


def _type_of(facts: ShipFacts) -> Type | None:
    """The type by tags, then by the register's word; None for a ship of another era. Rule: P.K41."""
    for tag in facts.tags:
        if tag in _TAGS:
            kind = _TAGS[tag]
            return Type.RAIDER_T if kind is Type.RAIDER_L and not _is_liner(facts) else kind
    if facts.ship_type == "scout":
        return Type.SC if _is_scout(facts) else Type.C3
    if facts.ship_type == "transport":
        return Type.LINER if _is_liner(facts) else Type.TRANSPORT
    return _BY_TYPE.get(facts.ship_type)


def _is_liner(facts: ShipFacts) -> bool:
    """Whether a transport has a liner's hull; what a raider or minelayer passes for hangs on it too. Rules: P.K41, P.R01."""
    fast = facts.speed_knots is not None and facts.speed_knots >= LINER_KNOTS
    small = facts.displacement_tons is not None and facts.displacement_tons < LINER_TONS
    return facts.ship_type == "transport" and fast and not small


def _is_scout(facts: ShipFacts) -> bool:
    """A scout of 1905: launched 1903 or later, small and fast. Rules: P.S06, P.K41."""
    return (
        (facts.year_built or 0) >= SCOUT_LAUNCHED
        and (facts.displacement_tons or SCOUT_TONS) < SCOUT_TONS
        and (facts.speed_knots or 0) >= SCOUT_KNOTS
    )


def completed(facts: ShipFacts) -> int | None:
    """The year in which a ship was ready: two years after its launch, which is what registers know. Rule: P.S10."""
    return None if facts.year_built is None else facts.year_built + FITTING_OUT


def _obsolete(facts: ShipFacts, kind: Type) -> bool:
    """Rules: P.S08, P.S10; small coast-defence ships always (P.K41)."""
    if kind is Type.TB:
        return True
    if not KINDS[kind].can_age:
        return False
    if (
        kind is Type.BB
        and facts.displacement_tons is not None
        and facts.displacement_tons < COAST_DEFENCE_TONS
    ):
        return True
    ready = completed(facts)
    return ready is not None and ready < OBSOLETE_BEFORE


def _knots(facts: ShipFacts, kind: Type) -> int:
    """Six tenths of the trial speed, 4 to 12; a sailing vessel has none of its own. Rule: P.K37."""
    if facts.speed_knots is None or kind is Type.SAIL:
        return KINDS[kind].knots
    return max(KNOTS_LEAST, min(KNOTS_MOST, int(facts.speed_knots * 10) * 6 // 100))


def _points(kind: Type, obsolete: bool) -> int:
    """Twice the SP of a hull by itself: half for the obsolete, half a pair for a boat. Rules: P.S10, P.S12, P.K25."""
    whole_ = KINDS[kind].sp2
    if kind in BOATS:
        return whole_ // 2
    return whole_ // 2 if obsolete else whole_


def _derive(facts: ShipFacts) -> tuple[Card, list[Note]]:
    faults = card_faults(facts)
    if faults:
        raise ValueError("; ".join(text for _, text in faults))
    by_hand = facts.overrides
    kind = Type(by_hand["type"]) if "type" in by_hand else _type_of(facts)
    assert kind is not None
    row = KINDS[kind]
    obsolete = bool(by_hand.get("obsolete", _obsolete(facts, kind)))
    tons = facts.displacement_tons or 0
    # A minelayer keeps its merchant's movement. Rule: P.R06.
    hull = KINDS[Type.LINER] if kind is Type.MINELAYER and _is_liner(facts) else row
    made = Card(
        type=kind.value,
        obsolete=obsolete,
        sp2=by_hand.get("sp2", _points(kind, obsolete)),
        moves=hull.moves,
        extra_free=hull.extra_free,
        af=ATTACK.get(kind, (None, None, None, None)),
        df=DEFENCE[kind],
        signal_nm=row.signal_miles,
        size_rank=row.rank,
        wt_from=by_hand.get("wt_from", row.wireless),
        searchlight=by_hand.get("searchlight", row.searchlight),
        tons=tons or row.pounds,
        knots=by_hand.get("knots", _knots(facts, kind)),
        deep=kind in (Type.BB, Type.C1, Type.TRANSPORT),
        launched=facts.year_built or 0,
        estimated=() if tons else ("tons",),
    )
    return made, _notes(facts, made, row.words)


def _halves(twice: int) -> str:
    """Points from twice as many: "4", "½", "1½"."""
    whole_, half = divmod(twice, 2)
    return f"{whole_ or ''}½" if half else str(whole_)


def _notes(facts: ShipFacts, made: Card, words: str) -> list[Note]:
    by_hand = facts.overrides
    hand = dict.fromkeys(by_hand, "Set by hand.")
    ready = completed(facts)
    age = (
        f"Completed about {ready} by its launch (est.)."
        if ready
        else "Its year is not known, so it counts as modern (est.)."
    )
    speed = (
        f"Six tenths of {facts.speed_knots:g} knots on trial."
        if facts.speed_knots
        else f"What a {words} makes (est.)."
    )
    tag = next((tag for tag in facts.tags if tag in _TAGS), "")
    kind = (
        f"A {words}, by the tag {tag}." if tag else f"In the register: {facts.ship_type.replace('_', ' ')}."
    )
    factors = "/".join("–" if one is None else str(one) for one in made.af)
    wireless = f"Fitted from {made.wt_from}." if made.wt_from else "Never fitted."
    return [
        ("type", "P.K41", hand.get("type", kind)),
        ("obsolete", "P.S10", hand.get("obsolete", age)),
        ("points", "P.K25", hand.get("sp2", f"{_halves(made.sp2)} by itself.")),
        ("moves", "P.M03", f"{made.moves} in a spell."),
        ("attack", "P.F25", f"Close, normal, long and extreme: {factors}."),
        ("defence", "P.F25", f"{made.df}, by type."),
        ("wireless", "P.G12", hand.get("wt_from", wireless)),
        ("searchlight", "P.V13", hand.get("searchlight", "By type.")),
        ("knots", "P.K37", hand.get("knots", speed)),
        ("deep", "P.K26", "Deep draught: it does not cross shoals." if made.deep else "It crosses shoals."),
        ("tons", "P.K34", "By the register." if facts.displacement_tons else "By type (est.)."),
    ]
