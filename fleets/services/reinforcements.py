"""Fleets that come later: their sheets are made when a campaign begins, their rows when they come. Rules: G.CA2, G.CR1, G.SV1.

The rows are made from the sheets, so that the chart plays with the ship that the books will have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fleets.models import Book, Fleet, Navy, Officer, RegisterEntry, Ship, ShipType, Squadron
from fleets.selectors.sheets import officer_sheet, ship_sheet, squadron_sheet
from fleets.services.muster import Muster, muster_plan, muster_write, mustered_records
from fleets.services.service_records import records_write_bulk

TYPES = frozenset(ShipType.values)
MERCHANT = ShipType.MERCHANT.value
CARRIERS = (MERCHANT, ShipType.TRANSPORT.value)


def made_entries(
    *, navy: Navy, like: Mapping[str, Any], names: Sequence[str], figures: Mapping[str, Any] | None = None
) -> list[RegisterEntry]:
    """Entries of ships that no register lists, not saved. figures: overrides of their cards by rule set.

    like: `class` (a ship type), `guns`, `tons`, `men`, and if known `displacement` and `speed`, in tons and knots.
    """
    return [
        RegisterEntry(
            name=name[:80], nation=navy.nation, ship_type=like["class"], guns=like.get("guns"), tons_burthen=like.get("tons"),
            crew=like.get("men"), displacement_tons=like.get("displacement"), speed_knots=like.get("speed"),
            overrides=dict(figures or {}),
        )
        for name in names
    ]  # fmt: skip


def reinforcement_sheets(
    *,
    navy: Navy,
    entries: Iterable[RegisterEntry],
    fleet_code: str,
    fleet_name: str,
    rule_set: str,
    commander: str = "",
    when: str = "",
    officers: Iterable[str] = (),
) -> dict[str, Any]:
    """A fleet that comes later as a JSON document: fleet, ships, squadrons and officers, by the code that musters a navy.

    The code of a ship is that of her fleet with her number. when: chart time at which the campaign begins. officers: names that
    are taken. Raises ValidationError naming every ship of which the rule set can make no card. Rule: G.CA2.
    """
    rows = list(entries)
    made = muster_plan(
        navy=navy, entries=rows, fleet_code=fleet_code, fleet_name=fleet_name, rule_set=rule_set, commander=commander,
        when=when, officers=officers, ship_codes=(f"{fleet_code}{n:03d}" for n in range(1, len(rows) + 1)),
    )  # fmt: skip
    flags: dict[str, str] = {}
    for officer in sorted(made.officers, key=lambda row: (row.seniority, row.name)):
        if officer.flag_rank and officer.ship is not None:
            flags.setdefault(officer.ship.code, officer.name)
    return {
        "fleet": {"code": made.fleet.code, "name": made.fleet.name, "commander": made.fleet.commander},
        "ships": [ship_sheet(ship) for ship in made.ships],
        "squadrons": [
            squadron_sheet(squadron, flagship, flags.get(flagship.code, ""))
            for squadron, flagship in zip(made.squadrons, made.flagships, strict=True)
        ],
        "officers": [
            officer_sheet(row.name, navy.code, row.flag_rank, row.seniority, row.ship.code if row.ship is not None else None, row.status)
            for row in made.officers
        ],
        "register": {
            ship.code: {"entry": ship.entry_id, "estimated": ship.complement_estimated} for ship in made.ships
        },
    }  # fmt: skip


def reinforcement_write(
    *, book: Book, navy_code: str, sheets: Mapping[str, Any], when: str, turn: str
) -> Fleet | None:
    """Muster a fleet that has come, from its sheets. Returns it, or None when its rows are there already. Rules: G.CA2, G.SV1.

    when: chart time. turn: reference for the ledgers. After a rollback its rows are there, and follow the chart like all others;
    only the first entries of the ledgers, which are void then, are written again.
    """
    made = _from_sheets(book.navies.get(code=navy_code), sheets)
    if not Fleet.objects.filter(navy__book=book, code=made.fleet.code).exists():
        return muster_write(made, when=when, turn=turn)
    keys = dict(book.ships.filter(code__in=[ship.code for ship in made.ships]).values_list("code", "pk"))
    for ship in made.ships:
        ship.pk = keys[ship.code]
    records_write_bulk(mustered_records(made.fleet.navy, made.ships, when, turn))
    return None


def _from_sheets(navy: Navy, sheets: Mapping[str, Any]) -> Muster:
    """The rows that sheets describe, not saved."""
    entries = RegisterEntry.objects.in_bulk(
        [row["entry"] for row in sheets["register"].values() if row["entry"]]
    )
    fleet = Fleet(navy=navy, **sheets["fleet"])
    squadrons = {
        row["code"]: Squadron(fleet=fleet, code=row["code"], name=row["name"], order=row["order"])
        for row in sheets["squadrons"]
    }
    ships = {
        row["code"]: Ship(
            book_id=navy.book_id, navy=navy, built_for=navy, squadron=squadrons[row["squadron"]],
            entry=entries.get(sheets["register"][row["code"]]["entry"]),
            complement_estimated=sheets["register"][row["code"]]["estimated"],
            **{name: row[name] for name in _COLUMNS},
        )
        for row in sheets["ships"]
    }  # fmt: skip
    officers = [
        Officer(
            navy=navy, name=row["name"], flag_rank=row["flag_rank"], seniority=row["seniority"], status=row["status"],
            ship=ships.get(row["ship"]),
        )
        for row in sheets["officers"]
    ]  # fmt: skip
    flagships = [ships[row["flagship"]] for row in sheets["squadrons"]]
    return Muster(fleet, list(squadrons.values()), flagships, list(ships.values()), officers)


_COLUMNS = (
    "code", "name", "ship_type", "facts", "card", "condition", "complement", "men", "captain", "order", "prize",
)  # fmt: skip
