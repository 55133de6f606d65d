"""Who is asking, as far as the proxies in front of the site can be trusted."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def client_ip(request: HttpRequest) -> str:
    """The address of the client, for locking out those who guess passwords.

    `settings.TRUSTED_PROXIES` says how many proxies are in front of the site. Each of them writes the address it was asked from at
    the end of X-Forwarded-For, so the entry that many places from the end is the client's. Entries before it come from the client,
    who could otherwise give itself a new address for every guess. With 0 the header counts for nothing.
    """
    direct: str = request.META.get("REMOTE_ADDR", "")
    entries = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    trusted = min(settings.TRUSTED_PROXIES, len(entries))
    if not trusted:
        return direct
    try:
        return str(ipaddress.ip_address(entries[-trusted].strip()))
    except ValueError:
        return direct
