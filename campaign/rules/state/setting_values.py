"""What each setting may be: texts as an umpire types them, read or refused with a sentence. Rule: G.UM1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from campaign.rules.chart.types import Settings

CHOICES = {
    "end_turn_on": ("none", "battle", "first_sighting"),
    "stores": ("off", "on"),
    "flight": ("on", "off"),
    "after_battle_default": ("auto", "renew"),
    "objectives": ("on", "off"),
    "decisive": ("ends", "tells", "asks"),
    "calendar": ("acts", "text"),
    "landings": ("on", "off"),
    "one_report": ("on", "off"),
    "fragments": ("one group", "as thrown"),
    "muster": ("auto", "ask", "never"),
    "duties": ("on", "off"),
    "orders_in_parts": ("on", "off"),
    "knowledge": ("shared", "by ship"),
    "news": ("travels", "at once"),
    "battle_route": ("engine", "table"),
    "campaign_waits": ("no", "yes"),
    "after_outage": ("shift", "hold", "run"),
}
# Values that campaigns may have stored and no one can choose now, with what they are read as. Rule: G.BT1.
_READ_AS = {("battle_route", "orders"): "table"}
# What campaigns play by that began before these settings came in. Rules: G.KT1, G.KT3, G.KT4, G.KT6, G.OB1, G.CA1, G.LD1, G.IG1, G.AA1,
# G.AA6, G.UM3.
AS_BEFORE: Mapping[str, Any] = {
    "flight": "off",
    "after_battle_default": "renew",
    "objectives": "off",
    "calendar": "text",
    "landings": "off",
    "one_report": "off",
    "fragments": "as thrown",
    "muster": "never",
    "duties": "off",
    "orders_in_parts": "off",
}
_DATES = frozenset({"end_date"})
# A die is 1 to 6; one more or one less than that is always, or never.
_DIE = (0, 7)
_PERCENT = (0, 100)
_RANGES = {
    "turn_days": (1, 28),
    "nightfall": (12, 23),
    "carried_degrees": (0, 180),
    "scatter_dice": (1, 20),
    "company_miles": (1, 20),
    "steam_least": (1, 40),
    "steam_most": (1, 40),
    "trial_warship": (1, 40),
    "trial_merchant": (1, 40),
    "coal_line": (1, 1_000),
    "coal_cruiser": (1, 1_000),
    "coal_flotilla": (1, 1_000),
    "coal_merchant": (1, 1_000),
    "coal_hold": (0, 10_000),
    "coal_chase": (1, 24),
    "coal_crawl": (1, 10),
    "guard_share": (1, 100),
    "yard_days": (1, 100),
    "salvage_eighths": (0, 8),
    "dispatch_miles": (1, 2_000),
    "blockade_miles": (1, 12),
    "coast_miles": (0, 40),
    "convoy_percent": (0, 1_000),
    "objective_percent": (0, 1_000),
    "at_miles": (1, 60),
    "least_squadron": (1, 20),
    "mine_sections": (1, 6),
    "mine_ships": (1, 20),
}
_ANY = (0, 100_000)
_DEFAULTS = {field.name: field.default for field in fields(Settings)}


def setting_range(name: str) -> tuple[int, int]:
    """Least and greatest of a whole number. Raises KeyError for an unknown setting."""
    if name not in _DEFAULTS:
        raise KeyError(name)
    if name in _RANGES:
        return _RANGES[name]
    if name.endswith("_at") or name.startswith("see_at"):
        return _DIE
    return _PERCENT if name.endswith("_percent") else _ANY


def stored_value(name: str, value: Any) -> Any:
    """A setting's value as it was stored; one that is no longer offered is read as what takes its place."""
    return _READ_AS.get((name, value), value)


def setting_value(name: str, typed: str) -> Any:
    """A setting's value from what was typed. Raises ValueError with a sentence, KeyError for an unknown setting. Rule: G.UM1."""
    default, typed = _DEFAULTS[name], typed.strip()
    if name in CHOICES:
        if typed not in CHOICES[name]:
            raise ValueError(f"Choose one of {', '.join(CHOICES[name])}, not {typed!r}.")
        return typed
    if name in _DATES:
        return _date(typed)
    if isinstance(default, str):
        return _decimal(typed)
    least, most = setting_range(name)
    try:
        value = int(typed)
    except ValueError:
        raise ValueError(f"Enter a whole number from {least} to {most}, not {typed!r}.") from None
    if not least <= value <= most:
        raise ValueError(f"Enter a whole number from {least} to {most}, not {value}.")
    return value


def _date(typed: str) -> str:
    if not typed:
        return ""
    try:
        return date.fromisoformat(typed).isoformat()
    except ValueError:
        raise ValueError(f"Enter a date such as 1666-07-31, not {typed!r}.") from None


def _decimal(typed: str) -> str:
    try:
        value = Decimal(typed)
    except InvalidOperation:
        raise ValueError(f"Enter a number such as 4.5, not {typed!r}.") from None
    if not value.is_finite() or not 0 < value <= 100:
        raise ValueError(f"Enter a number above 0 and up to 100, not {typed!r}.")
    return f"{value.normalize():f}"
