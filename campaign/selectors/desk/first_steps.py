"""What an umpire who has never done it does first, each step done or not as the rows have it. For the umpire alone."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists

from campaign.models import Campaign, Membership, Notice, Turn

_CHANGED = ("changed the settings", "changed the schedule")


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A step. page: where it is done, "" on the desk itself. help: what it is for, in a sentence."""

    words: str
    help: str
    page: str
    done: bool


def first_steps(campaign: Campaign) -> list[FirstStep]:
    """The steps in order; none when all are done or the campaign is over. Three queries at most."""
    if campaign.status == Campaign.Status.CLOSED:
        return []
    acts = campaign.umpire_actions.filter(action__in=(*_CHANGED, "previewed the turn"))
    actions = set(acts.order_by().values_list("action", flat=True).distinct())
    playing, ran, sent = (
        Campaign.objects.filter(pk=campaign.pk)
        .values_list(
            Exists(campaign.memberships.filter(role=Membership.Role.ADMIRAL)),
            Exists(campaign.turns.filter(phase=Turn.Phase.CLOSED)),
            Exists(campaign.notices.filter(status=Notice.Status.SENT)),
        )
        .get()
    )
    invitations = list(
        campaign.invitations.filter(declined=None, withdrawn=None).values_list("accepted", flat=True)
    )
    settled = bool(campaign.settings or campaign.coming) or any(name in actions for name in _CHANGED)
    steps = [
        FirstStep(
            "Invite the players", "A side without a player is led by the automatic admiral until someone joins.", "people",
            campaign.practice or playing or bool(invitations),
        ),
        FirstStep(
            "Wait until they have joined", "The page shows who has accepted.", "people",
            campaign.practice or (playing and all(invitations)),
        ),
        FirstStep(
            "Check the deadlines", "When orders close, in which time zone, and how long a turn waits.", "clock",
            "changed the schedule" in actions or campaign.time_zone != "UTC" or campaign.practice,
        ),
        FirstStep(
            "Read the campaign settings", "What matters most is how battles are fought.", "rules_in_force", settled or ran,
        ),
        FirstStep("Check that emails arrive", "The page shows every email and what became of it.", "mailbox", sent),
        FirstStep(
            "Preview the turn", "With sample dice: which orders are refused, and who is likely to meet.", "",
            "previewed the turn" in actions or ran,
        ),
        FirstStep("Run the first turn", "It also runs by itself at its deadline.", "", ran),
    ]  # fmt: skip
    return [] if all(step.done for step in steps) else steps
