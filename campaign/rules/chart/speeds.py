"""How fast ships go on the chart by kind and register, under sail and under steam. Rules: G.MV1, G.ST1, G.ST2."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from campaign.rules.chart.types import Settings, ShipKind


def sailing_knots(settings: Settings, kind: ShipKind) -> Fraction:
    """Cruising speed of a ship that sails, in knots. Rule: G.MV1."""
    if kind is ShipKind.MERCHANT:
        return Fraction(settings.knots_merchant)
    fast = kind in (ShipKind.FRIGATE, ShipKind.SMALL)
    return Fraction(settings.knots_frigate if fast else settings.knots_line)


def steaming_knots(settings: Settings, kind: ShipKind, facts: Mapping[str, Any]) -> int:
    """Cruising speed of a steamer, in whole knots: a share of the register's trial speed, within bounds. Rule: G.ST1."""
    cruising = _trial(settings, kind, facts) * settings.steam_cruising_percent // 100
    return max(settings.steam_least, min(settings.steam_most, cruising))


def full_knots(settings: Settings, kind: ShipKind, facts: Mapping[str, Any]) -> int:
    """Speed of a steamer in a chase, in whole knots, never below her cruising speed. Rule: G.ST2."""
    full = _trial(settings, kind, facts) * settings.steam_full_percent // 100
    return max(int(full), steaming_knots(settings, kind, facts))


def _trial(settings: Settings, kind: ShipKind, facts: Mapping[str, Any]) -> Fraction:
    """Trial speed in knots: the register's, else the settings' figure for such ships. Rule: G.ST1."""
    known = facts.get("speed_knots")
    if known:
        return Fraction(str(known))
    return Fraction(settings.trial_merchant if kind is ShipKind.MERCHANT else settings.trial_warship)
