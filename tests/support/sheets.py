"""Files as keepers send them: workbooks, JSON, and things that only look like them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

HEADER = ("name", "nation", "side", "ship_type", "guns", "tons_burthen", "year_built", "crew")


def csv_of(rows: Iterable[Sequence[Any]], header: Sequence[str] = HEADER) -> bytes:
    """A CSV file, every cell in quotes."""
    lines = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in (header, *rows)]
    return ("\n".join(lines) + "\n").encode()


def xlsx_of(rows: Iterable[Sequence[Any]], header: Sequence[str] = HEADER) -> bytes:
    """A workbook; numbers, dates and formulas stay what they are."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (header, *rows):
        sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def bomb(megabytes: int = 60, *, name: str = "xl/worksheets/sheet1.xml") -> bytes:
    """A workbook of a few kilobytes that unpacks to so many megabytes of zeros."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        packed.writestr("xl/workbook.xml", "<workbook/>")
        with packed.open(name, "w") as part:
            for _ in range(megabytes):
                part.write(bytes(2**20))
    return out.getvalue()


def lying_bomb(megabytes: int = 60) -> bytes:
    """The same, but its directory says that it unpacks to a hundred bytes."""
    raw = bytearray(bomb(megabytes))
    true_size = (megabytes * 2**20).to_bytes(4, "little")
    small = (100).to_bytes(4, "little")
    at = raw.find(true_size)
    while at >= 0:
        raw[at : at + 4] = small
        at = raw.find(true_size, at + 4)
    return bytes(raw)


def ships(count: int) -> list[list[Any]]:
    """So many good rows of HEADER."""
    return [
        [f"Ship {n}", "England", "English", "ship_of_line", 40 + n % 50, 600 + n % 700, 1600 + n % 90, 200 + n % 300]
        for n in range(count)
    ]  # fmt: skip
