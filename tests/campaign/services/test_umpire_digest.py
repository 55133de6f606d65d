"""The umpire's daily summary: once a day at seven in the umpire's time zone, if there is anything to report."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine

from campaign.models import Absence, Campaign, Membership, Notice, Preferences, Ready, Turn
from campaign.services.desk import umpire as acts
from campaign.services.desk import umpire_digest
from campaign.services.desk.umpire_digest import umpire_digests_write
from campaign.services.sweep import sweep
from tests.support.factories import BattleFactory, ContactFactory, NoticeFactory, TurnFactory
from tests.support.people import World, world
from tests.support.put_back import put_back

pytestmark = [pytest.mark.clause("G.UM1", "G.UM2"), pytest.mark.one_database]
EARLY = datetime(2026, 8, 10, 4, 59, tzinfo=UTC)
SEVEN = datetime(2026, 8, 10, 5, 1, tzinfo=UTC)  # by Amsterdam's clock

SWEEP_QUERIES = 16


@pytest.fixture
def told(db: Any) -> World:
    """A campaign whose turn closes in two days; its umpire lives in Amsterdam."""
    with time_machine.travel(SEVEN - timedelta(days=3), tick=False):
        made = world()
    Turn.objects.filter(pk=made.turn.pk).update(deadline=SEVEN + timedelta(days=2))
    Preferences.objects.create(user=made.umpire.user, time_zone="Europe/Amsterdam")
    Membership.objects.update(digested=date(2026, 8, 9))
    return made


def digests() -> list[Notice]:
    return list(Notice.objects.filter(kind="umpire_digest").order_by("pk"))


def test_it_comes_once_a_day_after_seven_in_the_umpires_time_zone(told: World) -> None:
    assert umpire_digests_write(EARLY) == 0
    assert umpire_digests_write(SEVEN) == 1
    assert umpire_digests_write(SEVEN) == 0
    assert umpire_digests_write(SEVEN + timedelta(hours=20)) == 0
    assert umpire_digests_write(SEVEN + timedelta(days=1)) == 1
    assert [row.recipient for row in digests()] == [told.umpire.user] * 2


def test_it_is_the_digest_of_the_last_seven_oclock(told: World) -> None:
    seven, tick = datetime(2026, 8, 10, 5, 0, tzinfo=UTC), timedelta(microseconds=1)
    for now, digested, day in (
        (seven, date(2026, 8, 9), date(2026, 8, 10)), (seven - tick, date(2026, 8, 9), None),
        (seven - tick, date(2026, 8, 8), date(2026, 8, 9)), (seven, date(2026, 8, 10), None), (seven, None, date(2026, 8, 10)),
    ):  # fmt: skip
        with put_back():
            Membership.objects.update(digested=digested)
            assert umpire_digests_write(now) == (day is not None), (now, digested)
            assert [row.event for row in digests()] == (
                [f"telltale-umpire-digest-{day:%Y%m%d}"] if day else []
            )
            assert Membership.objects.get(pk=told.umpire.pk).digested == (day or digested)


def test_in_the_far_east_the_sun_rises_on_the_evening_before_by_greenwich_time(told: World) -> None:
    Preferences.objects.update(time_zone="Pacific/Auckland")
    assert umpire_digests_write(datetime(2026, 8, 9, 19, 0, tzinfo=UTC)) == 1
    assert Membership.objects.get(pk=told.umpire.pk).digested == date(2026, 8, 10)


def test_only_one_of_two_checks_at_the_same_time_writes_it(told: World) -> None:
    both = [Membership.objects.select_related("campaign__book", "user").get(pk=told.umpire.pk) for _ in "ab"]
    assert [umpire_digest._digest(member, SEVEN) for member in both] == [True, False]
    assert len(digests()) == 1


def test_it_says_who_is_ready_whose_orders_are_missing_and_when_they_close(told: World) -> None:
    umpire_digests_write(SEVEN)
    (mail,) = digests()
    assert mail.subject == "Tell-tale war: umpire's daily summary, England not ready"
    assert "Orders close on Wed 12 Aug 2026, 07:01 CEST." in mail.text
    assert "England: not ready; 1 of 1 fleet with new orders" in mail.text
    assert "Dutch Republic: ready" in mail.text
    assert "Wed 12 Aug 2026, 07:01 CEST" in mail.html and "not ready" in mail.html


def test_it_reports_everything_that_is_stuck_or_fails(told: World) -> None:
    with time_machine.travel(SEVEN, tick=False):
        acts.turn_hold(turn=told.turn, umpire=told.umpire.user, reason="a wedding")
    Absence.objects.create(membership=told.dutch, first=date(2026, 8, 11), last=date(2026, 8, 12), by="x")
    notice = NoticeFactory(campaign=told.campaign, recipient=told.dutch.user, status="failed")
    Notice.objects.filter(pk=notice.pk).update(written=SEVEN)
    Preferences.objects.create(user=told.english.user, bounced=SEVEN)
    battle = BattleFactory(
        book=told.campaign.book, code="telltale-T2-b07", title="Battle off Cromer", status="failed"
    )
    ContactFactory(turn=told.turn, battle=battle, code="b07")
    Campaign.objects.update(silent_turns=1)
    Membership.objects.update(joined=None)
    umpire_digests_write(SEVEN)
    (mail,) = digests()
    for words in (
        "Turn 2 is held: a wedding.", "Battle off Cromer", "Tue 11 Aug 2026", "could not be sent", "Emails to english are bouncing",
        "no orders for 1 turn",
        "no stand-in",
    ):  # fmt: skip
        assert words in mail.text and words in mail.html, words


def test_no_digest_comes_when_there_is_nothing_to_report(told: World) -> None:
    Ready.objects.create(turn=told.turn, side=told.english.side, by="x")
    Campaign.objects.update(silent_turns=0)
    assert umpire_digests_write(SEVEN) == 0
    assert Membership.objects.get(pk=told.umpire.pk).digested == date(2026, 8, 10)


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_a_paused_campaign_says_why_and_one_that_is_over_is_silent(told: World, status: str) -> None:
    if status == "paused":
        acts.campaign_pause(campaign=told.campaign, umpire=told.umpire.user, reason="Christmas.")
    else:
        Campaign.objects.update(status="closed")
    assert umpire_digests_write(SEVEN) == (status == "paused")
    if status == "paused":
        assert "The campaign is paused: Christmas." in digests()[0].text


def test_an_umpire_may_opt_out_and_no_one_else_gets_one(told: World) -> None:
    Preferences.objects.filter(user=told.umpire.user).update(kinds={"umpire_digest": "off"})
    assert umpire_digests_write(SEVEN) == 0 and not digests()


def test_a_new_umpire_gets_the_first_one_tomorrow(told: World) -> None:
    Membership.objects.filter(pk=told.umpire.pk).update(digested=None, joined=SEVEN)
    assert umpire_digests_write(SEVEN + timedelta(hours=1)) == 0
    assert umpire_digests_write(SEVEN + timedelta(days=1)) == 1
    seven = SEVEN.replace(minute=0)
    for joined, count in ((seven, 0), (seven - timedelta(microseconds=1), 1), (None, 1)):
        Notice.objects.all().delete()
        Membership.objects.filter(pk=told.umpire.pk).update(digested=None, joined=joined)
        assert umpire_digests_write(SEVEN) == count, joined


def test_a_sweep_with_nothing_to_do_takes_as_long_after_twenty_turns_as_after_two(
    told: World, django_assert_num_queries: Any
) -> None:
    with time_machine.travel(SEVEN, tick=False):
        sweep()
        with django_assert_num_queries(SWEEP_QUERIES):
            sweep()
        for number in range(3, 22):
            TurnFactory(campaign=told.campaign, number=number, phase="closed")
        with django_assert_num_queries(SWEEP_QUERIES):
            sweep()
