"""The chronicle's chapters: how days become phases, and what a chapter's pages show."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaign.models import TurnSummary
from campaign.selectors.reports.chronicle import _title, chronicle, chronicle_lines, phases
from campaign.selectors.reports.history import history
from tests.support.people import World, world


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales."""
    return world()


@pytest.mark.parametrize(
    ("days", "fought", "chapters"),
    [
        ([], [], []),
        ([3], [3], [(3, 3)]),
        ([1, 2, 3, 4], [1, 2, 4], [(1, 4)]),
        ([1, 2, 3], [1], [(1, 3)]),
        ([1, 4], [1], [(1, 1), (4, 4)]),
        ([1, 5], [1, 5], [(1, 1), (5, 5)]),
        ([0, 2], [2], [(0, 2)]),
        ([0, 1, 2, 3], [3], [(0, 2), (3, 3)]),
        (list(range(20)), [], [(0, 13), (14, 19)]),
        (list(range(1, 13)), list(range(1, 13)), [(1, 10), (11, 12)]),
    ],
)
def test_battles_that_follow_each_other_are_a_chapter_and_so_are_quiet_weeks(
    days: list[int], fought: list[int], chapters: list[tuple[int, int]]
) -> None:
    assert phases(days, fought) == chapters


def test_every_day_that_is_told_of_is_in_one_chapter(told: World) -> None:
    book = chronicle(told.campaign, told.umpire)
    assert [chapter.number for chapter in book.chapters] == list(range(1, len(book.chapters) + 1))
    days = [day.number for chapter in book.chapters for day in chapter.days]
    assert days and days == sorted(set(days))
    assert all(chapter.title and chapter.dates and chapter.paragraphs for chapter in book.chapters)
    assert chronicle_lines(book)[1].startswith("1. ")


def test_the_index_leads_to_the_chapters_and_a_chapter_to_every_event(told: World) -> None:
    client = told.client("english")
    index = client.get(reverse("chronicle", args=["telltale"])).content.decode()
    chapter = reverse("chapter", args=["telltale", 1])
    assert f'href="{chapter}"' in index
    page = client.get(chapter).content.decode()
    assert f"{chapter}?every=1" in page and "Every event</h2>" not in page
    assert "Every event</h2>" in client.get(f"{chapter}?every=1").content.decode()
    assert client.get(reverse("chapter", args=["telltale", 0])).status_code == 404


def test_a_summary_that_is_written_anew_is_read_anew_and_what_readers_do_to_it_is_theirs(told: World) -> None:
    before = [events for _, events in history(told.campaign, None)]
    before[0].clear()
    row = TurnSummary.objects.filter(turn__campaign=told.campaign, side=None).order_by("turn__number")[0]
    assert row.events
    assert [events for _, events in history(told.campaign, None)][0] == row.events
    row.events = row.events[:1]
    row.save()
    assert [events for _, events in history(told.campaign, None)][0] == row.events


def test_ships_taken_in_no_battle_name_their_chapter() -> None:
    taken = [[0, "captured", "G.PR3", [], {"ship": code}] for code in ("s1", "s2")]
    repaired = [[0, "repaired", "G.RP2", [], {"ship": f"s{n}"}] for n in range(3, 6)]
    assert _title([], [*taken, *repaired]) == "Ships taken at sea"
    assert _title([], [taken[0], *repaired]) == "In the dockyards"
