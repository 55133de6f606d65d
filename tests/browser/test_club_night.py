"""A club's evening in a real browser: from the umpire's login through a turn with two battles to the gazette that a stranger reads."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from battles import tasks as battle_tasks
from battles.models import Battle
from campaign import tasks
from campaign.models import Station
from campaign.services.setup.setup import shipped_theatres, theatre_load
from campaign.views import start
from fleets import compositions
from fleets.services.compositions import composition_change
from tests.browser.conftest import DESK, PHONE
from tests.campaign.services.conftest import small_register
from tests.support.factories import UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Two fleets a side, which the umpire's opening puts off two places: a battle at each.
FLEETS = {
    "English": {"Red": ("hinder", ["Antelope", "Bristol"]), "White": ("dogger", ["Dragon", "Pelican"])},
    "Dutch": {"Van": ("hinder", ["Eendracht", "Gouda"]), "Rear": ("dogger", ["Utrecht"])},
}


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Does what the pages have handed on since the last time, and what comes of it."""
    waiting: list[tuple[Any, tuple[Any, ...]]] = []
    for task in (tasks.run_turn, tasks.send_notice, tasks.send_notices, battle_tasks.fight):
        monkeypatch.setattr(task, "delay", lambda *args, task=task: waiting.append((task, args)))

    def work() -> None:
        while waiting:
            task, args = waiting.pop(0)
            task(*args)

    return work


@pytest.fixture
def club(transactional_db: None, live_server: LiveServer, settings: Any, monkeypatch: Any) -> None:
    """A site with a theatre, the ships of two sides in two fleets each, and an umpire's account. Its dice fall as they always do."""
    settings.SITE_URL = live_server.url
    UserFactory(username="umpire")
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    theatre = theatre_load(document=json.loads(path.read_text()))
    register = small_register()
    for side, fleets in FLEETS.items():
        home = {"English": "harwich", "Dutch": "texel"}[side]
        plan = compositions.Plan(
            tuple(
                compositions.FleetPlan(
                    name, home, "", (compositions.SquadronPlan(name, tuple(ships), ships[0]),)
                )
                for name, (_, ships) in fleets.items()
            )
        )
        composition_change(
            register=register, side=side, theatre=theatre.code, state_no=0, first=plan,
            change=lambda plan: plan, user=UserFactory(username=f"editor {side}"),
        )  # fmt: skip
    seeded = functools.partial(start.start_campaign, demo_seed="a club night")
    monkeypatch.setattr(start, "start_campaign", seeded)


@pytest.fixture
def visitor(browser: Browser, live_server: LiveServer) -> Iterator[Callable[[dict[str, int]], Page]]:
    """A page in a browser of its own; a complaint of a script or the content policy in any of them fails the test."""
    complaints: list[str] = []
    contexts = []

    def visit(size: dict[str, int]) -> Page:
        context = browser.new_context(base_url=live_server.url, viewport=size)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def awaited(page: Page, words: str) -> None:
    """Follow what the page of one's campaigns says is waiting."""
    page.goto("/")
    page.get_by_role("listitem").filter(has_text=words).get_by_role("link").click()


def join(page: Page, name: str) -> None:
    """Open the invitation in one's email, and make an account there."""
    email = next(one for one in mail.outbox if one.to == [f"{name}@club.example"])
    found = re.search(r"http\S+/join/\S+", email.body)
    assert found
    page.goto(found.group())
    page.get_by_label("Username").fill(name)
    page.get_by_label("Email address").fill(f"{name}@club.example")
    page.get_by_label("Password", exact=True).fill("spanking breeze 66")
    page.get_by_label("Password again").fill("spanking breeze 66")
    press(page, "Create account and join")


def order(page: Page, *fleets: str) -> None:
    """Have the fleets seek battle where they are, and say that the orders are ready."""
    page.goto("/c/CN/fleets/")
    for fleet in fleets:
        page.get_by_role("checkbox", name=fleet).check()
    page.get_by_label("Stance").select_option(value="seek")
    press(page, "Give orders to the ticked fleets")
    expect(page.get_by_text(f"Orders given to {' and '.join(fleets)}")).to_be_visible()
    press(page, "Mark orders ready")
    expect(page.get_by_text("Your side is marked ready.")).to_be_visible()


def test_a_club_plays_from_the_umpires_login_to_the_strangers_gazette(
    club: None, visitor: Callable[[dict[str, int]], Page], worker: Callable[[], None]
) -> None:
    umpire, english, dutch, stranger = visitor(DESK), visitor(PHONE), visitor(PHONE), visitor(PHONE)

    # the umpire logs in, starts a campaign and invites two admirals
    umpire.goto("/")
    umpire.get_by_role("link", name="Log in").first.click()
    umpire.get_by_label("Username", exact=True).fill("umpire")
    umpire.get_by_label("Password", exact=True).fill("sea room")
    press(umpire, "Log in")
    umpire.get_by_role("link", name="Start a campaign").first.click()
    umpire.get_by_role("link", name=re.compile("1666")).first.click()
    umpire.get_by_label("Name", exact=True).fill("Club night")
    umpire.get_by_label("Code", exact=True).fill("CN")
    umpire.get_by_label("Days per turn").fill("1")
    for side, ships, name in (("England", "English", "english"), ("Dutch Republic", "Dutch", "dutch")):
        group = umpire.get_by_role("group", name=side)
        count = {"English": 4, "Dutch": 3}[ships]
        group.get_by_label("Ships from").select_option(label=f"{ships} ({count} ships)")
        expect(group.get_by_text("2 composed fleets")).to_be_visible()
        group.get_by_label("Admiral's email address").fill(f"{name}@club.example")
    umpire.locator("[name=battle_route]").select_option("table")
    umpire.locator("[name=campaign_waits]").select_option("yes")
    press(umpire, "Start campaign")
    expect(umpire.get_by_text("Club night has begun. Turn 1 is open.")).to_be_visible()

    # both join from their emails, and their fleets have met
    join(english, "english")
    join(dutch, "dutch")
    for fleets in FLEETS.values():
        for fleet, (at, _) in fleets.items():
            Station.objects.filter(fleet__name=fleet).update(at=at)
    order(english, "Red", "White")
    order(dutch, "Van", "Rear")

    # the turn is run, and waits for two battles on the tabletop
    umpire.goto("/c/CN/desk/")
    worker()
    expect(umpire.get_by_text("To be fought.")).to_have_count(2)
    near, far = Battle.objects.order_by("code")

    # one is sent to the computer, which is asked about first, and fought there
    umpire.get_by_role("link", name=far.title).first.click()
    umpire.get_by_label("How to fight this battle").select_option(label="by computer")
    umpire.get_by_label("Reason (umpire's log)").fill("The board is taken.")
    press(umpire, "Change how it is fought …")
    expect(umpire.get_by_role("heading", name="Fight this battle by computer?")).to_be_visible()
    press(umpire, "Fight by computer")
    worker()
    umpire.goto(f"/c/CN/battles/{far.code}/")
    expect(umpire.get_by_role("heading", name="Fair dice")).to_be_visible()

    # the other is fought on the table: one admiral enters and proposes its result on a phone, the other confirms it
    awaited(english, f"Enter the result of a battle: {near.title}.")
    english.get_by_label("Bristol", exact=True).select_option(label="taken")
    english.locator("#ship-ENG002").get_by_label("Taken by").select_option(label="Gouda")
    english.get_by_role("button", name="Enter this squadron").first.click()
    expect(english.get_by_text("Red entered.")).to_be_visible()
    press(english, "All of Dutch Republic as it was")
    expect(english.get_by_text("2 of 2 squadrons entered")).to_be_visible()
    english.get_by_label("Hours").fill("4")
    english.get_by_label("Minutes").fill("0")
    english.get_by_label("It ended because").select_option(label="the fleets parted")
    english.get_by_label("Who holds the field").select_option(label="Dutch Republic")
    press(english, "Propose this result")
    expect(english.get_by_text("Result proposed.")).to_be_visible()
    awaited(dutch, f"Confirm or dispute a result: {near.title}.")
    press(dutch, "Confirm result …")
    expect(dutch.get_by_role("heading", name="Confirm this result?")).to_be_visible()
    press(dutch, "Confirm result")
    expect(dutch.get_by_text("Your side's answer is recorded.")).to_be_visible()

    # the turn ends, both have its report, and a stranger reads of it in the gazette
    worker()
    for admiral in (english, dutch):
        admiral.goto("/c/CN/turns/1/")
        expect(
            admiral.get_by_text("Battle west of the Hinder Banks: England loses one ship.")
        ).to_be_visible()
    umpire.goto("/c/CN/public/")
    umpire.get_by_label("Public page", exact=True).check()
    umpire.get_by_label("Gazettes are published after (turns)").fill("0")
    press(umpire, "Save public page")
    stranger.goto("/public/CN/")
    stranger.get_by_role("link", name="The London Gazette").first.click()
    expect(stranger.get_by_role("heading", name="The London Gazette")).to_be_visible()
    printed = stranger.get_by_role("main").inner_text()
    assert "west of the Hinder Banks" in printed and "off the Dogger Bank" in printed
    assert not any(name in stranger.content() for name in ("umpire", "english", "dutch"))
