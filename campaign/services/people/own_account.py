"""A person's own account: made when they join, and the change of its address.

What is mailed here holds keys, so it goes straight to the mail server and into no outbox. Nothing tells whether an account exists.
Links with which to log in are asked for in `campaign.services.mail.link_requests`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from campaign.models import Membership, Notice, Preferences
from campaign.notices.direct import direct_mail, mail_server, plain_words
from campaign.selectors.people.people import name_of

SALT = "campaign.services.own_account.address"  # stands in links that are out
ADDRESS_LASTS = timedelta(days=2)
BETWEEN = timedelta(minutes=5)  # two mails to one account that anybody may ask for
NO_SERVER = "The mail server cannot be reached just now, so nothing was sent. Try again in some minutes."


class AccountRefused(ValueError):
    """What cannot be done with an account as things stand; nothing was changed. The text says why."""


def account_make(*, username: str, address: str, password: str, time_zone: str) -> Any:
    """Make an account, with the zone that its times are shown in. The caller has validated all four."""
    with transaction.atomic():
        user = get_user_model().objects.create_user(username=username, email=address, password=password)
        Preferences.objects.create(user=user, time_zone=time_zone)
    return user


def address_ask(*, user: Any, address: str) -> None:
    """Mail a link to the new address that confirms it, and a note to the old one. The caller has asked for the password.

    Who has that address already is told that somebody tried, and the asker gets the same answer. Raises AccountRefused.
    """
    users = get_user_model().objects
    address = users.normalize_email(address)
    if address.casefold() == user.email.casefold():
        raise AccountRefused("That is your address already.")
    server = mail_server()
    if server is None:
        raise AccountRefused(NO_SERVER)
    if not _first_in_a_while(user, "address_asked"):
        server.close()
        raise AccountRefused("You asked for a change less than five minutes ago; wait a little.")
    taken = _taken(user, address)
    context = {
        "user": user,
        "name": plain_words(name_of(user)),
        "umpires": _umpires(user),
        "link": _address_link(user, address),
    }
    stem = "address_tried" if taken else "address_confirm"
    if not direct_mail(stem=stem, to=address, context=context, connection=server):
        server.close()
        Preferences.objects.filter(user=user).update(address_asked=None)
        raise AccountRefused(f"The mail server takes no mail to {address}. Look whether it is written right.")
    if user.email:
        direct_mail(stem="address_note", to=user.email, context=context, connection=server)
    server.close()


def address_read(*, user: Any, token: str) -> str:
    """The new address in a link that was mailed to it. Raises AccountRefused, with a sentence, for one that is no good for this account."""
    try:
        said = signing.loads(token, salt=SALT, max_age=ADDRESS_LASTS)
    except signing.SignatureExpired:
        raise AccountRefused("This link is older than two days. Ask for the change once more.") from None
    except signing.BadSignature:
        raise AccountRefused("This link is not whole. Copy all of it from the mail.") from None
    if said["who"] != user.pk:
        raise AccountRefused("This link belongs to another account. Log in to that one, then open it again.")
    if not constant_time_compare(said["as"], _as_things_stand(user)):
        raise AccountRefused("This link has been used, or your address or password was changed since.")
    return str(said["to"])


def address_confirm(*, user: Any, token: str) -> str:
    """Change the address, count it as good, and send there what still waits in the outbox. Returns it. Raises AccountRefused.

    The account's own history, which administrators read, says that it was done; no campaign's log does.
    """
    address, old = address_read(user=user, token=token), user.email
    if _taken(user, address):
        raise AccountRefused("That address cannot be used. Ask for another.")
    with transaction.atomic():
        row = get_user_model().objects.filter(pk=user.pk, email=old)
        if not row.update(email=address):
            raise AccountRefused("This link has been used.")
        Preferences.objects.filter(user=user).update(bounced=None, why="", address_asked=None)
        unsent = (Notice.Status.WAITING, Notice.Status.DIGEST, Notice.Status.FAILED)
        Notice.objects.filter(recipient=user, channel="email", status__in=unsent).update(address=address)
        LogEntry.objects.log_actions(
            user.pk, row.model.objects.filter(pk=user.pk), CHANGE, "Changed the address.", single_object=True
        )
    user.email = address
    if old:
        context = {"user": user, "name": name_of(user), "umpires": _umpires(user)}
        direct_mail(stem="address_changed", to=old, context=context)
    return address


def _first_in_a_while(user: Any, field: str) -> bool:
    """Whether an account's last such mail is five minutes old; this one is noted then. Two at once are one."""
    now = timezone.now()
    row, _ = Preferences.objects.get_or_create(user=user)
    due = Q(**{field: None}) | Q(**{f"{field}__lte": now - BETWEEN})
    return bool(Preferences.objects.filter(due, pk=row.pk).update(**{field: now}))


def _taken(user: Any, address: str) -> bool:
    return bool(get_user_model().objects.filter(email__iexact=address).exclude(pk=user.pk).exists())


def _as_things_stand(user: Any) -> str:
    """Changes with the address and the password, so that a link for what was is dead."""
    return salted_hmac(SALT, f"{user.pk}|{user.email}|{user.password}", algorithm="sha256").hexdigest()


def _address_link(user: Any, address: str) -> str:
    said = {"who": user.pk, "to": address, "as": _as_things_stand(user)}
    return f"{settings.SITE_URL}{reverse('address', args=[signing.dumps(said, salt=SALT)])}"


def _umpires(user: Any) -> list[str]:
    """Names of the umpires of a person's campaigns: whom to turn to."""
    umpires = Membership.objects.filter(
        campaign__in=Membership.objects.filter(user=user).values("campaign"), role=Membership.Role.UMPIRE
    ).exclude(user=user)
    return sorted({name_of(row.user) for row in umpires.select_related("user")})
