"""The campaign's own webhook: what everyone may know, once per event, and nothing about a side."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from campaign.models import Campaign, Notice, Turn
from campaign.notices import webhook
from campaign.notices.send import notice_resend, notice_send
from campaign.services.desk import umpire as acts
from campaign.services.mail.reminders import deadline_moved, digests_write
from campaign.services.turn.ending import campaign_close
from campaign.services.turn.rollback import rollback
from tests.campaign.services.conftest import first_turn_played, start
from tests.support.remembered import remembered
from tests.support.turns import turn_closes

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.IN1")]
HOOK = "https://discord.example/api/webhooks/1/secretkey"


@pytest.fixture
def campaign(db: Any) -> Campaign:
    return hooked()


@pytest.fixture
def played(db: Any) -> Campaign:
    """The same with its first turn over."""
    return hooked_and_played()


def hooked() -> Campaign:
    made = start()
    Campaign.objects.update(webhook=HOOK, time_zone="Europe/Amsterdam")
    made.refresh_from_db()
    return made


@remembered
def hooked_and_played() -> Campaign:
    made = hooked()
    turn_closes(made.turns.get())
    made.refresh_from_db()
    return made


def umpire_of(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


@pytest.fixture
def who(campaign: Campaign) -> Any:
    return umpire_of(campaign)


def posts() -> list[Notice]:
    return list(Notice.objects.filter(channel="campaign").order_by("pk"))


def test_a_completed_turn_is_posted_once_with_its_days_and_the_next_deadline(played: Campaign) -> None:
    Turn.objects.filter(number=2).update(deadline=datetime(2026, 8, 1, 18, 0, tzinfo=UTC))
    (post,) = posts()
    assert post.recipient is None and post.reader == "the campaign's webhook" and post.address == HOOK
    assert post.subject == "A small war: turn 1 has been run"
    assert (
        "Turn 1 has been run: 30 to 31 May 1666." in post.text and "Turn 2 is open. Orders close" in post.text
    )
    assert " CES" in post.text or " CET" in post.text
    assert not post.html and not post.calendar


def test_moved_deadlines_pauses_and_the_end_are_posted(campaign: Campaign, who: Any) -> None:
    turn = campaign.turns.get()
    acts.turn_extend(turn=turn, umpire=who, hours=5, reason="the English are all ill")
    deadline_moved(turn=turn, why="again")
    acts.campaign_pause(campaign=campaign, umpire=who, reason="Christmas at Monck's")
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        acts.campaign_resume(campaign=campaign, umpire=who)
    campaign_close(campaign=campaign, umpire="umpire", reason="the Dutch have lost heart")
    assert [post.subject.removeprefix("A small war: ") for post in posts()] == [
        "the deadline for turn 1 has moved",
        "the campaign is paused",
        "the campaign has resumed",
        "the deadline for turn 1 has moved",
        "the campaign is over",
    ]
    whole = "".join(post.subject + post.text for post in posts())
    for words in ("ill", "Christmas", "lost heart"):
        assert words not in whole, "reasons are for the log, which strangers do not read"


def test_no_post_reveals_anything_about_a_side(played: Campaign) -> None:
    campaign, who = played, umpire_of(played)
    acts.turn_extend(turn=campaign.turns.get(number=2), umpire=who, hours=5, reason="x")
    rollback(campaign=campaign, number=1, umpire=who, reason="a mistake in the Dutch orders")
    campaign_close(campaign=campaign, umpire="umpire", reason="over")
    whole = "".join(post.subject + post.text + post.html for post in posts()).lower()
    secrets = [ship.name for ship in campaign.book.ships.all()]
    for side in campaign.sides.all():
        secrets += [side.name, *(fleet.name for fleet in side.navy.fleets.all())]
    secrets += [member.user.username for member in campaign.memberships.all() if member.side]
    assert len(secrets) > 8 and whole
    for secret in (*secrets, "hinder", "mistake", HOOK):
        assert secret.lower() not in whole, secret


@pytest.mark.clause("G.UM3")
def test_a_rollback_withdraws_posts_and_says_so(played: Campaign) -> None:
    rollback(campaign=played, number=1, umpire=umpire_of(played), reason="x")
    run, back = posts()
    assert run.void and not notice_send(notice_id=run.pk)
    assert not back.void and back.subject == "A small war: turn 1 has been rolled back"
    turn_closes(played.turns.get())
    assert [post.event for post in posts() if not post.void][-1] == "small-T1r2-run"


def test_a_post_goes_out_by_the_webhook_and_can_be_sent_again(
    campaign: Campaign, who: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, str]] = []
    monkeypatch.setattr(webhook, "post", lambda address, *, subject, text: sent.append((address, subject)))
    acts.turn_extend(turn=campaign.turns.get(), umpire=who, hours=5, reason="x")
    (post,) = posts()
    assert notice_send(notice_id=post.pk) and not notice_send(notice_id=post.pk)
    assert sent == [(HOOK, "A small war: the deadline for turn 1 has moved")]
    assert notice_resend(notice=post, umpire=who)
    assert campaign.umpire_actions.filter(reason="public post, to the campaign's webhook").exists()
    assert digests_write(datetime(2030, 1, 1, tzinfo=UTC)) == 0


def test_a_deleted_webhook_fails_like_any_other(
    campaign: Campaign, who: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(address: str, *, subject: str, text: str) -> None:
        raise webhook.WebhookRefused("discord.example no longer has this webhook (404).")

    monkeypatch.setattr(webhook, "post", gone)
    acts.turn_extend(turn=campaign.turns.get(), umpire=who, hours=5, reason="x")
    (post,) = posts()
    assert not notice_send(notice_id=post.pk)
    post.refresh_from_db()
    assert post.status == "failed"


def test_a_campaign_without_a_webhook_posts_nothing(db: Any) -> None:
    assert first_turn_played().webhook == ""
    assert Turn.objects.filter(phase="closed").exists() and posts() == []


def test_the_umpire_sees_posts_among_the_emails_and_players_do_not(
    campaign: Campaign, who: Any, client: Any
) -> None:
    acts.turn_extend(turn=campaign.turns.get(), umpire=who, hours=5, reason="x")
    (post,) = posts()
    client.force_login(who)
    shown = client.get(f"/c/{campaign.code}/mail/").content.decode()
    assert "the campaign&#x27;s webhook" in shown
    assert client.get(f"/c/{campaign.code}/mail/{post.pk}/").status_code == 200
    for member in campaign.memberships.filter(role="admiral"):
        client.force_login(member.user)
        for page in ("mail", "clock", "log", "desk"):
            assert HOOK not in client.get(f"/c/{campaign.code}/{page}/").content.decode()
        assert client.get(f"/c/{campaign.code}/mail/{post.pk}/").status_code == 404
