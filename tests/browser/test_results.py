"""The result sheet on a phone: one line a ship, and a connection that is lost in the middle loses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from battles.boards import PRESENTATIONS
from battles.engine import registry
from battles.models import Battle, BattleOutcome
from battles.quick import quick_reference
from battles.roster import entered, squadrons
from campaign.models import Campaign, ResultDraft
from tests.browser.conftest import NEXT_FRAME, PHONE
from tests.campaign.views.test_results import browser, on_the_table
from tests.campaign.views.test_results import page as address_of
from tests.support.looked_over import violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
UNSAVED = "What you typed is kept on this device"


@pytest.fixture
def battle(transactional_db: None) -> Battle:
    return Battle.objects.get(book=on_the_table().book)


@pytest.fixture
def phone(page: Page, live_server: LiveServer, battle: Battle) -> Iterator[Page]:
    """The English admiral's phone on the result page; errors of scripts and of the content policy fail the test."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if "Content Security" in m.text else None)
    session = browser(Campaign.objects.get(), "english").cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}{address_of(battle)}")
    yield page
    assert complaints == []


def choose(phone: Page, ship: str, fate: str) -> None:
    phone.get_by_label(ship, exact=True).select_option(label=fate)


def test_a_lost_connection_loses_nothing_that_was_typed(
    phone: Page, live_server: LiveServer, battle: Battle
) -> None:
    choose(phone, "Antelope", "sunk")
    expect(phone.get_by_text("Saved as a draft")).to_be_visible()

    phone.context.set_offline(True)
    choose(phone, "Bristol", "changed")
    phone.get_by_label("Hull boxes shot away").fill("3")
    phone.locator("#ship-ENG002").get_by_label("withdrew").check()
    expect(phone.get_by_text(UNSAVED)).to_be_visible()
    phone.get_by_role("button", name="Enter this squadron").first.click()
    expect(phone.get_by_text(UNSAVED)).to_be_visible()
    expect(phone.get_by_label("Hull boxes shot away")).to_have_value("3")
    assert set(ResultDraft.objects.get().document["ships"]) == {"ENG001"}

    phone.context.set_offline(False)
    expect(phone.get_by_text("Saved as a draft")).to_be_visible(timeout=15_000)
    typed = ResultDraft.objects.get().document["ships"]
    assert typed["ENG002"]["hits_struct"] == "3" and typed["ENG002"]["flags"] == ["withdrew"]
    phone.get_by_role("button", name="Enter this squadron").first.click()
    expect(phone.get_by_text("English squadron entered.")).to_be_visible()
    lines = {row["ship"]: row for row in BattleOutcome.objects.get().document["ships"]}
    assert lines["ENG001"]["fate"] == "sunk" and lines["ENG003"]["fate"] == "afloat"
    assert (lines["ENG002"]["condition"]["hits_struct"], lines["ENG002"]["flags"]) == (3, ["withdrew"])
    assert not ResultDraft.objects.exists()


def test_a_draft_that_is_still_on_its_way_does_not_outlive_the_squadron_that_was_entered(
    phone: Page, battle: Battle
) -> None:
    def slowly(route: Route) -> None:
        if route.request.method == "POST" and not on_its_way:
            on_its_way.append(route)
        else:
            after.append(route.request.method)
            route.continue_()

    on_its_way: list[Route] = []
    after: list[str] = []
    phone.route("**/result/", slowly)
    with phone.expect_request(lambda request: "act=keep" in (request.post_data or "")):
        choose(phone, "Antelope", "sunk")
    phone.get_by_role("button", name="Enter this squadron").first.click()
    phone.evaluate(NEXT_FRAME)
    assert after == []
    on_its_way[0].continue_()
    expect(phone.get_by_text("English squadron entered.")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("not entered", exact=True)).to_have_count(1)  # the other squadron
    assert not ResultDraft.objects.exists()


def test_what_could_not_be_sent_is_there_when_the_page_is_opened_again(
    phone: Page, live_server: LiveServer, battle: Battle
) -> None:
    phone.on("dialog", lambda dialog: dialog.accept())
    phone.route(
        "**/result/", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    choose(phone, "Bristol", "changed")
    phone.get_by_label("Hull boxes shot away").fill("4")
    expect(phone.get_by_text(UNSAVED)).to_be_visible()
    phone.unroute("**/result/")
    phone.close(run_before_unload=False)
    again = phone.context.new_page()
    again.goto(f"{live_server.url}{address_of(battle)}")
    expect(again.get_by_label("Hull boxes shot away")).to_have_value("4")
    expect(again.get_by_text("Saved as a draft")).to_be_visible()
    assert ResultDraft.objects.get().document["ships"]["ENG002"]["hits_struct"] == "4"


def test_a_whole_battle_is_proposed_in_ten_taps_and_the_page_is_accessible(
    phone: Page, live_server: LiveServer, battle: Battle
) -> None:
    choose(phone, "Dragon", "taken")
    dragon = phone.locator("#ship-ENG003")
    dragon.get_by_label("Taken by").select_option(label="Eendracht")
    assert violations(phone) == []
    phone.get_by_role("button", name="Enter this squadron").first.click()
    expect(phone.get_by_text("English squadron entered.")).to_be_visible()
    expect(phone.get_by_text("1 changed")).to_be_visible()
    expect(phone.get_by_text("taken by Eendracht")).to_be_hidden()  # the next squadron is open instead
    phone.get_by_role("button", name="All of Dutch Republic as it was").click()
    expect(phone.get_by_text("2 of 2 squadrons entered")).to_be_visible()
    phone.get_by_label("Hours").fill("3")
    phone.get_by_label("Minutes").fill("0")
    phone.get_by_label("It ended because").select_option(label="the fleets parted")
    phone.get_by_label("Who holds the field").select_option(label="no one")
    phone.get_by_role("button", name="Propose this result").click()
    expect(phone.get_by_text("Result proposed.")).to_be_visible()
    outcome = BattleOutcome.objects.get()
    assert (outcome.status, outcome.document["minutes"], outcome.document["held_field"]) == (
        "proposed",
        180,
        "",
    )


def test_every_quick_reference_is_two_sides_of_a4(
    phone: Page, live_server: LiveServer, battle: Battle
) -> None:
    phone.goto(f"{live_server.url}{address_of(battle, 'battle_print')}?part=reference")
    sides = {}
    for name in registry.names():
        text = render_to_string("battles/_print_reference.html", {"reference": quick_reference(name)})
        phone.evaluate("html => { document.querySelector('.reference').outerHTML = html }", text)
        sides[name] = len(re.findall(rb"/Type\s*/Page\b", phone.pdf(prefer_css_page_size=True)))
    assert all(1 <= number <= 2 for number in sides.values()), sides


def test_every_order_slip_is_as_wide_as_a4_and_none_of_its_heads_is_cut_off(
    phone: Page, live_server: LiveServer, battle: Battle
) -> None:
    phone.set_viewport_size({"width": 725, "height": 900})  # 192 mm
    phone.emulate_media(media="print")
    phone.goto(f"{live_server.url}{address_of(battle, 'battle_print')}?part=orders")
    squadron = squadrons(entered(battle).values())[0]
    for name in registry.names():
        shown = PRESENTATIONS[name].slip
        context = {
            "battle": battle, "order_slip": shown, "turns": range(shown.turns),
            "slips": [{"squadron": squadron, "side": "England"}],
        }  # fmt: skip
        text = render_to_string("battles/_print_orders.html", context)
        phone.evaluate("html => { document.querySelector('.order-slips').outerHTML = html }", text)
        heads = phone.locator(".order-slips thead tr").nth(1).locator("th")
        assert heads.all_inner_texts() == [*shown.ship] * shown.turns
        wider = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
        assert phone.locator(".order-slips :is(th, td)").evaluate_all(wider) == [], name
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
