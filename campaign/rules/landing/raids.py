"""Raids on ports: the throw, what is burnt or towed off, and the yard that stands still. Rule: G.LD5."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from battles.engine.core.dice import Die
from battles.engine.core.fates import Fate
from campaign.rules.aims.bodies import fighters
from campaign.rules.battle.attack import guard_fires, laid_up
from campaign.rules.chart.types import Position, ShipKind
from campaign.rules.landing.stowage import enemies, friends, owners
from campaign.rules.landing.taking import burn_in_port, leave_ship, waits_for_its_day
from campaign.rules.losses.losses import end_if_empty
from campaign.rules.losses.officers import officers_go_ashore
from campaign.rules.prizes.prizes import seize_ship
from campaign.rules.state.documents import report_from
from campaign.rules.state.holdings import Assault, Raid
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

SHALLOW, MOST_SHALLOW = 4, 3  # 1 for every so many ships, up to so much
WARNED_HOURS, REMEMBERED_HOURS = 6, 48
HALF, WHOLE, TOWED = 7, 9, 12
WHOLE_MARKS, HALF_MARKS = 3, 1
IDLE_DAYS = 7  # yard-days for each point of the die


def raid(chart: Chart, assault: Assault, fleets: list[FleetState]) -> None:
    """The raider throws 2D6 once no hostile ship that can fight is left in the port. fleets: his, that went in. Rule: G.LD5."""
    chief, port = fleets[0], assault.port
    guard, fire_ship = chart.facts.theatre.places[port].guard, _fire_ship(chart, fleets)
    warned = was_warned(chart, assault)
    bonus = shallow_bonus(chart, fleets) + bool(fire_ship) - guard - warned
    faces = chart.dice.throw(
        Die.D6, 2, clause="G.LD5", subjects=(chart.hour, port, assault.chief, "raid"), reason="the raid"
    )
    if fire_ship is not None:
        _expend(chart, fire_ship)
    chart.state.holdings.tried[chief.side, port] = chart.hour
    total = sum(faces) + bonus
    result = "whole" if total >= WHOLE else "half" if total >= HALF else "none"
    ships: list[ShipState] = []
    idle = 0
    if result != "none":
        number = chart.dice.d6(
            clause="G.LD5", subjects=(chart.hour, port, assault.chief, "ships"), reason="ships burnt"
        )
        days = IDLE_DAYS * chart.dice.d6(
            clause="G.LD5",
            subjects=(chart.hour, port, assault.chief, "yard"),
            reason="days for which the yard stands still",
        )
        share = 1 if result == "whole" else 2
        ships, idle = prey(chart, chief, port)[: number // share], days // share
    marks = {"whole": WHOLE_MARKS, "half": HALF_MARKS, "none": 0}[result]
    towed = ships[0].code if ships and total >= TOWED else ""
    _tell(chart, assault, chief, list(faces), bonus, result, marks, idle, [s.code for s in ships], towed)
    if result == "none":
        guard_fires(chart, [fleet.code for fleet in fleets], port, clause="G.LD5")
        return
    holdings = chart.state.holdings
    if ships:  # an objective asks for ships burnt, not for a walk on an empty quay
        holdings.raids = (*holdings.raids, Raid(chief.side, port, chart.hour, result == "whole"))
    if idle:
        holdings.idle[port] = holdings.idle.get(port, 0) + idle
    for ship in ships:
        if ship.code == towed:
            _tow_off(chart, chart.state.fleets[chief.code], fleets, ship, port)
        else:
            burn_in_port(chart, ship, port, by=chief.side, clause="G.LD5", cause="in the raid")
    for code in sorted({ship.fleet for ship in ships}):
        end_if_empty(chart, code)


def shallow_bonus(chart: Chart, fleets: list[FleetState]) -> int:
    """1 for every 4 ships that are not deep, at most 3. Rule: G.LD5."""
    shallow = sum(
        not chart.at_sea.deep(chart.facts.ships[ship.code].card)
        for fleet in fleets
        for ship in chart.ships_of(fleet.code)
        if not ship.prize
    )
    return min(MOST_SHALLOW, shallow // SHALLOW)


def was_warned(chart: Chart, assault: Assault) -> bool:
    """Whether the owner's side had touch with the raider 6 hours or more before the attack, and not over two days. Rule: G.LD5."""
    sides, hour = owners(chart, assault.port), assault.hour
    earlier = (report_from(row) for row in chart.facts.carried.get("reports", ()))
    return any(
        report.side in sides
        and report.fleet in assault.fleets
        and hour - REMEMBERED_HOURS <= report.hour <= hour - WARNED_HOURS
        for report in (*earlier, *chart.state.reports)
    )


def prey(chart: Chart, raider: FleetState, port: str) -> list[ShipState]:
    """Ships in a port that a raid may burn: in a yard, without men, or waiting for a convoy's day; the most valuable first. Rule: G.LD5."""
    cards = chart.facts.ships
    found = [
        ship
        for fleet in chart.fleets()
        if fleet.position == Position(port) and not fleet.held_by and enemies(chart, raider.side, fleet.side)
        for ship in chart.ships_of(fleet.code)
        if laid_up(chart, ship) or waits_for_its_day(chart, fleet, ship)
    ]
    return sorted(found, key=lambda s: (-chart.at_sea.whole_value(cards[s.code].card), s.code))


def _fire_ship(chart: Chart, fleets: list[FleetState]) -> ShipState | None:
    """The first of the raider's fire ships, in the order of codes."""
    ships = [
        ship
        for fleet in fleets
        for ship in fighters(chart, fleet)
        if chart.facts.ships[ship.code].kind is ShipKind.FIRE_SHIP
    ]
    return min(ships, key=lambda ship: ship.code, default=None)


def _expend(chart: Chart, ship: ShipState) -> None:
    """A fire ship is burnt among the enemy's; her people come back in their boats. Rule: G.LD5."""
    state = chart.state
    others = [s for s in chart.ships_of(ship.fleet) if s.code != ship.code and not s.prize]
    if others:
        home = max((state.ships[s.code] for s in others), key=lambda s: (s.men, s.code))
        state.ships[home.code] = replace(home, men=home.men + ship.men)
        state.troops.load(home.code, state.troops.aboard.pop(ship.code, 0))
    else:
        port = chart.nearest_own_port(state.fleets[ship.fleet].position, ship.side)
        state.economy.land(ship.side, port, ship.men)
        state.troops.gather(ship.side, port, state.troops.aboard.pop(ship.code, 0))
    officers_go_ashore(chart, ship)
    state.ships[ship.code] = replace(ship, fleet="", squadron="", men=0, captain="", fate=Fate.BURNT)
    state.marks.pop(ship.code, None)
    chart.ships_changed()
    chart.tell(
        "lost", "G.LD5", ship.side, ship=ship.code, side=ship.side, fate=Fate.BURNT.value, cause="fire ship",
        place=chart.geometry.nearest(state.fleets[ship.fleet].position), fleet=ship.fleet,
    )  # fmt: skip
    end_if_empty(chart, ship.fleet)


def _tow_off(chart: Chart, chief: FleetState, fleets: list[FleetState], ship: ShipState, port: str) -> None:
    """The most valuable ship is brought off in place of being burnt; who was in her gets ashore. Rules: G.LD5, G.PR1."""
    state = chart.state
    if not ship.prize:
        leave_ship(chart, ship, port, by=chief.side)
        ship = replace(ship, men=0)
        state.ships[ship.code] = ship
    state.economy.jobs.pop(ship.code, None)
    state.duties.cargoes.pop(ship.code, None)
    senders = [other for fleet in fleets for other in fighters(chart, fleet)]
    manned = max(
        (state.ships[s.code] for s in senders), key=lambda other: (other.men, other.code), default=None
    )
    complement = chart.facts.ships[ship.code].complement
    crew = min(max(ship.men, -(-complement // 10)), manned.men // 2) if manned is not None else 0
    seize_ship(chart, ship, chief, manned, crew, clause="G.LD5", port=port)


def _tell(
    chart: Chart, assault: Assault, chief: FleetState, faces: list[int], bonus: int, result: str, marks: int, idle: int,
    ships: list[str], towed: str,
) -> None:  # fmt: skip
    """The raider and the port's owner both see what was done; the owner is not told which fleet it was. Rules: G.LD5, G.IN1."""
    port = assault.port
    burnt = [code for code in ships if code != towed]
    chart.tell(
        "raided", "G.LD5", chief.side, fleet=chief.code, side=chief.side, place=port, faces=faces, bonus=bonus,
        result=result, marks=str(Fraction(marks)), number=len(burnt), towed=towed,
    )  # fmt: skip
    others = [side for side in owners(chart, port) if not friends(chart, side, chief.side)]
    chart.tell(
        "raid_suffered", "G.LD5", *others, place=port, attacker=chief.side, result=result, ships=burnt, days=idle,
        towed=towed,
    )  # fmt: skip
