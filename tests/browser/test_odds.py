"""Odds on a phone: asked from the orders page, sharpening without a reload, stopped by a tap, and no complaint of the content policy."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.models import OddsChunk
from campaign.services.odds.chunks import chunk_fight
from tests.browser.conftest import PHONE
from tests.support.looked_over import violations
from tests.support.people import ENGLISH

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CODE = "telltale"


def fight_one() -> None:
    """A worker fights a chunk of one battle."""
    chunk = OddsChunk.objects.open().first()
    assert chunk is not None
    OddsChunk.objects.filter(pk=chunk.pk).update(size=1)
    chunk_fight(chunk_id=chunk.pk)


def test_odds_sharpen_while_they_are_watched_and_stop_at_a_tap(
    admiral: Page, live_server: LiveServer
) -> None:
    admiral.set_viewport_size(PHONE)
    admiral.goto(live_server.url + reverse("orders", args=[CODE, f"{ENGLISH}-f"]))
    admiral.get_by_role("button", name="Work out the odds against contact 1").click()
    expect(admiral.get_by_text("The first battles are being fought.")).to_be_visible()
    admiral.get_by_text("How this is worked out").click()
    for fought in ("1 battle fought", "2 battles fought"):
        fight_one()
        expect(admiral.get_by_text(fought)).to_be_visible()
    expect(admiral.get_by_text("from the report alone")).to_be_visible()
    expect(admiral.get_by_text("The dice throw for the weather gauge.")).to_be_visible()
    wide = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert admiral.evaluate(wide) is False
    admiral.get_by_role("button", name="Stop battles").click()
    expect(admiral.get_by_text("You stopped the battles.")).to_be_visible()
    assert violations(admiral) == []
