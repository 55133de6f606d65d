"""Sending notices: claim one, hand it to the mail server, record it. At least once: if a worker dies in between, it is sent again.

Many go over one connection, each under its own claim, so one that fails harms no other. A server that cannot be reached is tried
once for the whole site (`mail_away`). A batch ends after a few seconds and hands on the rest: a small site's one worker also runs turns.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from email.utils import formataddr, parseaddr
from functools import partial
from smtplib import SMTPSenderRefused
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from battles import leases
from campaign.accounts import with_article
from campaign.chart_picture import content_id, picture_png
from campaign.models import MailOutage, Notice, UmpireAction
from campaign.notices import webhook
from campaign.notices.failures import HANGS_UP, SERVER_TRIES, Blame, ServerAway, Verdict, verdict
from campaign.notices.kinds import ANSWERED
from campaign.notices.links import keyed_html, keyed_text
from campaign.notices.mail_away import outage_note, outage_now, outage_over
from campaign.notices.pictures import PicturedMail
from campaign.notices.replies import TOKEN
from campaign.notices.wishes import address_bounced, leave_path
from campaign.notices.write import unsent
from campaign.publishing import SEND_NOTICE, publish
from campaign.templatetags.gage import kind_words

logger = logging.getLogger(__name__)

BATCH = 50  # notices that go over one connection; many servers hang up after a hundred
BATCH_SECONDS = (
    5  # then the rest of a batch goes to the end of the queue, so that turns do not wait behind emails
)
STRIKES = 2  # failures of the server in a row, after which it is left alone for a while


class Line:
    """The connection to the mail server: made for the first email, kept for the next ones."""

    def __init__(self) -> None:
        self._connection: Any = None
        self._used = False

    def send(self, mail: EmailMessage) -> None:
        """Hand over an email. Raises ServerAway when no server can be reached, and whatever else goes wrong."""
        self._open()
        mail.connection = self._connection
        try:
            mail.send()
        except SMTPSenderRefused as refusal:
            if refusal.smtp_code != HANGS_UP or not self._used:
                raise
            self.close()  # the server limits emails per connection, and has not started to take this one
            self._open()
            mail.connection = self._connection
            mail.send()
        self._used = True

    def _open(self) -> None:
        if self._connection is not None:
            return
        try:
            connection = get_connection()
            connection.open()
        except Exception as error:  # whatever a backend does when it finds no server
            raise ServerAway from error
        self._connection, self._used = connection, False

    def close(self) -> None:
        """End the connection. A failure does not matter: what the server has taken, it has taken."""
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None


def notice_send(*, notice_id: int) -> bool:
    """Send one waiting notice. Returns whether this call sent it; a second call for the same row sends nothing."""
    return notices_send(notice_ids=[notice_id]) == 1


def notices_send(*, notice_ids: Sequence[int], left: Callable[[list[int]], Any] | None = None) -> int:
    """Send those notices that are due and that no one else is sending; emails over one connection. Returns how many were sent.

    If two workers are called at once, each notice is sent by one of them. Those tried least go first, and webhooks, which have
    servers of their own, after the emails. left: called with the ids for which there was no time; without it they wait for the sweep.
    """
    until = monotonic() + BATCH_SECONDS
    free = _due().filter(leases.free(), pk__in=notice_ids)
    # a picture shared by many emails is fetched once
    rows = list(free.select_related("recipient").prefetch_related("picture").order_by("attempts", "pk"))
    sent, rest = _mails_send([row for row in rows if row.channel == "email"], until)
    for row in rows:
        if row.channel == "email":
            continue
        if monotonic() > until:
            rest.append(row)
            continue
        post = partial(webhook.post, row.address, subject=row.subject, text=row.text)
        sent += _attempt(row, post) is True
    if rest and left is not None:
        left([row.pk for row in rest])
    return sent


def _due() -> QuerySet[Notice]:
    return unsent().filter(Q(retry_after=None) | Q(retry_after__lte=timezone.now()))


def _mails_send(mails: list[Notice], until: float) -> tuple[int, list[Notice]]:
    """Send emails until a moment of `monotonic`. Returns how many were sent, and those for which there was no time."""
    if not mails:
        return 0, []
    away = outage_now()
    if away is not None:
        _put_off(mails, away)
        return 0, []
    line, sent, strikes, answers = Line(), 0, 0, False
    try:
        for at, notice in enumerate(mails):
            # after one strike against the server, the next email shows whether it is down
            if at and not strikes and monotonic() > until:
                return sent, mails[at:]
            result = _attempt(notice, partial(_mail_send, notice, line))
            if result is False:
                continue
            sent += result is True
            if result is True or not result.of_server:
                strikes = 0
                if not answers:
                    answers = True
                    outage_over()
            else:
                strikes += 1
            if result is not True:
                line.close()  # the state of the two ends is unknown
                if result.blame is Blame.AWAY or strikes == STRIKES:
                    _server_away(mails[: at + 1], mails[at + 1 :], result)
                    break
    finally:
        line.close()
    return sent, []


def _server_away(met: list[Notice], rest: list[Notice], found: Verdict) -> None:
    """Note that the mail server is down. met: those of a batch up to the one that found out; rest: those after it."""
    away = outage_note(found.words)
    waiting = Notice.objects.filter(status=Notice.Status.WAITING, retry_after__lt=away.until)
    waiting.filter(pk__in=[notice.pk for notice in met], error=found.words).update(retry_after=away.until)
    _put_off(rest, away)


def _mail_send(notice: Notice, line: Line) -> None:
    line.send(_message(notice))


def _attempt(notice: Notice, hand_over: Callable[[], None]) -> Verdict | bool:
    """Send a notice under a claim of its own: True when it went, False when it is another worker's, else what was wrong."""
    token = leases.take(_due().filter(pk=notice.pk), status=Notice.Status.SENDING)
    if token is None:
        return False
    try:
        hand_over()
    except Exception as error:  # whatever fails in a mail server, it never fails a turn
        return _note_failure(notice, token, error)
    if not _give_back(notice, token, status=Notice.Status.SENT, sent=timezone.now(), error=""):
        logger.warning("notice %s was sent after its lease had run out and may be sent again", notice.pk)
    return True


def _give_back(notice: Notice, token: uuid.UUID, **changes: Any) -> bool:
    """Record what became of a claimed notice; False when another worker has claimed it since.

    A lease that has merely run out does not matter: an email that a slow server took a long time over has still been sent, and
    would otherwise be sent again and again.
    """
    claimed = Notice.objects.filter(pk=notice.pk, claim=token)
    return bool(claimed.update(claim=None, lease_until=None, **changes))


def _put_off(notices: list[Notice], away: MailOutage) -> None:
    """Let emails wait for a server that is down. This counts as a try: after SERVER_TRIES they are given up."""
    waiting = _due().filter(leases.free(), pk__in=[notice.pk for notice in notices])
    tried = {"attempts": F("attempts") + 1, "error": away.error}
    waiting.filter(attempts__gte=SERVER_TRIES - 1).update(
        status=Notice.Status.FAILED, retry_after=None, **tried
    )
    waiting.update(status=Notice.Status.WAITING, retry_after=away.until, **tried)


def notice_resend(*, notice: Notice, umpire: Any) -> bool:
    """Send a notice again, at once and with all its tries; the umpire's log records who asked. Rule: G.UM1.

    It keeps its Message-ID, so an email program that already has it recognises it. Returns False, and does nothing, for one that is
    being sent at this moment or that a rollback has withdrawn.
    """
    still = Notice.objects.filter(pk=notice.pk, void="").exclude(status=Notice.Status.SENDING)
    with transaction.atomic():
        again = still.update(
            status=Notice.Status.WAITING, attempts=0, retry_after=None, claim=None, lease_until=None, error=""
        )
        if not again:
            return False
        # everyone can read the log: it holds no subject and no address, which an account's name may be
        UmpireAction.objects.create(
            campaign=notice.campaign,
            actor=umpire.get_username(),
            action="sent an email again",
            reason=f"{kind_words(notice.kind)}, to {_part(notice)}",
        )
        publish(SEND_NOTICE, notice.pk)
    return True


def _part(notice: Notice) -> str:
    """What the reader of a notice is in its campaign, for a log that names no account."""
    if notice.recipient_id is None:
        return "the campaign's webhook"
    member = notice.campaign.memberships.filter(user=notice.recipient_id).select_related("side").first()
    if member is None:
        return "someone who has left"
    return (
        f"an admiral of {with_article(member.side.name)}" if member.side is not None else f"the {member.role}"
    )


def _message(notice: Notice) -> PicturedMail:
    assert notice.recipient_id is not None  # the database holds that a mail has a reader
    leave = f"{settings.SITE_URL}{leave_path(notice.recipient_id, notice.kind)}"
    mail = PicturedMail(
        subject=notice.subject,
        body=keyed_text(notice),
        to=[notice.address],
        reply_to=_reply_to(notice),
        headers={
            "Message-ID": notice.message_id,
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{leave}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    if notice.html:
        mail.attach_alternative(keyed_html(notice), "text/html")
        if notice.picture is not None:
            try:
                mail.show(content_id(notice.picture), picture_png(notice.picture))
            except ValueError:  # its words are in the HTML: an email never fails for want of its picture
                logger.exception("the chart of notice %s could not be rendered", notice.pk)
    if notice.calendar:
        mail.attach("deadline.ics", notice.calendar, "text/calendar; method=PUBLISH; charset=utf-8")
    return mail


def _reply_to(notice: Notice) -> list[str] | None:
    """Where a reply with orders goes. The name before the address is the token: programs that show the HTML do not quote our text."""
    token = TOKEN.search(notice.text)
    if not settings.REPLY_TO or notice.kind not in ANSWERED or token is None:
        return None
    return [formataddr((f"Orders {token[0]}", parseaddr(settings.REPLY_TO)[1]))]


def _note_failure(notice: Notice, token: uuid.UUID, error: Exception) -> Verdict:
    tries = Notice.objects.values_list("attempts", flat=True).filter(pk=notice.pk).first() or 1
    found = verdict(error, tries=tries)
    logger.warning("notice %s could not be sent: %s", notice.pk, found.words)
    # an address that has since been replaced is not marked
    if found.blame is Blame.ADDRESS and notice.is_his_address:
        address_bounced(user=notice.recipient, campaign=notice.campaign, why=found.words)
    given_up = found.wait is None
    if not _give_back(
        notice,
        token,
        status=Notice.Status.FAILED if given_up else Notice.Status.WAITING,
        retry_after=None if found.wait is None else timezone.now() + found.wait,
        error=found.words,
    ):
        logger.warning("notice %s failed after its lease had run out", notice.pk)
    return found
