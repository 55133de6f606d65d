"""The page for an error of the server: an ordinary one, or one for a database that is away, full or read-only."""

import sys

from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error as ordinary

AWAY = (OperationalError, InterfaceError, InternalError)  # a read-only PostgreSQL raises the last
RETRY_SECONDS = "60"


def server_error(request: HttpRequest) -> HttpResponse:
    """503 with what to do when the database cannot be reached or written, else 500. No query is made for either page."""
    if isinstance(sys.exc_info()[1], AWAY):
        response = render(None, "503.html", status=503)  # type: ignore[arg-type]  # a request's context asks for its user
        response["Retry-After"] = RETRY_SECONDS
        return response
    return ordinary(request)
