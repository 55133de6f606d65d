"""Putting a notice into the outbox: rendered when it is written, so that sending needs nothing but the row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import css_inline
from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string

from campaign.models import Campaign, Notice
from campaign.notices.kinds import Kind


def notice_write(
    *, campaign: Campaign, kind: Kind, event: str, user: Any, context: Mapping[str, Any]
) -> Notice | None:
    """One message to one person by mail; the same event to the same person twice gives one row. None when he has no address.

    Call it inside the transaction that makes the event true. Text and HTML are rendered now, from what the reader may know.
    """
    if not user.email:
        return None
    full = {**context, "campaign": campaign, "user": user, "site_url": settings.SITE_URL}
    stem = f"emails/{kind.stem}"
    subject = " ".join(render_to_string(f"{stem}-subject.txt", full).split())
    notice, _ = Notice.objects.get_or_create(
        event=event,
        recipient=user,
        channel="email",
        defaults={
            "campaign": campaign,
            "kind": kind.stem,
            "address": user.email,
            "subject": subject[:200],
            "text": render_to_string(f"{stem}-body.txt", full).strip() + "\n",
            "html": css_inline.inline(render_to_string(f"{stem}-body.html", full)),
            "message_id": message_id(event, user.pk),
        },
    )
    return notice


def message_id(event: str, recipient: int) -> str:
    """The same for the same event and person, so that a mail sent twice is known as one."""
    host = settings.SITE_URL.partition("://")[2].partition("/")[0].partition(":")[0]
    return f"<{hashlib.sha256(f'{event}/{recipient}'.encode()).hexdigest()[:32]}@{host}>"


def unsent() -> QuerySet[Notice]:
    """Notices still to be sent, those that wait for another try among them; none that a rollback has withdrawn."""
    return Notice.objects.filter(status__in=(Notice.Status.WAITING, Notice.Status.SENDING), void="")
