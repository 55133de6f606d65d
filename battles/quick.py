"""The quick reference of a rule set for the table: sequence of play and tables, taken from the set itself so that they cannot differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it.token import Token

from battles import rule_books
from battles.boards import PRESENTATIONS
from battles.engine import registry
from battles.engine.core.sequence import Step

_CHAPTER = "data tables"


@dataclass(frozen=True, slots=True)
class QuickTable:
    """A table of a rule book, with what is written about it. title: "" where the book gives it none. html: safe."""

    title: str
    html: str


@dataclass(frozen=True, slots=True)
class QuickReference:
    """What a player needs at the table of one rule set. title: of the set."""

    title: str
    steps: tuple[Step, ...]
    tables: tuple[QuickTable, ...]


@cache
def quick_reference(name: str) -> QuickReference:
    """The quick reference of a rule set by name. Raises KeyError when there is none of that name."""
    rules = registry.rule_set(name)
    skipped = PRESENTATIONS[name].off_table
    tables = tuple(table for table in _tables(name) if not table.title.startswith(skipped))
    return QuickReference(rules.title, tuple(rules.steps), tables)


def _tables(name: str) -> Iterator[QuickTable]:
    """The tables of the book's chapter of tables, each with what is written about it.

    A heading or a bold opening titles all that follows; where there is none, each table stands by itself after the words before it.
    """
    title, held = "", list[Token]()
    for block in _blocks(rule_books.tokens_of(rule_books.file_of(name))):
        new, rest = _opened(block)
        whole = not title and any(token.type == "table_open" for token in held)
        if held and (new or whole):
            yield QuickTable(title, rule_books.html_of(held))
            held = []
        title = new or title
        held += rest
    if held:
        yield QuickTable(title, rule_books.html_of(held))


def _blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    """The headings, paragraphs and tables of the chapter, each by itself; lines across the page are left out."""
    inside, block = False, list[Token]()
    for before, token in pairwise(tokens):
        if before.type == "heading_open" and before.tag == "h2":
            inside = _CHAPTER in token.content.casefold()
        elif inside and token.type not in ("hr", "heading_close") or block:
            block.append(token)
        if block and token.level == 0 and token.nesting < 1:
            yield block
            block = []
        if token.type == "heading_open" and token.tag == "h2":
            block = []


def _opened(block: list[Token]) -> tuple[str, list[Token]]:
    """The title that a block gives to what follows, "" for none, and what of the block is to be shown under it."""
    if block[0].type == "heading_open":
        return block[1].content, []
    children = [child for child in block[1].children or [] if child.type != "text" or child.content]
    if len(children) < 3 or children[0].type != "strong_open" or not children[1].content.startswith("Table"):
        return "", block
    rest = children[3:]
    if rest:
        rest[0].content = rest[0].content.lstrip(" —")
    block[1].children = rest
    return children[1].content, block if rest else []
