"""What strangers and observers may read of a campaign, set by its umpire and written into the umpire's log. Rules: G.IN1, G.UM1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from campaign.models import Campaign, PublicPage
from campaign.models.public import MOST_DELAY
from campaign.services.umpire_log import Actor, UmpireRefused, act_log

if TYPE_CHECKING:
    from collections.abc import Sequence

FIELDS = ("open", "score", "delay", "indexed")


def publicity_change(
    *, campaign: Campaign, umpire: Actor, open_: bool, score: bool, delay: int, indexed: bool
) -> Sequence[str]:
    """Set what is public. Returns what changed, in words; () when nothing did. Raises UmpireRefused.

    The log says what changed, so every player can read what the enemy and strangers may know from now on.
    """
    if not 0 <= delay <= MOST_DELAY:
        raise UmpireRefused(f"Enter a delay of 0 to {MOST_DELAY} turns.")
    wanted = dict(zip(FIELDS, (open_, score, delay, indexed and open_), strict=True))
    with transaction.atomic():
        page, _ = PublicPage.objects.select_for_update().get_or_create(campaign=campaign)
        before = {name: getattr(page, name) for name in FIELDS}
        changed = [name for name in FIELDS if wanted[name] != before[name]]
        if not changed:
            return ()
        for name in changed:
            setattr(page, name, wanted[name])
        page.save(update_fields=changed)
        words = [_words(name, wanted[name]) for name in changed]
        act_log(
            campaign=campaign,
            actor=umpire.get_username(),
            action="changed the public page",
            reason=" ".join(words),
        )
    return words


def _words(name: str, value: object) -> str:
    if name == "delay":
        late = f"{value} turn{'s' * (value != 1)} late" if value else "at once"
        return f"Gazettes are published {late}."
    return {
        "open": ("The public page is closed.", "Anyone can read the public page."),
        "score": ("The score is not public.", "The score is public."),
        "indexed": (
            "Search engines may not list the public page.",
            "Search engines may list the public page.",
        ),
    }[name][bool(value)]


def showcase_set(*, campaign: Campaign, on: bool) -> None:
    """Show a campaign on the front page, or no longer. For the site administrator. Raises UmpireRefused for one that is not over."""
    if on and campaign.status != Campaign.Status.CLOSED:
        raise UmpireRefused(f"{campaign.name} is not over. The front page shows finished campaigns.")
    page, _ = PublicPage.objects.get_or_create(campaign=campaign)
    if on and not page.open:
        raise UmpireRefused(f"{campaign.name} has no public page. Its umpire can turn it on.")
    PublicPage.objects.filter(pk=page.pk).update(showcase=on)
