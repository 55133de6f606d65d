"""What happens to a notice whose email bounced: it has failed, and an address that does not exist is marked.

A report is believed when it names one of our emails by its Message-ID, which is signed with the server's key. Only someone who has
had the email can name it, so no one can silence a rival by inventing a report.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.db import transaction

from campaign.models import Notice
from campaign.notices.bounces import Bounce
from campaign.notices.wishes import address_bounced

logger = logging.getLogger(__name__)


def names_a_notice(names: Sequence[str]) -> bool:
    """Whether any of these Message-IDs belongs to one of our emails."""
    return Notice.objects.filter(message_id__in=names, channel="email").exists() if names else False


def bounce_take(*, bounce: Bounce) -> bool:
    """Note an email that bounced. Returns False for one that this site did not send. Twice is harmless."""
    sent = Notice.objects.filter(message_id=bounce.message_id, channel="email")
    notice = sent.select_related("recipient", "campaign__book").first()
    if notice is None:
        logger.warning("a report of a mail that this site did not send: %s", bounce.message_id)
        return False
    with transaction.atomic():
        failed = Notice.objects.filter(pk=notice.pk, status=Notice.Status.SENT)
        new = failed.update(status=Notice.Status.FAILED, error=bounce.words)
        # an address that has since been replaced is not marked
        if new and bounce.dead and notice.is_his_address:
            address_bounced(user=notice.recipient, campaign=notice.campaign, why=bounce.words)
    return True
