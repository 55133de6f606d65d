"""What the pure turn brought about, written into rows. Every function here is called inside the turn's one short transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from battles.models import Battle
from battles.services.fighting import battle_spawn, battle_take_up
from campaign.calendar import chart_time
from campaign.models import Campaign, Contact, Order, Report, Sighting, Station, Turn, WeatherWatch
from campaign.pinned.use import rules_of
from campaign.rules.battle.ongoing import ongoing_code
from campaign.rules.chart import types as t
from campaign.rules.chart.types import FleetOrder, OnArrival
from campaign.rules.orders.standing_orders import parts_left
from campaign.rules.state.documents import event_doc, part_doc
from campaign.rules.turn.knowledge import events_for
from campaign.rules.turn.turn import TurnState, carried_over
from campaign.selectors.turn.facts import order_columns, pure_theatre, turn_facts
from campaign.selectors.turn.stored import state_of
from campaign.services.orders.openings import SOURCE as OPENING
from campaign.services.orders.side_orders import orders_ashore_carry, orders_ashore_copy
from campaign.services.turn.summaries import summaries_write
from campaign.where import latitude_longitude
from fleets.services.battle_records import FoughtBattle


def battles_spawn(
    *, turn: Turn, facts: t.TurnFacts, state: TurnState, calls: Iterable[t.BattleCall]
) -> list[Battle]:
    """Battle rows with their rosters, and the contacts that led to them. Rules: G.BT6, G.CL2."""
    spawned = []
    for call in calls:
        battle = battle_spawn(
            book=turn.campaign.book,
            code=turn.battle_code(call.code),
            reference=turn.reference,
            when=chart_time(facts.start_date, call.hour),
            place=call.place,
            scenario=call.scenario,
            secret=turn.battle_secret,
            navies=sorted(call.fleets),
            route=facts.settings.battle_route,
            seed_code=turn.seed_code(call.code),
        )
        latitude, longitude = _spot(turn, state, call)
        Contact.objects.update_or_create(
            turn=turn,
            code=call.code,
            defaults={
                "hour": call.hour,
                "place": call.place,
                "latitude": latitude,
                "longitude": longitude,
                "fleets": {side: list(codes) for side, codes in call.fleets.items()},
                "battle": battle,
            },
        )
        spawned.append(battle)
    return spawned


def battles_take_up(*, turn: Turn, state: TurnState, battles: Iterable[Battle]) -> list[FoughtBattle]:
    """Mark fought battles as written, in the order of their codes; what they did is in the state. Rules: G.BT2, G.BT4, G.CL2."""
    battles = sorted(battles, key=lambda b: b.code)
    if not battles:
        return []
    ended = {event.data["battle"]: event.hour for event in state.events if event.kind == "battle_ended"}
    rows = Contact.objects.filter(battle__in=battles).values_list("battle_id", "turn__number", "code")
    calls = {key: code if number == turn.number else ongoing_code(number, code) for key, number, code in rows}
    return [
        battle_take_up(
            battle=battle, turn=turn.reference, when=chart_time(turn.campaign.start_date, ended[calls[battle.pk]])
        )
        for battle in battles
    ]  # fmt: skip


def state_write(*, turn: Turn, facts: t.TurnFacts, state: TurnState) -> None:
    """The end of a turn on the chart: stations, weather, sightings, reports, refused orders, the campaign's date."""
    _stations_write(turn, state)
    _weather_write(turn, state)
    _sightings_write(turn, state)
    _reports_write(turn, facts, state)
    for event in state.events:
        if event.kind == "side_order_refused":
            turn.side_orders.filter(side__navy__code=event.data["side"]).update(refused=refusal(event.data))
        if event.kind == "order_refused":
            turn.orders.filter(fleet__code=event.data["fleet"]).update(refused=refusal(event.data))
    left = rules_of(turn)(carried_over)(facts, state)
    days_run = (state.hour - facts.first_hour) // 24
    Campaign.objects.filter(pk=turn.campaign_id).update(
        calendar_day=turn.first_day + days_run, **left, **_ties(facts, state)
    )
    Turn.objects.filter(pk=turn.pk).update(days_run=days_run)


def _ties(facts: t.TurnFacts, state: TurnState) -> dict[str, Any]:
    """Wars and alliances as the calendar has left them, as columns of the campaign; {} where it changed none. Rule: G.CA5."""
    if not state.calendar.ties:
        return {}
    return {
        "hostility": sorted(sorted(pair) for pair in facts.at_war),
        "alliances": sorted(sorted(pair) for pair in facts.allied),
    }


def refusal(data: Mapping[str, Any]) -> str:
    """The reasons of a refused order, as its owner reads them. Rule: G.MV3."""
    return " ".join(f"{text} ({clause})" for _, clause, text in data["faults"])


def standing_orders_carry(*, old: Turn, new: Turn) -> None:
    """Give the new turn what is left of the old one's orders: no order means carry on.

    Detachments and transfers that can no longer be made, because their ships are lost or their fleets apart, are left out.
    Rules: G.MV2, G.MV4.
    """
    state = state_of(old)
    if state is None:
        return
    stations = Station.objects.filter(fleet__navy__book=new.campaign.book, fleet__ended=False)
    rows = []
    opening = dict(old.orders.filter(source=OPENING).values_list("fleet_id", "route")) | _orders_of_arrivals(
        old, state
    )
    for station in stations.select_related("fleet"):
        fleet = state.fleets.get(station.fleet.code)
        if fleet is None:
            continue
        source = _source(fleet.order, opening.get(station.fleet_id))
        rows.append(Order(turn=new, fleet=station.fleet, source=source, **order_columns(fleet.order)))
    Order.objects.bulk_create(rows, ignore_conflicts=True)
    _parts_trim(new)
    orders_ashore_carry(new=new, state=state)


def _orders_of_arrivals(turn: Turn, state: TurnState) -> dict[int, list[str]]:
    """Routes of the orders with which fleets have come by the calendar: they are the opening's too. By id of fleet. Rule: G.CA2."""
    come = {event.data["fleet"] for event in state.events if event.kind == "reinforced"}
    if not come:
        return {}
    routes = {
        row.do["fleet"]: row.do.get("orders", {}).get("route", [])
        for row in turn.campaign.calendar_rows.filter(deed="arrive")
    }
    keys = Station.objects.filter(fleet__navy__book=turn.campaign.book, fleet__code__in=come)
    return {key: routes[code] for key, code in keys.values_list("fleet_id", "fleet__code")}


def _parts_trim(turn: Turn) -> None:
    """Take out of a new turn's standing orders what can no longer leave its fleet. Rule: G.MV4."""
    rows = [row for row in turn.orders.filter(source="standing").select_related("fleet") if row.parts]
    if not rows:
        return
    facts, orders = turn_facts(turn)
    for row in rows:
        kept, fallen = rules_of(turn)(parts_left)(
            facts, facts.fleets[row.fleet.code], orders[row.fleet.code].parts
        )
        if fallen:
            row.parts = [part_doc(part) for part in kept]
            row.save(update_fields=["parts"])


def _source(order: FleetOrder, opening: list[str] | None) -> str:
    """Whose order a carried one is: still the opening's as long as it is not carried out. opening: the route it gave, if any."""
    return OPENING if opening is not None and _unfinished(order, opening) else "standing"


def _unfinished(order: FleetOrder, given: list[str]) -> bool:
    """Whether a fleet still has something to do under an order whose route was `given`: to stay, a way to go, a beat to keep."""
    return not given or bool(order.route) or order.on_arrival is OnArrival.PATROL


def orders_copy(*, old: Turn, new: Turn) -> None:
    """Give a turn the orders that a voided one had, as they were given. Rule: G.UM3."""
    rows = list(old.orders.all())
    for order in rows:
        order.pk, order.turn, order.refused = None, new, ""
    Order.objects.bulk_create(rows)
    orders_ashore_copy(old=old, new=new)


def _stations_write(turn: Turn, state: TurnState) -> None:
    stations = list(
        Station.objects.filter(fleet__navy__book=turn.campaign.book, fleet__ended=False).select_related(
            "fleet"
        )
    )
    for station in stations:
        fleet = state.fleets.get(station.fleet.code)
        if fleet is None:
            continue
        station.at, station.to, station.run = fleet.position.at, fleet.position.to, fleet.position.run
        station.free_until, station.held_by, station.since = fleet.free_until, fleet.held_by, state.hour
    Station.objects.bulk_update(stations, ["at", "to", "run", "free_until", "held_by", "since"])


def _weather_write(turn: Turn, state: TurnState) -> None:
    """The weather of each hour in which it changed; a gale born of a battle comes after the hour's own throws. Rules: G.WX2, G.WX3."""
    rows = {
        (event.hour, event.data["zone"]): WeatherWatch(
            turn=turn,
            hour=event.hour,
            zone=event.data["zone"],
            wind_from=event.data["wind_from"],
            strength=event.data["strength"],
            visibility=event.data["visibility"],
        )
        for event in state.events
        if event.kind in ("weather", "gale")
    }
    WeatherWatch.objects.bulk_create(rows.values(), ignore_conflicts=True)


def _sightings_write(turn: Turn, state: TurnState) -> None:
    sides = {side.code: side for side in turn.campaign.sides.select_related("navy")}
    rows = [
        Sighting(
            turn=turn,
            side=sides[report.side],
            number=report.number,
            hour=report.hour,
            latitude=report.latitude,
            longitude=report.longitude,
            course=report.course,
            band=report.band,
            kinds=list(report.kinds),
            observer=report.observer,
            observers=list(report.observers),
            perhaps=report.perhaps,
            joined=list(report.joined),
            fleet_code=report.fleet,
        )
        for report in state.reports
    ]
    Sighting.objects.bulk_create(rows, ignore_conflicts=True)


def _reports_write(turn: Turn, facts: t.TurnFacts, state: TurnState) -> None:
    """One row a side with what it may know, and one with everything for the umpire, with their summaries. Rule: G.IN1."""
    rows = [Report(turn=turn, side=None, events=[event_doc(e) for e in state.events])]
    use = rules_of(turn)
    for side in turn.campaign.sides.select_related("navy"):
        rows.append(Report(turn=turn, side=side, events=use(events_for)(state, side.code)))
    Report.objects.bulk_create(rows, ignore_conflicts=True)
    summaries_write(reports=rows)


def _spot(turn: Turn, state: TurnState, call: t.BattleCall) -> tuple[int, int]:
    """Where a battle is fought, in hundredths of a degree: where the first of its fleets lies."""
    first = min(code for codes in call.fleets.values() for code in codes)
    return latitude_longitude(pure_theatre(turn.campaign.theatre), state.fleets[first].position)
