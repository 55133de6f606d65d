"""The automatic admiral's orders as written: under the battle instructions that someone gave its fleets."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Order, Side
from campaign.services.orders.admirals import automatic_orders_write
from fleets.models import Fleet
from tests.support.people import DUTCH, ENGLISH, World, world

TOLD = {"after_battle": "part", "greatest_odds": "0.5", "doctrine": {"break_off": 20, "board": "never"}}


def order_of(told: World, tale: str) -> dict[str, Any]:
    order = told.turn.orders.get(fleet__code=f"{tale}-f")
    assert order.source == "admiral"
    return dict(order.instructions)


@pytest.mark.django_db
@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize("source", ["web", "mail"])
def test_fleets_keep_the_battle_instructions_that_someone_gave_them(source: str) -> None:
    told = world()
    Side.objects.filter(campaign=told.campaign).update(automatic=True)
    told.turn.orders.all().delete()
    fleet = Fleet.objects.get(code=f"{ENGLISH}-f")
    Order.objects.create(turn=told.turn, fleet=fleet, route=[], instructions=TOLD, source=source)
    for _ in range(2):
        automatic_orders_write(turn=told.turn)
        mine = order_of(told, ENGLISH)
        assert (mine["after_battle"], mine["greatest_odds"]) == ("part", "0.5")
        assert (mine["doctrine"]["break_off"], mine["doctrine"]["board"]) == (20, "never")
    assert order_of(told, DUTCH).get("after_battle", "auto") == "auto"
