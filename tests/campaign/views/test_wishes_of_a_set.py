"""What an admiral may ask of the captains: the wishes that the campaign's rule set knows, on the form, in emails, in refusals."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.engine.core.scenario import Doctrine
from campaign.models import Order
from campaign.notices.replies import blocks_in
from campaign.rules.chart.types import FleetOrder, Instructions
from campaign.rules.orders.orders import order_faults
from campaign.selectors.orders.orders import cruising_speed
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.mail import reply_forms
from campaign.services.mail.reply_blocks import block_take
from campaign.services.mail.reply_forms import order_lines, own_labels, stations_for_reply
from campaign.services.orders.orders import OrderRefused, order_submit
from fleets.models import Ship
from tests.campaign.rules import builders as b
from tests.campaign.views.test_orders import PLAIN
from tests.support.answers import flawless
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = pytest.mark.one_database

NO_GAUGE = "These rules know no weather gauge."
ADDRESS = reverse("orders", args=["telltale", f"{ENGLISH}-f"])


@pytest.fixture
def tiny(told: World, tiny_pages: None) -> World:
    """The campaign under the tiny rule set, whose boats steam; the last of them sails."""
    told.campaign.book.rule_set = "tiny"
    told.campaign.book.save()
    steam = {"schema": 1, "points": 4, "steam": True}
    Ship.objects.update(
        card=steam, condition={"schema": 1, "lost": 0}, facts={"nation": "England", "speed_knots": 18}
    )
    Order.objects.update(given=datetime.now(UTC) - timedelta(days=1))
    return told


def faults(rule_set: str, **doctrine: Any) -> list[tuple[str, str]]:
    facts = b.facts([b.fleet("e", "ENG", "a")], rule_set=rule_set)
    order = FleetOrder("e", instructions=Instructions(doctrine=replace(Doctrine(), **doctrine)))
    return [(fault.clause, fault.text) for fault in order_faults(facts, order)]


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(
    ("doctrine", "text"),
    [
        ({"gauge": "windward"}, NO_GAUGE), ({"fire_ships": False}, "These rules know no fire ships."),
        ({"gauge": "any", "fire_ships": True, "board": "never", "chase": "general"}, ""),
    ],
)  # fmt: skip
def test_a_wish_that_a_rule_set_does_not_know_is_refused(
    tiny_set: None, doctrine: dict[str, Any], text: str
) -> None:
    assert faults("tiny", **doctrine) == ([("G.MV5", text)] if text else [])
    assert faults("kohler", **doctrine) == []


@pytest.mark.clause("G.MV5")
def test_every_wish_has_its_refusal(tiny_set: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support.tiny_set.rules import RULES

    monkeypatch.setattr(type(RULES), "wishes", frozenset())
    found = faults(
        "tiny",
        gauge="leeward",
        fight_at="close",
        chase="general",
        board="never",
        fire_ships=False,
        break_off=30,
    )
    known = ("weather gauge", "choice of range", "general chase", "boarding", "fire ships", "breaking off")
    assert [text for _, text in found] == [f"These rules know no {wish}." for wish in known]


@pytest.mark.django_db
@pytest.mark.clause("G.MV5")
def test_the_page_of_orders_shows_the_wishes_of_its_rule_set(tiny: World) -> None:
    client: Client = tiny.client("english")
    page = client.get(ADDRESS).content.decode()
    assert ">Ram<" in page.replace("\n", "").replace(" ", "")
    for absent in ("Weather gauge", "Use fire ships", "Board the enemy"):
        assert absent not in page
    sent = {**PLAIN, "gauge": "windward", "break_off": "40", "route": [], "act": "send"}
    assert client.post(ADDRESS, sent).status_code == 302
    given = Order.objects.get(turn=tiny.turn, fleet=tiny.english_fleet).instructions
    assert given["doctrine"] == {"break_off": 40}


@pytest.mark.django_db
@pytest.mark.clause("G.MV5")
def test_no_way_of_giving_orders_takes_a_wish_that_the_set_does_not_know(tiny: World) -> None:
    with pytest.raises(OrderRefused, match=NO_GAUGE):
        order_submit(
            turn=tiny.turn, membership=tiny.english, fleet=tiny.english_fleet,
            order=OrderColumns(instructions={"doctrine": {"gauge": "windward"}}),
        )  # fmt: skip


def reply(told: World, *lines: str) -> dict[str, Any]:
    (block,) = blocks_in([f"Fleet: Fleet {ENGLISH}", *lines], own_labels(told.english))
    return flawless(block_take,
        turn=told.turn, member=told.english, stations=stations_for_reply(told.english), block=block, sent=datetime.now(UTC)
    )  # fmt: skip


@pytest.mark.django_db
@pytest.mark.clause("G.MV5")
def test_an_email_offers_and_takes_the_wishes_of_its_rule_set(tiny: World) -> None:
    (station,) = stations_for_reply(tiny.english)
    labels = [label for label, _ in order_lines(tiny.english, station, None)]
    assert "Fight at" in labels and "Weather gauge" not in labels
    refused = reply(tiny, "Weather gauge: windward", "Ram: no")
    assert [row["why"] for row in refused["rows"]] == [NO_GAUGE, ""]
    assert not refused["taken"]
    taken = reply(tiny, "Stance: avoid", "", "Ram: no")
    assert taken["taken"], taken
    order = Order.objects.get(turn=tiny.turn, fleet=tiny.english_fleet)
    assert order.instructions["doctrine"] == {"board": "never"}


@pytest.mark.django_db
@pytest.mark.clause("G.ST1", "G.ST3")
def test_a_page_gives_a_fleet_of_steamers_its_speed_without_a_wind(tiny: World) -> None:
    station = tiny.english_fleet.station
    assert cruising_speed(tiny.campaign, station) == (10, "")
    address = reverse("fleet", args=["telltale", f"{ENGLISH}-f"])
    assert "10.0 knots" in (page := tiny.client("english").get(address).content.decode())
    assert "in a fair wind" not in page
    ship = Ship.objects.filter(squadron__fleet=tiny.english_fleet).first()
    Ship.objects.filter(pk=ship.pk).update(card={"schema": 1, "points": 4, "steam": False})
    assert cruising_speed(tiny.campaign, station)[1] == " in a fair wind"
    assert "4.5 knots in a fair wind" in tiny.client("english").get(address).content.decode()


@pytest.mark.django_db
@pytest.mark.clause("G.RP4")
def test_a_fleets_own_side_reads_its_coal_and_provisions_where_the_campaign_counts_them(tiny: World) -> None:
    address = reverse("fleet", args=["telltale", f"{ENGLISH}-f"])
    assert "Stores" not in tiny.client("english").get(address).content.decode()
    first, last = f"{ENGLISH}-00", f"{ENGLISH}-12"
    Ship.objects.filter(code=last).update(card={"schema": 1, "points": 4, "steam": False})
    tiny.campaign.settings = {"stores": "on"}
    tiny.campaign.carried = {"economy": {"coal": {first: 71, f"{DUTCH}-00": 1}, "stores": {last: 1}}}
    tiny.campaign.save()
    page = tiny.client("english").get(address).content.decode()
    assert "coal for 2 days, provisions for 1 day in the ship with the least" in page
    tiny.campaign.carried = {}
    tiny.campaign.save()
    page = tiny.client("english").get(address).content.decode()
    assert "coal for 16 days, provisions for 90 days" in page
    assert tiny.client("dutch").get(address).status_code == 404


@pytest.mark.django_db
@pytest.mark.clause("G.MV5")
def test_present_orders_are_described_in_the_words_of_the_form(
    tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (station,) = stations_for_reply(tiny.english)
    form = reply_forms.OrdersForm(**reply_forms.form_choices(tiny.english, station))
    words = dict(reply_forms.flat_choices(form, "stance"))
    monkeypatch.setattr(reply_forms, "SHOWN", ("stance",))
    (_, (_, told)) = order_lines(tiny.english, station, None)
    assert told in words.values() and told not in words
