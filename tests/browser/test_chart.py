"""The chart in a real browser: nothing written covers anything, layers, filter, choice, reach and measuring."""

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.models import Sighting, Station
from tests.browser.conftest import DESK, NEXT_FRAME, PHONE
from tests.support.people import ENGLISH, World

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# everything that is written on the chart or stands on it, as boxes of the screen
SHOWN = """() => {
  const seen = (el) => el.checkVisibility({ visibilityProperty: true }) && el.getBoundingClientRect().width > 0;
  const boxes = (query, kind) => [...document.querySelectorAll(`#chart ${query}`)].filter(seen).map((el) => {
    const { left, top, right, bottom } = el.getBoundingClientRect();
    return { kind, words: el.textContent || kind, box: [left + 2, top + 2, right - 2, bottom - 2] };
  });
  const frame = document.querySelector("#chart").getBoundingClientRect();
  return [...boxes(".fleet-name", "words"), ...boxes(".sighting .strength", "words"), ...boxes(".place-name", "words"),
    ...boxes(".label", "words"), ...boxes(".wind-words", "words"), ...boxes(".ring:not(.outer)", "ring"), ...boxes(".fleet use", "flag")]
    .filter(({ box }) => box[2] > frame.left && box[0] < frame.right && box[3] > frame.top && box[1] < frame.bottom)
    .map((one) => ({ ...one, cut: one.kind === "words" && (one.box[0] < frame.left || one.box[2] > frame.right) }));
}"""


def overlaps(page: Page) -> list[tuple[str, str]]:
    """Pairs of things on the chart of which one is written and covers the other, and what a side of the frame cuts off."""
    page.evaluate(NEXT_FRAME)  # in which the letters are set
    shown: list[dict[str, Any]] = page.evaluate(SHOWN)
    assert len(shown) > 10
    found = [(one["words"], "the frame") for one in shown if one["cut"]]
    for n, one in enumerate(shown):
        for other in shown[n + 1 :]:
            a, b = one["box"], other["box"]
            if (
                "words" in (one["kind"], other["kind"])
                and a[0] < b[2]
                and b[0] < a[2]
                and a[1] < b[3]
                and b[1] < a[3]
            ):
                found.append((one["words"], other["words"]))
    return found


def crowd(told: World) -> None:
    """Sixty contacts about the English fleet, of many hours."""
    first = Sighting.objects.get(side=told.english.side)
    for n in range(2, 62):
        first.pk, first.number, first.hour = None, n, 14 + n
        first.latitude, first.longitude = 5110 + 17 * (n % 9), 90 + 23 * (n % 13)
        first.kinds = ["frigate"] if n % 2 else ["line"]
        first.save()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_what_is_written_covers_nothing_at_any_zoom(
    admiral: Page, live_server: LiveServer, told: World, size: Any
) -> None:
    crowd(told)
    admiral.set_viewport_size(size)
    admiral.goto(f"{live_server.url}/c/telltale/")
    expect(admiral.locator("#chart.live")).to_be_visible()
    assert overlaps(admiral) == []
    ring = admiral.locator(".sighting:not(.folded) .ring").last
    before = ring.bounding_box()
    for _ in range(2):
        admiral.get_by_role("button", name="Zoom in").click()
        assert overlaps(admiral) == []
    after = ring.bounding_box()
    assert before is not None and after is not None
    assert after["width"] == pytest.approx(before["width"], abs=0.5), "marks keep their size"
    for name in ("Old sightings", "Place names"):
        admiral.get_by_label(name).click()
        assert overlaps(admiral) == []


def test_layers_are_hidden_and_remembered(admiral: Page, live_server: LiveServer) -> None:
    admiral.set_viewport_size(DESK)
    admiral.goto(f"{live_server.url}/c/telltale/")
    expect(admiral.locator("#chart .sighting .ring").first).to_be_visible()
    admiral.get_by_label("Sightings", exact=True).and_(admiral.get_by_role("checkbox")).uncheck()
    expect(admiral.locator("#chart .sighting .ring").first).to_be_hidden()
    admiral.reload()
    expect(
        admiral.get_by_label("Sightings", exact=True).and_(admiral.get_by_role("checkbox"))
    ).not_to_be_checked()
    expect(admiral.locator("#chart .sighting .ring").first).to_be_hidden()
    expect(admiral.locator("#chart .fleet .anchor-dot")).to_be_visible()


def test_a_row_lights_up_its_mark_and_a_mark_its_row(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    crowd(told)
    admiral.set_viewport_size(DESK)
    admiral.goto(f"{live_server.url}/c/telltale/")
    row = admiral.locator(".seen").first
    row.get_by_role("button", name="Show on chart").click()
    expect(admiral.locator("#chart .sighting.chosen")).to_have_count(1)
    assert admiral.locator("#chart .sighting.chosen").get_attribute("data-numbers") == row.get_attribute(
        "data-numbers"
    )
    mark = admiral.locator("#chart .sighting:not(.folded):not(.chosen)").last
    number = mark.get_attribute("data-numbers")
    mark.locator(".band").click(force=True)
    expect(admiral.locator(".seen.chosen")).to_have_attribute("data-numbers", number or "")
    expect(admiral.locator(".chart-said")).to_contain_text("Contact")


def test_the_filter_leaves_rows_and_marks_that_fit(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    crowd(told)
    admiral.set_viewport_size(DESK)
    admiral.goto(f"{live_server.url}/c/telltale/")
    admiral.get_by_label("Kind").select_option("frigate")
    shown = admiral.locator(".seen:not([hidden])")
    assert 0 < shown.count() < admiral.locator(".seen").count()
    assert {shown.nth(n).get_attribute("data-kinds") for n in range(shown.count())} == {"frigate"}
    left = admiral.locator("#chart .sighting:not(.filtered)")
    assert 0 < left.count() < admiral.locator("#chart .sighting").count()
    admiral.get_by_label("Search sightings").fill("no such place")
    expect(admiral.locator(".filter [role=status]")).to_have_text(
        f"0 of {admiral.locator('.seen').count()} shown"
    )


def test_a_chosen_fleet_shows_how_far_it_can_sail_and_leads_to_its_orders(
    admiral: Page, live_server: LiveServer, told: World
) -> None:
    Station.objects.filter(fleet=told.english_fleet).update(at="galloper")
    admiral.set_viewport_size(PHONE)
    admiral.goto(f"{live_server.url}/c/telltale/")
    admiral.locator(f'#chart .fleet[data-code="{ENGLISH}-f"] .hit').click(force=True)
    said = admiral.locator(".chart-said")
    expect(said).to_contain_text("Can reach in")
    assert (admiral.locator("#chart .reach").get_attribute("d") or "").startswith("M")
    said.get_by_role("link", name="Orders").click()
    admiral.wait_for_url("**/orders/")


def test_two_taps_give_a_distance_and_a_bearing(admiral: Page, live_server: LiveServer) -> None:
    admiral.set_viewport_size(DESK)
    admiral.goto(f"{live_server.url}/c/telltale/")
    admiral.get_by_role("button", name="Measure a distance").click()
    spot = """(code) => { const { e, f } = document.querySelector(`.place[data-code="${code}"]`).getScreenCTM(); return [e, f]; }"""
    for code in ("galloper", "schooneveld"):
        admiral.mouse.click(*admiral.evaluate(spot, code))
    said = admiral.locator(".chart-said")
    expect(said).to_contain_text("nautical miles, E")
    miles = int((said.text_content() or "").split()[0])
    assert 40 <= miles <= 70
    admiral.locator("#chart").focus()
    admiral.keyboard.press("Enter")
    expect(said).to_have_text("Now the second place.")
    admiral.keyboard.press("Escape")
    expect(said).to_be_hidden()


def test_without_scripts_the_chart_is_whole(live_server: LiveServer, told: World, browser: Any) -> None:
    session = told.client("english").cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/c/telltale/")
    expect(page.locator("#chart .fleet-name")).to_be_visible()
    expect(page.locator(".layers")).to_be_hidden()
    expect(page.locator(".seen").first).to_be_visible()
    page.locator("#chart .fleet .hit").click(force=True)
    page.wait_for_url("**/fleets/**")
    context.close()
