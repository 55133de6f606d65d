"""The page Calendar: what each reader may know of it, and what the umpire changes on it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaign.models import CalendarRow, UmpireAction
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.CA1", "G.IN1")]
CODE = "telltale"


def shown(told: World, person: str) -> str:
    return told.client(person).get(reverse("calendar", args=[CODE])).content.decode()


@pytest.mark.parametrize(("person", "own", "other"), [("english", ENGLISH, DUTCH), ("dutch", DUTCH, ENGLISH)])
def test_a_side_reads_what_was_announced_to_it_and_what_it_was_told(
    told: World, person: str, own: str, other: str
) -> None:
    page = shown(told, person)
    assert f"Ships of {own}, announced." in page and f"Ships of {own}, done." in page
    assert f"Ships of {own}, unknown." not in page, "what is to come is the umpire's"
    assert other not in page and "Note" not in page and "Change this event" not in page


def test_an_observer_reads_what_everyone_was_told_and_no_more(told: World) -> None:
    assert "You have not been told of any events yet" in shown(told, "observer")
    CalendarRow.objects.filter(code=f"done_{DUTCH}").update(known=["ENG", "NLD"])
    page = shown(told, "observer")
    assert f"Ships of {DUTCH}, done." in page and ENGLISH not in page


def test_a_text_of_politics_is_read_by_everyone_once_its_day_is_over(told: World) -> None:
    row = {"campaign": told.campaign, "kind": "politics", "known": ["ENG", "NLD"]}
    CalendarRow.objects.create(
        **row, code="then", first="1666-06-01", last="1666-06-01", text="The King is pleased."
    )
    CalendarRow.objects.create(
        **row, code="later", first="1666-06-02", last="1666-06-02", text="The King is not."
    )
    for person in ("english", "observer"):
        page = shown(told, person)
        assert "The King is pleased." in page and "The King is not." not in page


def test_the_umpire_reads_every_event_with_its_note_and_who_is_told(told: World) -> None:
    page = shown(told, "umpire")
    for tale in (ENGLISH, DUTCH):
        for state in ("announced", "done", "unknown"):
            assert f"Ships of {tale}, {state}." in page
    assert "Note unknown" in page and "Announced on the day to: England." in page
    assert page.count("Change this event") == 4, "what has happened cannot be changed"
    told.campaign.settings = {"calendar": "text"}
    told.campaign.save()
    assert "Change this event" not in shown(told, "umpire")


@pytest.mark.clause("G.UM1")
def test_the_umpire_moves_or_cancels_an_event_and_reads_why_it_cannot_be_done(told: World) -> None:
    umpire, address = told.client("umpire"), reverse("calendar_change", args=[CODE])
    code = f"unknown_{DUTCH}"
    asked = {"row": code, "day": "1666-06-10", "reason": "the wind serves", "act": "move"}
    assert "The event has a new day." in umpire.post(address, asked, follow=True).content.decode()
    assert CalendarRow.objects.get(code=code).moved == "1666-06-10"
    assert "10 June 1666" in shown(told, "umpire")
    assert (
        "The event is cancelled."
        in umpire.post(address, {**asked, "act": "strike"}, follow=True).content.decode()
    )
    assert "It will not happen." in shown(told, "umpire")
    refused = umpire.post(address, {**asked, "reason": ""}, follow=True).content.decode()
    assert "Enter a reason" in refused
    assert UmpireAction.objects.filter(action__contains="event of the calendar").count() == 2


def test_a_side_that_was_told_of_an_event_learns_when_it_is_cancelled(told: World) -> None:
    CalendarRow.objects.filter(code=f"announced_{ENGLISH}").update(struck=True)
    assert "It will not happen." in shown(told, "english")


def test_a_page_with_nothing_to_list_says_so(told: World) -> None:
    CalendarRow.objects.all().delete()
    assert "This campaign has no calendar" in shown(told, "umpire")
    assert "They appear here when they are announced or happen" in shown(told, "english")
