"""Mails as their readers' programs take them apart: text, HTML, calendar entry, inline pictures, headers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from html import unescape
from typing import Any

from icalendar import Calendar


@dataclass(frozen=True)
class Letter:
    """A mail as it lies in somebody's box. sender, to: of the envelope. raw: as it came over the wire."""

    sender: str
    to: str
    raw: bytes

    @cached_property
    def mail(self) -> EmailMessage:
        """The mail itself. Raises AssertionError for one that its makers broke."""
        mail = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        assert not [part.defects for part in mail.walk() if part.defects], "a mail that programs stumble over"
        return mail

    @property
    def subject(self) -> str:
        """Its subject, decoded."""
        return str(self.mail["Subject"]).strip()

    @property
    def message_id(self) -> str:
        """By which the same mail is known again."""
        return str(self.mail["Message-ID"]).strip()

    @cached_property
    def text(self) -> str:
        """The text part; "" without one."""
        return self._body("plain")

    @cached_property
    def html(self) -> str:
        """The HTML part; "" without one."""
        return self._body("html")

    def _body(self, kind: str) -> str:
        part = self.mail.get_body(preferencelist=(kind,))
        return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""

    @cached_property
    def read(self) -> str:
        """What the HTML part says, without its tags and style sheets, by single spaces."""
        page = re.sub(r"<(style|title)\b.*?</\1>", " ", self.html, flags=re.DOTALL)
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())

    @cached_property
    def entry(self) -> Any:
        """The calendar entry that came with it, as its VEVENT; None without one."""
        parts = [part for part in self.mail.walk() if part.get_content_type() == "text/calendar"]
        if not parts:
            return None
        (part,) = parts
        (event,) = Calendar.from_ical(part.get_content()).walk("VEVENT")
        return event

    @cached_property
    def pictures(self) -> dict[str, bytes]:
        """Pictures that stand in the HTML, by Content-ID."""
        found = {}
        for part in self.mail.walk():
            if part.get_content_maintype() == "image":
                found[str(part["Content-ID"]).strip("<> ")] = part.get_content()
        return found

    def holds(self, words: Iterable[str]) -> list[str]:
        """Which of some words occur in anything that a reader may see: headers, both parts, entry, addresses of links, pictures' names."""
        seen = "\n".join(
            [*(f"{k}: {v}" for k, v in self.mail.items()), self.text, self.html, unescape(self.html)]
        )
        entry = self.entry.to_ical().decode() if self.entry is not None else ""
        whole = f"{seen}\n{entry}\n{' '.join(self.pictures)}".casefold()
        return [word for word in words if word.casefold() in whole]


@dataclass
class MailDrop:
    """All that a mail server took, in the order in which it came."""

    letters: list[Letter] = field(default_factory=list)

    def boxes(self) -> dict[str, list[Letter]]:
        """The letters by the address in the envelope."""
        boxes: dict[str, list[Letter]] = defaultdict(list)
        for letter in self.letters:
            boxes[letter.to].append(letter)
        return dict(boxes)

    def ids(self) -> list[str]:
        """Message-IDs as they came."""
        return [letter.message_id for letter in self.letters]
