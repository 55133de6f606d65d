"""What a day costs in queries: the same for fifty ships as for five hundred."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign, Order, Station
from campaign.services.turn.playing import turn_play
from fleets.models import Ship
from tests.campaign.services.conftest import start


def swelled(campaign: Campaign, ships: int) -> Campaign:
    """A campaign of so many ships, made of copies of those that it has, whose fleets patrol far from each other."""
    rows = list(campaign.book.ships.order_by("code"))
    copies = []
    for number in range(ships - len(rows)):
        copy = (
            Ship.objects.get(pk=rows[number % len(rows)].pk)
            if number < len(rows)
            else copies[number - len(rows)]
        )
        fields = {
            f.attname: getattr(copy, f.attname) for f in Ship._meta.concrete_fields if f.attname != "id"
        }
        copies.append(Ship(**{**fields, "code": f"x{number:03d}", "name": f"Copy {number}", "captain": ""}))
    Ship.objects.bulk_create(copies)
    for code, at, to in (
        ("England", "isle_of_wight", "off_portland"),
        ("Dutch Republic", "heligoland", "jutland_bank"),
    ):
        fleets = campaign.sides.get(name=code).navy.fleets.all()
        Station.objects.filter(fleet__in=fleets).update(at=at)
        Order.objects.filter(fleet__in=fleets).update(route=[to], on_arrival="patrol", stance="hold")
    return campaign


@pytest.mark.one_database
@pytest.mark.clause("G.CL2")
def test_a_day_with_five_hundred_ships_reads_the_database_no_more_often_than_one_with_fifty(db: Any) -> None:
    counted = []
    for ships in (50, 500):
        turn = swelled(start(f"war{ships}"), ships).turns.get()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            turn_play(turn=turn)
        assert turn.campaign.book.ships.count() == ships
        counted.append(len(queries))
    assert counted[0] == counted[1]
