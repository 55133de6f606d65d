"""What is known of one ship or of a navy's ships: history, officers, repairs, prizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Sum

from battles.engine.core.scenario import GUNS_ESTIMATED, ShipFacts
from fleets.facts import facts_from
from fleets.models import (
    Book,
    Navy,
    Officer,
    OfficerRecord,
    Prize,
    RepairJob,
    ServiceRecord,
    Ship,
)
from fleets.record_words import officer_sentence, sentence

FACTS = (
    ("built_by", "Built by", ""),
    ("year_built", "Launched", ""),
    ("rate", "Rate", ""),
    ("guns", "Guns", ""),
    ("gun_detail", "Armament", ""),
    ("broadside_lb", "Weight of broadside", " lb"),
    ("tons_burthen", "Burthen", " tons"),
    ("displacement_tons", "Displacement", " tons"),
    ("crew", "Crew", " men"),
    ("speed_knots", "Speed", " knots"),
)


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry of a ship's ledger with its words. corrected_by: the entry that corrects it, "" for one not corrected."""

    record: ServiceRecord
    words: str
    corrected_by: str = ""


@dataclass(frozen=True, slots=True)
class OfficerLife:
    """An officer with the entries of their record, oldest first, as (chart time, sentence)."""

    officer: Officer
    entries: tuple[tuple[str, str], ...]


def officers_aboard(ship: Ship) -> list[OfficerLife]:
    """The officers in a ship, flags first, each with their record. Two queries. Rules: G.AF1, G.SV1."""
    records = OfficerRecord.objects.filter(void="").order_by("when", "pk")
    rows = ship.officers.prefetch_related(Prefetch("records", queryset=records))
    return [
        OfficerLife(row, tuple((record.when, officer_sentence(record)) for record in row.records.all()))
        for row in rows.order_by("-flag_rank", "seniority", "name")
    ]


def repair_job_of(ship: Ship) -> RepairJob | None:
    """A ship's entry in the books of a yard, None when it has none. One query. Rule: G.RP2."""
    return RepairJob.objects.filter(ship=ship).first()


def prizes_closed(navy: Navy) -> list[Prize]:
    """Prizes of a navy that have been disposed of, newest first, with ships and who took them. One query. Rule: G.PR4."""
    sailing = (Prize.Status.SAILING, Prize.Status.IN_PORT, Prize.Status.CONDEMNED)
    rows = Prize.objects.filter(captor=navy, void="").exclude(status__in=sailing)
    return list(rows.select_related("ship", "taken_by").order_by("-when", "-pk"))


def ships_lost_to_enemies(navy: Navy, codes: Iterable[str]) -> list[tuple[str, str]]:
    """Code and name, as their own side knew it, of ships captured from a navy. One query. Rule: G.IN1.

    A name given by the captor is not theirs to know: the ship's first name is shown.
    """
    rows = navy.book.ships.filter(code__in=list(codes)).order_by("name")
    return [(ship.code, (ship.former_names or [ship.name])[0]) for ship in rows]


def last_entries(ships: Iterable[Ship]) -> dict[int, str]:
    """Chart time of the last entry in the ledger of some ships, by key. One query. Rule: G.SV1."""
    rows = ServiceRecord.objects.filter(ship__in=list(ships), void="").order_by("when", "pk")
    return dict(rows.values_list("ship_id", "when"))


def service_history(ship: Ship) -> list[HistoryEntry]:
    """A ship's ledger, oldest first; an entry that was corrected stays and says so. One query. Rule: G.SV1."""
    records = list(ship.service_records.filter(void=""))
    corrected = {record.corrects_id: record.event for record in records if record.corrects_id}
    return [HistoryEntry(record, sentence(record), corrected.get(record.pk, "")) for record in records]


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact about a ship as a page lists it. value: "" where it is not established."""

    label: str
    value: str


def fact_rows(facts: ShipFacts) -> list[FactRow]:
    """Register facts line by line, including those not known."""
    values = {name: getattr(facts, name) for name, _, _ in FACTS}
    values["gun_detail"] = guns_listed(facts.gun_detail)
    units = {"guns": " (est.)"} if GUNS_ESTIMATED in facts.tags else {}
    return [FactRow(label, _fact(values[name], units.get(name, unit))) for name, label, unit in FACTS]


def _fact(value: Any, unit: str) -> str:
    if value in (None, ""):
        return ""
    return f"{value:,}{unit}" if unit and isinstance(value, int) else f"{value}{unit}"


def guns_listed(detail: str) -> str:
    """Guns and calibres of a register entry, written out: "28 × 32pdr, 30 × 18pdr"."""
    rows = [part.strip() for part in detail.split(";") if part.strip()]
    told = (row.replace("x", " × ", 1).replace("_carr", " carronade") for row in rows)
    return ", ".join(told)


def ship_facts(ship: Ship) -> list[FactRow]:
    """The facts of a campaign's ship as they were at muster."""
    return fact_rows(facts_from(ship.facts))


def ship_of_book(book: Book, code: str) -> Ship | None:
    """A ship for its page, with squadron, fleet, navies, register entry, officers and captures; None where there is none."""
    return (
        Ship.objects.select_related(
            "book", "navy__nation", "built_for", "squadron__fleet", "squadron__flagship", "entry__register"
        )
        .prefetch_related("prizes__captor", "prizes__taken_from", "prizes__taken_by")
        .filter(book=book, code=code)
        .first()
    )


def ship_navies(book: Book) -> dict[str, int]:
    """The navy (its key) that every ship of a book sails for now, by code. One query."""
    return dict(book.ships.values_list("code", "navy_id"))


def men_afloat(fleets: Iterable[int]) -> dict[int, int]:
    """Heads aboard the ships of some fleets, by the fleet's key; a fleet without ships is left out."""
    ships = Ship.objects.filter(fate="afloat", squadron__fleet__in=list(fleets))
    return dict(ships.order_by().values_list("squadron__fleet").annotate(Sum("men")))
