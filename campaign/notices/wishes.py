"""A person's notification settings, and how they unsubscribe: saved, from a link in an email, or learned from a mail server."""

from __future__ import annotations

from typing import Any

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Preferences, UmpireAction
from campaign.notices.kinds import KINDS

_SIGNER = Signer(salt="campaign.notices.leave")
HOW = ("now", "digest", "off")


class WishRefused(ValueError):
    """Settings that cannot be saved; the text says why."""


def preferences_save(
    *, user: Any, time_zone: str, plain_text: bool, kinds: dict[str, str], webhook: str
) -> Preferences:
    """Save a person's settings. kinds: {stem: now, digest or off}; kinds that cannot be turned off are not allowed.

    Saving also marks their address as good again. Raises WishRefused for an unknown kind or choice.
    """
    free = {kind.stem for kind in KINDS if not kind.always}
    unknown = sorted(stem for stem, how in kinds.items() if stem not in free or how not in HOW)
    if unknown:
        raise WishRefused(f"Unknown notification: {', '.join(unknown)}. Reload the page and try again.")
    row, _ = Preferences.objects.update_or_create(
        user=user,
        defaults={
            "time_zone": time_zone,
            "plain_text": plain_text,
            "kinds": {stem: how for stem, how in sorted(kinds.items()) if how != "now"},
            "webhook": webhook,
            "bounced": None,
            "why": "",
        },
    )
    return row


def leave_path(user_id: int, stem: str) -> str:
    """The address at which a kind of email is turned off without logging in. It is signed for one person and one kind."""
    return reverse("leave", args=[_SIGNER.sign(f"{user_id}.{stem}")])


def leave_read(token: str) -> tuple[int, str]:
    """Person and kind of such an address. Raises WishRefused for one that we did not sign."""
    try:
        user_id, _, stem = _SIGNER.unsign(token).partition(".")
        return int(user_id), stem
    except (BadSignature, ValueError):
        raise WishRefused("That link is incomplete. Turn emails off in your notification settings.") from None


def leave(*, user_id: int, stem: str) -> bool:
    """Turn a kind of email off for a person. Returns False for a kind that is always sent. Twice is harmless."""
    if stem not in {kind.stem for kind in KINDS if not kind.always}:
        return False
    with transaction.atomic():
        row, _ = Preferences.objects.select_for_update().get_or_create(user_id=user_id)
        row.kinds = {**row.kinds, stem: "off"}
        row.save(update_fields=["kinds"])
    return True


def address_bounced(*, user: Any, campaign: Campaign, why: str) -> None:
    """Mark an address that a mail server does not know. The log tells the umpire, without the address."""
    Preferences.objects.get_or_create(user=user)
    # two emails that bounce at once mark it once
    marked = Preferences.objects.filter(user=user, bounced=None).update(
        bounced=timezone.now(), why=why[:1000]
    )
    if marked:
        member = campaign.memberships.filter(user=user).first()
        part = f"an {member.get_role_display().lower()}" if member is not None else "someone who has left"
        UmpireAction.objects.create(
            campaign=campaign,
            actor="the post",
            action="marked an address as dead",
            reason=f"emails to {part} are bouncing; they must enter a new address",
        )
