"""What the calendar brings: fleets that join a side, convoys that gather, armies that may embark. Rules: G.CA2, G.CA4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.scenario import Stance
from campaign.rules.aims.marks import mark_points
from campaign.rules.chart.types import CalendarEvent, FleetOrder, Position, ShipSheet
from campaign.rules.landing.stowage import load
from campaign.rules.orders.orders import path_of, with_port
from campaign.rules.state.documents import order_from
from campaign.rules.state.duties import Convoy
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

NO_PORT, NO_FLEET, NO_ROOM = "no port", "no fleet", "no room"


def fleet_arrives(chart: Chart, event: CalendarEvent) -> str:
    """A fleet comes at 06:00, with full complement and stores, under the orders of its row. Rule: G.CA2."""
    place = haven(chart, event, "place")
    if not place:
        return NO_PORT
    do = event.do
    order = order_from({**do.get("orders", {}), "fleet": do["fleet"]})
    if place != do["place"]:  # its way began elsewhere
        order = FleetOrder(do["fleet"], stance=order.stance, instructions=order.instructions)
    _put(chart, event, do["fleet"], do["name"], place, order)
    _tell(chart, event, "reinforced", "G.CA2", fleet=do["fleet"], place=place)
    return ""


def convoy_gathers(chart: Chart, event: CalendarEvent) -> str:
    """Merchants with a cargo lie where they start until their day, then sail by the shortest way. Rules: G.CA4, G.CV1."""
    place = haven(chart, event, "start")
    if not place:
        return NO_PORT
    do, side = event.do, event.side
    route = chart.geometry.route(place, do["destination"], chart.closed[side])
    order = FleetOrder(do["code"], route, Stance.AVOID)
    _put(chart, event, do["code"], do["name"], place, order, off_until=do["sails"])
    value = int(mark_points(chart.facts, do["marks"])) if "marks" in do else do["value"]
    codes = sorted(ship.code for ship in event.brings.ships)
    chart.state.duties.load(do["code"], codes, value, do["destination"], side)
    _tell(chart, event, "convoy_gathers", "G.CA4", fleet=do["code"], place=place, to=do["destination"])
    return ""


def army_stands(chart: Chart, event: CalendarEvent) -> str:
    """Men stand at a port, with boats of their own if they have any, or are aboard a fleet. Rules: G.CA4, G.LD1."""
    do, troops = event.do, chart.state.troops
    if "fleet" in do:
        return _aboard(chart, event)
    place = haven(chart, event, "port")
    if not place:
        return NO_PORT
    troops.gather(event.side, place, do["men"], do.get("embark", 0))
    boats = do.get("boats")
    if boats:
        _put(chart, event, boats["fleet"], boats["name"], place, FleetOrder(boats["fleet"]))
        codes = sorted(ship.code for ship in event.brings.ships)
        # they carry, and are no fighting ships
        chart.state.duties.convoys[boats["fleet"]] = Convoy(tuple(codes))
        troops.boats |= dict(zip(codes, _in_equal_parts(do["men"], len(codes)), strict=True))
        _tell(
            chart, event, "army_ready", "G.CA4", fleet=boats["fleet"], name=boats["name"], place=place,
            men=do["men"], boats=len(codes),
        )  # fmt: skip
    else:
        chart.tell("army_ready", "G.CA4", *event.known, side=event.side, place=place, men=do["men"])
    return ""


def _aboard(chart: Chart, event: CalendarEvent) -> str:
    """Men are aboard a fleet, as many as it has room for. Rules: G.CA4, G.LD1."""
    do, code = event.do, event.do["fleet"]
    fleet = chart.state.fleets.get(code)
    if fleet is None or fleet.ended or fleet.side != event.side:
        return NO_FLEET
    men = load(chart, fleet, do["men"])
    if not men:
        return NO_ROOM
    chart.tell(
        "army_ready", "G.CA4", *event.known, fleet=code, side=event.side, name=chart.name_of(fleet), men=men
    )
    return ""


def haven(chart: Chart, event: CalendarEvent, field: str) -> str:
    """Where an event takes place: where its row says, or if that port is the enemy's by then, at `else`.

    Without a port of that name, or if the enemy has it too, it is the side's own port nearest by sea; "" if the side has none.
    field: of the row. Rules: G.CA2, G.CA4.
    """
    closed = chart.closed[event.side]
    for place in (event.do[field], event.do.get("else", "")):
        if place and place not in closed:
            return str(place)
    return chart.nearest_own_port(Position(event.do[field]), event.side)


def _put(
    chart: Chart,
    event: CalendarEvent,
    code: str,
    name: str,
    place: str,
    order: FleetOrder,
    *,
    off_until: int = 0,
) -> None:
    """Put a fleet on the chart with the ships that an event brings."""
    chart.facts_changed()
    position = Position(place)
    chart.state.fleets[code] = FleetState(
        code=code, side=event.side, position=position, order=with_port(order),
        path=path_of(position, order.route, ()), off_until=off_until, name=name,
    )  # fmt: skip
    for sheet in event.brings.ships:
        chart.state.ships[sheet.code] = fresh(sheet)
    chart.ships_changed()


def fresh(sheet: ShipSheet) -> ShipState:
    """A ship as a turn finds her."""
    return ShipState(
        code=sheet.code,
        side=sheet.side,
        fleet=sheet.fleet,
        squadron=sheet.squadron,
        condition=dict(sheet.condition),
        men=sheet.men,
        captain=sheet.captain,
        order=sheet.order,
        prize=sheet.prize,
    )


def _in_equal_parts(whole: int, parts: int) -> list[int]:
    """A number in equal parts, the odd ones to the first."""
    share, odd = divmod(whole, parts)
    return [share + (n < odd) for n in range(parts)]


def _tell(chart: Chart, event: CalendarEvent, kind: str, clause: str, **data: Any) -> None:
    told: Mapping[str, Any] = {"name": event.do.get("name", ""), **data}
    ships = [ship.code for ship in event.brings.ships]
    chart.tell(kind, clause, *event.known, side=event.side, ships=ships, **told)
