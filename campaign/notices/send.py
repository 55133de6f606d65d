"""Sending a notice: claim, hand to the mail server, note it. At least once: a worker that dies in between sends it again."""

from __future__ import annotations

import logging
from datetime import timedelta
from email.utils import formataddr, parseaddr
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from battles import leases
from campaign.models import Notice, UmpireAction
from campaign.notices import webhook
from campaign.notices.kinds import ANSWERED
from campaign.notices.pictures import PicturedMail
from campaign.notices.replies import TOKEN
from campaign.notices.wishes import address_bounced, leave_path

logger = logging.getLogger(__name__)

# Waits between tries, in minutes; after the last the notice is given up and shows as failed.
WAITS = (1, 5, 20, 60, 240, 720)
SEND_TASK = "campaign.tasks.send_notice"


def notice_send(*, notice_id: int) -> bool:
    """Send one waiting notice. Returns whether this call sent it; a second call for the same row sends nothing."""
    due = Q(retry_after=None) | Q(retry_after__lte=timezone.now())
    waiting = Notice.objects.filter(
        due, pk=notice_id, void="", status__in=(Notice.Status.WAITING, Notice.Status.SENDING)
    )
    token = leases.take(waiting, status=Notice.Status.SENDING)
    if token is None:
        return False
    notice = Notice.objects.get(pk=notice_id)
    try:
        _hand_over(notice)
    except Exception as error:  # any failure of a mail server is one: it never fails a turn
        _note_failure(notice, token, error)
        return False
    try:
        leases.finish(notice, token, status=Notice.Status.SENT, sent=timezone.now(), error="")
    except leases.LeaseLost:
        logger.warning("notice %s was sent after its lease had run out and may be sent again", notice.pk)
    return True


def notice_resend(*, notice: Notice, umpire: Any) -> bool:
    """Have a notice sent once more, at once and with all its tries; the umpire's log says that he did it. Rule: G.UM1.

    It goes out under its old Message-ID, so a mail program that has it already knows it again. Returns False for one that is
    being sent at this moment, or that a rollback has withdrawn: nothing is done.
    """
    still = Notice.objects.filter(pk=notice.pk, void="").exclude(status=Notice.Status.SENDING)
    with transaction.atomic():
        again = still.update(
            status=Notice.Status.WAITING, attempts=0, retry_after=None, claim=None, lease_until=None, error=""
        )
        if not again:
            return False
        # the log is for everybody to read: it holds no subject and no address, which an account's name may be
        UmpireAction.objects.create(
            campaign=notice.campaign,
            actor=umpire.get_username(),
            action="sent a mail again",
            reason=f"the {notice.kind.replace('_', ' ')} to {_part(notice)}",
        )
        # by name: tasks stand above services, and the sweep finds the notice should the broker lose it
        current_app.tasks[SEND_TASK].delay_on_commit(notice.pk)  # type: ignore[attr-defined]
    return True


def _part(notice: Notice) -> str:
    """What the reader of a notice is in its campaign, for a log that names no account."""
    member = notice.campaign.memberships.filter(user=notice.recipient_id).select_related("side").first()
    if member is None:
        return "somebody who has left"
    return f"an admiral of {member.side}" if member.side is not None else f"the {member.role}"


def _hand_over(notice: Notice) -> None:
    if notice.channel == "webhook":
        webhook.post(notice.address, subject=notice.subject, text=notice.text)
    else:
        _message(notice).send()


def _message(notice: Notice) -> PicturedMail:
    leave = f"{settings.SITE_URL}{leave_path(notice.recipient_id, notice.kind)}"
    mail = PicturedMail(
        subject=notice.subject,
        body=notice.text,
        to=[notice.address],
        reply_to=_reply_to(notice),
        headers={
            "Message-ID": notice.message_id,
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{leave}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    if notice.html:
        mail.attach_alternative(notice.html, "text/html")
        if notice.picture is not None:
            mail.show(notice.picture)
    if notice.calendar:
        mail.attach("deadline.ics", notice.calendar, "text/calendar; method=PUBLISH; charset=utf-8")
    return mail


def _for_good(error: Exception) -> bool:
    """Whether another try will fail too: the server knows no such address, or refuses the message; the webhook is gone."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, SMTPResponseException):
        return error.smtp_code in (550, 551, 553, 554)
    return isinstance(error, webhook.WebhookRefused)


def _reply_to(notice: Notice) -> list[str] | None:
    """Where an answer with orders goes. The name before the address is the token: programs that show the HTML quote no text of ours."""
    token = TOKEN.search(notice.text)
    if not settings.REPLY_TO or notice.kind not in ANSWERED or token is None:
        return None
    return [formataddr((f"Orders {token[0]}", parseaddr(settings.REPLY_TO)[1]))]


def _note_failure(notice: Notice, token: object, error: Exception) -> None:
    logger.warning("notice %s could not be sent: %s", notice.pk, error)
    tries = notice.attempts
    again = tries <= len(WAITS) and not _for_good(error)
    if isinstance(error, SMTPRecipientsRefused) and _for_good(error):
        address_bounced(user=notice.recipient, campaign=notice.campaign, why=str(error))
    try:
        leases.finish(
            notice,
            token,  # type: ignore[arg-type]
            status=Notice.Status.WAITING if again else Notice.Status.FAILED,
            retry_after=timezone.now() + timedelta(minutes=WAITS[tries - 1]) if again else None,
            error=f"{type(error).__name__}: {error}",
        )
    except leases.LeaseLost:
        logger.warning("notice %s failed after its lease had run out", notice.pk)
