"""Links in an email that log its reader in. Their key is added as the email is sent, and is stored nowhere.

Umpires may read every stored notice, so a key in a row would let them log in as the player. A key names one account, is signed with
128 bits and works for one login: `settings.SESAME_*`. It opens a page with a button, because email scanners open links.
"""

from __future__ import annotations

import html
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from sesame import packers
from sesame.backends import ModelBackend
from sesame.tokens_v2 import create_token, parse_token

from campaign.models import Notice

MAILED = "a campaign's mail"
ASKED = "asked for"
ASKED_LASTS = timedelta(hours=24)
LONGEST = 200  # characters of a key; a good one has 32
WARNING = "Each link above logs you in once. Do not forward this email."

_END = re.compile(r"[.,;:!?)\]]+$")


def sign_in_link(user: Any, path: str, *, scope: str = MAILED) -> str:
    """A whole web address that logs a person in, after a button, and takes them to a page of this site."""
    return _links_of(user, scope)(path)


def _links_of(user: Any, scope: str = MAILED) -> Callable[[str], str]:
    """A maker of such addresses with one key: a report on many fleets has many links."""
    start, key = f"{settings.SITE_URL}{reverse('sign_in')}?", create_token(user, scope)
    return lambda path: start + urlencode({"next": path, "key": key})


def key_owner(key: str) -> Any | None:
    """Whom a key logs in; None when it is used, too old, incomplete, or of a closed account. This does not use the key."""
    if not key.isascii() or len(key) > LONGEST:
        return None
    find = ModelBackend().get_user
    return parse_token(key, find, MAILED) or parse_token(key, find, ASKED, ASKED_LASTS)


def key_whole(key: str) -> bool:
    """Whether a key has the right shape, valid or not; if not, part of it was lost on the way."""
    size = len(packers.packer.pack_pk(1)) + 4 + settings.SESAME_SIGNATURE_SIZE  # whom, when, signature
    try:
        return len(_decoded(key)) == size
    except ValueError:
        return False


def key_names(key: str, user: Any) -> bool:
    """Whether a key, valid or not, was made for this person. It proves nothing and lets no one in."""
    whole = key_owner(key)
    if whole is not None:
        return bool(whole.pk == user.pk)
    return key_whole(key) and bool(packers.packer.unpack_pk(_decoded(key))[0] == user.pk)


def key_use(key: str) -> Any | None:
    """Use a key. Returns whom it logs in; None when it is not valid or someone was quicker: two at once log in once."""
    user = key_owner(key)
    if user is None:
        return None
    seen = Q(pk=user.pk, last_login=user.last_login)
    now = timezone.now()
    if not get_user_model().objects.filter(seen).update(last_login=now):
        return None
    user.last_login = now
    return user


def own_path(path: str) -> str:
    """A path of this site to continue to; the home page for anything that would lead elsewhere."""
    if path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        return path
    return reverse("home")


def keyed_text(notice: Notice) -> str:
    """A notice's text with a key in every link to a page of a campaign, and a warning below it."""
    if not _gets_keys(notice):
        return notice.text
    link = _links_of(notice.recipient)

    def keyed(found: re.Match[str]) -> str:
        trailing = _END.search(found[1])
        path = found[1][: trailing.start()] if trailing else found[1]
        return link(path) + (trailing[0] if trailing else "")

    text, count = _text_links().subn(keyed, notice.text)
    return f"{text.rstrip()}\n{WARNING}\n" if count else text


def keyed_html(notice: Notice) -> str:
    """A notice's HTML with a key in every such link; the words of the links stay as they are."""
    if not _gets_keys(notice):
        return notice.html
    link = _links_of(notice.recipient)

    def keyed(found: re.Match[str]) -> str:
        return f'href="{html.escape(link(html.unescape(found[1])))}"'

    return _html_links().sub(keyed, notice.html)


def _decoded(key: str) -> bytes:
    """A key as bytes. Raises ValueError for anything else."""
    return urlsafe_b64decode(key.encode("ascii") + b"=" * (-len(key) % 4))


def _gets_keys(notice: Notice) -> bool:
    """Whether an email goes to its reader as they are now: an open account, at its present address."""
    return notice.is_his_address and notice.recipient is not None and notice.recipient.is_active


def _text_links() -> re.Pattern[str]:
    return re.compile(re.escape(settings.SITE_URL) + r"(/c/[^\s<>\"']+)")


def _html_links() -> re.Pattern[str]:
    return re.compile(r'href="' + re.escape(settings.SITE_URL) + r'(/c/[^"]+)"')
