"""The books of rules as pages: every clause with an anchor of its own, every clause that is named a link to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from battles.engine import registry
from battles.engine.changes import Change, changes
from battles.engine.core.ruleset import Step

ROOT = Path(__file__).resolve().parent.parent
CAMPAIGN = "campaign"
_CLAUSE = r"[A-Z]\.[A-Z]{0,2}\d+(?:\.\d+)*[a-z]?"
_OPENING = re.compile(rf"({_CLAUSE})\b")
_NAMED = re.compile(rf"(?<![\w.])({_CLAUSE})(?![\w])")
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A line of the table of contents. level: 2 or 3. anchor: where it leads."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class RuleBook:
    """A book as its page shows it. html: the text, safe. steps: the sequence of play, empty for the chart. changes: newest first."""

    name: str
    title: str
    html: str
    contents: tuple[Heading, ...]
    steps: tuple[Step, ...] = ()
    clauses: int = 0
    changes: tuple[Change, ...] = ()


def names() -> tuple[str, ...]:
    """The books there are: the installed rule sets, then the chart."""
    return (*registry.names(), CAMPAIGN)


def file_of(name: str) -> Path:
    """The file in which a book stands."""
    return (ROOT / "campaign/rules" if name == CAMPAIGN else registry.folder(name)) / "rules.md"


def title_of(name: str) -> str:
    """What a book is called."""
    return "The campaign" if name == CAMPAIGN else registry.rule_set(name).title


@cache
def rule_book(name: str) -> RuleBook:
    """A book by name, made once a process. Raises KeyError when there is none of that name."""
    if name not in names():
        raise KeyError(name)
    tokens = _tokens(name)
    anchors = _set_anchors(tokens)
    contents = _set_headings(tokens)
    book_of = {clause: book for book in names() for clause in _clauses_of(book)}
    _set_links(tokens, lambda clause: _address(clause, name, book_of), anchors)
    html = _scrolling(str(_markdown().renderer.render(tokens, _markdown().options, {})))
    steps = () if name == CAMPAIGN else registry.rule_set(name).steps
    versions = changes(file_of(name).parent)
    return RuleBook(name, title_of(name), html, contents, steps, len(_clauses_of(name)), versions)


def clause_address(clause: str) -> str:
    """Where a clause stands, relative to the rules' root: `kohler#K.F7`; "" for one that is in no book here."""
    for book in names():
        if clause in _clauses_of(book):
            return f"{book}#{clause}"
    return ""


def _address(clause: str, here: str, book_of: Mapping[str, str]) -> str:
    book = book_of.get(clause, "")
    return f"#{clause}" if book == here else f"{book}#{clause}" if book else ""


@cache
def _clauses_of(name: str) -> frozenset[str]:
    return frozenset(_set_anchors(_tokens(name)).values())


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _tokens(name: str) -> list[Token]:
    tokens = _markdown().parse(file_of(name).read_text(encoding="utf-8"))
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        del tokens[:3]  # the page has the title already
    for token in tokens:
        if (
            token.attrs.pop("style", None) == "text-align:right"
        ):  # the content policy allows no style in a page
            token.attrSet("class", "num")
    return tokens


def _set_anchors(tokens: list[Token]) -> dict[int, str]:
    """Give every clause's list item its id; returns the clause ids by index of the item's text.

    A clause that stands in a list of readings as well has its anchor where it stands last, the reading one of its own.
    """
    found: dict[int, str] = {}
    items: dict[str, Token] = {}
    item: Token | None = None
    for n, token in enumerate(tokens):
        if token.type == "list_item_open":
            item = token
        elif token.type == "inline" and item is not None:
            clause = _clause_opened(token)
            if clause:
                if clause in items:
                    items[clause].attrSet("id", f"reading-{clause}")
                items[clause] = item
                item.attrSet("id", clause)
                item.attrSet("class", "clause-item")
                found[n] = clause
            item = None
    return found


def _clause_opened(inline: Token) -> str:
    """The clause whose text this is: one that begins with its id in bold."""
    children = [child for child in inline.children or [] if child.type != "text" or child.content]
    if len(children) < 2 or children[0].type != "strong_open":
        return ""
    opening = _OPENING.match(children[1].content)
    return opening.group(1) if opening else ""


def _set_headings(tokens: list[Token]) -> tuple[Heading, ...]:
    contents: list[Heading] = []
    taken: set[str] = set()
    for n, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in ("h2", "h3"):
            text = "".join(child.content for child in tokens[n + 1].children or [])
            stem = _NOT_A_NAME.sub("-", text.lower()).strip("-")
            anchor = stem if stem not in taken else f"{stem}-{n}"
            taken.add(anchor)
            token.attrSet("id", anchor)
            contents.append(Heading(int(token.tag[1]), anchor, text))
    return tuple(contents)


def _set_links(tokens: list[Token], address: Callable[[str], str], anchors: Mapping[int, str]) -> None:
    for n, token in enumerate(tokens):
        if token.type == "inline" and token.children:
            token.children = _linked(token.children, address, own=anchors.get(n, ""))


def _linked(children: list[Token], address: Callable[[str], str], *, own: str) -> list[Token]:
    """The parts of a text with clause ids made into links; the id that opens a clause links to the clause itself."""
    made: list[Token] = []
    inside = 0
    for child in children:
        inside += (child.type == "link_open") - (child.type == "link_close")
        if child.type != "text" or inside:
            made.append(child)
            continue
        at = 0
        for named in _NAMED.finditer(child.content):
            to = f"#{own}" if own and named.group(1) == own else address(named.group(1))
            if to:
                made += [_text(child.content[at : named.start()]), *_link(to, named.group(1), own)]
                at = named.end()
        made.append(_text(child.content[at:]))
    return made


def _link(to: str, clause: str, own: str) -> tuple[Token, Token, Token]:
    opening = Token("link_open", "a", 1)
    opening.attrSet("href", to)
    opening.attrSet("class", "clause-id" if clause == own else "clause-ref")
    return opening, _text(clause), Token("link_close", "a", -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _scrolling(html: str) -> str:
    """Tables and listings wider than a phone scroll by themselves, with the keyboard too."""
    opening = '<div class="scroll-x" role="region" aria-label="Table" tabindex="0"><table>'
    html = html.replace("<pre>", '<pre role="region" aria-label="Listing" tabindex="0">')
    return html.replace("<table>", opening).replace("</table>", "</table></div>")
