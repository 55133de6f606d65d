"""A page of every family as a browser shows it to whoever reads it: no errors, nothing that sticks out of a phone, clean in both modes."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Route
from pytest_django.live_server_helper import LiveServer

from campaign.models import PublicPage
from tests.support.fought import Fought, fought
from tests.support.looked_over import DESK, HEIGHTS, PHONE, Looker, looking
from tests.walk.__main__ import excused

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CODE = "walked"
OF_THE_CAMPAIGN = {
    "anonymous": ["public", "public_chronicle"],
    "english": ["campaign", "fleet_table", "dockyards", "news", "objectives", "odds"],
    "umpire": ["desk", "rules_in_force", "people", "publicity"],
}


def faults(looker: Looker, address: str) -> list[str]:
    """What is wrong with a page: on a phone in the light, on a desk in the dark."""
    found = list(looker.open(address, PHONE))
    for _, said in looker.modes():
        found += said
        looker.page.set_viewport_size({"width": DESK, "height": HEIGHTS[DESK]})
    return found + looker.heard()


def addresses(war: Fought) -> dict[str, list[str]]:
    """The pages that each person is to read."""
    found = {who: [reverse(name, args=[CODE]) for name in names] for who, names in OF_THE_CAMPAIGN.items()}
    fleet = war.campaign.sides.get(name="England").navy.fleets.filter(ended=False).first()
    assert fleet is not None
    found["anonymous"] += [
        reverse("home"),
        reverse("login"),
        reverse("public_gazette", args=[CODE, 1, "ENG"]),
        reverse("public_battle", args=[CODE, war.battle.code]),
    ]
    found["english"] += [
        reverse("home"),
        *(reverse(name, args=[CODE, fleet.code]) for name in ("fleet", "orders")),
        reverse("report", args=[CODE, 1]),
        reverse("ship", args=[CODE, war.ships("ENG")[0].code]),
        war.path(),
        war.path("print/"),
    ]
    return found


def test_pages_of_every_family_are_without_fault(browser: Browser, live_server: LiveServer) -> None:
    war = fought(CODE)
    PublicPage.objects.create(campaign=war.campaign, open=True, delay=0)
    war.campaign.settings = {**war.campaign.settings, "secrets_after": 0}
    war.campaign.save()
    found = {}
    for person, pages in addresses(war).items():
        context = browser.new_context()
        cookies = war.client(person).cookies.items()
        context.add_cookies(
            [{"name": name, "value": morsel.value, "url": live_server.url} for name, morsel in cookies]
        )
        with looking(context) as looker:
            for page in pages:
                found[person, page] = faults(looker, live_server.url + page)
    assert {page: said for page, said in found.items() if said} == {}


def test_what_is_djangos_own_in_the_admin_is_named_and_nothing_else_excused() -> None:
    assert excused(
        "admin-auth_group_change", "light: aria-prohibited-attr: label > .help-tooltip.search-label-icon"
    )
    assert not excused("admin-auth_group_change", "light: aria-prohibited-attr: .other")
    assert not excused("register", "light: label-title-only: #searchbar")


BAD = """<!doctype html><html lang="en"><title>Bad</title><main><h1>Bad</h1><style>@media (prefers-color-scheme: dark) {
  body { background: #222; } p { color: #333; } }</style><p>dim</p><div style="width: 600px" class="wide">broad</div>
  <script>throw new Error("a script fails")</script></main></html>"""


def test_faults_of_a_page_are_found(browser: Browser) -> None:
    def answer(route: Route) -> None:
        route.fulfill(status=200, content_type="text/html", body=BAD)

    context = browser.new_context()
    context.route("**/*", answer)
    with looking(context) as looker:
        found = faults(looker, "http://127.0.0.1:9/")
    assert len(found) == 3, found
    assert 'div.wide "broad" of' in found[0] and found[1].startswith("dark: color-contrast: ")
    assert "a script fails" in found[2]
