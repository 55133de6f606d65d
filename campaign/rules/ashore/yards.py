"""Dockyards: ships committed, berths, the yard clock, READY dates, and what stays behind when a fleet sails. Rules: G.RP2, G.RP3, G.NE1.

Work is in yard-days; a day of the chart is so many of them for every ship in hand. A job is done as a whole at its end.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from battles.engine.core.at_sea import AtSea, Work
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import PlaceKind, Settings, ShipKind, ShipSheet
from campaign.rules.sailing.parting import part
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import AFLOAT, NO_BERTH, Job
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

_CRUISERS = frozenset({ShipKind.FRIGATE, ShipKind.SMALL})
MEDIUM_CLASS, CRUISER_CLASS, HEAVY_CLASS = 2, 1, 3


class Refit(NamedTuple):
    """What a ship needs of a yard. days: yard-days; needs: least class of yard with a berth, 0 for work afloat. Rule: G.RP2."""

    work: Work
    days: int
    needs: int


def refit(settings: Settings, at_sea: AtSea, sheet: ShipSheet, condition: Mapping[str, object]) -> Refit:
    """The work that would make a ship whole, 0 yard-days when she is sound. Rule: G.RP2."""
    work = at_sea.work(sheet.card, condition)
    hull = {
        "none": 0,
        "light": settings.work_light,
        "medium": settings.work_medium,
        "heavy": settings.work_heavy,
        "worse": settings.work_worse,
    }[work.hull]
    days = hull + settings.work_mast * work.masts + settings.work_battery * work.batteries
    if work.hull == "medium":
        needs = CRUISER_CLASS if sheet.kind in _CRUISERS else MEDIUM_CLASS
    else:
        needs = HEAVY_CLASS if work.hull in ("heavy", "worse") else 0
    return Refit(work, days, needs)


def refit_of(chart: Chart, ship: ShipState) -> Refit:
    """The work that would make a ship whole as she is now. Rule: G.RP2."""
    return refit(chart.facts.settings, chart.at_sea, chart.facts.ships[ship.code], ship.condition)


def own_port(chart: Chart, fleet: FleetState | None) -> str:
    """The port of her own side in which a fleet lies, "" anywhere else: a neutral port repairs no ship, and a battle holds its fleets.

    Rules: G.RP2, G.NE1, G.BT4.
    """
    if fleet is None or fleet.ended or fleet.held_by or fleet.position.to:
        return ""
    place = chart.facts.theatre.places[fleet.position.at]
    own = chart.facts.sides[fleet.side].nations
    return place.code if place.kind is PlaceKind.PORT and place.owner in own else ""


def port_of(chart: Chart, ship: ShipState) -> str:
    """The own port in which a ship lies, "" when she lies in none."""
    return own_port(chart, chart.state.fleets.get(ship.fleet)) if ship.fate is Fate.AFLOAT else ""


def yard_step(chart: Chart) -> None:
    """At 06:00 yards have worked a day, take in ships that wait, and date every ship again. Rule: G.RP2."""
    if chart.hour % DAY:
        return
    _break_off(chart)
    _work(chart)
    for side in sorted(chart.facts.sides):
        _take_in(chart, side)
    fresh = _give_berths(chart)
    _date(chart, fresh)


def _break_off(chart: Chart) -> None:
    """Jobs end without a result for ships that have left, changed sides, or been taken out of the queue. Rule: G.RP2."""
    economy = chart.state.economy
    for code in sorted(economy.jobs):
        job, ship = economy.jobs[code], chart.state.ships.get(code)
        there = ship is not None and ship.side == job.side and port_of(chart, ship) == job.port
        if there and code in economy.order(job.side).queue:
            continue
        del economy.jobs[code]
        chart.tell("yard_left", "G.RP2", job.side, ship=code, side=job.side, place=job.port, ships=[code])


def _work(chart: Chart) -> None:
    economy, days, idle = chart.state.economy, chart.facts.settings.yard_days, chart.state.holdings.idle
    worked = {port: max(0, days - lost) for port, lost in idle.items()}
    for port, lost in sorted(idle.items()):  # a yard that was raided stands still. Rule: G.LD5
        idle[port] = max(0, lost - days)
        if not idle[port]:
            del idle[port]
    for code in sorted(economy.jobs):
        job = economy.jobs[code]
        if job.berth == NO_BERTH:
            continue
        job = economy.jobs[code] = replace(job, done=job.done + worked.get(job.port, days))
        if job.done >= job.total:
            _finish(chart, job)


def _finish(chart: Chart, job: Job) -> None:
    """A ship is whole again. Rules: G.RP2, K.G18, T.C27."""
    state = chart.state
    ship, sheet = state.ships[job.ship], chart.facts.ships[job.ship]
    jobs = ["hull"] * (job.hull != "none") + ["mast"] * job.masts + ["battery"] * job.batteries
    condition = ship.condition
    for done in jobs:
        condition = chart.at_sea.mend(
            sheet.card, condition, done=done, men=ship.men, complement=sheet.complement
        )
    state.ships[job.ship] = replace(ship, condition=dict(condition))
    del state.economy.jobs[job.ship]
    order = state.economy.order(job.side)
    queue = tuple(code for code in order.queue if code != job.ship)
    state.economy.orders[job.side] = replace(order, queue=queue)
    chart.ships_changed()
    chart.tell(
        "repaired", "G.RP2", job.side, ship=job.ship, side=job.side, place=job.port, ships=[job.ship], hull=job.hull,
        masts=job.masts, batteries=job.batteries,
    )  # fmt: skip


def _take_in(chart: Chart, side: str) -> None:
    """Ships that the admiral has committed and that lie in a yard of theirs come into its books. Rule: G.RP2."""
    state = chart.state
    for code in state.economy.order(side).queue:
        ship = state.ships.get(code)
        if ship is None or code in state.economy.jobs or ship.side != side or ship.prize:
            continue
        port = port_of(chart, ship)
        if not port or not chart.facts.theatre.places[port].dockyard:
            continue
        if not chart.on_chart(state.fleets[ship.fleet]):
            continue
        need = refit_of(chart, ship)
        if need.days:
            work = need.work
            state.economy.jobs[code] = Job(
                code, side, port, work.hull, work.masts, work.batteries, need.days, need.needs, chart.hour,
                berth=NO_BERTH if need.needs else AFLOAT,
            )  # fmt: skip


def _give_berths(chart: Chart) -> set[str]:
    """Free berths go to who waits, in the order of the queue; a berth never holds two. Returns who is in hand now. Rule: G.RP2."""
    jobs = chart.state.economy.jobs
    fresh = {code for code, job in jobs.items() if job.berth == AFLOAT and job.began == chart.hour}
    taken: dict[str, set[int]] = {}
    for job in jobs.values():
        if job.berth > 0:
            taken.setdefault(job.port, set()).add(job.berth)
    for code in _queued(chart):
        job = jobs[code]
        place = chart.facts.theatre.places[job.port]
        if job.berth != NO_BERTH or place.dockyard < job.needs:
            continue
        used = taken.setdefault(job.port, set())
        free = next((number for number in range(1, place.berths + 1) if number not in used), 0)
        if free:
            used.add(free)
            jobs[code] = replace(job, berth=free)
            fresh.add(code)
    return fresh


def _queued(chart: Chart) -> list[str]:
    """Ships in the books of all yards, each side's in the order of its queue."""
    economy = chart.state.economy
    return [
        code
        for side in sorted(chart.facts.sides)
        for code in economy.order(side).queue
        if code in economy.jobs
    ]


def _date(chart: Chart, fresh: set[str]) -> None:
    """Date every job, and tell its side when a date is new or has moved. fresh: ships taken in hand now. Rule: G.RP2."""
    jobs = chart.state.economy.jobs
    dates = ready_hours(chart, _queued(chart))
    for code in sorted(jobs):
        job, ready = jobs[code], dates.get(code, 0)
        moved = ready != job.ready and job.ready > 0
        if not moved and code not in fresh and job.began != chart.hour:
            continue
        jobs[code] = replace(job, ready=ready)
        chart.tell(
            "yard_redated" if moved else "yard_dated", "G.RP2", job.side, ship=code, side=job.side, place=job.port,
            berth=job.berth, hull=job.hull, masts=job.masts, batteries=job.batteries, ready=ready, was=job.ready,
            days=max(0, ready - chart.hour) // DAY, fresh=code in fresh,
        )  # fmt: skip


def ready_hours(chart: Chart, queue: Iterable[str], also: Iterable[Job] = ()) -> dict[str, int]:
    """Hour at which each ship is whole if nothing changes; who finds no berth that is fit for her is left out.

    queue: codes of ships with jobs, in the order in which berths are given. also: jobs that no one has committed yet, each dated as
    if she alone came last. Rule: G.RP2.
    """
    jobs = chart.state.economy.jobs
    found: dict[str, int] = {}
    ports: dict[str, list[int]] = {}
    rows = [jobs[code] for code in queue]
    for job in rows:
        if job.berth > 0:
            ports.setdefault(job.port, []).append(_left(chart, job))
    for job in (*rows, *also):
        if job.port not in ports:
            ports[job.port] = []
        berths = chart.facts.theatre.places[job.port].berths
        free = ports[job.port]
        free.extend([0] * (berths - len(free)))
        heapq.heapify(free)
    for job in rows:
        _date_one(chart, job, ports[job.port], found, commit=True)
    for job in also:
        _date_one(chart, job, ports[job.port], found, commit=False)
    return found


def _date_one(chart: Chart, job: Job, free: list[int], found: dict[str, int], *, commit: bool) -> None:
    place = chart.facts.theatre.places[job.port]
    if job.berth != NO_BERTH:
        days = _left(chart, job)
    elif place.dockyard < job.needs or not free:
        return
    else:
        days = free[0] + _left(chart, job)
        if commit:
            heapq.heapreplace(free, days)
    found[job.ship] = chart.hour + days * DAY


def _left(chart: Chart, job: Job) -> int:
    """Days of the chart that a job takes from now on, in its berth, with those for which its yard stands still. Rules: G.RP2, G.LD5."""
    still = chart.state.holdings.idle.get(job.port, 0)
    return -(-(job.total - job.done + still) // chart.facts.settings.yard_days)


def estimates(chart: Chart, ships: Iterable[ShipState]) -> dict[str, int]:
    """READY hours of ships that no one has committed, each as if she alone were added to the queue's end now. Rule: G.RP2."""
    asked = []
    for ship in ships:
        port, need = port_of(chart, ship), refit_of(chart, ship)
        if port and chart.facts.theatre.places[port].dockyard and need.days:
            work = need.work
            asked.append(
                Job(
                    ship.code,
                    ship.side,
                    port,
                    work.hull,
                    work.masts,
                    work.batteries,
                    need.days,
                    need.needs,
                    chart.hour,
                    berth=NO_BERTH if need.needs else AFLOAT,
                )  # fmt: skip
            )
    found = ready_hours(chart, _queued(chart), asked)
    return {job.ship: found[job.ship] for job in asked if job.ship in found}


def leave_step(chart: Chart) -> None:
    """Before a fleet sails from a port it leaves behind who is in a yard, before the court, or short of hands. Rules: G.RP2, G.RP3."""
    for fleet in chart.fleets():
        if not fleet.order.route or not chart.in_port(fleet) or not chart.on_chart(fleet):
            continue
        if fleet.under_way or chart.weather(fleet).strength is Strength.STILL:
            continue
        ships = chart.ships_of(fleet.code)
        staying = [ship for ship in ships if chart.moored(ship) or short_handed(chart, ship)]
        if staying and len(staying) < len(ships):
            leave_in_yard(chart, fleet, staying)


def short_handed(chart: Chart, ship: ShipState) -> bool:
    """Whether a ship has too few men to put to sea by her rule set. Rule: G.RP3."""
    sheet = chart.facts.ships[ship.code]
    return not ship.prize and not chart.at_sea.can_sail(sheet.card, ship.men, sheet.complement)


def leave_in_yard(chart: Chart, fleet: FleetState, ships: list[ShipState]) -> None:
    """Make a fleet of the ships that stay, which joins the other again when it is back. Rules: G.RP2, G.MV4."""
    place = fleet.position.at
    title = chart.facts.theatre.places[place].name.split(" (")[0]
    left = part(chart, fleet, ships, name=f"Ships at {title}"[:80])
    chart.tell(
        "left_in_yard", "G.RP2", fleet.side, fleet=left.code, parent=fleet.code, place=place, name=left.name,
        ships=[ship.code for ship in ships],
    )  # fmt: skip
