"""Templates are laid out for people to read; white space is removed once, when a template is compiled."""

import re

from django.template.base import Origin
from django.template.loaders import filesystem

# white space at the edges of these is invisible: a line may break there, and none of it need be sent
BLOCKS = (
    "!doctype|address|article|aside|base|blockquote|body|br|caption|circle|col|colgroup|datalist|dd|details|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|legend|li|link|main|meta|nav|ol|optgroup|option"
    "|p|path|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
PIECE = re.compile(
    r"(?P<kept><(?P<name>pre|textarea|script)\b.*?</(?P=name)\s*>|\{%\s*verbatim\b.*?\{%\s*endverbatim\b)"
    r"|(?P<style><style\b.*?</style\s*>)"
    rf"|(?P<edge></?(?:{BLOCKS})\b[^<>]*>)"
    r"|(?P<opens>\{%\s*(?:if|with)\b.*?%\})"
    r"|(?P<turns>\{%\s*(?:elif|else)\b.*?%\})"
    r"|(?P<closes>\{%\s*(?:endif|endwith)\b.*?%\})"
    r"|(?P<hidden>\{%\s*csrf_token\b.*?%\})"
    r"|(?P<line_break>\s*\n\s*)"
    r"|.[^<{\s]*",
    re.IGNORECASE | re.DOTALL,
)
ENDS_LINE = re.compile(r"(?:</(?:div|head|p|style|td)|<table\b[^<>]*)>\Z", re.IGNORECASE)
LINE_BREAK = re.compile(r"\s*\n\s*")


def thinned(source: str, *, mail: bool = False) -> str:
    """A template without its indentation and line breaks.

    At the edge of a block element a line break goes altogether; elsewhere it stays as the one space that it means.
    What is shown as it is written (pre, textarea, verbatim) is left alone, and so are scripts; styles keep their lines.
    mail: paragraphs and rows still end their lines, because an email may not have long ones.
    """
    pieces = [(found.lastgroup, found[0]) for found in PIECE.finditer(source)]
    needless_before = _needless(pieces, opens="opens", closes="closes")
    needless_after = _needless(pieces[::-1], opens="closes", closes="opens")[::-1]
    out: list[str] = []
    for n, (kind, text) in enumerate(pieces):
        if kind == "style":
            out.append(LINE_BREAK.sub("\n", text))
        elif kind != "line_break":
            out.append(LINE_BREAK.sub(" ", text) if kind == "edge" else text)
        elif mail and n and ENDS_LINE.search(pieces[n - 1][1]):
            out.append("\n")
        elif not needless_before[n] and not needless_after[n]:
            out.append(" ")
    return "".join(out)


def _needless(pieces: list[tuple[str | None, str]], *, opens: str, closes: str) -> list[bool]:
    """Whether white space at each piece would be invisible, for what comes before it: the edge of a block, or white space.

    A branch of an "if" begins where the "if" does, and what follows it depends on no single branch.
    """
    found, needless = [], False
    begun: list[bool] = []
    for kind, _ in pieces:
        found.append(needless)
        if kind == opens:
            begun.append(needless)
        elif kind == "turns":
            needless = bool(begun) and begun[-1]
        elif kind == closes:
            needless = False
            del begun[-1:]
        elif kind != "hidden":
            needless = kind in ("edge", "style", "line_break")
    return found


class Loader(filesystem.Loader):
    """Reads the project's templates: pages and emails without needless white space, everything else unchanged."""

    def get_contents(self, origin: Origin) -> str:
        """The text that is compiled."""
        source = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return source
        return thinned(source, mail=str(origin.template_name).startswith("emails/"))
