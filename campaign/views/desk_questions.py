"""What the umpire is asked before acts of the desk that cannot be undone: what will happen, and what is not ready yet."""

from __future__ import annotations

from battles.models import Battle
from campaign.models import Campaign, Turn
from campaign.selectors.desk.pages import umpire_desk
from campaign.views.confirming import Question


def run_question(campaign: Campaign, turn: Turn, *, back: str = "desk") -> Question:
    """Before a turn is run: who is not ready, and that only a rollback undoes it."""
    return Question(
        title=f"Run turn {turn.number} now?",
        lines=(
            *_not_ready(campaign, turn),
            "Orders close at once, and the turn is played. Everyone gets their report by email.",
            "Only a rollback undoes it, and that needs new dice.",
        ),
        button=f"Run turn {turn.number}",
        back=back,
    )


def close_question(campaign: Campaign, turn: Turn) -> Question:
    """Before orders are closed and held."""
    return Question(
        title=f"Close orders for turn {turn.number}?",
        lines=(
            *_not_ready(campaign, turn),
            "No one can give or change orders for this turn afterwards. It waits until you release or run it.",
            "Only a rollback opens it again.",
        ),
        button="Close orders",
        back="desk",
    )


def rollback_question(campaign: Campaign, number: int) -> Question | None:
    """Before a rollback: which turns and battles become void. None for a turn that cannot be rolled back to."""
    turns = list(campaign.turns.filter(number__gte=number).order_by("number"))
    if (
        not turns
        or turns[0].number != number
        or turns[0].locked is None
        or campaign.status == Campaign.Status.CLOSED
    ):
        return None
    numbers = [str(turn.number) for turn in turns]
    fought = Battle.objects.filter(contacts__turn__in=turns).exclude(status=Battle.Status.VOID)
    titles = list(fought.order_by("code").values_list("title", flat=True)[:8])
    many = (
        f"Turns {', '.join(numbers[:-1])} and {numbers[-1]} become"
        if len(numbers) > 1
        else f"Turn {number} becomes"
    )
    lines = [
        f"{many} void: reports, damage, losses and letters since the orders for turn {number} were closed."
    ]
    if titles:
        lines.append(f"These battles become void: {'; '.join(titles)}.")
    lines.append(
        "Everyone gets an email that names the emails which are withdrawn. A rollback cannot be undone."
    )
    return Question(
        title=f"Roll back to the start of turn {number}?",
        lines=tuple(lines),
        button="Roll back campaign",
        back="desk",
        reason="must",
    )


def end_question(campaign: Campaign) -> Question:
    """Before the campaign is ended."""
    return Question(
        title=f"End {campaign.name}?",
        lines=(
            "The open turn is dropped, with the orders given for it.",
            "The secrets of all closed turns are published, and everyone gets the final score by email.",
            "A campaign that is over cannot be resumed or rolled back.",
        ),
        button="End campaign",
        back="standings",
        reason="must",
    )


def _not_ready(campaign: Campaign, turn: Turn) -> list[str]:
    """A sentence for each side with players that has not marked its orders ready."""
    if turn.phase != Turn.Phase.OPEN:
        return []
    return [
        f"{side.name}: {'orders given, but not marked ready' if side.given else 'no orders yet'} "
        f"({side.given} of {side.fleets} fleets)."
        for side in umpire_desk(campaign, turn)
        if not side.automatic and not side.ready
    ]
