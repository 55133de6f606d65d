"""What a person would find fault with on a page, found by a browser: errors, overflow, weight, and what axe says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

PHONE, DESK = 390, 1280
HEIGHTS = {PHONE: 844, DESK: 900}
MOST_BYTES = 150_000
Mode = Literal["light", "dark"]
MODES: tuple[Mode, ...] = ("light", "dark")
# The darkness changes colours and nothing else; the rest is the same in both.
ONLY_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
# Else axe copies style sheets that import others into the page, and the policy's refusals of that look like the page's own.
ALWAYS = {"resultTypes": ["violations"], "preload": False}
ASK_AXE = """(options) => axe.run(options).then(({ violations }) => violations.map(
  ({ id, nodes }) => [id, nodes.map(({ target }) => String(target[0]))]))"""
ALL_OF_AXE = "() => axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# colours that would fade into those of the other mode are there at once
AT_REST = """() => { for (const one of document.getAnimations()) {
  if (one.effect.getComputedTiming().iterations !== Infinity) one.finish();
} }"""
# what sticks out of the page to the right, the outermost elements only; what scrolls in a box of its own does not
STICKS_OUT = """() => {
  const [wide, all] = [document.documentElement.clientWidth, document.documentElement.scrollWidth];
  if (all <= wide) return [];
  const out = [...document.querySelectorAll("body *")]
    .filter((el) => el.checkVisibility() && el.getBoundingClientRect().right > wide + 0.5);
  const boxed = (el) => {
    const up = el.parentElement;
    return up && up !== document.body && (getComputedStyle(up).overflowX !== "visible" || boxed(up));
  };
  const named = out.filter((el) => !boxed(el) && !out.includes(el.parentElement)).slice(0, 3)
    .map((el) => `${el.tagName.toLowerCase()}.${el.className} "${el.textContent.trim().slice(0, 40)}"`);
  return (named.length ? named : ["something that is not shown"]).map((words) => `${words} of ${all} px`);
}"""


def violations(page: Page) -> list[dict[str, Any]]:
    """What axe says is wrong with a page as it stands, as axe words it. The page is given axe once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[dict[str, Any]] = page.evaluate(ALL_OF_AXE)
    return found


def violations_in(page: Page, mode: Mode) -> list[dict[str, Any]]:
    """The same in a mode, at rest."""
    page.emulate_media(color_scheme=mode, reduced_motion="reduce")
    page.evaluate(AT_REST)
    return violations(page)


class Looker:
    """Opens pages in one tab and says what is wrong with each. context: of one person's browser."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.page.emulate_media(reduced_motion="reduce")
        self._said: list[str] = []
        self._asked: set[Request] = set()  # and not answered yet
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self._said.append(str(error)))
        self.page.on("request", lambda request: self._asked.add(request))
        for answered in ("requestfinished", "requestfailed"):
            self.page.on(answered, lambda request: self._asked.discard(request))
        self._axe = Axe().axe_script

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._said.append(message.text)

    def open(self, address: str, width: int) -> Iterator[str]:
        """Opens a page at a width in pixels, in the light. Yields its faults but for those of `modes`."""
        self.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        self.page.emulate_media(color_scheme="light")
        self._asked.clear()
        answer = self.page.goto(address)
        self._settle()
        assert answer is not None
        if answer.status != 200:
            yield f"answers {answer.status}"
        size = answer.request.sizes()["responseBodySize"]
        if size > MOST_BYTES:
            yield f"weighs {size / 1000:.0f} kB compressed"
        for words in self.page.evaluate(STICKS_OUT):
            yield f"{width} px: {words} sticks out"

    def _settle(self) -> None:
        """Waits until the page and its scripts have what they asked for, and have drawn it."""
        self.page.evaluate(TWO_FRAMES)
        while self._asked:
            self.page.wait_for_timeout(20)
            self.page.evaluate(TWO_FRAMES)

    def grow(self, most: int) -> None:
        """Makes the window as tall as the page, so that a picture holds all of it, drawn at rest. most: pixels."""
        tall: int = self.page.evaluate("document.documentElement.scrollHeight")
        size = self.page.viewport_size
        assert size is not None
        self.page.set_viewport_size({"width": size["width"], "height": max(size["height"], min(tall, most))})
        self.page.evaluate(TWO_FRAMES)

    def modes(self) -> Iterator[tuple[Mode, list[str]]]:
        """The open page in each mode, with what axe says of it; the page is in that mode until the next is asked for."""
        for mode in MODES:
            self.page.emulate_media(color_scheme=mode)
            self.page.evaluate(AT_REST)
            yield mode, [f"{mode}: {words}" for words in self._axe_says(mode)]

    def heard(self) -> list[str]:
        """What the browser has complained of since it was last asked."""
        said, self._said[:] = list(dict.fromkeys(self._said)), []
        return said

    def _axe_says(self, mode: Mode) -> Iterator[str]:
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(self._axe)
        options = ALWAYS | (ONLY_COLOURS if mode == "dark" else {})
        for rule, places in self.page.evaluate(ASK_AXE, options):
            more = f" and {len(places) - 2} more" if len(places) > 2 else ""
            yield f"{rule}: {', '.join(places[:2])}{more}"


@contextmanager
def looking(context: BrowserContext) -> Iterator[Looker]:
    """A looker whose browser is closed at the end."""
    try:
        yield Looker(context)
    finally:
        context.close()
