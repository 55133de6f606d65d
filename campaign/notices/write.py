"""Putting a notice into the outbox: rendered when it is written, so that sending needs nothing but the row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import css_inline
from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone

from campaign.models import Campaign, Notice, Preferences
from campaign.notices.kinds import Kind

NOW, DIGEST, OFF = "now", "digest", "off"


def preferences_of(user: Any) -> Preferences:
    """A person's wishes; a row that is not saved for one who has none."""
    return Preferences.objects.filter(user=user).first() or Preferences(user=user)


def notice_write(
    *,
    campaign: Campaign,
    kind: Kind,
    event: str,
    user: Any,
    context: Mapping[str, Any],
    calendar: str = "",
) -> Notice | None:
    """One message to one person by mail, and by his webhook if he has one; the same event to the same person twice is one row each.

    calendar: an .ics file to go with the mail. Call it inside the transaction that makes the event true. Text and HTML are rendered
    now, from what the reader may know, with times by his own clock. Returns the mail, None when he has no address, or wants none of
    this kind.
    """
    wishes = preferences_of(user)
    how = NOW if kind.always else wishes.kinds.get(kind.stem, NOW)
    if how == OFF or not (user.email or wishes.webhook):
        return None
    with timezone.override(ZoneInfo(wishes.time_zone)):
        row = _rendered(campaign, kind, event, user, context, wishes)
    row["calendar"] = calendar
    row["status"] = Notice.Status.DIGEST if how == DIGEST else Notice.Status.WAITING
    if wishes.webhook and how == NOW:
        posted = {**row, "address": wishes.webhook, "html": "", "calendar": ""}
        Notice.objects.get_or_create(event=event, recipient=user, channel="webhook", defaults=posted)
    if not user.email or wishes.bounced is not None:
        return None
    notice, _ = Notice.objects.get_or_create(event=event, recipient=user, channel="email", defaults=row)
    return notice


def _rendered(
    campaign: Campaign, kind: Kind, event: str, user: Any, context: Mapping[str, Any], wishes: Preferences
) -> dict[str, Any]:
    full = {**context, "campaign": campaign, "user": user, "site_url": settings.SITE_URL}
    stem = f"emails/{kind.stem}"
    subject = " ".join(render_to_string(f"{stem}-subject.txt", full).split())
    html = "" if wishes.plain_text else css_inline.inline(render_to_string(f"{stem}-body.html", full))
    return {
        "campaign": campaign,
        "kind": kind.stem,
        "address": user.email,
        "subject": subject[:200],
        "text": render_to_string(f"{stem}-body.txt", full).strip() + "\n",
        "html": html,
        "message_id": message_id(event, user.pk),
    }


def message_id(event: str, recipient: int) -> str:
    """The same for the same event and person, so that a mail sent twice is known as one."""
    host = settings.SITE_URL.partition("://")[2].partition("/")[0].partition(":")[0]
    return f"<{hashlib.sha256(f'{event}/{recipient}'.encode()).hexdigest()[:32]}@{host}>"


def unsent() -> QuerySet[Notice]:
    """Notices still to be sent, those that wait for another try among them; none that a rollback has withdrawn."""
    return Notice.objects.filter(status__in=(Notice.Status.WAITING, Notice.Status.SENDING), void="")
