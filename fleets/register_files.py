"""Reading a register from a CSV file: what spreadsheets really write, and every fault of it at once.

Tolerated: a byte order mark, Excel's Windows-1252 and UTF-16, semicolons or tabs between cells, capitals and spaces in the header,
empty lines. Not tolerated: anything that would have to be guessed.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fleets.forms import EXTRA_COLUMNS, EntryFault, RegisterEntryForm, faults_of
from fleets.models import Nation, RegisterEntry

NEEDED = ("name", "nation", "side", "ship_type")
COLUMNS = tuple(RegisterEntryForm.Meta.fields)


class RowFault(NamedTuple):
    """Something wrong in a file: line (1 is the header), column, the value found, why, and what would be right."""

    line: int
    column: str
    value: str
    reason: str
    right: str

    def __str__(self) -> str:
        where = f"line {self.line}" + (f", {self.column}" if self.column else "")
        found = f" {self.value!r}" if self.value else ""
        return f"{where}:{found} {self.reason}; {self.right}"


class RegisterFaults(ValueError):
    """A file that cannot be imported, with all its faults in the order of its lines."""

    def __init__(self, faults: Iterable[RowFault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__(f"{len(self.faults)} fault(s): " + " | ".join(map(str, self.faults[:3])))


@dataclass(frozen=True, slots=True)
class Table:
    """A file's header as column names, and its rows as (line, cells), cells as many as the header's."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    faults: tuple[RowFault, ...] = field(default=())


def decode(raw: bytes) -> str:
    """The text of a CSV file, whichever way a spreadsheet wrote it. Raises RegisterFaults when it is no text."""
    if raw.startswith(b"PK\x03\x04"):
        raise RegisterFaults(
            [RowFault(1, "", "", "is a workbook, not a CSV file", "save the sheet as CSV (UTF-8)")]
        )
    encodings = ("utf-16",) if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text
    raise RegisterFaults([RowFault(1, "", "", "is not a text file", "save the sheet as CSV (UTF-8)")])


def read_table(raw: bytes) -> Table:
    """Header and rows of a CSV file; ragged rows and unknown columns are its faults. Raises RegisterFaults."""
    text = decode(raw)
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if not first:
        raise RegisterFaults([RowFault(1, "", "", "is empty", "a header row and one row a ship")])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    header: tuple[str, ...] = ()
    rows: list[tuple[int, tuple[str, ...]]] = []
    faults: list[RowFault] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if not header:
                    header = tuple(_column_name(cell) for cell in cells)
                    faults += _header_faults(header, line)
                elif len(cells) != len(header):
                    faults.append(_ragged(line, cells, header))
                else:
                    rows.append((line, tuple(cell.strip() for cell in cells)))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(RowFault(line, "", "", f"cannot be read ({error})", 'close every " that was opened'))
    if not rows and not faults:
        faults.append(RowFault(line, "", "", "has a header and no ships", "one row a ship"))
    return Table(header, tuple(rows), tuple(faults))


def _delimiter(first: str) -> str:
    return "," if "," in first else next((mark for mark in (";", "\t") if mark in first), ",")


def _column_name(cell: str) -> str:
    return "_".join(cell.strip().lower().replace("-", " ").replace("_", " ").split())


def _header_faults(header: tuple[str, ...], line: int) -> Iterator[RowFault]:
    known = (*COLUMNS, *EXTRA_COLUMNS)
    for number, column in enumerate(header):
        if not column:
            yield RowFault(line, f"column {number + 1}", "", "has no name", "name every column, or delete it")
        elif column not in known:
            yield RowFault(
                line, column, column, "is not a column known here", f"known are {', '.join(known)}"
            )
        elif column in header[:number]:
            yield RowFault(line, column, column, "is there twice", "keep one of the two columns")
    for column in NEEDED:
        if column not in header:
            yield RowFault(line, column, "", "is missing", "add this column; every row needs it")


def _ragged(line: int, cells: list[str], header: tuple[str, ...]) -> RowFault:
    return RowFault(
        line,
        "",
        "",
        f"has {len(cells)} cells where the header has {len(header)}",
        'one cell a column; a text with a comma in it stands in "quotes"',
    )


def entries_from(raw: bytes, nations: Mapping[str, Nation]) -> list[RegisterEntry]:
    """The entries of a CSV file, not saved, checked by the form of the page. nations: as `forms.nations_by_name` gives them.

    Raises RegisterFaults that names every fault of the file.
    """
    table = read_table(raw)
    faults = list(table.faults)
    if not set(NEEDED) <= set(table.header) or len(set(table.header)) < len(table.header):
        raise RegisterFaults(faults)  # with such a header every row would be at fault for the header's reason
    entries = []
    first_seen: dict[tuple[str, str], int] = {}
    for line, cells in table.rows:
        data, problems = _form_data(dict(zip(table.header, cells, strict=True)))
        form = RegisterEntryForm(data, nations=nations)
        found = [*problems, *faults_of(form)]
        faults += [RowFault(line, *fault) for fault in found]
        faults += _twice(line, data, first_seen)
        if not found:
            entry = form.instance
            entry.line = line
            entries.append(entry)
    if faults:
        raise RegisterFaults(faults)
    return entries


def _form_data(row: Mapping[str, str]) -> tuple[dict[str, Any], list[EntryFault]]:
    """A row as the form wants it: columns that only some registers have go into `extra`."""
    data: dict[str, Any] = {column: value for column, value in row.items() if column in COLUMNS}
    problems = []
    for column in ("extra", "overrides"):
        if data.get(column):
            try:
                json.loads(data[column])
            except ValueError:
                problems.append(
                    EntryFault(column, data[column], "is not JSON", 'like {"kohler": {"hull": 45}}')
                )
                data[column] = "{}"
    extra = json.loads(data.get("extra") or "{}")
    if isinstance(extra, dict):
        extra |= {column: value for column, value in row.items() if column in EXTRA_COLUMNS and value}
    data["extra"] = json.dumps(extra)
    return data, problems


def _twice(line: int, data: Mapping[str, Any], first_seen: dict[tuple[str, str], int]) -> list[RowFault]:
    name, side = data["name"], data["side"]
    if not name or not side:
        return []
    first = first_seen.setdefault((side.casefold(), name.casefold()), line)
    if first == line:
        return []
    return [
        RowFault(
            line, "name", name, f"is on side {side} already, in line {first}", f"tell them apart: {name} (2)"
        )
    ]
