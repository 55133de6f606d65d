"""Ships that part company or are left behind, and where they mean to find their fleet again. Rules: G.GF3, G.MV1, G.MV4."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetOrder, OnArrival
from campaign.rules.sailing.movement import untowed
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

GROUPS = ("Damaged ships", "Prizes and cripples", "Cripples", "Stragglers", "Prizes", "Aground")
_NUMBERED = re.compile(r" \(\d+\)$")
_LONGEST_NAME = 74  # of the 80 letters of a fleet's name, less a number


def new_code(chart: Chart, side: str) -> str:
    """A code that no fleet of the campaign has yet: it tells side and turn."""
    stem = f"{side}-p{chart.state.turn}-"
    return f"{stem}{1 + sum(known.startswith(stem) for known in chart.state.fleets)}"


def group_name(what: str, fleet: str, taken: Collection[str]) -> str:
    """What ships are called that leave a fleet for one reason: "Cripples of Howard's fleet", never of another such group.

    fleet: the name of the fleet they leave. taken: names of other fleets; a name in use is numbered from 2.
    """
    for known in GROUPS:
        fleet = fleet.removeprefix(f"{known} of ")
    if fleet.startswith("Fleet of "):
        fleet = f"the {fleet}"
    base = f"{what} of {_NUMBERED.sub('', fleet)}"[:_LONGEST_NAME]
    names = (base, *(f"{base} ({number})" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def group_of(chart: Chart, what: str, fleet: FleetState) -> str:
    """The name of a group that leaves a fleet on the chart."""
    taken = {chart.name_of(other) for other in chart.fleets() if other.side == fleet.side}
    return group_name(what, chart.name_of(fleet), taken)


def part(
    chart: Chart, fleet: FleetState, ships: Sequence[ShipState], *, name: str, home: str = ""
) -> FleetState:
    """Make a fleet of ships that have parted from another and mean to join it again. Rules: G.GF3, G.MV4, G.MV5.

    home: the squadron of a ship that parts alone. Of several ships, whole squadrons go as they are, and others make up one of their
    own until they are back.
    """
    state = chart.state
    leaving = {ship.code for ship in ships}
    stay = {ship.squadron for ship in chart.ships_of(fleet.code) if ship.code not in leaving}
    split = tuple((s.code, s.squadron) for s in ships if not home and s.squadron in stay and not s.prize)
    code = new_code(chart, fleet.side)
    order = FleetOrder(
        code,
        stance=Stance.AVOID,
        on_arrival=OnArrival.JOIN,
        instructions=fleet.order.instructions,
    )
    detached = replace(
        fleet,
        code=code,
        order=order,
        path=(),
        under_way=False,
        still_until=0,
        free_until=0,
        free_from=(),
        name=name,
        group="",
        rejoins=fleet.code,
        home=home,
        homes=split,
    )
    state.fleets[code] = detached
    for ship in ships:
        alone = home and not ship.prize or (ship.code, ship.squadron) in split
        squadron = code if alone else ship.squadron
        state.ships[ship.code] = replace(ship, fleet=code, squadron=squadron)
    chart.ships_changed()
    return detached


def left_as(chart: Chart, fleet: FleetState, group: str) -> FleetState:
    """What was left behind, as a group where the campaign plays with them. group: stragglers or cripples. Rule: G.KT1."""
    return chart.alter(fleet, group=group) if chart.facts.settings.fragments == "one group" else fleet


def make_for_rendezvous(chart: Chart, detached: FleetState, fleet: FleetState) -> FleetState:
    """Set a fleet that has parted on its way to where it hopes to meet the other. Rules: G.GF3, G.MV5."""
    place = rendezvous(chart, fleet)
    route = chart.geometry.way(detached.position, place, chart.closed[detached.side])
    return chart.alter(detached, order=replace(detached.order, route=route), path=())


def rendezvous(chart: Chart, fleet: FleetState) -> str:
    """The place that a fleet's instructions name, else the end of its route, else the place nearest to it. Rule: G.MV5."""
    named = fleet.order.instructions.rendezvous
    if named and named not in chart.closed[fleet.side]:
        return named
    return fleet.order.route[-1] if fleet.order.route else chart.geometry.nearest(fleet.position)


def leave_behind(chart: Chart, fleet: FleetState) -> FleetState | None:
    """Leave where they lie the ships that can neither sail nor be towed; a fleet of no others stays. Rules: G.MV1, G.CO3, T.C8."""
    ships = chart.ships_of(fleet.code)
    left = [ships[n] for n in untowed(chart.hulls(fleet.code))]
    if not left or len(left) == len(ships) or chart.in_port(fleet):
        return None
    alone = left[0] if len(left) == 1 else None
    name = chart.facts.ships[alone.code].name if alone else group_of(chart, "Cripples", fleet)
    home = alone.squadron if alone else ""
    detached = left_as(chart, part(chart, fleet, left, name=name, home=home), "cripples")
    chart.tell(
        "left_behind", "G.MV1", fleet.side, fleet=detached.code, parent=fleet.code, name=name,
        ships=[ship.code for ship in left], place=chart.geometry.nearest(fleet.position),
    )  # fmt: skip
    return detached
