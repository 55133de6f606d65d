"""From the chart to the battle: who fights, and the scenario document that the engine plays. Rules: G.CO4, G.CO6, G.CO7, G.BT6.

Sides stand in the order of their codes, squadrons in the fleet's order of sailing, prizes last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from battles.engine.core.scenario import Stance, Strength
from campaign.rules.battle.flight import Action, anchored, brought_to_action
from campaign.rules.chart.types import MILLI, BattleCall
from campaign.rules.contact.contact import aware, company_of, fighting_company, pair, wills
from campaign.rules.contact.guns import Comer, comers
from campaign.rules.losses.officers import flag_officer
from campaign.rules.mines.battles import mines_told
from campaign.rules.prizes.prizes import PRIZES, defenceless, seize
from campaign.rules.sailing.convoys import laden
from campaign.rules.sailing.grounding import take_the_ground
from campaign.rules.sailing.movement import off_wind
from campaign.rules.sailing.shoals import sheltered
from campaign.rules.state.clock import clock, is_night, moment, month, nightfall
from campaign.rules.state.documents import doctrine_doc
from campaign.rules.state.state import Contact, FleetState, ShipState
from campaign.rules.state.world import Chart

# A battle at sea is not begun so late that fewer of the set's turns, or minutes, are left of the day. Rule: G.CO6.
LEAST_TURNS, LEAST_MINUTES = 2, 90


def battle_step(chart: Chart) -> None:
    """Begin a battle for every contact near enough, in the order of codes, unless the quarry flies and keeps away.

    No one begins a battle for which the day leaves no time. Rules: G.CO2, G.CO6, G.CO7, G.WX3, G.KT4.
    """
    if is_night(chart.facts, chart.hour):
        return
    for key in sorted(chart.state.contacts):
        contact = chart.state.contacts.get(key)
        if contact is None or contact.night or contact.not_before > chart.hour:
            continue
        seeker, quarry = (chart.state.fleets[code] for code in key)
        if contact.range > chart.meets_at(quarry):
            continue
        truce = pair(*key) in chart.state.truces
        storm = chart.weather(quarry).strength is Strength.GALE
        if truce or storm or not wills(chart, seeker, quarry, contact):
            continue
        action = brought_to_action(chart, contact)
        late = _is_late(chart) and not anchored(chart, quarry)
        if action is not None and (action.strikes or not late):
            _begin(chart, action)


def _begin(chart: Chart, action: Action) -> None:
    """Take the fleets off the chart and call for the battle; a quarry that strikes is taken without one.

    Rules: G.CL2, G.CO7, G.KT4.
    """
    state, contact, sails_on = chart.state, action.contact, action.sails_on
    seeker, quarry = state.fleets[contact.seeker], state.fleets[contact.quarry]
    if sheltered(chart, quarry):
        for fleet in company_of(chart, seeker):
            take_the_ground(chart, fleet, quarry.position.at)
        seeker = state.fleets[seeker.code]
        if chart.aground(seeker):
            return
    near = chart.facts.settings.company_miles * MILLI
    with_seeker = {fleet.code for fleet in fighting_company(chart, seeker)}
    with_seeker |= {
        other.seeker
        for other in state.contacts.values()
        if other.quarry == quarry.code
        and other.range <= near
        and chart.on_chart(state.fleets[other.seeker])
        and chart.friends(state.fleets[other.seeker], seeker)
    }
    if sheltered(chart, quarry):
        with_seeker = {code for code in with_seeker if not chart.aground(state.fleets[code])}
    with_quarry = {fleet.code for fleet in company_of(chart, quarry)} - {sails_on}
    attackers = [f for f in (state.fleets[c] for c in sorted(with_seeker)) if chart.ships_of(f.code)]
    defenders = [f for f in (state.fleets[c] for c in sorted(with_quarry)) if chart.ships_of(f.code)]
    if defenceless(chart, defenders) or action.strikes:
        seize(chart, seeker, defenders)
        return
    state.battles += 1
    code = f"b{state.battles:02d}"
    most = turn_limit(chart, [attackers, defenders])
    coming = {
        seeker.side: comers(chart, attackers, defenders, most),
        quarry.side: [c for c in comers(chart, defenders, attackers, most) if c.fleet.code != sails_on],
    }
    in_flight = [_running(fleet) for fleet in defenders] if action.overhauled else defenders
    call = battle_call(chart, code, contact, attackers, in_flight, coming)
    if chart.at_sea.stays_aground and all(chart.aground(fleet) for fleet in defenders):
        call = replace(call, scenario=chart.at_sea.at_anchor(call.scenario, quarry.side))
    attackers = [*attackers, *(comer.fleet for comer in coming[seeker.side])]
    defenders = [*defenders, *(comer.fleet for comer in coming[quarry.side])]
    state.calls.append(call)
    chart.tell(
        "battle", "G.CO2", *(fleet.side for fleet in (*attackers, *defenders)), battle=code,
        place=call.place, fleets={side: list(codes) for side, codes in sorted(call.fleets.items())},
        gauge=gauge_told(chart, call), surprised=list(call.scenario["surprised"]),
        coming=[[c.fleet.code, c.turn] for side in sorted(coming) for c in coming[side]],
    )  # fmt: skip
    if not contact.after_battle:
        for meeting in product(attackers, defenders):
            state.renewals.pop(pair(*(fleet.code for fleet in meeting)), None)
    fought = {fleet.code for fleet in (*attackers, *defenders)}
    for fleet in (*attackers, *defenders):
        chart.alter(fleet, position=quarry.position, off_until=chart.hour + 1, still_until=0)
    for key in sorted(state.contacts):
        if fought & set(key):
            del state.contacts[key]


def _running(fleet: FleetState) -> FleetState:
    """A fleet that flies, as it goes into battle: whatever it was told, it avoids. Rule: G.KT4."""
    return replace(fleet, order=replace(fleet.order, stance=Stance.AVOID))


def battle_call(
    chart: Chart,
    code: str,
    contact: Contact,
    attackers: list[FleetState],
    defenders: list[FleetState],
    coming: Mapping[str, list[Comer]] | None = None,
) -> BattleCall:
    """The call for a battle with its scenario document. coming: reinforcements by side. Rules: G.BT6, G.CO7."""
    late = coming or {}
    state, facts = chart.state, chart.facts
    seeker, quarry = state.fleets[contact.seeker], state.fleets[contact.quarry]
    groups = dict(sorted({seeker.side: attackers, quarry.side: defenders}.items()))
    surprised = (
        [] if any(aware(chart, d, a, contact) for d in defenders for a in attackers) else [quarry.side]
    )
    gauge = seeker.side if surprised else gauge_side(chart, contact)
    weather = chart.weather(quarry)
    place = chart.geometry.nearest(quarry.position)
    name = facts.theatre.places[place].name
    begins = moment(facts.start_date, chart.hour)
    scenario: dict[str, Any] = {
        "schema": 1,
        "rule_set": facts.rule_set,
        "title": f"{name}, {begins.day} {begins:%B %Y}",
        "code": f"{facts.campaign}/{facts.turn}/{code}",
        "start": f"{begins:%Y-%m-%dT%H:%M}",
        "place": name,
        "wind": {"towards": (weather.wind_from + 180) % 360, "strength": weather.strength.value},
        "gauge": gauge,
        "turn_limit": turn_limit(chart, [attackers, defenders]),
        "surprised": surprised,
        "options": {
            **_hour(chart, quarry),
            **mines_told(chart, code, quarry.position, groups),
            **chart.battle_options,
        },
        "sides": [_side(chart, side, fleets, late.get(side, [])) for side, fleets in groups.items()],
    }
    fleets: dict[str, tuple[str, ...]] = {}
    for fleet in (*attackers, *defenders, *(comer.fleet for rows in late.values() for comer in rows)):
        fleets[fleet.side] = tuple(sorted((*fleets.get(fleet.side, ()), fleet.code)))
    return BattleCall(code, chart.hour, place, fleets, scenario)


def _hour(chart: Chart, fleet: FleetState) -> dict[str, Any]:
    """What a battle learns of the hour it begins in, by switches of its set. Rules: G.CL1, G.WX4."""
    sunrise = chart.facts.theatre.daylight[month(chart.facts, chart.hour) - 1][0]
    dark = nightfall(chart.facts, chart.hour)
    return chart.rules.hour_in(sunrise, dark, chart.weather(fleet).visibility.value)


def gauge_side(chart: Chart, contact: Contact) -> str:
    """The side to windward: the fleet nearer the wind's eye as seen from the other; abeam, the one that seeks. Rule: G.CO2."""
    seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
    angle = off_wind(contact.bearing, chart.weather(quarry).wind_from)
    return quarry.side if angle < 90 else seeker.side


def gauge_told(chart: Chart, call: BattleCall) -> str:
    """The side that is told to have the weather gauge: none where every ship goes by steam. Rule: G.ST3."""
    fleets = (code for codes in call.fleets.values() for code in codes)
    return "" if all(chart.steams(code) for code in fleets) else str(call.scenario["gauge"])


def turn_limit(chart: Chart, groups: list[list[FleetState]]) -> int:
    """Battle turns to nightfall, at most the set's own; a side at anchor is fought into the night. Rules: G.CO4, G.CO6."""
    most = chart.rules.turn_limit
    if chart.rules.by_night(chart.battle_options):
        return most
    if any(all(anchored(chart, fleet) for fleet in group) for group in groups):
        return most
    return max(1, min(most, _turns_by_day(chart)))


def _turns_by_day(chart: Chart) -> int:
    """Whole battle turns until nightfall. Rule: G.CO6."""
    return _minutes_by_day(chart) // chart.minutes_a_turn


def _minutes_by_day(chart: Chart) -> int:
    return 60 * (nightfall(chart.facts, chart.hour) - clock(chart.hour))


def _is_late(chart: Chart) -> bool:
    """Whether the day leaves too little time to come to grips. Rule: G.CO6."""
    return _turns_by_day(chart) < LEAST_TURNS or _minutes_by_day(chart) < LEAST_MINUTES


def _side(chart: Chart, side: str, fleets: list[FleetState], coming: list[Comer]) -> dict[str, Any]:
    """One side's squadrons, those that come up last; it fights under the instructions of its greatest fleet there."""
    facts = chart.facts
    greatest = max(fleets, key=lambda fleet: (len(chart.ships_of(fleet.code)), fleet.code))
    return {
        "id": side,
        "name": facts.sides[side].name,
        "nation": facts.sides[side].nations[0],
        "doctrine": {**_doctrine(greatest), "protect": list(_protected(chart, greatest, fleets))},
        "squadrons": [
            *(row for fleet in fleets for row in _squadrons(chart, fleet)),
            *(
                {**row, "arrives": comer.turn, "edge": comer.edge}
                for comer in coming
                for row in _squadrons(chart, comer.fleet)
            ),
        ],
    }


def _doctrine(fleet: FleetState) -> dict[str, Any]:
    return doctrine_doc(replace(fleet.order.instructions.doctrine, stance=fleet.order.stance))


def _protected(chart: Chart, greatest: FleetState, fleets: list[FleetState]) -> tuple[str, ...]:
    """Ships that a side covers: those its instructions name, and who carries a cargo. Rules: G.CV1, G.MV5."""
    named = greatest.order.instructions.doctrine.protect
    return tuple(dict.fromkeys((*named, *laden(chart, fleets))))


def _squadrons(chart: Chart, fleet: FleetState) -> list[dict[str, Any]]:
    ships: dict[str, list[ShipState]] = {}
    for ship in chart.ships_of(fleet.code):
        ships.setdefault(PRIZES if ship.prize else ship.squadron, []).append(ship)
    return [_squadron(chart, fleet, code, rows) for code, rows in ships.items()]


def _squadron(chart: Chart, fleet: FleetState, code: str, ships: list[ShipState]) -> dict[str, Any]:
    """A squadron under its flag, or under its first ship when the flagship is no longer with it."""
    facts = chart.facts.squadrons.get(code) if code != PRIZES else None
    there = [ship.code for ship in ships]
    flag = facts.flagship if facts is not None and facts.flagship in there else there[0]
    doc: dict[str, Any] = {
        "id": code if facts is not None else f"{fleet.code}-{code or 'single ships'}",
        "name": facts.name if facts is not None else fleet.name or (code or "single ships").capitalize(),
        "flagship": flag,
        "ships": [_ship(chart, ship) for ship in ships],
        "doctrine": _doctrine(fleet),
    }
    officer = flag_officer(chart, code) if facts is not None and facts.flagship in there else ""
    if officer:
        doc["flag_officer"] = officer
    return doc


def _ship(chart: Chart, ship: ShipState) -> dict[str, Any]:
    sheet = chart.facts.ships[ship.code]
    condition: Mapping[str, Any] | None = ship.condition or None
    return {
        "id": ship.code,
        "name": sheet.name,
        "facts": dict(sheet.facts),
        "condition": dict(condition) if condition is not None else None,
        "complement": sheet.complement,
        "men": ship.men,
        "captain": ship.captain,
        "prize": ship.prize,
    }
