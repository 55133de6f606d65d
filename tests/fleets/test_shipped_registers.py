"""The registers that come with the program hold what their description says."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from fleets.models import Nation, Register, RegisterEntry
from fleets.services.registers import DATA, SHIPPED, registers_load

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def _table_of_the_readme() -> list[list[str]]:
    lines = (DATA / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if ".csv |" in line]
    assert len(rows) == 15
    return rows


@pytest.fixture(scope="module")
def shipped(django_db_setup: Any, django_db_blocker: Any) -> Any:
    """The shipped registers, loaded once for this module."""
    with django_db_blocker.unblock():
        results = registers_load()
        yield results
        Register.objects.all().delete()
        RegisterEntry.history.all().delete()
        Nation.objects.all().delete()


@pytest.mark.parametrize("row", _table_of_the_readme(), ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_shipped_register_has_the_ships_and_figures_that_its_description_counts(
    shipped: Any, row: list[str]
) -> None:
    file, side, *figures = row
    code = next(shipped_row.code for shipped_row in SHIPPED if shipped_row.file == file)
    entries = list(RegisterEntry.objects.filter(register__code=code, side=side))

    counted = [
        len(entries),
        sum(entry.guns is not None for entry in entries),
        sum(bool(entry.tons_burthen or entry.displacement_tons) for entry in entries),
        sum(entry.crew is not None for entry in entries),
        sum(bool(entry.commander) for entry in entries),
        sum(entry.year_built is not None for entry in entries),
        sum(bool(entry.gun_detail) for entry in entries),
        *(sum(entry.confidence == level for entry in entries) for level in ("high", "medium", "low")),
    ]

    assert counted == [int(figure) for figure in figures]


def test_shipped_registers_are_read_only_originals_with_their_years(shipped: Any) -> None:
    assert list(Register.objects.order_by("year").values_list("year", "original")) == [
        (1588, True),
        (1666, True),
        (1720, True),
        (1740, True),
        (1805, True),
        (1894, True),
        (1904, True),
    ]


def test_loading_the_shipped_registers_again_changes_nothing(shipped: Any) -> None:
    before = RegisterEntry.history.count()

    again = registers_load()

    assert [(result.new, result.changed) for result in again] == [(0, 0)] * 7
    assert [result.unchanged for result in again] == [result.new for result in shipped]
    assert RegisterEntry.history.count() == before


def test_every_cell_of_a_shipped_row_is_kept(shipped: Any) -> None:
    with (DATA / "registers" / "1904_port_arthur_tsushima.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    entry = RegisterEntry.objects.get(register__code="1904_port_arthur_tsushima", name=row["name"])

    kept = {
        column: str(getattr(entry, column) if hasattr(entry, column) else entry.extra.get(column, ""))
        for column, value in row.items()
        if value and column not in ("nation", "speed_knots")
    }

    assert kept == {column: value for column, value in row.items() if column in kept}
    assert (entry.nation.name, entry.speed_knots) == (row["nation"], 18)
