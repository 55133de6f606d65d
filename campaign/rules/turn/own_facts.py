"""A turn's facts without what one side may not know: for an admiral who is to know no more than a player. Rules: G.AA5, G.IN1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaign.rules.chart.types import TurnFacts
from campaign.rules.state.economy import Economy
from campaign.rules.state.minefields import Mines


def own_facts(facts: TurnFacts, side: str) -> TurnFacts:
    """The facts of a turn with one side's own fleets, ships, officers and affairs ashore alone. Raises KeyError for an unknown side."""
    nations = facts.sides[side].nations
    ships = {code: ship for code, ship in facts.ships.items() if ship.side == side}
    fleets = {code: fleet for code, fleet in facts.fleets.items() if fleet.side == side}
    return replace(
        facts,
        fleets=fleets,
        ships=ships,
        squadrons={code: row for code, row in facts.squadrons.items() if row.fleet in fleets},
        officers={key: row for key, row in facts.officers.items() if row.side == side},
        side_orders={code: order for code, order in facts.side_orders.items() if code == side},
        carried=_carried(facts.carried, side, nations, ships.keys(), fleets.keys()),
        objectives=tuple(row for row in facts.objectives if row.public or row.side == side),
        calendar=(),
        accepted={},
    )


def _carried(
    doc: Mapping[str, Any], side: str, nations: tuple[str, ...], ships: Any, fleets: Any
) -> dict[str, Any]:
    """What goes on from turn to turn, of one side: its fleets, reports, marks and economy."""
    kept = {name: doc[name] for name in ("gales", "storms", "mustered", "holdings") if name in doc}
    return {
        **kept,
        "fleets": {code: row for code, row in doc.get("fleets", {}).items() if code in fleets},
        "reports": [row for row in doc.get("reports", ()) if row["side"] == side],
        "marks": {code: row for code, row in doc.get("marks", {}).items() if code in ships},
        "prizes": {code: row for code, row in doc.get("prizes", {}).items() if code in ships},
        "guests": {code: hour for code, hour in doc.get("guests", {}).items() if code in fleets},
        "duties": _duties(doc.get("duties", {}), side, ships),
        "troops": _troops(doc.get("troops", {}), side, ships),
        **({"hauls": [row for row in doc["hauls"] if row["side"] == side]} if doc.get("hauls") else {}),
        **_mines(doc.get("mines", {}), side, ships),
        "economy": _economy(doc.get("economy", {}), side, ships),
    }


def _duties(doc: Mapping[str, Any], side: str, ships: Any) -> dict[str, Any]:
    return {
        "cargoes": {code: row for code, row in doc.get("cargoes", {}).items() if row["side"] == side},
        "interned": {code: row for code, row in doc.get("interned", {}).items() if row["side"] == side},
    }


def _troops(doc: Mapping[str, Any], side: str, ships: Any) -> dict[str, Any]:
    return {
        "armies": [row for row in doc.get("armies", ()) if row[0] == side],
        "aboard": {code: men for code, men in doc.get("aboard", {}).items() if code in ships},
        "boats": {code: men for code, men in doc.get("boats", {}).items() if code in ships},
    }


def _mines(doc: Mapping[str, Any], side: str, ships: Any) -> dict[str, Any]:
    """The minefields that a side knows of, and what its own minelayers have aboard. Rule: G.MN1."""
    if not doc:
        return {}
    whole = Mines.read(doc)
    whole.fields = {code: row for code, row in whole.fields.items() if row.known_to(side)}
    whole.fields = {code: replace(row, known=()) for code, row in whole.fields.items()}
    whole.aboard = {code: count for code, count in whole.aboard.items() if code in ships}
    return {"mines": replace(whole, fought={}, laid=len(whole.fields)).doc()}


def _economy(doc: Mapping[str, Any], side: str, ships: Any) -> dict[str, Any]:
    """A side's affairs ashore: the prizes and prisoners that it holds, its men, its money and its orders."""
    whole = Economy.read(doc)

    def of_ships(table: Mapping[str, Any]) -> dict[str, Any]:
        return {code: row for code, row in table.items() if code in ships}

    def of_side(table: Mapping[str, Any]) -> dict[str, Any]:
        return {code: row for code, row in table.items() if code == side}

    return Economy(
        funds=of_side(whole.funds),
        earned=of_side(whole.earned),
        jobs=of_ships(whole.jobs),
        prizes={code: case for code, case in whole.prizes.items() if case.captor == side},
        prisoners={key: men for key, men in whole.prisoners.items() if key[0] == side},
        ashore={key: men for key, men in whole.ashore.items() if key[0] == side},
        captives=of_ships(whole.captives),
        mended=whole.mended & frozenset(ships),
        stores=of_ships(whole.stores),
        coal=of_ships(whole.coal),
        orders=of_side(whole.orders),
    ).doc()
