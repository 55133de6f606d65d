"""Rollback: a campaign goes back to a turn's start. Nothing is deleted; what was written since is void. Rule: G.UM3."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from battles.models import Battle, BattleOutcome
from campaign.models import Campaign, Notice, Turn
from campaign.notices import kinds
from campaign.notices.public import closes, post_write
from campaign.selectors.revealed import was_revealed
from campaign.selectors.turn.ongoing import ongoing_battles
from campaign.services.mail.notices import word_to_all
from campaign.services.turn.books import books_restore
from campaign.services.turn.documents import Kind, documents_thin
from campaign.services.turn.economy import economy_restore
from campaign.services.turn.missing import turn_lock_by_umpire
from campaign.services.turn.summaries import summaries_drop
from campaign.services.turn.turns import turn_open
from campaign.services.umpire_log import Actor, UmpireRefused, act_log, reason_given
from fleets.services.service_records import records_void

# Roles stay whatever becomes of the turns, and so do notices of a pause.
_LASTING = (kinds.INVITATION.stem, kinds.PAUSED.stem)


def rollback(*, campaign: Campaign, number: int, umpire: Actor, reason: str, same_dice: bool = False) -> Turn:
    """Put a campaign back to where turn `number` was locked, and open that turn again. Returns the new turn.

    New secrets are drawn, and the turn takes orders again, those of then to begin with. same_dice: to mend a fault of the program,
    the turn and those after it are run again with their dice, their orders as they were and locked. Raises UmpireRefused for
    a turn that was never locked, one whose dice are known if they are to be thrown again, a campaign that is over, or without a reason;
    nothing is changed then. Rules: G.UM3, G.FA1.
    """
    reason = reason_given(reason)
    with transaction.atomic():
        turns, target = _turns_since(campaign, number)
        if same_dice and was_revealed(target):
            raise UmpireRefused(
                f"The secrets of turn {number} have already been published, so its dice are known. Roll back with new dice."
            )
        lost = [str(turn.number) for turn in turns if not turn.chart_secret or not turn.battle_secret]
        if same_dice and lost:
            raise UmpireRefused(
                f"This campaign was imported without the secrets of turn {lost[0]}. Roll back with new dice."
            )
        action = act_log(
            campaign=campaign, actor=umpire.get_username(), turn=target, reason=reason,
            action="rolled back, same dice" if same_dice else "rolled back",
        )  # fmt: skip
        mark = f"rollback {action.pk}"
        withdrawn = _void(campaign, target, turns, mark)
        books_restore(campaign=campaign, document=target.books or {}, action=mark)
        campaign.refresh_from_db()
        economy_restore(campaign=campaign, turn=target)
        _reopen_held(campaign, target)
        if campaign.status == Campaign.Status.FAILED:
            Campaign.objects.filter(pk=campaign.pk).update(status=Campaign.Status.ACTIVE)
            campaign.refresh_from_db()
        before = campaign.turns.order_by("-number").first()
        turn = turn_open(campaign=campaign, follows=before, again=target, same_dice=same_dice)
        _tell(campaign, turn, mark, reason, withdrawn, same_dice=same_dice)
        if same_dice:
            turn_lock_by_umpire(turn=turn, umpire=umpire)
    return turn


def _turns_since(campaign: Campaign, number: int) -> tuple[list[Turn], Turn]:
    """The turns that are rolled back, oldest first, and the first of them."""
    if Campaign.objects.filter(pk=campaign.pk, status=Campaign.Status.CLOSED).exists():
        raise UmpireRefused(f"{campaign.name} is over and can no longer be rolled back.")
    # a turn that is being closed at this moment is waited for: it opens another, which is then seen too
    list(campaign.turns.select_for_update().filter(number__gte=number).values_list("pk"))
    turns = list(campaign.turns.filter(number__gte=number).order_by("number"))
    if not turns or turns[0].number != number:
        raise UmpireRefused(f"There is no turn {number} to roll back to.")
    target = turns[0]
    if target.locked is None or target.snapshot is None or target.books is None:
        raise UmpireRefused(f"Orders for turn {number} are still open, so there is nothing to roll back.")
    return turns, target


def _void(campaign: Campaign, target: Turn, turns: list[Turn], mark: str) -> list[str]:
    """Void turns, battles, records and notices since. Returns the subjects of emails already sent, each once."""
    ids = [turn.pk for turn in turns]
    since = target.locked
    assert since is not None  # the caller has looked
    battles = Battle.objects.filter(contacts__turn__in=ids)
    keys = list(battles.values_list("pk", flat=True))
    # a worker on one of them loses its hold of it, and writes nothing
    Battle.objects.filter(pk__in=keys).update(status=Battle.Status.VOID, claim=None, lease_until=None)
    Turn.objects.filter(pk__in=ids).update(void=mark, claim=None, lease_until=None)
    documents_thin(turns=ids, kinds=(Kind.STATE, Kind.BOOKS))
    summaries_drop(turns=ids)
    records_void(book=campaign.book, since=since, action=mark)
    told = campaign.notices.filter(written__gte=since, void="").exclude(kind__in=_LASTING)
    sent = list(dict.fromkeys(told.filter(status=Notice.Status.SENT).values_list("subject", flat=True)))
    told.update(void=mark)
    return sent


def _reopen_held(campaign: Campaign, target: Turn) -> None:
    """Battles that held fleets at the turn's start and were written since: their accepted results are to be written again. Rule: G.BT5."""
    for battle in ongoing_battles(campaign).values():
        written = Battle.objects.filter(pk=battle.pk, status=Battle.Status.WRITTEN)
        if written.update(status=Battle.Status.FOUGHT):
            BattleOutcome.objects.filter(battle=battle).update(
                status=BattleOutcome.Status.CONFIRMED, written=None, written_in=""
            )


def _tell(
    campaign: Campaign, turn: Turn, mark: str, reason: str, withdrawn: list[str], *, same_dice: bool
) -> None:
    """One notice to everyone. It names no email whose subject only one side may know."""
    how = (
        "We will use the same dice and orders, and send the reports again."
        if same_dice
        else "Its orders are as you gave them, and you can change them. We have drawn new dice, because the old ones are known."
    )
    mails = (
        "All reports of this turn and later ones that we emailed to you are withdrawn." if withdrawn else ""
    )
    post_write(
        campaign=campaign,
        event=f"{campaign.code}-{mark}",
        title=f"turn {turn.number} has been rolled back",
        text="Posts about it and about later turns are withdrawn."
        + ("" if same_dice else f" It is open again. {closes(campaign, turn)}"),
    )
    word_to_all(
        campaign=campaign,
        event=f"{campaign.code}-{mark}",
        title=f"turn {turn.number} has been rolled back",
        text="\n".join(
            filter(
                None, (f"The umpire has rolled back to the start of turn {turn.number}: {reason}", how, mails)
            )
        ),
        per_reader=lambda user: _own_withdrawn(campaign, mark, user),
    )


def _own_withdrawn(campaign: Campaign, mark: str, user: User) -> list[str]:
    """Which of the emails sent to a reader are withdrawn, one per line."""
    own = campaign.notices.filter(void=mark, status=Notice.Status.SENT, recipient=user).order_by("written")
    return [
        f"Withdrawn: “{subject}”, sent {sent:%d %b %Y}."
        for subject, sent in own.values_list("subject", "sent")
    ]
