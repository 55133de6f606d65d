"""`python -m tests.walk [FOLDER] [--turns N] [--only PATTERN] [--site FOLDER]`: screenshots of every page, and what is wrong with it.

Each page is opened by the role that sees most of it, and by several where they see different things. Pictures and an index of them go
into the folder (var/screenshots), and the pages that one prints as PDF too. Exit status 1 when a page has a fault.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.support.chromium import find_chromium, why_not
from tests.support.processes import ROOT
from tests.walk.site import (
    ADMINISTRATOR,
    BOARDS,
    OVER,
    PLAYED,
    STRANGER,
    served,
    site_make,
    worst_chart_shown,
)

if TYPE_CHECKING:
    from tests.support.every_page import Page

# who sees a page; the first that may open it draws it, but for the pages of SEVERAL, which every one of them draws
ROLES = ("admiral", "observer", "umpire", ADMINISTRATOR, STRANGER)
SEVERAL = frozenset({"home", "campaign", "fleet", "ship", "battle", "report", "news", "orders"})
# these have the umpire's own forms on them
UMPIRES = frozenset(
    {"people", "rules_in_force", "clock", "away", "calendar", "standings", "objectives", "odds", "mailbox"}
)
PRINTED = frozenset(
    {"campaign", "orders_list", "fleet_table", "fleet", "ship", "battle", "battle_print", "report", "gazette", "rules"}
)  # fmt: skip
OF_A_BOARD = ("battle", "battle_print")  # pages that a rule set draws in its own way
FRAMED = frozenset({"mail_kind_letter"})  # an email, as the page beside it shows it in a frame
TALLEST = 8000  # pixels of a picture
TRIES = 2  # of a page that does not come
WAIT = 90_000  # milliseconds for anything that a page does, on a machine that has other work
WORST = "campaign-worst"
# What is Django's own and stays: patterns of a page's name and of the fault.
EXCUSED = (
    # the script of its chooser of permissions names icons by ARIA
    ("^admin-auth_(group|user)_change$", "aria-prohibited-attr: .*help-tooltip"),
    # the label of its search field is a picture, which has a name
    ("^admin-.*_changelist$", "label-title-only: #searchbar$"),
    # a table of rows has an empty head over each row's name
    ("^admin-.*_change$", "empty-table-header: .*thead"),
)


class Stop(NamedTuple):
    """A page to be opened. name: of its pictures."""

    role: str
    name: str
    address: str
    worst: bool = False


def main() -> int:
    """Make the site, walk over it, say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.walk", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "var" / "screenshots")
    parser.add_argument("--turns", type=int, default=4, help="how many turns of each campaign are played (4)")
    parser.add_argument("--only", default="", help="pages whose name fits this pattern")
    parser.add_argument("--site", type=Path, help="keep the site here, and use it if it is there already")
    args = parser.parse_args()
    if find_chromium() is None:
        sys.exit(f"There is no browser: {why_not()}. Install chromium, or set CHROMIUM to its path.")
    with nullcontext(args.site) if args.site else tempfile.TemporaryDirectory() as place:
        site = Path(place)
        site.mkdir(parents=True, exist_ok=True)
        site_make(site, args.turns)
        args.folder.mkdir(parents=True, exist_ok=True)
        return walk(every_stop(args.only), args.folder)


def every_stop(only: str) -> list[Stop]:
    """Every page once, and once a role where it matters. only: a pattern of names."""
    logging.disable(logging.WARNING)  # pages that a role may not open
    found: list[Stop] = []
    taken: set[tuple[str, ...]] = set()
    for code in (PLAYED, OVER):
        for role in ROLES:
            client = client_of(role)
            for page in _pages_of(role, code):
                name = page.name.replace(":", "-") + ("" if code == PLAYED else f"-{code}")
                own = page.name in SEVERAL or (role == "umpire" and page.name in UMPIRES)
                several = role if own and code == PLAYED else ""
                key = (
                    several,
                    page.address if several else page.name,
                    code if f"/{code}/" in page.address else "",
                )
                if page.name in FRAMED or key in taken or not re.search(only, name):
                    continue
                answer = client.get(page.address)
                if answer.status_code == 200 and b"<html" in getattr(answer, "content", b"")[:200]:
                    taken.add(key)
                    found.append(Stop(role, name, page.address))
    for rule_set, code in BOARDS.items():
        for page in _pages_of("umpire", code):
            name = f"{page.name}-{rule_set}"
            if page.name in OF_A_BOARD and re.search(only, name):
                found.append(Stop("umpire", name, page.address))
    if re.search(only, WORST):
        found.append(Stop("umpire", WORST, f"/c/{PLAYED}/", worst=True))
    return found


def _pages_of(role: str, code: str) -> list[Page]:
    """The pages of a campaign with a role's own fleets and ships in them; the admin's as well for who may open it."""
    from campaign.models import Campaign
    from tests.support.every_page import admin_pages, pages

    campaign = Campaign.objects.select_related("book", "theatre").get(book__code=code)
    listed = pages(campaign, None if role == STRANGER else _user(role))
    return [*listed, *admin_pages()] if role == ADMINISTRATOR and code == PLAYED else listed


def client_of(role: str) -> Any:
    """Django's own browser, in which a role is logged in."""
    from django.test import Client

    client = Client(raise_request_exception=False, HTTP_HOST="127.0.0.1")
    if role != STRANGER:
        client.force_login(_user(role), "django.contrib.auth.backends.ModelBackend")
    return client


def _user(role: str) -> Any:
    from django.contrib.auth import get_user_model

    return get_user_model().objects.get(username=role)


def walk(stops: list[Stop], folder: Path) -> int:
    """Opens every page. Prints each one's faults; returns 1 if there are any."""
    from playwright.sync_api import sync_playwright

    faults = 0
    with served() as site, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for role in dict.fromkeys(stop.role for stop in stops):
            context = browser.new_context()
            context.add_cookies(
                [
                    {"name": name, "value": morsel.value, "url": site}
                    for name, morsel in client_of(role).cookies.items()
                ]
            )
            (folder / role).mkdir(exist_ok=True)
            faults += _walk_as(context, site, [stop for stop in stops if stop.role == role], folder / role)
        browser.close()
    (folder / "index.html").write_text(_index(stops, folder))
    print(f"{len(stops)} pages, {faults} faults; the pictures are in {folder}")
    return 1 if faults else 0


def _walk_as(context: Any, site: str, stops: list[Stop], folder: Path) -> int:
    from playwright.sync_api import Error

    from tests.support.looked_over import looking

    context.set_default_timeout(WAIT)
    faults = 0
    with looking(context) as looker:
        for stop in stops:
            with worst_chart_shown() if stop.worst else nullcontext():
                for _ in range(TRIES):
                    try:
                        found = [*dict.fromkeys(_stop_at(looker, site, stop, folder))]
                        break
                    except Error as error:  # one page that never comes is no reason to leave out the others
                        found = [f"cannot be drawn: {error.message.splitlines()[0]}"]
            found = [words for words in found if not excused(stop.name, words)]
            faults += len(found)
            for words in found:
                print(f"{stop.role} {stop.address} ({stop.name}): {words}", flush=True)
    return faults


def excused(name: str, words: str) -> bool:
    """Whether a page's fault is Django's own."""
    return any(re.search(page, name) and re.search(fault, words) for page, fault in EXCUSED)


def _stop_at(looker: Any, site: str, stop: Stop, folder: Path) -> Iterator[str]:
    """Draws a page four times. Yields its faults."""
    from tests.support.looked_over import DESK, PHONE

    for width in (PHONE, DESK):
        yield from looker.open(site + stop.address, width)
        looker.grow(TALLEST)
        for mode, said in looker.modes():
            yield from said
            looker.page.screenshot(path=folder / f"{stop.name}-{width}-{mode}.png")
    if stop.name.partition("-")[0] in PRINTED:
        looker.page.emulate_media(color_scheme="light")
        looker.page.pdf(path=folder / f"{stop.name}.pdf", format="A4", prefer_css_page_size=True)
    yield from looker.heard()


def _index(stops: list[Stop], folder: Path) -> str:
    """A page of all pictures, for the browser."""
    rows = []
    for stop in stops:
        names = sorted(path.name for path in (folder / stop.role).glob(f"{stop.name}-[0-9]*-*.png"))
        shown = "".join(
            f'<a href="{stop.role}/{name}"><img loading="lazy" alt="{name}" src="{stop.role}/{name}" height="360"></a>'
            for name in names
        )
        rows.append(f"<h2>{escape(stop.name)}, {stop.role}</h2><p>{escape(stop.address)}</p>{shown}")
    return f"<!doctype html><meta charset=utf-8><title>Every page</title>{''.join(rows)}"


if __name__ == "__main__":
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the browser's driver runs an event loop in this thread
    sys.exit(main())
