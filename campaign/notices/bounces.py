"""Bounced emails: a mail server's report that one could not be delivered after all (RFC 3464).

Pure: an email in, its facts out. Anyone can write such a report, so it counts only when it names an email that we sent, which
`campaign.services.mail.bounces` checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, message_from_string
from email.message import Message as MailPart
from typing import Any

from campaign.notices.failures import says_nobody
from campaign.notices.messages import guarded, header
from campaign.notices.raw_mail import bounded

_FAILED = "failed"
_ANSWER = re.compile(r"smtp\s*;\s*.*?\b([245]\d\d)\b[ -]*(.*)", re.I | re.S)
_NOBODY = re.compile(r"^5\.(1\.\d+|2\.1)$")
LONGEST_WORDS = 300


@dataclass(frozen=True, slots=True)
class Bounce:
    """An email that bounced for good. message_id: of ours. dead: the address does not exist. words: the server's."""

    message_id: str
    dead: bool
    words: str


def bounce_in(raw: bytes) -> Bounce | None:
    """The failure that an email reports; None for any other email, and for one that only reports a delay.

    Raises BadMail, and nothing else, for one that cannot be read.
    """
    return guarded(lambda: _read(message_from_bytes(bounded(raw))))


def _read(mail: MailPart) -> Bounce | None:
    if mail.get_content_type() != "multipart/report":
        return None
    named = next(_ours(mail), "")
    for part in mail.walk():
        if named and part.get_content_type() == "message/delivery-status":
            for fields in _within(part)[1:]:
                if _field(fields, "Action").casefold() == _FAILED:
                    return _bounce(named, fields)
    return None


def _ours(mail: MailPart) -> Iterator[str]:
    """Message-IDs of the bounced email, which is included whole or only with its headers."""
    for part in mail.walk():
        kind = part.get_content_type()
        if kind == "message/rfc822":
            for within in _within(part)[:1]:
                yield _field(within, "Message-ID")
        elif kind == "text/rfc822-headers":
            yield _field(message_from_string(_words(part)), "Message-ID")


def _within(part: MailPart) -> list[Any]:
    """The emails, or blocks of fields, in a part."""
    found = part.get_payload()
    return found if isinstance(found, list) else []


def _words(part: MailPart) -> str:
    whole = part.get_payload(decode=True)
    return whole.decode("utf-8", "replace") if isinstance(whole, bytes) else ""


def _bounce(named: str, fields: MailPart) -> Bounce:
    status = _field(fields, "Status").split(" ")[0]
    said = " ".join(_field(fields, "Diagnostic-Code").split())
    answer = _ANSWER.match(said)
    if answer is not None:
        dead = says_nobody(int(answer[1]), answer[2] if "5." in answer[2] else f"{status} {answer[2]}")
    else:
        dead = bool(_NOBODY.match(status))
    return Bounce(named, dead, f"bounced: {(said or status)[:LONGEST_WORDS]}")


def _field(part: MailPart, name: str) -> str:
    return header(part, name).strip()
