"""The second channel: a notice posted to a web address, in the JSON that Discord and similar servers accept.

A player gives the address, so a post must not reach into the site's own network: the name is resolved once, all its addresses must
be public, the post goes to that very address, and no redirect is followed. Nor may a server chosen by a player hold up a worker:
a post has a time limit, and only the head of the answer is read.
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

import urllib3
from django.conf import settings

LONGEST = 1900  # Discord takes 2000 characters
SECONDS = 10.0
PORTS = {"https": 443, "http": 80}
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses that look public and lead to the machine's own provider or to a relay.
_INNER = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "168.63.129.16/32", "192.88.99.0/24")))
# All of IPv6 allocated so far; the rest, including site-local addresses, leads nowhere or inward.
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
# Within that, reserved for documentation. Newer than the list in some Pythons.
_FOR_BOOKS = ipaddress.ip_network("3fff::/20")
# IPv4 addresses behind a public translator. The range for a network's own translators is not included.
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
# What chat servers treat as a mention: the sign that makes it one, before its name.
_CALL = re.compile(r"@(?=(?:everyone|here|channel|all|room)\b)|<(?=[!@#])", re.I)
_NO_CALL = "\u200b"  # a space that no one sees


class WebhookRefused(ValueError):
    """An address that we do not post to; the text says why. Trying again will not help."""


class WebhookFailed(RuntimeError):
    """A post that did not arrive; worth another try. wait: what the server asked for before that."""

    def __init__(self, words: str, wait: timedelta = timedelta(0)) -> None:
        super().__init__(words)
        self.wait = wait


def body_of(*, subject: str, text: str) -> dict[str, Any]:
    """A notice as JSON for a webhook: subject in bold, then as much of the text as fits.

    Players write some of its words, and must not be able to notify a whole channel. Discord is asked to allow no mentions; for
    servers that ignore this, a zero-width space breaks up “@everyone” and “<!channel>”.
    """
    content = _CALL.sub(lambda sign: sign[0] + _NO_CALL, f"**{subject}**\n{text.strip()}")
    if len(content) > LONGEST:
        content = content[: LONGEST - 1].rstrip() + "…"
    return {"username": "Weather Gage", "content": content, "allowed_mentions": {"parse": []}}


def target_of(address: str) -> tuple[str, str, int, str]:
    """Scheme, host, port and path with query of a web address. Raises WebhookRefused."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise WebhookRefused(
            "That is not a valid web address. Copy it again from your chat server."
        ) from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise WebhookRefused("That is not a webhook address. Enter one that begins with “https://”.")
    if parts.scheme == "http" and not settings.WEBHOOKS_MAY_BE_PRIVATE:
        raise WebhookRefused("A webhook address must begin with https:// to keep posts private.")
    if port not in (None, PORTS[parts.scheme]) and not settings.WEBHOOKS_MAY_BE_PRIVATE:
        raise WebhookRefused("A webhook address must use port 443. Remove the port from it.")
    if parts.username or parts.password:
        raise WebhookRefused("A webhook address must not contain a username or password. Remove them.")
    try:
        host = parts.hostname if ":" in parts.hostname else parts.hostname.encode("idna").decode("ascii")
    except UnicodeError:
        raise WebhookRefused(
            "That is not a valid web address. Copy it again from your chat server."
        ) from None
    path = parts.path or "/"
    return (
        parts.scheme,
        host,
        port or PORTS[parts.scheme],
        f"{path}?{parts.query}" if parts.query else path,
    )


def public_address(host: str, port: int) -> str:
    """The address to post to. Raises WebhookRefused when one of the host's addresses is not public, WebhookFailed for an unknown host."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise WebhookFailed(f"{host} was not found: {error}") from error
    addresses = [str(row[4][0]) for row in found]
    if not settings.WEBHOOKS_MAY_BE_PRIVATE:
        if not all(is_public(ipaddress.ip_address(address.partition("%")[0])) for address in addresses):
            raise WebhookRefused(f"{host} is in a private network. Use a public address.")
    return addresses[0]


def is_public(address: Address) -> bool:
    """Whether an address leads to the internet, and so do any addresses wrapped in it."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in _TRANSLATED:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        wrapped = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if any(inner is not None for inner in wrapped):
            return all(is_public(inner) for inner in wrapped if inner is not None)
        if address not in _GIVEN_OUT or address in _FOR_BOOKS:
            return False
    elif any(address in net for net in _INNER):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def post(address: str, *, subject: str, text: str) -> None:
    """Post a notice. Raises WebhookRefused for an address that is not posted to, WebhookFailed for a post that did not arrive."""
    scheme, host, port, path = target_of(address)
    ip = public_address(host, port)
    body = json.dumps(body_of(subject=subject, text=text))
    named = f"[{host}]" if ":" in host else host
    headers = {
        "Host": named if port == PORTS[scheme] else f"{named}:{port}",
        "Content-Type": "application/json",
    }
    try:
        with _line(scheme, host, ip, port) as line:
            answer = line.request(
                "POST", path, body=body, headers=headers, redirect=False, retries=False, preload_content=False
            )
            with closing(answer):
                _judge(host, answer.status, answer.headers)
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise WebhookFailed(f"{host} did not accept the post: {error}") from error


@contextmanager
def _line(scheme: str, host: str, ip: str, port: int) -> Iterator[urllib3.HTTPConnectionPool]:
    """A connection by number, cut after SECONDS whatever happens: a server that drips its answer never hits a socket's timeout."""
    made: list[socket.socket] = []

    def cut() -> None:
        for sock in made:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    pool: urllib3.HTTPConnectionPool
    timeout = urllib3.Timeout(total=SECONDS)
    if scheme == "https":
        # connected by number, checked by name: no one can redirect the name between resolving and posting
        pool = urllib3.HTTPSConnectionPool(
            ip, port, server_hostname=host, assert_hostname=host, timeout=timeout
        )
    else:
        pool = urllib3.HTTPConnectionPool(ip, port, timeout=timeout)
    plain: Any = pool.ConnectionCls

    class Watched(plain):
        def _new_conn(self) -> socket.socket:
            sock: socket.socket = super()._new_conn()
            made.append(sock.dup())  # TLS takes the socket itself over
            return sock

    pool.ConnectionCls = Watched
    timer = Timer(SECONDS, cut)
    timer.start()
    try:
        yield pool
    finally:
        timer.cancel()
        timer.join()
        pool.close()
        for sock in made:
            sock.close()


def _judge(host: str, status: int, headers: Any) -> None:
    """Judge an answer. Raises as `post` does."""
    if 300 <= status < 400:
        raise WebhookRefused(f"{host} redirects posts. Enter the address it redirects to.")
    if status in (404, 410):
        raise WebhookRefused(f"{host} no longer has this webhook ({status}).")
    if status >= 400:
        raise WebhookFailed(f"{host} answered {status}.", _asked(headers.get("Retry-After", "")))


def _asked(value: str) -> timedelta:
    """How long a server asks us to wait, given in seconds or as a date; zero if it cannot be read."""
    try:
        return timedelta(seconds=max(0.0, float(value)))
    except (ValueError, OverflowError):
        pass
    try:
        until = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return timedelta(0)
    until = until if until.tzinfo is not None else until.replace(tzinfo=UTC)
    return max(timedelta(0), until - datetime.now(UTC))
