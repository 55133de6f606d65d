"""Login links, requested by anyone who types a name or address, and emailed by a worker to the accounts that match.

The page only stores the request. Neither its answer nor the time or queries it takes reveal whether an account exists. The emails
hold keys, so they go straight to the mail server and not into the outbox.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from battles import leases
from campaign.models import LinkRequest, Preferences
from campaign.notices.direct import direct_mail, mail_server
from campaign.notices.links import ASKED, own_path, sign_in_link
from campaign.publishing import SEND_LINKS, publish

Kind = LinkRequest.Kind
TRIED_FOR = timedelta(hours=1)  # while no mail server accepts it; after that people have asked again
AGAIN = timedelta(minutes=1)
KEPT = timedelta(days=1)
LONGEST = 500  # characters of a path


class Bound(NamedTuple):
    """How often an account gets such an email, and the preferences field that says when it last did."""

    between: timedelta
    field: str


BOUNDS = {
    Kind.LOGIN: Bound(timedelta(minutes=5), "link_asked"),
    Kind.PASSWORD: Bound(timedelta(hours=1), "reset_asked"),
}


def link_ask(*, kind: str, who: str, path: str = "") -> None:
    """Ask for a link for the account with this name or address. path: where a login link leads.

    The same words are stored only once in a while, so a stranger can add no more than one row. No account is looked up here.
    """
    kind, now = Kind(kind), timezone.now()
    who = who.strip()[:254]
    path = own_path(path if len(path) <= LONGEST and path.isprintable() else "")
    lately = LinkRequest.objects.filter(kind=kind, who=who, asked__gt=now - BOUNDS[kind].between)
    if lately.exists():
        return
    with transaction.atomic():
        made = LinkRequest.objects.create(kind=kind, who=who, path=path, asked=now)
        publish(SEND_LINKS, made.pk)


def link_requests_due(now: datetime) -> list[int]:
    """Keys of requests that wait for a worker. Those a day old are deleted: they hold what strangers typed."""
    LinkRequest.objects.filter(asked__lt=now - KEPT).delete()
    return list(_due(now).values_list("pk", flat=True)[:100])


def links_send(*, request_id: int) -> int:
    """Email the links for one request. Returns how many were sent; a second call for the same request sends none.

    A request that the mail server did not accept is tried again for an hour.
    """
    now = timezone.now()
    token = leases.take(_due(now).filter(pk=request_id))
    if token is None:
        return 0
    asked = LinkRequest.objects.get(pk=request_id)
    sent, whole = _mailed(asked)
    changes: dict[str, Any] = {"done": now} if whole else {"retry_after": now + AGAIN}
    LinkRequest.objects.filter(pk=asked.pk, claim=token).update(claim=None, lease_until=None, **changes)
    return sent


def _due(now: datetime) -> QuerySet[LinkRequest]:
    waiting = LinkRequest.objects.filter(done=None, asked__gt=now - TRIED_FOR)
    return waiting.filter(leases.free(now), Q(retry_after=None) | Q(retry_after__lte=now))


def _mailed(asked: LinkRequest) -> tuple[int, bool]:
    """How many emails were sent, and whether that was all of them."""
    users = [user for user in _accounts(asked) if _turn_of(user, asked)]
    if not users:
        return 0, True
    server = mail_server()
    if server is None:
        return 0, False
    try:
        sent = sum(_mail(asked, user, server) for user in users)
    finally:
        server.close()
    return sent, sent == len(users)


def _mail(asked: LinkRequest, user: User, server: Any) -> bool:
    if asked.kind == Kind.LOGIN:
        stem, context = "login_link", {"link": sign_in_link(user, own_path(asked.path), scope=ASKED)}
    else:
        uid = urlsafe_base64_encode(force_bytes(user.pk))
        stem, context = "password_mail", {"uid": uid, "token": default_token_generator.make_token(user)}
    return direct_mail(stem=stem, to=user.email, context={"user": user, **context}, connection=server)


def _accounts(asked: LinkRequest) -> QuerySet[Any]:
    named = Q(email__iexact=asked.who)
    if asked.kind == Kind.LOGIN:
        named |= Q(username__iexact=asked.who)
    return get_user_model().objects.filter(named, is_active=True).exclude(email="")


def _turn_of(user: User, asked: LinkRequest) -> bool:
    """Whether an account may have such an email now; if so, the request is noted. A retry of the same request may also go."""
    bound = BOUNDS[Kind(asked.kind)]
    row, _ = Preferences.objects.get_or_create(user=user)
    free = Q(**{bound.field: None}) | Q(**{f"{bound.field}__lte": asked.asked - bound.between})
    if asked.attempts > 1:
        free |= Q(**{bound.field: asked.asked})
    return bool(Preferences.objects.filter(free, pk=row.pk).update(**{bound.field: asked.asked}))
