"""Emails that go straight to the mail server and not into the outbox: they hold a key to an account, or go to someone without one."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.utils.text import Truncator

from campaign.notices.failures import words
from campaign.notices.mail_away import outage_note, outage_now, outage_over

logger = logging.getLogger(__name__)

LONGEST = 60  # characters of a user's own words in an email to a stranger
_INSIDE_WORDS = re.compile(r"(?<=\w)[.:/@\\]+(?=\w)")


def mail_server() -> Any | None:
    """A connection to the mail server; None when it cannot be reached. Opened before we know whether there is anything to send,
    so that the answer does not reveal whether an account exists.

    A page waits for a silent server once: while it is known to be down, it is not called.
    """
    if outage_now() is not None:
        return None
    connection = get_connection()
    try:
        connection.open()
    except OSError as error:
        outage_note(words(error))
        return None
    return connection


def direct_mail(*, stem: str, to: str, context: dict[str, Any], connection: Any | None = None) -> bool:
    """Send one email from `templates/registration/<stem>.txt` and `<stem>_subject.txt`. Returns whether the mail server accepted it."""
    line = connection if connection is not None else mail_server()
    if line is None:
        return False
    full = {"site_url": settings.SITE_URL, **context}
    mail = EmailMessage(
        subject=" ".join(render_to_string(f"registration/{stem}_subject.txt", full).split()),
        body=render_to_string(f"registration/{stem}.txt", full).strip() + "\n",
        to=[to],
        headers={"Auto-Submitted": "auto-generated"},
        connection=line,
    )
    try:
        mail.send()
    except (
        OSError,
        ValueError,
    ) as error:  # a server's refusal is an OSError; an address no header can hold a ValueError
        logger.warning("a mail (%s) could not be sent: %s", stem, type(error).__name__)
        return False
    else:
        outage_over()
    finally:
        if connection is None:
            with suppress(Exception):  # what the server has taken, it has taken
                line.close()
    return True


def plain_words(words: str) -> str:
    """A user's own words for an email to a stranger: short, on one line, with nothing that an email program turns into a link."""
    return Truncator(_INSIDE_WORDS.sub(" ", " ".join(words.split()))).chars(LONGEST)
