"""The values that the campaign's pure rules take and give: facts, orders, the storable state of a turn, and its stops.

Units: hours count from 06:00 of the campaign's first day; distances along a passage are thousandths of a nautical mile; bearings
are whole degrees; places, fleets, ships, sides and battles are named by code, never by database id. Nothing stored holds a float.
Rules: G.CH1, G.CH2, G.CL1, G.CL2, G.FA1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.chart.land import Land
from campaign.rules.chart.objectives import Opening, Row
from campaign.rules.chart.results import BattleCall as BattleCall
from campaign.rules.chart.results import Battles as Battles
from campaign.rules.chart.results import ChartEvent as ChartEvent
from campaign.rules.chart.results import DayDone as DayDone
from campaign.rules.chart.results import SightingReport as SightingReport
from campaign.rules.chart.results import Stop as Stop
from campaign.rules.chart.results import TurnDone as TurnDone
from campaign.rules.chart.side_orders import SideOrder

SCHEMA = 1
MILLI = 1000


class PlaceKind(StrEnum):
    """Kinds of place on the chart. Rule: G.CH1."""

    PORT = "port"
    ANCHORAGE = "anchorage"
    SEA_AREA = "sea_area"
    STRAIT = "strait"
    SHOAL_COAST = "shoal_coast"


class ShipKind(StrEnum):
    """How a ship cruises and what she looks like from six miles. Rules: G.MV1, G.SI2, G.WX4."""

    LINE = "line"
    FRIGATE = "frigate"
    MERCHANT = "merchant"
    FIRE_SHIP = "fire ship"
    SMALL = "small craft"


class OnArrival(StrEnum):
    """What a fleet does at the end of its route. Rules: G.MV2, G.LD1, G.LD2, G.LD5, G.MN1, G.MN3, G.NC1, G.NT1."""

    ANCHOR = "anchor"
    PATROL = "patrol"
    RETURN = "return"
    JOIN = "join"
    SHELTER = "shelter"
    BLOCKADE = "blockade"
    ESCORT = "escort"
    ATTACK = "attack"
    EMBARK = "embark"
    DISEMBARK = "disembark"
    LAND = "land"
    RAID = "raid"
    MINE = "mine"
    SWEEP = "sweep"
    TORPEDO = "torpedo"
    TRADE = "trade"


class Visibility(StrEnum):
    """How far one sees. Rule: G.WX4."""

    CLEAR = "clear"
    HAZE = "haze"
    FOG = "fog"


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the theatre. latitude, longitude: degrees, north and east positive. owner: a nation or "".

    garrison: men, None for what its guard makes it; no_beach: no one can land there. Rules: G.CH1, G.LD2, G.LD3.
    """

    code: str
    name: str
    kind: PlaceKind
    latitude: float
    longitude: float
    zone: str
    owner: str = ""
    channel_owner: str = ""
    dockyard: int = 0
    berths: int = 0
    recruits: int = 0
    guard: int = 0
    garrison: int | None = None
    no_beach: bool = False


@dataclass(frozen=True, slots=True)
class ZoneMonth:
    """A weather zone in one month. prevailing: degrees it blows from, None for no steady wind. Rule: G.WX1."""

    prevailing: int | None
    usual: str
    haze_pct: int
    fog_pct: int


@dataclass(frozen=True, slots=True)
class Theatre:
    """A sea area: places, passages as pairs of codes, weather zones by month 1-12, sunrise and sunset hours by month.

    land: what may lie between two fleets (G.SI1), None for a theatre that has no coast.
    """

    code: str
    title: str
    places: Mapping[str, Place]
    passages: tuple[tuple[str, str], ...]
    zones: Mapping[str, tuple[ZoneMonth, ...]]
    daylight: tuple[tuple[int, int], ...]
    land: Land | None = field(default=None, compare=False, repr=False)


def _setting(default: Any, clause: str, words: str) -> Any:
    return field(default=default, metadata={"clause": clause, "words": words})


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers of the campaign rules that an umpire may change, each with its clause and what it means."""

    turn_days: int = _setting(3, "G.CL1", "days in a turn")
    nightfall: int = _setting(21, "G.CL1", "hour of nightfall")
    end_turn_on: str = _setting(
        "battle",
        "G.CL3",
        "event that ends a turn early",
    )
    see_clear: int = _setting(12, "G.WX4", "miles seen from the masthead in clear weather")
    see_haze: int = _setting(6, "G.WX4", "miles seen in haze")
    see_fog: int = _setting(1, "G.WX4", "miles seen in fog")
    see_night: int = _setting(2, "G.WX4", "greatest number of miles seen by night")
    scout_miles: int = _setting(8, "G.WX4", "extra miles seen with a detached scout, by day in clear weather")
    knots_line: str = _setting("4.5", "G.MV1", "cruising speed of ships of the line, in knots")
    knots_frigate: str = _setting("6", "G.MV1", "cruising speed of frigates and cruisers, in knots")
    knots_merchant: str = _setting("3", "G.MV1", "cruising speed of merchantmen, in knots")
    steam_cruising_percent: int = _setting(
        60, "G.ST1", "percentage of its trial speed at which a steamer cruises, rounded down to whole knots"
    )
    steam_least: int = _setting(4, "G.ST1", "lowest cruising speed of a steamer, in knots")
    steam_most: int = _setting(12, "G.ST1", "highest cruising speed of a steamer, in knots")
    trial_warship: int = _setting(
        17, "G.ST1", "trial speed of a warship for which the register gives none, in knots"
    )
    trial_merchant: int = _setting(
        14, "G.ST1", "trial speed of a merchantman for which the register gives none, in knots"
    )
    steam_full_percent: int = _setting(
        90,
        "G.ST2",
        "percentage of its trial speed that a steamer makes in a chase, rounded down to whole knots",
    )
    company_miles: int = _setting(3, "G.MV4", "miles within which fleets are in company")
    see_at_day: int = _setting(3, "G.SI1", "lowest throw to sight an enemy by day")
    see_at_haze: int = _setting(4, "G.SI1", "lowest throw to sight an enemy in haze")
    see_at_night: int = _setting(5, "G.SI1", "lowest throw to sight an enemy by night")
    see_at_fog: int = _setting(6, "G.SI1", "lowest throw to sight an enemy in fog")
    coast_miles: int = _setting(
        24,
        "G.SI4",
        "miles seen from the shore at a side's ports by day in clear weather; 0 for no watch there",
    )
    kinds_miles: int = _setting(6, "G.SI2", "miles within which kinds of ship can be distinguished")
    greatest_odds: str = _setting(
        "1.5", "G.MV5", "greatest odds (enemy to own side) at which a fleet that seeks battle attacks"
    )
    chase_miles: int = _setting(
        3, "G.CO6", "miles at which a chase begins after one side breaks off a battle"
    )
    flight: str = _setting("on", "G.KT4", "flight before a battle, and chases at long range")
    stand_odds: str = _setting(
        "4", "G.KT4", "odds (enemy to own side) at which a fleet runs although its orders are to fight"
    )
    overhaul: str = _setting(
        "0.5", "G.KT4", "knots by which a chaser must be faster to bring a running fleet to action"
    )
    shy_hours: int = _setting(
        24, "G.KT5", "hours for which only a fleet 1 knot faster catches one that has escaped action"
    )
    after_battle_default: str = _setting(
        "auto", "G.KT6", "what fleets do after an undecided battle if their orders do not say"
    )
    renew_ratio: str = _setting(
        "1",
        "G.KT6",
        "strength (own side to enemy) at which a fleet left to judge for itself renews the battle",
    )
    renew_most: int = _setting(
        3, "G.KT6", "number of times that fleets may renew their battle before both sides part"
    )
    at_miles: int = _setting(
        10, "G.OB1", "miles along a passage within which a fleet counts as being at a place"
    )
    objectives: str = _setting("on", "G.OB1", "objectives of the sides, and marks for them")
    objective_percent: int = _setting(100, "G.OB2", "percentage of its marks that an objective scores")
    decisive: str = _setting("ends", "G.OB3", "what happens when a side achieves a decisive objective")
    grade_narrow: int = _setting(10, "G.OB3", "lead in marks that makes a narrow victory")
    grade_clear: int = _setting(30, "G.OB3", "lead in marks that makes a clear victory")
    grade_great: int = _setting(60, "G.OB3", "lead in marks that makes a great victory")
    calendar: str = _setting("acts", "G.CA1", "calendar events")
    landings: str = _setting("on", "G.LD1", "troops, landings and raids")
    land_rate: int = _setting(4000, "G.LD2", "men that a fleet puts ashore in a morning")
    port_marks: int = _setting(2, "G.LD4", "marks for a port taken")
    port_class_marks: int = _setting(2, "G.LD4", "marks for each dockyard class of a port taken")
    hold_men: int = _setting(
        300, "G.LD4", "men needed to hold a captured port, which otherwise returns to its old owner"
    )
    one_report: str = _setting("on", "G.IG1", "fleets in company are seen, and reported, as one")
    fold_hours: int = _setting(
        48, "G.IG2", "hours after which a contact not sighted again is listed as an older contact"
    )
    fragments: str = _setting("one group", "G.KT1", "what happens to ships that part company")
    muster: str = _setting("auto", "G.KT3", "how small squadrons are filled up in port")
    least_squadron: int = _setting(
        3, "G.KT3", "number of ships below which a squadron is filled up or broken up"
    )
    duties: str = _setting("on", "G.AA1", "the automatic admiral works for its objectives")
    reserve_percent: int = _setting(
        20, "G.AA2", "percentage of a side's strength that the automatic admiral holds back"
    )
    fund_keep: int = _setting(2000, "G.AA5", "pounds that the automatic admiral leaves in the prize fund")
    orders_in_parts: str = _setting("on", "G.AA6", "only the faulty part of an order is refused")
    escape_at: int = _setting(5, "G.CO3", "lowest throw for a night escape")
    guns_heard: int = _setting(15, "G.CO7", "miles at which guns are heard")
    aground_at: int = _setting(3, "G.CH4", "highest throw at which a deep-draught ship runs aground")
    refloat_at: int = _setting(5, "G.CH4", "lowest throw at which the tide floats a ship off")
    blockade_miles: int = _setting(6, "G.BL1", "miles off a port at which a blockading fleet lies")
    slip_at: int = _setting(4, "G.BL1", "lowest throw to slip out of a blockaded port by night or in fog")
    onshore_hours: int = _setting(
        48, "G.BL1", "hours of strong onshore wind that drive a blockading fleet to its shelter"
    )
    slipped_hours: int = _setting(
        12, "G.BL1", "hours for which blockading fleets cannot sight a fleet that has slipped out"
    )
    mine_sections: int = _setting(
        3, "G.MN2", "sections of a minefield for each face of the die on which a fleet runs into it"
    )
    mine_ships: int = _setting(2, "G.MN2", "ships at the head of a fleet that a minefield attacks")
    mine_found_at: int = _setting(4, "G.MN3", "lowest throw at which a sweeper finds a minefield")
    trade_miles: int = _setting(
        120, "G.NC2", "miles from a side's ports within which raiders meet its shipping"
    )
    raid_at: int = _setting(5, "G.NC2", "lowest throw at which a raider meets the enemy's shipping in a day")
    trade_warned_days: int = _setting(
        7, "G.NC2", "days for which a side's shipping keeps to port where a raider has taken a ship of it"
    )
    neutral_hours: int = _setting(24, "G.NE1", "hours of shelter in a neutral port before ships are interned")
    guard_share: int = _setting(5, "G.PR2", "prisoners per guard above which prisoners rise")
    rise_at: int = _setting(4, "G.PR2", "lowest throw at which prisoners retake a prize")
    cripple_percent: int = _setting(
        50,
        "G.MV5",
        "percentage of its hull, or of its value, that a ship loses before it counts as crippled and is sent into port",
    )
    founder_prize: int = _setting(1, "G.GF1", "number subtracted from a prize's throw in a gale")
    founder_anchorage: int = _setting(
        1, "G.GF1", "number added to the throw of a ship at an open anchorage in a gale"
    )
    gale_gap: int = _setting(24, "G.GF1", "hours without a gale before the next counts as a new one")
    part_at: int = _setting(
        1, "G.GF3", "highest throw at which a squadron or a damaged ship parts company in a gale"
    )
    scatter_dice: int = _setting(
        3, "G.GF3", "number of D6 thrown for the miles that a gale carries ships that part company"
    )
    carried_degrees: int = _setting(
        60,
        "G.CH2",
        "greatest angle from dead downwind, in degrees, at which a drifting ship is carried along a passage",
    )
    shore_miles: int = _setting(
        3, "G.CH2", "miles from a foreign port within which a drifting ship may be driven ashore"
    )
    wrecked_at: int = _setting(2, "G.CH2", "highest throw at which a ship driven ashore is wrecked")
    yard_days: int = _setting(7, "G.RP2", "yard-days of work that a yard does on each day of the campaign")
    work_light: int = _setting(14, "G.RP2", "yard-days for light work on a hull")
    work_medium: int = _setting(49, "G.RP2", "yard-days for medium work on a hull")
    work_heavy: int = _setting(91, "G.RP2", "yard-days for heavy work on a hull")
    work_worse: int = _setting(133, "G.RP2", "yard-days for the worst hull damage")
    work_mast: int = _setting(3, "G.RP2", "yard-days per mast")
    work_battery: int = _setting(2, "G.RP2", "yard-days per battery")
    court_days: int = _setting(98, "G.PR4", "yard-days a prize spends before the prize court")
    fund_start: int = _setting(10000, "G.PR4", "pounds in a side's prize fund when the campaign starts")
    head_money: int = _setting(5, "G.PR4", "pounds of head money per man aboard at the start of the action")
    hulk_percent: int = _setting(
        25, "G.PR4", "percentage of a prize's value that the fund receives when it is converted to a hulk"
    )
    salvage_eighths: int = _setting(1, "G.PR3", "reward for retaking a ship, in eighths of its value")
    bounty_pounds: int = _setting(3, "G.PR4", "pounds from the fund per man recruited beyond a port's levy")
    exchange_pounds: int = _setting(1, "G.PR4", "pounds from the fund per man brought home in an exchange")
    stores: str = _setting("off", "G.RP4", "provisions for ships, and coal for steamers")
    stores_days: int = _setting(90, "G.RP4", "days of provisions in a fully provisioned ship")
    hunger_percent: int = _setting(
        2, "G.RP4", "percentage of its crew that a ship loses per day without provisions"
    )
    coal_line: int = _setting(16, "G.RP4", "days of coal at cruising speed in a battleship")
    coal_cruiser: int = _setting(20, "G.RP4", "days of coal in a cruiser, scout or gunboat")
    coal_flotilla: int = _setting(4, "G.RP4", "days of coal in a destroyer or torpedo boat")
    coal_merchant: int = _setting(30, "G.RP4", "days of coal in the bunkers of a merchantman")
    coal_hold: int = _setting(
        300, "G.RP4", "days of coal for other ships in a merchantman without a convoy's cargo"
    )
    coal_chase: int = _setting(3, "G.RP4", "hours of coal that an hour in a chase uses")
    coal_crawl: int = _setting(2, "G.RP4", "speed of a steamer without coal, in knots")
    officer_at: int = _setting(
        1, "G.AF1", "highest throw, per quarter of hull lost, at which an officer is hit"
    )
    officer_killed_at: int = _setting(3, "G.AF1", "highest throw at which an officer who is hit is killed")
    officer_saved_at: int = _setting(
        3, "G.AF1", "lowest throw at which an officer is saved from a ship that goes down"
    )
    wound_days: int = _setting(28, "G.AF1", "days for which a wounded officer is unfit")
    knowledge: str = _setting("shared", "G.IN4", "what admirals know of their side")
    news: str = _setting("travels", "G.IN2", "how news reaches those who were not there")
    dispatch_miles: int = _setting(140, "G.IN2", "miles per day that news and letters travel")
    convoy_percent: int = _setting(100, "G.VP1", "percentage of a convoy's cargo value that its side scores")
    port_points: int = _setting(0, "G.VP1", "points for each dockyard port that a side holds")
    end_date: str = _setting("", "G.EN1", "date on which the campaign ends; blank for none")
    end_points: int = _setting(0, "G.EN1", "points that a side needs to win; 0 for none")
    battle_route: str = _setting(
        "engine",
        "G.BT1",
        "how battles are fought, unless the umpire changes it for one battle",
    )
    campaign_waits: str = _setting(
        "no",
        "G.BT4",
        "turns wait for the result of a tabletop battle",
    )
    battle_wait_days: int = _setting(
        14, "G.BT4", "days that the campaign waits for a tabletop battle before the umpire has to decide"
    )
    confirm_days: int = _setting(3, "G.BT5", "days after which an undisputed result is confirmed")
    secrets_after: int = _setting(
        10, "G.FA1", "later turns that must close before a turn's secrets are published; 0 for at once"
    )
    outage_hours: int = _setting(
        12, "G.UM2", "hours a turn may be overdue with the site down before it counts as an outage"
    )
    after_outage: str = _setting(
        "shift",
        "G.UM2",
        "what happens after an outage",
    )


def setting_rows(settings: Settings) -> tuple[tuple[str, Any, Any, str, str], ...]:
    """Every setting as (name, value, default, clause, words), for the Campaign settings page."""
    return tuple(
        (f.name, getattr(settings, f.name), f.default, f.metadata["clause"], f.metadata["words"])
        for f in fields(settings)
    )


@dataclass(frozen=True, slots=True)
class Instructions:
    """Battle instructions of a fleet with their defaults. greatest_odds: enemy to own, as text of a decimal. Rule: G.MV5."""

    doctrine: Doctrine = field(default_factory=Doctrine)
    greatest_odds: str = "1.5"
    at_nightfall: str = "part"
    after_battle: str = "auto"
    at_sound_of_guns: str = "join"
    cripples_to: str = ""
    chase_hours: int = 24
    rendezvous: str = ""
    disabled: str = "wait"
    shoals: str = "wait"
    prizes: str = "man"
    prize_escort: str = "none"
    slowest: str = "keep"
    shelter: str = ""
    hopeless: str = "fly"


@dataclass(frozen=True, slots=True)
class Part:
    """Ships that leave a fleet at 06:00. Rule: G.MV4.

    ships: codes. to: the fleet in company that they go over to; "" when they are a fleet of their own, called `name`, which sails
    under its own route, stance and arrival (as in FleetOrder) and its parent's battle instructions.
    """

    ships: tuple[str, ...]
    to: str = ""
    name: str = ""
    route: tuple[str, ...] = ()
    stance: Stance = Stance.AVOID
    on_arrival: OnArrival = OnArrival.ANCHOR
    target: str = ""


@dataclass(frozen=True, slots=True)
class FleetOrder:
    """Orders of one fleet. route: places in order, the first one next to where she is (empty: stay). Rules: G.MV2, G.MV4.

    target: the fleet that an escort keeps company with, or the port of a blockade, which is the last of its route. parts: ships
    that it detaches or gives to others at the next 06:00.
    """

    fleet: str
    route: tuple[str, ...] = ()
    stance: Stance = Stance.HOLD
    on_arrival: OnArrival = OnArrival.ANCHOR
    instructions: Instructions = field(default_factory=Instructions)
    target: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """At a place (`at`), or on a passage from `at` to `to` with `run` thousandths of a mile run. Rule: G.CH2."""

    at: str
    to: str = ""
    run: int = 0


@dataclass(frozen=True, slots=True)
class ShipSheet:
    """A ship as the campaign knows her. card, condition: the rule set's own documents. facts: register facts for a scenario.

    squadron: code; order: place in the order of sailing. prize: sails under a prize crew. lost: "" or her fate.
    """

    code: str
    name: str
    side: str
    fleet: str
    squadron: str
    kind: ShipKind
    card: Mapping[str, Any]
    condition: Mapping[str, Any]
    facts: Mapping[str, Any]
    complement: int
    men: int
    captain: str = ""
    order: int = 0
    prize: bool = False


@dataclass(frozen=True, slots=True)
class SquadronFacts:
    """A squadron of a fleet: its flagship and flag officer."""

    code: str
    name: str
    fleet: str
    flagship: str
    officer: str = ""
    order: int = 0


@dataclass(frozen=True, slots=True)
class FleetFacts:
    """A fleet at the opening of a turn. course: standing route still to sail. free_until: hour of G.CO3, 0 for none.

    admiral: who commands it, where knowledge is by ship; "" where it is shared, and for the commander-in-chief's own (G.IN4).
    """

    code: str
    name: str
    side: str
    position: Position
    order: FleetOrder
    scout: bool = False
    free_until: int = 0
    held_by: str = ""
    admiral: str = ""


@dataclass(frozen=True, slots=True)
class SideFacts:
    """A side: nations it is made of, and its headquarters for news ("" = none)."""

    code: str
    name: str
    nations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OfficerFacts:
    """A named officer at the opening of a turn. ship: code, "" ashore. status: serving, wounded, killed or captured. Rule: G.AF1."""

    name: str
    side: str
    flag_rank: bool
    seniority: int
    ship: str = ""
    status: str = "serving"


@dataclass(frozen=True, slots=True)
class Brought:
    """What an event of the calendar brings into the campaign: ships with their squadrons and officers, as facts have them. Rule: G.CA2."""

    ships: tuple[ShipSheet, ...] = ()
    squadrons: tuple[SquadronFacts, ...] = ()
    officers: tuple[OfficerFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """A row of the calendar that acts.

    deed: arrive, convoy, army, hostility or peace. side: whom it concerns, "" for politics. first, last: hours of the 06:00 of its
    first and last day, the same for a date. chance: least D6. known: sides told on the day. announced: the side has known it from
    the start. do: what it does, with codes of sides. brings: ships that it brings. Rules: G.CA1, G.CA2, G.CA4, G.CA5.
    """

    id: str
    deed: str
    side: str
    first: int
    last: int
    chance: int = 1
    known: tuple[str, ...] = ()
    announced: bool = False
    do: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    brings: Brought = field(default_factory=Brought)


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """Everything a turn is played from, built once by one selector. A turn's result depends on this, the dice and the outcomes alone.

    start_date: ISO date of the campaign's first day; first_hour: hour the turn opens (a multiple of 24); weather: what the last
    turn left, {} at the start. carried: touch, chases and meetings that go on from the last turn, {} at the start. allied: pairs of
    sides that fight as one (G.CO7). side_orders: what each side shore orders, by side. officers: by "side/name". accepted: outcomes
    of ongoing battles, by their code, that are written back as the turn opens (G.BT5). objectives: of all sides, in the order of the
    opening; opening: what the sides had on the first day (G.OB1, G.OB2). calendar: events that can still act in this turn (G.CA1).
    Rule: G.CL2.
    """

    campaign: str
    turn: int
    rule_set: str
    start_date: str
    first_hour: int
    days: int
    theatre: Theatre
    settings: Settings
    sides: Mapping[str, SideFacts]
    at_war: frozenset[frozenset[str]]
    fleets: Mapping[str, FleetFacts]
    squadrons: Mapping[str, SquadronFacts]
    ships: Mapping[str, ShipSheet]
    weather: Mapping[str, Any] = field(default_factory=dict)
    carried: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    allied: frozenset[frozenset[str]] = frozenset()
    side_orders: Mapping[str, SideOrder] = field(default_factory=dict)
    officers: Mapping[str, OfficerFacts] = field(default_factory=dict)
    accepted: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    calendar: tuple[CalendarEvent, ...] = ()
    objectives: tuple[Row, ...] = ()
    opening: Opening = field(default_factory=Opening)
