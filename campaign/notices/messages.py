"""A mail as it came over the wire, read into what a reply needs: who, when, and the words that he wrote himself.

Pure: bytes in, values out. Whether the sender may order anything is decided in `campaign.services.replies`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from html.parser import HTMLParser

LARGEST = (
    2_000_000  # bytes of a mail that are read; what is cut off are pictures, for the words stand before them
)
LONGEST_TEXT = 200_000  # letters of its text
LONGEST_LINE = 1_000
LONGEST_ID = 200

_BULK = frozenset({"bulk", "junk", "list", "auto_reply"})
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
    """A mail. sender: address in small letters, "" when it names none or several. sent: None without a date that can be read.

    automatic: sent by a machine, which no answer may reach. to: as the header has it. text: its text part whole, quoted lines among it.
    """

    message_id: str
    sender: str
    sent: datetime | None
    automatic: bool
    subject: str
    to: str
    text: str


def message_from(raw: bytes) -> Message:
    """Read a mail. A fault of its making never raises: what cannot be read is left empty."""
    try:
        mail = message_from_bytes(raw[:LARGEST], policy=policy.default)
    except Exception:  # parts within parts without end, and whatever else the parser stumbles over
        mail = EmailMessage(policy.default)
    assert isinstance(mail, EmailMessage)  # which the policy makes
    named = _header(mail, "Message-ID").strip()
    if not named or len(named) > LONGEST_ID:
        named = f"<{hashlib.sha256(raw).hexdigest()}>"
    senders = [address.casefold() for _, address in getaddresses([_header(mail, "From")]) if "@" in address]
    return Message(
        message_id=named,
        sender=senders[0] if len(senders) == 1 else "",
        sent=_date(_header(mail, "Date")),
        automatic=_automatic(mail),
        subject=_header(mail, "Subject"),
        to=_header(mail, "To"),
        text=_text(mail),
    )


def clean(words: str) -> str:
    """Words without what neither database nor mail takes: control characters, halves of letters."""
    return words.translate(_UNFIT).encode("utf-8", "replace").decode()


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return clean(str(mail[name] or ""))
    except Exception:  # the parser of a broken header may raise nearly anything
        return ""


def _date(header: str) -> datetime | None:
    try:
        when = parsedate_to_datetime(header)
    except (TypeError, ValueError, IndexError):
        return None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def _automatic(mail: EmailMessage) -> bool:
    """Whether a machine sent it: an absence, a list, a bounce."""
    marked = _header(mail, "Auto-Submitted").strip().casefold() not in ("", "no")
    bulk = _header(mail, "Precedence").strip().casefold() in _BULK
    absent = bool(_header(mail, "X-Autoreply") or _header(mail, "X-Autorespond"))
    bounce = _header(mail, "Return-Path").strip() == "<>" or _content_type(mail) == "multipart/report"
    return marked or bulk or absent or bounce


def _content_type(part: EmailMessage) -> str:
    try:
        return part.get_content_type()
    except Exception:  # as in _header
        return ""


def _text(mail: EmailMessage) -> str:
    """The text part; the text of the HTML where there is none or nothing in it."""
    for kind in ("plain", "html"):
        try:
            part = mail.get_body(preferencelist=(kind,))
        except Exception:  # as in _header
            part = None
        words = _content(part) if isinstance(part, EmailMessage) else ""
        if words.strip():
            return html_text(words) if kind == "html" else words
    return ""


def unflowed(text: str, *, delsp: bool = False) -> str:
    """A text whose mail program broke its lines and marked the breaks with a space (RFC 3676), with its lines whole again.

    delsp: the space goes with the break. A line that begins like an order is one, whatever stands at the end of the one before.
    """
    whole: list[str] = []
    depth = 0
    soft = False
    for line in text.splitlines():
        words = line.lstrip(">")
        quoted = len(line) - len(words)
        words = words.removeprefix(" ")  # put there by the program before words that might be taken for marks
        goes_on = soft and quoted == depth and words != "-- " and not _LABELLED.match(words)
        soft, depth = words.endswith(" ") and words != "-- ", quoted
        words = words[:-1] if soft and delsp else words
        if goes_on:
            whole[-1] += words
        else:
            whole.append(f"{'>' * quoted} {words}" if quoted else words)
    return "\n".join(whole)


def _content(part: EmailMessage) -> str:
    try:
        words = str(part.get_content())
    except Exception:  # a character set that nobody knows
        whole = part.get_payload(decode=True)
        words = whole.decode("utf-8", "replace") if isinstance(whole, bytes) else ""
    words = clean(words[:LONGEST_TEXT])
    if str(part.get_param("format", "")).casefold() == "flowed":
        words = unflowed(words, delsp=str(part.get_param("delsp", "")).casefold() == "yes")
    return words


class _Reader(HTMLParser):
    """Text of a page: a line for each block, and a mark before each line of a quotation."""

    HIDDEN = frozenset({"style", "script", "head", "title"})
    BLOCKS = frozenset(
        {"p", "div", "br", "li", "tr", "table", "h1", "h2", "h3", "hr", "pre", "blockquote", "ul"}
    )

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.hidden = self.quoted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A block begins a line; a quotation is marked like one in a text."""
        self.hidden += tag in self.HIDDEN
        self.quoted += tag == "blockquote"
        if tag in self.BLOCKS:
            self.words.append("\n" + "> " * min(self.quoted, 1))

    def handle_endtag(self, tag: str) -> None:
        """A block ends its line."""
        self.hidden = max(0, self.hidden - (tag in self.HIDDEN))
        self.quoted = max(0, self.quoted - (tag == "blockquote"))
        if tag in self.BLOCKS:
            self.words.append("\n" + "> " * min(self.quoted, 1))

    def handle_data(self, data: str) -> None:
        """Words; line ends in the source are spaces."""
        if not self.hidden:
            self.words.append(re.sub(r"\s+", " ", data))


def html_text(page: str) -> str:
    """The text of an HTML mail, a line for each block."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return "".join(reader.words)


def own_lines(text: str) -> list[str]:
    """The lines that the sender wrote himself: nothing quoted, no "… wrote:", no signature. Blank lines stay as ""."""
    lines = [line.replace("\xa0", " ").strip()[:LONGEST_LINE] for line in text.splitlines()]
    own: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        span = _wrote(lines, at)
        if span:
            # programs that mark no quotation put it below this line; those that do let an answer follow it
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
    """How many lines from here on are an "On … wrote:", which programs break; 0 for none."""
    for span in (1, 2, 3):
        if _WROTE.match(" ".join(lines[at : at + span])):
            return span
    return 0


def _quoted_head(lines: list[str], at: int) -> bool:
    """Whether the mail that is answered begins here, as Outlook quotes it: From, Sent, To, Subject."""
    below = lines[at + 1 : at + 5]
    return bool(_HEADER.match(lines[at])) and sum(bool(_HEADER_TOO.match(line)) for line in below) > 1
