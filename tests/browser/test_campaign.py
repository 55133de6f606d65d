"""The chart and the orders form in a real browser: pan, zoom, keys, taps, htmx, the content policy, and accessibility."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.models import Order, Sighting
from tests.browser.conftest import DESK, NEXT_FRAME, PHONE
from tests.support.looked_over import MODES, violations_in
from tests.support.people import ENGLISH, World

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def view(page: Page) -> list[float]:
    """The chart's view box."""
    return [float(n) for n in (page.locator("#chart").get_attribute("viewBox") or "").split()]


def test_the_chart_zooms_and_pans_by_keys_buttons_and_pointer(admiral: Page, live_server: LiveServer) -> None:
    admiral.set_viewport_size(DESK)
    admiral.goto(f"{live_server.url}/c/telltale/")
    expect(admiral.locator("#chart.live")).to_be_visible()
    first = view(admiral)
    admiral.locator("#chart").focus()
    admiral.keyboard.press("+")
    closer = view(admiral)
    assert closer[2] < first[2]
    admiral.keyboard.press("ArrowRight")
    assert view(admiral)[0] > closer[0]
    admiral.get_by_role("button", name="Zoom out").click()
    assert view(admiral)[2] > closer[2]
    admiral.keyboard.press("Tab")
    admiral.get_by_role("button", name="Reset view").click()
    assert view(admiral) == pytest.approx(first)
    box = admiral.locator("#chart").bounding_box()
    assert box is not None
    admiral.mouse.move(box["x"] + 200, box["y"] + 300)
    admiral.mouse.down()
    admiral.mouse.move(box["x"] + 120, box["y"] + 260, steps=4)
    admiral.mouse.up()
    assert view(admiral)[0] > first[0]


RINGS = """() => [...document.querySelectorAll(".sighting:not(.folded)")].map((mark) => {
  const at = (el) => { const { x, y, width, height } = el.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  const { e, f } = mark.getScreenCTM();
  return { spot: [e, f], ring: at(mark.querySelector(".ring")), title: mark.querySelector("title").textContent };
})"""


def test_on_a_phone_contacts_are_drawn_near_their_positions_without_covering_each_other_or_the_page(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    first = Sighting.objects.get(side=told.english.side)
    for n in range(2, 52):
        first.pk, first.number, first.hour = None, n, 40 + n // 4
        first.latitude, first.longitude = 5150 + n % 3, 150 + 4 * (n % 5)
        first.save()
    admiral.set_viewport_size(PHONE)
    admiral.goto(f"{live_server.url}/c/telltale/")
    expect(admiral.locator("#chart.live")).to_be_visible()
    admiral.evaluate(NEXT_FRAME)  # in which the letters are set
    rings = admiral.evaluate(RINGS)
    assert any(ring["title"].count("\n") > 3 for ring in rings), "a mark tells of those that it stands for"
    for ring in rings:
        assert all(abs(a - b) < 60 for a, b in zip(ring["spot"], ring["ring"], strict=True))
    for n, ring in enumerate(rings):
        for other in rings[n + 1 :]:
            apart = [abs(a - b) for a, b in zip(ring["ring"], other["ring"], strict=True)]
            assert max(apart) > 18
    assert admiral.evaluate("document.documentElement.scrollHeight") < 5000


def test_tapping_a_place_adds_the_way_to_it_and_the_orders_are_given(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    admiral.set_viewport_size(DESK)
    admiral.goto(f"{live_server.url}/c/telltale/fleets/{ENGLISH}-f/orders/")
    expect(admiral.locator(".legs li")).to_have_count(1)
    admiral.locator('#chart .place[data-code="gunfleet"] .hit').click(force=True)
    expect(admiral.locator(".legs li")).to_have_count(2)
    expect(admiral.locator("#chart.live")).to_be_visible()
    admiral.get_by_text("Avoid").click()
    admiral.get_by_role("button", name="Give orders").click()
    expect(admiral.get_by_text("given. You can change them")).to_be_visible()
    order = Order.objects.get(fleet=told.english_fleet)
    assert (order.route, order.stance) == (["swin", "gunfleet"], "avoid")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/c/telltale/",
        f"/c/telltale/fleets/{ENGLISH}-f/",
        f"/c/telltale/fleets/{ENGLISH}-f/orders/",
        "/c/telltale/turns/1/",
    ],
)
def test_pages_fit_a_phone_and_have_no_serious_accessibility_errors_in_the_light_and_in_the_dark(
    admiral: Page, live_server: LiveServer, path: str
) -> None:
    admiral.set_viewport_size(PHONE)
    admiral.goto(f"{live_server.url}{path}")
    assert admiral.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = [
        f"{mode} {fault['id']}: {fault['nodes'][0]['html'][:160]} {fault['nodes'][0].get('failureSummary', '')[:200]}"
        for mode in MODES
        for fault in violations_in(admiral, mode)
        if fault["impact"] in ("serious", "critical")
    ]
    assert found == []
