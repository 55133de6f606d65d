"""A picture inside an email: beside the HTML that shows it, not among the attachments."""

from __future__ import annotations

from email.mime.image import MIMEImage
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, SafeMIMEMultipart


class PicturedMail(EmailMultiAlternatives):
    """An email whose HTML may show pictures that it holds (multipart/related), as email programs expect.

    Backends other than SMTP see them as attachments, and recognise them by their Content-ID.
    """

    def show(self, cid: str, png: bytes) -> None:
        """Hold a picture that the HTML shows by its Content-ID."""
        image = MIMEImage(png, "png")
        image.add_header("Content-ID", f"<{cid}>")
        image.add_header("Content-Disposition", "inline", filename="chart.png")
        self.attach(image)

    def message(self, **how: Any) -> Any:
        """The email as it goes over the wire. Its boundaries are random, which saves searching for one that occurs nowhere."""
        mail = super().message(**how)
        for part in mail.walk():
            if part.is_multipart():
                part.set_boundary(f"=_{token_hex(16)}")
        return mail

    def _create_alternatives(self, msg: Any) -> Any:
        whole = super()._create_alternatives(msg)  # type: ignore[misc]
        pictures = [part for part in self.attachments if isinstance(part, MIMEImage)]
        if not pictures or not self.alternatives:
            return whole
        parts = whole.get_payload()
        related = SafeMIMEMultipart(_subtype="related", encoding=self.encoding or settings.DEFAULT_CHARSET)
        related.attach(parts[-1])
        for picture in pictures:
            related.attach(picture)
        parts[-1] = related
        return whole

    def _create_attachments(self, msg: Any) -> Any:
        kept = self.attachments
        if self.alternatives:
            self.attachments = [part for part in kept if not isinstance(part, MIMEImage)]
        try:
            return super()._create_attachments(msg)  # type: ignore[misc]
        finally:
            self.attachments = kept
