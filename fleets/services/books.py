"""The books of a campaign and the navies in them."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from fleets.models import Book, Nation, Navy
from fleets.services.registers import nations_load


def book_create(*, code: str, rule_set: str, engine_version: int, rules_hash: str = "") -> Book:
    """Open the books of a campaign. Raises ValidationError when the code is not a slug or is taken."""
    book = Book(code=code, rule_set=rule_set, engine_version=engine_version, rules_hash=rules_hash)
    book.full_clean()
    book.save(force_insert=True)
    return book


def book_play_by(*, book: Book, number: int, fingerprint: str) -> None:
    """From now on the books go by a version of their rule set."""
    book.engine_version, book.rules_hash = number, fingerprint
    book.save(update_fields=["engine_version", "rules_hash"])


def navy_create(*, book: Book, nation: str, code: str, name: str, colours: str = "") -> Navy:
    """Enter a side's navy. nation: its name, as in the registers. Raises ValidationError for an unknown nation."""
    nations_load()
    flag = Nation.objects.filter(name__iexact=nation).first()
    if flag is None:
        raise ValidationError(f"{nation!r} is not a known nation. Add it in the admin first.")
    navy = Navy(book=book, nation=flag, code=code, name=name, colours=colours)
    navy.full_clean()
    navy.save(force_insert=True)
    return navy
