"""What a battle did, written into ships, officers, prizes, squadrons and the ledger: once, in one transaction, in a few queries.

The outcome is the same document however the battle was fought. Rules: G.BT2, G.BT3, G.PR1, G.CR1, G.SV1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.db import transaction
from simple_history.utils import bulk_update_with_history

from battles.engine import registry
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from fleets.models import Book, Fleet, Navy, Officer, Prize, ServiceRecord, Ship, Squadron
from fleets.services import battle_records
from fleets.services.service_records import records_write_bulk
from fleets.services.ships import successor

PRIZES = "Prizes"
PRIZES_ORDER = 90
_HALF = Fraction(1, 2)
_SHIP_FIELDS = ["navy", "squadron", "order", "condition", "men", "captain", "prize", "fate"]
_STATUS = {
    "wounded": Officer.Status.WOUNDED,
    "killed": Officer.Status.KILLED,
    "captured": Officer.Status.CAPTURED,
}


@dataclass(frozen=True, slots=True)
class Applied:
    """What was written. new: False when it stood there already. lost, captured: codes of ships, in the order of codes."""

    new: bool
    lost: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()


@dataclass(slots=True)
class Writing:
    """The rows that a battle touches, read once and changed in memory.

    fleets, conditions, sides: each ship's as they were before the battle, by her code. flags: ships that took over a flag.
    """

    book: Book
    outcome: Outcome
    battle: str
    title: str
    when: str
    turn: str
    ships: dict[str, Ship]
    navies: dict[str, Navy]
    officers: dict[tuple[int, str], Officer]
    fleets: dict[str, Fleet | None] = field(default_factory=dict)
    conditions: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    sides: dict[str, Navy] = field(default_factory=dict)
    prizes: list[Prize] = field(default_factory=list)
    flags: list[tuple[Ship, Squadron]] = field(default_factory=list)


def outcome_apply(
    *,
    book: Book,
    outcome: Outcome,
    battle_code: str,
    when: str,
    turn: str,
    men_after: Mapping[str, int] | None = None,
    title: str = "",
) -> Applied:
    """Write a battle's outcome into a book. A second call for the same battle changes nothing.

    when: chart time of the battle's end. turn: reference for the records. men_after: men aboard by ship code, as the chart
    reckons them; a ship not named there has the men that her rule set leaves her, less the prize crews she sent away. title: what
    people call the battle. Raises ValueError for a ship or side that is not in the book.
    """
    with transaction.atomic():
        if ServiceRecord.objects.filter(
            ship__book=book, event=battle_records.event(battle_code, "fought"), void=""
        ).exists():
            return Applied(new=False)
        writing = _read(book, outcome, battle_code, when, turn, title)
        _crews(writing, men_after or {})
        for entry in sorted(outcome.ships, key=lambda entry: entry.ship):
            _apply(writing, entry)
        for fate in outcome.officers:
            _officer(writing, fate)
        _hands_of_lost_ships(writing)
        _flags(writing)
        _write(writing)
    return Applied(
        new=True,
        lost=tuple(sorted(s.ship for s in outcome.ships if s.fate not in (Fate.AFLOAT, Fate.CAPTURED))),
        captured=tuple(sorted(s.ship for s in outcome.ships if s.fate is Fate.CAPTURED)),
    )


def _read(book: Book, outcome: Outcome, battle: str, when: str, turn: str, title: str) -> Writing:
    codes = {entry.ship for entry in outcome.ships}
    rows = book.ships.filter(code__in=codes).select_related("navy", "squadron__fleet")
    ships = {ship.code: ship for ship in rows}
    navies = {navy.code: navy for navy in book.navies.all()}
    unknown = sorted(codes - set(ships)) + sorted({s.captor for s in outcome.ships if s.captor} - set(navies))
    if unknown:
        raise ValueError(f"{battle}: not in the book {book.code}: {', '.join(unknown)}")
    officers = Officer.objects.filter(ship__in=[ship.pk for ship in ships.values()])
    return Writing(
        book=book, outcome=outcome, battle=battle, title=title or battle, when=when, turn=turn, ships=ships, navies=navies,
        officers={(officer.navy_id, officer.name): officer for officer in officers},
        fleets={code: ship.squadron.fleet if ship.squadron else None for code, ship in ships.items()},
        conditions={code: ship.condition for code, ship in ships.items()},
        sides={code: ship.navy for code, ship in ships.items()},
    )  # fmt: skip


def _crews(writing: Writing, men_after: Mapping[str, int]) -> None:
    """Men aboard every ship at the end. Rules: G.CR1, G.PR1."""
    at_sea = registry.rule_set(writing.outcome.rule_set).at_sea
    for entry in writing.outcome.ships:
        ship = writing.ships[entry.ship]
        if entry.fate is Fate.CAPTURED:
            ship.men = entry.prize_crew
        elif entry.fate is not Fate.AFLOAT:
            ship.men = 0
        elif entry.men is not None:
            ship.men = entry.men
        else:
            was = at_sea.men(ship.card, ship.condition, ship.complement)
            left = at_sea.men(ship.card, entry.condition, ship.complement)
            ship.men = int(Fraction(ship.men * left, was) + _HALF) if was else 0
    counted = {entry.ship for entry in writing.outcome.ships if entry.men is not None}
    for entry in writing.outcome.ships:
        captor = writing.ships.get(entry.captor_ship)
        if entry.fate is Fate.CAPTURED and captor is not None and captor.code not in counted:
            captor.men = max(0, captor.men - entry.prize_crew)
    for code, men in men_after.items():
        if code in writing.ships:
            writing.ships[code].men = men


def _apply(writing: Writing, entry: ShipOutcome) -> None:
    ship = writing.ships[entry.ship]
    ship.condition = dict(entry.condition)
    if entry.fate is Fate.CAPTURED:
        _capture(writing, ship, entry)
    elif entry.fate is not Fate.AFLOAT:
        ship.fate = entry.fate.value
        ship.squadron = None
        ship.captain = ""


def _capture(writing: Writing, ship: Ship, entry: ShipOutcome) -> None:
    """She goes over to her captor as a prize; a prize of his enemies that was his own is his again. Rules: G.PR1, G.PR3."""
    captor = writing.navies[entry.captor]
    by = writing.ships.get(entry.captor_ship)
    writing.prizes.append(
        Prize(
            ship=ship, captor=captor, taken_from=ship.navy, taken_by=by, when=writing.when, battle=writing.battle,
            prize_crew=entry.prize_crew, prisoners=entry.prisoners,
        )
    )  # fmt: skip
    ship.prize = not (ship.prize and ship.built_for_id == captor.pk)
    ship.navy = captor
    ship.captain = ""
    ship.squadron = None


def _officer(writing: Writing, fate: OfficerFate) -> None:
    """A named officer's luck. Rule: G.AF1 (the ledger keeps who fell)."""
    side = writing.sides.get(fate.ship)
    officer = writing.officers.get((side.pk, fate.name)) if side else None
    status = _STATUS.get(fate.fate)
    if officer is None or status is None:
        return
    officer.status = status
    if status != Officer.Status.WOUNDED:
        ship = writing.ships[fate.ship]
        officer.ship = None
        if ship.captain == officer.name:
            ship.captain = ""


def _hands_of_lost_ships(writing: Writing) -> None:
    """Officers left in a captured ship are prisoners; those of a ship that is gone wait for another. Rule: G.CR1."""
    aboard = {ship.pk: ship for ship in writing.ships.values()}
    for officer in writing.officers.values():
        ship = aboard.get(officer.ship_id) if officer.ship_id else None
        if ship is None:
            continue
        if ship.navy_id != officer.navy_id:
            officer.status = Officer.Status.CAPTURED
            officer.ship = None
        elif ship.fate != Fate.AFLOAT.value:
            officer.ship = None


def _flags(writing: Writing) -> None:
    """Squadrons whose flagship is gone get a new one, and what was taken finds its place in the captor's fleet."""
    left = {
        ship.pk
        for code, ship in writing.ships.items()
        if ship.squadron_id is None and writing.fleets[code] is not None
    }
    squadrons = list(Squadron.objects.filter(flagship__in=left))
    staying: dict[int, list[Ship]] = defaultdict(list)
    rows = Ship.objects.filter(squadron__in=squadrons, fate=Fate.AFLOAT.value).exclude(pk__in=left)
    for ship in rows.select_related("navy"):
        staying[ship.squadron_id or 0].append(ship)
    for squadron in squadrons:
        squadron.flagship = successor(staying[squadron.pk])
        if squadron.flagship is not None:
            writing.flags.append((squadron.flagship, squadron))
    Squadron.objects.bulk_update(squadrons, ["flagship"])
    _places_of_captures(writing)


def _places_of_captures(writing: Writing) -> None:
    """Prizes sail in a squadron of their own; a ship that is her old side's again joins the ship that took her."""
    taken: dict[int, list[Ship]] = defaultdict(list)
    fleets: dict[int, Fleet] = {}
    for prize in writing.prizes:
        by = prize.taken_by
        if not prize.ship.prize and by is not None and by.squadron is not None:
            prize.ship.squadron = by.squadron
            prize.ship.order = by.order + 1
            continue
        fleet = _fleet_of_captor(writing, prize)
        if fleet is not None:
            fleets[fleet.pk] = fleet
            taken[fleet.pk].append(prize.ship)
    codes = {prizes_code(fleet.code): fleet for fleet in fleets.values()}
    have = {s.fleet_id: s for s in Squadron.objects.filter(fleet__in=fleets, code__in=codes)}
    for pk, ships in taken.items():
        squadron = have.get(pk) or Squadron.objects.create(
            fleet=fleets[pk],
            code=prizes_code(fleets[pk].code),
            name=PRIZES,
            order=PRIZES_ORDER,
            flagship=ships[0],
        )
        first = squadron.ships.count()
        for order, ship in enumerate(ships, start=first):
            ship.squadron = squadron
            ship.order = order


def prizes_code(fleet_code: str) -> str:
    """Code of the squadron in which a fleet's prizes sail."""
    return f"{fleet_code}-PR"


def _fleet_of_captor(writing: Writing, prize: Prize) -> Fleet | None:
    """The fleet of the ship that took her, as it was before the battle; when it is not known, the first of the captor's."""
    by = prize.taken_by
    if (
        by is not None
        and writing.fleets[by.code] is not None
        and writing.sides[by.code].pk == prize.captor_id
    ):
        return writing.fleets[by.code]
    return Fleet.objects.filter(navy=prize.captor, ended=False).order_by("code").first()


def _write(writing: Writing) -> None:
    ships = [writing.ships[code] for code in sorted(writing.ships)]
    bulk_update_with_history(
        ships, Ship, _SHIP_FIELDS, batch_size=100, default_change_reason=f"battle {writing.battle}"
    )
    Officer.objects.bulk_update(list(writing.officers.values()), ["status", "ship"], batch_size=200)
    _settle_older_prizes(writing)
    Prize.objects.bulk_create(writing.prizes)
    records_write_bulk(battle_records.records(writing))
    touched = {fleet.pk for fleet in writing.fleets.values() if fleet is not None}
    Fleet.objects.filter(pk__in=touched).exclude(squadrons__ships__fate=Fate.AFLOAT.value).update(ended=True)


def _settle_older_prizes(writing: Writing) -> None:
    """A prize that was taken from her captor or lost is no prize of his any more. Rule: G.PR3."""
    open_prizes = Prize.objects.filter(
        status__in=(Prize.Status.SAILING, Prize.Status.IN_PORT, Prize.Status.CONDEMNED), void=""
    ).exclude(battle=writing.battle)
    again = [prize.ship.pk for prize in writing.prizes]
    gone = [ship.pk for ship in writing.ships.values() if ship.fate != Fate.AFLOAT.value]
    if again:
        open_prizes.filter(ship__in=again).update(status=Prize.Status.RETAKEN)
    if gone:
        open_prizes.filter(ship__in=gone).update(status=Prize.Status.LOST)
