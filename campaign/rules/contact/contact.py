"""Contact: which fleets mean to fight, and how contacts are made and lost.

Rules: G.CO1, G.CO2, G.CO3, G.CO6, G.CO7, G.WX3.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from battles.engine.core.scenario import Stance, Strength
from campaign.rules.chart.points import bearing_between, miles_between
from campaign.rules.chart.types import MILLI
from campaign.rules.sailing.movement import off_wind
from campaign.rules.sailing.shoals import goes_in, sheltered
from campaign.rules.state.clock import DAY, is_night, next_dawn
from campaign.rules.state.state import Contact, FleetState, Touch
from campaign.rules.state.world import Chart

# Middle of each band. Beyond forty no one counts: the open band stands for sixty.
MIDDLES = {
    "1": Fraction(1),
    "2-4": Fraction(3),
    "5-9": Fraction(7),
    "10-19": Fraction(29, 2),
    "20-39": Fraction(59, 2),
    "40+": Fraction(60),
}
TO_WINDWARD = Fraction(135, 2)


def company_of(chart: Chart, fleet: FleetState) -> list[FleetState]:
    """A fleet with the fleets of its side, or allied, in company with it, in the order of codes. Rules: G.MV4, G.CO7."""
    here, miles = chart.point(fleet.position), chart.facts.settings.company_miles * MILLI
    return [
        other
        for other in chart.fleets()
        if other.code == fleet.code
        or chart.friends(fleet, other)
        and chart.on_chart(other)
        and chart.in_port(other) == chart.in_port(fleet)
        and miles_between(here, chart.point(other.position)) <= miles
    ]


def fighting_company(chart: Chart, fleet: FleetState) -> list[FleetState]:
    """A fleet with those in company that would attack with it: all but those that avoid battle. Rules: G.CO1, G.CO7."""
    return [
        other
        for other in company_of(chart, fleet)
        if other.code == fleet.code or other.order.stance is not Stance.AVOID
    ]


def odds(chart: Chart, fleet: FleetState, touch: Touch) -> Fraction:
    """Enemy to own, as far as the admiral can know: sail reported times the mean value of such ships on their side.

    The enemy's fleets that are seen within a company's distance of that one count with it; a contact of several counts once.
    Rules: G.CO1, G.IG1.
    """
    own = sum((chart.value(other.code) for other in fighting_company(chart, fleet)), Fraction(0))
    if not own:
        return Fraction(1_000_000)
    seen = [touch, *_in_company_with(chart, touch)]
    if chart.facts.settings.one_report == "on":
        seen = list({row.number or row.fleet: row for row in seen}.values())
    enemy = sum((MIDDLES[row.band] * mean_value(chart, fleet.side, row.kinds) for row in seen), Fraction(0))
    return enemy / own


def _in_company_with(chart: Chart, touch: Touch) -> list[Touch]:
    """The other enemies that the observer sees in company with one. Rules: G.CO1, G.MV4."""
    state, miles = chart.state, chart.facts.settings.company_miles * MILLI
    there = chart.point(state.fleets[touch.fleet].position)
    return [
        other
        for other in state.touches.values()
        if other.observer == touch.observer
        and other.fleet != touch.fleet
        and other.seen
        and miles_between(there, chart.point(state.fleets[other.fleet].position)) <= miles
    ]


def mean_value(chart: Chart, side: str, kinds: tuple[str, ...]) -> Fraction:
    """Mean whole value of a side's own ships of some kinds, of all its ships when it has none of them. Rule: G.CO1."""
    sheets = [
        chart.facts.ships[ship.code]
        for fleet in chart.fleets()
        if fleet.side == side
        for ship in chart.ships_of(fleet.code)
        if not ship.prize
    ]
    alike = [sheet for sheet in sheets if sheet.kind.value in kinds] or sheets
    if not alike:
        return Fraction(0)
    return sum((chart.at_sea.whole_value(sheet.card) for sheet in alike), Fraction(0)) / len(alike)


def wills(chart: Chart, fleet: FleetState, enemy: FleetState, contact: Contact | None) -> bool:
    """Whether a fleet means to attack another. Rules: G.CO1, G.CO6, G.KT4."""
    if not chart.can_fight(fleet.code) or fleet.still_until > chart.hour:
        return False
    if contact is not None and contact.long_shot and fleet.code == contact.quarry:
        return False
    if contact is not None and contact.after_battle:
        return fleet.code != contact.parting and fleet.order.stance is not Stance.AVOID
    touch = chart.state.touches.get((fleet.code, enemy.code))
    if fleet.order.stance is not Stance.SEEK or touch is None or not touch.seen or touch.let_go:
        return False
    against = odds(chart, fleet, touch)
    return against <= Fraction(fleet.order.instructions.greatest_odds) and not too_worn(chart, fleet, against)


def too_worn(chart: Chart, fleet: FleetState, against: Fraction) -> bool:
    """Whether the captains of a fleet would break off as soon as a battle began. against: the odds. Rules: G.CO1, G.KT4, G.MV5."""
    doctrine = fleet.order.instructions.doctrine
    return chart.at_sea.would_leave(doctrine, chart.hull_lost(fleet.code), against)


def shuns(chart: Chart, fleet: FleetState, enemy: FleetState, contact: Contact) -> bool:
    """Whether a fleet knows of another and means to get away from it. Rules: G.CO1, G.CO6, G.KT4, G.SI1."""
    if contact.after_battle and fleet.code == contact.parting:
        return True
    if contact.long_shot and fleet.code == contact.quarry:
        return True
    return fleet.order.stance is Stance.AVOID and aware(chart, fleet, enemy, contact)


def aware(chart: Chart, fleet: FleetState, enemy: FleetState, contact: Contact) -> bool:
    """Whether a fleet has seen another, or has just fought it. Rule: G.SI1."""
    touch = chart.state.touches.get((fleet.code, enemy.code))
    return contact.after_battle or (touch is not None and touch.seen)


def to_windward(chart: Chart, bearing: int, fleet: FleetState) -> bool:
    """Whether what lies on a bearing from a fleet is to windward of it. Rule: G.CO2."""
    return off_wind(bearing, chart.weather(fleet).wind_from) <= TO_WINDWARD


def pair(a: str, b: str) -> tuple[str, str]:
    """Two fleets, whichever is named first."""
    return min(a, b), max(a, b)


def contact_step(chart: Chart) -> None:
    """Bring night contacts within reach at dawn, drop those that are over, make new ones. Rules: G.CO1, G.CO2, G.CO3."""
    state = chart.state
    state.truces = {key: hour for key, hour in state.truces.items() if hour > chart.hour}
    state.shy = {key: hour for key, hour in state.shy.items() if hour > chart.hour}
    for key in sorted(state.contacts):
        contact = state.contacts[key]
        if contact.night and chart.hour % DAY == 0:
            contact = replace(
                contact,
                night=False,
                range=min(contact.range, chart.meets_at(chart.state.fleets[contact.quarry])),
            )
            state.contacts[key] = contact
        if contact.not_before <= chart.hour:
            _hold_or_drop(chart, contact)
    _make(chart)


def _hold_or_drop(chart: Chart, contact: Contact) -> None:
    """Turn a contact round when only the other side means to fight, and end it when no one can or will. Rule: G.CO2."""
    seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
    if not (chart.on_chart(seeker) and chart.on_chart(quarry)):
        drop(chart, contact, "")
    elif chart.in_port(quarry):
        drop(chart, contact, "in port")
    elif sheltered(chart, quarry) and not goes_in(chart, seeker):
        drop(chart, contact, "shelter")
    elif _gale(chart, seeker, quarry):
        drop(chart, contact, "gale", lose_touch=True)
    elif contact.hidden >= 2:
        drop(chart, contact, "out of sight", lose_touch=True)
    elif contact.night:
        return
    elif not wills(chart, seeker, quarry, contact):
        if wills(chart, quarry, seeker, contact):
            del chart.state.contacts[contact.seeker, contact.quarry]
            turned = replace(
                contact,
                seeker=contact.quarry,
                quarry=contact.seeker,
                bearing=(contact.bearing + 180) % 360,
            )
            chart.state.contacts[turned.seeker, turned.quarry] = turned
        elif is_night(chart.facts, chart.hour):
            _part(chart, contact)
        else:
            drop(chart, contact, "no wish to fight")
    elif chart.hour - contact.since >= seeker.order.instructions.chase_hours:
        give_up(chart, contact, "given up")


def _gale(chart: Chart, a: FleetState, b: FleetState) -> bool:
    """Whether a gale parts two fleets: it does unless both stay. Rule: G.WX3."""
    blows = any(chart.weather(fleet).strength is Strength.GALE for fleet in (a, b))
    return blows and any(fleet.under_way or fleet.order.route for fleet in (a, b))


def drop(chart: Chart, contact: Contact, why: str, *, lose_touch: bool = False) -> None:
    """End a contact. why: "" when there is nothing to tell."""
    del chart.state.contacts[contact.seeker, contact.quarry]
    if lose_touch:
        for key in ((contact.seeker, contact.quarry), (contact.quarry, contact.seeker)):
            chart.state.touches.pop(key, None)
    if why:
        seeker = chart.state.fleets[contact.seeker]
        chart.tell("chase_ended", "G.CO2", seeker.side, fleet=seeker.code, why=why)


def give_up(chart: Chart, contact: Contact, why: str) -> None:
    """End a contact that the seeker does not take up again while it has the enemy in sight. Rules: G.CO1, G.CO2."""
    key = contact.seeker, contact.quarry
    drop(chart, contact, why)
    if key in chart.state.touches:
        chart.state.touches[key] = replace(chart.state.touches[key], let_go=True)


def _make(chart: Chart) -> None:
    """A fleet that has seen an enemy it means to attack steers for it; the nearest first. Rule: G.CO1."""
    state = chart.state
    engaged = {contact.seeker for contact in state.contacts.values()}
    seen = [touch for touch in state.touches.values() if touch.seen]
    for touch in sorted(seen, key=lambda t: (t.approach, t.observer, t.fleet)):
        seeker, quarry = state.fleets[touch.observer], state.fleets[touch.fleet]
        key = (touch.observer, touch.fleet)
        if touch.observer in engaged or key[::-1] in state.contacts:
            continue
        if not (chart.on_chart(seeker) and chart.on_chart(quarry) and chart.at_war(seeker, quarry)):
            continue
        barred = quarry.free_until > chart.hour and seeker.code in quarry.free_from
        if barred or pair(*key) in state.truces or chart.in_port(quarry) or _gale(chart, seeker, quarry):
            continue
        if not wills(chart, seeker, quarry, None) or (
            sheltered(chart, quarry) and not goes_in(chart, seeker)
        ):
            continue
        bearing = bearing_between(chart.point(seeker.position), chart.point(quarry.position))
        state.contacts[key] = Contact(*key, touch.approach, bearing, since=chart.hour, not_before=chart.hour)
        engaged.add(seeker.code)
        chart.tell(
            "chase", "G.CO2", seeker.side, fleet=seeker.code, number=touch.number, range=touch.approach
        )


def _part(chart: Chart, contact: Contact) -> None:
    """Two fleets that both want to escape lose each other; each side is told of its own fleet only. Rules: G.CO3, G.IN1."""
    drop(chart, contact, "", lose_touch=True)
    chart.state.truces[pair(contact.seeker, contact.quarry)] = next_dawn(chart.hour)
    for code in (contact.seeker, contact.quarry):
        chart.tell("parted", "G.CO3", chart.state.fleets[code].side, fleets=[code])
