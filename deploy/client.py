"""Who is asking, as the proxy in front of the site says."""

from django.http import HttpRequest


def client_ip(request: HttpRequest) -> str:
    """The address of the client: what nginx put into X-Forwarded-For, else the other end of the connection.

    nginx replaces the header (see nginx/weather-gage.conf), so a client cannot give itself an address and
    with it new tries at the log-in.
    """
    return request.META.get("HTTP_X_FORWARDED_FOR", "").strip() or request.META["REMOTE_ADDR"]
