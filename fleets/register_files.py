"""Reading a register from a file as spreadsheets really write them (CSV, XLSX or JSON), and every error of the file at once.

Tolerated: a byte order mark, Excel's Windows-1252 and UTF-16, semicolons or tabs between cells, capitals, spaces and common
other names in the header, empty lines. Not tolerated: anything that would have to be guessed, and files too large for a register.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fleets.forms import two_sentences
from fleets.register_columns import KNOWN, NEEDED, PASSED_OVER, column_named, likely_column
from fleets.register_workbooks import BadWorkbook, rows_of_workbook

MOST_BYTES = 4 * 2**20
MOST_ROWS = 5_000
MOST_COLUMNS = 100
Cells = list[str]


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
        return f"{where}:{found} {two_sentences(self.reason, self.right)}"


class RegisterFaults(ValueError):
    """A file that cannot be imported, with all its errors in the order of its lines."""

    def __init__(self, faults: Iterable[RowFault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__(f"{len(self.faults)} error(s): " + " | ".join(map(str, self.faults[:3])))


@dataclass(frozen=True, slots=True)
class Table:
    """A file's header as column names, and its rows as (line, cells), cells as many as the header's.

    passed_over: headings, as written in the file, whose columns are not read.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    faults: tuple[RowFault, ...] = field(default=())
    passed_over: tuple[str, ...] = ()


def _refusal(reason: str, right: str, line: int = 1) -> RegisterFaults:
    return RegisterFaults([RowFault(line, "", "", reason, right)])


def read_table(raw: bytes, *, skip_unknown: bool = False) -> Table:
    """Header and rows of a file; ragged rows and unknown columns are its errors. Raises RegisterFaults when it is not a table.

    skip_unknown: unknown columns are ignored instead of being errors.
    """
    if len(raw) > MOST_BYTES:
        most = MOST_BYTES // 2**20
        raise _refusal(f"is larger than {most} MB", "save only the register's sheet, or split the file")
    if raw.startswith(b"PK\x03\x04"):
        lines = _workbook_lines(raw)
    else:
        text = decode(raw)
        lines = _json_lines(text) if text.lstrip()[:1] in ("[", "{") else _csv_lines(text)
    return _table(lines, skip_unknown=skip_unknown)


def decode(raw: bytes) -> str:
    """The text of a CSV file, whichever way a spreadsheet wrote it. Raises RegisterFaults when it is not text."""
    encodings = ("utf-16",) if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text
    raise _refusal("is not a text file", "save the sheet as CSV (UTF-8), or as a workbook (XLSX)")


def _workbook_lines(raw: bytes) -> Iterator[tuple[int, Cells]]:
    try:
        yield from rows_of_workbook(raw, most_rows=MOST_ROWS + 100, most_columns=MOST_COLUMNS + 1)
    except BadWorkbook as error:
        raise _refusal(error.reason, error.right) from None


def _csv_lines(text: str) -> Iterator[tuple[int, Cells]]:
    """(line, cells) of every row; where the quotes go wrong, the last line is a RegisterFaults."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise _refusal(f"cannot be read ({error})", 'close every quotation mark (")', line) from None


def _delimiter(first: str) -> str:
    marks = (",", ";", "\t")
    return max(marks, key=lambda mark: (first.count(mark), -marks.index(mark)))


def _json_lines(text: str) -> Iterator[tuple[int, Cells]]:
    """A list of ships, each an object, as header and rows; the number of a ship takes the place of the line."""
    try:
        found = json.loads(text, object_pairs_hook=_no_twins, parse_constant=str)
    except RecursionError:
        raise _refusal("is nested too deeply", "use a list of ships, each with its columns") from None
    except ValueError as error:
        raise _refusal(
            f"is not JSON ({error})", 'write, for example, [{"name": "Tiger", "nation": "England"}]'
        ) from None
    if isinstance(found, dict):
        found = next((found[key] for key in ("ships", "entries", "rows") if key in found), [found])
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise _refusal(
            "is not a list of ships", 'write, for example, [{"name": "Tiger", "nation": "England"}]'
        )
    header = list(dict.fromkeys(key for row in found for key in row))
    yield 1, header
    for number, row in enumerate(found, start=2):
        yield number, [_json_cell(row.get(key)) for key in header]


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in pairs:
        if name in row:
            raise ValueError(f"{name!r} appears twice in one ship")
        row[name] = value
    return row


def _json_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ";".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def _table(lines: Iterator[tuple[int, Cells]], *, skip_unknown: bool) -> Table:
    header: tuple[str, ...] = ()
    rows: list[tuple[int, tuple[str, ...]]] = []
    faults: list[RowFault] = []
    taken: list[int] = []
    left_out: tuple[str, ...] = ()
    last, head, wide = 1, 1, 0
    nameless: dict[int, RowFault] = {}
    try:
        for line, found in lines:
            cells, last = _trimmed(found, len(header)), line
            if not cells:
                continue
            if not header:
                header, head, wide = tuple(map(column_named, cells)), line, len(found)
                taken, left_out, wrong = _header(header, cells, line, skip_unknown=skip_unknown)
                faults += wrong
            elif len(header) < len(cells) <= wide:
                nameless |= {n: _nameless(head, n) for n in range(len(header), len(cells)) if cells[n]}
            elif len(cells) != len(header):
                faults.append(_ragged(line, cells, header))
            elif len(rows) == MOST_ROWS:
                raise _refusal(f"has more than {MOST_ROWS:,} ships", "split the file", line)
            else:
                rows.append((line, tuple(_unarmed(cells[number]) for number in taken)))
    except RegisterFaults as refused:
        if not header:
            raise
        faults += refused.faults
    if not header:
        raise _refusal("is empty", "add a header row and one row per ship")
    faults += nameless.values()
    if not rows and not faults:
        faults.append(RowFault(last + 1, "", "", "has a header and no ships", "add one row per ship"))
    return Table(tuple(header[number] for number in taken), tuple(rows), tuple(faults), left_out)


def _trimmed(cells: Sequence[str], width: int) -> Cells:
    """Cells without what surrounds them; none for an empty row. Empty cells behind the header's last one do not count."""
    found = [cell.strip() for cell in cells]
    if not any(found):
        return []
    if not width:
        while not found[-1]:
            # Excel writes columns that were once used; a header ends where its last name ends
            found.pop()
        return found
    while len(found) > width and not found[-1]:
        found.pop()
    return found


def _unarmed(cell: str) -> str:
    """A cell without the apostrophe with which an export keeps a spreadsheet from running it."""
    return cell[1:] if len(cell) > 1 and cell[0] == "'" and cell[1] in "=+-@" else cell


def _header(
    header: Sequence[str], cells: Sequence[str], line: int, *, skip_unknown: bool
) -> tuple[list[int], tuple[str, ...], list[RowFault]]:
    """Which columns are read, which are passed over, and what is wrong with the header."""
    taken, left_out, faults = [], [], []
    for number, (column, cell) in enumerate(zip(header, cells, strict=True)):
        if column in PASSED_OVER or (skip_unknown and column not in KNOWN):
            left_out.append(cell or f"column {number + 1}")
        elif not column:
            faults.append(_nameless(line, number))
        elif column not in KNOWN:
            near = likely_column(column, header)
            right = f"did you mean {near}? Known columns are" if near else "known columns are"
            faults.append(RowFault(line, cell, cell, "is not a known column", f"{right} {', '.join(KNOWN)}"))
        elif column in header[:number]:
            faults.append(RowFault(line, column, cell, "appears twice", "keep one of the two columns"))
        else:
            taken.append(number)
    for column in NEEDED:
        if column not in header:
            faults.append(RowFault(line, column, "", "is missing", "add this column. Every row needs it"))
    return taken, tuple(left_out), faults


def _nameless(line: int, number: int) -> RowFault:
    return RowFault(line, f"column {number + 1}", "", "has no name", "name this column or delete it")


def _ragged(line: int, cells: Sequence[str], header: Sequence[str]) -> RowFault:
    return RowFault(
        line,
        "",
        "",
        f"has {len(cells)} cells where the header has {len(header)}",
        'use one cell per column. Put text that contains a comma in "quotes"',
    )
