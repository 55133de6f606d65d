"""An email is resent when the umpire asks."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from campaign.models import Notice, UmpireAction
from campaign.notices.send import notice_resend
from campaign.tasks import send_notice
from tests.support.factories import NoticeFactory, UserFactory
from tests.support.people import world

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", ["failed", "sent", "waiting"])
def test_an_email_is_resent_at_once_under_its_old_message_id(
    status: str, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send_notice, "delay", send_notice)
    notice = NoticeFactory(status=status, attempts=7, retry_after=timezone.now() + timezone.timedelta(days=1))

    with django_capture_on_commit_callbacks(execute=True):
        assert notice_resend(notice=notice, umpire=UserFactory(username="umpire"))

    notice.refresh_from_db()
    assert (notice.status, notice.attempts, notice.error) == ("sent", 1, "")
    assert [m.extra_headers["Message-ID"] for m in mail.outbox] == [notice.message_id]


@pytest.mark.clause("G.UM1", "G.IN1")
@pytest.mark.parametrize(
    ("person", "part"),
    [
        ("english", "an admiral of England"), ("observer", "the observer"), ("stranger", "someone who has left"),
    ],
)  # fmt: skip
def test_the_log_gives_the_readers_role_but_neither_subject_nor_address(person: str, part: str) -> None:
    told = world()
    reader = told.stranger if person == "stranger" else getattr(told, person).user
    notice = NoticeFactory(
        campaign=told.campaign, recipient=reader, status="failed", subject="Turn 3: battle"
    )

    notice_resend(notice=notice, umpire=told.umpire.user)

    entry = UmpireAction.objects.get(action="sent an email again")
    assert (entry.actor, entry.reason) == ("umpire", f"turn report, to {part}")


def test_an_email_on_its_way_is_not_sent_twice() -> None:
    notice = NoticeFactory(status="sending")

    assert not notice_resend(notice=notice, umpire=UserFactory())
    assert Notice.objects.get().status == "sending"
    assert not UmpireAction.objects.exists()
