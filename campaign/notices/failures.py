"""What a failure to send a notice means: what is to blame, and when to try again. Pure."""

from __future__ import annotations

import re
from datetime import timedelta
from enum import StrEnum
from smtplib import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPException,
    SMTPHeloError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from typing import NamedTuple

from campaign.notices.webhook import WebhookFailed, WebhookRefused

# Waits between tries, in minutes; after the last the notice is given up and marked as failed.
WAITS = (1, 5, 20, 60, 240, 720)
# Someone has to mend a mail server that is down or refuses everything. Its emails wait for days, and nothing is lost.
# The wait is the whole site's, see `campaign.notices.mail_away`.
SERVER_WAITS = (1, 5, 15)
SERVER_TRIES = 400
LONGEST_WAIT = timedelta(days=1)

HANGS_UP = 421
_NO_SUCH_MAILBOX = 550
# In the terms of RFC 3463: a bad address, a closed mailbox, and what one large provider says for an unknown address.
_NOBODY = re.compile(r"^(0\.0|1\.\d+|2\.1|4\.1)$")
_ENHANCED = re.compile(r"\b5\.(\d{1,3}\.\d{1,3})\b")


class Blame(StrEnum):
    """What is to blame. Away: there is no mail server. Server: it accepts none of our emails now. Reader: none for this reader now.

    Address: it does not exist. Notice: no server accepts this one.
    """

    AWAY = "away"
    SERVER = "server"
    READER = "reader"
    ADDRESS = "address"
    NOTICE = "notice"


class ServerAway(Exception):
    """No connection to a mail server; the cause says why."""


class Verdict(NamedTuple):
    """What happens to a notice. wait: until the next try, None when it is given up. words: the server's, for people to read."""

    blame: Blame
    wait: timedelta | None
    words: str

    @property
    def of_server(self) -> bool:
        """Whether the mail server failed, rather than a single email."""
        return self.blame in (Blame.AWAY, Blame.SERVER)


def verdict(error: Exception, *, tries: int) -> Verdict:
    """Judge a failure. tries: how often the notice has been tried, including this time."""
    cause = error.__cause__ if isinstance(error, ServerAway) else error
    said = words(cause if isinstance(cause, Exception) else error)
    blame = _blame(error)
    if blame in (Blame.ADDRESS, Blame.NOTICE):
        return Verdict(blame, None, said)
    if blame in (Blame.AWAY, Blame.SERVER):
        return Verdict(blame, server_wait(tries) if tries < SERVER_TRIES else None, said)
    if tries > len(WAITS):
        return Verdict(blame, None, said)
    asked = error.wait if isinstance(error, WebhookFailed) else timedelta(0)
    wait = max(timedelta(minutes=WAITS[tries - 1]), min(asked, LONGEST_WAIT))
    return Verdict(blame, wait, said)


def server_wait(tries: int) -> timedelta:
    """How long to leave a mail server alone after this many failures in a row."""
    return timedelta(minutes=SERVER_WAITS[min(tries, len(SERVER_WAITS)) - 1])


def _blame(error: Exception) -> Blame:
    answers = _answers(error)
    if any(code == HANGS_UP for code, _ in answers):
        return Blame.SERVER
    if isinstance(error, SMTPRecipientsRefused):
        return _of_address(answers)
    if isinstance(error, (SMTPSenderRefused, SMTPAuthenticationError, SMTPHeloError, SMTPConnectError)):
        return Blame.SERVER
    if isinstance(error, SMTPResponseException):
        return Blame.NOTICE if error.smtp_code >= 500 else Blame.READER
    if isinstance(error, WebhookRefused):
        return Blame.NOTICE
    if isinstance(error, ServerAway):
        return Blame.AWAY
    broken = isinstance(error, OSError) and not isinstance(error, SMTPException)
    return Blame.SERVER if broken or isinstance(error, SMTPServerDisconnected) else Blame.READER


def _of_address(answers: list[tuple[int, str]]) -> Blame:
    """What an answer to RCPT says about the address: it is dead only if there is no such mailbox."""
    if any(code < 500 for code, _ in answers):
        return Blame.READER
    return Blame.ADDRESS if all(says_nobody(code, text) for code, text in answers) else Blame.NOTICE


def says_nobody(code: int, text: str) -> bool:
    """Whether a server's refusal means that the address does not exist, rather than that it rejects us, or is full."""
    told = _ENHANCED.search(text)
    return code == _NO_SUCH_MAILBOX and (told is None or bool(_NOBODY.match(told[1])))


def _answers(error: Exception) -> list[tuple[int, str]]:
    if isinstance(error, SMTPRecipientsRefused):
        return [(code, _plain(text)) for code, text in error.recipients.values()]
    if isinstance(error, SMTPResponseException):
        return [(error.smtp_code, _plain(error.smtp_error))]
    return []


def _plain(text: str | bytes) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def words(error: Exception) -> str:
    """A failure for people to read: what the server answered, or what went wrong."""
    answers = [f"{code} {' '.join(text.split())}".strip() for code, text in _answers(error)]
    return "; ".join(answers) if answers else f"{type(error).__name__}: {error}"
