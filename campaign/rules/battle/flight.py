"""Flight before the battle, and the chase at long shot that no battle comes of. Rules: G.KT4, G.KT5.

Distances are thousandths of a mile, speeds thousandths of a knot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Stance, Strength
from campaign.rules.chart.types import MILLI, OnArrival, PlaceKind, Visibility
from campaign.rules.contact.chase import best_flight
from campaign.rules.contact.contact import (
    aware,
    company_of,
    fighting_company,
    give_up,
    odds,
    pair,
    shuns,
    too_worn,
)
from campaign.rules.contact.general_chase import leave_slowest
from campaign.rules.losses.losses import lose
from campaign.rules.sailing.movement import may_sail
from campaign.rules.sailing.shoals import sheltered
from campaign.rules.state.state import Contact, FleetState, ShipState
from campaign.rules.state.world import Chart

LEADERS, STERNMOST = 3, 2
HIT = 6
# what a fleet has to gain on one that it could not bring to action in the last day
SHY_GAIN = MILLI
# the least gain as a share of the seeker's speed: boards know no half knots, and who gains less does not come up in a day of battle
A_QUARTER, A_THIRD = 4, 3


class Action(NamedTuple):
    """A contact that a battle comes of. sails_on: the fleet that leaves its slowest ships to it, "" for none. Rule: G.KT4.

    overhauled: the quarry flies, and cannot get away. strikes: it does so against hopeless odds and hauls down its colours, so that nothing
    is fought.
    """

    contact: Contact
    sails_on: str = ""
    overhauled: bool = False
    strikes: bool = False


def brought_to_action(chart: Chart, contact: Contact) -> Action | None:
    """The battle that comes of a contact within gunshot by day; None while the quarry keeps out of reach, or is found too strong.

    A quarry that flies is brought to action only by a seeker that gains on it, or on the ships that it leaves astern. A chase at
    long shot throws for its guns first. One that avoids, and has seen no one come in a fog, is caught: against hopeless odds it strikes.
    Rules: G.CO1, G.KT4, G.KT5.
    """
    if chart.facts.settings.flight == "off":
        return Action(contact)
    key = contact.seeker, contact.quarry
    if _too_strong(chart, contact):
        give_up(chart, contact, "too strong")
        return None
    if contact.long_shot and not _long_shots(chart, contact):
        return None
    seeker, quarry = (chart.state.fleets[code] for code in key)
    bound = anchored(chart, quarry) or chart.aground(quarry) or sheltered(chart, quarry)
    if bound or not may_sail(chart, quarry) or _escorts(chart, quarry):
        return Action(contact)
    if not flies(chart, contact):
        caught = quarry.order.stance is Stance.AVOID
        return Action(contact, strikes=caught and _overwhelmed(chart, seeker, quarry))
    flight = best_flight(chart, quarry, seeker, contact.bearing)
    if flight is None:
        return Action(contact, overhauled=True, strikes=_overwhelmed(chart, seeker, quarry))
    chases = flight.enemy if may_sail(chart, seeker) else 0
    if chases - flight.own < _least_gain(chart, contact, chases):
        chart.state.contacts[key] = replace(
            contact, long_shot=True, range=max(chart.guns_reach, contact.range)
        )
        if not contact.long_shot:
            chart.tell("not_overhauled", "G.KT4", seeker.side, fleet=seeker.code, flies=False)
            chart.tell("not_overhauled", "G.KT4", quarry.side, fleet=quarry.code, flies=True)
        return None
    if quarry.order.instructions.slowest == "leave":
        leave_slowest(chart, contact, quarry, flight.bearing)
    if key in chart.state.contacts:
        return Action(contact, overhauled=True, strikes=_overwhelmed(chart, seeker, quarry))
    left = next(met for met in chart.state.contacts.values() if met.seeker == seeker.code)
    strikes = _overwhelmed(chart, seeker, chart.state.fleets[left.quarry], sails_on=quarry.code)
    return Action(left, sails_on=quarry.code, overhauled=True, strikes=strikes)


def flies(chart: Chart, contact: Contact) -> bool:
    """Whether a quarry runs from a battle: it avoids, it could not be brought to action before, or, by the odds that it knows of, its
    captains would leave at once or they are hopeless.

    Within gunshot it sees who comes, but for fog; what it had not seen before it judges by what lies before it. Rules: G.KT4, G.KT5.
    """
    seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
    if shuns(chart, quarry, seeker, contact):
        return True
    if not aware(chart, quarry, seeker, contact):
        return _clear(chart, quarry) and (
            quarry.order.stance is Stance.AVOID or _overwhelmed(chart, seeker, quarry)
        )
    if _shy(chart, contact) and quarry.order.stance is not Stance.SEEK:
        return True
    touch = chart.state.touches.get((quarry.code, seeker.code))
    if touch is None or not touch.band:
        return False
    against = odds(chart, quarry, touch)
    hopeless = against >= Fraction(chart.facts.settings.stand_odds)
    return too_worn(chart, quarry, against) or (hopeless and quarry.order.instructions.hopeless != "stand")


def _overwhelmed(chart: Chart, seeker: FleetState, quarry: FleetState, *, sails_on: str = "") -> bool:
    """Whether a quarry that is overhauled can neither get away nor fight: present values at the odds that are hopeless.

    sails_on: the fleet in company that leaves it to the seeker, "" for none. Rule: G.KT4.
    """
    if quarry.order.instructions.hopeless == "stand":
        return False
    stay = [fleet for fleet in company_of(chart, quarry) if fleet.code != sails_on]
    own, enemy = _value(chart, stay), _value(chart, fighting_company(chart, seeker))
    return enemy >= own * Fraction(chart.facts.settings.stand_odds)


def _too_strong(chart: Chart, contact: Contact) -> bool:
    """Whether a seeker that sees at gunshot whom it has chased would not have chased them: by present values the odds are greater than
    it accepts, or it is too worn for them. Rule: G.CO1.
    """
    seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
    if contact.after_battle or not _clear(chart, quarry):
        return False
    own, enemy = _value(chart, fighting_company(chart, seeker)), _value(chart, company_of(chart, quarry))
    against = enemy / own if own else Fraction(0)
    return against > Fraction(seeker.order.instructions.greatest_odds) or too_worn(chart, seeker, against)


def _value(chart: Chart, fleets: Sequence[FleetState]) -> Fraction:
    """Present value of some fleets."""
    return sum((chart.value(fleet.code) for fleet in fleets), Fraction(0))


def _clear(chart: Chart, fleet: FleetState) -> bool:
    """Whether those within gunshot of a fleet are seen by day: in all but fog. Rules: G.CO1, G.KT4."""
    return chart.weather(fleet).visibility is not Visibility.FOG


def anchored(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet lies at anchor, with no orders to sail. Rules: G.CO4, G.KT4."""
    kind = chart.facts.theatre.places[fleet.position.at].kind
    still = not fleet.position.to and not fleet.under_way and not fleet.order.route
    return still and kind in (PlaceKind.ANCHORAGE, PlaceKind.PORT)


def _escorts(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet has its charge in company, which it does not desert. Rule: G.KT4."""
    order = fleet.order
    if order.on_arrival is not OnArrival.ESCORT:
        return False
    return any(other.code == order.target for other in company_of(chart, fleet))


def _shy(chart: Chart, contact: Contact) -> bool:
    return chart.state.shy.get(pair(contact.seeker, contact.quarry), 0) > chart.hour


def _least_gain(chart: Chart, contact: Contact, chases: int) -> int:
    """Thousandths of a knot by which a seeker has to gain. chases: its own speed. Rules: G.KT4, G.KT5."""
    least = SHY_GAIN if _shy(chart, contact) else int(Decimal(chart.facts.settings.overhaul) * MILLI)
    return max(least, chases // (A_THIRD if _shy(chart, contact) else A_QUARTER))


def _long_shots(chart: Chart, contact: Contact) -> bool:
    """An hour of long shots between the head of the chase and the quarry's stern; False when one of the fleets is gone. Rule: G.KT5."""
    if contact.range > chart.guns_reach:
        return True
    seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
    weather = chart.weather(quarry)
    if weather.visibility is Visibility.FOG or weather.strength is Strength.GALE:
        return True
    leaders, stern = _fighting(chart, seeker)[:LEADERS], _fighting(chart, quarry)[-STERNMOST:]
    if not leaders or not stern:
        return True
    ahead, astern = _shots(chart, leaders, quarry), _shots(chart, stern, seeker)
    _suffer(chart, stern[-1], ahead, by=seeker)
    _suffer(chart, leaders[0], astern, by=quarry)
    return not any(chart.state.fleets[fleet.code].ended for fleet in (seeker, quarry))


def _fighting(chart: Chart, fleet: FleetState) -> list[ShipState]:
    """Ships of a fleet in its order of sailing, prizes apart."""
    return [ship for ship in chart.ships_of(fleet.code) if not ship.prize]


def _shots(chart: Chart, ships: Sequence[ShipState], at: FleetState) -> list[bool]:
    """The hits of some ships, each with whether it brings down a mast. Rule: G.KT5."""
    hits = []
    for ship in ships:
        subjects = (chart.hour, ship.code, at.code)
        if chart.dice.d6(clause="G.KT5", subjects=subjects, reason="long shot") == HIT:
            hits.append(chart.dice.d6(clause="G.KT5", subjects=(*subjects, "mast"), reason="a mast") == HIT)
    return hits


def _suffer(chart: Chart, ship: ShipState, hits: Sequence[bool], *, by: FleetState) -> None:
    """What long shots do to the ship that they hit: a point of the set's smallest unit each, and perhaps a mast. Rule: G.KT5."""
    if not hits:
        return
    card, condition = chart.facts.ships[ship.code].card, dict(ship.condition)
    for mast in hits:
        condition = dict(chart.at_sea.hit(card, condition, 1))
        if mast:
            condition = dict(chart.at_sea.mast_lost(card, condition))
    now = replace(ship, condition=condition)
    chart.state.ships[ship.code] = now
    chart.ships_changed()
    masts = sum(hits)
    chart.tell("long_shot", "G.KT5", by.side, fleet=by.code, hits=len(hits), masts=masts)
    chart.tell(
        "hit_at_long_shot",
        "G.KT5",
        ship.side,
        fleet=ship.fleet,
        ships=[ship.code],
        hits=len(hits),
        masts=masts,
    )
    if not chart.at_sea.afloat(card, condition):
        lose(chart, now, Fate.SUNK, clause="G.KT5", cause="by a long shot")
