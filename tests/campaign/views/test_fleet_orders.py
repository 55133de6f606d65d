"""Many fleets at once: one order for several, all or none; copies; the list of orders and what is withdrawn there; what awaits a member."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Letter, Order, OrderDraft, Ready, SideOrder, Station
from campaign.selectors.awaits import awaits
from campaign.selectors.chart.chart import fleet_marks
from campaign.services.orders.orders import OrderRefused, order_withdraw
from campaign.services.turn.turns import turn_lock
from tests.support.factories import BattleOutcomeFactory
from tests.support.page_forms import untouched
from tests.support.people import DUTCH, ENGLISH, World
from tests.support.squadrons import english_fleets

pytestmark = pytest.mark.one_database

CODE = "telltale"
TABLE, LIST, WITHDRAW = (
    reverse(name, args=[CODE]) for name in ("fleet_table", "orders_list", "orders_withdraw")
)
ORDERS = reverse("orders", args=[CODE, f"{ENGLISH}-f"])
TYPED = {
    "stance": "avoid", "on_arrival": "anchor", "greatest_odds": "2.75", "chase_hours": "24", "at_nightfall": "part",
    "after_battle": "auto", "at_sound_of_guns": "join", "gauge": "any", "fight_at": "best", "chase": "line",
    "break_off": "50", "board": "pays", "fire_ships": "on", "state_no": "1",
}  # fmt: skip


@pytest.fixture
def fleets(told: World) -> list[Any]:
    """The red and the white squadron at the Nore, without orders of this turn."""
    return english_fleets(told, "red", "white")


@pytest.fixture
def client(told: World, fleets: list[Any]) -> Client:
    """The English admiral's browser."""
    return told.client("english")


def give(client: Client, *codes: str, **wanted: str) -> Any:
    """Tick fleets and give them an order, having seen their first ones."""
    seen = {f"seen-{ENGLISH}-{name}": "1" for name in ("f", "red", "white")}
    return client.post(TABLE, {"fleets": [f"{ENGLISH}-{code}" for code in codes], **seen, **wanted})


def order(name: str) -> Order:
    """The stored order of an English fleet."""
    return Order.objects.get(fleet__code=f"{ENGLISH}-{name}")


def test_the_table_shows_every_fleet_with_what_it_does_and_which_comes_next(client: Client) -> None:
    shown = client.get(TABLE).content.decode()
    assert "Red squadron" in shown and "White squadron" in shown
    assert "all sound" in shown and "The Nore" in shown
    assert shown.count('name="fleets"') == 3
    assert "Next fleet without new orders:" in shown and "2 fleets without new orders" in shown


@pytest.mark.clause("G.MV2")
def test_one_order_goes_to_every_ticked_fleet_and_leaves_the_rest_of_each_as_it_was(client: Client) -> None:
    Order.objects.filter(fleet__code=f"{ENGLISH}-red").update(instructions={"greatest_odds": "4"})
    response = give(client, "red", "white", goal="gunfleet", stance="avoid")
    assert response.url == TABLE
    red, white = order("red"), order("white")
    assert red.route == white.route and red.route[-1] == "gunfleet"
    assert (red.stance, red.on_arrival, red.source, red.state_no) == ("avoid", "anchor", "web", 2)
    assert red.instructions == {"greatest_odds": "4"} and white.instructions == {}
    assert "Orders given to Red squadron and White squadron" in client.get(TABLE).content.decode()
    give(client, "red", goal="-")
    assert order("red").route == red.route, "the first order was seen, not the second: it is stale"


@pytest.mark.clause("G.MV3")
def test_when_one_fleet_is_refused_no_fleet_gets_the_order_and_each_fault_stands_with_its_fleet(
    client: Client,
) -> None:
    Order.objects.filter(fleet__code=f"{ENGLISH}-white").update(state_no=4, author="another admiral")
    response = give(client, "f", "red", "white", on_arrival="blockade")
    shown = response.content.decode()
    assert response.status_code == 422
    faults = shown.split('role="alert"')[1].split("</div>")[0]
    assert faults.count("end the route at a port of a side that you are at war with") == 3
    assert "<b>Red squadron</b>" in faults and "<b>White squadron</b>" in faults
    response = give(client, "red", "white", stance="seek")
    assert "another admiral has changed" in response.content.decode()
    assert order("red").stance == "hold" and order("red").source == "standing", "nothing is half saved"
    assert 'value="zjengl-red" checked' in response.content.decode(), "the ticks stay"


def test_an_order_without_fleets_or_without_words_is_refused(client: Client) -> None:
    cases: list[tuple[tuple[str, ...], dict[str, str], str]] = [
        ((), {"goal": "gunfleet"}, "Tick the fleets"),
        (("red",), {}, "Choose a place, a stance"),
        (("red",), {"copied": f"{ENGLISH}-f", "stance": "seek"}, "Do not do both"),
        (("red",), {"goal": "atlantis"}, "Shortest way to"),
    ]
    for codes, wanted, words in cases:
        response = give(client, *codes, **wanted)
        assert response.status_code == 422, words
        assert words in response.content.decode()
        assert order("red").source == "standing", words


@pytest.mark.clause("G.MV2", "G.MV4")
def test_a_copy_brings_route_stance_and_instructions_and_joins_the_route_where_it_is_nearest(
    told: World, client: Client
) -> None:
    first = Order.objects.get(fleet=told.english_fleet)
    Order.objects.filter(pk=first.pk).update(route=["swin", "gunfleet"])
    Station.objects.filter(fleet__code=f"{ENGLISH}-white").update(at="gunfleet")
    assert give(client, "red", "white", copied=f"{ENGLISH}-f").status_code == 302
    assert (order("red").route, order("red").stance) == (["swin", "gunfleet"], "seek")
    assert order("red").instructions == {"greatest_odds": "3.25"}
    assert order("white").route == [], "it lies at the end of the route already"


def test_an_enemys_fleet_can_be_neither_ordered_nor_copied(told: World, client: Client) -> None:
    code = f"{DUTCH}-f"
    response = client.post(TABLE, {"fleets": [code], f"seen-{code}": "1", "stance": "avoid"})
    assert response.status_code == 422
    assert give(client, "red", copied=code).status_code == 422
    assert client.post(WITHDRAW, {"fleet": code, "state_no": "1"}).status_code == 302
    kept = Order.objects.get(fleet=told.dutch_fleet)
    assert (kept.stance, kept.state_no) == ("seek", 1)


def test_a_fleet_in_battle_has_no_box_and_its_orders_page_leads_to_the_battle(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = {"T1-b01": f"{CODE}-T1-b01"}
    monkeypatch.setattr("campaign.selectors.orders.fleet_table.holding", lambda campaign: held)
    monkeypatch.setattr("campaign.views.orders.holding", lambda campaign: held)
    Station.objects.filter(fleet__code=f"{ENGLISH}-f").update(held_by="T1-b01")
    battle = reverse("battle_result", args=[CODE, f"{CODE}-T1-b01"])
    table, page = (client.get(address).content.decode() for address in (TABLE, ORDERS))
    assert table.count('name="fleets"') == 2 and battle in table
    assert battle in page and "is in battle and takes no orders" in page
    assert "Give orders" not in page and 'name="goal"' not in page
    assert client.post(ORDERS, {**TYPED, "act": "send"}).status_code == 422
    assert order("f").stance == "seek"


@pytest.mark.clause("G.MV2")
def test_orders_are_listed_in_words_and_withdrawn_until_they_close(told: World, client: Client) -> None:
    Ready.objects.create(turn=told.turn, side=told.english.side, by="x")
    give(client, "red", goal="gunfleet", stance="avoid")
    shown = client.get(LIST).content.decode()
    given = shown.split("Given this turn")[1].split("Standing orders")[0]
    assert "Red squadron" in given and "Gunfleet" in given and "Stance: avoid" in given
    assert "Greatest odds accepted: 3.25 to 1" in shown
    assert client.post(WITHDRAW, {"fleet": f"{ENGLISH}-red", "state_no": "1"}).status_code == 302
    assert order("red").stance == "avoid", "someone else has changed it since"
    client.post(WITHDRAW, {"fleet": f"{ENGLISH}-red", "state_no": "2"})
    back = order("red")
    assert (back.route, back.stance, back.source, back.state_no) == ([], "hold", "standing", 3)
    assert not Ready.objects.filter(side=told.english.side).exists()
    give(client, "white", stance="avoid")
    assert turn_lock(turn=told.turn)
    with pytest.raises(OrderRefused, match="no longer takes orders"):
        order_withdraw(turn=told.turn, membership=told.english, fleet=order("white").fleet)
    assert order("white").stance == "avoid"


def test_a_fleet_that_had_no_orders_has_none_when_they_are_withdrawn(told: World, client: Client) -> None:
    Order.objects.filter(fleet__code=f"{ENGLISH}-red").delete()
    client.post(TABLE, {"fleets": [f"{ENGLISH}-red"], f"seen-{ENGLISH}-red": "0", "stance": "avoid"})
    fleet = order("red").fleet
    assert order_withdraw(turn=told.turn, membership=told.english, fleet=fleet, state_no=1) is None
    assert not Order.objects.filter(fleet=fleet).exists()


def test_orders_from_before_the_update_are_not_withdrawn(told: World, client: Client) -> None:
    with pytest.raises(OrderRefused, match="from before the site was updated"):
        order_withdraw(turn=told.turn, membership=told.english, fleet=told.english_fleet)


def test_what_is_typed_is_kept_until_it_is_given_or_discarded(told: World, client: Client) -> None:
    assert client.post(ORDERS, {**TYPED, "act": "keep", "route": ["swin", "gunfleet"]}).status_code == 204
    assert client.post(ORDERS, {**TYPED, "act": "ships", "route": ["swin", "gunfleet"]}).url == reverse(
        "orders_ships", args=[CODE, f"{ENGLISH}-f"]
    )
    shown = client.get(ORDERS).content.decode()
    assert 'value="avoid" checked' in shown and 'value="2.75"' in shown
    assert shown.count('name="route"') == 2 and "saved as a draft" in shown
    assert order("f").route == ["swin"]
    assert give(client, "f", stance="hold").status_code == 422, "a bulk order does not sweep it away"
    Order.objects.filter(pk=order("f").pk).update(state_no=7, author="another admiral")
    assert "another admiral has changed the orders" in client.get(ORDERS).content.decode()
    assert client.post(ORDERS, {**TYPED, "act": "discard"}).url == ORDERS
    assert not OrderDraft.objects.exists()
    client.post(ORDERS, {**TYPED, "act": "keep", "greatest_odds": "many"})
    client.post(ORDERS, {**TYPED, "act": "send", "state_no": "7"})
    assert not OrderDraft.objects.exists(), "given orders need no draft"


def test_a_draft_that_says_what_is_stored_is_none(client: Client) -> None:
    fields = untouched(client.get(ORDERS).content.decode(), "orders-form")
    client.post(ORDERS, {**fields, "act": "keep", "chase_hours": "25"})
    assert OrderDraft.objects.count() == 1
    client.post(ORDERS, {**fields, "act": "keep"})
    assert not OrderDraft.objects.exists()


@pytest.mark.clause("G.IN1")
def test_a_draft_is_seen_by_no_one_else(told: World, client: Client) -> None:
    client.post(ORDERS, {**TYPED, "act": "keep", "greatest_odds": "77.77", "route": ["swin", "gunfleet"]})
    assert "77.77" in client.get(ORDERS).content.decode()
    names = ("fleet_table", "orders_list", "campaign", "people", "log")
    addresses = [ORDERS, reverse("home"), *(reverse(name, args=[CODE]) for name in names)]
    for person in ("dutch", "umpire", "observer", "stranger", "deputy"):
        if person == "deputy":  # of the same side, with the same rights
            told.dutch.side, told.dutch.chief = told.english.side, True
            told.dutch.save()
        reader = told.client("dutch" if person == "deputy" else person)
        for address in addresses:
            shown = reader.get(address).content.decode()
            assert "77.77" not in shown and "changes not given" not in shown, (person, address)


def test_drafts_go_when_the_turn_is_locked_and_stay_when_ships_are_detached(
    told: World, client: Client
) -> None:
    client.post(ORDERS, {**TYPED, "act": "keep"})
    client.post(
        reverse("orders_ships", args=[CODE, f"{ENGLISH}-f"]),
        {
            "ships": [f"{ENGLISH}-01"],
            "name": "Scouts",
            "stance": "avoid",
            "on_arrival": "anchor",
            "state_no": "1",
        },
    )
    assert order("f").parts and OrderDraft.objects.get().state_no == order("f").state_no == 2
    assert 'value="2.75"' in client.get(ORDERS).content.decode()
    assert turn_lock(turn=told.turn)
    assert not OrderDraft.objects.exists()


@pytest.mark.parametrize(
    ("source", "given"),
    [("web", True), ("mail", True), ("admiral", False), ("standing", False), ("opening", False)],
)
def test_the_chart_calls_orders_new_where_the_table_does(told: World, source: str, given: bool) -> None:
    Order.objects.filter(fleet__code=f"{ENGLISH}-f").update(source=source)
    marks = {mark.code: mark for mark in fleet_marks(told.campaign, told.english, told.turn)}
    assert marks[f"{ENGLISH}-f"].given is given


def test_what_awaits_an_admiral_is_on_home_and_counted_in_the_menu(told: World, client: Client) -> None:
    def found() -> dict[str, int]:
        return {row.page: row.number for row in awaits(told.english)}

    Order.objects.filter(fleet__code=f"{ENGLISH}-f").update(source="web")
    assert found() == {"fleet_table": 2}
    home = client.get(reverse("home")).content.decode()
    assert "2 fleets have no new orders for turn 2" in home
    assert home.index("Waiting for you") < home.index("What happened") < home.index("campaign-card")
    menu = client.get(reverse("people", args=[CODE])).content.decode().split("</nav>")[1]
    assert '<summary>Menu <span class="count">2<' in menu.replace("\n", "")
    give(client, "red", "white", stance="avoid")
    assert [row.text for row in awaits(told.english)] == ["Orders for turn 2 are given. Mark them ready."]
    Ready.objects.create(turn=told.turn, side=told.english.side, by="x")
    assert awaits(told.english) == ()


def test_letters_await_their_reader_until_they_have_seen_them(told: World, client: Client) -> None:
    Ready.objects.create(turn=told.turn, side=told.english.side, by="x")
    for fate in ("delivered", "under way"):
        Letter.objects.create(
            campaign=told.campaign,
            sender=told.umpire,
            recipient=told.english,
            text="Sail.",
            written=72,
            fate=fate,
        )
    assert [(row.page, row.number) for row in awaits(told.english)] == [("news", 1)]
    assert awaits(told.dutch) == ()
    news = reverse("news", args=[CODE])
    assert '<span class="badge good">new</span>' in client.get(news).content.decode()
    assert awaits(told.english) == ()
    assert '<span class="badge good">new</span>' not in client.get(news).content.decode()


@pytest.mark.clause("G.PR4", "G.RP2", "G.IN4")
def test_prizes_and_damaged_ships_await_the_commander_in_chief_until_they_decide(told: World) -> None:
    Ready.objects.create(turn=told.turn, side=told.english.side, by="x")
    prizes = [
        {"ship": f"{ENGLISH}-00", "captor": "ENG", "stage": "condemned"},
        {"ship": "x", "captor": "NLD", "stage": "condemned"},
    ]
    told.english.campaign.carried = {"economy": {"prizes": prizes}}
    Station.objects.filter(fleet=told.english_fleet).update(at="chatham")
    ship = told.campaign.book.ships.get(code=f"{ENGLISH}-01")
    ship.condition = {**ship.condition, "hits_struct": 3}
    ship.save()
    assert [(row.page, row.number) for row in awaits(told.english)] == [("prizes", 1), ("dockyards", 1)]
    SideOrder.objects.create(
        turn=told.turn, side=told.english.side,
        document={"choices": [[f"{ENGLISH}-00", "sell", ""]], "queue": [f"{ENGLISH}-01"]},
    )  # fmt: skip
    assert awaits(told.english) == ()
    SideOrder.objects.all().delete()
    told.english.chief = False
    assert awaits(told.english) == ()


@pytest.mark.clause("G.BT5", "G.IN1")
def test_a_result_awaits_the_side_that_has_not_answered_and_a_dispute_the_umpire(told: World) -> None:
    Ready.objects.create(turn=told.turn, side=told.english.side, by="x")
    battle = told.campaign.book.battles.get(code=f"{CODE}-T1-b01")
    battle.status, battle.route = "ready", "table"
    battle.save()
    other = told.campaign.book.battles.exclude(pk=battle.pk).get()
    other.status, other.route = "ready", "table"
    other.save()

    def found(who: Any) -> list[str]:
        return [row.text for row in awaits(who) if row.page == "battle_result"]

    assert found(told.english) == ["Enter the result of a battle: Battle b01."]
    outcome = BattleOutcomeFactory(battle=battle, status="proposed", version=2)
    outcome.answers.create(version=2, side="NLD", by="x", answer="confirmed")
    assert found(told.english) == ["Confirm or dispute a result: Battle b01."]
    assert "b01" not in "".join(found(told.dutch)) and found(told.umpire) == found(told.observer) == []
    type(outcome).objects.update(status="disputed")
    assert found(told.english) == []
    assert found(told.umpire) == ["Rule on a disputed result: Battle b01."]
