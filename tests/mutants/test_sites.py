"""Mutations are drawn from every kind of place, change one place only, and leave a file that parses."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.mutants import trials
from tests.mutants.areas import AREAS
from tests.mutants.sites import Site, sites
from tests.mutants.trials import ROOT, drawn

SOURCE = b'''"""A docstring with 3 numbers, 1 < 2."""
from __future__ import annotations
LIMIT = 3
NAMES = ("one", "two")
WORDS = {"a": first, "b": second}
__slots__ = ("x", "y")

class Ship:
    guns: int = 40

def falls(wind: int, *, least: int = 7) -> bool:
    if wind >= LIMIT and not calm:
        logger.info("blows %d", 12)
        return f"{wind:03d} {5}"
    return [mast for mast in masts if mast.height is not None] and 0 <= wind < 12
'''


def of_kind(kind: str) -> list[Site]:
    return [site for site in sites("x.py", SOURCE) if site.kind == kind]


def mutated(site: Site) -> str:
    return site.applied(SOURCE).decode()


def test_every_mutation_parses_and_is_a_change() -> None:
    found = sites("x.py", SOURCE)
    assert len(found) > 20
    for site in found:
        assert ast.dump(ast.parse(site.applied(SOURCE))) != ast.dump(ast.parse(SOURCE)), site.label


def test_numbers_change_up_and_down_but_not_in_strings_logs_and_annotations() -> None:
    found = {(site.line, site.old, site.new) for site in of_kind("number")}
    assert found == {
        *((3, "3", new) for new in ("4", "2")),
        *((9, "40", new) for new in ("41", "39")),
        *((11, "7", new) for new in ("8", "6")),
        (15, "0", "1"),
        *((15, "12", new) for new in ("13", "11")),
    }


def test_the_parts_of_a_type_are_no_entries_of_a_table() -> None:
    assert sites("x.py", b"Box = tuple[int, int, int]\n") == []


def test_a_comparison_moves_its_bound_or_is_reversed() -> None:
    found = {(site.old, site.new) for site in of_kind("comparison")}
    assert found == {
        *((">=", new) for new in (">", "<")),
        *(("<=", new) for new in ("<", ">")),
        *(("<", new) for new in ("<=", ">=")),
        ("is not", "is"),
    }


def test_conditions_are_negated_joined_differently_and_lose_a_part() -> None:
    found = {
        " ".join(mutated(site).splitlines()[11].split()) for site in of_kind("condition") if site.line == 12
    }
    assert found == {
        "if (not (wind >= LIMIT and not calm)):",
        "if ((wind >= LIMIT) or (not calm)):",
        "if ((not calm)):",
        "if ((wind >= LIMIT)):",
        "if wind >= LIMIT and bool(calm):",
    }


def test_a_table_loses_an_entry_and_a_mapping_exchanges_two() -> None:
    assert {mutated(site).splitlines()[3] for site in of_kind("entry left out")} == {
        'NAMES = ("two",)',
        'NAMES = ("one",)',
    }
    assert [mutated(site).splitlines()[4] for site in of_kind("entries exchanged")] == [
        'WORDS = {"a": second, "b": first}'
    ]


def test_code_that_runs_at_import_is_known_by_the_names_that_it_binds() -> None:
    found = {(site.line, site.where.names, site.where.by_name) for site in of_kind("number")}
    assert found == {
        (3, ("LIMIT",), True),
        (9, ("Ship", "guns"), True),
        (11, ("falls",), True),
        (15, ("falls",), False),
    }


@pytest.mark.parametrize("area", sorted(AREAS))
def test_a_seed_draws_the_same_mutants_of_an_area_and_another_seed_draws_others(
    area: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "sites", cache(trials.sites))  # what is drawn from is found once
    first, again, other = (
        [site.key for site in drawn(AREAS[area], ROOT, count=20, seed=seed)] for seed in ("1", "1", "2")
    )
    assert first == again != other
    assert len(set(first)) == 20


@pytest.mark.parametrize("area", ["campaign", "kohler", "thomas"])
def test_captains_admirals_texts_and_views_are_separate(area: str) -> None:
    inside = AREAS[area].files(ROOT)
    apart = set(AREAS["apart"].files(ROOT))
    assert inside and not apart & set(inside)
    assert not any(
        word in Path(name).as_posix() for name in inside for word in ("captain/", "admiral/", "telling")
    )
