"""The orders form: leg by leg without a script, in place with one; refusals with every reason; stale forms."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Order, Station, Turn
from tests.support.factories import FleetFactory
from tests.support.people import ENGLISH, World

pytestmark = pytest.mark.one_database

ADDRESS = reverse("orders", args=["telltale", f"{ENGLISH}-f"])
HTMX = {"HX-Request": "true"}
PLAIN = {
    "stance": "hold", "on_arrival": "anchor", "greatest_odds": "1.5", "chase_hours": "24", "at_nightfall": "part",
    "after_battle": "renew", "at_sound_of_guns": "join", "gauge": "any", "fight_at": "best", "chase": "line",
    "break_off": "50", "board": "pays", "fire_ships": "on", "cripples_to": "", "state_no": "1",
}  # fmt: skip


@pytest.fixture
def client(told: World) -> Client:
    """The English admiral's browser."""
    return told.client("english")


def post(
    client: Client, act: str, route: list[str], headers: dict[str, str] | None = None, **changes: Any
) -> Any:
    """Send the form with a button pressed."""
    return client.post(ADDRESS, {**PLAIN, "route": route, "act": act, **changes}, headers=headers or {})


def route_of(told: World) -> list[str]:
    """The stored route."""
    return Order.objects.get(fleet=told.english_fleet).route


@pytest.mark.clause("G.CH1")
def test_the_form_shows_the_present_orders_the_next_places_that_join_and_enemy_ports_apart(
    client: Client,
) -> None:
    shown = client.get(ADDRESS).content.decode()
    assert '<input type="hidden" name="route" value="swin">' in shown
    assert 'value="seek" checked' in shown
    assert 'value="3.25"' in shown
    assert "nm</b>, about" in shown
    picker = shown.split('name="next"')[1].split("</select>")[0]
    assert 'value="gunfleet"' in picker
    assert 'value="texel"' not in picker
    goals = shown.split('name="goal"')[1].split("</select>")[0]
    assert 'value="chatham"' in goals
    before, enemies = goals.split("Enemy ports to blockade or attack")
    assert 'value="hellevoetsluis"' in enemies
    assert 'value="hellevoetsluis"' not in before
    havens = shown.split('name="rendezvous"')[1].split("</select>")[0]
    assert 'value="sole_bay"' in havens
    assert 'value="hellevoetsluis"' not in havens


def test_legs_are_added_and_removed_without_saving_anything(client: Client, told: World) -> None:
    added = post(client, "add", ["swin"], next="gunfleet").content.decode()
    assert added.count('name="route"') == 2
    assert "Gunfleet" in added
    assert post(client, "back", ["swin", "gunfleet"]).content.decode().count('name="route"') == 1
    assert "The fleet stays where it is" in post(client, "clear", ["swin"]).content.decode()
    assert route_of(told) == ["swin"]


def test_a_distant_place_brings_the_shortest_way_to_it(client: Client) -> None:
    shown = post(client, "add", [], goal="galloper").content.decode()
    assert '<input type="hidden" name="route" value="galloper">' in shown
    assert shown.count('name="route"') > 1


def test_a_place_that_is_not_on_the_chart_adds_nothing(client: Client) -> None:
    assert post(client, "add", ["swin"], goal="atlantis").content.decode().count('name="route"') == 1


def test_what_was_typed_survives_a_draft(client: Client) -> None:
    shown = post(client, "add", [], stance="avoid", greatest_odds="2.75", next="swin").content.decode()
    assert 'value="avoid" checked' in shown
    assert 'value="2.75"' in shown


@pytest.mark.clause("G.MV2", "G.MV5")
def test_only_settings_other_than_the_usual_ones_are_saved_with_the_orders(
    client: Client, told: World
) -> None:
    response = post(
        client, "send", ["swin"], next="gunfleet", stance="avoid", greatest_odds="2.50", break_off="30", board="crippled",
        cripples_to="chatham",
    )  # fmt: skip
    assert response.url == ADDRESS
    order = Order.objects.get(fleet=told.english_fleet)
    assert (order.route, order.stance, order.state_no) == (["swin", "gunfleet"], "avoid", 2)
    assert order.instructions["greatest_odds"] == "2.5"
    assert order.instructions["cripples_to"] == "chatham"
    assert order.instructions["doctrine"] == {"board": "crippled", "break_off": 30}
    assert "at_nightfall" not in order.instructions
    assert "given. You can change them" in client.get(ADDRESS).content.decode()


@pytest.mark.clause("G.MV5")
def test_the_form_shows_whom_to_board_as_orders_of_any_age_have_it(client: Client, told: World) -> None:
    for stored, shown in ((False, "never"), (True, "pays"), ("crippled", "crippled"), (None, "pays")):
        doctrine = {} if stored is None else {"doctrine": {"board": stored}}
        Order.objects.filter(fleet=told.english_fleet).update(instructions=doctrine)
        picker = client.get(ADDRESS).content.decode().split('name="board"')[1].split("</select>")[0]
        assert f'value="{shown}" selected' in picker, stored
        assert picker.count("selected") == 1, stored


@pytest.mark.clause("G.MV3")
def test_refused_orders_come_back_with_every_reason_and_its_clause(client: Client, told: World) -> None:
    response = post(client, "send", ["galloper", "hellevoetsluis"])
    shown = response.content.decode()
    assert response.status_code == 422
    assert "No passage leads from The Nore to The Galloper" in shown
    assert "is an enemy port" in shown
    assert "/rules/campaign#G.CH1" in shown
    assert "/rules/campaign#G.PT1" in shown
    assert route_of(told) == ["swin"]


def test_every_error_in_the_fields_is_reported_at_once(client: Client, told: World) -> None:
    response = post(
        client, "send", [], greatest_odds="many", chase_hours="-3", break_off="900", gauge="upwind"
    )
    shown = response.content.decode()
    assert response.status_code == 422
    for label in ("Greatest odds accepted", "Hours to chase", "Break off at", "Weather gauge"):
        assert f"<li>{label}:" in shown
    assert route_of(told) == ["swin"]


def test_a_stale_form_is_refused_with_the_fresh_orders(client: Client, told: World) -> None:
    Order.objects.filter(fleet=told.english_fleet).update(
        state_no=5, route=["swin", "gunfleet"], author="the other admiral"
    )
    response = post(client, "send", ["swin"])
    shown = response.content.decode()
    assert response.status_code == 409
    assert "the other admiral has changed this fleet&#x27;s orders" in shown
    assert '<input type="hidden" name="route" value="gunfleet">' in shown
    assert 'name="state_no" value="5"' in shown
    assert route_of(told) == ["swin", "gunfleet"]


def test_a_closed_turn_takes_no_orders(client: Client, told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(phase="locked")
    assert "Give orders" not in client.get(ADDRESS).content.decode()
    response = post(client, "send", ["swin"])
    assert response.status_code == 422
    assert "no longer takes orders" in response.content.decode()


def test_htmx_gets_the_form_alone_and_is_redirected_after_success(client: Client) -> None:
    partial = post(client, "add", ["swin"], HTMX, next="gunfleet").content.decode()
    assert partial.lstrip().startswith('<form id="orders-form"')
    assert "<html" not in partial
    sent = post(client, "send", ["swin"], HTMX)
    assert (sent.status_code, sent["HX-Redirect"]) == (204, ADDRESS)


def test_an_admiral_without_the_fleet_can_view_but_not_order(told: World) -> None:
    told.english.chief = False
    told.english.save()
    told.english.commands.all().delete()
    client = told.client("english")
    assert "Another admiral commands this fleet" in client.get(ADDRESS).content.decode()
    response = post(client, "send", ["swin"])
    assert "You do not command that fleet" in response.content.decode()


@pytest.mark.clause("G.CH2")
def test_a_fleet_between_two_places_sails_on_or_turns_back(told: World) -> None:
    told.english_fleet.station.at, told.english_fleet.station.to = "nore", "swin"
    told.english_fleet.station.run = 4000
    told.english_fleet.station.save()
    shown = told.client("english").get(ADDRESS).content.decode()
    picker = shown.split('name="next"')[1].split("</select>")[0]
    assert "4 nm from the Nore towards the Swin" in shown
    assert 'value="gunfleet"' in picker  # the standing route leads to the Swin: this is what joins it
    cleared = post(told.client("english"), "clear", []).content.decode()
    picker = cleared.split('name="next"')[1].split("</select>")[0]
    assert "The Nore (4 nm)" in picker
    assert 'value="swin"' in picker
    assert "gunfleet" not in picker


@pytest.mark.clause("G.MV2", "G.BL1", "G.MV5")
def test_a_blockade_is_ordered_with_its_shelter(client: Client, told: World) -> None:
    response = post(
        client, "send", [], goal="hellevoetsluis", on_arrival="blockade", shelter="sole_bay", prizes="burn"
    )  # fmt: skip
    assert response.status_code == 302
    order = Order.objects.get(fleet=told.english_fleet)
    assert (order.on_arrival, order.route[-1]) == ("blockade", "hellevoetsluis")
    assert (order.instructions["shelter"], order.instructions["prizes"]) == ("sole_bay", "burn")


@pytest.mark.clause("G.MV2", "G.MV3")
def test_an_escort_needs_a_fleet_to_accompany(client: Client, told: World) -> None:
    refused = post(client, "send", [], on_arrival="escort")
    assert "Choose another fleet of your side to escort" in refused.content.decode()
    other = FleetFactory(navy=told.english.side.navy, code="trade", name="The trade")
    Station.objects.create(fleet=other, at="nore")
    assert post(client, "send", [], on_arrival="escort", target="trade").status_code == 302
    assert Order.objects.get(fleet=told.english_fleet).target == "trade"


@pytest.mark.clause("G.MV1", "G.MV3")
def test_a_route_is_previewed_without_saving_anything(client: Client, told: World) -> None:
    shown = post(client, "try", ["swin"], next="gunfleet", stance="avoid").content.decode()
    trial = shown.split('id="trial"')[1].split("</section>")[0]
    assert "The Gunfleet" in trial or "Gunfleet" in trial
    assert "1666" in trial
    assert 'value="avoid" checked' in shown
    assert route_of(told) == ["swin"]


@pytest.mark.clause("G.MV3")
def test_a_preview_reports_what_would_be_refused(client: Client, told: World) -> None:
    shown = post(client, "try", ["galloper"], on_arrival="escort").content.decode()
    trial = shown.split('id="trial"')[1].split("</section>")[0]
    assert "would be refused" in trial
    assert "No passage leads from The Nore to The Galloper" in trial
    assert route_of(told) == ["swin"]
