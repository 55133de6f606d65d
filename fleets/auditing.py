"""What an audit reads of the fleets room: a fixed number of queries each, however many ships there are."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from fleets.models import Book, Prize, RepairJob, ServiceRecord

PRIZES_OPEN = (Prize.Status.SAILING, Prize.Status.IN_PORT, Prize.Status.CONDEMNED)


def books_of_ships(book: Book) -> list[dict[str, Any]]:
    """Every ship of a book as plain values, for an audit: where it is, whose, in what state, and whether it was mustered. Two queries."""
    entered = ServiceRecord.objects.filter(ship__book=book, kind__in=("mustered", "convoy"), void="")
    mustered = set(entered.values_list("ship_id", flat=True))
    rows = book.ships.order_by("code").values(
        "pk", "code", "name", "fate", "prize", "men", "complement", "condition", navy_code=F("navy__code"),
        fleet=F("squadron__fleet__code"), fleet_navy=F("squadron__fleet__navy__code"),
        fleet_ended=F("squadron__fleet__ended"),
    )  # fmt: skip
    return [
        {**row, "navy": row["navy_code"], "fleet": row["fleet"] or "", "mustered": row["pk"] in mustered}
        for row in rows
    ]


def open_prizes(book: Book) -> list[dict[str, str]]:
    """Captures that are not settled yet: ship and captor by code. One query."""
    rows = Prize.objects.filter(ship__book=book, void="", status__in=PRIZES_OPEN)
    pairs = rows.order_by("ship__code").values_list("ship__code", "captor__code")
    return [{"ship": ship, "captor": captor} for ship, captor in pairs]


def yard_places(book: Book) -> list[tuple[str, str, int]]:
    """Berths that are taken, as (navy, port, number). One query."""
    jobs = RepairJob.objects.filter(book=book, berth__gt=0)
    return [
        (navy, place, berth or 0) for navy, place, berth in jobs.values_list("navy__code", "place", "berth")
    ]


def fought_records(book: Book) -> dict[str, dict[str, int]]:
    """How often each ship's ledger mentions each battle, by battle and ship; void entries are passed over. One query."""
    rows = ServiceRecord.objects.filter(ship__book=book, kind="fought", void="", corrects=None)
    found: dict[str, dict[str, int]] = {}
    for battle, ship in rows.values_list("battle", "ship__code"):
        ships = found.setdefault(battle, {})
        ships[ship] = ships.get(ship, 0) + 1
    return found
