"""The night: fleets in contact try to be gone, one throw a side in each meeting. Rules: G.CO3, G.CO6, T.C6, T.C7, T.C8, T.C9.

A meeting is what would be one battle: contacts that share a fleet, or whose fleets are in company.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from battles.engine.core.scenario import Stance
from campaign.rules.contact.contact import aware, company_of, drop, shuns, wills
from campaign.rules.sailing.parting import leave_behind
from campaign.rules.state.clock import is_night, next_dawn
from campaign.rules.state.state import Contact, FleetState, Touch
from campaign.rules.state.world import Chart

FREE_HOURS = 12


def night_step(chart: Chart) -> None:
    """Fleets in contact after nightfall try to be gone; the others meet again at dawn. Rules: G.CO3, G.CO6, T.C6, T.C9."""
    if not is_night(chart.facts, chart.hour):
        chart.state.tried.clear()
        return
    for meeting in meetings(chart):
        fresh = [contact for contact in meeting if not contact.night]
        if fresh:
            _try(chart, meeting, fresh)
        for contact in fresh:
            key = contact.seeker, contact.quarry
            if key in chart.state.contacts:
                chart.state.contacts[key] = replace(contact, night=True)


def meetings(chart: Chart) -> list[list[Contact]]:
    """Contacts that go on in this hour, each with those that share a fleet with it or have one in company with its own. Rule: G.CO3."""
    found: list[tuple[set[str], list[Contact]]] = []
    for key in sorted(chart.state.contacts):
        contact = chart.state.contacts[key]
        if contact.not_before > chart.hour:
            continue
        near = {fleet.code for code in key for fleet in company_of(chart, chart.state.fleets[code])}
        apart, rows = [], []
        for reach, group in found:
            if reach.isdisjoint(key):
                apart.append((reach, group))
            else:
                near |= reach
                rows += group
        found = [*apart, (near, [*rows, contact])]
    return [group for _, group in found]


def _codes(contacts: Iterable[Contact]) -> list[str]:
    """The fleets of some contacts, in the order of codes."""
    return sorted({code for contact in contacts for code in (contact.seeker, contact.quarry)})


def _try(chart: Chart, meeting: Sequence[Contact], fresh: Sequence[Contact]) -> None:
    """One throw for each side of a meeting that has a fleet which wants to escape; all of these are away, or none. Rules: G.CO3, T.C6."""
    met = _codes(meeting)
    fleets = chart.state.fleets
    hostile = {(a, b) for a, b in product(met, met) if chart.at_war(fleets[a], fleets[b])}
    leaving = _leaving(chart, met, fresh)
    parties = []
    for side in sorted({fleet.side for fleet in leaving}):
        party = [fleet.code for fleet in leaving if fleet.side == side]
        against = {(own, enemy) for own, enemy in hostile if fleets[own].side == side}
        if not against & chart.state.tried and _away(chart, side, party, met):
            parties.append(party)
        chart.state.tried |= against
    gone = {code for party in parties for code in party}
    for party in parties:
        _escape(chart, party, met, gone)


def _leaving(chart: Chart, met: Sequence[str], fresh: Sequence[Contact]) -> list[FleetState]:
    """Fleets that want to escape from an enemy of a meeting, and those of their side in company that avoid it too. Rule: G.CO3."""
    fleets = chart.state.fleets
    seen = {key for key, touch in chart.state.touches.items() if touch.seen}
    leaving = {
        code
        for contact in fresh
        for code in (contact.seeker, contact.quarry)
        if _wishes_to_be_gone(chart, code, contact)
    }
    for code in sorted(leaving):
        for other in company_of(chart, fleets[code]):
            sees = any((other.code, enemy) in seen for enemy in met)
            avoids = other.side == fleets[code].side and other.order.stance is Stance.AVOID
            if avoids and sees and other.code not in met:
                leaving.add(other.code)
    return [fleets[code] for code in sorted(leaving)]


def _wishes_to_be_gone(chart: Chart, code: str, contact: Contact) -> bool:
    """Whether a fleet tries to part in the night: one that avoids, or is told to part at nightfall and does not seek. Rule: G.CO3."""
    other = contact.quarry if code == contact.seeker else contact.seeker
    fleet, enemy = chart.state.fleets[code], chart.state.fleets[other]
    if shuns(chart, fleet, enemy, contact):
        return True
    if contact.after_battle or wills(chart, fleet, enemy, contact) or not aware(chart, fleet, enemy, contact):
        return False
    return fleet.order.instructions.at_nightfall == "part"


def _away(chart: Chart, side: str, party: list[str], met: Sequence[str]) -> bool:
    """The throw of a side: its key names the night by its dawn, the side, and the fleets of the meeting. Rule: G.CO3."""
    night = next_dawn(chart.hour)
    face = chart.dice.d6(clause="G.CO3", subjects=(side, night, *met), reason="night escape")
    away = face >= chart.facts.settings.escape_at
    chart.tell("night", "G.CO3", side, fleet=min(party), fleets=party, face=face, away=away)
    return away


def _escape(chart: Chart, party: list[str], met: Sequence[str], gone: set[str]) -> None:
    """Twelve hours of free sailing for a side's fleets, while the enemies of that meeting keep their place. Rules: G.CO3, T.C7.

    gone: all fleets of the meeting that are away, whatever their side.
    """
    state, until = chart.state, chart.hour + FREE_HOURS
    broken = [contact for contact in state.contacts.values() if {contact.seeker, contact.quarry} & set(party)]
    first = state.fleets[min(party)]
    enemies = [code for code in sorted({*met, *_codes(broken)}) if chart.at_war(first, state.fleets[code])]
    pairs = [pair for code in party for enemy in enemies for pair in ((enemy, code), (code, enemy))]
    knew = {pair: state.touches[pair] for pair in pairs if pair in state.touches}
    left = [fleet for code in party if (fleet := leave_behind(chart, state.fleets[code])) is not None]
    for contact in broken:
        drop(chart, contact, "")
    for pair in knew:
        del state.touches[pair]
    for fleet in left:
        _meet_at_dawn(chart, fleet, enemies, [*broken, *state.contacts.values()], knew)
    for enemy in enemies:
        if enemy not in gone:
            chart.alter(state.fleets[enemy], still_until=next_dawn(chart.hour) if left else until)
    for code in party:
        _set_free(chart, state.fleets[code], until, tuple(enemies))


def _set_free(chart: Chart, fleet: FleetState, until: int, enemies: tuple[str, ...]) -> None:
    """Let a fleet sail freely along its route, to the nearest port of its own when it has none. Rules: G.CO3, T.C7."""
    fleet = chart.alter(fleet, free_until=until, free_from=enemies, still_until=0)
    if not fleet.order.route:
        port = chart.nearest_own_port(fleet.position, fleet.side)
        home = chart.geometry.way(fleet.position, port, chart.closed[fleet.side]) if port else ()
        chart.alter(fleet, order=replace(fleet.order, route=home))
    chart.tell("escaped", "G.CO3", fleet.side, fleet=fleet.code, until=until)


def _meet_at_dawn(
    chart: Chart,
    left: FleetState,
    enemies: Sequence[str],
    contacts: Sequence[Contact],
    knew: Mapping[tuple[str, str], Touch],
) -> None:
    """Ships left behind are at the mercy of the enemies who knew of their fleet, when the night is over. Rules: G.CO3, T.C8."""
    state, parent = chart.state, left.rejoins
    for enemy in enemies:
        own = [contact for contact in contacts if enemy in (contact.seeker, contact.quarry)]
        if (enemy, parent) not in knew or not own:
            continue
        met = min(own, key=lambda contact: parent not in (contact.seeker, contact.quarry))
        state.touches[enemy, left.code] = replace(knew[enemy, parent], fleet=left.code)
        state.contacts[enemy, left.code] = replace(
            met, seeker=enemy, quarry=left.code, since=chart.hour, parting="", night=True
        )
