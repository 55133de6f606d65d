"""The umpire's page of convoys, and what admirals see of their own."""

from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Campaign
from campaign.rules.state.duties import Cargo, Duties, Interned
from fleets.models import Ship
from tests.support.people import DUTCH, ENGLISH, World

ADDRESS = reverse("convoys", args=["telltale"])
COAL = {
    "side": "ENG", "code": "COAL", "name": "Newcastle colliers", "ships": "Ann\n\nHopewell", "guns": "8", "tons": "200",
    "start": "tyne", "destination": "thames", "sails_in": "2", "value": "60", "reason": "trade must live",
}  # fmt: skip
pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.CV1", "G.UM1")]


@pytest.fixture
def laden(told: World) -> World:
    """A ship of each side carries a cargo, and another lies interned."""
    cargoes = {
        f"{ENGLISH}-00": Cargo(41, "chatham", "ENG"),
        f"{DUTCH}-00": Cargo(43, "vlie", "NLD"),
    }
    interned = {
        f"{tale}-01": Interned("ostend", 10, side) for tale, side in ((ENGLISH, "ENG"), (DUTCH, "NLD"))
    }
    told.campaign.carried = {"duties": Duties(cargoes=cargoes, interned=interned).doc()}
    told.campaign.save()
    return told


def test_the_umpire_sees_every_cargo_and_every_ship_interned(laden: World) -> None:
    shown = laden.client("umpire").get(ADDRESS).content.decode()
    for expected in ("41", "43", "Medway Mouth", f"Ship {ENGLISH} 01", f"Ship {DUTCH} 01", "Ostend"):
        assert expected in shown


def test_an_empty_list_says_so(told: World) -> None:
    shown = told.client("umpire").get(ADDRESS).content.decode()
    assert "No convoys are at sea" in shown and "No ships are interned" in shown


def test_the_umpire_makes_a_convoy_that_its_admiral_finds_among_their_fleets(told: World) -> None:
    response = told.client("umpire").post(ADDRESS, COAL)
    assert response.url == ADDRESS
    assert Ship.objects.filter(squadron__fleet__code="COAL").count() == 2
    page = told.client("english").get(reverse("fleet", args=["telltale", "COAL"])).content.decode()
    assert "2 laden ships, cargo worth 60 points, bound for" in page
    assert "sails 4 June 1666" in page


def test_errors_appear_beside_the_entry_and_nothing_is_created(told: World) -> None:
    response = told.client("umpire").post(ADDRESS, {**COAL, "destination": "tyne", "ships": " "})
    assert response.status_code == 422
    response = told.client("umpire").post(ADDRESS, {**COAL, "destination": "tyne"})
    assert "Choose a destination other than" in response.content.decode()
    assert not Ship.objects.filter(squadron__fleet__code="COAL").exists()


@pytest.mark.clause("G.NE1")
def test_releasing_nothing_is_refused(laden: World) -> None:
    client = laden.client("umpire")
    shown = client.post(reverse("interned_release", args=["telltale"]), {}, follow=True).content.decode()
    assert "Choose ships that are interned" in shown


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize(("person", "own", "other"), [("english", "41", "43"), ("dutch", "43", "41")])
def test_a_side_sees_its_own_cargo_and_nothing_of_the_enemys_trade(
    laden: World, person: str, own: str, other: str
) -> None:
    tale = ENGLISH if person == "english" else DUTCH
    client: Any = laden.client(person)
    shown = client.get(reverse("fleet", args=["telltale", f"{tale}-f"])).content.decode()
    assert f"cargo worth {own} points," in shown
    pages = ["campaign", "rules_in_force", "log", "reports", "fairness"]
    everything = shown + "".join(
        client.get(reverse(name, args=["telltale"])).content.decode() for name in pages
    )
    assert f"cargo worth {other}" not in everything
    assert client.get(ADDRESS).status_code == 404
    assert Campaign.objects.get().carried["duties"]["cargoes"]
