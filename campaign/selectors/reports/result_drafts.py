"""What a member has typed of a battle's result and not entered. It is theirs alone: only their own membership finds it."""

from __future__ import annotations

from battles.models import Battle
from campaign.models import Membership, ResultDraft


def result_draft_of(battle: Battle, membership: Membership) -> ResultDraft | None:
    """A member's own draft for a battle; None when they have none."""
    return ResultDraft.objects.filter(battle=battle, membership=membership).first()
