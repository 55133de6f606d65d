"""Alarms: every kind, just before it is late and just after, and none when all is well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from battles.models import Battle
from campaign.models import Campaign, Heartbeat, Notice, Preferences, SetAsideMail, Turn
from campaign.selectors.desk.alarms import Stalls, alarms_of, set_aside, stalls, sweep_late, sweep_seconds
from tests.support.factories import BattleFactory, MembershipFactory, NoticeFactory, TurnFactory
from tests.support.people import World, world

pytestmark = [pytest.mark.clause("G.UM1", "G.UM2"), pytest.mark.one_database]
NOW = datetime(2026, 8, 10, 12, 0, tzinfo=UTC)
WELL = Stalls(0, 0, 0, 0, 0, 0, 0)


@pytest.fixture
def told(db: Any) -> World:
    """A campaign whose turn is not due."""
    made = world()
    Turn.objects.update(deadline=NOW + timedelta(days=1))
    return made


def ago(minutes: float) -> datetime:
    return NOW - timedelta(minutes=minutes)


def found(told: World) -> dict[str, int]:
    """What stalls, without what does not; the same for the site as for the campaign."""
    rows = stalls(told.campaign, NOW)
    assert rows == stalls(None, NOW)
    return {name: getattr(rows, name) for name in Stalls.__dataclass_fields__ if getattr(rows, name)}


def test_when_all_is_well_there_is_no_alarm(told: World) -> None:
    Heartbeat.objects.create(at=ago(1))
    assert stalls(told.campaign, NOW) == WELL and alarms_of(told.campaign, NOW) == []


@pytest.mark.parametrize(
    ("fields", "late"),
    [
        ({"status": "waiting", "written": ago(14)}, False),
        ({"status": "waiting", "written": ago(16)}, True),
        ({"status": "waiting", "written": ago(99), "retry_after": ago(14)}, False),
        ({"status": "waiting", "written": ago(99), "retry_after": ago(16)}, True),
        ({"status": "waiting", "written": ago(99), "retry_after": ago(-30), "attempts": 2}, False),
        ({"status": "waiting", "written": ago(99), "retry_after": ago(-30), "attempts": 3}, True),
        ({"status": "waiting", "written": ago(14), "retry_after": ago(-30), "attempts": 3}, False),
        ({"status": "sending", "written": ago(99), "lease_until": ago(14)}, False),
        ({"status": "sending", "written": ago(99), "lease_until": ago(16)}, True),
        ({"status": "sent", "written": ago(99)}, False),
        ({"status": "waiting", "written": ago(99), "void": "rollback 1"}, False),
    ],
)
def test_waiting_emails_alert_the_umpire(told: World, fields: dict[str, Any], late: bool) -> None:
    notice = NoticeFactory(campaign=told.campaign)
    Notice.objects.filter(pk=notice.pk).update(**fields)
    assert found(told) == ({"mail_waiting": 1} if late else {})


@pytest.mark.parametrize(("days", "alarm"), [(6, True), (8, False)])
def test_abandoned_emails_alert_the_umpire_for_a_week(told: World, days: int, alarm: bool) -> None:
    notice = NoticeFactory(campaign=told.campaign)
    Notice.objects.filter(pk=notice.pk).update(status="failed", written=NOW - timedelta(days=days))
    assert found(told) == ({"mail_failed": 1} if alarm else {})


@pytest.mark.parametrize(
    ("late", "grace", "hold", "status", "alarm"),
    [
        (9, 0, False, "active", False),
        (11, 0, False, "active", True),
        (11, 1, False, "active", False),
        (71, 1, False, "active", True),
        (99, 0, True, "active", False),
        (99, 0, False, "paused", False),
    ],
)
def test_a_turn_past_its_deadline_and_grace_period_alerts_the_umpire(
    told: World, late: int, grace: int, hold: bool, status: str, alarm: bool
) -> None:
    Campaign.objects.update(grace_hours=grace, status=status)
    Turn.objects.filter(pk=told.turn.pk).update(deadline=ago(late), hold=hold)
    assert found(told) == ({"turns_due": 1} if alarm else {})


@pytest.mark.parametrize(
    ("fields", "stuck"),
    [
        ({"phase": "locked", "locked": ago(14)}, False),
        ({"phase": "locked", "locked": ago(16)}, True),
        ({"phase": "running", "locked": ago(99), "claim": "1" * 32, "lease_until": ago(-1)}, False),
        ({"phase": "running", "locked": ago(99), "claim": "1" * 32, "lease_until": ago(16)}, True),
        ({"phase": "reporting", "locked": ago(99)}, True),
        ({"phase": "fighting", "locked": ago(99)}, False),
        ({"phase": "held", "locked": ago(99)}, False),
    ],
)
def test_a_turn_that_has_stopped_running_alerts_the_umpire(
    told: World, fields: dict[str, Any], stuck: bool
) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(**fields)
    assert found(told) == ({"turns_stuck": 1} if stuck else {})


@pytest.mark.parametrize(
    ("fields", "stuck"),
    [
        ({"status": "failed"}, True),
        ({"status": "ready", "spawned": ago(16)}, True),
        ({"status": "ready", "spawned": ago(14)}, False),
        ({"status": "fighting", "claim": "1" * 32, "lease_until": ago(-1), "spawned": ago(99)}, False),
        ({"status": "ready", "spawned": ago(999), "route": "table"}, False),
    ],
)
def test_a_stuck_battle_alerts_the_umpire(told: World, fields: dict[str, Any], stuck: bool) -> None:
    battle = BattleFactory(book=told.campaign.book, code="b9", title="B")
    Battle.objects.filter(pk=battle.pk).update(**fields)
    assert found(told) == ({"battles": 1} if stuck else {})


def test_a_failed_turn_and_an_email_address_that_bounces_are_described_in_words(told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(phase="failed")
    Preferences.objects.create(user=told.english.user, bounced=NOW)
    Preferences.objects.create(user=told.stranger, bounced=NOW)
    assert found(told) == {"turns_failed": 1, "addresses": 1}
    texts = [alarm.text for alarm in alarms_of(told.campaign, NOW)]
    assert texts[0] == "The turn could not be run." and texts[1].startswith("Emails to english are bouncing")


def test_unreadable_emails_are_reported_for_a_week(told: World) -> None:
    mail = SetAsideMail.objects.create(digest="a", name="1.a", reason="too long", at=NOW - timedelta(days=6))
    assert found(told) == {"mail_set_aside": 1}, "nobody knows whose it is, so every umpire is told"
    (alarm,) = alarms_of(told.campaign, NOW)
    assert (alarm.text, alarm.page) == (
        "An email that arrived in the last 7 days could not be read.",
        "mailbox",
    )
    SetAsideMail.objects.update(membership=told.english)
    assert found(told) == {"mail_set_aside": 1}
    other = MembershipFactory()
    assert [row.pk for row in set_aside(told.campaign, NOW)] == [mail.pk]
    assert not set_aside(other.campaign, NOW).exists(), "of another campaign's player they are told nothing"
    SetAsideMail.objects.update(at=NOW - timedelta(days=8))
    assert found(told) == {}


def test_the_umpire_hears_nothing_about_other_campaigns(told: World) -> None:
    TurnFactory(phase="failed")
    NoticeFactory(status="failed")
    assert alarms_of(told.campaign, NOW) == [] and stalls(None, NOW) != WELL


def test_the_regular_check_is_late_after_three_intervals_unless_work_is_under_way(
    told: World, settings: Any
) -> None:
    assert sweep_seconds(NOW) is None and not sweep_late(None, NOW)
    Heartbeat.objects.create(at=NOW - timedelta(seconds=3 * settings.SWEEP_SECONDS + 61))
    age = sweep_seconds(NOW)
    assert age == 3 * settings.SWEEP_SECONDS + 61
    assert sweep_late(age, NOW) and not sweep_late(age - 1, NOW)
    assert "Background work stopped" in alarms_of(told.campaign, NOW)[0].text
    Turn.objects.filter(pk=told.turn.pk).update(claim="1" * 32, lease_until=ago(-1))
    assert not sweep_late(age, NOW)
    assert sweep_late(settings.TASK_TIME_LIMIT + 4 * settings.SWEEP_SECONDS + 1, NOW)


def test_alerts_are_found_as_quickly_however_many_turns_there_are(
    told: World, django_assert_num_queries: Any
) -> None:
    Heartbeat.objects.create(at=NOW)
    for number in range(3, 20):
        TurnFactory(campaign=told.campaign, number=number, phase="closed")
    with django_assert_num_queries(8):
        alarms_of(told.campaign, NOW)
