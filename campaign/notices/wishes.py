"""What a person wishes to be told, and how he leaves: saved, read from a mail's headers, or learned from a mail server."""

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
    """Wishes that cannot be kept; the text says why."""


def preferences_save(
    *, user: Any, time_zone: str, plain_text: bool, kinds: dict[str, str], webhook: str
) -> Preferences:
    """Keep a person's wishes. kinds: {stem: now, digest or off}; kinds that nobody can turn off are passed over.

    Saving them says that his address is good again. Raises WishRefused for what is no kind and no way.
    """
    free = {kind.stem for kind in KINDS if not kind.always}
    unknown = sorted(stem for stem, how in kinds.items() if stem not in free or how not in HOW)
    if unknown:
        raise WishRefused(f"There is no such choice: {', '.join(unknown)}.")
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
    """The address at which a kind of mail is turned off without logging in. It is signed for one person and one kind."""
    return reverse("leave", args=[_SIGNER.sign(f"{user_id}.{stem}")])


def leave_read(token: str) -> tuple[int, str]:
    """Person and kind of such an address. Raises WishRefused for one that nobody signed."""
    try:
        user_id, _, stem = _SIGNER.unsign(token).partition(".")
        return int(user_id), stem
    except (BadSignature, ValueError):
        raise WishRefused("That link is not whole. Turn mails off on your page of wishes.") from None


def leave(*, user_id: int, stem: str) -> bool:
    """Turn a kind of mail off for a person. Returns False for a kind that always comes. Twice is harmless."""
    if stem not in {kind.stem for kind in KINDS if not kind.always}:
        return False
    with transaction.atomic():
        row, _ = Preferences.objects.select_for_update().get_or_create(user_id=user_id)
        row.kinds = {**row.kinds, stem: "off"}
        row.save(update_fields=["kinds"])
    return True


def address_bounced(*, user: Any, campaign: Campaign, why: str) -> None:
    """Mark an address that a mail server knows nobody by; the log tells the umpire, and names nobody's address."""
    Preferences.objects.get_or_create(user=user)
    # two mails that come back at once mark it once
    marked = Preferences.objects.filter(user=user, bounced=None).update(
        bounced=timezone.now(), why=why[:1000]
    )
    if marked:
        member = campaign.memberships.filter(user=user).first()
        part = f"an {member.get_role_display().lower()}" if member is not None else "a reader"
        UmpireAction.objects.create(
            campaign=campaign,
            actor="the post",
            action="marked an address as dead",
            reason=f"mail to {part} comes back; he has to give another address",
        )
