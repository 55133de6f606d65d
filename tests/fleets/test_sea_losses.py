"""What the chart does to ships between battles, written into rows, prizes, flags and ledgers: once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from fleets.models import Fleet, Officer, Prize, ServiceRecord, Ship, Squadron
from fleets.services.sea_losses import FleetNow, SeaRecord, ShipNow, sea_changes_apply
from fleets.services.service_records import sentence
from tests.fleets.test_battle_results import Meeting
from tests.support.factories import OfficerFactory

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.SV1", "G.BT3")]

WHEN = "1666-06-02T06:00"


class Sea(Meeting):
    """The ships of a meeting as the chart has them, to be changed one by one."""

    def __init__(self) -> None:
        super().__init__()
        self.now = {ship.code: now_of(ship) for ship in [*self.english, *self.dutch]}
        self.fleets = {
            row.code: FleetNow(row.code, row.navy.code, row.name, False) for row in Fleet.objects.all()
        }

    def change(self, ship: Ship, **changes: Any) -> None:
        self.now[ship.code] = replace(self.now[ship.code], **changes)

    def fleet(self, code: str, navy: str, name: str) -> None:
        self.fleets[code] = FleetNow(code, navy, name, False)

    def write(self, *records: SeaRecord) -> dict[str, int]:
        return sea_changes_apply(
            book=self.book,
            ships=self.now.values(),
            fleets=self.fleets.values(),
            records=records,
            turn="NS66/1",
            when=WHEN,
        )


def now_of(ship: Ship) -> ShipNow:
    assert ship.squadron is not None
    return ShipNow(
        code=ship.code,
        navy=ship.navy.code,
        fleet=ship.squadron.fleet.code,
        squadron=ship.squadron.code,
        condition=ship.condition,
        men=ship.men,
        captain=ship.captain,
        prize=ship.prize,
        fate=ship.fate,
    )


def entry(ship: Ship, kind: str, **data: Any) -> SeaRecord:
    return SeaRecord(ship.code, ship.navy.code, WHEN, kind, f"sea/NS66/1/24/{kind}", data)


def told(ship: Ship) -> list[str]:
    rows: Iterable[ServiceRecord] = ship.service_records.all()
    return [sentence(record) for record in rows]


@pytest.mark.clause("G.GF1")
def test_a_ship_that_founders_leaves_squadron_flag_officers_and_prize_list() -> None:
    sea = Sea()
    flag = sea.english[0]
    sea.red.flagship = flag
    sea.red.save()
    officer = OfficerFactory(navy=flag.navy, ship=flag)
    Prize.objects.create(ship=flag, captor=flag.navy, taken_from=sea.dutch[0].navy, when=WHEN)
    sea.change(flag, fate=Fate.FOUNDERED.value, fleet="", squadron="", men=0, captain="")
    record = entry(flag, "foundered", cause="in the gale", place="the Hinder")
    assert sea.write(record) == {}
    flag.refresh_from_db()
    assert (flag.fate, flag.squadron, flag.men, flag.captain) == ("foundered", None, 0, "")
    assert Squadron.objects.get(pk=sea.red.pk).flagship in sea.english[1:]
    assert Officer.objects.get(pk=officer.pk).ship is None
    assert Prize.objects.get().status == Prize.Status.LOST
    assert told(flag) == ["Foundered in the gale near the Hinder."]


@pytest.mark.clause("G.GF3")
def test_a_squadron_that_parts_moves_as_a_whole_and_a_ship_alone_gets_one_of_her_own() -> None:
    sea = Sea()
    for ship in sea.english:
        sea.change(ship, fleet="ENG-p1-1")
    sea.change(sea.dutch[2], fleet="NLD-p1-1", squadron="NLD-p1-1")
    sea.fleet("ENG-p1-1", "ENG", "Red squadron")
    sea.fleet("NLD-p1-1", "NLD", "Gouda")
    new = sea.write()
    assert sorted(new) == ["ENG-p1-1", "NLD-p1-1"]
    assert Squadron.objects.get(pk=sea.red.pk).fleet.code == "ENG-p1-1"
    alone = Ship.objects.get(pk=sea.dutch[2].pk).squadron
    assert (alone.fleet.name, alone.name, alone.flagship_id) == ("Gouda", "Gouda", sea.dutch[2].pk)
    assert Squadron.objects.get(pk=sea.van.pk).ships.count() == 2


@pytest.mark.clause("G.PR2", "G.PR3")
def test_a_ship_that_changes_sides_at_sea_settles_the_old_prize_and_may_be_a_new_one() -> None:
    sea = Sea()
    ship, other = sea.dutch[0], sea.dutch[1]
    english, dutch = sea.english[0].navy, ship.navy
    Prize.objects.create(ship=ship, captor=dutch, taken_from=english, when=WHEN, battle="b01")
    sea.fleet("ENG-p1-1", "ENG", ship.name)
    sea.change(ship, navy="ENG", fleet="ENG-p1-1", squadron="ENG-p1-1", prize=False, captain="")
    sea.change(other, navy="ENG", fleet="ALB", squadron="prizes", prize=True, men=12, captain="")
    sea.write(entry(ship, "rose", navy="England"))
    assert [(p.ship, p.status) for p in Prize.objects.order_by("pk")] == [
        (ship, Prize.Status.RETAKEN),
        (other, Prize.Status.SAILING),
    ]
    taken = Prize.objects.get(ship=other)
    assert (taken.captor, taken.taken_from, taken.prize_crew) == (english, dutch, 12)
    assert Ship.objects.get(pk=other.pk).squadron.code == "ALB-PR"
    assert Ship.objects.get(pk=ship.pk).squadron.fleet.navy == english
    assert told(ship) == ["Her people rose upon the prize crew and took her back for England."]


@pytest.mark.clause("G.GF2")
def test_strain_is_written_and_a_second_writing_changes_nothing() -> None:
    sea = Sea()
    strained = {**sea.english[1].condition, "hits_struct": 3}
    sea.change(sea.english[1], condition=strained, men=7)
    sea.fleets["RUY"] = replace(sea.fleets["RUY"], ended=True)
    record = entry(sea.english[1], "rejoined", fleet="Albemarle's fleet")
    sea.write(record)
    assert Fleet.objects.get(code="RUY").ended
    ship = Ship.objects.get(pk=sea.english[1].pk)
    assert (ship.condition, ship.men) == (strained, 7)
    history, records = Ship.history.count(), ServiceRecord.objects.count()
    assert sea.write(record) == {}
    assert (Ship.history.count(), ServiceRecord.objects.count()) == (history, records)


def test_an_unknown_ship_is_an_error_and_nothing_is_written() -> None:
    sea = Sea()
    sea.fleet("ENG-p1-1", "ENG", "Nobody")
    sea.now["GHOST"] = replace(sea.now[sea.english[0].code], code="GHOST")
    with pytest.raises(KeyError):
        sea.write()
    assert not Fleet.objects.filter(code="ENG-p1-1").exists()


def test_what_agrees_already_costs_few_queries(django_assert_max_num_queries: Any) -> None:
    sea = Sea()
    with django_assert_max_num_queries(5):
        sea.write()
