"""What `make cases` writes for the pages of cases: by book and clause, the tests that ran, as sentences, and how they ended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from battles import clause_cases, rule_books
from battles.clause_cases import Results, Shown
from tests.support.apostrophes import with_apostrophes

NAMES = frozenset(
    {
        *(
            "admiralty",
            "antelope",
            "armada",
            "atlantic",
            "british",
            "brest",
            "cadiz",
            "channel",
            "django",
            "dutch",
            "england",
        ),
        *(
            "english",
            "europe",
            "france",
            "french",
            "holland",
            "kohler",
            "nelson",
            "pelican",
            "portugal",
            "spain",
            "spanish",
        ),
        *("sunday", "texel", "thames", "thomas", "trafalgar", "zeeland"),
    }
)
OF_DATA = re.compile(r"(?:^|-)([A-Z]\.[A-Za-z0-9.]+)/([^/]+)$")


def sentence(node: str) -> str:
    """A test's id as a sentence; a case kept as data adds the words of its own id."""
    name, _, case = node.partition("[")
    told = _words(name.rpartition("::")[2].removeprefix("test_"), "_")
    data = OF_DATA.search(case.removesuffix("]"))
    return with_apostrophes(told + (f": {_words(data.group(2), '-')}" if data else ""))


def _words(name: str, between: str) -> str:
    words = [word.capitalize() if word in NAMES else word for word in name.split(between)]
    return " ".join(filter(None, words))


def results(ran: Mapping[str, Iterable[str]], passed: set[str], failed: set[str]) -> dict[str, Results]:
    """By book, what a run has shown. ran: the clauses of each test that ran; one that neither passed nor failed was skipped."""
    counted: Counter[tuple[str, str]] = Counter()
    lost: Counter[tuple[str, str]] = Counter()
    for node, clauses in ran.items():
        if node in passed or node in failed:
            for clause in clauses:
                counted[clause, sentence(node)] += 1
                lost[clause, sentence(node)] += node in failed
    today = datetime.now(UTC).date()
    made: dict[str, Results] = {}
    for book in rule_books.names():
        tests: dict[str, tuple[Shown, ...]] = {}
        known = {clause for chapter in rule_books.chapters(book) for clause, _ in chapter.clauses}
        for (clause, words), cases in counted.items():
            if clause in known:
                tests[clause] = (*tests.get(clause, ()), Shown(words, cases, lost[clause, words]))
        made[book] = Results(today, clause_cases.stamp_of(book), tests)
    return made


def write(ran: Mapping[str, Iterable[str]], passed: set[str], failed: set[str]) -> Iterator[str]:
    """Write the results of every book; yields a sentence for each file that has changed."""
    for book, found in results(ran, passed, failed).items():
        if clause_cases.write(book, found):
            yield f"Written: {clause_cases.FOLDER / book}.json, {len(found.tests)} clauses. Commit it."
