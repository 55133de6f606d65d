"""A book as plain values for a turn's facts, and a fleet as pages list it: a fixed number of queries each, however many ships there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from battles.engine.core.fates import Fate
from fleets.models import (
    Book,
    Fleet,
    Officer,
    Ship,
    Squadron,
)


@dataclass(frozen=True, slots=True)
class FleetSheet:
    """A fleet with its squadrons that have ships, van first, each with its ships in the order of sailing."""

    fleet: Fleet
    squadrons: tuple[tuple[Squadron, tuple[Ship, ...]], ...]

    @property
    def ships(self) -> int:
        """How many ships it has."""
        return sum(len(ships) for _, ships in self.squadrons)


def ship_sheets(book: Book) -> list[dict[str, Any]]:
    """Every ship of a book that sails, in the order of codes, as plain values for a turn's facts. One query."""
    rows = book.ships.filter(
        fate=Fate.AFLOAT.value, squadron__isnull=False, squadron__fleet__ended=False
    ).order_by("code")
    names = (_ELSEWHERE.get(name, name) for name in _SHEET)
    return [dict(zip(_SHEET, row, strict=True)) for row in rows.values_list(*names)]


_SHEET = (
    "code", "name", "side", "fleet", "squadron", "ship_type", "card", "condition", "facts", "complement", "men", "captain", "order",
    "prize",
)  # fmt: skip
_ELSEWHERE = {"side": "navy__code", "fleet": "squadron__fleet__code", "squadron": "squadron__code"}


def ship_sheet(ship: Ship) -> dict[str, Any]:
    """A ship that sails with a squadron, as plain values for a turn's facts; it need not be saved."""
    squadron = ship.squadron
    assert squadron is not None
    return {
        "code": ship.code,
        "name": ship.name,
        "side": ship.navy.code,
        "fleet": squadron.fleet.code,
        "squadron": squadron.code,
        "ship_type": ship.ship_type,
        "card": ship.card,
        "condition": ship.condition,
        "facts": ship.facts,
        "complement": ship.complement,
        "men": ship.men,
        "captain": ship.captain,
        "order": ship.order,
        "prize": ship.prize,
    }


def squadron_sheets(book: Book) -> list[dict[str, Any]]:
    """Every squadron of a book that has ships, in the order of codes, with its serving flag officer. Two queries."""
    rows = (
        Squadron.objects.filter(fleet__navy__book=book, fleet__ended=False, ships__fate=Fate.AFLOAT.value)
        .select_related("fleet", "flagship")
        .distinct()
    )
    officers: dict[int, str] = {}
    serving = Officer.objects.filter(
        navy__book=book, flag_rank=True, status=Officer.Status.SERVING, ship__isnull=False
    )
    for ship_id, name in serving.order_by("seniority", "name").values_list("ship_id", "name"):
        officers.setdefault(ship_id or 0, name)
    return [
        squadron_sheet(squadron, squadron.flagship, officers.get(squadron.flagship_id or 0, ""))
        for squadron in rows.order_by("code")
    ]


def squadron_sheet(squadron: Squadron, flagship: Ship | None, officer: str) -> dict[str, Any]:
    """A squadron as plain values for a turn's facts; it need not be saved. officer: who flies a flag in it, "" for no one."""
    return {
        "code": squadron.code,
        "name": squadron.name,
        "fleet": squadron.fleet.code,
        "flagship": flagship.code if flagship else "",
        "officer": officer,
        "order": squadron.order,
    }


def estimated_complements(book: Book) -> frozenset[str]:
    """Codes of the ships whose complement no register gives. One query. Rule: G.CR1."""
    return frozenset(book.ships.filter(complement_estimated=True).values_list("code", flat=True))


def officer_sheets(book: Book) -> list[dict[str, Any]]:
    """Every named officer of a book as plain values for a turn's facts. One query. Rule: G.AF1."""
    rows = Officer.objects.filter(navy__book=book).order_by("navy__code", "name")
    columns = ("name", "navy__code", "flag_rank", "seniority", "ship__code", "status")
    return [officer_sheet(*row) for row in rows.values_list(*columns)]


def officer_sheet(
    name: str, side: str, flag_rank: bool, seniority: int, ship: str | None, status: str
) -> dict[str, Any]:
    """An officer as plain values for a turn's facts. ship: code, None ashore."""
    return {
        "name": name,
        "side": side,
        "flag_rank": flag_rank,
        "seniority": seniority,
        "ship": ship or "",
        "status": status,
    }


def fleet_with_ships(fleet_id: int) -> FleetSheet:
    """A fleet for its page, in four queries. Raises Fleet.DoesNotExist."""
    afloat = (
        Ship.objects.filter(fate=Fate.AFLOAT.value).prefetch_related("officers").order_by("order", "code")
    )
    squadrons = Squadron.objects.select_related("flagship").prefetch_related(
        Prefetch("ships", queryset=afloat)
    )
    fleet = (
        Fleet.objects.select_related("navy__nation", "navy__book")
        .prefetch_related(Prefetch("squadrons", queryset=squadrons.order_by("order", "code")))
        .get(pk=fleet_id)
    )
    bodies = ((squadron, tuple(squadron.ships.all())) for squadron in fleet.squadrons.all())
    return FleetSheet(fleet, tuple((squadron, ships) for squadron, ships in bodies if ships))
