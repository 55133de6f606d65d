"""The storable state of a turn between its stops. Every value in it is immutable, so that a copy is a copy of dicts.

Units as in `campaign.rules.chart.types`: hours of the chart, thousandths of a nautical mile, whole degrees. Rules: G.CL2, G.FA1.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from battles.engine.core.errors import SchemaError
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from battles.engine.core.wordless import wordless
from campaign.rules.chart.types import (
    SCHEMA,
    BattleCall,
    ChartEvent,
    FleetOrder,
    Position,
    SightingReport,
    Visibility,
)
from campaign.rules.state import documents
from campaign.rules.state.aims import Aims
from campaign.rules.state.calendar import Calendar
from campaign.rules.state.duties import Duties
from campaign.rules.state.economy import Economy
from campaign.rules.state.holdings import Holdings
from campaign.rules.state.minefields import Mines
from campaign.rules.state.shipping import Haul, hauls_doc, hauls_from
from campaign.rules.state.troops import Troops

SAILING, FIGHTING, DONE = "sailing", "fighting", "done"
RETAKEN, AGROUND = "retaken", "aground"


@dataclass(frozen=True, slots=True)
class ZoneWeather:
    """Weather of a zone. wind_from: degrees, a multiple of 45. Rules: G.WX1, G.WX2."""

    wind_from: int
    strength: Strength
    visibility: Visibility

    def doc(self) -> dict[str, Any]:
        """As a JSON document."""
        return {
            "wind_from": self.wind_from,
            "strength": self.strength.value,
            "visibility": self.visibility.value,
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> ZoneWeather:
        """Read back what `doc` wrote."""
        return cls(doc["wind_from"], Strength(doc["strength"]), Visibility(doc["visibility"]))


@dataclass(frozen=True, slots=True)
class FleetState:
    """A fleet in the course of a turn.

    order: its orders with the route still to sail. path: the whole route with the place it began at, for patrol and return.
    under_way: it sailed in the last hour. off_until: hour at which it comes back on the chart after a battle. still_until:
    hour to which it keeps its place after an enemy's escape. free_until, free_from: its own escape. name: of a fleet that was made
    in this turn, "" for one of the turn's facts. rejoins: the fleet it parted from and means to find again; home: squadron to which
    a ship that parted alone belongs; homes: of other ships that left the rest of their squadrons, (ship, squadron).
    group: stragglers, cripples or prizes for what sails by itself (G.KT1), else "".
    Rules: G.CH2, G.CL2, G.CO3, G.GF3.
    """

    code: str
    side: str
    position: Position
    order: FleetOrder
    path: tuple[str, ...] = ()
    under_way: bool = False
    off_until: int = 0
    still_until: int = 0
    free_until: int = 0
    free_from: tuple[str, ...] = ()
    held_by: str = ""
    ended: bool = False
    name: str = ""
    rejoins: str = ""
    home: str = ""
    homes: tuple[tuple[str, str], ...] = ()
    group: str = ""

    def doc(self) -> dict[str, Any]:
        """As a JSON document."""
        return {
            "code": self.code, "side": self.side, "position": documents.position_doc(self.position),
            "order": documents.order_doc(self.order), "path": list(self.path), "under_way": self.under_way,
            "off_until": self.off_until, "still_until": self.still_until, "free_until": self.free_until,
            "free_from": list(self.free_from), "held_by": self.held_by, "ended": self.ended, "name": self.name,
            "rejoins": self.rejoins, "home": self.home, "homes": [list(row) for row in self.homes],
            "group": self.group,
        }  # fmt: skip

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> FleetState:
        """Read back what `doc` wrote."""
        return cls(
            **{
                **doc,
                "position": documents.position_from(doc["position"]),
                "order": documents.order_from(doc["order"]),
                "path": tuple(doc["path"]),
                "free_from": tuple(doc["free_from"]),
                "homes": tuple((ship, squadron) for ship, squadron in doc.get("homes", ())),
            }
        )


@dataclass(frozen=True, slots=True)
class ShipState:
    """What a turn can change of a ship. fleet: "" when she sails with none. flags: of her last battle. Rule: G.BT3."""

    code: str
    side: str
    fleet: str
    squadron: str
    condition: Mapping[str, Any]
    men: int
    captain: str
    order: int
    prize: bool = False
    fate: Fate = Fate.AFLOAT
    flags: tuple[str, ...] = ()

    def doc(self) -> dict[str, Any]:
        """As a JSON document."""
        return {
            "code": self.code, "side": self.side, "fleet": self.fleet, "squadron": self.squadron,
            "condition": dict(self.condition), "men": self.men, "captain": self.captain, "order": self.order,
            "prize": self.prize, "fate": self.fate.value, "flags": list(self.flags),
        }  # fmt: skip

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> ShipState:
        """Read back what `doc` wrote."""
        return cls(**{**doc, "fate": Fate(doc["fate"]), "flags": tuple(doc["flags"])})


@dataclass(frozen=True, slots=True)
class Touch:
    """A hostile fleet within sighting distance of a fleet. Rules: G.SI1, G.SI3.

    seen: whether it has been seen; number: of the report, 0 before the first. approach: closest in the last hour, thousandths of
    a mile. reported: hour of the last report, -1 for none; band, kinds: what it told. let_go: a chase of it has been given up.
    """

    observer: str
    fleet: str
    seen: bool = False
    number: int = 0
    approach: int = 0
    reported: int = -1
    band: str = ""
    kinds: tuple[str, ...] = ()
    let_go: bool = False


@dataclass(frozen=True, slots=True)
class Contact:
    """A fleet that seeks battle with another. Rules: G.CO2, G.CO3, G.CO6.

    seeker, quarry: fleets. range: thousandths of a mile. bearing: degrees from seeker to quarry. since: hour it was made.
    not_before: hour of the first move in it. parting: fleet that parts after a battle, "" for none. after_battle: whether it goes
    on after one. hidden: hours out of sight. night: the night's throws are over, and the fleets meet again at dawn. general: the
    seeker has sent its fast ships ahead. long_shot: the quarry flies, and could not be overhauled (G.KT4).
    """

    seeker: str
    quarry: str
    range: int
    bearing: int
    since: int
    not_before: int = 0
    parting: str = ""
    after_battle: bool = False
    hidden: int = 0
    night: bool = False
    general: bool = False
    long_shot: bool = False


@dataclass(frozen=True, slots=True)
class Gale:
    """A gale in a zone. began, last: first hour and last hour in which it blew. faced: ships that have met it, by code. Rule: G.GF1."""

    zone: str
    began: int
    last: int
    faced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrizeHold:
    """The people in a prize. prisoners: men; taken_from: side she was taken from; tried: they have risen once. Rules: G.PR1, G.PR2."""

    prisoners: int
    taken_from: str
    tried: bool = False


Pair = tuple[str, str]


class FromShore(NamedTuple):
    """What the shore last reported of a body. number: of the contact; band: of its sail; point: latitude and longitude. Rule: G.SI4."""

    number: int
    band: str
    point: tuple[int, int]


@dataclass(slots=True)
class TurnState:
    """A turn between two stops. hour: the next hour to be played; phase: sailing, fighting or done. Rule: G.CL2.

    touches: by (observer, fleet). contacts: by (seeker, quarry). truces: hour to which two fleets fight no more, by sorted pair.
    numbers: last report number of each side. calls: battles to be fought now. battles: how many this turn has had. gales: by zone,
    for a day after they have blown out. marks: what else is true of a ship, by her code (retaken, aground). prizes: the people in
    them, by ship. guests: hour since which a fleet lies in a neutral port. duties: blockades, convoys and internments.
    economy: what the sides have ashore. holdings: ports taken, men ashore and raids (G.LD2-G.LD5).
    calendar: which of its events have come to pass (G.CA1).
    troops: armies at ports and men aboard (G.LD1).
    aims: how far the objectives are (G.OB1).
    mines: minefields, and mines aboard (G.MN1-G.MN4). hauls: merchantmen that raiders have sent in (G.NC1).
    ongoing: battles that hold their fleets, by code (G.BT4). tried: (own fleet, enemy) of the
    meetings in which a side has thrown to be gone this night (G.CO3). storms: (hour, zone) of gales born of battles (G.WX3).
    shy: hour to which fleets that parted without a hit are hard to bring to action, renewals: how often in a row their battle was
    renewed, both by sorted pair (G.KT5, G.KT6). mustered: squadron that took in another, by the code of the one broken up (G.KT3).
    met: ships of the enemy that a side has met in battle and not seen lost or taken, by side (G.AA3).
    warned: hour to which merchantmen of a side keep to port about a place, by (side, place) (G.NC2).
    watched: bodies in sight of the shore, by (side, greatest fleet of the body) (G.SI4).
    """

    campaign: str
    turn: int
    hour: int
    end_hour: int
    phase: str = SAILING
    early: str = ""
    battles: int = 0
    weather: dict[str, ZoneWeather] = field(default_factory=dict)
    fleets: dict[str, FleetState] = field(default_factory=dict)
    ships: dict[str, ShipState] = field(default_factory=dict)
    touches: dict[Pair, Touch] = field(default_factory=dict)
    contacts: dict[Pair, Contact] = field(default_factory=dict)
    truces: dict[Pair, int] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    gales: dict[str, Gale] = field(default_factory=dict)
    marks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    prizes: dict[str, PrizeHold] = field(default_factory=dict)
    guests: dict[str, int] = field(default_factory=dict)
    duties: Duties = field(default_factory=Duties)
    economy: Economy = field(default_factory=Economy)
    holdings: Holdings = field(default_factory=Holdings)
    calendar: Calendar = field(default_factory=Calendar)
    troops: Troops = field(default_factory=Troops)
    aims: Aims = field(default_factory=Aims)
    mines: Mines = field(default_factory=Mines)
    hauls: tuple[Haul, ...] = ()
    ongoing: dict[str, BattleCall] = field(default_factory=dict)
    tried: set[Pair] = field(default_factory=set)
    storms: tuple[tuple[int, str], ...] = ()
    shy: dict[Pair, int] = field(default_factory=dict)
    renewals: dict[Pair, int] = field(default_factory=dict)
    mustered: dict[str, str] = field(default_factory=dict)
    met: dict[str, tuple[str, ...]] = field(default_factory=dict)
    watched: dict[Pair, FromShore] = field(default_factory=dict)
    warned: dict[Pair, int] = field(default_factory=dict)
    reports: list[SightingReport] = field(default_factory=list)
    calls: list[BattleCall] = field(default_factory=list)
    events: list[ChartEvent] = field(default_factory=list)

    def copy(self) -> TurnState:
        """A state that can be played on without touching this one."""
        return replace(
            self,
            weather=dict(self.weather),
            fleets=dict(self.fleets),
            ships=dict(self.ships),
            touches=dict(self.touches),
            contacts=dict(self.contacts),
            truces=dict(self.truces),
            numbers=dict(self.numbers),
            gales=dict(self.gales),
            marks=dict(self.marks),
            prizes=dict(self.prizes),
            guests=dict(self.guests),
            duties=self.duties.copy(),
            economy=self.economy.copy(),
            holdings=self.holdings.copy(),
            calendar=self.calendar.copy(),
            troops=self.troops.copy(),
            aims=self.aims.copy(),
            mines=self.mines.copy(),
            ongoing=dict(self.ongoing),
            tried=set(self.tried),
            shy=dict(self.shy),
            renewals=dict(self.renewals),
            mustered=dict(self.mustered),
            met=dict(self.met),
            watched=dict(self.watched),
            warned=dict(self.warned),
            reports=list(self.reports),
            calls=list(self.calls),
            events=list(self.events),
        )

    def marked(self, ship: str, mark: str) -> bool:
        """Whether something is true of a ship that neither her card nor her condition tells."""
        return mark in self.marks.get(ship, ())

    def mark(self, ship: str, mark: str) -> None:
        """Let something be true of a ship."""
        self.marks[ship] = tuple(sorted({*self.marks.get(ship, ()), mark}))

    def unmark(self, ship: str, mark: str) -> None:
        """Let something be true of a ship no more."""
        left = tuple(m for m in self.marks.pop(ship, ()) if m != mark)
        if left:
            self.marks[ship] = left

    def carried(self) -> dict[str, Any]:
        """Touch, chases, meetings and gales as a JSON document; what goes on from turn to turn. Rule: G.CL2."""
        return {
            "touches": [
                {**asdict(self.touches[key]), "kinds": list(self.touches[key].kinds)}
                for key in sorted(self.touches)
            ],
            "contacts": [asdict(self.contacts[key]) for key in sorted(self.contacts)],
            "truces": [[*key, self.truces[key]] for key in sorted(self.truces)],
            "numbers": dict(sorted(self.numbers.items())),
            "gales": [
                {**asdict(self.gales[zone]), "faced": list(self.gales[zone].faced)}
                for zone in sorted(self.gales)
            ],
            "marks": {ship: list(self.marks[ship]) for ship in sorted(self.marks)},
            "guests": dict(sorted(self.guests.items())),
            "duties": self.duties.doc(),
            "prizes": {ship: asdict(self.prizes[ship]) for ship in sorted(self.prizes)},
            "economy": self.economy.doc(),
            "holdings": self.holdings.doc(),
            "calendar": self.calendar.doc(),
            "troops": self.troops.doc(),
            "aims": self.aims.doc(),
            "held": {code: documents.call_doc(self.ongoing[code]) for code in sorted(self.ongoing)},
            "tried": [list(pair) for pair in sorted(self.tried)],
            "storms": [list(row) for row in self.storms],
            "shy": [[*key, self.shy[key]] for key in sorted(self.shy)],
            "renewals": [[*key, self.renewals[key]] for key in sorted(self.renewals)],
            "mustered": dict(sorted(self.mustered.items())),
            "met": {side: list(self.met[side]) for side in sorted(self.met)},
            **(
                {"watched": [[*key, *self.watched[key]] for key in sorted(self.watched)]}
                if self.watched
                else {}
            ),
            **({"warned": [[*key, self.warned[key]] for key in sorted(self.warned)]} if self.warned else {}),
            **({"mines": self.mines.doc()} if self.mines else {}),
            **({"hauls": hauls_doc(self.hauls)} if self.hauls else {}),
        }

    def take_over(self, doc: Mapping[str, Any]) -> None:
        """Take over what `carried` wrote; an empty document leaves nothing to carry."""
        touches = [Touch(**{**row, "kinds": tuple(row["kinds"])}) for row in doc.get("touches", ())]
        contacts = [Contact(**row) for row in doc.get("contacts", ())]
        self.touches = {(t.observer, t.fleet): t for t in touches}
        self.contacts = {(c.seeker, c.quarry): c for c in contacts}
        self.truces = {(a, b): hour for a, b, hour in doc.get("truces", ())}
        self.numbers = dict(doc.get("numbers", {}))
        self.gales = {
            row["zone"]: Gale(**{**row, "faced": tuple(row["faced"])}) for row in doc.get("gales", ())
        }
        self.guests = dict(doc.get("guests", {}))
        self.duties = Duties.read(doc.get("duties", {}))
        self.economy = Economy.read(doc.get("economy", {}))
        self.holdings = Holdings.read(doc.get("holdings", {}))
        self.calendar = Calendar.read(doc.get("calendar", {}))
        self.troops = Troops.read(doc.get("troops", {}))
        self.aims = Aims.read(doc.get("aims", {}))
        self.mines = Mines.read(doc.get("mines", {}))
        self.hauls = hauls_from(doc.get("hauls", ()))
        self.prizes = {ship: PrizeHold(**row) for ship, row in doc.get("prizes", {}).items()}
        self.marks = {ship: tuple(marks) for ship, marks in doc.get("marks", {}).items()}
        self.ongoing = {code: documents.call_from(row) for code, row in doc.get("held", {}).items()}
        self.tried = {(own, enemy) for own, enemy in doc.get("tried", ())}
        self.storms = tuple((hour, zone) for hour, zone in doc.get("storms", ()))
        self.shy = {(a, b): hour for a, b, hour in doc.get("shy", ())}
        self.renewals = {(a, b): times for a, b, times in doc.get("renewals", ())}
        self.mustered = dict(doc.get("mustered", {}))
        self.met = {side: tuple(ships) for side, ships in doc.get("met", {}).items()}
        self.warned = {(side, place): hour for side, place, hour in doc.get("warned", ())}
        self.watched = {
            (side, fleet): FromShore(number, sail, (latitude, longitude))
            for side, fleet, number, sail, (latitude, longitude) in doc.get("watched", ())
        }

    def to_dict(self) -> dict[str, Any]:
        """The whole state as a JSON document with a schema number, in an order that depends on codes alone."""
        return {
            "schema": SCHEMA,
            "campaign": self.campaign,
            "turn": self.turn,
            "hour": self.hour,
            "end_hour": self.end_hour,
            "phase": self.phase,
            "early": self.early,
            "battles": self.battles,
            "weather": {zone: self.weather[zone].doc() for zone in sorted(self.weather)},
            "fleets": [self.fleets[code].doc() for code in sorted(self.fleets)],
            "ships": [self.ships[code].doc() for code in sorted(self.ships)],
            **self.carried(),
            "reports": [documents.report_doc(report) for report in self.reports],
            "calls": [documents.call_doc(call) for call in self.calls],
            "events": [documents.event_doc(event) for event in self.events],
        }

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> TurnState:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        if doc.get("schema") != SCHEMA:
            raise SchemaError(f"a turn of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
        plain = ("campaign", "turn", "hour", "end_hour", "phase", "early", "battles")
        fleets = [FleetState.read(row) for row in doc["fleets"]]
        ships = [ShipState.read(row) for row in doc["ships"]]
        state = cls(
            **{name: doc[name] for name in plain},
            weather={zone: ZoneWeather.read(row) for zone, row in doc["weather"].items()},
            fleets={fleet.code: fleet for fleet in fleets},
            ships={ship.code: ship for ship in ships},
            reports=[documents.report_from(row) for row in doc["reports"]],
            calls=[documents.call_from(row) for row in doc["calls"]],
            events=[documents.event_from(row) for row in doc["events"]],
        )
        state.take_over(doc)
        return state


def state_hash(state: TurnState) -> str:
    """SHA-256 of the state's canonical JSON without its words, in hexadecimal. Rule: G.FA1."""
    text = json.dumps(wordless(state.to_dict()), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
