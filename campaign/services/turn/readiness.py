"""Ready marks: a side says that its orders are given, and when all have said so the turn is run before its deadline."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from battles.engine.core.errors import OrderFault
from campaign.models import Campaign, Membership, Ready, Turn
from campaign.publishing import RUN_TURN, publish
from campaign.selectors.people.absences import absences_now, presence
from campaign.services.orders.orders import OrderRefused
from campaign.services.turn.missing import turn_lock_or_hold
from campaign.services.umpire_log import SITE, act_log


def ready_set(*, turn: Turn, membership: Membership, ready: bool) -> None:
    """Mark a side's orders for a turn as ready, or take the mark back; the last side's mark may run the turn.

    Raises OrderRefused for a closed turn.
    """
    if membership.side is None:
        raise OrderRefused(OrderFault("ready/no-side", "G.IN4", "Only an admiral can mark their side ready."))
    if turn.phase != Turn.Phase.OPEN:
        raise OrderRefused(
            OrderFault("ready/turn-closed", "G.CL1", f"Turn {turn.number} no longer takes orders.")
        )
    if ready:
        Ready.objects.get_or_create(
            turn=turn, side=membership.side, defaults={"by": membership.user.get_username()}
        )
        run_if_all_ready(turn=turn)
    else:
        Ready.objects.filter(turn=turn, side=membership.side).delete()


def run_those_ready(now: datetime) -> int:
    """Run open turns that need wait for no one now that someone is away. Returns how many. Call it from the sweep."""
    gone = {row.membership.campaign_id for row in absences_now(now)}
    if not gone:
        return 0
    waiting = Turn.objects.filter(campaign__in=gone, phase=Turn.Phase.OPEN, ready_marks__isnull=False)
    rows = waiting.select_related("campaign__book").distinct()
    return sum(run_if_all_ready(turn=turn) for turn in rows)


def run_if_all_ready(*, turn: Turn) -> bool:
    """Close an open turn and send it to a worker when every side that players command is ready. Returns whether it did.

    The turn does not wait for a side whose admirals are all away, unless everyone is away: then the deadline stands. A held turn, a
    paused campaign and one that keeps to its deadlines wait, and so does one whose side without a player has an admiral invited, who
    may still join in time. Rules: G.CL1, G.UM1.
    """
    campaign = turn.campaign
    if not campaign.run_when_ready or campaign.status != Campaign.Status.ACTIVE or turn.hold:
        return False
    admirals = campaign.memberships.filter(role=Membership.Role.ADMIRAL, side__automatic=False)
    ready = set(turn.ready_marks.values_list("side", flat=True))
    there = presence(campaign).sides(admirals)
    if not there or there - ready or _awaits_an_admiral(campaign):
        return False
    with transaction.atomic():
        if not turn_lock_or_hold(turn=turn, by=SITE):
            return False
        act_log(
            campaign=campaign, actor=SITE, turn=turn, action="ran the turn", reason="every side was ready"
        )
        publish(RUN_TURN, turn.pk)
    return True


def invitation_over(*, campaign: Campaign) -> bool:
    """An invitation that a turn may have waited for will not be accepted. Returns whether the turn is run now."""
    turn = campaign.turns.filter(phase=Turn.Phase.OPEN, ready_marks__isnull=False).first()
    return turn is not None and run_if_all_ready(turn=turn)


def _awaits_an_admiral(campaign: Campaign) -> bool:
    """Whether a side that no player has joined has an open invitation."""
    invited = campaign.invitations.unanswered().filter(side__isnull=False, expires__gt=timezone.now())
    return invited.exclude(side__in=campaign.memberships.filter(side__isnull=False).values("side")).exists()
