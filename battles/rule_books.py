"""The rule books as pages: every clause has an anchor, and every mention of a clause links to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import shorten

from markdown_it import MarkdownIt
from markdown_it.token import Token

from battles.engine import registry
from battles.engine.changes import Change, changes
from battles.engine.core.sequence import Step
from battles.engine.pinned.versions import CAMPAIGN, folder_of, names

_CLAUSE = r"[A-Z]\.[A-Z]{0,2}\d+(?:\.\d+)*[a-z]?"
_OPENING = re.compile(rf"({_CLAUSE})\b")
_NAMED = re.compile(rf"(?<![\w.])({_CLAUSE})(?![\w])")
# Where a sentence ends, but for what is shortened.
_FIRST_STOP = re.compile(r"(?<!\bi\.e)(?<!\be\.g)\. ")
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A line of the table of contents. level: 2 or 3. anchor: where it leads."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter's clauses in their order: (id, its heading or how it begins). anchor, text: of the chapter's heading."""

    anchor: str
    text: str
    clauses: tuple[tuple[str, str], ...]


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


def file_of(name: str) -> Path:
    """The file in which a book stands."""
    return folder_of(name) / "rules.md"


def title_of(name: str) -> str:
    """What a book is called."""
    return "The campaign" if name == CAMPAIGN else registry.rule_set(name).title


@cache
def rule_book(name: str) -> RuleBook:
    """A book by name, made once per process. Raises KeyError when there is none of that name."""
    if name not in names():
        raise KeyError(name)
    tokens = _tokens(name)
    anchors = _set_anchors(tokens)
    contents = set_headings(tokens)
    book_of = {clause: book for book in names() for clause in _clauses_of(book)}
    _set_links(tokens, lambda clause: _address(clause, name, book_of), anchors)
    for n, clause in _places(anchors).items():
        tokens[n].children = [*(tokens[n].children or []), _text(" "), *_cases_link(name, clause)]
    steps = () if name == CAMPAIGN else registry.rule_set(name).steps
    versions = changes(file_of(name).parent)
    return RuleBook(name, title_of(name), html_of(tokens), contents, steps, len(_clauses_of(name)), versions)


@cache
def chapters(name: str) -> tuple[Chapter, ...]:
    """The clauses of a book, chapter by chapter. Raises KeyError when there is none of that name."""
    if name not in names():
        raise KeyError(name)
    tokens = _tokens(name)
    places = _places(_set_anchors(tokens))
    headings = iter(set_headings(tokens))
    heading, found = Heading(2, "", ""), dict[Heading, list[tuple[str, str]]]()
    for n, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in ("h2", "h3"):
            new = next(headings)
            heading = new if new.level == 2 else heading
        elif n in places:
            found.setdefault(heading, []).append((places[n], _beginning(token, places[n])))
    return tuple(Chapter(one.anchor, one.text, tuple(clauses)) for one, clauses in found.items())


def _beginning(inline: Token, clause: str) -> str:
    """The bold heading of a clause without its id; where it has none, how its text begins."""
    bold = ""
    rest = ""
    inside = 0
    for child in inline.children or []:
        inside += (child.type == "strong_open") - (child.type == "strong_close")
        if inside and not rest:
            bold += child.content
        else:
            rest += " " if child.type == "softbreak" else child.content
    heading = bold.removeprefix(clause).strip(" —–-.:·")
    if heading and not heading.startswith("("):
        return heading
    return shorten(_FIRST_STOP.split(rest, maxsplit=1)[0].strip(" —·").rstrip("."), 80, placeholder=" …")


def _places(anchors: Mapping[int, str]) -> dict[int, str]:
    """Where each clause has its anchor: where it stands last."""
    last = {clause: n for n, clause in anchors.items()}
    return {n: clause for n, clause in anchors.items() if last[clause] == n}


def clause_address(clause: str) -> str:
    """Where a clause is, relative to the rules' root: `kohler#K.F7`; "" for one that is in no book here."""
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
    return tokens_of(file_of(name))


def tokens_of(path: Path) -> list[Token]:
    """A document without its title, which the page shows by itself."""
    tokens = _markdown().parse(path.read_text(encoding="utf-8"))
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        del tokens[:3]
    for token in tokens:
        if (
            token.attrs.pop("style", None) == "text-align:right"
        ):  # the content policy allows no style in a page
            token.attrSet("class", "num")
    return tokens


def _set_anchors(tokens: list[Token]) -> dict[int, str]:
    """Give every clause's list item its id; returns the clause ids by index of the item's text.

    A clause that is also in a list of readings has its anchor at its last place; the reading has an anchor of its own.
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


def set_headings(tokens: list[Token]) -> tuple[Heading, ...]:
    """Give every heading its id; returns the table of contents."""
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


def _cases_link(book: str, clause: str) -> tuple[Token, Token, Token]:
    opening = Token("link_open", "a", 1)
    opening.attrSet("href", f"{book}/cases#{clause}")
    opening.attrSet("class", "clause-cases")
    opening.attrSet("aria-label", f"Cases of {clause}")
    return opening, _text("cases"), Token("link_close", "a", -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def html_of(tokens: list[Token]) -> str:
    """The text as a page shows it. Tables and listings wider than a phone scroll by themselves, with the keyboard too."""
    html = str(_markdown().renderer.render(tokens, _markdown().options, {}))
    opening = '<div class="scroll-x" role="group" aria-label="Table" tabindex="0"><table>'
    html = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)  # a corner heads nothing
    html = html.replace("<pre>", '<pre role="group" aria-label="Listing" tabindex="0">')
    return html.replace("<table>", opening).replace("</table>", "</table></div>")
