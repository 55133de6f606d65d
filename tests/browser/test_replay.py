"""The replay in a real browser: it loads, plays, steps, scrubs, and works by keyboard and by thumb."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from battles.engine.registry import names
from tests.support.fought import Fought, fought
from tests.support.looked_over import violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 900}}


@dataclass(slots=True)
class Watch:
    """A page on which the replay stands, and what the browser complained of."""

    page: Page
    war: Fought
    complaints: list[str] = field(default_factory=list)

    def state(self, name: str) -> Any:
        """Something the replay shows: the scrub's place or the clock's text."""
        if name == "place":
            return int(self.page.locator(".scrub").input_value())
        return self.page.locator(".clock").inner_text()


@pytest.fixture
def war() -> Fought:
    """A small war after its first battle."""
    return fought("replay")


def opened(browser: Browser, live_server: LiveServer, war: Fought, person: str, **options: Any) -> Watch:
    """The battle's page as a person sees it, once the replay has come."""
    client: Client = war.client(person)
    context = browser.new_context(**{"viewport": SIZES["desk"], **options})
    context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    watch = Watch(context.new_page(), war)
    watch.page.on(
        "console", lambda said: watch.complaints.append(said.text) if said.type == "error" else None
    )
    watch.page.on("pageerror", lambda error: watch.complaints.append(str(error)))
    watch.page.goto(live_server.url + war.path())
    watch.page.locator("#replay:not([hidden])").wait_for()
    return watch


@pytest.fixture
def watch(browser: Browser, live_server: LiveServer, war: Fought) -> Iterator[Watch]:
    """The English admiral at his desk."""
    made = opened(browser, live_server, war, "english", reduced_motion="reduce")
    yield made
    made.page.context.close()


def drawn(page: Page) -> int:
    """How many different colours stand on the board: an empty sea has one."""
    count: int = page.evaluate(
        """() => { const c = document.querySelector('canvas'); const d = c.getContext('2d')
        .getImageData(0, 0, c.width, c.height).data; const s = new Set();
        for (let i = 0; i < d.length; i += 4) s.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]); return s.size; }"""
    )
    return count


def test_ships_that_are_not_there_at_the_start_are_announced(watch: Watch) -> None:
    page = watch.page
    caption = page.locator(".caption")
    expect(caption).not_to_contain_text("later")
    page.evaluate("""() => {
      const { time } = window.replay;
      const last = time.phases.findLastIndex(({ turn }) => turn === 0);
      for (const phase of time.phases) phase.ops = phase.ops.filter(([kind, n]) => kind !== "P" || n > 0);
      time.states = time.states.map(() => undefined);
      window.replay.cached = undefined;
      window.replay.go(last);
    }""")
    expect(caption).to_contain_text("1 ship arrives later.")


def test_the_replay_loads_steps_and_scrubs(watch: Watch) -> None:
    page = watch.page
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
    turns = watch.war.battle.outcome.document["turns"]
    expect(page.locator(".clock")).to_contain_text(f"Turn {turns}")
    expect(page.locator(".states-when")).to_have_text("at the end")
    assert watch.complaints == []


def test_the_ships_states_follow_the_hour(watch: Watch) -> None:
    page = watch.page
    hurt = next(
        row["ship"]
        for row in watch.war.battle.outcome.document["ships"]
        if row["side"] == "ENG" and row["fate"] == "afloat" and row["condition"]["hits_struct"]
    )
    cell = page.locator(f'[data-ship="{hurt}"] .said')
    whole = cell.inner_text()
    page.locator(".scrub").fill(page.locator(".scrub").get_attribute("max") or "")
    end = cell.inner_text()
    assert whole != end
    left, of = (int(word) for word in end.split() if word.isdigit())
    assert left < of and whole == f"hull {of} of {of}"


def test_the_keyboard_controls_the_replay(watch: Watch) -> None:
    page = watch.page
    page.locator("canvas.board").focus()
    start = watch.state("place")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert watch.state("place") == start + 2
    page.keyboard.press("ArrowLeft")
    assert watch.state("place") == start + 1
    page.keyboard.press("End")
    assert watch.state("place") == int(page.locator(".scrub").get_attribute("max") or 0)
    page.keyboard.press("Home")
    assert watch.state("place") == 0
    page.keyboard.press("ArrowDown")
    page.keyboard.press(".")
    expect(page.locator(".ship-note strong")).to_be_visible()
    assert page.locator("tr.chosen").count() == 1
    page.keyboard.press("Escape")
    expect(page.locator(".ship-note")).to_be_hidden()
    page.keyboard.press("+")
    page.keyboard.press("d")
    page.keyboard.press("0")
    assert watch.complaints == []


def test_moments_are_found_linked_told_and_saved(watch: Watch) -> None:
    page = watch.page
    inside = """() => { const { board } = window.replay; const [w, h] = [board.width, board.height];
        return [...board.spots.values()].every(([x, y]) => x > 0 && y > 0 && x < w && y < h); }"""
    assert page.evaluate(inside), "the whole fleet is in view at the start"
    bar = page.locator(".replay-bar").bounding_box()
    assert bar is not None and bar["y"] + bar["height"] <= SIZES["desk"]["height"]
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("b")
    expect(page.locator(".caption")).to_contain_text("hit")
    assert "#t=" in page.url
    there = watch.state("place")
    page.keyboard.press("n")
    expect(page.locator(".caption")).to_contain_text(
        re.compile("sinks|taken|blows up|burns out|wrecked|There is no later loss")
    )
    page.evaluate("location.hash = '#t=2'")
    expect(page.locator(".clock")).to_contain_text("Turn 2")
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Following")).to_have_attribute("aria-pressed", "true")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save picture").click()
    assert saved.value.suggested_filename == f"{watch.war.battle.code}-turn-2.png"
    assert Path(saved.value.path()).read_bytes()[:4] == b"\x89PNG"
    page.get_by_text("Keys and links").click()
    page.get_by_label("Keys work anywhere on this page").uncheck()
    before = watch.state("place")
    page.locator("body").press("ArrowRight")
    assert watch.state("place") == before != there
    assert watch.complaints == []


def test_the_replay_plays_to_the_end_and_stops(watch: Watch) -> None:
    page = watch.page
    page.locator(".speed select").select_option("8")
    most = int(page.locator(".scrub").get_attribute("max") or 0)
    page.locator(".scrub").fill(str(most - 6))
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=15000)
    assert watch.state("place") == most


def test_a_chosen_ship_links_to_her_page_when_she_is_ours(watch: Watch) -> None:
    page = watch.page
    taken = {row["ship"] for row in watch.war.battle.outcome.document["ships"] if row["fate"] != "afloat"}
    own = next(ship for ship in watch.war.ships("ENG") if ship.code not in taken)
    page.locator(f'[data-ship="{own.code}"] .standing').click()
    note = page.locator(".ship-note")
    expect(note.locator("strong")).to_have_text(own.name)
    expect(note.get_by_role("link")).to_have_attribute(
        "href", f"{page.url.split('/c/')[0]}{watch.war.ship_path(own.code)}"
    )
    page.locator("details.side-ships").nth(1).locator("summary").click()
    theirs = next(ship for ship in watch.war.ships("NLD") if ship.code not in taken)
    page.locator(f'[data-ship="{theirs.code}"] .standing').click()
    expect(note.locator("strong")).to_have_text(theirs.name)
    expect(note.get_by_role("link")).to_have_count(0)


def test_the_log_changes_page_without_reloading(watch: Watch) -> None:
    page = watch.page
    page.evaluate("window.stayed = true")
    page.locator("#log").get_by_role("link", name="Later").click()
    expect(page.locator("#log-title")).to_contain_text("Battle log: turn 2")
    assert page.evaluate("window.stayed") is True
    assert "turn=2" in page.url
    assert watch.complaints == []


def test_a_thumb_drags_the_board_and_every_control_is_large_enough(
    browser: Browser, live_server: LiveServer, war: Fought
) -> None:
    watch = opened(browser, live_server, war, "dutch", viewport=SIZES["phone"], has_touch=True)
    page = watch.page
    try:
        for button in page.locator("#replay .controls .button, #replay .zoom .button").all():
            box = button.bounding_box()
            assert box is not None and box["width"] >= 44 and box["height"] >= 44
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.locator("canvas.board").scroll_into_view_if_needed()
        box = page.locator("canvas.board").bounding_box()
        assert box is not None
        picture = page.locator("canvas.board").screenshot()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 80, y - 60, steps=4)
        page.mouse.up()
        assert page.locator("canvas.board").screenshot() != picture
        assert watch.complaints == []
    finally:
        page.context.close()


def test_without_scripts_the_battle_is_described_in_words(
    browser: Browser, live_server: LiveServer, war: Fought
) -> None:
    client = war.client("english")
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page = context.new_page()
    try:
        page.goto(live_server.url + war.path())
        expect(page.locator("#replay")).to_be_hidden()
        page.get_by_text("Battle report").click()
        expect(page.locator(".account li li").first).to_be_visible()
        page.locator("#log").get_by_role("link", name="Later").click()
        expect(page.locator("#log-title")).to_contain_text("Battle log: turn 2")
    finally:
        context.close()


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desk", "light")])
def test_the_pages_have_no_serious_violations(
    browser: Browser, live_server: LiveServer, war: Fought, size: str, scheme: str
) -> None:
    watch = opened(browser, live_server, war, "english", viewport=SIZES[size], color_scheme=scheme)
    page = watch.page
    try:
        ship = war.ships("ENG")[0]
        entry = ship.entry
        assert entry is not None
        # all books are one template, and axe takes many seconds for each: it reads one of them in each mode
        books = ["/rules/campaign", *(f"/rules/{name}" for name in names())]
        paths = (
            war.path(), war.ship_path(ship.code), "/rules/", "/registers/",
            f"/registers/{entry.register.code}/", f"/registers/{entry.register.code}/{entry.pk}/", *books,
        )  # fmt: skip
        read = {"phone": "/rules/campaign", "desk": "/rules/kohler"}[size]
        for path in paths:
            page.goto(live_server.url + path)
            page.wait_for_load_state("networkidle")
            found = violations(page) if path not in books or path == read else []
            serious = [
                (row["id"], row["nodes"][0]["html"][:160])
                for row in found
                if row["impact"] in ("serious", "critical")
            ]
            assert serious == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"], path
        assert watch.complaints == []
    finally:
        page.context.close()
