"""A ship of Thomas's battle: her card, her condition and her place, and what holds her to another.

Units: thousandths of an inch, hundredths of a degree; crew, captives and prize crew in half points (T.O5d), so that every
number is whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from battles.engine.core.plane import Point
from battles.engine.rulesets.thomas.tables import OARED, Arc, Gun, Kind


class Status(StrEnum):
    """Where a ship stands in the battle. EXPECTED: a reinforcement not yet on the table. Rules: section 10, T.S16, T.O4j."""

    AFLOAT = "afloat"
    SUNK = "sunk"
    FOUNDERED = "foundered"
    BLOWN_UP = "blown_up"
    WRECKED = "wrecked"
    BEACHED = "beached"
    WITHDRAWN = "withdrawn"
    EXPECTED = "expected"


class Adrift(StrEnum):
    """Why a ship drifts that must throw, wait or change her rig before she sails again. Rules: T.B6e, T.B6f, T.S22."""

    NONE = ""
    HOVE_TO = "hove_to"
    COLLISION = "collision"
    RESCUING = "rescuing"
    CABLE_CUT = "cable_cut"
    TOW_WAIT = "tow_wait"
    CONVERTING = "converting"


class Rig(StrEnum):
    """What drives a ship. TO_OARS drifts this move and rows the next; TO_SAIL sails the next. Rules: T.O4e, T.O4f."""

    SAIL = "sail"
    OARS = "oars"
    TO_SAIL = "to_sail"
    TO_OARS = "to_oars"


@dataclass(slots=True, eq=False)
class Battery:
    """The unit that throws one die and is the unit lost. half: half the effect. Rules: T.S4, T.S5, T.B11."""

    gun: Gun
    arc: Arc
    half: bool = False
    lost: bool = False


@dataclass(slots=True, eq=False)
class Grapple:
    """Two ships made fast. a: who grappled; b: the other; formed: move in which it came about.

    attacker: who boards in the fight now going on, "" while no one fights. fought: last move in which a round was fought.
    loosed: last move in which cutting it was tried, by either. Rules: T.B12, T.B12k, T.B12l, T.O6c.
    """

    a: str
    b: str
    formed: int
    attacker: str = ""
    fought: int = 0
    loosed: int = 0

    def other(self, ship: str) -> str:
        """The ship at the other end."""
        return self.b if ship == self.a else self.a


@dataclass(slots=True, eq=False)
class Ship:
    """One ship: her card (constant), her condition (what the campaign stores), and her place in the battle.

    side: the side she came with. prize_of: the side whose prize crew sails her, "" in her own people's hands. guns: rated guns.
    crew_halves, captive_halves, guard_halves: crew of her own, captives below, prize crew, in half points.
    thresholds_met: how many of quarter, half, three quarters she has met, 0 to 3, each acting once (T.B5a, TS-9);
    thresholds_due: those of them met this move whose masts are still to be thrown for.
    jury_since: move of the loss that a jury mast is to make good, 0 for one of an earlier battle, -1 for none (T.O2b).
    captor_ship: who took or secures her; captor_side: to whom she struck; detail: the ship named to secure her (T.O6e).
    crew_of_card: crew when `crew_max` was brought down to flotation (T.S2a), else 0.
    irons_since: move in which she came to lie in irons. drifts_now: she drifts this move, for a cause that ends with it.
    fallen: men of her own people who fell in boarding fights of this battle, which either side sees (T.B12n).
    guard_from: ship that sent the prize crew, "" if several or none (T.C13). tow_wait: on the tower, whom she is taking in tow.
    """

    id: str
    name: str
    side: str
    squadron: str
    nation: str
    kind: Kind
    year: int
    tons: int
    guns: int
    length: int
    beam: int
    speed: int
    turn: int
    flot_max: int
    crew_max: int
    batteries: list[Battery]
    masts: int = 3
    masts_to_dismast: int = 2
    oar_speed: int = 0
    oar_turn: int = 0
    deep: bool = True
    complement: int = 0
    crew_of_card: int = 0
    captain: str = ""
    is_flagship: bool = False
    # condition
    flot: int = 0
    crew_halves: int = 0
    captive_halves: int = 0
    guard_halves: int = 0
    masts_lost: int = 0
    thresholds_met: int = 0
    jury_count: int = 0
    jury_used: bool = False
    jury_since: int = -1
    on_fire: bool = False
    fire_fails: int = 0
    dishonoured: bool = False
    captives_tried: bool = False
    prize_of: str = ""
    guard_from: str = ""
    # the battle
    x: int = 0
    y: int = 0
    heading: int = 0
    status: Status = Status.AFLOAT
    adrift: Adrift = Adrift.NONE
    rig: Rig = Rig.SAIL
    in_irons: bool = False
    irons_since: int = 0
    heave_to_next: bool = False
    rescue_next: bool = False
    cutting_cable: bool = False
    anchored: bool = False
    boats_out: bool = False
    boats_lost_move: bool = False
    towing: str = ""
    towed_by: str = ""
    tow_wait: str = ""
    grapples: list[Grapple] = field(default_factory=list)
    gunners: int = 0
    fallen: int = 0
    has_fired: bool = False
    breaking_off: bool = False
    struck: bool = False
    struck_by_boarding: bool = False
    struck_move: int = 0
    captor_side: str = ""
    captor_ship: str = ""
    secured: bool = False
    boats_sent: bool = False
    detail: str = ""
    hits_given: int = 0
    hits_taken: int = 0
    cause: str = ""
    # this move
    moved: bool = False
    drifted: bool = False
    run_into: bool = False
    drifts_now: bool = False
    stopped_short: bool = False
    grapple_tried: bool = False
    under_sail: bool = False
    fired_now: bool = False
    silent: bool = False
    fired_on_close: bool = False
    thresholds_due: int = 0

    @property
    def position(self) -> Point:
        """Her mainmast, which is the middle of her hull."""
        return self.x, self.y

    @property
    def flag(self) -> str:
        """The side she belongs to now: her captor's while his prize crew has her. Rules: T.O6g, T.B12p."""
        return self.prize_of or self.side

    @property
    def expected(self) -> bool:
        """Whether she has yet to come."""
        return self.status is Status.EXPECTED

    @property
    def afloat(self) -> bool:
        """On the table: prizes and struck ships too."""
        return self.status is Status.AFLOAT

    @property
    def lost(self) -> int:
        """Points of flotation lost: what the rules call damage."""
        return self.flot_max - self.flot

    @property
    def half_damaged(self) -> bool:
        """Half or more damaged. Rules: T.B5, T.O4h."""
        return 2 * self.lost >= self.flot_max

    @property
    def three_quarters_damaged(self) -> bool:
        """Three quarters or more damaged. Rules: T.B5, T.O4h, T.O7."""
        return 4 * self.lost >= 3 * self.flot_max

    @property
    def dismasted(self) -> bool:
        """Drives before the wind under sail. Rule: T.B5d."""
        return self.masts_lost >= self.masts_to_dismast

    @property
    def crew(self) -> int:
        """Her own people, as men are counted. Rule: T.O5f."""
        return self.crew_halves // 2

    @property
    def captives(self) -> int:
        """Captives below, as men are counted. Rule: T.O5f."""
        return self.captive_halves // 2

    @property
    def prize_crew(self) -> int:
        """The prize crew, as men are counted. Rule: T.O5f."""
        return self.guard_halves // 2

    @property
    def hands(self) -> int:
        """Those who sail her now, as men are counted: the prize crew of a prize, else her own. Rules: T.O5, T.O6h."""
        return (self.guard_halves if self.prize_of else self.crew_halves) // 2

    @property
    def burning(self) -> bool:
        """Alight. Rule: T.N3."""
        return self.on_fire

    @property
    def grappled(self) -> bool:
        """Made fast to another ship. Rule: T.B12."""
        return bool(self.grapples)

    @property
    def in_a_fight(self) -> bool:
        """In a boarding fight that goes on. Rule: T.B12l."""
        return any(one.attacker for one in self.grapples)

    @property
    def fighting(self) -> bool:
        """Able to be anybody's enemy: afloat, her colours flying, no prize. Rules: T.O6a, T.O6i."""
        return self.status is Status.AFLOAT and not self.struck and not self.prize_of

    @property
    def has_oars(self) -> bool:
        """A vessel of TS-2. Rule: T.O4."""
        return self.kind in OARED and self.oar_speed > 0

    @property
    def under_oars(self) -> bool:
        """Rowing this move, or rowing while her sails go up. Rules: T.O4e, T.O4f."""
        return self.rig in (Rig.OARS, Rig.TO_SAIL)

    def standing(self, arc: Arc | None = None) -> list[Battery]:
        """Batteries not lost, of one group or of all. Rule: T.B11b."""
        return [one for one in self.batteries if not one.lost and arc in (None, one.arc)]

    def grapple_with(self, other: str) -> Grapple | None:
        """What holds her to another ship, None when nothing does."""
        return next((one for one in self.grapples if one.other(self.id) == other), None)
