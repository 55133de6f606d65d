"""The umpire sets deadlines, the schedule and a channel for the club; refusals change nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine

from campaign.models import Campaign, Notice, Turn, UmpireAction
from campaign.services.desk import umpire as acts
from campaign.services.settings.clock import rhythm_change, rhythm_words, webhook_set
from campaign.services.turn.turns import deadline_of, turn_lock
from campaign.services.umpire_log import UmpireRefused

pytestmark = [pytest.mark.clause("G.CL1", "G.UM1"), pytest.mark.one_database]
NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
RHYTHM: dict[str, Any] = {
    "hours": 72, "weekdays": (), "at": time(20), "zone": "UTC", "run_when_ready": True, "grace": 0, "silent": 2, "reason": "a vote",
}  # fmt: skip


@pytest.fixture(autouse=True)
def now(db: Any) -> Any:
    """A Tuesday in October, five days before the clocks change."""
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def who(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


@pytest.fixture
def due(turn: Turn) -> Turn:
    """The turn, due on Thursday evening by Amsterdam's clock."""
    Campaign.objects.update(time_zone="Europe/Amsterdam")
    Turn.objects.update(deadline=datetime(2026, 10, 22, 18, 0, tzinfo=UTC))
    turn.refresh_from_db()
    turn.campaign.refresh_from_db()
    return turn


def test_a_deadline_is_set_to_a_day_and_hour_in_the_campaigns_time_zone(due: Turn, who: Any) -> None:
    acts.turn_deadline_set(turn=due, umpire=who, day=date(2026, 10, 26), at=time(20), reason="a wedding")
    due.refresh_from_db()
    assert due.deadline == datetime(2026, 10, 26, 19, 0, tzinfo=UTC), "the clocks have changed by then"
    action = UmpireAction.objects.get()
    assert action.action == "moved the deadline"
    assert action.reason == "to Mon 26 Oct 2026, 20:00 CET: a wedding"
    mails = Notice.objects.filter(kind="deadline")
    assert mails.count() == 2 and all("a wedding" in mail.text and mail.calendar for mail in mails)


def test_a_deadline_moves_forward_only_with_time_to_answer(due: Turn, who: Any) -> None:
    def put(day: int, at: time, reason: str = "x") -> None:
        acts.turn_deadline_set(turn=due, umpire=who, day=date(2026, 10, day), at=at, reason=reason)

    for day, at, reason, why in (
        (21, time(1, 59), "x", "12 hours from now"),
        (20, time(13, 59), "x", "in the past"),
        (22, time(20), "x", "already the deadline"),
        (25, time(20), " ", "Enter a reason"),
    ):
        with pytest.raises(UmpireRefused, match=why):
            put(day, at, reason)
    with pytest.raises(UmpireRefused, match="90 days"):
        acts.turn_deadline_set(turn=due, umpire=who, day=date(2027, 10, 1), at=time(8), reason="x")
    assert not UmpireAction.objects.exists() and not Notice.objects.filter(kind="deadline").exists()
    put(21, time(2))
    due.refresh_from_db()
    assert due.deadline == NOW + timedelta(hours=12)
    Turn.objects.update(deadline=NOW + timedelta(hours=1))
    put(20, time(18))
    turn_lock(turn=due)
    with pytest.raises(UmpireRefused, match="open for orders"):
        put(25, time(20))


def test_fixed_weekdays_cannot_be_combined_with_permanent_hours(due: Turn, who: Any) -> None:
    due.campaign.deadline_days = [3]
    with pytest.raises(UmpireRefused, match="change the schedule"):
        acts.turn_extend(turn=due, umpire=who, hours=5, reason="x", for_good=True)
    Turn.objects.update(deadline=NOW - timedelta(hours=6))
    due.refresh_from_db()
    with pytest.raises(UmpireRefused, match="be in the past"):
        acts.turn_extend(turn=due, umpire=who, hours=5, reason="x")


def test_the_schedule_is_changed_emailed_and_logged(campaign: Campaign, turn: Turn, who: Any) -> None:
    before = turn.deadline
    told = rhythm_change(
        campaign=campaign, umpire=who, **{**RHYTHM, "weekdays": [6, 3, 3], "zone": "Europe/Amsterdam", "grace": 6}
    )  # fmt: skip
    campaign.refresh_from_db()
    assert told == [
        "Orders close on the next Thursday or Sunday at 20:00, Europe/Amsterdam time.",
        "After the deadline, a turn waits up to 6 hours for late orders.",
    ]
    assert campaign.deadline_days == [3, 6]
    assert deadline_of(campaign, NOW) == datetime(2026, 10, 22, 18, 0, tzinfo=UTC)
    turn.refresh_from_db()
    assert turn.deadline == before
    assert "a vote" in UmpireAction.objects.get().reason
    words = Notice.objects.filter(kind="word")
    assert words.count() == 3 and all(told[0] in word.text for word in words)
    again = {**RHYTHM, "weekdays": [3, 6], "zone": "Europe/Amsterdam", "grace": 6}
    assert rhythm_change(campaign=campaign, umpire=who, **again) == []
    assert UmpireAction.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"hours": 0}, "1 to 2160"),
        ({"weekdays": [7]}, "Choose weekdays"),
        ({"grace": 49}, "48 hours"),
        ({"silent": 21}, "20 turns without orders"),
        ({"zone": "Mars/Olympus"}, "is not a time zone"),
        ({"hours": 9, "reason": " "}, "Enter a reason"),
    ],
)
def test_an_impossible_schedule_is_refused(
    campaign: Campaign, who: Any, wrong: dict[str, Any], why: str
) -> None:
    before = rhythm_words(campaign)
    with pytest.raises(UmpireRefused, match=why):
        rhythm_change(campaign=campaign, umpire=who, **{**RHYTHM, **wrong})
    campaign.refresh_from_db()
    assert rhythm_words(campaign) == before and not UmpireAction.objects.exists()


HOOK = "https://discord.example/api/webhooks/1/secretkey"


def test_the_address_of_a_webhook_is_secret_and_the_log_does_not_reveal_it(
    campaign: Campaign, who: Any
) -> None:
    for wrong in (
        "nonsense",
        "http://club.example/x",
        "https://user:pw@club.example/x",
        "ftp://club.example/",
    ):
        with pytest.raises(UmpireRefused):
            webhook_set(campaign=campaign, umpire=who, address=wrong)
    webhook_set(campaign=campaign, umpire=who, address=HOOK)
    webhook_set(campaign=campaign, umpire=who, address=HOOK)
    action = UmpireAction.objects.get()
    assert (action.action, action.reason) == ("set the campaign's webhook", "")
    assert Campaign.objects.get().webhook == HOOK


def test_waiting_posts_follow_the_webhook_or_are_withdrawn_with_it(due: Turn, who: Any) -> None:
    webhook_set(campaign=due.campaign, umpire=who, address=HOOK)
    acts.turn_extend(turn=due, umpire=who, hours=5, reason="x")
    post = Notice.objects.get(channel="campaign")
    assert post.address == HOOK
    webhook_set(campaign=due.campaign, umpire=who, address=HOOK + "2")
    post.refresh_from_db()
    assert post.address == HOOK + "2" and not post.void
    webhook_set(campaign=due.campaign, umpire=who, address="")
    post.refresh_from_db()
    assert post.void
    acts.turn_extend(turn=due, umpire=who, hours=5, reason="x")
    assert Notice.objects.filter(channel="campaign").count() == 1
