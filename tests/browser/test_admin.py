"""The admin in a real browser, under the site's own headers."""

import pytest
from playwright.sync_api import ConsoleMessage, Page, Response
from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_site_administrator_logs_in_and_the_policy_refuses_nothing(
    page: Page, live_server: LiveServer, django_user_model: type
) -> None:
    django_user_model.objects.create_superuser("keeper", "keeper@example.org", "belaying-pin")
    complaints: list[str] = []
    missing: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.location["url"].endswith("/favicon.ico"):
            complaints.append(message.text)

    def answered(response: Response) -> None:
        if response.status >= 400:
            missing.append(f"{response.status} {response.url}")

    page.on("console", heard)
    page.on("response", answered)
    page.goto(f"{live_server.url}/admin/")
    page.get_by_label("Username").fill("keeper")
    page.get_by_label("Password").fill("belaying-pin")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Site administration").wait_for()
    # the style sheet has arrived: the header is not white
    colour = page.locator("#header").evaluate("element => getComputedStyle(element).backgroundColor")
    assert colour not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")
    assert missing == []
    assert complaints == []
