"""The muster: squadrons too small to be handled are broken up among the others of their fleet. Rule: G.KT3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.rules.ashore.yards import own_port
from campaign.rules.chart.types import ShipKind
from campaign.rules.losses.officers import SERVING, officer_now
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import officer_key
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

QUIET_HOURS = 24
AUTO, ASK = "auto", "ask"


def muster_step(chart: Chart) -> None:
    """At 06:00 fleets that lie quiet in a port of their own fill up their squadrons, or ask whether to. Rule: G.KT3."""
    if chart.hour % DAY or chart.facts.settings.muster not in (AUTO, ASK):
        return
    engaged = {code for key in chart.state.contacts for code in key}
    for fleet in chart.fleets():
        if fleet.code in engaged or fleet.group or not own_port(chart, fleet) or not chart.on_chart(fleet):
            continue
        if chart.hour - fleet.off_until < QUIET_HOURS and fleet.off_until:
            continue
        if chart.facts.settings.muster == AUTO or _told_to(chart, fleet):
            muster(chart, fleet)
        elif due := small_squadrons(chart, fleet):
            if fleet.code not in chart.state.duties.asked:
                chart.state.duties.asked = chart.state.duties.asked | {fleet.code}
                chart.tell(
                    "muster_due", "G.KT3", fleet.side, fleet=fleet.code, place=fleet.position.at,
                    squadrons=len(due),
                )  # fmt: skip


def _told_to(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet's admiral wants its squadrons filled up; the order is struck off as it is carried out. Rule: G.KT3."""
    order = chart.state.economy.order(fleet.side)
    if fleet.code not in order.musters:
        return False
    left = tuple(code for code in order.musters if code != fleet.code)
    chart.state.economy.orders[fleet.side] = replace(order, musters=left)
    chart.state.duties.asked = chart.state.duties.asked - {fleet.code}
    return True


def rejoined(chart: Chart, fleet: FleetState) -> None:
    """A group has come back to its fleet: squadrons are filled up where the campaign does so by itself. Rule: G.KT3."""
    if chart.facts.settings.muster == AUTO and not fleet.group:
        muster(chart, fleet)


def squadrons_of(chart: Chart, fleet: FleetState) -> dict[str, list[ShipState]]:
    """Ships of a fleet by squadron, in the order of sailing; prizes are in none."""
    found: dict[str, list[ShipState]] = {}
    for ship in chart.ships_of(fleet.code):
        if not ship.prize:
            found.setdefault(ship.squadron, []).append(ship)
    return found


def small_squadrons(chart: Chart, fleet: FleetState) -> list[str]:
    """Squadrons below the least number of ships, the smallest first; those with their flag officer aboard stay. Rule: G.KT3."""
    squadrons = squadrons_of(chart, fleet)
    if len(squadrons) < 2:
        return []
    least = chart.facts.settings.least_squadron
    small = [
        code for code, ships in squadrons.items() if len(ships) < least and not _has_flag(chart, code, ships)
    ]
    return sorted(small, key=lambda code: (len(squadrons[code]), code))


def _has_flag(chart: Chart, squadron: str, ships: list[ShipState]) -> bool:
    """Whether a squadron's flag officer is alive, fit and aboard one of its ships."""
    facts = chart.facts.squadrons.get(squadron)
    if facts is None or not facts.officer:
        return False
    key = officer_key(ships[0].side, facts.officer)
    if key not in chart.facts.officers:
        return False
    now = officer_now(chart.facts, chart.state.economy.officers, key)
    return now.status == SERVING and now.ship in {ship.code for ship in ships}


def muster(chart: Chart, fleet: FleetState) -> None:
    """Break up the small squadrons of a fleet, one after the other. Rule: G.KT3."""
    moved: dict[str, None] = {}  # in the order in which they move; some move twice
    broken = 0
    for code in small_squadrons(chart, fleet):
        squadrons = squadrons_of(chart, fleet)
        ships = squadrons.get(code, [])
        if len(squadrons) < 2 or not 0 < len(ships) < chart.facts.settings.least_squadron:
            continue
        into = _into(chart, code, squadrons)
        for ship in ships:
            chart.state.ships[ship.code] = replace(ship, squadron=into)
            moved[ship.code] = None
        chart.state.mustered[code] = into
        broken += 1
        chart.ships_changed()
    if broken:
        chart.tell(
            "mustered", "G.KT3", fleet.side, fleet=fleet.code, place=chart.geometry.nearest(fleet.position),
            squadrons=broken, ships=list(moved),
        )  # fmt: skip


def _into(chart: Chart, squadron: str, squadrons: Mapping[str, list[ShipState]]) -> str:
    """The squadron with the fewest ships that has the same kind of flagship, else the leading one. Rule: G.KT3."""
    others = [code for code in squadrons if code != squadron]
    kind = _kind(chart, squadron, squadrons[squadron])
    alike = [code for code in others if _kind(chart, code, squadrons[code]) is kind]
    if alike:
        return min(alike, key=lambda code: (len(squadrons[code]), code))
    return others[0]


def _kind(chart: Chart, squadron: str, ships: list[ShipState]) -> ShipKind:
    """The kind of a squadron's flagship, of its first ship where that is not there: line, frigate or other."""
    facts = chart.facts.squadrons.get(squadron)
    flagship = facts.flagship if facts is not None else ""
    there = {ship.code for ship in ships}
    kind = chart.facts.ships[flagship if flagship in there else ships[0].code].kind
    return kind if kind in (ShipKind.LINE, ShipKind.FRIGATE) else ShipKind.MERCHANT
