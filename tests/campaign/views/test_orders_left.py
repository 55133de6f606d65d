"""Standing orders when ships are lost or fleets have moved: the form can be sent unchanged, and says what dropped out."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Order, Station
from fleets.models import Ship
from fleets.services.service_records import record_write
from tests.support.factories import FleetFactory
from tests.support.page_forms import untouched
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = pytest.mark.one_database

ADDRESS = reverse("orders", args=["telltale", f"{ENGLISH}-f"])


@pytest.fixture
def client(told: World) -> Client:
    """The English admiral's browser."""
    return told.client("english")


def stand(told: World, **changes: Any) -> None:
    """Change the order that stands for the English fleet."""
    Order.objects.filter(fleet=told.english_fleet).update(source="standing", **changes)


def part(*ships: str, **changes: Any) -> dict[str, Any]:
    """A detachment of English ships for the Gunfleet."""
    codes = [f"{ENGLISH}-{ship}" for ship in ships]
    return {"ships": codes, "name": "Hurt ships", "stance": "avoid", "on_arrival": "anchor", **changes}


def shown_and_given(client: Client) -> tuple[str, Any]:
    """The page, and the answer when its form is sent as it is."""
    page = client.get(ADDRESS).content.decode()
    return page, client.post(ADDRESS, {**untouched(page, "orders-form"), "act": "send"})


@pytest.mark.clause("G.MV4", "G.MV2")
def test_a_detachment_of_lost_ships_leaves_the_orders_and_the_form_says_when_and_how(
    client: Client, told: World
) -> None:
    stand(told, parts=[part("00", "11")])
    ship = Ship.objects.get(code=f"{ENGLISH}-00")
    Ship.objects.filter(pk=ship.pk).update(fate="burnt", squadron=None)
    record_write(
        ship=ship, when="1666-06-12T14:00", kind="sunk", data={"cause": "in a gale", "place": "the Nore"}, event="x"
    )  # fmt: skip
    page, answer = shown_and_given(client)
    assert (
        f"Ship {ENGLISH} 00 was burnt on 12 June 1666. We have removed it from the detachment “Hurt ships”."
        in page
    )
    assert answer.status_code == 302
    assert Order.objects.get(fleet=told.english_fleet).parts[0]["ships"] == [f"{ENGLISH}-11"]
    assert "These orders have changed" not in client.get(ADDRESS).content.decode()


@pytest.mark.clause("G.IN1")
def test_a_ship_taken_by_the_enemy_is_reported_only_as_taken(client: Client, told: World) -> None:
    stand(told, parts=[part("00")])
    taken = {
        "navy": told.dutch_fleet.navy,
        "name": f"Prize of {DUTCH}",
        "former_names": ["Ruby"],
        "fate": "sunk",
        "squadron": None,
    }
    Ship.objects.filter(code=f"{ENGLISH}-00").update(**taken)
    page, answer = shown_and_given(client)
    assert (
        "Ruby is in enemy hands. We have removed the detachment “Hurt ships” from these orders: it has no ships left."
        in page
    )
    assert DUTCH not in page and "sunk" not in page
    assert answer.status_code == 302


@pytest.mark.clause("G.MV4")
def test_the_page_of_detachments_says_it_too_and_adds_to_the_rest(client: Client, told: World) -> None:
    stand(told, parts=[part("00", "11")])
    Ship.objects.filter(code=f"{ENGLISH}-00").update(fate="burnt", squadron=None)
    address = reverse("orders_ships", args=["telltale", f"{ENGLISH}-f"])
    assert "was burnt" in client.get(address).content.decode()
    sent = {"state_no": "1", "stance": "hold", "on_arrival": "patrol", "name": "Cruisers", "act": "add"}
    answer = client.post(address, {**sent, "ships": [f"{ENGLISH}-02"]})
    assert answer.status_code == 302
    kept = [row["ships"] for row in Order.objects.get(fleet=told.english_fleet).parts]
    assert kept == [[f"{ENGLISH}-11"], [f"{ENGLISH}-02"]]


@pytest.mark.clause("G.MV4")
def test_ships_for_a_fleet_that_is_no_longer_in_company_stay(client: Client, told: World) -> None:
    far = FleetFactory(navy=told.english.side.navy, code="far", name="The far fleet")
    Station.objects.create(fleet=far, at="torbay")
    stand(told, parts=[part("00", to="far", name="")])
    page, answer = shown_and_given(client)
    assert "The far fleet is not in company" in page
    assert "We have removed the transfer from these orders." in page
    assert answer.status_code == 302
    assert Order.objects.get(fleet=told.english_fleet).parts == []


@pytest.mark.clause("G.MV2")
def test_a_fleet_carried_off_its_route_by_a_chase_keeps_it(client: Client, told: World) -> None:
    stand(told, route=["galloper", "sole_bay"])
    page, answer = shown_and_given(client)
    assert "was carried off its route" in page
    assert answer.status_code == 302
    route = Order.objects.get(fleet=told.english_fleet).route
    assert route[-2:] == ["galloper", "sole_bay"] and len(route) > 2


@pytest.mark.clause("G.BL1")
def test_a_blockade_with_a_finished_route_keeps_its_port(client: Client, told: World) -> None:
    stand(told, route=[], on_arrival="blockade", target="hellevoetsluis")
    _, answer = shown_and_given(client)
    assert answer.status_code == 302
    order = Order.objects.get(fleet=told.english_fleet)
    assert (order.on_arrival, order.target) == ("blockade", "hellevoetsluis")


@pytest.mark.clause("G.MV2")
def test_an_escort_whose_charge_is_gone_anchors(client: Client, told: World) -> None:
    gone = FleetFactory(navy=told.english.side.navy, code="gone", name="The colliers", ended=True)
    stand(told, on_arrival="escort", target=gone.code)
    page, answer = shown_and_given(client)
    assert "The colliers can no longer be escorted." in page
    assert answer.status_code == 302
    assert Order.objects.get(fleet=told.english_fleet).on_arrival == "anchor"
