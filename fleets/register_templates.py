"""Files to fill in: every column, an example, and the allowed values."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from fleets.models import Confidence, Role, ShipType
from fleets.register_columns import ColumnGuide, column_guides

_LAST_ROW = 2_001
_WIDEST = 40


def template_csv(nations: Sequence[str]) -> bytes:
    """Header and one example, as a CSV file that spreadsheets open with its accents right."""
    guides = column_guides(nations)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(guide.column for guide in guides)
    writer.writerow(guide.example for guide in guides)
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def template_workbook(nations: Sequence[str]) -> bytes:
    """The same as a workbook; a second sheet gives the allowed values of each column, and cells with a list of words offer them."""
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    guides = column_guides(nations)
    book = Workbook()
    sheet = book.active
    sheet.title = "Ships"
    sheet.append([guide.column for guide in guides])
    sheet.append([int(guide.example) if guide.example.isdigit() else guide.example for guide in guides])
    sheet.freeze_panes = "B2"
    help_sheet = book.create_sheet("Allowed values")
    help_sheet.append(["column", "required", "allowed values"])
    for guide in guides:
        help_sheet.append([guide.column, "in every row" if guide.needed else "", guide.allowed])
    for row in (sheet[1], help_sheet[1]):
        for cell in row:
            cell.font = Font(bold=True)
    for number, guide in enumerate(guides, start=1):
        width = max(len(guide.column), len(guide.example)) + 2
        sheet.column_dimensions[get_column_letter(number)].width = min(width, _WIDEST)
    for letter, width in (("A", 22), ("B", 14), ("C", 120)):
        help_sheet.column_dimensions[letter].width = width
    _offer_words(book, guides, nations)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _offer_words(book: object, guides: Sequence[ColumnGuide], nations: Sequence[str]) -> None:
    """Lists to choose from, kept on a third sheet because a list inside a cell is limited to 255 characters."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    words = {
        "nation": sorted(nations),
        "ship_type": list(ShipType.values),
        "role": list(Role.values),
        "confidence": list(Confidence.values),
    }
    sheet = book["Ships"]  # type: ignore[index]
    lists = book.create_sheet("Words")  # type: ignore[attr-defined]
    columns = [guide.column for guide in guides]
    for number, (column, values) in enumerate(words.items(), start=1):
        letter = get_column_letter(number)
        for row, value in enumerate([column, *values], start=1):
            lists[f"{letter}{row}"] = value
        offer = DataValidation(
            type="list", formula1=f"Words!${letter}$2:${letter}${len(values) + 1}", allow_blank=True
        )
        at = get_column_letter(columns.index(column) + 1)
        offer.add(f"{at}2:{at}{_LAST_ROW}")
        sheet.add_data_validation(offer)
