"""Phrases that CONTRIBUTING.md replaces, and where people still read them. `python -m tests.support.english [PATH …]` lists them."""

from __future__ import annotations

import ast
import html
import re
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("battles", "campaign", "deploy", "fleets")

# The people in the data of the openings are men of their time.
OF_MEN = r"\b(he|him|his|himself)\b"
# pattern: what to write instead
BANNED = {
    OF_MEN: "they, them, their",
    r"\bmails\b|\ba mail\b|\be-mails?\b": "emails, an email",
    r"\bany ?more\b": "no longer",
    r"\b(is|are|was|were|be) told\b": "notify, email",
    r"\b(every|some|no)body\b": "everyone, someone, no one",
    r"(?<!there )\bis no (?!longer\b)": "is not a",
    r"\bthere is no such\b": "not found",
    r"\bsees fit\b|\bwhoever\b": "name the person",
    r"\bstands? (in the|there|here|on|beside)\b": "appears",
    r"\bgo(es)? on\b": "continue, resume",
    r"\blet\w* (it|them|the turn) go\b": "release",
    r"\b(keep|make|leave|take) (it|this|these|them|both)\b": "save, create, cancel, accept",
    r"\b(wish(es)?|in force)\b": "settings",
    r"\brhythm\b": "schedule",
    r"\bkeeper\b": "site administrator",
    r"\blike (NS66|COAL|Europe|[“{\"])": "for example",
    r"\bdivided by\b": "separated by",
    r"\bat most\b": "up to",
    r"\blog-ins?\b|\buser name\b": "login, username",
    r"\bper cent\b": "%",
    r"\b(shall|anew|meanwhile)\b": "will, again, since then",
    r"\b(a|one) (card|name|row|cell|line) a \w+": "one … per …",
    r"\blook(ed|s)? (ahead|into|over|again|at)\b": "preview, check, review",
    r"\b(of|an) (ours|yours|own)\b": "our, your",
    r"\btaken? back\b": "roll back",
    r"\bcommander in chief\b": "commander-in-chief",
    r"\b(lack|stall)s?\b": "missing, stuck",
    r"\bplease\b": "delete it",
    r"\bfaults?\b": "error, problem",
    r": one of the two\b": "not both",
    r"\b(is|are) a table of\b": "write … as a table of",
    r"\byou may (read|see)\b": "can read, can see",
    r"\bempty: ": "leave blank for",
    r"\bon (its|their) day\b": "on a set day",
    r"\bin the year itself\b": "historically",
    r"^least \w": "minimum, fewest",
}
ANY = re.compile("|".join(f"(?:{pattern})" for pattern in BANNED), re.IGNORECASE)
# Tales of what happened may sound like their time.
NARRATIVE = (
    "campaign/accounts/*", "battles/engine/core/telling.py", "battles/engine/rulesets/*/events.py",
    "battles/engine/rulesets/*/telling.py", "fleets/record_words.py",
)  # fmt: skip
NOT_READ = ("*/migrations/*",)
DATA = ("campaign/data/openings", "campaign/data/theatres")
CODE = re.compile(r"[a-z0-9_/:.-]*")
LOGGING = frozenset({"debug", "info", "warning", "error", "exception", "critical"})


class Match(NamedTuple):
    """A banned phrase: file relative to the root, line, the words, and what to write instead."""

    path: str
    line: int
    found: str
    instead: str


def files() -> list[Path]:
    """What people read the words of: templates, the code of the rooms, openings and calendars."""
    found = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt")]
    found += [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    found += [path for folder in DATA for path in (ROOT / folder).glob("*.json")]
    left_out = (*NARRATIVE, *NOT_READ)
    return sorted(
        path for path in found if not any(fnmatch(path.relative_to(ROOT).as_posix(), out) for out in left_out)
    )


def matches(path: Path) -> list[Match]:
    """The banned phrases in one file."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text()
    words = {".py": _of_code, ".json": _of_data}.get(path.suffix, _of_template)(text)
    return [
        Match(name, line + part[: hit.start()].count("\n"), hit.group(), instead)
        for line, part in words
        if ANY.search(part)
        for pattern, instead in BANNED.items()
        if path.suffix != ".json" or pattern != OF_MEN
        for hit in re.finditer(pattern, part, re.IGNORECASE)
    ]


def _of_template(text: str) -> Iterator[tuple[int, str]]:
    """The text without tags and comments, which become as many spaces and line breaks."""
    blank = re.sub(
        r"{#.*?#}|{%.*?%}|{{.*?}}|<[^>]*>", lambda tag: re.sub(r"[^\n]", " ", tag.group()), text, flags=re.S
    )
    yield 1, html.unescape(blank)


def _of_data(text: str) -> Iterator[tuple[int, str]]:
    """The texts of a document, each with its line: what has blanks in it is no code."""
    for number, line in enumerate(text.splitlines(), 1):
        for value in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
            if " " in value:
                yield number, value


def _of_code(text: str) -> Iterator[tuple[int, str]]:
    """Strings that someone may read: without docstrings, codes, what is logged, and the places of values."""
    waiting: deque[ast.AST] = deque([ast.parse(text)])
    while waiting:
        node = waiting.popleft()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and not CODE.fullmatch(node.value):
                yield node.lineno, re.sub(r"%\(\w+\)s|{[^}]*}", " ", node.value)
        elif not _is_silent(node):
            waiting.extend(ast.iter_child_nodes(node))


def _is_silent(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in LOGGING and "log" in ast.unparse(called.value)


def main(arguments: Sequence[str]) -> None:
    """Lists the phrases in the files whose path begins with one of the arguments, or in all."""
    found = [match for path in files() for match in matches(path)]
    wanted = [match for match in found if not arguments or match.path.startswith(tuple(arguments))]
    for match in wanted:
        print(f"{match.path}:{match.line}: {match.found!r} → {match.instead}")
    print(f"{len(wanted)} phrases")


if __name__ == "__main__":
    main(sys.argv[1:])
