"""The replay of a battle on the plane in a real browser: the same controls, ships to scale, a field of fire for the chosen one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.test_replay import SIZES, Watch, drawn, opened
from tests.support.fought import Fought, fought
from tests.support.looked_over import violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def war() -> Fought:
    """A small war after its first battle, fought by Thomas's rules."""
    return fought("plane", rule_set="thomas")


@pytest.fixture
def watch(browser: Browser, live_server: LiveServer, war: Fought) -> Iterator[Watch]:
    """The English admiral at his desk."""
    made = opened(browser, live_server, war, "english", reduced_motion="reduce")
    yield made
    made.page.context.close()


def ships(page: Page) -> list[dict[str, Any]]:
    """The ships as the replay has them at its hour."""
    found: list[dict[str, Any]] = page.evaluate("window.replay.state().after.ships")
    return found


def test_the_plane_steps_scrubs_and_plays_by_turn_and_by_phase(watch: Watch) -> None:
    page = watch.page
    assert page.evaluate("window.replay.doc.board") == "plane"
    assert drawn(page) > 20
    expect(page.locator(".clock")).to_contain_text("Before the first turn")
    start = watch.state("place")
    page.get_by_role("button", name="Forward one phase").click()
    assert watch.state("place") == start + 1
    page.get_by_role("button", name="Forward one turn").click()
    expect(page.locator(".clock")).to_contain_text("Turn 2")
    page.get_by_role("button", name="Back one turn").click()
    expect(page.locator(".clock")).to_contain_text("Turn 1")
    most = int(page.locator(".scrub").get_attribute("max") or 0)
    page.locator(".scrub").fill(str(most))
    expect(page.locator(".clock")).to_contain_text(f"Turn {watch.war.battle.outcome.document['turns']}")
    page.locator(".speed select").select_option("8")
    page.locator(".scrub").fill(str(most - 5))
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=15000)
    assert watch.state("place") == most
    assert watch.complaints == []


def test_a_state_in_the_middle_is_the_same_from_either_direction(watch: Watch) -> None:
    page = watch.page
    most = int(page.locator(".scrub").get_attribute("max") or 0)
    middle = str(most // 2)
    page.locator(".scrub").fill("0")
    page.locator(".scrub").fill(middle)
    from_the_start = ships(page)
    page.locator(".scrub").fill(str(most))
    page.locator(".scrub").fill(middle)
    assert ships(page) == from_the_start
    assert any(ship["q"] for ship in from_the_start)


def test_the_chosen_ship_shows_her_field_of_fire_and_what_she_is_doing(watch: Watch) -> None:
    page = watch.page
    page.locator(".scrub").fill("0")
    before = page.locator("canvas.board").screenshot()
    code = page.evaluate("window.replay.doc.ships.find((ship) => ship.side === 'ENG').id")
    page.locator(f'[data-ship="{code}"] .standing').click()
    note = page.locator(".ship-note")
    expect(note.locator("strong")).to_be_visible()
    expect(note).to_contain_text("guns, flotation")
    assert page.locator("canvas.board").screenshot() != before
    own, enemy = page.evaluate(
        "['ENG', 'NLD'].map((side) => window.replay.doc.ships.find((s) => s.side === side).reach)"
    )
    assert own and enemy is None
    page.keyboard.press("Escape")


def test_ships_are_drawn_to_scale(watch: Watch) -> None:
    lengths = watch.page.evaluate(
        """() => { const { board, doc } = window.replay;
        return doc.ships.map((ship) => [ship.length, board.space.size(ship, 100).long]); }"""
    )
    assert all(abs(2 * long - length / 10) < 0.01 for length, long in lengths)


def test_the_plane_and_the_card_have_no_serious_violations(
    browser: Browser, live_server: LiveServer, war: Fought
) -> None:
    watch = opened(browser, live_server, war, "english", viewport=SIZES["phone"], color_scheme="dark")
    page = watch.page
    try:
        for path in (war.path(), war.ship_path(war.ships("ENG")[0].code)):
            page.goto(live_server.url + path)
            page.wait_for_load_state("networkidle")
            found = violations(page)
            serious = [
                (r["id"], r["nodes"][0]["html"][:160])
                for r in found
                if r["impact"] in ("serious", "critical")
            ]
            assert serious == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"], path
        assert watch.complaints == []
    finally:
        page.context.close()
