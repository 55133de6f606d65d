"""A person's own account: created when they join, and changing its address.

The emails sent here hold keys, so they go straight to the mail server and not into the outbox. Nothing reveals whether an account
exists. Login links are requested in `campaign.services.mail.link_requests`.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from campaign.models import Membership, Notice, Preferences
from campaign.notices.direct import direct_mail, mail_server, plain_words
from campaign.selectors.people.people import name_of

SALT = "campaign.services.own_account.address"  # part of links already sent
ADDRESS_LASTS = timedelta(days=2)
BETWEEN = timedelta(minutes=5)  # between two emails to one account that anyone may ask for
NO_SERVER = "We cannot reach the mail server, so nothing was sent. Try again in a few minutes."


class AccountRefused(ValueError):
    """A change to an account that cannot be made; nothing was changed. The text says why."""


def account_make(*, username: str, address: str, password: str, time_zone: str) -> User:
    """Create an account, with the time zone that its times are shown in. The caller has validated all four."""
    with transaction.atomic():
        user = get_user_model().objects.create_user(username=username, email=address, password=password)
        Preferences.objects.create(user=user, time_zone=time_zone)
    return user


def address_ask(*, user: User, address: str) -> None:
    """Email a confirmation link to the new address, and a note to the old one. The caller has checked the password.

    If an account already uses that address, its owner is told of the attempt, and the asker gets the same answer. Raises
    AccountRefused.
    """
    users = get_user_model().objects
    address = users.normalize_email(address)
    if address.casefold() == user.email.casefold():
        raise AccountRefused("You already use that address. Enter a different one.")
    server = mail_server()
    if server is None:
        raise AccountRefused(NO_SERVER)
    if not _first_in_a_while(user, "address_asked"):
        server.close()
        raise AccountRefused("You asked for a change less than 5 minutes ago. Try again in a few minutes.")
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
        raise AccountRefused(f"The mail server does not accept {address}. Check the spelling.")
    if user.email:
        direct_mail(stem="address_note", to=user.email, context=context, connection=server)
    server.close()


def address_read(*, user: User, token: str) -> str:
    """The new address in a link that was emailed to it. Raises AccountRefused, with a sentence, if this account cannot use it."""
    try:
        said = signing.loads(token, salt=SALT, max_age=ADDRESS_LASTS)
    except signing.SignatureExpired:
        raise AccountRefused("This link has expired. Ask to change your address again.") from None
    except signing.BadSignature:
        raise AccountRefused("This link is incomplete. Copy the whole link from the email.") from None
    if said["who"] != user.pk:
        raise AccountRefused(
            "This link belongs to another account. Log in to that account, then open the link again."
        )
    if not constant_time_compare(said["as"], _as_things_stand(user)):
        raise AccountRefused(
            "This link has been used, or your address or password has changed since. Ask for a new link."
        )
    return str(said["to"])


def address_confirm(*, user: User, token: str) -> str:
    """Change the address, mark it as good, and send what still waits in the outbox there. Returns it. Raises AccountRefused.

    The account's own history, which administrators read, records the change; no campaign's log does.
    """
    address, old = address_read(user=user, token=token), user.email
    if _taken(user, address):
        raise AccountRefused("You cannot use that address. Enter a different one.")
    with transaction.atomic():
        row = get_user_model().objects.filter(pk=user.pk, email=old)
        if not row.update(email=address):
            raise AccountRefused("This link has been used. Ask for a new one.")
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


def _first_in_a_while(user: User, field: str) -> bool:
    """Whether an account's last such email is at least 5 minutes old; if so, this one is noted. Two at once count as one."""
    now = timezone.now()
    row, _ = Preferences.objects.get_or_create(user=user)
    due = Q(**{field: None}) | Q(**{f"{field}__lte": now - BETWEEN})
    return bool(Preferences.objects.filter(due, pk=row.pk).update(**{field: now}))


def _taken(user: User, address: str) -> bool:
    return bool(get_user_model().objects.filter(email__iexact=address).exclude(pk=user.pk).exists())


def _as_things_stand(user: User) -> str:
    """Changes with the address and the password, so that older links stop working."""
    return salted_hmac(SALT, f"{user.pk}|{user.email}|{user.password}", algorithm="sha256").hexdigest()


def _address_link(user: User, address: str) -> str:
    said = {"who": user.pk, "to": address, "as": _as_things_stand(user)}
    return f"{settings.SITE_URL}{reverse('address', args=[signing.dumps(said, salt=SALT)])}"


def _umpires(user: User) -> list[str]:
    """Names of the umpires of a person's campaigns, whom they can ask for help."""
    umpires = Membership.objects.filter(
        campaign__in=Membership.objects.filter(user=user).values("campaign"), role=Membership.Role.UMPIRE
    ).exclude(user=user)
    return sorted({name_of(row.user) for row in umpires.select_related("user")})
