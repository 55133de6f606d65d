"""The clauses of each rule book with the cases that test them, and how these last ended.

`make cases` writes one file for each book, stamped with the fingerprint of its rules. When the rules are others now, no result counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from battles import rule_books
from battles.engine import fingerprint
from battles.engine.pinned.versions import ROOT

FOLDER = Path(__file__).resolve().parent / "data" / "cases"


@dataclass(frozen=True, slots=True)
class Shown:
    """What one test shows: a sentence, the number of its cases for a clause, and how many of them failed."""

    sentence: str
    cases: int
    failed: int


@dataclass(frozen=True, slots=True)
class Results:
    """The last run for one book. run_on: its day. stamp: the fingerprint of the rules at that time. tests: by clause."""

    run_on: date
    stamp: str
    tests: Mapping[str, tuple[Shown, ...]]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as the page shows it."""

    id: str
    heading: str
    tests: tuple[Shown, ...]

    @property
    def cases(self) -> int:
        """How many cases test it."""
        return sum(test.cases for test in self.tests)

    @property
    def failed(self) -> int:
        """How many of them failed."""
        return sum(test.failed for test in self.tests)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the book. anchor: where it begins in the book."""

    anchor: str
    text: str
    clauses: tuple[Clause, ...]


@cache
def stamp_of(name: str) -> str:
    """The fingerprint of a book's rules as they are now. The campaign's rules stand on the engine's core; its coasts do not count."""
    if name != rule_books.CAMPAIGN:
        return fingerprint.rules_hash(name)
    root = ROOT
    return fingerprint.fingerprint_of(
        fingerprint.decisive(root / "battles" / "engine" / "core", root / "campaign" / "rules")
    )


def read(name: str) -> Results | None:
    """The results of the last run for a book; None when there are none."""
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        return None
    doc = json.loads(path.read_text(encoding="utf-8"))
    tests = {clause: tuple(Shown(*row) for row in rows) for clause, rows in doc["clauses"].items()}
    return Results(date.fromisoformat(doc["run_on"]), doc["stamp"], tests)


def write(name: str, results: Results) -> bool:
    """Write the results of a run. Returns whether the file is another one now."""
    clauses = ",\n".join(_row(clause, tests) for clause, tests in sorted(results.tests.items()))
    stamp = f'"run_on": "{results.run_on.isoformat()}",\n"stamp": "{results.stamp}"'
    text = f'{{\n{stamp},\n"clauses": {{\n{clauses}\n}}\n}}\n'
    path = FOLDER / f"{name}.json"
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8")
    return True


def _row(clause: str, tests: Iterable[Shown]) -> str:
    """A clause of the file, one line for each test, so that a change can be read."""
    rows = sorted([test.sentence, test.cases, test.failed] for test in tests)
    return f'"{clause}": [\n' + ",\n".join(f" {json.dumps(row, ensure_ascii=False)}" for row in rows) + "\n]"


def chapters(name: str, results: Results | None) -> tuple[Chapter, ...]:
    """A book's clauses in its order, each with what tests it. Raises KeyError when there is no book of that name."""
    tests = results.tests if results else {}
    return tuple(
        Chapter(
            chapter.anchor,
            chapter.text,
            tuple(Clause(code, heading, tests.get(code, ())) for code, heading in chapter.clauses),
        )
        for chapter in rule_books.chapters(name)
    )
