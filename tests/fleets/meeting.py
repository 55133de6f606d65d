"""Three English ships against three Dutch ones, as rows, as the chart has them, and as an outcome tells of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from battles.engine.core.fates import Fate
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from fleets.models import Book, Fleet, ServiceRecord, Ship, Squadron
from fleets.services.battle_records import FoughtBattle
from fleets.services.chart_rows import FleetNow, SeaRecord, ShipNow, chart_rows_write
from fleets.services.service_records import sentence
from tests.support.factories import SOUND, FleetFactory, NationFactory, NavyFactory, squadron_of

WHEN = "1666-06-01T18:00"


class Meeting:
    """The ships of the Red against those of the Van, each squadron alone in its fleet; the chart's ships are changed one by one."""

    def __init__(self) -> None:
        english = NavyFactory()
        dutch = NavyFactory(book=english.book, nation=NationFactory(name="Dutch Republic", code="NLD"))
        self.book: Book = english.book
        self.red: Squadron = squadron_of(3, squadron={"fleet": FleetFactory(navy=english, code="ALB")})
        self.van: Squadron = squadron_of(3, squadron={"fleet": FleetFactory(navy=dutch, code="RUY")})
        self.english = list(self.red.ships.order_by("order"))
        self.dutch = list(self.van.ships.order_by("order"))
        self.now = {ship.code: now_of(ship) for ship in [*self.english, *self.dutch]}
        self.fleets = {
            row.code: FleetNow(row.code, row.navy.code, row.name, False) for row in Fleet.objects.all()
        }

    def change(self, ship: Ship, **changes: Any) -> None:
        """What the chart has of a ship is another now."""
        self.now[ship.code] = replace(self.now[ship.code], **changes)

    def lose(self, ship: Ship, fate: Fate = Fate.SUNK) -> None:
        """A ship that sails no more, as the chart has her."""
        self.change(ship, fate=fate.value, fleet="", squadron="", men=0, captain="")

    def fleet(self, code: str, navy: str, name: str) -> None:
        """A fleet that the chart has made."""
        self.fleets[code] = FleetNow(code, navy, name, False)

    def write(self, *records: SeaRecord, battles: Sequence[FoughtBattle] = ()) -> dict[str, int]:
        """Write the chart into the rows."""
        return chart_rows_write(
            book=self.book,
            ships=self.now.values(),
            fleets=self.fleets.values(),
            records=records,
            turn="NS66/1",
            when=WHEN,
            battles=battles,
        )

    def fought(
        self, *changed: ShipOutcome, officers: tuple[OfficerFate, ...] = (), code: str = "NS66-T1-B1"
    ) -> FoughtBattle:
        """A battle in which all other ships are afloat and unhurt."""
        told = {entry.ship: entry for entry in changed}
        ships = tuple(told.get(ship.code) or afloat(ship) for ship in [*self.english, *self.dutch])
        outcome = Outcome("kohler", turns=12, minutes=360, ended="limit", ships=ships, officers=officers)
        return FoughtBattle(code, "the fight off the Galloper", WHEN, outcome)


def now_of(ship: Ship) -> ShipNow:
    """A ship as the chart has her while her row is right."""
    assert ship.squadron is not None
    return ShipNow(
        code=ship.code,
        navy=ship.navy.code,
        fleet=ship.squadron.fleet.code,
        squadron=ship.squadron.code,
        order=ship.order,
        condition=ship.condition,
        men=ship.men,
        captain=ship.captain,
        prize=ship.prize,
        fate=ship.fate,
    )


def words(ship: Ship) -> list[str]:
    """A ship's ledger, in the order in which it was written."""
    rows: Iterable[ServiceRecord] = ship.service_records.order_by("pk")
    return [sentence(record) for record in rows]


def afloat(ship: Ship, hits: int = 0, **changes: Any) -> ShipOutcome:
    """A ship that has come out of it."""
    return _entry(ship, Fate.AFLOAT, condition={**SOUND, "hits_struct": hits}, hits_taken=hits, **changes)


def taken(ship: Ship, by: Ship, *, prize_crew: int = 40, prisoners: int = 100) -> ShipOutcome:
    """A ship that has been captured."""
    return _entry(
        ship,
        Fate.CAPTURED,
        captor=by.navy.code,
        captor_ship=by.code,
        prize_crew=prize_crew,
        prisoners=prisoners,
    )


def lost(ship: Ship, fate: Fate = Fate.SUNK) -> ShipOutcome:
    """A ship that is gone."""
    return _entry(ship, fate, condition={**SOUND, "hits_struct": 20}, hits_taken=9)


def interned(ship: Ship) -> ShipOutcome:
    """A ship that has fled into a neutral port."""
    return _entry(ship, Fate.INTERNED)


def _entry(ship: Ship, fate: Fate, **fields: Any) -> ShipOutcome:
    return ShipOutcome(ship=ship.code, side=ship.navy.code, fate=fate, **{"condition": dict(SOUND), **fields})
