"""Ships ticked to leave their fleet: added to the orders, removed again, refused with every reason."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Order, Station
from tests.support.factories import FleetFactory
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.MV4")]
ADDRESS = reverse("orders_ships", args=["telltale", f"{ENGLISH}-f"])
PLAIN = {"state_no": "1", "stance": "hold", "on_arrival": "patrol", "name": "Cruisers", "act": "add"}


@pytest.fixture
def client(told: World) -> Client:
    """The English admiral's browser."""
    return told.client("english")


def parts(told: World) -> list[Any]:
    """What the stored order sends away."""
    return Order.objects.get(fleet=told.english_fleet).parts


def test_ticked_ships_appear_in_the_orders(client: Client, told: World) -> None:
    ships = [f"{ENGLISH}-00", f"{ENGLISH}-11"]
    response = client.post(ADDRESS, {**PLAIN, "ships": ships, "goal": "gunfleet"})
    assert response.url == reverse("orders", args=["telltale", f"{ENGLISH}-f"])
    (part,) = parts(told)
    assert (part["ships"], part["name"], part["stance"], part["on_arrival"]) == (
        ships,
        "Cruisers",
        "hold",
        "patrol",
    )
    assert part["route"][-1] == "gunfleet"
    assert Order.objects.get(fleet=told.english_fleet).route == ["swin"]
    shown = client.get(response.url).content.decode()
    assert "<b>Cruisers</b>" in shown and f"Ship {ENGLISH} 00" in shown


def test_a_detachment_can_be_removed(client: Client, told: World) -> None:
    client.post(ADDRESS, {**PLAIN, "ships": [f"{ENGLISH}-00"]})
    page = client.get(ADDRESS).content.decode()
    assert "Ordered so far" in page and 'name="state_no" value="2"' in page
    client.post(ADDRESS, {**PLAIN, "state_no": "2", "act": "drop", "number": "0"})
    assert parts(told) == []


def test_giving_a_new_route_keeps_the_detachments(client: Client, told: World) -> None:
    client.post(ADDRESS, {**PLAIN, "ships": [f"{ENGLISH}-00"]})
    orders = reverse("orders", args=["telltale", f"{ENGLISH}-f"])
    sent = {
        "act": "send", "state_no": "2", "stance": "hold", "on_arrival": "anchor", "greatest_odds": "1.5", "chase_hours": "24",
        "at_nightfall": "part", "after_battle": "renew", "at_sound_of_guns": "join", "gauge": "any", "fight_at": "best",
        "chase": "line", "break_off": "50", "board": "pays",
    }  # fmt: skip
    assert client.post(orders, sent).status_code == 302
    assert len(parts(told)) == 1


def test_ships_transfer_to_a_fleet_in_company(client: Client, told: World) -> None:
    for code, at in (("near", "nore"), ("far", "swin")):
        fleet = FleetFactory(navy=told.english.side.navy, code=code, name=f"The {code} fleet")
        Station.objects.create(fleet=fleet, at=at)
    shown = client.get(ADDRESS).content.decode()
    picker = shown.split('name="to"')[1].split("</select>")[0]
    assert 'value="near"' in picker and 'value="far"' not in picker
    client.post(ADDRESS, {**PLAIN, "name": "", "ships": [f"{ENGLISH}-00"], "to": "near"})
    assert parts(told) == [{"ships": [f"{ENGLISH}-00"], "to": "near"}]
    refused = client.post(ADDRESS, {**PLAIN, "ships": [f"{ENGLISH}-00"], "to": "far"})
    assert refused.status_code == 422


@pytest.mark.clause("G.MV3")
def test_refusals_come_back_with_every_reason_and_what_was_ticked(client: Client, told: World) -> None:
    response = client.post(
        ADDRESS, {**PLAIN, "ships": [f"{ENGLISH}-00"], "name": " ", "on_arrival": "escort"}
    )
    shown = response.content.decode()
    assert response.status_code == 422
    assert "A detachment needs a name" in shown
    assert "Choose another fleet of your side to escort" in shown
    assert f'value="{ENGLISH}-00" checked' in shown
    every = [f"{ENGLISH}-{n}{k}" for n in range(2) for k in range(3)]
    assert (
        "would have no ship left that can fight"
        in client.post(ADDRESS, {**PLAIN, "ships": every}).content.decode()
    )
    assert "Tick the ships" in client.post(ADDRESS, PLAIN).content.decode()
    assert parts(told) == []


@pytest.mark.clause("G.IN1")
def test_an_enemys_ship_cannot_be_ticked_and_is_not_mentioned(client: Client, told: World) -> None:
    response = client.post(ADDRESS, {**PLAIN, "ships": [f"{DUTCH}-00"]})
    assert response.status_code == 422
    assert f"Ship {DUTCH}" not in response.content.decode()
    assert parts(told) == []


def test_a_stale_list_is_refused(client: Client, told: World) -> None:
    Order.objects.filter(fleet=told.english_fleet).update(state_no=5)
    response = client.post(ADDRESS, {**PLAIN, "ships": [f"{ENGLISH}-00"]})
    assert response.status_code == 422
    assert "has changed this fleet&#x27;s orders" in response.content.decode()


def test_only_the_fleets_commander_has_this_page(told: World) -> None:
    told.english.chief = False
    told.english.save()
    told.english.commands.all().delete()
    assert told.client("english").get(ADDRESS).status_code == 404


def test_no_one_else_detaches_a_sides_ships(told: World) -> None:
    for person in ("umpire", "dutch", "observer", "stranger"):
        response = told.client(person).post(ADDRESS, {**PLAIN, "ships": [f"{ENGLISH}-00"]})
        assert response.status_code == 404, person
        assert parts(told) == [], person
