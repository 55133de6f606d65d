"""When the mail server is down, the whole site knows: one caller finds out, and no one else waits for it.

Workers and pages check before they open a connection. A silent server costs the whole site one time-out
(settings.EMAIL_TIMEOUT): after 1 minute, after 5 more, and then every 15 minutes.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from campaign.models import MailOutage
from campaign.notices.failures import server_wait

logger = logging.getLogger(__name__)

ONLY = 1  # the key of the one row
CALL = timedelta(minutes=1)  # longer than a failed call takes: the others wait this long for the result


def outage_now() -> MailOutage | None:
    """The outage that keeps the caller from calling the mail server; None if the caller may.

    When its time is over, one of those who ask may call, and must report with `outage_note` or `outage_over`.
    """
    row = MailOutage.objects.filter(pk=ONLY).first()
    if row is None:
        return None
    now = timezone.now()
    if row.until <= now:
        again = now + CALL
        if MailOutage.objects.filter(pk=ONLY, until=row.until).update(until=again):
            return None
        row.until = again  # another caller tries
    return row


def outage_note(error: str) -> MailOutage:
    """Note that the mail server is down. error: what was wrong, for people to read."""
    now = timezone.now()
    row, new = MailOutage.objects.get_or_create(
        pk=ONLY, defaults={"since": now, "until": now + server_wait(1), "error": error}
    )
    if not new:
        row.tries, row.error = row.tries + 1, error
        row.until = now + server_wait(row.tries)
        MailOutage.objects.filter(pk=ONLY).update(tries=F("tries") + 1, until=row.until, error=error)
    logger.warning(
        "the mail server is away (%s); it is called again at %s", error, f"{row.until:%H:%M:%S} UTC"
    )
    return row


def outage_over() -> None:
    """Note that the mail server answers again."""
    if MailOutage.objects.filter(pk=ONLY).delete()[0]:
        logger.info("the mail server is back")
