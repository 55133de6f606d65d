"""Opening the books of a campaign and the navies in them."""

from __future__ import annotations

from fleets.models import Book, Nation, Navy


def book_create(*, code: str, rule_set: str, engine_version: int, rules_hash: str) -> Book:
    """A book for a new campaign. Raises IntegrityError when the code is taken."""
    return Book.objects.create(
        code=code, rule_set=rule_set, engine_version=engine_version, rules_hash=rules_hash
    )


def navy_create(*, book: Book, nation: str, code: str, name: str, colours: str = "") -> Navy:
    """A side's navy. nation: name as in the registers; unknown ones are added."""
    flag, _ = Nation.objects.get_or_create(name=nation)
    return Navy.objects.create(book=book, nation=flag, code=code, name=name, colours=colours)
