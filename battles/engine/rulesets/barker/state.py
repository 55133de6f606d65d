"""Barker's battle as it stands. Mutable inside a turn, let out through `record.to_dict` only. Rules: P.Z01, P.Z13 and the state they name.

Positions are hundredths of a yard from the middle of the table, x east, y north; headings hundredths of a degree (P.Z13).
A *unit* is one base: a ship, a pair of boats, a fishing fleet, a battery. A *hull* is one ship of the scenario (P.S01, P.K36).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker.tables import (
    ASHORE,
    BASE_LENGTH,
    BASE_WIDTH,
    BOATS,
    TORPEDO_CRAFT,
    UNREADY_SPELLS,
    WARSHIPS,
    Mode,
    Phase,
    Type,
)

Cell = tuple[int, int]


class Status(StrEnum):
    """Where a unit stands in the battle. EXPECTED: still to come on (P.S34, P.K43). RETREATED: over an edge (P.M23). SUNK: or destroyed.

    SALVAGED ... SCUTTLED are given after the battle only (P.K06, P.K08, P.K32).
    """

    IN_PLAY = "in_play"
    EXPECTED = "expected"
    RETREATED = "retreated"
    SUNK = "sunk"
    CAPTURED = "captured"
    SCUTTLED = "scuttled"
    WRECKED = "wrecked"
    TURNED_BACK = "turned_back"


@dataclass(slots=True, eq=False)
class Unit:
    """One base on the table.

    id: of its first hull. group: whose NIP die it uses (see `Group`). sp2: twice its SP as things stood before the battle (P.Z13).
    damage: 0-2. moves: per spell in all (Table 1), extra_free: P.M05. light: "" dark, "signal" (P.G02), else the id of its target (P.V14).
    earliest: own-spell number from which a submerged boat may surface (P.U04). disguised: raider or minelayer not yet disclosed;
    contact: the number under which the enemy knows it. acting: an AMC that acts as one. fired: whether it has fired in this battle
    (P.F30). stopped: P.M17. no_more: may not move again this spell (P.X07, P.A01). made: tokens of the moves made this spell. face:
    heading of a battery's front, -1 all round. challenged: id of the ship that stopped it, search_due: own spell of that side in
    which SEARCH is thrown (P.N08). prize_of: side for which it is a prize (P.N09). sweeps: False after it was mined while sweeping
    this spell (P.X10). fate: in the set's words, "" while nothing happened. by: id of the unit that did it. edge: bearing of the
    edge it left by, -1 none. outside: in play, but still queued beyond the edge over which it comes on (P.S34).
    """

    id: str
    name: str
    side: str
    squadron: str
    group: str
    nation: str
    type: Type
    hulls: tuple[str, ...]
    sp2: int
    moves: int
    extra_free: bool
    obsolete: bool
    signal_miles: int
    rank: int
    wt: bool
    searchlight: bool
    deep: bool
    x: int = 0
    y: int = 0
    h: int = 0
    status: Status = Status.EXPECTED
    damage: int = 0
    crippled: bool = False
    came_damage: int = 0
    came_crippled: bool = False
    aground: bool = False
    stopped: bool = False
    fired: bool = False
    light: str = ""
    submerged: bool = False
    earliest: int = 0
    disguised: bool = False
    contact: str = ""
    acting: bool = False
    neutral: bool = False
    prize: bool = False
    prize_of: str = ""
    challenged: str = ""
    search_due: int = -1
    searched: bool = False
    anchored: bool = False
    face: int = -1
    no_more: bool = False
    sweeps: bool = True
    made: tuple[str, ...] = ()
    given: int = 0
    taken: int = 0
    fate: str = ""
    by: str = ""
    edge: int = -1
    outside: bool = False

    @property
    def heading(self) -> int:
        """Its heading, under the name that `plane` knows."""
        return self.h

    @property
    def length(self) -> int:
        """Of its base."""
        return BASE_LENGTH

    @property
    def beam(self) -> int:
        """Of its base."""
        return BASE_WIDTH

    @property
    def at(self) -> Point:
        """The middle of its base. Rule: P.Z02."""
        return self.x, self.y

    @property
    def on_table(self) -> bool:
        """Whether its base lies on the table: neither gone nor to come, queued outside or submerged. Rules: P.S34, P.U03."""
        return self.status is Status.IN_PLAY and not self.submerged and not self.outside

    @property
    def under_way(self) -> bool:
        """Whether it may be moved as a base: on the table, or queued at its edge. Rule: P.S34."""
        return self.status is Status.IN_PLAY and not self.submerged

    @property
    def boat(self) -> bool:
        """TBD or TB."""
        return self.type in BOATS

    @property
    def torpedo_craft(self) -> bool:
        """TBD, TB or submarine. Rule: P.Z12."""
        return self.type in TORPEDO_CRAFT

    @property
    def ashore(self) -> bool:
        """A battery or another installation."""
        return self.type in ASHORE

    @property
    def warship(self) -> bool:
        """Whether it keeps its side in the battle. Rule: P.O01."""
        return self.type in WARSHIPS and not self.prize


@dataclass(slots=True, eq=False)
class Hull:
    """One ship of the scenario. `unit` is the base that it fights on. entered: its condition when it came, as the campaign stores it.

    own_sp2: twice its own SP.
    """

    id: str
    name: str
    side: str
    squadron: str
    unit: Unit
    entered: Mapping[str, Any]
    own_sp2: int
    complement: int
    men: int
    captain: str = ""

    @property
    def flag(self) -> str:
        """The side whose colours it flies: nobody changes sides before the battle is over."""
        return self.side

    @property
    def afloat(self) -> bool:
        """On the table, submerged or not."""
        return self.unit.status is Status.IN_PLAY

    @property
    def expected(self) -> bool:
        """Whether it has yet to come."""
        return self.unit.status is Status.EXPECTED


@dataclass(slots=True)
class BarkerSquadron(SquadronState):
    """A squadron or flotilla. flagship: unit id of the Flag, or of Captain (D) of a flotilla. Rules: P.S14-P.S19.

    ships: hull ids, van first. flotilla: torpedo craft with at most a scout (P.S16). flag_lost: P.S19. character: 0-6, 0 none (P.L01);
    partner: the gunnery fanatic's (P.L02). held_back: not yet declared to come on (P.S34).
    """

    flotilla: bool = False
    flag_lost: bool = False
    character: int = 0
    partner: str = ""
    held_back: bool = False


@dataclass(slots=True)
class Group:
    """Units that share a NIP die. kind: squadron, flotilla, merchants, submarines or single. Rules: P.S20, P.I01-P.I04.

    id: the squadron's id; "merchants/SIDE", "submarines/SIDE"; the unit's id for a single one. nip: thrown this spell; left: not yet spent.
    """

    id: str
    side: str
    kind: str
    nip: int = 0
    left: int = 0


@dataclass(slots=True)
class Formation:
    """Units that move as one. kind: ahead or abreast. members: unit ids, van (abreast: leftmost) first. Rules: P.M09-P.M13.

    track: the leader's path of front-edge centres as rows [x, y, heading of the stretch that begins here], oldest first, as long as any
    follower is still behind its first corner; empty when all steer one course.
    """

    kind: str
    members: tuple[str, ...]
    track: list[tuple[int, int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Sighting:
    """What a side knows of an enemy unit. Rules: P.V15, P.K45. type: as shown. spell: when it was last seen."""

    unit: str
    type: Type
    x: int
    y: int
    h: int
    damage: int
    crippled: bool
    spell: int


@dataclass(slots=True)
class Field:
    """A minefield. Rules: P.X01-P.X04.

    sections: middles of its squares still there. known: sides that know of it (P.X03). carrier: unit that is to lay it; unlaid: sections
    left. laying: the carrier lays now (P.X04).
    """

    id: str
    side: str
    sections: list[Point]
    known: tuple[str, ...] = ()
    carrier: str = ""
    unlaid: int = 0
    laying: bool = False


@dataclass(slots=True)
class Bank:
    """Mist, fog or a squall: a rectangle about x, y, its beam across `h`, the way it drifts. placer: side of a mist bank.

    Rules: P.W04-P.W11.
    """

    kind: str
    x: int
    y: int
    h: int
    length: int
    beam: int
    step: int
    placer: str = ""
    since: int = 0

    @property
    def heading(self) -> int:
        """Under the name that `plane` knows."""
        return self.h


@dataclass(slots=True)
class Marker:
    """A bubble marker. real: id of the boat below, "" for a fake. Rules: P.U03, P.U08."""

    id: str
    side: str
    x: int
    y: int
    real: str = ""


@dataclass(slots=True)
class Party:
    """What a side has besides its ships. edge: bearing of its own entry edge (P.S22). cinc: squadron id (P.S15). spells: own spells begun.

    contacts: enemy units in sight this spell (P.V15); remembered: the last sighting of every one seen. first_blood: whether any of
    its ships has been seen or fired; opening2: twice the SP with which it began (break off, P.K49). alarmed: own spells begun when the
    first shot was fired or the first ship was hit, -1 before; roads: the middle of its ships at anchor as the battle opens (P.K38).
    """

    id: str
    edge: int
    cinc: str = ""
    spells: int = 0
    contacts: tuple[str, ...] = ()
    remembered: dict[str, Sighting] = field(default_factory=dict)
    opening2: int = 0
    alarmed: int = -1
    roads: tuple[int, ...] = ()


@dataclass(slots=True)
class Battle:
    """The whole state between turns.

    spell: number of the spell that is played or comes next, 0 first; initiative: side that plays the even ones. clock: seconds since the
    beginning; opened: second of the day at which it began; sunrise, sunset: seconds of the day at which SUNRISE and SUNSET begin.
    phase: of the present spell. table: west, south, east, north. wind: bearing the wind blows from, along the axis of P.W03;
    towards, strength: the chart's, as they came. weather: calm, fog, squalls, none or rough (P.W04-P.W09). haze: P.V03. land,
    shoal: squares of 500 yd. allotted: seconds from contact, contact: second of the first change to combat, -1 none. unseen:
    successive combat spells without a sighting (P.C10); cruising_unseen: cruising spells since (P.K09). tallies: by target id, the
    firers of this spell (P.F33, P.L07). received: by squadron, the last order of the C-in-C as it arrived (P.G13).
    """

    title: str
    year: int
    turn: int
    last_turn: int
    towards: int
    strength: str
    sides: dict[str, SideState]
    squadrons: dict[str, BarkerSquadron]
    units: dict[str, Unit]
    ships: dict[str, Hull]
    groups: dict[str, Group]
    parties: dict[str, Party]
    options: dict[str, Any]
    table: tuple[int, int, int, int]
    initiative: str
    opened: int
    sunrise: int
    sunset: int
    wind: int
    weather: str
    haze: bool = False
    opened_cruising: bool = True
    mode: Mode = Mode.CRUISING
    phase: Phase = Phase.DAY
    spell: int = 0
    clock: int = 0
    allotted: int = 0
    contact: int = -1
    unseen: int = 0
    cruising_unseen: int = 0
    by_night: bool = True
    surprised: tuple[str, ...] = ()
    formations: list[Formation] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    banks: list[Bank] = field(default_factory=list)
    markers: list[Marker] = field(default_factory=list)
    land: frozenset[Cell] = frozenset()
    shoal: frozenset[Cell] = frozenset()
    tallies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ended: str = ""
    winner: str = ""
    cause: str = ""
    lost2: dict[str, int] = field(default_factory=dict)
    held: str = ""
    luck: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    received: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def rough(self) -> bool:
        """A rough sea all battle. Rule: P.W09."""
        return self.weather == "rough"

    @property
    def speller(self) -> str:
        """The side on move. Rule: P.C04."""
        return self.initiative if self.spell % 2 == 0 else self.other(self.initiative)

    def other(self, side: str) -> str:
        """The enemy's side."""
        return next(code for code in self.sides if code != side)

    def on_table(self, side: str = "") -> Iterator[Unit]:
        """Units whose base lies on the table, in id order of the scenario; of one side alone when it is named."""
        # Looked at more often than anything else, so `Unit.on_table` is written out.
        in_play = Status.IN_PLAY
        for unit in self.units.values():
            if (not side or unit.side == side) and unit.status is in_play:
                if not unit.submerged and not unit.outside:
                    yield unit

    def unready(self, side: str) -> bool:
        """Whether a side that was surprised at anchor in the dark neither shoots nor shows a light yet. Rule: P.K38."""
        party = self.parties[side]
        return (
            side in self.surprised
            and self.phase is Phase.NIGHT
            and (party.alarmed < 0 or party.spells <= party.alarmed + UNREADY_SPELLS)
            and any(unit.anchored for unit in self.on_table(side))
        )

    def alarm(self) -> None:
        """A shot or a blow wakes everybody who has slept until now. Rule: P.K38."""
        for party in self.parties.values():
            if party.alarmed < 0:
                party.alarmed = party.spells

    def enemies(self, side: str) -> Iterator[Unit]:
        """Units of the other side whose base lies on the table; neutrals and disguised ones are nobody's enemies.

        Rules: P.F23, P.N04, P.Y11.
        """
        for unit in self.units.values():
            if unit.side != side and unit.on_table and not unit.neutral and not unit.disguised:
                yield unit
