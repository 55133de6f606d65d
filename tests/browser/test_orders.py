"""Orders on a phone: how many taps three fleets take, drafts that outlive the page, and no complaint of the content policy."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import ConsoleMessage, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from campaign.models import Notice, Order, OrderDraft, Ready
from campaign.services.mail.notices import notices_for_opened_turn
from tests.browser.conftest import NEXT_FRAME
from tests.support.looked_over import MODES, violations_in
from tests.support.people import ENGLISH, World, world
from tests.support.squadrons import english_fleets

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}
CODE = "telltale"


@pytest.fixture
def told(transactional_db: None) -> World:
    """A campaign with three English fleets, of which none has orders of this turn."""
    made = world()
    english_fleets(made, "red", "white")
    Order.objects.filter(fleet=made.english_fleet).update(source="standing", route=[])
    return made


@pytest.fixture
def admiral(page: Page, live_server: LiveServer, told: World) -> Iterator[Page]:
    """The English admiral's phone; errors of scripts and of the content policy fail the test, refusals do not."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # a form that is refused, and a request that a test cuts off
        if message.type == "error" and not any(word in message.text for word in ("422", "net::ERR_FAILED")):
            complaints.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    session = told.client("english").cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    page.set_viewport_size(PHONE)
    yield page
    assert complaints == []


class Thumb:
    """Counts the taps: choosing from a list counts two, everything else one."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, role: str, name: str) -> None:
        """Tap a button, a link or a box."""
        self.page.get_by_role(role, name=name).click()  # type: ignore[arg-type]
        self.taps += 1

    def choose(self, label: str, words: str) -> None:
        """Open a list and choose from it."""
        self.page.get_by_label(label).select_option(label=words)
        self.taps += 2


def test_three_fleets_are_ordered_to_two_places_and_ready_in_twelve_taps_from_the_email(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    told.turn.number = 1  # the first turn has an email of its own, the others are asked for in the report
    notices_for_opened_turn(turn=told.turn)
    link = reverse("fleet_table", args=[CODE])
    mail = Notice.objects.get(recipient=told.english.user, kind="turn_opened")
    assert re.search(f'href="[^"]*{link}"[^>]*>Give orders', mail.html)
    assert f"{link}\n" in mail.text
    thumb = Thumb(admiral)
    admiral.goto(f"{live_server.url}{link}")
    thumb.taps += 1  # the link itself
    thumb.tap("checkbox", "Red squadron")
    thumb.tap("checkbox", "White squadron")
    thumb.choose("Shortest way to", "The Gunfleet")
    thumb.tap("button", "Give orders to the ticked fleets")
    expect(admiral.get_by_text("Orders given to Red squadron and White squadron")).to_be_visible()
    thumb.tap("checkbox", f"Fleet {ENGLISH}")
    thumb.choose("Shortest way to", "Harwich")
    thumb.tap("button", "Give orders to the ticked fleets")
    expect(admiral.get_by_text(f"Orders given to Fleet {ENGLISH}")).to_be_visible()
    thumb.tap("button", "Mark orders ready")
    expect(admiral.get_by_text("Your side is marked ready.")).to_be_visible()
    routes = dict(
        Order.objects.filter(fleet__navy=told.english.side.navy).values_list("fleet__code", "route")
    )
    assert routes[f"{ENGLISH}-red"] == routes[f"{ENGLISH}-white"]
    assert (routes[f"{ENGLISH}-red"][-1], routes[f"{ENGLISH}-f"][-1]) == ("gunfleet", "harwich")
    assert Ready.objects.filter(side=told.english.side).exists()
    assert thumb.taps <= 12


def test_what_was_typed_is_there_after_a_detour_and_a_refusal_breaks_no_policy(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    address = f"{live_server.url}{reverse('orders', args=[CODE, f'{ENGLISH}-red'])}"
    admiral.goto(address)
    admiral.get_by_text("Battle instructions", exact=True).click()
    admiral.get_by_label("Greatest odds accepted").fill("4.25")
    expect(admiral.get_by_text("Changes saved as a draft.")).to_be_visible()
    admiral.get_by_role("button", name="Detach or transfer ships").click()
    expect(admiral.get_by_role("heading", name="Ships leaving the Red squadron")).to_be_visible()
    admiral.goto(address)
    expect(admiral.get_by_label("Greatest odds accepted")).to_have_value("4.25")
    admiral.get_by_label("Shortest way to").select_option(label="Hellevoetsluis")
    expect(admiral.locator(".legs li").first).to_be_visible()
    admiral.get_by_role("button", name="Give orders").click()
    expect(admiral.get_by_text("Your orders were refused.")).to_be_visible()
    assert OrderDraft.objects.get().document["fields"]["greatest_odds"] == "4.25"


def test_a_draft_that_is_still_on_its_way_does_not_outlive_the_orders_that_were_given(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    def slowly(route: Route) -> None:
        if route.request.method == "POST" and not on_its_way:
            on_its_way.append(route)
        else:
            after.append(route.request.method)
            route.continue_()

    on_its_way: list[Route] = []
    after: list[str] = []
    admiral.goto(f"{live_server.url}{reverse('orders', args=[CODE, f'{ENGLISH}-red'])}")
    admiral.route("**/orders/", slowly)
    with admiral.expect_request(lambda request: "act=keep" in (request.post_data or "")):
        admiral.get_by_text("Avoid", exact=False).first.click()
    admiral.get_by_role("button", name="Give orders").click()
    admiral.evaluate(NEXT_FRAME)
    assert after == []
    on_its_way[0].continue_()
    expect(admiral.get_by_text("given. You can change them")).to_be_visible()
    assert not OrderDraft.objects.exists()


def test_leaving_warns_only_while_something_is_not_saved(admiral: Page, live_server: LiveServer) -> None:
    asked: list[str] = []
    admiral.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    address = f"{live_server.url}{reverse('orders', args=[CODE, f'{ENGLISH}-red'])}"
    table = f"{live_server.url}{reverse('fleet_table', args=[CODE])}"
    admiral.goto(address)
    admiral.get_by_text("Avoid", exact=False).first.click()
    expect(admiral.get_by_text("Changes saved as a draft.")).to_be_visible()
    admiral.goto(table)
    assert asked == []
    admiral.goto(address)
    admiral.route(
        "**/orders/", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    admiral.get_by_text("Seek", exact=False).first.click()
    admiral.evaluate(
        "window.addEventListener('beforeunload', (e) => sessionStorage.setItem('warned', e.defaultPrevented))"
    )
    admiral.goto(table)
    assert admiral.evaluate("sessionStorage.getItem('warned')") == "true"


def test_the_menu_opens_without_a_script_and_leads_everywhere(admiral: Page, live_server: LiveServer) -> None:
    admiral.goto(f"{live_server.url}{reverse('fleet_table', args=[CODE])}")
    menu = admiral.get_by_role("navigation", name="Campaign")
    expect(menu.get_by_role("link", name="Fair dice")).to_be_hidden()
    menu.get_by_text("Menu").click()
    assert admiral.evaluate("document.documentElement.scrollWidth <= innerWidth")
    menu.get_by_role("link", name="Fair dice").click()
    expect(admiral.get_by_role("heading", name="Fair dice", level=1)).to_be_visible()


def test_the_pages_of_orders_fit_a_phone_and_have_no_accessibility_errors_in_the_light_and_in_the_dark(
    admiral: Page, live_server: LiveServer
) -> None:
    for name in ("fleet_table", "orders_list"):
        admiral.goto(f"{live_server.url}{reverse(name, args=[CODE])}")
        admiral.get_by_text("Menu").click()
        assert admiral.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = [
            f"{name} {mode} {fault['id']}: {fault['nodes'][0]['html'][:160]}"
            for mode in MODES
            for fault in violations_in(admiral, mode)
            if fault["impact"] in ("moderate", "serious", "critical")
        ]
        assert found == []
