"""Emails as files, one per message, for a club without a mail server."""

import os
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class EmlFileBackend(BaseEmailBackend):
    """Writes each message to its own .eml file in EMAIL_FILE_PATH, which any email program opens.

    File names sort by the time of writing.  A file appears whole: it is written under another name, then renamed.
    """

    def __init__(self, *, file_path: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.folder = Path(file_path or getattr(settings, "EMAIL_FILE_PATH", None) or settings.MAIL_DIR)

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Writes the messages and returns how many; raises OSError unless fail_silently."""
        written = 0
        for message in email_messages:
            if not message.recipients():
                continue
            try:
                self._write(message)
            except OSError:
                if not self.fail_silently:
                    raise
            else:
                written += 1
        return written

    def _write(self, message: EmailMessage) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        name = f"{stamp}-{time.time_ns() % 1_000_000_000:09d}-{uuid.uuid4().hex[:8]}.eml"
        aside = self.folder / f".{name}"
        aside.write_bytes(message.message().as_bytes())
        os.replace(aside, self.folder / name)
