"""Real mail servers on a port of 127.0.0.1: good ones, and all the bad ones that a club meets."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.maildrop import Letter, MailDrop
from tests.support.redis import free_port

SMTP_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
TAKEN = "250 OK"

logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd tells every word that was said


@dataclass
class MailServer:
    """A server and its habits, which a test may change while it runs; the given ones take everything.

    recipients: its answer to RCPT by address. sender, data: its answer to MAIL and to the mail itself, "" for a good one.
    drops: how many mails more it takes and then hangs up without a word. most: mails a connection before it answers 421; 0 for no end.
    hangs: seconds that it thinks about each address. connections: how many there have been.
    """

    port: int = 0
    drop: MailDrop = field(default_factory=MailDrop)
    recipients: dict[str, str] = field(default_factory=dict)
    sender: str = ""
    data: str = ""
    drops: int = 0
    most: int = 0
    hangs: float = 0.0
    connections: int = 0

    @property
    def letters(self) -> list[Letter]:
        """What it took."""
        return self.drop.letters

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """A connection begins."""
        self.connections += 1
        session.host_name = hostname
        session.taken = 0  # type: ignore[attr-defined]
        return responses

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Who sends."""
        if self.most and session.taken >= self.most:  # type: ignore[attr-defined]
            return "421 4.7.0 Too many messages in this connection"
        if self.sender:
            return self.sender
        envelope.mail_from = address
        return TAKEN

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """To whom."""
        await asyncio.sleep(self.hangs)
        answer = self.recipients.get(address, TAKEN)
        if answer == TAKEN:
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """The mail."""
        if self.data:
            return self.data
        session.taken += 1  # type: ignore[attr-defined]
        assert isinstance(envelope.content, bytes)
        for address in envelope.rcpt_tos:
            self.drop.letters.append(Letter(str(envelope.mail_from), address, envelope.content))
        if self.drops:
            self.drops -= 1
            assert server.transport is not None
            server.transport.abort()
        return TAKEN


@contextlib.contextmanager
def mail_server(**habits: Any) -> Iterator[MailServer]:
    """A server on a free port, or the one that is given, stopped with the block."""
    made = MailServer(**{"port": free_port(), **habits})
    controller = Controller(made, hostname="127.0.0.1", port=made.port, server_hostname="mx.club.example")
    controller.start()
    try:
        yield made
    finally:
        controller.stop()


@contextlib.contextmanager
def silent_server() -> Iterator[int]:
    """The port of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def use(settings: Any, port: int, *, seconds: float = 2.0) -> None:
    """Have the project send its mails to this port; seconds: how long it waits for an answer."""
    settings.EMAIL_BACKEND = SMTP_BACKEND
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_TIMEOUT = seconds
