"""A ship's sheet as the rules want it. Rule: G.CL2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.rules.chart import types as t

_KINDS = {
    "frigate": t.ShipKind.FRIGATE,
    "scout": t.ShipKind.FRIGATE,
    "cruiser_1": t.ShipKind.FRIGATE,
    "cruiser_2": t.ShipKind.FRIGATE,
    "cruiser_3": t.ShipKind.FRIGATE,
    "destroyer": t.ShipKind.FRIGATE,
    "pinnace": t.ShipKind.SMALL,
    "yacht": t.ShipKind.SMALL,
    "sloop": t.ShipKind.SMALL,
    "gunboat": t.ShipKind.SMALL,
    "torpedo_boat": t.ShipKind.SMALL,
    "merchant": t.ShipKind.MERCHANT,
    "transport": t.ShipKind.MERCHANT,
    "fireship": t.ShipKind.FIRE_SHIP,
}


def ship_kind(ship_type: str) -> t.ShipKind:
    """How a register's ship type cruises. Rules: G.MV1, G.WX4."""
    return _KINDS.get(ship_type, t.ShipKind.LINE)


def pure_sheet(row: Mapping[str, Any]) -> t.ShipSheet:
    """The sheet of a ship from her plain values."""
    values = {name: value for name, value in row.items() if name != "ship_type"}
    return t.ShipSheet(**values, kind=ship_kind(row["ship_type"]))
