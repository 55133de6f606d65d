"""Gales: who founders in one, whom it scatters, and the strain of weather at sea. Rules: G.GF1, G.GF2, G.GF3, G.KT1, G.PR3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from battles.engine.core.dice import Die
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import MILLI, PlaceKind
from campaign.rules.groups.courses import set_course
from campaign.rules.groups.kinds import STRAGGLERS, in_groups, make_group, sorted_out
from campaign.rules.losses.adrift import carry
from campaign.rules.losses.losses import lose
from campaign.rules.sailing.parting import make_for_rendezvous, part
from campaign.rules.state.clock import DAY, WATCH
from campaign.rules.state.state import RETAKEN, FleetState, Gale, ShipState
from campaign.rules.state.world import Chart


def gale_step(chart: Chart) -> None:
    """Strain at each watch; then every fleet at sea meets the gale that blows where it is, once. Rules: G.GF1, G.GF2, G.GF3."""
    if chart.hour % DAY == 0:
        _hands_complete(chart)
    if chart.hour % WATCH == 0:
        _strain(chart)
    blowing = [zone for zone, now in chart.state.weather.items() if now.strength is Strength.GALE]
    for zone in sorted(blowing):
        note_gale(chart, zone)
    gap = chart.facts.settings.gale_gap
    chart.state.gales = {
        zone: gale for zone, gale in chart.state.gales.items() if chart.hour - gale.last - 1 < gap
    }
    for zone in sorted(blowing):
        began = chart.state.gales[zone].began == chart.hour
        there = [f for f in chart.fleets() if chart.at_sea_now(f) and chart.geometry.zone(f.position) == zone]
        fresh = {fleet.code for fleet in there if began or fleet.off_until == chart.hour}
        face_gale(chart, zone, there, scattered=fresh)


def note_gale(chart: Chart, zone: str) -> Gale:
    """Write down that a gale blows in a zone: it is a new one only after a day without. Rule: G.GF1."""
    gale = chart.state.gales.get(zone)
    if gale is None or chart.hour - gale.last - 1 >= chart.facts.settings.gale_gap:
        gale = Gale(zone, chart.hour, chart.hour)
    chart.state.gales[zone] = gale = replace(gale, last=chart.hour)
    return gale


def face_gale(chart: Chart, zone: str, fleets: Iterable[FleetState], *, scattered: set[str]) -> None:
    """Let ships meet a gale that they have not met yet: damaged ones may founder, and fleets be scattered.

    scattered: codes of the fleets for which it begins now; others have put to sea in it. Rules: G.GF1, G.GF3.
    """
    faced = set(chart.state.gales[zone].faced)
    for fleet in fleets:
        ships = [ship for ship in chart.ships_of(fleet.code) if ship.code not in faced]
        if not ships:
            continue
        faced |= {ship.code for ship in ships}
        _throw_for_ships(chart, zone, fleet, ships)
        if fleet.code in scattered and not at_anchor(chart, fleet):
            _scatter(chart, zone, fleet)
    chart.state.gales[zone] = replace(chart.state.gales[zone], faced=tuple(sorted(faced)))


def at_anchor(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet lies at an open anchorage. Rule: G.GF1."""
    kind = chart.facts.theatre.places[fleet.position.at].kind
    return not fleet.position.to and not fleet.order.route and kind is PlaceKind.ANCHORAGE


def damaged(chart: Chart, ship: ShipState) -> bool:
    """Whether a ship has lost any of her hull. Rules: G.GF1, K.G2."""
    card = chart.facts.ships[ship.code].card
    lost = chart.at_sea.hull_fraction(card, ship.condition)
    return lost > 0 or chart.at_sea.steps_lost(card, ship.condition) > 0


def _throw_for_ships(chart: Chart, zone: str, fleet: FleetState, ships: list[ShipState]) -> None:
    """A D8 for every damaged ship, to beat her steps lost. Rules: G.GF1, K.G1, K.G2, K.G3, G.PR3."""
    settings = chart.facts.settings
    better = settings.founder_anchorage if at_anchor(chart, fleet) else 0
    thrown: list[list[str | int]] = []
    gone: list[ShipState] = []
    for ship in sorted(ships, key=lambda ship: ship.code):
        if not damaged(chart, ship):
            continue
        face = chart.dice.d8(clause="G.GF1", subjects=(chart.hour, zone, ship.code), reason="gale")
        weak = ship.prize or chart.state.marked(ship.code, RETAKEN)
        total = face + better - (settings.founder_prize if weak else 0)
        steps = chart.at_sea.steps_lost(chart.facts.ships[ship.code].card, ship.condition)
        thrown.append([ship.code, face, steps])
        if total <= steps:
            gone.append(ship)
    if thrown:
        chart.tell(
            "rode_out", "G.GF1", fleet.side, fleet=fleet.code, zone=zone, thrown=thrown,
            foundered=[ship.code for ship in gone],
        )  # fmt: skip
    for ship in gone:
        lose(chart, ship, Fate.FOUNDERED, clause="G.GF1", cause="in the gale")


def _scatter(chart: Chart, zone: str, fleet: FleetState) -> None:
    """Squadrons part from the greatest of their fleet, damaged ships from their squadrons. Rule: G.GF3."""
    squadrons: dict[str, list[ShipState]] = {}
    for ship in chart.ships_of(fleet.code):
        if not ship.prize:
            squadrons.setdefault(ship.squadron, []).append(ship)
    greatest = max(squadrons, key=lambda code: (len(squadrons[code]), code), default="")
    if in_groups(chart):
        _scatter_in_groups(chart, zone, fleet, squadrons, greatest)
        return
    for code in sorted(squadrons):
        if code != greatest and _parts(chart, zone, "squadron", fleet.code, code):
            facts = chart.facts.squadrons.get(code)
            name = facts.name if facts is not None else chart.name_of(fleet)
            _go(chart, zone, fleet, squadrons[code], name)
    codes = {ship.code for ship in chart.ships_of(fleet.code)} | {
        ship.code for ships in squadrons.values() for ship in ships
    }
    for code in sorted(codes):
        ship = chart.state.ships[code]
        # a squadron that has parted may have been driven ashore, and is lost
        if ship.fleet and damaged(chart, ship) and _parts(chart, zone, "ship", code):
            now = chart.state.fleets[ship.fleet]
            if len(chart.ships_of(now.code)) > 1:
                _go(chart, zone, now, [ship], chart.facts.ships[code].name, home=ship.squadron)


def _scatter_in_groups(
    chart: Chart, zone: str, fleet: FleetState, squadrons: dict[str, list[ShipState]], greatest: str
) -> None:
    """The same throws, but what parts from a fleet makes one group of stragglers and one of cripples. Rules: G.GF3, G.KT1."""
    gone = {
        ship.code
        for code in sorted(squadrons)
        if code != greatest and _parts(chart, zone, "squadron", fleet.code, code)
        for ship in squadrons[code]
    }
    ships = chart.ships_of(fleet.code)
    for code in sorted(ship.code for ship in ships):
        hurt = damaged(chart, chart.state.ships[code])
        if hurt and _parts(chart, zone, "ship", code) and len(gone | {code}) < len(ships):
            gone.add(code)
    if fleet.group and fleet.group != STRAGGLERS:
        gone.clear()  # hurt ships and prizes that are on their way home keep together
    for kind, leaving in sorted_out(chart, fleet, [ship for ship in ships if ship.code in gone]):
        group = make_group(chart, chart.state.fleets[fleet.code], leaving, kind)
        _driven(chart, zone, fleet, group, leaving)


def _parts(chart: Chart, zone: str, what: str, *who: str) -> bool:
    """A throw for a ship, or for the part of a squadron that is in a fleet: the rest of it may be in another. Rule: G.GF3."""
    face = chart.dice.d6(clause="G.GF3", subjects=(chart.hour, zone, what, *who), reason="parting company")
    return face <= chart.facts.settings.part_at


def _go(
    chart: Chart,
    zone: str,
    fleet: FleetState,
    ships: list[ShipState],
    name: str,
    *,
    home: str = "",
) -> None:
    """Part company and be driven to leeward. Rules: G.GF3, G.CH2."""
    _driven(chart, zone, fleet, part(chart, fleet, ships, name=name, home=home), ships)


def _driven(chart: Chart, zone: str, fleet: FleetState, detached: FleetState, ships: list[ShipState]) -> None:
    """Be carried to leeward, and make from there for the rendezvous or where a group goes. Rules: G.GF3, G.CH2, G.KT2."""
    count = chart.facts.settings.scatter_dice
    faces = chart.dice.throw(
        Die.D6, count, clause="G.GF3", subjects=(chart.hour, zone, "miles", ships[0].code, len(ships)),
        reason="miles carried",
    )  # fmt: skip
    chart.tell(
        "parted_company", "G.GF3", fleet.side, fleet=detached.code, parent=fleet.code,
        ships=[ship.code for ship in ships], miles=sum(faces), name=detached.name,
    )  # fmt: skip
    leeward = (chart.weather(fleet).wind_from + 180) % 360
    carry(chart, detached, leeward, sum(faces) * MILLI)
    now = chart.state.fleets[detached.code]
    if not now.ended and now.group:
        set_course(chart, now)
    elif not now.ended:
        make_for_rendezvous(chart, now, fleet)


def _strain(chart: Chart) -> None:
    """What a watch at sea does to every ship, by her rule set; one whose hull is gone founders. Rule: G.GF2."""
    for fleet in chart.fleets():
        if not chart.at_sea_now(fleet):
            continue
        strength = chart.weather(fleet).strength
        for ship in chart.ships_of(fleet.code):
            card = chart.facts.ships[ship.code].card
            subject = f"{chart.hour}/{ship.code}"
            now = chart.at_sea.watch_at_sea(card, ship.condition, strength, chart.dice, subject)
            if now == ship.condition:
                continue
            strained = replace(ship, condition=dict(now))
            chart.state.ships[ship.code] = strained
            chart.ships_changed()
            if not chart.at_sea.afloat(card, now):
                lose(chart, strained, Fate.FOUNDERED, clause="G.GF2", cause="from the strain of the weather")


def _hands_complete(chart: Chart) -> None:
    """A retaken ship is short-handed until she has been in a port of her own. Rule: G.PR3."""
    for code in sorted(chart.state.marks):
        ship = chart.state.ships.get(code)
        fleet = chart.state.fleets.get(ship.fleet) if ship is not None else None
        if fleet is None or fleet.ended:
            continue
        own = chart.facts.sides[fleet.side].nations
        if chart.in_port(fleet) and chart.facts.theatre.places[fleet.position.at].owner in own:
            chart.state.unmark(code, RETAKEN)
