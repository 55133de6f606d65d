"""What the chart does to ships between battles, written into rows, prizes, flags and ledgers: once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from fleets.models import Fleet, ServiceRecord, Ship, Squadron
from fleets.services.chart_rows import SeaRecord
from tests.fleets.meeting import WHEN, Meeting, words

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.SV1", "G.BT3")]


def entry(ship: Ship, kind: str, **data: Any) -> SeaRecord:
    return SeaRecord(ship.code, ship.navy.code, WHEN, kind, f"sea/NS66/1/24/{kind}", data)


@pytest.mark.clause("G.GF1")
def test_a_ship_that_founders_leaves_squadron_and_flag() -> None:
    sea = Meeting()
    flag = sea.english[0]
    sea.red.flagship = flag
    sea.red.save()
    sea.lose(flag, Fate.FOUNDERED)
    record = entry(flag, "foundered", cause="in the gale", place="the Hinder")
    assert sea.write(record) == {}
    flag.refresh_from_db()
    assert (flag.fate, flag.squadron, flag.men, flag.captain) == ("foundered", None, 0, "")
    assert Squadron.objects.get(pk=sea.red.pk).flagship in sea.english[1:]
    assert words(flag) == ["Foundered in the gale near the Hinder."]


@pytest.mark.clause("G.GF3")
def test_a_squadron_that_parts_moves_as_a_whole_and_a_ship_alone_gets_her_own() -> None:
    sea = Meeting()
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
def test_a_ship_that_changes_sides_sails_with_her_captor_or_alone() -> None:
    sea = Meeting()
    ship, other, third = sea.dutch
    sea.fleet("ENG-p1-1", "ENG", ship.name)
    sea.change(ship, navy="ENG", fleet="ENG-p1-1", squadron="ENG-p1-1", order=0, captain="")
    for prize in (other, third):
        sea.change(prize, navy="ENG", fleet="ALB", squadron="prizes", prize=True, men=12, captain="")
    sea.write(entry(ship, "rose", navy="England"))
    prizes = Squadron.objects.get(code="ALB-PR")
    assert (prizes.name, prizes.fleet.code, prizes.flagship) == ("Prizes", "ALB", None)
    assert set(prizes.ships.values_list("code", "navy__code", "prize", "men")) == {
        (other.code, "ENG", True, 12),
        (third.code, "ENG", True, 12),
    }
    ship.refresh_from_db()
    assert (ship.navy.code, ship.built_for.code, ship.squadron.fleet.navy.code) == ("ENG", "NLD", "ENG")
    assert words(ship) == ["Her people rose upon the prize crew and took her back for England."]


def test_a_ship_takes_the_place_in_the_order_of_sailing_that_the_chart_gives_her() -> None:
    sea = Meeting()
    ship = sea.english[2]
    sea.change(ship, order=7)
    sea.write()
    ship.refresh_from_db()
    assert ship.order == 7


@pytest.mark.clause("G.GF2")
def test_strain_is_written_and_a_second_writing_changes_nothing() -> None:
    sea = Meeting()
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
    sea = Meeting()
    sea.fleet("ENG-p1-1", "ENG", "Nobody")
    sea.now["GHOST"] = replace(sea.now[sea.english[0].code], code="GHOST")
    with pytest.raises(KeyError):
        sea.write()
    assert not Fleet.objects.filter(code="ENG-p1-1").exists()


def test_reading_again_what_has_not_changed_takes_little_work(django_assert_max_num_queries: Any) -> None:
    sea = Meeting()
    with django_assert_max_num_queries(5):
        sea.write()
