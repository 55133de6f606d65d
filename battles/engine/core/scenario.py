"""What is fought: a Scenario, read from a JSON document whose schema is `battles/engine/scenario.schema.json`.

Reading reports *all* faults of a document with their paths, not the first one. What the chart hands over stands in G.BT6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from battles.engine.core.document import SCHEMA_FILE, document_faults
from battles.engine.core.errors import Fault, ScenarioFaults

SCHEMA = 1
__all__ = [
    "SCHEMA",
    "SCHEMA_FILE",
    "Doctrine",
    "Scenario",
    "ScenarioShip",
    "ShipFacts",
    "Side",
    "Squadron",
    "Stance",
    "Strength",
    "faults_of",
    "read_scenario",
]


class Strength(StrEnum):
    """Wind strengths of the chart. Rule: G.WX1."""

    STILL = "still"
    LIGHT = "light"
    MODERATE = "moderate"
    STRONG = "strong"
    GALE = "gale"


class Stance(StrEnum):
    """What a fleet wishes of a battle. Rules: G.CO1, G.MV5."""

    SEEK = "seek"
    HOLD = "hold"
    AVOID = "avoid"


@dataclass(frozen=True, slots=True)
class Doctrine:
    """Battle instructions that captains obey. Rule: G.MV5.

    stance: seek, hold or avoid. gauge: "windward", "leeward" or "any". fight_at: "close", "long" or "best" (what suits the
    guns). chase: "line" or "general". board: "never", "crippled" (only enemies that are crippled, as the set reads it) or "pays"
    (whenever it pays). fire_ships: whether allowed. break_off: % of hull lost at which the fleet tries to get away (100 =
    never). protect: codes of ships to cover (a convoy).
    """

    stance: Stance = Stance.SEEK
    gauge: str = "any"
    fight_at: str = "best"
    chase: str = "line"
    board: str = "pays"
    fire_ships: bool = True
    break_off: int = 50
    protect: tuple[str, ...] = ()

    @property
    def boards(self) -> bool:
        """Whether captains may board anyone at all. Rule: G.MV5."""
        return self.board != "never"


def boarding_word(value: str | bool) -> str:
    """The word for what captains may board. Documents older than the word say true or false. Rule: G.MV5."""
    if isinstance(value, bool):
        return "pays" if value else "never"
    return value


def doctrine_from(doc: Mapping[str, Any]) -> Doctrine:
    """Battle instructions as a document has them; what it leaves out has its default. Rule: G.MV5."""
    fields = dict(doc)
    if "stance" in fields:
        fields["stance"] = Stance(fields["stance"])
    if "board" in fields:
        fields["board"] = boarding_word(fields["board"])
    if "protect" in fields:
        fields["protect"] = tuple(fields["protect"])
    return Doctrine(**fields)


@dataclass(frozen=True, slots=True)
class ShipFacts:
    """A ship as her register entry has her; None where the register does not know.

    nation: flag she sails under; built_by: nation of her builder. year_built: launch. overrides: card fields set by hand, for
    the scenario's rule set. tags: words that a rule set looks for ("frigate-built"). name: for sets that print cards of named
    ships. year_served: the year she is met in, where her launch may be unknown.
    """

    nation: str
    built_by: str
    ship_type: str = "ship_of_line"
    rate: str = ""
    guns: int | None = None
    gun_detail: str = ""
    broadside_lb: int | None = None
    tons_burthen: int | None = None
    displacement_tons: int | None = None
    year_built: int | None = None
    crew: int | None = None
    speed_knots: float | None = None
    tags: tuple[str, ...] = ()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    year_served: int | None = None


@dataclass(frozen=True, slots=True)
class ScenarioShip:
    """A ship of a scenario.

    condition: as the rule set stored it, or None for a sound ship. complement, men: heads aboard when whole and now, None where
    the set reckons them itself. position, heading: in the set's own units, None to be placed by the set's opening. prize: she
    sails under her captor's colours and cannot fight.
    """

    id: str
    name: str
    facts: ShipFacts
    condition: Mapping[str, Any] | None = None
    complement: int | None = None
    men: int | None = None
    captain: str = ""
    prize: bool = False
    position: tuple[int, int] | None = None
    heading: int | None = None


@dataclass(frozen=True, slots=True)
class Squadron:
    """Ships under one flag. arrives: battle turn of arrival (0: there from the start); edge: 0-359 degrees, where from."""

    id: str
    name: str
    flagship: str
    ships: tuple[ScenarioShip, ...]
    flag_officer: str = ""
    flag_bonus: int = 0
    doctrine: Doctrine | None = None
    arrives: int = 0
    edge: int | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One party to the battle: squadrons in the order of sailing, van first."""

    id: str
    name: str
    nation: str
    squadrons: tuple[Squadron, ...]
    doctrine: Doctrine = field(default_factory=Doctrine)
    captain: str = "commander"
    wins_ties: bool | None = None

    def ships(self) -> Iterator[ScenarioShip]:
        """All ships in list order."""
        for squadron in self.squadrons:
            yield from squadron.ships


@dataclass(frozen=True, slots=True)
class Scenario:
    """A battle to be fought.

    code: the dice prefix (campaign, turn and battle code). wind_towards: chart degrees the wind blows towards. gauge: id of the
    side to windward, "" to let the set throw. gap: opening distance in the set's own unit, None for the set's own.
    turn_limit: battle turns, None for the set's own. land, shoal: cells or None. options: switches of the rule set.
    surprised: ids of sides taken by surprise (G.SI1). note: what is history in it and what is not, for people.
    """

    rule_set: str
    title: str
    code: str
    sides: tuple[Side, ...]
    wind_towards: int = 180
    strength: Strength = Strength.MODERATE
    start: str = ""
    place: str = ""
    gauge: str = ""
    gap: int | None = None
    turn_limit: int | None = None
    fixed_positions: bool = False
    land: tuple[tuple[int, int], ...] = ()
    shoal: tuple[tuple[int, int], ...] = ()
    edges: tuple[int, int, int, int] | None = None
    surprised: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""
    note: str = ""

    def ships(self) -> Iterator[tuple[Side, Squadron, ScenarioShip]]:
        """Every ship with her squadron and side, in list order."""
        for side in self.sides:
            for squadron in side.squadrons:
                for ship in squadron.ships:
                    yield side, squadron, ship


def faults_of(doc: object) -> tuple[Fault, ...]:
    """Everything wrong with a scenario document, by path; empty when it can be read. Rule: G.BT6."""
    return document_faults(doc)


def read_scenario(doc: object) -> Scenario:
    """Turn a document into a Scenario. Raises ScenarioFaults naming all its faults."""
    faults = faults_of(doc)
    if faults:
        raise ScenarioFaults(faults)
    assert isinstance(doc, dict)
    rest = {k: v for k, v in doc.items() if k in _PLAIN}
    wind = doc.get("wind", {})
    return Scenario(
        **rest,
        sides=tuple(_side(side) for side in doc["sides"]),
        wind_towards=wind.get("towards", 180),
        strength=Strength(wind.get("strength", "moderate")),
        land=_cells(doc, "land"),
        shoal=_cells(doc, "shoal"),
        edges=tuple(doc["edges"]) if doc.get("edges") else None,
        surprised=tuple(doc.get("surprised", ())),
    )


_PLAIN = frozenset(
    {
        "rule_set",
        "title",
        "code",
        "start",
        "place",
        "gauge",
        "gap",
        "turn_limit",
        "fixed_positions",
        "options",
        "seed",
        "note",
    }
)


def _cells(doc: Mapping[str, Any], name: str) -> tuple[tuple[int, int], ...]:
    return tuple((q, r) for q, r in doc.get(name, ()))


def _side(doc: Mapping[str, Any]) -> Side:
    return Side(
        id=doc["id"],
        name=doc["name"],
        nation=doc["nation"],
        squadrons=tuple(_squadron(row) for row in doc["squadrons"]),
        doctrine=doctrine_from(doc.get("doctrine", {})),
        captain=doc.get("captain", "commander"),
        wins_ties=doc.get("wins_ties"),
    )


def _squadron(doc: Mapping[str, Any]) -> Squadron:
    return Squadron(
        **{k: v for k, v in doc.items() if k not in ("ships", "doctrine")},
        ships=tuple(_ship(row) for row in doc["ships"]),
        doctrine=doctrine_from(doc["doctrine"]) if "doctrine" in doc else None,
    )


def _ship(doc: Mapping[str, Any]) -> ScenarioShip:
    facts = dict(doc["facts"])
    facts.setdefault("built_by", facts["nation"])
    facts["tags"] = tuple(facts.get("tags", ()))
    position = doc.get("position")
    return ScenarioShip(
        **{k: v for k, v in doc.items() if k not in ("facts", "position")},
        facts=ShipFacts(**facts),
        position=(position[0], position[1]) if position else None,
    )
