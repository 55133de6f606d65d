"""The people of an archive: by their addresses, or under pseudonyms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User

from campaign.services.archive.tables import NAMES, PRIVATE, TEXTS
from campaign.services.umpire_log import SITE

ADDRESSES = "addresses"
PSEUDONYMS = "pseudonyms"
# who acts where no person does
NOBODY = frozenset({"", SITE, "the terminal", "the automatic admiral"})
SHORTEST = 3  # letters of a name that is looked for in a text


class People:
    """People as an archive numbers them, in the order in which its rows name them."""

    def __init__(self, mode: str) -> None:
        self.hidden = mode == PSEUDONYMS
        self._numbers: dict[int, int] = {}
        self._names: dict[str, str] = {}

    def number(self, user_id: int) -> int:
        """A person's number in the archive."""
        return self._numbers.setdefault(user_id, len(self._numbers) + 1)

    def know(self, user_ids: set[int]) -> None:
        """Number some people, so that their names are known in every text."""
        for user in User.objects.filter(pk__in=user_ids).order_by("pk"):
            alias = f"player-{self.number(user.pk)}"
            names = (user.username, user.email, user.username.partition("@")[0], user.email.partition("@")[0])
            for name in (*names, user.get_full_name(), user.first_name, user.last_name):
                if len(name) >= SHORTEST:
                    self._names.setdefault(name.casefold(), alias)

    def rows(self) -> Iterator[dict[str, Any]]:
        """What the archive says of each: without a password, and under pseudonyms nothing but a name that means nothing."""
        found = User.objects.in_bulk(list(self._numbers))
        for key, number in self._numbers.items():
            user = found[key]
            names = {name: getattr(user, name) for name in ("username", "email", "first_name", "last_name")}
            if self.hidden:
                names = {**dict.fromkeys(names, ""), "username": f"player-{number}"}
            yield {"id": number, **names}

    def hide(self, label: str, row: dict[str, Any]) -> None:
        """Put pseudonyms into the columns of a row that hold names, and into texts that mention one."""
        if not self.hidden:
            return
        for column in NAMES.get(label, ()):
            if row[column] not in NOBODY:
                row[column] = self._alias(row[column])
        for column in TEXTS.get(label, ()):
            row[column] = self._without_names(row[column])
        for column in PRIVATE.get(label, ()):
            row[column] = ""

    def _alias(self, name: str) -> str:
        """Of someone whose account is gone, a pseudonym that no account has."""
        known = self._names
        return known.setdefault(name.casefold(), f"former-{len(known) + 1}")

    def _without_names(self, text: str | None) -> str | None:
        if not text or not self._names:
            return text
        longest_first = sorted(map(re.escape, self._names), key=len, reverse=True)
        words = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)
        return words.sub(lambda found: self._names[found[0].casefold()], text)


def person_here(row: dict[str, Any]) -> tuple[User, bool]:
    """The account with the address of a person of an archive, else a new one without a password; and whether it is new."""
    address = row["email"].strip()
    known = list(User.objects.filter(email__iexact=address)) if address else []
    if len(known) == 1:
        return known[0], False
    name, number = row["username"], 1
    while User.objects.filter(username__iexact=name).exists():
        number += 1
        name = f"{row['username'][:140]}-{number}"
    made = User(username=name, email=address, first_name=row["first_name"], last_name=row["last_name"])
    made.set_unusable_password()
    made.clean_fields(exclude=["password"])
    made.save()
    return made, True
