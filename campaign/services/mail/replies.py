"""Orders by reply: an email comes in, its orders go through the validators of the web form, and an answer reports on each line.

Only the player is answered. An email whose address and token do not belong together is only logged, so that no stranger learns
anything and no one can be sent email by forging a sender. Rules: G.MV2, G.MV3, G.IN1.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaign.models import Campaign, Membership, ReceivedMail, SetAsideMail, Turn
from campaign.notices import kinds
from campaign.notices.bounces import bounce_in
from campaign.notices.messages import Message, head_from, message_from, own_lines
from campaign.notices.raw_mail import LARGEST, bounded, names_in_raw, tokens_in_raw
from campaign.notices.replies import blocks_in, tokens_in
from campaign.notices.write import notice_write
from campaign.services.mail.bounces import bounce_take, names_a_notice
from campaign.services.mail.reply_blocks import block_take
from campaign.services.mail.reply_forms import own_labels, reply_form, stations_for_reply, token_good

logger = logging.getLogger(__name__)

MOST_BLOCKS = 60
MOST_A_DAY = 50  # emails from one player: more come from a machine that answers our answers
KEPT = 500  # set-aside emails that are remembered
NO_ORDERS = (
    "We found no orders in your email. Write them under a line “Fleet: …”, one per line, for example “Stance: avoid”. Do not put “>” "
    "before them: quoted lines are ignored."
)
NO_TOKEN = (
    "Your email has no valid reply token, so we did not read it. Reply to the latest email of the turn and keep its line "
    "“Reply token” in the quoted text, or give your orders on the site."
)


class Outcome(StrEnum):
    """What became of an email. Taken: orders for at least one fleet. Bounced: one of ours came back. Ignored: no answer was sent."""

    TAKEN = "taken"
    REFUSED = "refused"
    BOUNCED = "bounced"
    IGNORED = "ignored"


def mail_take(*, raw: bytes) -> Outcome:
    """Take the orders from an email as it came over the wire. The same Message-ID twice does nothing the second time.

    A stranger's email is searched as bytes, and then its headers are read. Its text is read only with one of our tokens, or if it
    names one of our emails that bounced. All its changes are one transaction with the answer: an error in between leaves nothing
    behind, and the email can come again. Raises BadMail for one that cannot be read.
    """
    raw = bounded(raw)
    head = head_from(raw)
    if head.automatic:
        bounce = bounce_in(raw) if names_a_notice(names_in_raw(raw)) else None
        if bounce is not None and bounce_take(bounce=bounce):
            return Outcome.BOUNCED
    if head.automatic or not head.sender:
        return _ignored("mail %s: sent by a machine, or without one known sender", head.message_id)
    if _good(tokens_in_raw(raw)) is None:
        return _without_token(head)
    message = message_from(raw)
    lines = own_lines(message.text)
    key = _good(tokens_in("\n".join(lines), message.subject, message.to, message.text))
    if key is None:  # it is somewhere unintended: in an attachment, or in hidden text
        return _without_token(head)
    member = _members().filter(pk=key[1]).first()
    turn = Turn.every.filter(pk=key[0]).select_related("campaign__book").first()
    if member is None or turn is None or member.user.email.casefold() != message.sender:
        return _ignored("mail %s: its sender is not the player of its token", message.message_id)
    if turn.campaign_id != member.campaign_id:
        return _ignored("mail %s: its token names a turn of another campaign", message.message_id)
    return _take(message, lines, turn, member)


def mail_set_aside(*, raw: bytes, name: str, reason: str) -> SetAsideMail:
    """Note an email in the folder of bad ones, for the desk of the umpire whose player may have sent it. Twice is harmless.

    name: of its file. Only the newest KEPT are remembered. Rule: G.UM2.
    """
    raw = raw[:LARGEST]
    key = _good(tokens_in_raw(raw))
    member = None if key is None else _members().filter(pk=key[1]).first()
    row, _ = SetAsideMail.objects.update_or_create(
        digest=hashlib.sha256(raw).hexdigest(),
        defaults={"name": name[-255:], "reason": reason[:200], "membership": member, "at": timezone.now()},
    )
    old = SetAsideMail.objects.values_list("pk", flat=True)[KEPT:]
    SetAsideMail.objects.filter(pk__in=list(old)).delete()
    logger.warning("set aside: mail %s: %s", name, reason)
    return row


def _ignored(why: str, *about: object) -> Outcome:
    logger.warning("not taken: " + why, *about)
    return Outcome.IGNORED


def _members() -> QuerySet[Membership]:
    admirals = Membership.objects.filter(role=Membership.Role.ADMIRAL, user__is_active=True)
    return admirals.select_related("user", "campaign__book", "campaign__theatre", "side__navy")


def _good(tokens: Iterable[tuple[int, int, str]]) -> tuple[int, int] | None:
    """Turn and membership of the first token that this server made."""
    for turn, member, signature in tokens:
        if token_good(turn_id=turn, membership_id=member, signature=signature):
            return turn, member
    return None


def _without_token(message: Message) -> Outcome:
    """Tell a player, at most once a day, that their email could not be read. Strangers get no answer."""
    playing = _members().filter(user__email__iexact=message.sender, campaign__status=Campaign.Status.ACTIVE)
    people = list(playing.order_by("-campaign"))
    if len({member.user_id for member in people}) != 1:
        return _ignored("mail %s: no token, and no player", message.message_id)
    member = people[0]
    with transaction.atomic():
        _answer(
            member, None, event=f"{member.campaign.code}-mail-{timezone.now():%Y-%m-%d}", refused=NO_TOKEN
        )
    return Outcome.REFUSED


def _take(message: Message, lines: list[str], turn: Turn, member: Membership) -> Outcome:
    now = timezone.now()
    # a fast clock must not shut out every later email
    sent = min(message.sent or now, now)
    with transaction.atomic():
        # one email per player at a time, so that the newer of two wins
        Membership.objects.select_for_update(of=("self",)).get(pk=member.pk)
        row, new = ReceivedMail.objects.get_or_create(
            message_id=message.message_id, defaults={"turn": turn, "membership": member, "sent": sent}
        )
        if not new:
            return _ignored("mail %s: it has been here already", message.message_id)
        if member.mails.filter(received__gt=now - timedelta(days=1)).count() > MOST_A_DAY:
            return _ignored("mail %s: its sender has written more than a person does", message.message_id)
        refused = _refusal(turn, member, sent)
        results = [] if refused else _fleets(lines, turn, member, sent)
        if not refused and not results:
            refused = NO_ORDERS
        taken = sum(result["taken"] for result in results)
        row.answer = _answer(
            member, turn, event=f"{member.campaign.code}-mail-{row.pk}", refused=refused, results=results
        )
        row.taken = taken
        row.save(update_fields=["answer", "taken"])
    return Outcome.TAKEN if taken else Outcome.REFUSED


def _refusal(turn: Turn, member: Membership, sent: datetime) -> str:
    """Why a whole email is refused; "" when it is not. Rules: G.CL1, G.MV2, G.UM3."""
    if turn.void:
        return f"Turn {turn.number} has been rolled back since that email was sent. Reply to the latest email of the turn. (G.UM3)"
    if turn.phase != Turn.Phase.OPEN:
        return f"Your email gives orders for turn {turn.number}, which has closed. Reply to the latest email. (G.CL1)"
    newest = ReceivedMail.objects.filter(turn=turn, membership=member, taken__gt=0).order_by("-sent").first()
    if newest is not None and sent < newest.sent:
        return "We have already accepted orders from a later email. Those orders still apply. (G.MV2)"
    return ""


def _fleets(lines: list[str], turn: Turn, member: Membership, sent: datetime) -> list[dict[str, Any]]:
    stations = stations_for_reply(member)
    blocks = blocks_in(lines, own_labels(member))[:MOST_BLOCKS]
    return [
        block_take(turn=turn, member=member, stations=stations, block=block, sent=sent) for block in blocks
    ]


def _answer(
    member: Membership,
    turn: Turn | None,
    *,
    event: str,
    refused: str,
    results: list[dict[str, Any]] | None = None,
) -> str:
    """Put the answer into the outbox, with a fresh template of the present orders. Returns its text."""
    notice = notice_write(
        campaign=member.campaign,
        kind=kinds.ORDERS_TAKEN,
        event=event,
        user=member.user,
        context={
            "turn": turn,
            "side": member.side,
            "refused": refused,
            "results": results or [],
            "taken": sum(result["taken"] for result in results or []),
        },
        reply=reply_form(turn=turn, membership=member) if turn is not None and not turn.void else None,
    )
    return notice.text if notice is not None else refused
