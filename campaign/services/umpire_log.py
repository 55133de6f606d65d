"""The umpire's log: every act is in it, with its reason, for everyone to read. Rule: G.UM1."""

from __future__ import annotations

from typing import Protocol

from campaign.models import Campaign, Turn, UmpireAction

SITE = "the site"  # who acts when no person does


class Actor(Protocol):
    """Who acts as the umpire: a user, or the person at the server's terminal."""

    def get_username(self) -> str:
        """Their name in the log."""
        ...


class UmpireRefused(ValueError):
    """An act that cannot be done as things stand; nothing was changed. The text says why."""


def act_log(
    *, campaign: Campaign, actor: str, action: str, reason: str = "", turn: Turn | None = None
) -> UmpireAction:
    """Write an act down. Call it in the transaction that does it. It holds no address and nothing that a side may not know."""
    return UmpireAction.objects.create(
        campaign=campaign,
        turn=f"{campaign.code}/{turn.number}" if turn is not None else "",
        actor=actor,
        action=action[:40],
        reason=reason.strip(),
    )


def reason_given(reason: str) -> str:
    """The reason of an act. Raises UmpireRefused when there is none."""
    if not reason.strip():
        raise UmpireRefused("Enter a reason. Everyone can read it in the umpire's log.")
    return reason.strip()
