"""An email as it came over the wire, read for what a reply needs: who, when, and the sender's own words.

Pure: bytes in, values out. `campaign.services.mail.replies` decides whether the sender may give orders. Headers are read the old
way, as lines of text: Python's newer header parser can take gigabytes for one crafted by a stranger.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message as Part
from email.utils import getaddresses, parsedate_to_datetime
from typing import TypeVar

from campaign.notices.page_text import html_text
from campaign.notices.raw_mail import BadMail, bounded, head_of

T = TypeVar("T")

LONGEST_TEXT = 200_000  # letters of its text
LONGEST_LINE = 1_000
MOST_LINES = 10_000
LONGEST_ID = 200

_BULK = frozenset({"bulk", "junk", "list", "auto_reply"})
_NO_LETTERS = frozenset(
    {
        "punycode",
        "idna",
        "undefined",
        "unicode-escape",
        "unicode_escape",
        "raw-unicode-escape",
        "raw_unicode_escape",
        "ascii",
    }
)
_WROTE = re.compile(
    r"^(On|Am|Le|Op|El|Il|Den)\b.{4,200}\b(wrote|schrieb|a écrit|schreef|escribió|ha scritto|skrev)\b.{0,80}:$"
)
_CUTS = re.compile(
    r"^(-{2,}\s*(original message|forwarded message|ursprüngliche nachricht).*|_{10,}|--)$", re.I
)
_HEADER = re.compile(r"^\*?(from|von|de|van):\*? ", re.I)
_HEADER_TOO = re.compile(r"^\*?(sent|date|gesendet|datum|envoyé|verzonden|to|an):\*? ", re.I)
_UNFIT = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), 127]
)  # control characters, which no database wants
_LABELLED = re.compile(r"^[A-Za-z][A-Za-z ,’'-]{1,39}:")
_DEVICE = re.compile(r"^(sent|von|envoyé|get outlook|gesendet|verzonden) ?(from|meinem|de|for|mit|vanaf)? .{0,40}"
                     r"(iphone|ipad|android|samsung|mobile|outlook|handy|phone)\b", re.I)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Message:
    """An email. sender: address in lower case, "" when it names none or several. sent: None without a readable date.

    automatic: sent by a machine, which must not be answered. to: as in the header. text: the whole text part, with quoted lines.
    """

    message_id: str
    sender: str
    sent: datetime | None
    automatic: bool
    subject: str
    to: str
    text: str


def message_from(raw: bytes) -> Message:
    """Read an email. Raises BadMail, and nothing else, for one that cannot be read."""
    return guarded(lambda: _message(message_from_bytes(bounded(raw)), raw, with_text=True))


def head_from(raw: bytes) -> Message:
    """Read only an email's headers; its text is empty. Raises BadMail, and nothing else, for one that cannot be read."""
    return guarded(lambda: _message(message_from_bytes(head_of(bounded(raw))), raw, with_text=False))


def guarded(read: Callable[[], T]) -> T:
    """The result of reading an email. Raises BadMail instead of whatever the parsers raise, which may be nearly anything."""
    try:
        return read()
    except BadMail:
        raise
    except Exception as error:  # a malformed email must not stop any other
        raise BadMail(f"it cannot be read: {type(error).__name__}") from error


def clean(words: str) -> str:
    """Words without what databases and emails cannot hold: control characters, halves of letters."""
    return words.translate(_UNFIT).encode("utf-8", "replace").decode()


def _message(mail: Part, raw: bytes, *, with_text: bool) -> Message:
    named = header(mail, "Message-ID").strip()
    if not named or len(named) > LONGEST_ID:
        named = f"<{hashlib.sha256(raw).hexdigest()}>"
    senders = getaddresses([clean(str(value)) for value in mail.get_all("From", ())])
    addresses = [address.casefold() for _, address in senders if "@" in address]
    return Message(
        message_id=named,
        sender=addresses[0] if len(addresses) == 1 else "",
        sent=_date(header(mail, "Date")),
        automatic=_automatic(mail),
        subject=header(mail, "Subject"),
        to=header(mail, "To"),
        text=_text(mail) if with_text else "",
    )


def header(mail: Part, name: str) -> str:
    """A header in words; "" for a missing one. If its character set is unknown, it stays as it is."""
    value = mail.get(name, "")
    try:
        words = str(make_header(decode_header(value)))
    except (LookupError, ValueError, MessageError):
        words = str(value)
    return clean(words).replace("\r", "").replace("\n", "")


def _date(words: str) -> datetime | None:
    try:
        when = parsedate_to_datetime(words)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def _automatic(mail: Part) -> bool:
    """Whether a machine sent it: an absence, a list, a bounce."""
    marked = header(mail, "Auto-Submitted").strip().casefold() not in ("", "no")
    bulk = header(mail, "Precedence").strip().casefold() in _BULK
    absent = bool(header(mail, "X-Autoreply") or header(mail, "X-Autorespond"))
    bounce = (
        header(mail, "Return-Path").strip() == "<>" or mail.get_content_type().lower() == "multipart/report"
    )
    return marked or bulk or absent or bounce


def _text(mail: Part) -> str:
    """The text part; the text of the HTML if there is none or it is empty."""
    for kind in ("text/plain", "text/html"):
        words = next((_content(part) for part in _shown(mail) if part.get_content_type() == kind), "")
        if words.strip():
            return html_text(words) if kind == "text/html" else words
    return ""


def _shown(mail: Part) -> Iterator[Part]:
    """The parts that an email program shows as the email's own words, in order: no attachments and no emails within it."""
    parts = [mail]
    while parts:
        part = parts.pop()
        if part.get_content_disposition() == "attachment" or part.get_content_maintype() == "message":
            continue
        yield part
        within = part.get_payload()
        if isinstance(within, list):
            parts += [one for one in reversed(within) if isinstance(one, Part)]


def unflowed(text: str, *, delsp: bool = False) -> str:
    """A text whose lines an email program broke, marking the breaks with a space (RFC 3676), with its lines whole again.

    delsp: the space goes with the break. A line that begins like an order is one, whatever ends the line before.
    """
    whole: list[str] = []
    depth = 0
    soft = False
    for line in text.splitlines():
        words = line.lstrip(">")
        quoted = len(line) - len(words)
        words = words.removeprefix(" ")  # added by the program before words that could be mistaken for marks
        goes_on = soft and quoted == depth and words != "-- " and not _LABELLED.match(words)
        soft, depth = words.endswith(" ") and words != "-- ", quoted
        words = words[:-1] if soft and delsp else words
        if goes_on:
            whole[-1] += words
        else:
            whole.append(f"{'>' * quoted} {words}" if quoted else words)
    return "\n".join(whole)


def _content(part: Part) -> str:
    whole = part.get_payload(decode=True)
    whole = whole[: 4 * LONGEST_TEXT] if isinstance(whole, bytes) else b""
    words = clean(whole.decode(_letters(part), "replace")[:LONGEST_TEXT])
    if str(part.get_param("format", "")).casefold() == "flowed":
        words = unflowed(words, delsp=str(part.get_param("delsp", "")).casefold() == "yes")
    return words


def _letters(part: Part) -> str:
    """The character set of a part; UTF-8 for an unknown one or for something else."""
    try:
        found = codecs.lookup(str(part.get_content_charset() or "utf-8"))
    except (LookupError, ValueError):
        return "utf-8"
    # Python keeps ciphers, host names and its own notation among its character sets; what calls itself ASCII often is not
    return "utf-8" if found.name in _NO_LETTERS or not found._is_text_encoding else found.name


def own_lines(text: str) -> list[str]:
    """The sender's own lines: nothing quoted, no "… wrote:", no signature. Blank lines stay as ""."""
    lines = [line.replace("\xa0", " ").strip()[:LONGEST_LINE] for line in text.splitlines()[:MOST_LINES]]
    own: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        span = _wrote(lines, at)
        if span:
            # programs that do not mark quoted text put it below this line; with those that do, a reply may follow it
            rest = next((later for later in lines[at + span :] if later), "")
            if not rest.startswith(">"):
                break
            at += span
            continue
        if _CUTS.match(line) or _quoted_head(lines, at):
            break
        if not line.startswith((">", "|")) and not _DEVICE.match(line):
            own.append(line)
        at += 1
    return own


def _wrote(lines: list[str], at: int) -> int:
    """How many lines from here on make up an "On … wrote:", which programs break; 0 for none."""
    for span in (1, 2, 3):
        if _WROTE.match(" ".join(lines[at : at + span])):
            return span
    return 0


def _quoted_head(lines: list[str], at: int) -> bool:
    """Whether the quoted email begins here, as Outlook quotes it: From, Sent, To, Subject."""
    below = lines[at + 1 : at + 5]
    return bool(_HEADER.match(lines[at])) and sum(bool(_HEADER_TOO.match(line)) for line in below) > 1
