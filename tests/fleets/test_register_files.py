"""Files as spreadsheets write them, and all their errors."""

from __future__ import annotations

import io
import json
from datetime import date
from time import monotonic

import pytest
from openpyxl import Workbook

from fleets.forms import nations_by_name
from fleets.models import RegisterEntry
from fleets.register_columns import column_named
from fleets.register_files import RegisterFaults, RowFault, read_table
from fleets.register_rows import checked_rows
from fleets.services.import_plans import import_plan
from tests.support.factories import NationFactory
from tests.support.sheets import xlsx_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

HEADER = "name,nation,side,ship_type,guns,year_built,role,commander"


@pytest.fixture(autouse=True)
def _nations() -> None:
    NationFactory(name="England")
    NationFactory(name="Dutch Republic")


def _read(text: str | bytes) -> list[RegisterEntry]:
    raw = text.encode() if isinstance(text, str) else text
    rows, faults = checked_rows(read_table(raw), nations_by_name())
    if faults:
        raise RegisterFaults(faults)
    return [row.entry for row in rows]


def _faults(text: str | bytes) -> tuple[RowFault, ...]:
    with pytest.raises(RegisterFaults) as caught:
        _read(text)
    return caught.value.faults


def _fault(column: str, value: str) -> RowFault:
    """The one fault of an otherwise good row with this value in this column."""
    row = {"name": "Tiger", "nation": "England", "side": "English", "ship_type": "frigate", column: value}
    header = ",".join(row)
    cells = ",".join('"' + cell.replace('"', '""') + '"' for cell in row.values())
    found = _faults(f"{header}\n{cells}\n")
    assert [(fault.line, fault.column) for fault in found] == [(2, column)]
    return found[0]


def test_a_good_row_becomes_an_entry_with_its_line() -> None:
    (entry,) = _read(f"{HEADER}\nTiger,England,English,frigate,38,1647,,Capt Smith\n")

    assert (entry.line, entry.name, entry.nation.name, entry.guns) == (2, "Tiger", "England", 38)
    assert (entry.role, entry.year_built, entry.crew) == ("private", 1647, None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_accents_survive_in_every_encoding_a_spreadsheet_writes(encoding: str) -> None:
    text = f"{HEADER}\nSão João,England,English,galleon,,,,\n"

    (entry,) = _read(text.encode(encoding))

    assert entry.name == "São João"


def test_header_may_have_capitals_spaces_and_hyphens() -> None:
    (entry,) = _read(" Name ,NATION,Side,Ship-Type, Year Built\nTiger,england,English,Ship of Line,1647\n")

    assert (entry.ship_type, entry.year_built, entry.nation.name) == ("ship_of_line", 1647, "England")


@pytest.mark.parametrize("mark", [";", "\t"])
def test_semicolons_and_tabs_may_separate_cells(mark: str) -> None:
    (entry,) = _read(f"{HEADER}\nTiger,England,English,frigate,38,1647,,\n".replace(",", mark))

    assert entry.guns == 38


def test_empty_lines_are_skipped_but_counted() -> None:
    (entry,) = _read(f"{HEADER}\n\n,,,,,,,\nTiger,England,English,frigate,38,1647,,\n")

    assert entry.line == 4


def test_a_row_after_a_cell_of_two_lines_keeps_its_place() -> None:
    faults = _faults(
        f'{HEADER}\nTiger,England,English,frigate,38,1647,,"Smith;\nJones"\nLion,,English,frigate,,,,\n'
    )

    assert [(fault.line, fault.column) for fault in faults] == [(4, "nation")]


def test_columns_of_single_registers_are_kept_with_the_entry() -> None:
    (entry,) = _read(
        "name,nation,side,ship_type,soldiers,tags,built_by,torpedo_tubes\n"
        "Tiger,England,English,frigate,120,frigate-built; old,Dutch Republic,\n"
    )

    assert entry.extra == {"soldiers": 120, "tags": ["frigate-built", "old"], "built_by": "Dutch Republic"}


def test_card_fields_by_rule_set_are_read_as_json() -> None:
    (entry,) = _read(
        'name,nation,side,ship_type,overrides\nTiger,England,English,frigate,"{""kohler"": {""hull"": 45}}"\n'
    )

    assert entry.overrides == {"kohler": {"hull": 45}}


@pytest.mark.parametrize(
    ("column", "value", "reason", "right"),
    [
        ("guns", "=SUM(A1:A9)", "formula", "value itself"),
        ("guns", "1,200", "thousands separator", "write 1200"),
        ("guns", "-5", "negative", "from 0 to 140"),
        ("guns", "300", "out of range", "from 0 to 140"),
        ("guns", "fifty", "not a whole number", "digits only"),
        ("guns", "3.5", "not a whole number", "digits only"),
        ("year_built", "c. 1650", "guess", "number alone"),
        ("year_built", "165", "out of range", "from 1200 to 1950"),
        ("speed_knots", "18,25", "not a speed", "18.25"),
        ("ship_type", "first-rate", "not a known ship type", "ship_of_line"),
        ("role", "admiral", "not a known role", "vice_flag"),
        ("confidence", "certain", "not a known confidence", "medium"),
        ("nation", "Ruritania", "not a known nation", "Dutch Republic"),
        ("nation", "", "empty", "every row needs"),
        ("name", "", "empty", "every row needs"),
        ("name", "=HYPERLINK(1)", "formula", "value itself"),
        ("source", "#REF!", "formula", "value itself"),
        ("name", "x" * 81, "81 characters", "up to 80"),
        ("gun_detail", "30 guns", "NUMBERxCALIBRE", "30x32pdr"),
        ("soldiers", "many", "not a whole number", "digits only"),
        ("overrides", "hull 45", "not JSON", "kohler"),
        ("overrides", "[1]", "not a set of card figures", "kohler"),
    ],
)
def test_a_bad_cell_is_reported_with_its_value_the_reason_and_what_would_be_right(
    column: str, value: str, reason: str, right: str
) -> None:
    fault = _fault(column, value)

    assert fault.value == value
    assert reason in fault.reason
    assert right in fault.right


def test_a_number_with_nothing_after_the_point_is_whole() -> None:
    (entry,) = _read(f"{HEADER}\nTiger,England,English,frigate,38.0,1647,,\n")

    assert entry.guns == 38


def test_all_errors_come_at_once_in_the_order_of_lines() -> None:
    faults = _faults(
        f"{HEADER}\n"
        "Tiger,England,English,frigate,many,long ago,,\n"
        "Lion,England,English,frigate\n"
        "Bear,Ruritania,English,whale,20,1650,,\n"
        "Tiger,England,English,frigate,40,1650,,\n"
    )

    assert [(fault.line, fault.column) for fault in faults] == [
        (2, "guns"),
        (2, "year_built"),
        (3, ""),
        (4, "nation"),
        (4, "ship_type"),
        (5, "name"),
    ]
    assert "4 cells where the header has 8" in faults[2].reason
    assert "in line 2" in faults[5].reason


def test_one_name_on_two_sides_is_not_an_error() -> None:
    entries = _read(
        f"{HEADER}\nEendracht,Dutch Republic,Dutch,ship_of_line,,,,\nEendracht,England,English,ship_of_line,,,,\n"
    )

    assert [entry.side for entry in entries] == ["Dutch", "English"]


def test_unknown_columns_are_reported_together_with_the_rows_errors() -> None:
    faults = _faults("name,nation,side,ship_type,figureheads,guns\nTiger,England,English,frigate,1,x\n")

    assert [(fault.line, fault.column) for fault in faults] == [(1, "figureheads"), (2, "guns")]
    assert "guns" in faults[0].right


@pytest.mark.parametrize(
    ("header", "column", "reason"),
    [
        ("name,nation,side", "ship_type", "missing"),
        ("name,nation,side,ship_type,guns,Guns", "guns", "twice"),
        ("name,nation,side,ship_type,", "column 5", "no name"),
    ],
)
def test_a_header_that_cannot_be_used_is_reported(header: str, column: str, reason: str) -> None:
    cells = ["Tiger", "England", "English", "frigate", "1", "1"][: header.count(",") + 1]

    faults = _faults(f"{header}\n{','.join(cells)}\n")

    assert [fault.column for fault in faults] == [column]
    assert reason in faults[0].reason


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (HEADER.encode(), "no ships"),
        (b"PK\x03\x04workbook", "damaged"),
        (b"\x00\x01\x02", "not a text file"),
        (f'{HEADER}\nTiger,"England\n'.encode(), "cannot be read"),
    ],
)
def test_a_file_that_is_not_a_table_gives_one_error(raw: bytes, reason: str) -> None:
    (fault,) = _faults(raw)

    assert reason in fault.reason


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("Guns (rated)", "guns"),
        ("TONNAGE", "tons_burthen"),
        ("Tons Burthen", "tons_burthen"),
        ("ship's name", "name"),
        ("Type of ship", "ship_type"),
        ("No. of guns", "guns"),
        ("Year-Built", "year_built"),
        ("Launched", "year_built"),
        ("Squadron 1905", "squadron_1905"),
        ("Captain", "commander"),
        ("Figurehead", "figurehead"),
    ],
)
def test_a_heading_is_recognised_by_its_common_names(heading: str, column: str) -> None:
    assert column_named(heading) == column


def test_an_unknown_heading_is_reported_with_the_likely_one() -> None:
    faults = _faults("name,nation,side,ship_type,yearbilt\nTiger,England,English,frigate,1650\n")

    assert (faults[0].column, faults[0].reason) == ("yearbilt", "is not a known column")
    assert faults[0].right.startswith("did you mean year_built?")


def test_unknown_columns_are_skipped_on_request_and_named() -> None:
    raw = b"register,line,name,nation,side,ship_type,Figurehead,guns\nclub,2,Tiger,England,English,frigate,lion,38\n"

    table = read_table(raw, skip_unknown=True)

    assert table.faults == ()
    assert table.passed_over == ("register", "line", "Figurehead")
    assert table.rows == ((2, ("Tiger", "England", "English", "frigate", "38")),)


def test_a_workbook_is_read_like_a_csv_file() -> None:
    row = ["Tiger", "England", "English", "frigate", 38.0, 450, date(1650, 3, 12), None]

    faults = import_plan(register=None, raw=xlsx_of([row]), nations=nations_by_name()).faults
    row[6] = 1650
    (entry,) = _read(xlsx_of([row]))

    assert [(f.line, f.column, f.value, f.right) for f in faults] == [
        (2, "year_built", "1650-03-12", "write 1650 alone")
    ]
    assert (entry.guns, entry.tons_burthen, entry.year_built, entry.crew) == (38, 450, 1650, None)


def test_a_formula_in_a_workbook_is_not_a_value() -> None:
    row = ["Tiger", "England", "English", "frigate", "=1+1", 450, 1650, None]

    faults = import_plan(register=None, raw=xlsx_of([row])).faults

    assert [(fault.column, fault.value) for fault in faults] == [("guns", "=1+1")]


def test_a_workbook_is_read_no_farther_than_a_register_goes() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["name", "nation", "side", "ship_type"])
    sheet.append(["Tiger", "England", "English", "frigate"])
    sheet["A1000000"] = "far away"
    sheet["XFD2"] = "far to the right"
    out = io.BytesIO()
    book.save(out)

    (entry,) = _read(out.getvalue())

    assert entry.name == "Tiger"


def test_json_is_read_with_its_lists_and_objects() -> None:
    ship = {
        "name": "Tiger", "nation": "England", "side": "English", "ship_type": "frigate", "guns": 38, "crew": None,
        "tags": ["frigate-built", "old"], "overrides": {"kohler": {"hull": 20}}, "extra": {"soldiers": 30},
    }  # fmt: skip

    (entry,) = _read(json.dumps({"ships": [ship]}))

    assert (entry.guns, entry.crew, entry.overrides) == (38, None, {"kohler": {"hull": 20}})
    assert entry.extra == {"tags": ["frigate-built", "old"], "soldiers": 30}


def test_a_repeated_column_in_a_ship_is_named_whatever_the_columns() -> None:
    """Were each name looked for among all the others, this ship would take a minute."""
    columns = ", ".join(f'"x{number}": 1' for number in range(60_000))
    began = monotonic()
    (fault,) = _faults(f'[{{"name": "Tiger", {columns}, "name": "Lion"}}]')
    assert "'name' appears twice in one ship" in fault.reason
    assert monotonic() - began < 20


def test_the_apostrophe_that_stops_a_spreadsheet_from_running_a_cell_is_removed() -> None:
    (entry,) = _read("name,nation,side,ship_type,note\n'-5 guns short,England,English,frigate,'tis said\n")

    assert (entry.name, entry.fate_or_note) == ("-5 guns short", "'tis said")
