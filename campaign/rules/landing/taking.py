"""Ports that change hands: the flag, the ships and people in them, and how a port goes back. Rule: G.LD4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from battles.engine.core.fates import Fate
from campaign.rules.aims.bodies import fighters
from campaign.rules.battle.attack import laid_up
from campaign.rules.chart.types import FleetOrder, OnArrival, Position
from campaign.rules.landing.stowage import at_place, enemies, friends, owners
from campaign.rules.losses.losses import end_if_empty
from campaign.rules.losses.officers import officers_go_ashore
from campaign.rules.prizes.prizes import seize_ship
from campaign.rules.sailing.beaches import AGAINST_PORTS, BEFORE_PORTS, OF_TROOPS
from campaign.rules.sailing.parting import new_code
from campaign.rules.state.clock import DAY
from campaign.rules.state.holdings import Shaken
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

SHAKEN_DAYS = 28
BURNT_AT = 3  # highest throw at which a ship's own people burn her
CREW_SHARE = 10  # a prize crew is one in so many of her complement


class Captor(NamedTuple):
    """Who takes a port: a side, and the (side, place) at which its men and its allies' are ashore; none when it only goes back."""

    side: str
    men: tuple[tuple[str, str], ...] = ()


def take_port(chart: Chart, captor: Captor, port: str, nation: str = "") -> None:
    """Give a port a new owner, with all that follows. nation: whose it is now, the captor's unless named. Rule: G.LD4."""
    state, place = chart.state, chart.facts.theatre.places[port]
    holdings, losers = state.holdings, owners(chart, port)
    idle = _idle_ships(chart, captor.side, port)
    was = holdings.shaken.get(port)
    sound = (was.dockyard, was.guard) if was is not None else (place.dockyard, place.guard)
    first, nations = holdings.first.setdefault(port, place.owner), chart.facts.sides[captor.side].nations
    holdings.owners[port] = nation or (first if first in nations else nations[0])
    if captor.men:
        holdings.shaken[port] = Shaken(chart.hour + SHAKEN_DAYS * DAY, *sound)
    for table in (holdings.garrisons, holdings.silenced, holdings.sieges):
        table.pop(port, None)
    settings = chart.facts.settings
    marks = settings.port_marks + settings.port_class_marks * sound[0]
    chart.tell(
        "port_taken", "G.LD4", *chart.facts.sides, place=port, side=captor.side, loser=losers[0] if losers else "",
        marks=str(marks), back=not captor.men,
    )  # fmt: skip
    _lay_down_arms(chart, captor.side, port)
    for side, beach in captor.men:  # they march in
        men = holdings.ashore.get((side, beach), 0)
        if beach != port and men:
            holdings.land(side, beach, -men)
            holdings.land(side, port, men)
        holdings.hungry.pop((side, port), None)
    chart.ports_changed()
    _open_prisons(chart, captor.side, losers, port)
    _strike_off_jobs(chart, captor.side, port)
    _idle_ships_go(chart, captor, port, idle)
    _stand_down(chart, captor.side, port)


def _idle_ships(chart: Chart, side: str, port: str) -> list[ShipState]:
    """Ships of a side's enemies in a port that cannot fight for it: prizes, and those in a yard, without men, or still off the chart.

    In the order of codes.
    """
    found = []
    for fleet in chart.fleets():
        if fleet.position != Position(port) or fleet.held_by or not enemies(chart, side, fleet.side):
            continue
        found += [
            ship
            for ship in chart.ships_of(fleet.code)
            if ship.prize or laid_up(chart, ship) or waits_for_its_day(chart, fleet, ship)
        ]
    return sorted(found, key=lambda ship: ship.code)


def waits_for_its_day(chart: Chart, fleet: FleetState, ship: ShipState) -> bool:
    """Whether a ship of a convoy lies in port until the day on which it sails. Rules: G.CV1, G.LD5."""
    return fleet.off_until > chart.hour and ship.code in chart.state.duties.cargoes


def _lay_down_arms(chart: Chart, side: str, port: str) -> None:
    """Soldiers of the captor's enemies in a port, and their men without a ship, are prisoners. Rules: G.LD4, G.PR5."""
    state = chart.state
    for other in sorted(chart.facts.sides):
        if not enemies(chart, side, other):
            continue
        army = state.troops.armies.pop((other, port), None)
        ashore = state.holdings.ashore.get((other, port), 0)
        hands = state.economy.ashore.get((other, port), 0)
        state.holdings.land(other, port, -ashore)
        state.economy.land(other, port, -hands)
        men = ashore + hands + (army.men if army is not None else 0)
        if men:
            state.economy.hold(side, port, other, men)
            chart.tell("soldiers_taken", "G.LD4", other, side, side=other, captor=side, place=port, men=men)


def _open_prisons(chart: Chart, side: str, losers: Iterable[str], port: str) -> None:
    """People held in a port: the captor's and those of its friends are free, its enemies' are its prisoners now. Rules: G.LD4, G.PR5."""
    economy = chart.state.economy
    for key in sorted(economy.prisoners):
        holder, where, of = key
        if where != port or holder not in losers:
            continue
        men = economy.prisoners[key]
        economy.hold(*key, -men)
        if enemies(chart, side, of):
            economy.hold(side, port, of, men)
            continue
        home = port if of == side else chart.nearest_own_port(Position(port), of)
        economy.land(of, home or port, men)
        chart.tell("set_free", "G.LD4", of, side=of, place=port, men=men)


def _strike_off_jobs(chart: Chart, side: str, port: str) -> None:
    jobs = chart.state.economy.jobs
    for code in sorted(jobs):
        job = jobs[code]
        if job.port == port and enemies(chart, side, job.side):
            del jobs[code]
            chart.tell("yard_left", "G.LD4", job.side, ship=code, side=job.side, place=port, ships=[code])


def _idle_ships_go(chart: Chart, captor: Captor, port: str, ships: list[ShipState]) -> None:
    """Each is burnt by her own people on 1 to 3, else a prize; who was a prize herself is retaken. Rules: G.LD4, G.PR3."""
    for ship in ships:
        burnt = (
            not ship.prize
            and chart.dice.d6(
                clause="G.LD4",
                subjects=(chart.hour, port, ship.code, "burnt"),
                reason="burnt by her own people",
            )
            <= BURNT_AT
        )
        if burnt:
            burn_in_port(chart, ship, port, by=captor.side, clause="G.LD4", cause="by its own people")
        else:
            _seize(chart, captor, port, chart.state.ships[ship.code])
    for code in sorted({ship.fleet for ship in ships}):
        end_if_empty(chart, code)


def burn_in_port(chart: Chart, ship: ShipState, port: str, *, by: str, clause: str, cause: str) -> None:
    """A ship goes up in flames at her moorings; everyone in her gets ashore. by: the side that destroyed her. Rules: G.LD4, G.LD5."""
    state = chart.state
    ship = state.ships[ship.code]
    leave_ship(chart, ship, port, by=by)
    fleet = ship.fleet
    state.ships[ship.code] = replace(ship, fleet="", squadron="", men=0, captain="", fate=Fate.BURNT)
    state.economy.jobs.pop(ship.code, None)
    state.marks.pop(ship.code, None)
    chart.ships_changed()
    chart.tell(
        "lost", clause, ship.side, by, ship=ship.code, side=ship.side, fate=Fate.BURNT.value, cause=cause, place=port,
        fleet=fleet, by=by,
    )  # fmt: skip


def leave_ship(chart: Chart, ship: ShipState, port: str, *, by: str) -> None:
    """Everyone in a ship that is given up in port gets ashore: to a port of their own, else into the enemy's hands. Rules: G.LD4, G.LD5.

    by: the side that has driven them out. The caller leaves no one aboard.
    """
    state = chart.state
    home = chart.nearest_own_port(Position(port), ship.side)
    soldiers = state.troops.aboard.pop(ship.code, 0)
    state.troops.boats.pop(ship.code, None)
    of, captives = state.economy.captives.pop(ship.code, ("", 0))
    officers_go_ashore(chart, ship)
    if home:
        state.economy.land(ship.side, home, ship.men)
        state.economy.hold(ship.side, home, of, captives)
        state.troops.gather(ship.side, home, soldiers)
        return
    state.economy.hold(by, port, ship.side, ship.men + soldiers)
    if captives and enemies(chart, by, of):
        state.economy.hold(by, port, of, captives)
    elif captives:
        state.economy.land(of, chart.nearest_own_port(Position(port), of) or port, captives)


def _seize(chart: Chart, captor: Captor, port: str, ship: ShipState) -> None:
    """A prize where she lies, manned from the captor's ships at the place, else by soldiers. Rules: G.LD4, G.PR1, G.PR3."""
    if not ship.prize:
        leave_ship(chart, ship, port, by=captor.side)
        ship = replace(ship, men=0)
        chart.state.ships[ship.code] = ship
    wanted = max(ship.men, -(-chart.facts.ships[ship.code].complement // CREW_SHARE))
    fleet = _prizes_at(chart, captor.side, port)
    senders = [
        other
        for own in chart.fleets()
        if own.side == captor.side
        and own.code != fleet.code
        and at_place(chart, own, port)
        and chart.on_chart(own)
        for other in fighters(chart, own)
    ]
    manned = max(senders, key=lambda other: (other.men, other.code), default=None)
    if manned is not None:
        crew = min(wanted, manned.men // 2)
    else:
        crew = min(wanted, chart.state.holdings.ashore.get((captor.side, port), 0))
        chart.state.holdings.land(captor.side, port, -crew)
    seize_ship(chart, ship, fleet, manned, crew, clause="G.LD4", port=port)


def _prizes_at(chart: Chart, side: str, port: str) -> FleetState:
    """The captor's fleet of what it has taken in a port, made when the first ship is."""
    title = f"Prizes at {chart.facts.theatre.places[port].name.split(' (')[0]}"[:80]
    for fleet in chart.fleets():
        if (fleet.side, fleet.name, fleet.position) == (side, title, Position(port)):
            return fleet
    code = new_code(chart, side)
    chart.state.fleets[code] = FleetState(
        code=code, side=side, position=Position(port), order=FleetOrder(code), name=title
    )
    return chart.state.fleets[code]


def _stand_down(chart: Chart, side: str, port: str) -> None:
    """Fleets that were bound against a port which is a friend's now sail in. Rules: G.CH3, G.LD4."""
    for fleet in chart.fleets():
        order = fleet.order
        against = order.on_arrival in AGAINST_PORTS | BEFORE_PORTS | OF_TROOPS and order.route[-1:] == (port,)
        if against and friends(chart, side, fleet.side):
            chart.alter(fleet, order=replace(order, on_arrival=OnArrival.ANCHOR, target=""))


def ports_go_back(chart: Chart) -> None:
    """A port that was taken is its old owner's again when too few hold it, and no ship of war lies in it. Rule: G.LD4."""
    holdings = chart.state.holdings
    for port in sorted(holdings.owners):
        if holdings.owners[port] == holdings.first[port]:
            continue
        captors = owners(chart, port)
        if not captors or _held(chart, captors, port):
            continue
        old = holdings.first[port]
        heirs = [code for code in sorted(chart.facts.sides) if old in chart.facts.sides[code].nations]
        if heirs:
            take_port(chart, Captor(heirs[0]), port, old)


def _held(chart: Chart, captors: tuple[str, ...], port: str) -> bool:
    """Whether a captured port has men enough, or a fighting ship of its side in it."""
    state = chart.state
    sides = [side for side in chart.facts.sides if any(friends(chart, side, other) for other in captors)]
    men = sum(state.holdings.ashore.get((side, port), 0) for side in sides)
    men += sum(
        army.men for (side, place), army in state.troops.armies.items() if place == port and side in sides
    )
    ships = any(
        fighters(chart, fleet)
        for fleet in chart.fleets()
        if fleet.side in sides and fleet.position == Position(port)
    )
    return ships or men >= chart.facts.settings.hold_men
