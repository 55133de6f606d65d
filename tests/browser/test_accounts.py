"""Login links, invitations and accounts in a real browser: the button that scanners cannot press, and accessibility."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.notices.links import sign_in_link
from campaign.services.setup.invitations import invitation_make
from tests.support.looked_over import violations
from tests.support.people import World, world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def told(transactional_db: None, live_server: LiveServer, settings: object) -> World:
    """A campaign whose mails link to the site that is served."""
    settings.SITE_URL = live_server.url  # type: ignore[attr-defined]
    return world()


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    """A phone; errors of scripts and of the content policy fail the test."""
    complaints: list[str] = []
    page.on(
        "console",
        lambda m: complaints.append(m.text) if m.type == "error" and " 400 " not in m.text else None,
    )
    page.set_viewport_size({"width": 390, "height": 844})
    yield page
    assert complaints == []


def test_the_button_on_a_login_links_page_logs_in_and_no_request_reveals_the_key(
    phone: Page, told: World
) -> None:
    link = sign_in_link(told.english.user, "/c/telltale/turns/")
    came_from: list[str] = []
    phone.on("request", lambda request: came_from.append(request.headers.get("referer", "")))
    phone.goto(link)
    phone.get_by_role("button", name="Log in as english").click()
    expect(phone).to_have_url(f"{settings.SITE_URL}/c/telltale/turns/")
    assert any(came_from) and not any("key=" in page for page in came_from)


def test_everyone_can_use_the_pages_about_people_and_accounts(
    phone: Page, live_server: LiveServer, told: World
) -> None:
    _, join = invitation_make(
        campaign=told.campaign, umpire=told.umpire.user, role="admiral", side=told.dutch.side
    )
    strangers = [
        join,
        sign_in_link(told.english.user, "/"),
        f"{live_server.url}/in?key=x",
        f"{live_server.url}/accounts/link/",
    ]
    _judge(phone, strangers)
    session = told.client("umpire").cookies[settings.SESSION_COOKIE_NAME].value
    phone.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    for address in ("rupert@club.example", "spragge@club.example"):
        invitation_make(
            campaign=told.campaign,
            umpire=told.umpire.user,
            role="admiral",
            side=told.dutch.side,
            address=address,
        )
    pages = ("c/telltale/people/", "c/telltale/clock/", "c/telltale/leave/", "me/account")
    _judge(phone, [f"{live_server.url}/{page}" for page in pages])


def _judge(page: Page, addresses: list[str]) -> None:
    for address in addresses:
        page.goto(address)
        for details in page.locator("main details > summary").all():
            details.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
        assert violations(page) == [], address
