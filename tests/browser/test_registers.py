"""What a site administrator does with a register, in a real browser under the site's own headers: from a bad spreadsheet to a good one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.services.roles import REGISTER_EDITORS, roles_make
from fleets.models import ImportBatch, RegisterEntry
from tests.support.factories import NationFactory, RegisterEntryFactory, RegisterFactory, UserFactory
from tests.support.sheets import csv_of, ships, xlsx_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def keeper(page: Page, live_server: LiveServer, transactional_db: None) -> Iterator[Page]:
    """The register editor's browser; what a script or the content policy complains of fails the test."""
    roles_make()  # a test with transactions leaves no groups behind
    user = UserFactory(username="keeper", is_staff=True)
    user.groups.add(Group.objects.get(name=REGISTER_EDITORS))
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


@pytest.fixture
def club(transactional_db: None) -> Any:
    """A club's own register with one ship that the file knows, and one that it does not."""
    NationFactory(name="England")
    register = RegisterFactory(code="club", title="Our ships")
    RegisterEntryFactory(register=register, name="Ship 0", guns=30, line=2)
    RegisterEntryFactory(register=register, name="Old James", guns=70, line=3)
    return register


def send(page: Page, path: Path) -> None:
    """Choose the register and the file, and look."""
    page.get_by_label("Register:", exact=True).select_option(label="Our ships")
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Preview import").click()


def test_the_site_administrator_imports_corrects_edits_many_ships_and_sets_a_figure(
    keeper: Page, live_server: LiveServer, club: Any, tmp_path: Path
) -> None:
    good = ships(45)
    bad = [list(row) for row in good]
    bad[3][4], bad[4][6], bad[5][1], bad[6][0] = "1,200", "c. 1650", "Ruritania", "<b>Lion</b>"
    (tmp_path / "bad.csv").write_bytes(csv_of(bad))
    (tmp_path / "good.xlsx").write_bytes(xlsx_of(good))

    # a spreadsheet with errors
    keeper.goto(f"{live_server.url}/admin/fleets/registerentry/")
    keeper.get_by_role("link", name="Import", exact=True).click()
    send(keeper, tmp_path / "bad.csv")
    expect(keeper.get_by_text("4 errors. Nothing was saved.")).to_be_visible()
    expect(keeper.get_by_role("row", name="5 guns 1,200")).to_contain_text("write 1200")
    keeper.set_viewport_size({"width": 390, "height": 844})
    expect(keeper.get_by_text("write 1200")).to_be_in_viewport(
        ratio=1
    )  # what to do is read without scrolling sideways
    keeper.set_viewport_size({"width": 1280, "height": 900})
    assert RegisterEntry.objects.count() == 2

    # corrected, looked at, confirmed
    send(keeper, tmp_path / "good.xlsx")
    expect(keeper.get_by_text("1 changed, 44 new, 0 unchanged")).to_be_visible()
    keeper.get_by_label("Reason (optional)").fill("the list of 1666")
    keeper.get_by_role("button", name="Save these ships").click()
    expect(keeper.get_by_text("Our ships: 44 new, 1 changed, 0 unchanged.")).to_be_visible()
    assert RegisterEntry.objects.count() == 46

    # the same again changes nothing
    keeper.get_by_role("link", name="Import", exact=True).click()
    send(keeper, tmp_path / "good.xlsx")
    expect(keeper.get_by_text("0 changed, 0 new, 45 unchanged")).to_be_visible()
    keeper.get_by_role("button", name="Close: nothing to import").click()

    # forty ships at once
    keeper.goto(f"{live_server.url}/admin/fleets/registerentry/?register__id__exact={club.pk}&q=Ship")
    boxes = keeper.locator("input.action-select")
    for number in range(40):
        boxes.nth(number).check()
    keeper.get_by_label("Action:").select_option(label="Edit selected entries")
    keeper.get_by_role("button", name="Go").click()
    keeper.get_by_label("New value of squadron", exact=True).fill("White")
    expect(keeper.get_by_label("squadron", exact=True)).to_be_checked()
    keeper.get_by_label("Reason").fill("order of battle")
    keeper.get_by_role("button", name="Preview changes").click()
    expect(keeper.get_by_text("40 of 40 ships would change")).to_be_visible()
    assert not RegisterEntry.objects.filter(squadron="White").exists()
    keeper.get_by_role("button", name="Change 40 ships").click()
    expect(keeper.get_by_text("40 ships changed. You can undo all changes here.")).to_be_visible()
    assert RegisterEntry.objects.filter(squadron="White").count() == 40

    # her cards, one figure by hand, and back
    keeper.goto(f"{live_server.url}/admin/fleets/registerentry/?q=Ship+7")
    keeper.get_by_role("link", name="Ship 7", exact=True).click()
    keeper.get_by_role("link", name="Cards", exact=True).click()
    kohler = keeper.locator("#kohler")
    hull = kohler.locator("tr", has=keeper.get_by_role("rowheader", name="Hull", exact=True)).first
    derived = int(hull.locator("td").first.inner_text())
    kohler.get_by_label("hull").fill(str(derived - 1))
    kohler.get_by_label("Reason").fill("counted on the model")
    kohler.get_by_role("button", name="Save figures").click()
    expect(hull).to_contain_text(f"the rules give {derived}")
    keeper.get_by_role("link", name="Ship 7 (English)").click()
    keeper.get_by_role("link", name="History").click()
    expect(keeper.get_by_role("row", name="counted on the model")).to_be_visible()
    keeper.get_by_role("link", name="View or restore").nth(1).click()
    keeper.get_by_role("button", name="Revert").click()
    entry = RegisterEntry.objects.get(name="Ship 7")
    assert (entry.overrides, entry.squadron) == ({}, "White")

    # and the forty undone
    batch = ImportBatch.objects.get(kind="edit")
    keeper.goto(f"{live_server.url}/admin/fleets/importbatch/{batch.pk}/change/")
    keeper.get_by_role("link", name="Undo all changes").click()
    keeper.get_by_role("button", name="Undo all changes").click()
    expect(keeper.get_by_text("Ships restored: 40")).to_be_visible()
    assert not RegisterEntry.objects.filter(squadron="White").exists()


@pytest.mark.parametrize(
    "path",
    [
        "registerentry/import/",
        "registerentry/{entry}/cards/",
        "registerentry/{entry}/change/",
        "registerentry/{entry}/history/",
    ],
)
def test_the_site_administrators_pages_fit_a_phone(
    keeper: Page, live_server: LiveServer, club: Any, path: str
) -> None:
    entry = RegisterEntry.objects.get(name="Ship 0")
    keeper.set_viewport_size({"width": 390, "height": 844})

    keeper.goto(f"{live_server.url}/admin/fleets/{path.format(entry=entry.pk)}")

    assert keeper.evaluate("document.documentElement.scrollWidth <= innerWidth")
