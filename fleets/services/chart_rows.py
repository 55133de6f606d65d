"""The chart's ships and fleets as rows of the books: written once at each stop of a turn, in a few queries.

The pure rules have decided everything, battles included; rows are made to match that state. A ship whose row matches already
is not touched. Prizes, officers and what lies ashore are written beside it by `fleets.services.ashore`. Rules: G.BT2, G.BT3, G.GF1,
G.GF2, G.GF3, G.SV1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from simple_history.utils import bulk_update_with_history

from battles.engine.core.fates import Fate
from fleets.models import Book, Fleet, Navy, Ship, Squadron
from fleets.services.battle_records import FoughtBattle, battle_records
from fleets.services.service_records import NewRecord, records_write_bulk
from fleets.services.ships import successor

PRIZES = "Prizes"
PRIZES_ORDER = 90
_SHIP_FIELDS = ["navy", "squadron", "order", "condition", "men", "captain", "prize", "fate"]


@dataclass(frozen=True, slots=True)
class ShipNow:
    """A ship as the chart has it. navy, fleet, squadron: codes, fleet "" when it sails with none. fate: a Fate."""

    code: str
    navy: str
    fleet: str
    squadron: str
    order: int
    condition: Mapping[str, Any]
    men: int
    captain: str
    prize: bool
    fate: str


@dataclass(frozen=True, slots=True)
class FleetNow:
    """A fleet as the chart has it. name: what a new one is called."""

    code: str
    navy: str
    name: str
    ended: bool


@dataclass(frozen=True, slots=True)
class SeaRecord:
    """An entry for a ship's ledger. when: chart time. event: code of what caused it, once per ship."""

    ship: str
    navy: str
    when: str
    kind: str
    event: str
    data: Mapping[str, Any] = field(default_factory=dict)


def chart_rows_write(
    *,
    book: Book,
    ships: Iterable[ShipNow],
    fleets: Iterable[FleetNow],
    records: Iterable[SeaRecord],
    turn: str,
    when: str,
    battles: Sequence[FoughtBattle] = (),
) -> dict[str, int]:
    """Write the chart's ships and fleets into a book; a second call changes nothing. Returns the keys of new fleets by code.

    turn: reference for the records. when: chart time of the stop. battles: those whose outcomes the chart has taken up since the last
    stop, for the ledgers. Raises KeyError for a ship or navy that is not in the book.
    """
    with transaction.atomic():
        navies = {navy.code: navy for navy in book.navies.all()}
        rows, new = _fleets(book, navies, fleets)
        # the ledgers describe ships as they entered a battle
        told = [record for battle in battles for record in battle_records(book, navies, battle, turn)]
        changed = _changed(book, list(ships))
        if changed:
            told += _ships_write(book, navies, rows, changed, turn, when, battles)
        records_write_bulk([*_sea_records(book, list(records), turn), *told])
    return {fleet.code: fleet.pk for fleet in new}


def _fleets(
    book: Book, navies: Mapping[str, Navy], fleets: Iterable[FleetNow]
) -> tuple[dict[str, Fleet], list[Fleet]]:
    """Every fleet's row by code; those new on the chart are created here too, and its ended ones are ended."""
    rows = {fleet.code: fleet for fleet in Fleet.objects.filter(navy__book=book)}
    new, over = [], []
    for now in fleets:
        row = rows.get(now.code)
        if row is None:
            row = Fleet.objects.create(
                navy=navies[now.navy], code=now.code, name=now.name[:80], ended=now.ended
            )
            rows[now.code] = row
            new.append(row)
        elif row.ended and not now.ended:  # a rollback had ended it; the chart has made it again
            row.ended, row.name = False, now.name[:80]
            row.save(update_fields=["ended", "name"])
            new.append(row)
        elif now.ended and not row.ended:
            row.ended = True
            over.append(row)
    if over:
        Fleet.objects.bulk_update(over, ["ended"])
    return rows, new


def _changed(book: Book, ships: list[ShipNow]) -> list[tuple[Ship, ShipNow]]:
    """Ships whose rows differ from the chart, with what the chart says of them."""
    columns = (
        "code", "navy__code", "squadron__fleet__code", "squadron__code", "order", "condition", "men", "captain",
        "prize", "fate",
    )  # fmt: skip
    said = {row[0]: row for row in book.ships.values_list(*columns)}
    differ = {now.code: now for now in ships if _differs(now, said[now.code])}
    if not differ:
        return []
    rows = book.ships.filter(code__in=differ).select_related("navy", "squadron__fleet").order_by("code")
    return [(ship, differ[ship.code]) for ship in rows]


def _differs(now: ShipNow, row: tuple[Any, ...]) -> bool:
    _, navy, fleet, squadron, order, condition, men, captain, prize, fate = row
    if now.fate != Fate.AFLOAT.value:
        return bool(now.fate != fate)
    same = (now.navy, now.fleet, now.prize, now.men, now.captain, now.fate) == (
        navy, fleet or "", prize, men, captain, fate,
    )  # fmt: skip
    moved = not now.prize and (now.squadron, now.order) != (squadron or "", order)
    return not same or moved or dict(now.condition) != condition


def _ships_write(
    book: Book,
    navies: Mapping[str, Navy],
    fleets: Mapping[str, Fleet],
    changed: list[tuple[Ship, ShipNow]],
    turn: str,
    when: str,
    battles: Sequence[FoughtBattle],
) -> list[NewRecord]:
    """Write the ships that changed, and return the entries of those that hoist a flag because of it."""
    squadrons = _squadrons(book, fleets, [(ship, now) for ship, now in changed if now.fleet])
    fought = {entry.ship: battle.code for battle in battles for entry in battle.outcome.ships}
    before = {ship.squadron_id for ship, _ in changed if ship.squadron_id is not None}
    for ship, now in changed:
        ship.navy, ship.order = navies[now.navy], now.order
        ship.squadron = squadrons.get((now.fleet, _squadron_code(now)))
        ship.condition, ship.men, ship.prize, ship.fate = dict(now.condition), now.men, now.prize, now.fate
        ship.captain = now.captain if now.fate == Fate.AFLOAT.value else ""
        reason = f"battle {fought[now.code]}" if now.code in fought else f"at sea, {turn}"
        ship._change_reason = reason  # type: ignore[attr-defined]  # where the history looks for it
    bulk_update_with_history([ship for ship, _ in changed], Ship, _SHIP_FIELDS, batch_size=100)
    return _flags(before | {squadron.pk for squadron in squadrons.values()}, turn, when)


def _squadron_code(now: ShipNow) -> str:
    """Prizes sail in a squadron of their own."""
    return f"{now.fleet}-PR" if now.prize else now.squadron


def _squadrons(
    book: Book, fleets: Mapping[str, Fleet], moved: list[tuple[Ship, ShipNow]]
) -> dict[tuple[str, str], Squadron]:
    """The squadrons that ships belong in now, by codes of fleet and squadron; one that parted as a whole moves with its ships."""
    wanted: dict[tuple[str, str], list[tuple[Ship, ShipNow]]] = defaultdict(list)
    for ship, now in moved:
        wanted[now.fleet, _squadron_code(now)].append((ship, now))
    have = {s.code: s for s in Squadron.objects.filter(fleet__navy__book=book).select_related("fleet")}
    found: dict[tuple[str, str], Squadron] = {}
    for (fleet_code, code), rows in sorted(wanted.items()):
        squadron, fleet = have.get(code), fleets[fleet_code]
        prizes = any(now.prize for _, now in rows)
        if squadron is None:
            squadron = Squadron.objects.create(
                fleet=fleet,
                code=code,
                name=PRIZES if prizes else fleet.name,
                order=PRIZES_ORDER if prizes else 1,
            )
        elif squadron.fleet_id != fleet.pk:
            squadron.fleet = fleet
            squadron.save(update_fields=["fleet"])
        found[fleet_code, code] = squadron
    return found


def _flags(touched: set[int], turn: str, when: str) -> list[NewRecord]:
    """Squadrons whose flagship is no longer one of their ships get another of them. Returns an entry for each flag that has passed."""
    squadrons = list(Squadron.objects.filter(pk__in=touched))
    staying: dict[int, list[Ship]] = defaultdict(list)
    for ship in Ship.objects.filter(squadron__in=squadrons, fate=Fate.AFLOAT.value).select_related("navy"):
        staying[ship.squadron_id or 0].append(ship)
    shifted, told = [], []
    for squadron in squadrons:
        ships = staying[squadron.pk]
        if all(ship.pk != squadron.flagship_id for ship in ships):
            heir = successor(ships)
            if heir is not None and squadron.flagship_id is not None:
                event = f"flag/{turn}/{when}/{squadron.code}"[:120]
                data = {"squadron": squadron.name}
                told.append(
                    NewRecord(ship=heir, when=when, kind="flagship", event=event, data=data, turn=turn)
                )
            squadron.flagship = heir
            shifted.append(squadron)
    if shifted:
        Squadron.objects.bulk_update(shifted, ["flagship"])
    return told


def _sea_records(book: Book, records: list[SeaRecord], turn: str) -> list[NewRecord]:
    if not records:
        return []
    ships = {ship.code: ship for ship in book.ships.filter(code__in={row.ship for row in records})}
    return [
        NewRecord(
            ship=ships[row.ship],
            when=row.when,
            kind=row.kind,
            event=row.event[:120],
            data=row.data,
            turn=turn,
            navy_code=row.navy,
        )
        for row in records
    ]


def ships_release(
    *, book: Book, navy_code: str, code: str, ships: list[str], place: str, when: str, turn: str
) -> Fleet:
    """Make a fleet of ships that were interned. place: the port's name. Raises KeyError for a ship that is not interned. Rule: G.NE1."""
    rows = {
        ship.code: ship
        for ship in book.ships.filter(code__in=ships, fate=Fate.INTERNED.value).order_by("code")
    }
    with transaction.atomic():
        navy = book.navies.get(code=navy_code)
        fleet = Fleet.objects.create(navy=navy, code=code, name=f"Ships released at {place}"[:80])
        squadron = Squadron.objects.create(fleet=fleet, code=code, name=fleet.name, order=1)
        freed = [rows[ship] for ship in ships]
        for ship in freed:
            ship.fate, ship.squadron = Fate.AFLOAT.value, squadron
        bulk_update_with_history(
            freed, Ship, ["fate", "squadron"], batch_size=100, default_change_reason=f"released, {turn}"
        )
        _flags({squadron.pk}, turn, when)
        records_write_bulk(
            NewRecord(
                ship=ship, when=when, kind="released", event=f"released/{turn}"[:120], data={"place": place}, turn=turn,
                navy_code=navy_code,
            )
            for ship in freed
        )  # fmt: skip
    return fleet
