"""The one selector that builds a turn's pure facts from the rows. Rule: G.CL2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from campaign.coasts import rings_of
from campaign.models import Campaign, Command, Order, Side, Station, Theatre, Turn
from campaign.pinned.use import land_named
from campaign.rules.chart import types as t
from campaign.rules.chart.land import Land
from campaign.rules.chart.objectives import Opening, Row
from campaign.rules.chart.side_orders import SideOrder, side_order_from
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.state.aims import Aims
from campaign.rules.state.documents import order_doc, order_from
from campaign.rules.state.economy import officer_key
from campaign.rules.state.holdings import Holdings, theatre_now
from campaign.rules.state.world import SCOUTS
from campaign.rules.turn.snapshots import calendar_event, settings_from
from campaign.selectors.sea.chart_paper import coast
from campaign.selectors.turn.coming import coming_events, yet_to_come
from campaign.selectors.turn.ongoing import accepted_outcomes
from campaign.selectors.turn.sheets import pure_sheet
from fleets.selectors.sheets import officer_sheets, ship_sheets, squadron_sheets


def pure_theatre(theatre: Theatre) -> t.Theatre:
    """The theatre as the rules want it, read once a process."""
    return _theatre_by_id(theatre.pk)


def holdings_of(campaign: Campaign) -> Holdings:
    """Who holds which ports, and whose men are ashore, as the last turn left it. Rules: G.LD2, G.LD4."""
    return Holdings.read(campaign.carried.get("holdings", {}))


def ports_taken(campaign: Campaign) -> frozenset[str]:
    """Ports that are in other hands than at first. Rule: G.LD4."""
    holdings = holdings_of(campaign)
    return frozenset(port for port, owner in holdings.owners.items() if owner != holdings.first.get(port))


def theatre_of(campaign: Campaign) -> t.Theatre:
    """A campaign's theatre with its ports as they are held now. Rules: G.CH3, G.LD4."""
    return theatre_now(pure_theatre(campaign.theatre), holdings_of(campaign), campaign.calendar_day * 24)


def theatres_forget() -> None:
    """Read theatres again when they are next wanted: one has been loaded, perhaps in the place of another."""
    _theatre_by_id.cache_clear()


@lru_cache(maxsize=8)
def _theatre_by_id(pk: int) -> t.Theatre:
    theatre = read_theatre(Theatre.objects.get(pk=pk).document)
    return replace(theatre, land=land_of(theatre.code))


@lru_cache(maxsize=8)
def land_of(theatre_code: str) -> Land | None:
    """The land of a theatre's chart, older water cut out of it; None for a theatre that has no coast. Rule: G.SI1."""
    try:
        document = coast(theatre_code)
    except FileNotFoundError:
        return None
    return land_named(Land(lambda: rings_of(document)), theatre_code)


def turn_facts(turn: Turn) -> tuple[t.TurnFacts, dict[str, t.FleetOrder]]:
    """The facts a turn starts from, and the orders given for it, by fleet code. Rules: G.CL2, G.MV2."""
    campaign = turn.campaign
    standing = {order.fleet_id: order for order in turn.orders.all()}
    ships = _ships(campaign)
    fleets = _fleets(campaign, standing, ships)
    orders = {code: fact.order for code, fact in fleets.items()}
    facts = t.TurnFacts(
        campaign=campaign.dice_code,
        turn=turn.number,
        rule_set=campaign.book.rule_set,
        start_date=campaign.start_date,
        first_hour=turn.first_day * 24,
        days=turn.days,
        theatre=theatre_now(pure_theatre(campaign.theatre), holdings_of(campaign), turn.first_day * 24),
        settings=_settings(turn),
        sides={
            side.code: t.SideFacts(side.code, side.name, tuple(side.nations))
            for side in campaign.sides.select_related("navy")
        },
        at_war=frozenset(frozenset(pair) for pair in campaign.hostility),
        fleets=fleets,
        squadrons=_squadrons(campaign),
        ships=ships,
        weather=campaign.weather,
        carried=campaign.carried,
        options=campaign.options,
        side_orders=_side_orders(turn),
        officers=_officers(campaign),
        allied=frozenset(frozenset(pair) for pair in campaign.alliances),
        accepted=_accepted(turn),
        calendar=_calendar(turn),
        objectives=_objectives(turn),
        opening=opening_of(campaign),
    )
    return facts, orders


def _calendar(turn: Turn) -> tuple[t.CalendarEvent, ...]:
    """The events that may come to pass; a rerun has those of the turn that it repeats. Rules: G.CA1, G.UM3."""
    again = turn.repeats
    if again is not None and again.snapshot is not None:
        return tuple(calendar_event(row) for row in again.snapshot.get("calendar", ()))
    return coming_events(turn)


def _officers(campaign: Campaign) -> dict[str, t.OfficerFacts]:
    """Named officers; those that a rollback has sent back until their fleet comes are not there. Rules: G.AF1, G.UM3."""
    waiting = yet_to_come(campaign).officers
    return {
        officer_key(row["side"], row["name"]): t.OfficerFacts(**row)
        for row in officer_sheets(campaign.book)
        if (row["side"], row["name"]) not in waiting
    }


def _settings(turn: Turn) -> t.Settings:
    """The campaign's settings; a rerun is played under those of the turn that it repeats. Rule: G.UM3."""
    again = turn.repeats
    if again is not None and again.snapshot is not None:
        return settings_from(again.snapshot["settings"])
    return settings_from(turn.campaign.settings)


def _objectives(turn: Turn) -> tuple[Row, ...]:
    """The sides' objectives; a rerun has those of the turn that it repeats. Rules: G.OB1, G.UM3."""
    again = turn.repeats
    if again is not None and again.snapshot is not None:
        return tuple(Row.read(row) for row in again.snapshot.get("objectives", ()))
    return objectives_of(turn.campaign)


def objectives_of(campaign: Campaign) -> tuple[Row, ...]:
    """The objectives of a campaign's sides as they are now. One query. Rule: G.OB1."""
    return tuple(Row.read(row) for row in campaign.objectives.values_list("document", flat=True))


def opening_of(campaign: Campaign) -> Opening:
    """What a campaign's sides had on the first day, and its mark. Rule: G.OB2."""
    return Opening.read(campaign.opening)


def aims_of(campaign: Campaign) -> Aims:
    """How far the objectives were when the last turn ended. Rule: G.OB1."""
    return Aims.read(campaign.carried.get("aims", {}))


def _accepted(turn: Turn) -> dict[str, Any]:
    """Outcomes that come in with a turn; a rerun takes those of the turn that it repeats. Rules: G.BT5, G.UM3."""
    again = turn.repeats
    if again is not None and again.snapshot is not None:
        return dict(again.snapshot.get("accepted", {}))
    return accepted_outcomes(turn.campaign)


def _side_orders(turn: Turn) -> dict[str, SideOrder]:
    """What each side shore orders in a turn. Rules: G.RP2, G.PR4."""
    rows = turn.side_orders.select_related("side__navy")
    return {row.side.code: side_order_from({**row.document, "side": row.side.code}) for row in rows}


def _fleets(
    campaign: Campaign, orders: dict[int, Order], ships: dict[str, t.ShipSheet]
) -> dict[str, t.FleetFacts]:
    kinds: dict[str, set[t.ShipKind]] = {}
    for ship in ships.values():
        kinds.setdefault(ship.fleet, set()).add(ship.kind)
    stations = Station.objects.filter(fleet__navy__book=campaign.book, fleet__ended=False)
    admirals = _admirals(campaign)
    found = {}
    for station in stations.select_related("fleet__navy").order_by("fleet__code"):
        fleet = station.fleet
        found[fleet.code] = t.FleetFacts(
            code=fleet.code,
            name=fleet.name,
            side=fleet.navy.code,
            position=t.Position(station.at, station.to, station.run),
            order=pure_order(fleet.code, OrderColumns.of(orders.get(fleet.pk))),
            scout=bool(kinds.get(fleet.code)) and kinds[fleet.code] <= SCOUTS,
            free_until=station.free_until,
            held_by=station.held_by,
            admiral=admirals.get(fleet.code, ""),
        )
    return found


def _admirals(campaign: Campaign) -> dict[str, str]:
    """Who commands each fleet, by its code, where admirals know of their own fleets first; else nobody is asked. Rules: G.IN4, G.IG1."""
    if settings_from(campaign.settings).knowledge != "by ship":
        return {}
    rows = Command.objects.filter(membership__campaign=campaign, membership__left=None)
    return dict(rows.values_list("fleet__code", "membership__user__username"))


class OrderColumns(NamedTuple):
    """What a fleet is to do, as an order's row has it; without any it stays and holds. See `Order` for the documents in it."""

    route: Sequence[str] = ()
    stance: str = "hold"
    on_arrival: str = "anchor"
    instructions: Mapping[str, Any] = MappingProxyType({})
    target: str = ""
    parts: Sequence[Mapping[str, Any]] = ()

    @classmethod
    def of(cls, order: Order | None) -> OrderColumns:
        """Those of a stored order, or of none."""
        return cls() if order is None else cls(*(getattr(order, name) for name in cls._fields))

    def documents(self) -> dict[str, Any]:
        """By name, fit to be stored."""
        plain = {
            "route": list(self.route),
            "instructions": dict(self.instructions),
            "parts": list(self.parts),
        }
        return {**self._asdict(), **plain}


def pure_order(fleet_code: str, order: OrderColumns) -> t.FleetOrder:
    """An order as the rules want it."""
    return order_from({"fleet": fleet_code, **order.documents()})


def order_columns(order: t.FleetOrder) -> dict[str, Any]:
    """An order of the rules as the columns of its row."""
    doc = order_doc(order)
    return {name: doc[name] for name in OrderColumns._fields}


def told_instructions(turn: Turn, side: Side) -> dict[str, t.Instructions]:
    """The battle instructions that someone last gave the fleets of a side, by fleet: a player, or the opening. One query. Rule: G.MV5."""
    given = Order.objects.filter(
        turn__campaign=turn.campaign_id,
        turn__number__lte=turn.number,
        fleet__navy=side.navy_id,
        fleet__ended=False,
    )
    rows = (
        given.exclude(source__in=("admiral", "standing"))
        .select_related("fleet")
        .order_by("turn__number", "pk")
    )
    return {row.fleet.code: pure_order(row.fleet.code, OrderColumns.of(row)).instructions for row in rows}


def _squadrons(campaign: Campaign) -> dict[str, t.SquadronFacts]:
    return {row["code"]: t.SquadronFacts(**row) for row in squadron_sheets(campaign.book)}


def _ships(campaign: Campaign) -> dict[str, t.ShipSheet]:
    return {row["code"]: pure_sheet(row) for row in ship_sheets(campaign.book)}
