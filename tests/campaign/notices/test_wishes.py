"""Notification settings: kinds, time zone, plain text, webhook, and unsubscribing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from campaign.models import Notice, Preferences, UmpireAction
from campaign.notices import kinds
from campaign.notices.send import notice_send
from campaign.notices.wishes import WishRefused, leave_path, preferences_save
from campaign.notices.write import notice_write
from campaign.services.mail.reminders import deadline_moved, digests_write, reminders_write
from tests.support.people import World, world

pytestmark = pytest.mark.one_database

DEADLINE = datetime(2026, 7, 3, 19, 0, tzinfo=UTC)


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """A campaign whose turn 2 closes on a summer evening."""
    settings.SITE_URL = "https://gage.club.example"
    made = world()
    made.turn.deadline = DEADLINE
    made.turn.save()
    type(made.turn).objects.filter(pk=made.turn.pk).update(opened=datetime(2026, 6, 30, 19, 0, tzinfo=UTC))
    made.turn.refresh_from_db()
    return made


def wish(user: Any, **change: Any) -> Preferences:
    """Keep some wishes."""
    return preferences_save(
        user=user,
        **{"time_zone": "UTC", "plain_text": False, "kinds": {}, "webhook": "", **change},
    )


def write(told: World, kind: kinds.Kind = kinds.DEADLINE, event: str = "e") -> Notice | None:
    """One notice of the turn to the English admiral."""
    return notice_write(
        campaign=told.campaign,
        kind=kind,
        event=event,
        user=told.english.user,
        context={"turn": told.turn, "why": "Because.", "side": told.english.side},
    )


def test_times_are_in_the_readers_time_zone(told: World) -> None:
    assert "19:00 UTC" in write(told, event="one").text  # type: ignore[union-attr]
    wish(told.english.user, time_zone="Europe/Amsterdam")
    notice = write(told, event="two")
    assert "Fri 3 Jul 2026, 21:00 CEST" in notice.text  # type: ignore[union-attr]
    assert "21:00 CEST" in notice.html  # type: ignore[union-attr]


def test_plain_text_has_no_other_part(told: World) -> None:
    wish(told.english.user, plain_text=True)
    notice = write(told)
    assert notice is not None and notice.html == ""
    notice_send(notice_id=notice.pk)
    assert mail.outbox[0].message().get_content_type() == "text/plain"


def test_a_kind_that_is_off_is_not_written_but_an_invitation_always_is(told: World) -> None:
    wish(told.english.user, kinds={"deadline": "off"})
    assert write(told) is None
    Preferences.objects.update(kinds={"deadline": "off", "invitation": "off"})
    invited = notice_write(
        campaign=told.campaign,
        kind=kinds.INVITATION,
        event="i",
        user=told.english.user,
        context={"membership": told.english, "side": told.english.side},
    )
    assert invited is not None


def test_an_unknown_kind_or_channel_is_not_saved(told: World) -> None:
    for bad in ({"deadline": "weekly"}, {"gossip": "now"}, {"invitation": "off"}):
        with pytest.raises(WishRefused):
            wish(told.english.user, kinds=bad)
    assert not Preferences.objects.exists()


def test_a_digest_comes_once_a_day_after_seven_in_the_readers_time_zone(told: World) -> None:
    wish(told.english.user, kinds={"deadline": "digest"}, time_zone="Europe/Amsterdam")
    for event in ("one", "two"):
        notice = write(told, event=event)
        assert notice is not None and not notice_send(notice_id=notice.pk)
    Notice.objects.update(written=datetime(2026, 7, 1, 20, 0, tzinfo=UTC))
    early, seven = datetime(2026, 7, 2, 4, 59, tzinfo=UTC), datetime(2026, 7, 2, 5, 1, tzinfo=UTC)
    assert digests_write(early) == 0
    assert digests_write(seven) == 1
    assert digests_write(seven) == 0
    digest = Notice.objects.get(kind="digest")
    assert digest.subject == "Tell-tale war: 2 notifications since yesterday"
    assert digest.text.count("now close") == 2
    assert set(Notice.objects.exclude(pk=digest.pk).values_list("status", flat=True)) == {"sent"}


def test_a_reminder_goes_once_per_deadline_to_admirals_whose_fleets_have_no_orders(told: World) -> None:
    told.turn.orders.filter(fleet=told.english_fleet).update(source="standing")
    told.turn.ready_marks.all().delete()
    told.turn.orders.filter(fleet=told.dutch_fleet).update(source="web")
    assert reminders_write(datetime(2026, 7, 2, 18, 59, tzinfo=UTC)) == 0
    assert reminders_write(datetime(2026, 7, 2, 19, 1, tzinfo=UTC)) == 1
    assert reminders_write(datetime(2026, 7, 2, 20, 0, tzinfo=UTC)) == 0
    reminder = Notice.objects.get(kind="reminder")
    assert reminder.recipient == told.english.user
    assert told.english_fleet.name in reminder.text
    assert told.dutch_fleet.name not in reminder.text
    assert "BEGIN:VCALENDAR" in reminder.calendar
    told.turn.deadline = datetime(2026, 7, 4, 19, 0, tzinfo=UTC)
    told.turn.save()
    assert reminders_write(datetime(2026, 7, 3, 20, 0, tzinfo=UTC)) == 1


@pytest.mark.parametrize("hindrance", ["ready", "held", "paused", "closed", "automatic"])
def test_no_one_is_reminded_of_what_they_need_not_do(told: World, hindrance: str) -> None:
    told.turn.orders.all().update(source="standing")
    told.turn.ready_marks.all().delete()
    for side in told.campaign.sides.all():
        if hindrance == "ready":
            told.turn.ready_marks.create(side=side, by="x")
    told.campaign.sides.update(automatic=hindrance == "automatic")
    told.turn.hold = hindrance == "held"
    told.turn.phase = "closed" if hindrance == "closed" else "open"
    told.turn.save()
    told.campaign.status = "paused" if hindrance == "paused" else "active"
    told.campaign.save()
    assert reminders_write(datetime(2026, 7, 3, 10, 0, tzinfo=UTC)) == 0


def test_a_moved_deadline_replaces_the_entry_in_the_calendar(told: World) -> None:
    from icalendar import Calendar

    def entry() -> Any:
        notice = Notice.objects.filter(kind="deadline", recipient=told.english.user).latest("pk")
        (event,) = Calendar.from_ical(notice.calendar).walk("VEVENT")
        return event

    assert deadline_moved(turn=told.turn, why="The umpire: Easter") == 2
    assert deadline_moved(turn=told.turn, why="The umpire: Easter") == 2
    assert Notice.objects.filter(kind="deadline").count() == 2
    first = entry()
    assert first["dtstart"].dt == DEADLINE
    told.turn.deadline = datetime(2026, 7, 9, 19, 0, tzinfo=UTC)
    told.turn.save()
    type(told.turn).objects.filter(pk=told.turn.pk).update(opened=datetime(2026, 6, 20, 19, 0, tzinfo=UTC))
    told.turn.refresh_from_db()
    deadline_moved(turn=told.turn, why="The umpire: Easter")
    later = entry()
    assert later["uid"] == first["uid"]
    assert int(later["sequence"]) > int(first["sequence"])
    assert later["dtstart"].dt == told.turn.deadline


def test_an_email_carries_its_calendar_entry_and_an_unsubscribe_link(told: World) -> None:
    deadline_moved(turn=told.turn, why="Because.")
    notice = Notice.objects.get(kind="deadline", recipient=told.english.user)
    notice_send(notice_id=notice.pk)
    (sent,) = mail.outbox
    parts = {part.get_content_type(): part for part in sent.message().walk()}
    assert "text/calendar" in parts
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    way = sent.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("https://gage.club.example")
    assert way == leave_path(told.english.user.pk, "deadline")
    client = Client(enforce_csrf_checks=True)
    assert client.get(way).status_code == 200
    assert not Preferences.objects.exists(), "opening a link turns nothing off: scanners open links"
    assert client.post(way, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Preferences.objects.get(user=told.english.user).kinds == {"deadline": "off"}
    assert client.get(way[:-3] + "xyz").status_code == 404


def test_the_page_saves_settings_and_shows_times_by_them(told: World) -> None:
    client = told.client("english")
    page = reverse("wishes")
    assert Client().get(page).status_code == 302
    kept = {f"kind_{kind.stem}": "now" for kind in kinds.KINDS if not kind.always} | {"kind_reminder": "off"}
    answer = client.post(page, {"time_zone": "Europe/Amsterdam", "webhook": "", **kept})
    assert answer.status_code == 302
    row = Preferences.objects.get(user=told.english.user)
    assert (row.time_zone, row.kinds) == ("Europe/Amsterdam", {"reminder": "off"})
    shown = client.get(reverse("campaign", args=["telltale"])).content.decode()
    assert "21:00 CEST" in shown
    bad = client.post(page, {"time_zone": "Mars/Olympus", "webhook": "http://10.0.0.1/x", **kept})
    assert bad.status_code == 422
    assert "Mars/Olympus is not a time zone" in bad.content.decode()
    assert "https://" in bad.content.decode()
    row.refresh_from_db()
    assert row.time_zone == "Europe/Amsterdam"


def test_a_dead_address_is_marked_reported_to_the_umpire_and_no_longer_used(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from smtplib import SMTPRecipientsRefused

    def refuse(self: Any, fail_silently: bool = False) -> int:
        raise SMTPRecipientsRefused({"english@x.example": (550, b"no such user")})

    monkeypatch.setattr("django.core.mail.EmailMultiAlternatives.send", refuse)
    notice = write(told)
    assert notice is not None and not notice_send(notice_id=notice.pk)
    notice.refresh_from_db()
    assert notice.status == Notice.Status.FAILED
    assert Preferences.objects.get(user=told.english.user).bounced is not None
    action = UmpireAction.objects.get(action="marked an address as dead")
    assert told.english.user.email not in action.reason
    assert write(told, event="next") is None


def test_a_busy_server_is_retried(told: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from smtplib import SMTPRecipientsRefused

    def busy(self: Any, fail_silently: bool = False) -> int:
        raise SMTPRecipientsRefused({"english@x.example": (451, b"try later")})

    monkeypatch.setattr("django.core.mail.EmailMultiAlternatives.send", busy)
    notice = write(told)
    assert notice is not None and not notice_send(notice_id=notice.pk)
    notice.refresh_from_db()
    assert notice.status == Notice.Status.WAITING and notice.retry_after is not None
    assert Preferences.objects.filter(bounced__isnull=False).count() == 0
