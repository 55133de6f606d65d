"""What becomes of a notice whose mail came back: it has failed, and an address that nobody has is marked.

A report is believed when it names a mail of ours by its Message-ID, which is signed with the server's key: only who had the mail
can name it, so nobody can silence a rival by inventing one.
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
    """Whether one of some Message-IDs is that of a mail of ours."""
    return Notice.objects.filter(message_id__in=names, channel="email").exists() if names else False


def bounce_take(*, bounce: Bounce) -> bool:
    """Note a mail that came back. Returns False for one that this site did not send. Twice is harmless."""
    sent = Notice.objects.filter(message_id=bounce.message_id, channel="email")
    notice = sent.select_related("recipient", "campaign__book").first()
    if notice is None:
        logger.warning("a report of a mail that this site did not send: %s", bounce.message_id)
        return False
    with transaction.atomic():
        failed = Notice.objects.filter(pk=notice.pk, status=Notice.Status.SENT)
        new = failed.update(status=Notice.Status.FAILED, error=bounce.words)
        # who has given another address since then has no dead one
        if new and bounce.dead and notice.is_his_address:
            address_bounced(user=notice.recipient, campaign=notice.campaign, why=bounce.words)
    return True
