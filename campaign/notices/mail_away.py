"""A mail server that is away is known to the whole site: one caller finds out, and nobody else waits for it.

Looked at before a connection is opened, by workers and by pages alike. A silent server costs one time-out (settings.EMAIL_TIMEOUT)
for the whole site: after one minute, after five more, and then each quarter of an hour.
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
CALL = timedelta(
    minutes=1
)  # longer than a call in vain takes: for so long the others wait for what the caller finds


def outage_now() -> MailOutage | None:
    """The outage that keeps the caller from calling the mail server; None when he may.

    When its time is over, one of all who ask may call. Tell what he finds by `outage_note` or `outage_over`.
    """
    row = MailOutage.objects.filter(pk=ONLY).first()
    if row is None:
        return None
    now = timezone.now()
    if row.until <= now:
        again = now + CALL
        if MailOutage.objects.filter(pk=ONLY, until=row.until).update(until=again):
            return None
        row.until = again  # somebody else calls
    return row


def outage_note(error: str) -> MailOutage:
    """The mail server is away. error: what was wrong, for people to read."""
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
    """The mail server answers."""
    if MailOutage.objects.filter(pk=ONLY).delete()[0]:
        logger.info("the mail server is back")
