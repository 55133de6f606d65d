"""The first sheet of a workbook (XLSX), opened with care: its size is checked before and during unpacking.

A workbook is a zip of XML. One of a few kilobytes can claim to unpack to gigabytes, or lie about it; both are refused.
"""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

from fleets.forms import two_sentences

MOST_UNPACKED = 40 * 2**20
MOST_PARTS = 300
_CHUNK = 2**16


class BadWorkbook(ValueError):
    """A workbook that will not be opened. reason: why; right: what to do instead."""

    def __init__(self, reason: str, right: str) -> None:
        self.reason, self.right = reason, right
        super().__init__(two_sentences(reason, right))


def _spoilt() -> BadWorkbook:
    return BadWorkbook("is damaged and cannot be opened", "save it again as a workbook (XLSX) or as CSV")


def rows_of_workbook(raw: bytes, *, most_rows: int, most_columns: int) -> Iterator[tuple[int, list[str]]]:
    """(row number, cells as text) of the first sheet, empty rows among them. Raises BadWorkbook.

    most_rows, most_columns: nothing behind them is read, whatever the sheet says of its size.
    """
    refuse_bomb(raw)
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about validation lists and styles, which are not needed here
            book = load_workbook(io.BytesIO(raw), read_only=True, data_only=False, keep_links=False)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()
            found = [
                (number, [_text(value) for value in row])
                for number, row in enumerate(
                    sheet.iter_rows(max_row=most_rows, max_col=most_columns, values_only=True), start=1
                )
            ]
            book.close()
    except Exception as error:  # openpyxl raises whatever its parsers meet
        raise _spoilt() from error
    yield from found


def refuse_bomb(raw: bytes) -> None:
    """Raises BadWorkbook for a zip that is not a workbook, claims to be too large, is larger than it claims, or defines entities."""
    too_large = BadWorkbook(
        f"unpacks to more than {MOST_UNPACKED // 2**20} MB",
        "save only the register's sheet, as CSV",
    )
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            parts = packed.infolist()
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise too_large
            if "xl/workbook.xml" not in packed.namelist():
                raise BadWorkbook("is a zip file, but not a workbook", "save the sheet as XLSX or CSV")
            left = MOST_UNPACKED
            for part in parts:
                with packed.open(part) as stream:
                    left -= _measured(stream, left, too_large)
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise _spoilt() from error


def _measured(stream: Any, left: int, too_large: BadWorkbook) -> int:
    """Unpack a part piece by piece and count its bytes. Raises BadWorkbook."""
    size, before = 0, b""
    while piece := stream.read(_CHUNK):
        size += len(piece)
        if size > left:
            raise too_large
        seen = before + piece
        # An entity may stand for a million others, and a sheet has no use for one. UTF-16 would hide the word.
        if (
            b"<!DOCTYPE" in seen
            or b"<!ENTITY" in seen
            or (not before and piece[:2] in (b"\xff\xfe", b"\xfe\xff"))
        ):
            raise BadWorkbook("contains definitions that a register does not need", "save it as CSV")
        before = piece[-16:]
    return size


def _text(value: Any) -> str:
    """A cell as people read it; whole numbers without a point, dates year first."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)
