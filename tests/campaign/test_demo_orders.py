"""The demo's first minute: a player who takes over from the automatic admiral can give every fleet its standing orders."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from campaign.models import Campaign, Membership, Order, Station, Turn
from campaign.selectors.turn.groups import groups_now
from campaign.services.orders.openings import opening_of
from campaign.services.setup.demo import demo_start
from campaign.services.setup.setup import shipped_theatres, theatre_load
from fleets.selectors.registers import register_by_code
from tests.support.factories import UserFactory
from tests.support.page_forms import untouched
from tests.support.registers import shipped_registers
from tests.support.turns import turn_closes

THEATRE = "narrow_seas_1666"
ADMIRALS = ("albemarle", "deruyter")
pytestmark = pytest.mark.one_database


def demo(turns: int) -> Campaign:
    """The demo as `demo_setup` plays it, but without workers."""
    shipped_registers()
    path = next(path for path in shipped_theatres() if path.stem == THEATRE)
    campaign = demo_start(
        theatre=theatre_load(document=json.loads(path.read_text())),
        register=register_by_code(opening_of(THEATRE)["register"]),
        umpire=UserFactory(username="umpire"),
        seed="four days",
        admirals=[UserFactory(username=name) for name in ADMIRALS],
        code="four-days",
    )
    for _ in range(turns):
        turn_closes(campaign.turns.get(phase=Turn.Phase.OPEN))
    campaign.sides.update(automatic=False)
    return campaign


@pytest.mark.clause("G.MV2", "G.MV3", "G.MV4")
def test_after_two_turns_with_battles_both_admirals_can_give_every_fleet_its_orders_untouched(
    db: Any,
) -> None:
    campaign = demo(turns=2)
    assert Battle.objects.filter(book=campaign.book, status=Battle.Status.WRITTEN).count() >= 1
    last = campaign.turns.get(number=2)
    detached = last.orders.exclude(parts=[])
    assert {order.fleet.navy.code for order in detached} == {"ENG", "NLD"}, (
        "nobody detached ships: the test shows nothing"
    )
    ordered = 0
    campaign.refresh_from_db()
    for member in Membership.objects.filter(campaign=campaign, role=Membership.Role.ADMIRAL):
        client = Client()
        client.force_login(member.user)
        for station in Station.objects.filter(fleet__navy=member.side.navy, fleet__ended=False, held_by=""):
            if station.fleet.code in groups_now(campaign, campaign.turns.get(phase="open")):
                continue  # it sails by itself
            address = reverse("orders", args=["four-days", station.fleet.code])
            fields = untouched(client.get(address).content.decode(), "orders-form")
            answer = client.post(address, {**fields, "act": "send"})
            assert answer.status_code == 302, f"{station.fleet}: {answer.content.decode()[:9000]}"
            assert Order.objects.get(turn__phase="open", fleet=station.fleet).source == "web"
            ordered += 1
    assert ordered >= 4
