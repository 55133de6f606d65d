"""What a file would do to a register: new, changed and unchanged ships, with the difference cell by cell. Nothing is saved here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fleets.forms import nations_by_name
from fleets.models import Nation, Register, RegisterEntry
from fleets.register_columns import COLUMNS
from fleets.register_files import RegisterFaults, RowFault, read_table
from fleets.register_rows import CheckedRow, checked_rows

MOST_FAULTS_SHOWN = 500


class Change(NamedTuple):
    """A cell that becomes another: column, and both values as a page shows them."""

    column: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row of a file beside the register. state: new, changed or unchanged. entry: as it would be saved; moved: its line differs."""

    line: int
    state: str
    entry: RegisterEntry
    changes: tuple[Change, ...] = ()
    moved: bool = False


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All that a file would do. faults: why it cannot; passed_over: headings that are not read."""

    rows: tuple[PlannedRow, ...] = ()
    faults: tuple[RowFault, ...] = ()
    passed_over: tuple[str, ...] = ()

    def in_state(self, state: str) -> list[PlannedRow]:
        """Its rows that are new, changed or unchanged."""
        return [row for row in self.rows if row.state == state]


def import_plan(
    *,
    register: Register | None,
    raw: bytes,
    nations: Mapping[str, Nation] | None = None,
    skip_unknown: bool = False,
) -> ImportPlan:
    """Compare a file with a register (None: a new one), in a fixed number of queries.

    An entry is recognised by side and name, whatever their capitals. Columns that the file does not have stay as they are;
    entries that it does not have stay too. A file that cannot be used gives a plan of errors.
    """
    try:
        table = read_table(raw, skip_unknown=skip_unknown)
        rows, faults = checked_rows(table, nations_by_name() if nations is None else nations)
    except RegisterFaults as refused:
        return ImportPlan(faults=refused.faults)
    if faults:
        return ImportPlan(faults=RegisterFaults(faults).faults, passed_over=table.passed_over)
    entries = register.entries.select_related("nation").order_by("pk") if register and register.pk else ()
    return ImportPlan(_compared(rows, list(entries)), (), table.passed_over)


def _compared(rows: Iterable[CheckedRow], entries: Iterable[RegisterEntry]) -> tuple[PlannedRow, ...]:
    exact = {(entry.side, entry.name): entry for entry in entries}
    loose = {(side.casefold(), name.casefold()): entry for (side, name), entry in exact.items()}
    planned = []
    for row in rows:  # no two of them have one name but for capitals
        side, name = row.entry.side, row.entry.name
        old = exact.get((side, name)) or loose.get((side.casefold(), name.casefold()))
        planned.append(PlannedRow(row.line, "new", row.entry) if old is None else _beside(row, old))
    return tuple(planned)


def _beside(row: CheckedRow, old: RegisterEntry) -> PlannedRow:
    """A row beside the entry that it means; the entry takes the row's values."""
    before = {column: getattr(old, column) for column in COLUMNS}
    after = {**before, **row.values}
    after["side"] = old.side  # found by its capitals or without them; one side keeps one spelling
    kept = {} if row.whole_extra else before["extra"] or {}
    extra = {**kept, **row.extra}
    after["extra"] = {column: value for column, value in extra.items() if value not in (None, "", [])}
    changes = differences(before, after)
    for column, value in after.items():
        setattr(old, column, value)
    moved = old.line != row.line
    old.line = row.line
    return PlannedRow(row.line, "changed" if changes else "unchanged", old, changes, moved)


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """The columns whose values differ, as a page shows them; columns of single registers by their own names."""
    found: list[Change] = []
    for column in after:
        old, new = before.get(column), after[column]
        if old == new:
            continue
        if column == "extra":
            names = dict.fromkeys([*(old or {}), *(new or {})])
            found += differences(
                *({name: (all_of or {}).get(name) for name in names} for all_of in (old, new))
            )
        else:
            found.append(Change(column, shown(old), shown(new)))
    return tuple(found)


def shown(value: Any) -> str:
    """A value as a cell of a page."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, dict):
        return "; ".join(f"{name}: {shown(item)}" for name, item in value.items())
    return str(value)


def entry_values(entry: RegisterEntry) -> dict[str, Any]:
    """An entry's columns, to be compared by `differences`."""
    return {column: getattr(entry, column) for column in COLUMNS}
