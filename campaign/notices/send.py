"""Sending a notice: claim, hand to the mail server, note it. At least once: a worker that dies in between sends it again."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.utils import timezone

from battles import leases
from campaign.models import Notice

logger = logging.getLogger(__name__)

# Waits between tries, in minutes; after the last the notice is given up and shows as failed.
WAITS = (1, 5, 20, 60, 240, 720)


def notice_send(*, notice_id: int) -> bool:
    """Send one waiting notice. Returns whether this call sent it; a second call for the same row sends nothing."""
    due = Q(retry_after=None) | Q(retry_after__lte=timezone.now())
    waiting = Notice.objects.filter(
        due, pk=notice_id, status__in=(Notice.Status.WAITING, Notice.Status.SENDING)
    )
    token = leases.take(waiting, status=Notice.Status.SENDING)
    if token is None:
        return False
    notice = Notice.objects.get(pk=notice_id)
    try:
        _message(notice).send()
    except Exception as error:  # any failure of a mail server is one: it never fails a turn
        _note_failure(notice, token, error)
        return False
    try:
        leases.finish(notice, token, status=Notice.Status.SENT, sent=timezone.now(), error="")
    except leases.LeaseLost:
        logger.warning("notice %s was sent after its lease had run out and may be sent again", notice.pk)
    return True


def _message(notice: Notice) -> EmailMultiAlternatives:
    mail = EmailMultiAlternatives(
        subject=notice.subject,
        body=notice.text,
        to=[notice.address],
        headers={"Message-ID": notice.message_id, "Auto-Submitted": "auto-generated"},
    )
    mail.attach_alternative(notice.html, "text/html")
    return mail


def _note_failure(notice: Notice, token: object, error: Exception) -> None:
    logger.warning("notice %s could not be sent: %s", notice.pk, error)
    tries = notice.attempts
    again = tries <= len(WAITS)
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
