"""The version of the rules that a book goes by, and its rule set: what judges a ship's card and condition. Rule: G.FA1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from battles.engine.core.ruleset import RuleSet
from battles.engine.pinned.rules import rule_set_in
from battles.engine.pinned.versions import Version, newest

if TYPE_CHECKING:
    from fleets.models import Book


def version_of_book(book: Book) -> Version:
    """The version; today's for a book in which none was written down. Raises UnknownRuleSet."""
    if book.rules_hash:
        return Version(book.rule_set, book.engine_version, book.rules_hash)
    return newest(book.rule_set)


def rule_set_of_book(book: Book) -> RuleSet[Any]:
    """The rule set in that version. Raises RulesMissing when it is not installed."""
    return rule_set_in(version_of_book(book))
