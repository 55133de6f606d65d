"""The second channel: a notice posted to a web address, in the JSON that Discord and its likes take.

An address is given by a player, so a post must not reach into the network that the site stands in: the name is resolved once, every
address that it has must be a public one, the post goes to that very address, and no redirect is followed.
"""

from __future__ import annotations

import ipaddress
import json
import socket
from datetime import timedelta
from urllib.parse import urlsplit

import urllib3
from django.conf import settings

LONGEST = 1900  # Discord takes 2000 characters
SECONDS = 10.0
PORTS = {"https": 443, "http": 80}


class WebhookRefused(ValueError):
    """An address that nothing is posted to; the text says why. It will not get better by trying again."""


class WebhookFailed(RuntimeError):
    """A post that did not arrive; worth another try. wait: what the server asked for before that."""

    def __init__(self, words: str, wait: timedelta = timedelta(0)) -> None:
        super().__init__(words)
        self.wait = wait


def body_of(*, subject: str, text: str) -> dict[str, str]:
    """A notice as JSON for a webhook: subject in bold, then as much of the text as is taken."""
    content = f"**{subject}**\n{text.strip()}"
    if len(content) > LONGEST:
        content = content[: LONGEST - 1].rstrip() + "…"
    return {"username": "Weather Gage", "content": content}


def target_of(address: str) -> tuple[str, str, int, str]:
    """Scheme, host, port and path with query of a web address. Raises WebhookRefused."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise WebhookRefused("That is no web address.") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise WebhookRefused("A webhook's address begins with https:// and names a host.")
    if parts.scheme == "http" and not settings.WEBHOOKS_MAY_BE_PRIVATE:
        raise WebhookRefused("A webhook's address begins with https://, so that nobody reads along.")
    if parts.username or parts.password:
        raise WebhookRefused("A webhook's address holds no user name.")
    path = parts.path or "/"
    return (
        parts.scheme,
        parts.hostname,
        port or PORTS[parts.scheme],
        f"{path}?{parts.query}" if parts.query else path,
    )


def public_address(host: str, port: int) -> str:
    """The address to post to. Raises WebhookRefused when one of the host's addresses is not public, WebhookFailed for an unknown host."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise WebhookFailed(f"{host} is not known: {error}") from error
    addresses = [str(row[4][0]) for row in found]
    if not settings.WEBHOOKS_MAY_BE_PRIVATE:
        for address in addresses:
            ip = ipaddress.ip_address(address.partition("%")[0])
            ip = getattr(ip, "ipv4_mapped", None) or ip
            if not ip.is_global or ip.is_multicast:
                raise WebhookRefused(f"{host} lies in a private network.")
    return addresses[0]


def post(address: str, *, subject: str, text: str) -> None:
    """Post a notice. Raises WebhookRefused for an address that is not posted to, WebhookFailed for a post that did not arrive."""
    scheme, host, port, path = target_of(address)
    ip = public_address(host, port)
    timeout = urllib3.Timeout(total=SECONDS)
    pool: urllib3.HTTPConnectionPool
    if scheme == "https":
        # connected by number, checked by name: between resolving and posting nobody can turn the name elsewhere
        pool = urllib3.HTTPSConnectionPool(
            ip, port, server_hostname=host, assert_hostname=host, timeout=timeout
        )
    else:
        pool = urllib3.HTTPConnectionPool(ip, port, timeout=timeout)
    headers = {
        "Host": host if port == PORTS[scheme] else f"{host}:{port}",
        "Content-Type": "application/json",
    }
    try:
        answer = pool.request(
            "POST",
            path,
            body=json.dumps(body_of(subject=subject, text=text)),
            headers=headers,
            redirect=False,
            retries=False,
        )
    except urllib3.exceptions.HTTPError as error:
        raise WebhookFailed(f"{host} did not take it: {error}") from error
    finally:
        pool.close()
    if 300 <= answer.status < 400:
        raise WebhookRefused(f"{host} sends posts elsewhere; give the address that it leads to.")
    if answer.status in (404, 410):
        raise WebhookRefused(f"{host} knows no such webhook any more ({answer.status}).")
    if answer.status >= 400:
        raise WebhookFailed(f"{host} answered {answer.status}.")
