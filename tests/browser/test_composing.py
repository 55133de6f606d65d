"""A new umpire with a club's own ships, in a real browser: fleets composed by mouse, placed on the chart, and the campaign started."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.models import Campaign
from campaign.services.setup.setup import shipped_theatres, theatre_load
from tests.campaign.services.conftest import small_register
from tests.support.factories import UserFactory
from tests.support.looked_over import MODES, violations_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def starter(page: Page, live_server: LiveServer, transactional_db: None) -> Iterator[Page]:
    """The browser of someone who has never started a campaign; a complaint of a script or the content policy fails the test."""
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    theatre_load(document=json.loads(path.read_text()))
    small_register()
    client = Client()
    client.force_login(UserFactory(username="starter"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


def _accessible(page: Page) -> None:
    for mode in MODES:
        assert violations_in(page, mode) == [], mode


def test_own_ships_become_fleets_and_a_campaign(starter: Page, live_server: LiveServer) -> None:
    starter.set_viewport_size({"width": 1280, "height": 1800})  # the mouse reaches both fleets
    starter.goto(f"{live_server.url}/campaigns/start?theatre=narrow_seas_1666&opening=narrow_seas_1666")
    starter.get_by_label("Name", exact=True).fill("Club war")
    england = starter.get_by_role("group", name="England")
    england.get_by_label("Ships from").select_option(label="English (4 ships)")
    expect(england.get_by_text("Not composed yet")).to_be_visible()
    for side, ships in (("England", "English (4 ships)"), ("Dutch Republic", "Dutch (3 ships)")):
        group = starter.get_by_role("group", name=side)
        group.get_by_label("Ships from").select_option(label=ships)
        group.get_by_label("Automatic admiral").check()
    england.get_by_role("button", name="Compose fleets").click()

    ship = starter.locator(".ship").nth(1)
    name = ship.locator("b").inner_text()
    ship.locator("input").check()
    starter.get_by_role("combobox", name="Move ticked ships to").select_option(label="a new fleet")
    starter.get_by_role("button", name="Move ships").click()
    expect(starter.get_by_text("Fleet 1 lies nowhere. Choose a place for it.")).to_be_visible()
    starter.locator("li.ship").first.drag_to(starter.locator("[data-to=none]"))
    expect(starter.get_by_text("3 of 4 ships are in a fleet.")).to_be_visible()
    starter.locator("[data-to=none] .ship").drag_to(starter.locator(".squadron-plan h3").first)
    expect(starter.get_by_text("4 of 4 ships are in a fleet.")).to_be_visible()
    second = starter.locator(".fleet-plan").nth(1)
    starter.locator(".fleet-plan").first.locator(".ship").last.drag_to(second.locator(".squadron-plan h3"))
    expect(second.locator(".ship")).to_have_count(2)
    starter.get_by_label("A tap on a place is for").select_option(label="Fleet 1")
    dot = starter.locator(".compose-chart .place[data-code=harwich] .dot").bounding_box()
    assert dot is not None
    starter.mouse.click(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    expect(starter.get_by_text("Nothing is missing. When a campaign starts,")).to_be_visible()
    assert name in second.inner_text()
    _accessible(starter)
    starter.get_by_role("button", name="Back to the campaign").click()

    expect(starter.get_by_label("Name", exact=True)).to_have_value("Club war")
    expect(starter.get_by_text("2 composed fleets: English fleet, Fleet 1.")).to_be_visible()
    _accessible(starter)
    starter.get_by_role("button", name="Start campaign").click()
    expect(starter.get_by_text("Club war has begun. Turn 1 is open.")).to_be_visible()
    fleets = Campaign.objects.get().book.navies.get(code="ENG").fleets.order_by("code")
    assert [fleet.station.at for fleet in fleets if fleet.name == "Fleet 1"] == ["harwich"]

    starter.get_by_role("link", name="Umpire's desk", exact=True).first.click()
    expect(starter.get_by_role("heading", name="First steps")).to_be_visible()
    _accessible(starter)
    starter.get_by_role("button", name="Run turn now").click()
    expect(starter.get_by_role("heading", name="Run turn 1 now?")).to_be_visible()
    starter.get_by_role("link", name="Cancel").click()
    expect(starter.get_by_role("heading", name="Umpire's desk")).to_be_visible()
