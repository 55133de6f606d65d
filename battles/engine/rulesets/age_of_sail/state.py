"""The battle as it stands. Positions are thousandths of a centimetre, headings one of sixteen points. "State per ship" of rules.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from battles.engine.core.grid import Grid
from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.plane import Point
from battles.engine.core.shore import Polygon
from battles.engine.rulesets.age_of_sail.sailing import Sails, sails
from battles.engine.rulesets.age_of_sail.tables import POINT, PORT, RANGE

CELL = 2 * RANGE
Spot = tuple[int, int, int]


class Status(StrEnum):
    """Whether a ship is in play, and if not, why. Rule: A.G1."""

    AFLOAT = "afloat"
    EXPECTED = "expected"
    WITHDRAWN = "withdrawn"
    SUNK = "sunk"
    EXPLODED = "exploded"
    BURNT = "burnt"
    ABANDONED = "abandoned"


class Anchor(StrEnum):
    """Rule: A.T2."""

    UP = "up"
    DOWN = "down"
    WEIGHING = "weighing"


@dataclass(slots=True)
class Ship:
    """A ship.

    number: place in the roster (A.P8, A.C13). side: with which she came; owner: whose she is. decks, hull: of the card, a side and in all;
    port, stbd, units: left now. masts: values from bow to stern; rig: of each 2 whole, 1 a jury mast, negative when it is down.
    start: boxes with which she entered the battle. sent_port, sent_stbd: decks away as prize crews; gone_port, gone_stbd: those of
    this battle. captor: ship that took her; manned: decks of her prize crew, None while she has none; former: her owner before.
    crew_fired: dice that a prize crew has fired this round (A.F13). boards: whether she comes to board (A.Q5). path: turns of her
    last move. shoals: areas that she has passed. entangled, parted: ids. hits_taken, hits_given: boxes. came: round in which she
    anchored; moored: she began at anchor. bearing: point on which she left.
    """

    id: str
    number: int
    name: str
    side: str
    owner: str
    squadron: str
    cls: str
    pirate: bool
    boards: bool
    flagship: bool
    commander: str
    complement: int
    decks: int
    hull: int
    masts: tuple[int, ...]
    names: tuple[str, ...]
    x: int
    y: int
    h: int
    port: int
    stbd: int
    units: int
    rig: list[int]
    start: tuple[int, int, int, int]
    sent_port: int = 0
    sent_stbd: int = 0
    gone_port: int = 0
    gone_stbd: int = 0
    rest: int = 0
    fire_stage: int = 0
    fire_round: int = 0
    fire_thrown: int = 0
    anchor: Anchor = Anchor.UP
    came: int = 0
    moored: bool = False
    aground: bool = False
    shoals: list[int] = field(default_factory=list)
    shoal_throws: int = 0
    entangled: list[str] = field(default_factory=list)
    parted: list[str] = field(default_factory=list)
    repairing: bool = False
    fired_port: bool = False
    fired_stbd: bool = False
    boarded: bool = False
    crew_fired: int = 0
    moved: bool = False
    captor: str = ""
    manned: int | None = None
    former: str = ""
    independent: bool = False
    withdrawing: bool = False
    path: list[int] = field(default_factory=list)
    prefer: tuple[str, ...] = ()
    hits_taken: int = 0
    hits_given: int = 0
    status: Status = Status.AFLOAT
    bearing: int = -1

    @property
    def flag(self) -> str:
        """The side whose colours she flies."""
        return self.owner

    @property
    def afloat(self) -> bool:
        """Whether she is in play. Rule: A.G1."""
        return self.status is Status.AFLOAT

    @property
    def expected(self) -> bool:
        """Whether she has yet to come. Rule: A.G37."""
        return self.status is Status.EXPECTED

    @property
    def position(self) -> Point:
        return self.x, self.y

    @property
    def heading(self) -> int:
        """Her heading in hundredths of a degree. Rule: A.P3."""
        return self.h * POINT

    @property
    def length(self) -> int:
        """None: a ship is a point. Rule: A.P4."""
        return 0

    @property
    def beam(self) -> int:
        """None. Rule: A.P4."""
        return 0

    @property
    def power(self) -> int:
        """Twice the total of her standing masts: a jury mast gives half its value. Rules: A.M5, A.M15, A.G36."""
        total = 0
        for value, state in zip(self.masts, self.rig, strict=True):
            if state > 0:
                total += value * state
        return total

    @property
    def standing(self) -> int:
        """Masts that stand."""
        up = 0
        for state in self.rig:
            up += state > 0
        return up

    @property
    def all_decks(self) -> int:
        """Gun decks of both sides."""
        return self.port + self.stbd

    @property
    def held(self) -> bool:
        """Whether she is taken and waits for a prize crew: she does nothing. Rule: A.B8."""
        return bool(self.captor) and self.manned is None

    @property
    def acts(self) -> bool:
        """Whether she is in play and her people obey her side."""
        return self.status is Status.AFLOAT and not (self.captor and self.manned is None)

    def volley(self, side: str) -> int:
        """Dice of her next volley from a broadside, 0 when there is none to fire. Rules: A.F1, A.F4, A.F12, A.F13, A.X9."""
        port = side == PORT
        if self.repairing or self.boarded or not self.acts or (self.fired_port if port else self.fired_stbd):
            return 0
        decks = self.port if port else self.stbd
        return decks if self.manned is None else min(self.manned - self.crew_fired, decks)

    @property
    def strength(self) -> int:
        """Dice that she throws in a boarding; none while she waits for a prize crew. Rules: A.B3, A.B8, A.B14, A.R4."""
        decks = self.port + self.stbd
        if self.manned is None:
            return 0 if self.captor else decks
        return min(self.manned, decks)

    @property
    def fast(self) -> bool:
        """Whether she cannot move from where she lies. Rules: A.M17, A.B10, A.T3, A.T5."""
        return bool(self.entangled) or self.aground or self.anchor is not Anchor.UP

    @property
    def sinkable(self) -> bool:
        """Whether nothing of decks and hull is left. Rule: A.D11."""
        return not (self.port or self.stbd or self.units)

    @property
    def start_boxes(self) -> int:
        """Boxes that she brought. Rules: A.V3, A.G36."""
        return sum(self.start)

    @property
    def boxes_lost(self) -> int:
        """Boxes that this battle cost her, decks sent off not counted. Rules: A.V3, A.V4."""
        port, stbd, units, masts = self.start
        return (
            port - self.port - self.gone_port
            + stbd - self.stbd - self.gone_stbd
            + units - self.units
            + max(0, masts - self.standing)
        )  # fmt: skip

    @property
    def damage(self) -> int:
        """Points that she counts for the enemy of the side she came with. Rules: A.V3, A.V4."""
        lost = self.status in (Status.SUNK, Status.EXPLODED, Status.BURNT, Status.ABANDONED)
        return self.start_boxes if lost or self.owner != self.side else self.boxes_lost


@dataclass(slots=True)
class Line:
    """A line of battle. Rules: A.L1-A.L3.

    ships: ids, the leader first. wake: places from the last ship's up to the leader's. places: of each ship in the wake, -1 off it.
    """

    squadron: str
    ships: list[str]
    wake: list[Spot]
    places: list[int]


@dataclass(slots=True)
class Battle:
    """The whole battle between rounds.

    turn: rounds played. active: the side whose turn it is; first: the side that moves first. wind_from: one of eight points; wind:
    strength 1 to 7. quiet: rounds without a volley, fight or entanglement. stirred: whether this one had any. history: wind of each
    round. options: switches of the set. officers: luck of flag officers, by squadron.
    """

    title: str
    turn: int
    last_turn: int
    nightfall: bool
    first: str
    active: str
    wind_from: int
    wind: int
    sides: dict[str, SideState]
    squadrons: dict[str, SquadronState]
    ships: dict[str, Ship]
    options: dict[str, Any]
    lines: list[Line] = field(default_factory=list)
    shoals: tuple[Polygon, ...] = ()
    land: tuple[Polygon, ...] = ()
    edges: tuple[int, int, int, int] | None = None
    history: list[tuple[int, int]] = field(default_factory=list)
    quiet: int = 0
    stirred: bool = False
    ended: str = ""
    held_field: str = ""
    withdrawing: list[str] = field(default_factory=list)
    parting: list[str] = field(default_factory=list)
    officers: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    grid: Grid[Ship] = field(default_factory=lambda: Grid(CELL))

    @property
    def second(self) -> str:
        """The side that moves second."""
        return self.enemy(self.first)

    def enemy(self, side: str) -> str:
        """The other side. Rule: A.P1."""
        return next(code for code in self.sides if code != side)

    def in_play(self) -> Iterator[Ship]:
        """Ships in play, in roster order. Rule: A.P8."""
        return (ship for ship in self.ships.values() if ship.status is Status.AFLOAT)

    def of(self, side: str) -> list[Ship]:
        """Ships in play that obey a side, in roster order."""
        return [ship for ship in self.ships.values() if ship.owner == side and ship.acts]

    def enemies(self, side: str) -> list[Ship]:
        """Ships in play of the other side, in roster order, those it holds unmanned left out."""
        return [ship for ship in self.ships.values() if ship.owner != side and ship.acts]

    def near(self, point: Point, reach: int) -> list[Ship]:
        """Ships in play within a distance, in roster order."""
        found = self.grid.near(point, reach)
        found.sort(key=_number)
        return found

    def sails(self, ship: Ship) -> Sails:
        """What a ship can do in this wind."""
        return sails(ship.power, self.wind, self.wind_from, self.options["no_sail"])

    def put(self, ship: Ship, spot: Spot) -> None:
        """Move a ship to a place and heading."""
        x, y, _ = spot
        if x // CELL == ship.x // CELL and y // CELL == ship.y // CELL:
            ship.x, ship.y, ship.h = spot
            return
        self.grid.lift(ship)
        ship.x, ship.y, ship.h = spot
        self.grid.place(ship)

    def lines_of(self, side: str) -> list[Line]:
        """Lines of a side, in the order in which they were formed."""
        return [line for line in self.lines if self.ships[line.ships[0]].owner == side]

    def line_of(self, ship: Ship) -> Line | None:
        """The line in which a ship keeps her place, None for one that sails alone."""
        return next((line for line in self.lines if ship.id in line.ships), None)

    def able(self, ship: Ship) -> bool:
        """Whether a ship can move, drifting not counted. Rules: A.V1, A.M20."""
        return ship.acts and not ship.fast and ship.power > 0


def _number(ship: Ship) -> int:
    return ship.number
