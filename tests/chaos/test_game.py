"""What `make chaos FAULTS=1` makes of faults that did harm. The faults themselves are in no suite."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from tests.chaos.__main__ import CLEAN, COMPARED, Run
from tests.chaos.game import Failed, Faults


def run(*ships: str) -> Run:
    """The books with these ships in them."""
    books: dict[str, Any] = {what: [] for what in (*COMPARED, *CLEAN, "tried twice")}
    return Run("a site", {**books, "ships": list(ships)}, Counter(), 1, 0, 0.0)


def test_each_fault_has_its_own_comparison_and_harm_does_not_hide_the_next() -> None:
    told: list[tuple[str, ...]] = []
    sites: list[list[str]] = []

    @contextlib.contextmanager
    def opened() -> Iterator[Any]:
        ships = ["Zeven Provinciën"]
        sites.append(ships)

        def refuses(turn: int) -> None:
            raise Failed("the site says nothing")

        game = SimpleNamespace(
            said=["a word"],
            site=SimpleNamespace(name="a site"),
            healthy=lambda: None,
            books=lambda _: run(*ships),
        )
        yield game, {"harmless": lambda _: None, "sinks": lambda _: ships.clear(), "silent": refuses}

    def done(*words: str) -> None:
        told.append(words)

    wanted = ("harmless", "sinks", "silent", "harmless")
    wrong = Faults([run("Zeven Provinciën")] * 4, opened, done).strike(wanted)

    assert told == [
        ("harmless", "", "turn 1 closed; the books are the same"),
        ("sinks", "", "the books DIFFER"),
        ("silent", "", "FAILED: the site says nothing"),
        ("harmless", "", "turn 1 closed; the books are the same"),
    ]
    assert len(sites) == 3
    assert wrong[0] == "sinks: a site: ships: 1 missing, 0 too many"
    assert wrong[-1] == "silent: a site: the site says nothing"


def test_a_site_that_cannot_be_is_said_once() -> None:
    @contextlib.contextmanager
    def opened() -> Iterator[Any]:
        raise Failed("not run: apt-get install postgresql")
        yield

    assert Faults([], opened, lambda *_: None).strike(("one", "two")) == [
        "not run: apt-get install postgresql"
    ]
