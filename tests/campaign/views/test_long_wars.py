"""What grows with a war comes in pages, and can be read whole."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory
from django.urls import reverse

from campaign.models import TurnSummary
from campaign.selectors.reports.chronicle import Chapter, Chronicle
from campaign.selectors.reports.score import standings
from campaign.views import standings as views
from tests.support.people import World, world


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales."""
    return world()


def test_chapters_come_in_pages_and_all_at_once_on_request() -> None:
    chapters = [Chapter(number, "Gales", "June", "", (), tuple) for number in range(1, 6)]
    book = Chronicle(chapters, whole=True, closing="")

    def asked(**query: str) -> list[int]:
        found = views.chapters_asked(RequestFactory().get("/", query), book, 2)
        return [chapter.number for chapter in found]

    assert (asked(), asked(page="3"), asked(page="9"), asked(all="1")) == ([1, 2], [5], [5], [1, 2, 3, 4, 5])


@pytest.mark.clause("G.VP1")
def test_the_score_shows_its_newest_lines_and_all_of_them_on_request(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "NEWEST", 0)
    page, client = reverse("standings", args=["telltale"]), told.client("umpire")
    few, whole = (client.get(page + more).content.decode() for more in ("", "?all=1"))
    assert 'href="?all=1"' in few and "taken" not in few
    assert 'href="?all=1"' not in whole and "taken" in whole


@pytest.mark.clause("G.VP1")
def test_a_line_of_the_score_leads_to_the_battle_of_its_own_turn(told: World) -> None:
    taken = {"battle": "b01", "ship": "s", "side": "NLD", "captor": "ENG"}
    told.turn.phase = "closed"
    told.turn.save()
    TurnSummary.objects.create(turn=told.turn, side=None, events=[[90, "captured", "G.PR1", [], taken]])
    rows = [row.battle for side in standings(told.campaign, told.umpire).sides for row in side.rows]
    assert rows[0] == "telltale-T2-b01" and "telltale-T1-b01" in rows


@pytest.mark.clause("G.IG2")
def test_contacts_of_long_ago_are_listed_on_request(told: World) -> None:
    told.turn.first_day = 40
    told.turn.save()
    page, client = reverse("sightings", args=["telltale"]), told.client("english")
    now, archive = (client.get(page + more).content.decode() for more in ("", "?archive=1"))
    assert "contact 1" not in now.casefold() and "Not seen for 10 days" not in now
    assert "contact 1" in archive.casefold() and "Not seen for 10 days" in archive
