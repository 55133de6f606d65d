"""Mails as they were before their links got keys."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

from django.utils import timezone

from campaign.notices.links import WARNING
from campaign.services.mail.link_requests import link_requests_due, links_send

KEYED = re.compile(r"https?://[^\s\"'<>]+/in\?next=[^\s\"'<>]+key=[\w-]+")


def keyed_links(body: str) -> list[str]:
    """The links of a text or HTML body that log somebody in, ready to be opened."""
    return [html.unescape(found) for found in KEYED.findall(body)]


def path_and_key(link: str) -> tuple[str, str]:
    """Where such a link leads on to, and its key."""
    query = parse_qs(urlsplit(link).query)
    return query["next"][0], query["key"][0]


def without_keys(body: str) -> str:
    """A sent body as its notice holds it."""

    def plain(found: re.Match[str]) -> str:
        link = html.unescape(found[0])
        parts = urlsplit(link)
        return f"{parts.scheme}://{parts.netloc}{path_and_key(link)[0]}"

    return KEYED.sub(plain, body).replace(f"{WARNING}\n", "")


def links_mailed() -> int:
    """Let a worker answer everybody who has asked for a link with which to log in. Returns how many mails went."""
    return sum(links_send(request_id=pk) for pk in link_requests_due(timezone.now()))
