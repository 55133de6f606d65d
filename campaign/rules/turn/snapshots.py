"""A turn's facts and orders as JSON, so that a turn can be played on, replayed and rolled back from what was stored at its start.

The theatre is left out: it is named by code, and who holds its ports now is in what the last turn left. Rules: G.CL2, G.LD4, G.UM3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from battles.engine.core.errors import SchemaError
from campaign.rules.chart.objectives import Opening, Row
from campaign.rules.chart.side_orders import side_order_doc, side_order_from
from campaign.rules.chart.types import (
    Brought,
    CalendarEvent,
    FleetFacts,
    FleetOrder,
    OfficerFacts,
    Position,
    Settings,
    ShipKind,
    ShipSheet,
    SideFacts,
    SquadronFacts,
    Theatre,
    TurnFacts,
)
from campaign.rules.state.documents import order_from
from campaign.rules.state.economy import officer_key
from campaign.rules.state.holdings import Holdings, theatre_now
from campaign.rules.state.setting_values import AS_BEFORE, stored_value

SCHEMA = 1


def facts_to_dict(facts: TurnFacts, orders: Mapping[str, FleetOrder]) -> dict[str, Any]:
    """Facts and the orders sent for a turn as one JSON document, rows in the order of their codes."""
    return {
        "schema": SCHEMA,
        "campaign": facts.campaign,
        "turn": facts.turn,
        "rule_set": facts.rule_set,
        "start_date": facts.start_date,
        "first_hour": facts.first_hour,
        "days": facts.days,
        "theatre": facts.theatre.code,
        "settings": asdict(facts.settings),
        "sides": _rows(facts.sides),
        "at_war": sorted(sorted(pair) for pair in facts.at_war),
        "allied": sorted(sorted(pair) for pair in facts.allied),
        "fleets": _rows(facts.fleets),
        "squadrons": _flat_rows(facts.squadrons),
        "ships": _flat_rows(facts.ships),
        "weather": dict(facts.weather),
        "carried": dict(facts.carried),
        "options": dict(facts.options),
        "accepted": {code: dict(facts.accepted[code]) for code in sorted(facts.accepted)},
        "orders": _rows(orders),
        "side_orders": [side_order_doc(facts.side_orders[side]) for side in sorted(facts.side_orders)],
        "officers": _flat_rows(facts.officers),
        "calendar": [asdict(event) for event in facts.calendar],
        "objectives": [row.doc() for row in facts.objectives],
        "opening": facts.opening.doc(),
    }


def facts_from_dict(doc: Mapping[str, Any], theatre: Theatre) -> tuple[TurnFacts, dict[str, FleetOrder]]:
    """Read back what `facts_to_dict` wrote. Raises SchemaError on another schema number or theatre."""
    if doc.get("schema") != SCHEMA:
        raise SchemaError(f"facts of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
    if doc["theatre"] != theatre.code:
        raise SchemaError(f"facts of the theatre {doc['theatre']!r}, not of {theatre.code!r}")
    facts = TurnFacts(
        campaign=doc["campaign"],
        turn=doc["turn"],
        rule_set=doc["rule_set"],
        start_date=doc["start_date"],
        first_hour=doc["first_hour"],
        days=doc["days"],
        theatre=theatre_now(theatre, Holdings.read(doc["carried"].get("holdings", {})), doc["first_hour"]),
        settings=stored_settings(doc["settings"]),
        sides={
            row["code"]: SideFacts(row["code"], row["name"], tuple(row["nations"])) for row in doc["sides"]
        },
        at_war=frozenset(frozenset(pair) for pair in doc["at_war"]),
        allied=frozenset(frozenset(pair) for pair in doc["allied"]),
        fleets={row["code"]: _fleet(row) for row in doc["fleets"]},
        squadrons={row["code"]: SquadronFacts(**row) for row in doc["squadrons"]},
        ships={row["code"]: _sheet(row) for row in doc["ships"]},
        weather=doc["weather"],
        carried=doc["carried"],
        options=doc["options"],
        side_orders={row["side"]: side_order_from(row) for row in doc.get("side_orders", ())},
        officers={
            officer_key(row["side"], row["name"]): OfficerFacts(**row) for row in doc.get("officers", ())
        },
        accepted=doc.get("accepted", {}),
        calendar=tuple(calendar_event(row) for row in doc.get("calendar", ())),
        objectives=tuple(Row.read(row) for row in doc.get("objectives", ())),
        opening=Opening.read(doc.get("opening", {})),
    )
    return facts, {row["fleet"]: order_from(row) for row in doc["orders"]}


def settings_from(changed: Mapping[str, Any]) -> Settings:
    """Settings with the umpire's changes over the defaults; names that are not settings are passed over.

    Values that are no longer offered are read as what takes their place.
    """
    known = {field.name for field in fields(Settings)}
    return Settings(**{name: stored_value(name, value) for name, value in changed.items() if name in known})


def stored_settings(doc: Mapping[str, Any]) -> Settings:
    """Every setting as a turn's facts have it; one that came in later is as it was before. Rule: G.UM3."""
    return settings_from({**AS_BEFORE, **doc})


def _rows(rows: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [asdict(rows[code]) for code in sorted(rows)]


def _flat_rows(rows: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The same of values whose fields are documents already: hundreds of cards need not be taken apart."""
    names = [field.name for field in fields(next(iter(rows.values())))] if rows else []
    return [{name: getattr(rows[code], name) for name in names} for code in sorted(rows)]


def _sheet(row: Mapping[str, Any]) -> ShipSheet:
    return ShipSheet(**{**row, "kind": ShipKind(row["kind"])})


def calendar_event(row: Mapping[str, Any]) -> CalendarEvent:
    """An event of the calendar as the rules want it, from its document. Rule: G.CA1."""
    brings = row.get("brings", {})
    brought = Brought(
        tuple(_sheet(sheet) for sheet in brings.get("ships", ())),
        tuple(SquadronFacts(**sheet) for sheet in brings.get("squadrons", ())),
        tuple(OfficerFacts(**sheet) for sheet in brings.get("officers", ())),
    )
    return CalendarEvent(**{**row, "known": tuple(row.get("known", ())), "brings": brought})


def _fleet(row: Mapping[str, Any]) -> FleetFacts:
    return FleetFacts(
        **{**row, "position": Position(**row["position"]), "order": order_from(row["order"])},
    )
