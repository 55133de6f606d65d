"""The words of an HTML email that its reader would see, one line per block. Pure.

libxml2 parses the page: it reads whatever strangers send in time proportional to its length. Only the words of a page are kept.
What a page hides was not written by its sender: it comes from the templates of email programs, and a quoted email may carry hidden
orders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lxml import etree

_WORDLESS = frozenset({"style", "script", "head", "title", "template"})
_CELLS = frozenset({"td", "th"})
_BLOCKS = frozenset(
    {
        "p", "div", "br", "li", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "blockquote", "ul", "ol", "dl", "dt",
        "dd", "section", "article", "header", "footer", "address", "center",
    }
)  # fmt: skip
_NOUGHT = r"0+(?:\.0+)?(?:[a-z]{1,5}|%)?"
_HIDES = re.compile(
    r"(?:display:none|visibility:(?:hidden|collapse)|content-visibility:hidden|mso-hide:all|clip:rect\(0.*|transform:scale\(0.*|"
    rf"(?:opacity|max-height|max-width):{_NOUGHT}|font:{_NOUGHT}[ /].*|font-size:(?:{_NOUGHT}|[0-2](?:\.\d+)?p[xt])|"
    r"(?:text-indent|left|top|margin-left|margin-top):-\d{3,}.*)"
)
_INHERITED = frozenset({"", "inherit", "initial", "unset", "currentcolor"})
_NAMES = {"white": "ffffff", "black": "000000", "transparent": ""}
_RGB = re.compile(r"rgba?\((\d{1,3})[, ]+(\d{1,3})[, ]+(\d{1,3})(?:[, /]+([\d.]{1,6}%?))?\)")
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})(?![0-9a-f])")
_NEAR = 12  # of 255: how far apart two colours may be that no one can tell apart
_COMMENT = re.compile(r"/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|$)")
_SELECTOR = re.compile(r"^[a-z0-9]*([.#][\w-]{1,60})$")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Look:
    """How the words in an element look. hidden: whatever it contains. ink, paper: as six hexadecimal figures, "" if unknown."""

    hidden: bool = False
    quoted: bool = False
    ink: str = "000000"
    paper: str = "ffffff"
    pale: bool = False

    @property
    def seen(self) -> bool:
        """Whether anyone can read them."""
        return not (self.hidden or self.pale)


class _Page:
    """The target that libxml2 calls at each tag, and the resulting lines. `sheet` holds the classes and names that its styles hide."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.looks = [_Look()]
        self.sheet: set[str] = set()
        self.styles: list[str] | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A block begins a line; a quotation is marked like one in a text."""
        look = self.looks[-1]
        self.looks.append(look if look.hidden else _look(look, tag, attributes, self.sheet))
        if tag == "style":
            self.styles = []
        self._break(tag)

    def end(self, tag: str) -> None:
        """A block ends its line."""
        if len(self.looks) > 1:
            self.looks.pop()
        if tag == "style" and self.styles is not None:
            self.sheet |= hidden_by("".join(self.styles))
            self.styles = None
        self._break(tag)

    def data(self, words: str) -> None:
        """Words; line ends in the source are spaces."""
        if self.styles is not None:
            self.styles.append(words)
        elif self.looks[-1].seen:
            self.words.append(_SPACE.sub(" ", words))

    def close(self) -> str:
        """The text."""
        return "".join(self.words)

    def _break(self, tag: str) -> None:
        if self.looks[-1].hidden:
            return
        if tag in _BLOCKS:
            self.words.append("\n> " if self.looks[-1].quoted else "\n")
        elif tag in _CELLS:
            self.words.append(" ")


def _look(outer: _Look, tag: str, attributes: Mapping[str, str], sheet: set[str]) -> _Look:
    if not attributes and tag not in _WORDLESS and tag != "blockquote":
        return outer
    styles = _styles(attributes.get("style", ""))
    names = {f".{name}" for name in attributes.get("class", "").lower().split()}
    names.add(f"#{attributes.get('id', '').lower()}")
    ink = styles.get("color") or (attributes.get("color", "").lower() if tag == "font" else "")
    paper = (
        styles.get("background-color") or styles.get("background") or attributes.get("bgcolor", "").lower()
    )
    look = replace(
        outer,
        quoted=outer.quoted or tag == "blockquote",
        ink=outer.ink if ink in _INHERITED else colour(ink),
        # what lies below shows through
        paper=outer.paper if paper in _INHERITED or paper in ("transparent", "none") else colour(paper),
    )
    hidden = tag in _WORDLESS or "hidden" in attributes or not names.isdisjoint(sheet) or _hides(styles)
    return replace(look, hidden=hidden, pale=_alike(look.ink, look.paper))


def html_text(page: str) -> str:
    """The text of an HTML email as its reader sees it, one line per block; "" for a page with nothing to read."""
    parser = etree.HTMLParser(target=_Page(), encoding="utf-8", no_network=True)
    try:
        return str(etree.fromstring(page.encode("utf-8", "replace"), parser))
    except etree.XMLSyntaxError:  # it holds nothing at all
        return ""


def hidden_by(sheet: str) -> set[str]:
    """The classes (".x") and names ("#x") that a style sheet hides everywhere, not only on paper or small screens."""
    found: set[str] = set()
    sheet = _COMMENT.sub(" ", sheet)
    depth, selectors = 0, ""
    for piece in re.split(r"(?<=[{}])", sheet):
        words, mark = piece[:-1], piece[-1:]
        if mark == "{":
            depth += 1
            selectors = words if depth == 1 else ""
        elif mark == "}":
            depth = max(0, depth - 1)
            if depth == 0 and selectors and _hides(_styles(words)):
                found |= {
                    match[1] for one in selectors.split(",") if (match := _SELECTOR.match(_last(one).lower()))
                }
            selectors = ""
    return found


def _last(selector: str) -> str:
    return selector.split()[-1] if selector.split() else ""


def _styles(words: str) -> dict[str, str]:
    """Declarations of a style by name, values in lower case without surrounding space; the last of a name counts."""
    pairs = (one.partition(":") for one in _COMMENT.sub("", words).lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, mark, value in pairs if mark}


def _hides(styles: Mapping[str, str]) -> bool:
    flat = styles.get("overflow", "") == "hidden" and any(
        re.fullmatch(_NOUGHT, styles.get(side, "x")) for side in ("height", "width", "line-height")
    )
    return flat or any(_HIDES.fullmatch(f"{name}:{value}") for name, value in styles.items())


def colour(words: str) -> str:
    """A colour as six hexadecimal figures; "" for an unknown or translucent one."""
    words = words.strip()
    if words in _NAMES:
        return _NAMES[words]
    if found := _HEX.match(words):
        return found[1] if len(found[1]) == 6 else "".join(letter * 2 for letter in found[1])
    if found := _RGB.match(words):
        solid = found[4] is None or found[4] in ("1", "1.0", "100%")
        return "".join(f"{min(255, int(part)):02x}" for part in found.groups()[:3]) if solid else ""
    return ""


def _alike(ink: str, paper: str) -> bool:
    if not ink or not paper:
        return False
    return all(abs(int(ink[at : at + 2], 16) - int(paper[at : at + 2], 16)) <= _NEAR for at in (0, 2, 4))
