"""Silent players: a player without orders for some turns is reported once, and an absent or ready one is not silent."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Absence, Campaign, Membership, Notice, Order, Ready, Turn
from campaign.selectors.people.silence import silences, silent_now
from campaign.services.mail.silence import silence_tell
from tests.campaign.services.conftest import start
from tests.support.factories import TurnFactory
from tests.support.people import World, world

pytestmark = [pytest.mark.clause("G.MV2", "G.UM1"), pytest.mark.one_database]


@pytest.fixture
def told(db: Any) -> World:
    """A campaign in which both sides have been there since the first turn, and both have been silent."""
    made = world()
    Membership.objects.update(joined=None)
    Turn.objects.filter(pk=made.turn.pk).update(phase="closed")
    Ready.objects.all().delete()
    Order.objects.update(source="standing")
    made.turn.refresh_from_db()
    return made


def rows(told: World) -> dict[str, int]:
    return {row.member.user.username: row.count for row in silences(told.campaign)}


def words() -> list[str]:
    return list(Notice.objects.filter(kind="word", void="").order_by("pk").values_list("subject", flat=True))


def another(told: World, number: int) -> Turn:
    return TurnFactory(campaign=told.campaign, number=number, phase="closed")


def test_turns_without_orders_are_counted_backwards_from_the_last(told: World) -> None:
    assert rows(told) == {"english": 2, "dutch": 2}
    another(told, 3)
    assert rows(told) == {"english": 3, "dutch": 3}
    Order.objects.filter(turn=told.turn, fleet=told.english_fleet).update(
        source="mail", user=told.english.user
    )
    Ready.objects.create(turn=told.closed, side=told.dutch.side, by="dutch")
    assert rows(told) == {"english": 1, "dutch": 2}


@pytest.mark.parametrize("source", ["standing", "opening", "admiral"])
def test_orders_that_no_one_gave_do_not_end_a_silence(told: World, source: str) -> None:
    Order.objects.update(source=source)
    assert rows(told) == {"english": 2, "dutch": 2}


def test_turns_on_days_of_absence_are_skipped(told: World) -> None:
    day = told.turn.opened.date()
    Absence.objects.create(membership=told.english, first=day, last=day, by="x")
    assert rows(told) == {"dutch": 2}
    Turn.objects.filter(pk=told.closed.pk).update(
        opened=told.closed.opened.replace(year=2020), locked=told.closed.opened.replace(year=2020)
    )
    assert rows(told) == {"english": 1, "dutch": 2}


def test_no_one_is_silent_before_joining_or_without_a_fleet(told: World) -> None:
    Membership.objects.filter(pk=told.english.pk).update(joined=told.turn.opened)
    told.dutch.commands.all().delete()
    Membership.objects.filter(pk=told.dutch.pk).update(chief=False)
    assert rows(told) == {"english": 1}


def test_a_rolled_back_turn_does_not_count(told: World) -> None:
    Turn.every.filter(pk=told.turn.pk).update(void="rollback 1")
    assert rows(told) == {"english": 1, "dutch": 1}


def test_the_umpires_are_notified_once_per_silence(told: World) -> None:
    assert silence_tell(campaign=told.campaign) == 2
    assert silence_tell(campaign=told.campaign) == 0
    another(told, 3)
    assert silence_tell(campaign=told.campaign) == 0
    assert sorted(words()) == [
        "Tell-tale war: dutch has been silent for 2 turns", "Tell-tale war: english has been silent for 2 turns",
    ]  # fmt: skip
    fourth = another(told, 4)
    Order.objects.create(turn=fourth, fleet=told.english_fleet, source="web", user=told.english.user)
    assert [row.member for row in silent_now(told.campaign)] == [told.dutch]
    for number in (5, 6):
        another(told, number)
    assert silence_tell(campaign=told.campaign) == 1
    assert set(Notice.objects.values_list("recipient__username", flat=True)) == {"umpire"}


@pytest.mark.parametrize(("turns", "told_of"), [(0, 0), (1, 2), (2, 2), (3, 0)])
def test_the_campaign_sets_after_how_many_turns(told: World, turns: int, told_of: int) -> None:
    Campaign.objects.update(silent_turns=turns)
    told.campaign.refresh_from_db()
    assert silence_tell(campaign=told.campaign) == told_of


@pytest.mark.clause("G.UM3")
def test_the_umpire_is_notified_again_after_a_rollback(told: World) -> None:
    assert silence_tell(campaign=told.campaign) == 2
    Turn.every.filter(pk=told.turn.pk).update(void="rollback 1")
    Notice.objects.update(void="rollback 1")
    assert silence_tell(campaign=told.campaign) == 0
    TurnFactory(campaign=told.campaign, number=2, run=2, phase="closed")
    assert silence_tell(campaign=told.campaign) == 2


def test_it_reads_the_database_no_more_often_for_many_turns_than_for_one(
    told: World, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(7):
        silences(told.campaign)
    for number in range(3, 20):
        another(told, number)
    with django_assert_num_queries(7):
        assert silences(told.campaign)[0].count == 19


def test_an_automatic_side_is_never_silent(db: Any) -> None:
    campaign = start(automatic=True)
    Turn.objects.update(phase="closed")
    Order.objects.update(source="admiral")
    assert silences(campaign) == []
