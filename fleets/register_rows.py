"""From the rows of a file to checked values, by the form of the page that edits an entry: every error of every cell at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fleets.forms import EXTRA_COLUMNS, EntryFault, RegisterEntryForm, faults_of
from fleets.models import Nation, RegisterEntry
from fleets.register_columns import COLUMNS, NEEDED
from fleets.register_files import RowFault, Table


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row without errors. values: cleaned, of the columns that the file has; extra: of those that only some registers have.

    entry: the row as an entry by itself, not saved. whole_extra: the file has the column `extra`, so what it lacks goes.
    """

    line: int
    values: Mapping[str, Any]
    extra: Mapping[str, Any]
    entry: RegisterEntry
    whole_extra: bool


def checked_rows(table: Table, nations: Mapping[str, Nation]) -> tuple[list[CheckedRow], list[RowFault]]:
    """The rows of a table that can be used, and every error of the others and of the table itself.

    nations: as `forms.nations_by_name` gives them.
    """
    faults = list(table.faults)
    if not set(NEEDED) <= set(table.header):
        return [], faults  # every row would fail for the header's reason
    rows = []
    first_seen: dict[tuple[str, str], int] = {}
    for line, cells in table.rows:
        row = dict(zip(table.header, cells, strict=True))
        data, problems = _form_data(row)
        form = RegisterEntryForm(data, nations=nations)
        found = [*problems, *faults_of(form)]
        faults += [RowFault(line, *fault) for fault in found]
        faults += _twice(line, data, first_seen)
        if not found:
            rows.append(_checked(line, row, form))
    return rows, faults


def _checked(line: int, row: Mapping[str, str], form: RegisterEntryForm) -> CheckedRow:
    entry: RegisterEntry = form.instance
    entry.line = line
    values = {column: form.cleaned_data[column] for column in COLUMNS if column in row and column != "extra"}
    given = form.cleaned_data["extra"]
    extra = {column: given.get(column) for column in EXTRA_COLUMNS if column in row or column in given}
    return CheckedRow(line, values, extra, entry, "extra" in row)


def _form_data(row: Mapping[str, str]) -> tuple[dict[str, Any], list[EntryFault]]:
    """A row as the form wants it: columns that only some registers have go into `extra`."""
    data: dict[str, Any] = {column: value for column, value in row.items() if column in COLUMNS}
    problems = []
    for column in ("extra", "overrides"):
        if data.get(column):
            try:
                json.loads(data[column])
            except (ValueError, RecursionError):
                problems.append(
                    EntryFault(
                        column, data[column], "is not JSON", 'write, for example, {"kohler": {"hull": 45}}'
                    )
                )
                data[column] = "{}"
    extra = json.loads(data.get("extra") or "{}")
    if isinstance(extra, dict):
        extra |= {column: value for column, value in row.items() if column in EXTRA_COLUMNS and value}
    data["extra"] = json.dumps(extra)
    return data, problems


def _twice(line: int, data: Mapping[str, Any], first_seen: dict[tuple[str, str], int]) -> Iterable[RowFault]:
    name, side = data["name"], data["side"]
    if not name or not side:
        return []
    first = first_seen.setdefault((side.casefold(), name.casefold()), line)
    if first == line:
        return []
    return [
        RowFault(
            line,
            "name",
            name,
            f"is already on side {side}, in line {first}",
            f"tell them apart, for example {name} (2)",
        )
    ]
