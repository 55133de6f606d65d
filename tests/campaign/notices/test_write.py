"""Many emails about one event: rendered once for readers of the same text, written with few statements."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Membership, Notice
from campaign.notices import kinds, write
from campaign.notices.wishes import preferences_save
from campaign.notices.write import Reader, notices_write
from campaign.services.mail.notices import notices_for_closed_turn, notices_for_opened_turn
from campaign.services.mail.reminders import deadline_moved
from tests.support.people import DUTCH, ENGLISH, World, world

pytestmark = pytest.mark.one_database

DEADLINE = datetime(2026, 7, 3, 19, 0, tzinfo=UTC)


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """A campaign whose turn 2 closes on a summer evening."""
    settings.SITE_URL = "https://gage.club.example"
    made = world()
    made.turn.deadline = DEADLINE
    made.turn.save()
    return made


def crew(told: World, number: int) -> None:
    """More admirals, of either side in turn."""
    user = get_user_model()
    people = user.objects.bulk_create(
        [
            user(username=f"mate{n}", email=f"mate{n}@club.example", password="!")  # noqa: S106
            for n in range(number)
        ]
    )
    sides = (told.english.side, told.dutch.side)
    Membership.objects.bulk_create(
        [
            Membership(campaign=told.campaign, user=one, role="admiral", side=sides[n % 2])
            for n, one in enumerate(people)
        ]
    )


def statements(do: Any) -> int:
    """How many statements something needs."""
    with CaptureQueriesContext(
        connection,
    ) as caught:
        do()
    return len(caught)


@pytest.mark.parametrize("reply_to", ["", "Orders <orders@gage.club.example>"])
def test_forty_more_readers_need_no_more_renderings(told: World, settings: Any, reply_to: str) -> None:
    settings.REPLY_TO = reply_to

    def tell() -> None:
        notices_for_opened_turn(turn=told.closed)
        notices_for_closed_turn(turn=told.closed, following=told.turn)
        deadline_moved(turn=told.turn, why="Easter.")

    few = statements(tell)
    Notice.objects.all().delete()
    crew(told, 40)
    with mock.patch.object(write, "rendered", wraps=write.rendered) as drawn:
        many = statements(tell)

    assert Notice.objects.count() == 3 * 42 + 1
    # two sides for each of three kinds, the umpire; those who may answer a report with orders have a letter of their own
    assert drawn.call_count == (7 if not reply_to else 9)
    assert many <= few + 4, "rows go in by batches"


def test_readers_of_the_same_text_get_the_same_email_in_their_own_time_zones(told: World) -> None:
    crew(told, 2)
    mate = Membership.objects.get(user__username="mate0")
    preferences_save(user=mate.user, time_zone="Europe/Amsterdam", plain_text=True, kinds={}, webhook="")

    deadline_moved(turn=told.turn, why="Easter.")

    own, far = (Notice.objects.get(recipient=user) for user in (told.english.user, mate.user))
    assert "19:00 UTC" in own.text and "21:00 CEST" in far.text
    assert own.html and far.html == ""
    assert own.message_id != far.message_id


def test_a_template_with_orders_goes_only_to_its_own_reader(told: World, settings: Any) -> None:
    settings.REPLY_TO = "Orders <orders@gage.club.example>"
    crew(told, 2)

    notices_for_closed_turn(turn=told.closed, following=told.turn)

    by_name = {n.recipient.username: n for n in Notice.objects.select_related("recipient")}
    english, dutch = by_name["english"], by_name["dutch"]
    tokens = set()
    for notice, own, other in ((english, ENGLISH, DUTCH), (dutch, DUTCH, ENGLISH)):
        for part in (notice.text, notice.html):
            assert "Reply token: WG-" in part and f"Fleet: Fleet {own}" in part and other not in part
            tokens.add(part.partition("Reply token: ")[2].split("<")[0].split()[0])
    assert len(tokens) == 2
    for name in ("mate0", "mate1", "umpire"):
        assert "WG-" not in by_name[name].text + by_name[name].html
    assert not any("⁂" in n.text + n.html for n in by_name.values())


def test_the_html_explains_how_to_give_orders_by_replying(told: World, settings: Any) -> None:
    settings.REPLY_TO = "Orders <orders@gage.club.example>"

    notices_for_opened_turn(turn=told.closed)
    notices_for_closed_turn(turn=told.closed, following=told.turn)

    assert (
        "Reply to this email to give orders"
        in Notice.objects.get(kind="turn_report", recipient=told.english.user).html
    )


def test_a_reader_listed_twice_gets_one_email(told: World) -> None:
    context = {"turn": told.turn, "side": told.english.side, "why": "Easter."}
    reader = Reader(told.english.user, context)

    first, second = notices_write(
        campaign=told.campaign, kind=kinds.DEADLINE, event="e", readers=[reader, reader]
    )
    (third,) = notices_write(campaign=told.campaign, kind=kinds.DEADLINE, event="e", readers=[reader])

    assert first is not None and second is not None and third is not None
    assert first.pk == second.pk == third.pk == Notice.objects.get().pk


def test_no_readers_need_nothing(told: World) -> None:
    assert notices_write(campaign=told.campaign, kind=kinds.DEADLINE, event="e", readers=[]) == []


def test_a_channel_that_joins_later_is_notified_of_the_same_event(told: World) -> None:
    context = {"turn": told.turn, "side": told.english.side, "why": "Easter."}
    reader = Reader(told.english.user, context)
    notices_write(campaign=told.campaign, kind=kinds.DEADLINE, event="e", readers=[reader])
    preferences_save(
        user=told.english.user,
        time_zone="UTC",
        plain_text=False,
        kinds={},
        webhook="https://hook.club.example/x",
    )

    notices_write(campaign=told.campaign, kind=kinds.DEADLINE, event="e", readers=[reader])

    rows = {n.channel: n for n in Notice.objects.all()}
    assert set(rows) == {"email", "webhook"}
    assert (rows["webhook"].html, rows["webhook"].calendar, rows["webhook"].address) == (
        "",
        "",
        "https://hook.club.example/x",
    )
