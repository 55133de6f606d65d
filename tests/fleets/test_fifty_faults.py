"""Fifty kinds of error, each described in plain words, in one file and all at once; nothing is saved."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from fleets.models import Register, RegisterEntry
from fleets.register_files import MOST_BYTES, RegisterFaults, RowFault, read_table
from fleets.services.import_plans import import_plan
from fleets.services.registers import register_import_bytes
from tests.support.factories import NationFactory
from tests.support.sheets import bomb, csv_of, lying_bomb, ships, xlsx_of

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

HEADER = (
    "Name", "nation", "side", "ship type", "role", "rate", "guns", "gun detail", "broadside", "tonnage",
    "displacement", "built", "crew", "speed", "captain", "note", "confidence", "soldiers", "overrides", "squadron",
    "figureheads", "year",
)  # fmt: skip
GOOD = {
    "Name": "Tiger", "nation": "England", "side": "English", "ship type": "frigate", "guns": "38", "tonnage": "450",
    "built": "1647",
}  # fmt: skip


class Kind(NamedTuple):
    """A kind of fault: the column of the file, what stands there, where it is told, and words of reason and remedy."""

    head: str
    value: str
    column: str
    reason: str
    right: str


KINDS = [
    Kind("Name", "", "name", "is empty", "every row needs this column"),
    Kind("Name", "N" * 81, "name", "81 characters", "up to 80"),
    Kind("Name", "=HYPERLINK(1)", "name", "formula", "the value itself"),
    Kind("Name", "+Lion", "name", "formula", "the value itself"),
    Kind("Name", "-Lion", "name", "formula", "the value itself"),
    Kind("Name", "@Lion", "name", "formula", "the value itself"),
    Kind("Name", "<script>alert(1)</script>", "name", "HTML tag", "plain text"),
    Kind("Name", "Li\x07on", "name", "cannot be shown", "type the text again"),
    Kind("Name", "Li\ufffdn", "name", "cannot be shown", "UTF-8"),
    Kind("Name", "Li\u202enoi", "name", "cannot be shown", "type the text again"),
    Kind("nation", "", "nation", "is empty", "every row needs this column"),
    Kind("nation", "Ruritania", "nation", "not a known nation", "Dutch Republic"),
    Kind("nation", "=A1", "nation", "formula", "the value itself"),
    Kind("side", "", "side", "is empty", "every row needs this column"),
    Kind("side", "S" * 61, "side", "61 characters", "up to 60"),
    Kind("ship type", "", "ship_type", "is empty", "one of ship_of_line"),
    Kind("ship type", "first-rate", "ship_type", "not a known ship type", "frigate"),
    Kind("ship type", "#REF!", "ship_type", "spreadsheet's error", "the value itself"),
    Kind("role", "admiral", "role", "not a known role", "vice_flag"),
    Kind("rate", "third rate of the line", "rate", "22 characters", "up to 10"),
    Kind("guns", "-5", "guns", "negative", "from 0 to 140"),
    Kind("guns", "1,200", "guns", "thousands separator", "write 1200"),
    Kind("guns", "300", "guns", "out of range", "from 0 to 140"),
    Kind("guns", "fifty", "guns", "not a whole number", "digits only"),
    Kind("guns", "52.5", "guns", "not a whole number", "digits only"),
    Kind("guns", "=SUM(A1:A9)", "guns", "formula", "the value itself"),
    Kind("guns", "#VALUE!", "guns", "spreadsheet's error", "the value itself"),
    Kind("guns", "50-54", "guns", "is a range", "one number"),
    Kind("guns", "52 guns", "guns", "its unit in the cell", "write 52"),
    Kind("guns", "9" * 5000, "guns", "out of range", "from 0 to 140"),
    Kind("gun detail", "30 heavy guns", "gun_detail", "not NUMBERxCALIBRE", "30x32pdr"),
    Kind("gun detail", "30x32", "gun_detail", "not NUMBERxCALIBRE", "4x12in"),
    Kind("broadside", "half a ton", "broadside_lb", "not a whole number", "pounds"),
    Kind("tonnage", "0", "tons_burthen", "out of range", "from 1 to"),
    Kind("tonnage", "1 200", "tons_burthen", "thousands separator", "write 1200"),
    Kind("tonnage", "about 450", "tons_burthen", "a guess", "doubt in the note"),
    Kind("displacement", "~4000", "displacement_tons", "a guess", "doubt in the note"),
    Kind("built", "c. 1650", "year_built", "a guess", "number alone"),
    Kind("built", "1650?", "year_built", "a guess", "number alone"),
    Kind("built", "12/03/1650", "year_built", "is a date", "write 1650"),
    Kind("built", "1650-03-12", "year_built", "is a date", "write 1650"),
    Kind("built", "12 March 1650", "year_built", "is a date", "write 1650"),
    Kind("built", "1650/51", "year_built", "is a range", "one number"),
    Kind("built", "165", "year_built", "out of range", "from 1200 to 1950"),
    Kind("built", "2001", "year_built", "out of range", "from 1200 to 1950"),
    Kind("built", "unknown", "year_built", "not a whole number", "leave the cell empty"),
    Kind("crew", "60000", "crew", "out of range", "from 0 to 5000"),
    Kind("speed", "18,25", "speed_knots", "not a speed", "18.25"),
    Kind("speed", "fast", "speed_knots", "not a speed", "knots"),
    Kind("captain", "@SUM(1)", "commander", "formula", "the value itself"),
    Kind("note", "\u200b<img src=x>", "fate_or_note", "HTML tag", "plain text"),
    Kind("confidence", "certain", "confidence", "not a known confidence", "medium"),
    Kind("soldiers", "many", "soldiers", "not a whole number", "digits only"),
    Kind("overrides", "hull 45", "overrides", "not JSON", "kohler"),
    Kind("overrides", "[1]", "overrides", "not a set of card figures", "kohler"),
    Kind("overrides", '{"kolher": {"hull": 4}}', "overrides", "not an installed rule set", "kohler"),
    Kind("overrides", '{"kohler": {"hul": 4}}', "overrides", "cannot use hul", "use one of fast, fire"),
    Kind("overrides", '{"kohler": {"hull": -4}}', "overrides", "cannot use hul", "above 0"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _nations() -> None:
    NationFactory(name="England")
    NationFactory(name="Dutch Republic")


def the_file() -> bytes:
    """A row a kind of fault, then a name that is there twice; the header has an unknown column and one that is there twice."""
    rows = []
    for number, kind in enumerate(KINDS):
        row = {**GOOD, "Name": f"Tiger {number}", kind.head: kind.value}
        rows.append([row.get(head, "") for head in HEADER])
    twice = [GOOD.get(head, "") for head in HEADER]
    return csv_of([*rows, twice, twice], HEADER) + b"Lion,England\n"


def test_fifty_kinds_of_error_give_one_message_each_and_nothing_is_saved() -> None:
    assert len(KINDS) + 4 >= 50

    faults = import_plan(register=None, raw=the_file()).faults

    last = len(KINDS) + 1
    told = {(fault.line, fault.column): fault for fault in faults}
    assert set(told) == {(n, kind.column) for n, kind in enumerate(KINDS, start=2)} | {
        (1, "figureheads"), (1, "year_built"), (last + 2, "name"), (last + 3, ""),
    }  # fmt: skip
    assert len(faults) == len(KINDS) + 4
    for number, kind in enumerate(KINDS, start=2):
        fault = told[number, kind.column]
        assert kind.reason in fault.reason, kind
        assert kind.right in fault.right, kind
        assert fault.value == kind.value.strip() or kind.head == "overrides"
    with pytest.raises(RegisterFaults):
        register_import_bytes(raw=the_file(), code="club", title="Club")
    assert not Register.objects.exists()
    assert not RegisterEntry.objects.exists()


def test_no_message_mentions_programs() -> None:
    for fault in import_plan(register=None, raw=the_file()).faults:
        words = f"{fault.reason} {fault.right}"
        assert not any(
            word in words for word in ("Traceback", "Error(", "None", "decimal.", "<class", "int()")
        )
        assert fault.reason and fault.right


def only_fault(raw: bytes) -> RowFault:
    """The one fault of a file that is refused as a whole."""
    (fault,) = import_plan(register=None, raw=raw).faults
    return fault


def test_ten_megabytes_of_rubbish_are_refused_unread() -> None:
    fault = only_fault(random.Random(1).randbytes(10 * 2**20))

    assert fault.reason == f"is larger than {MOST_BYTES // 2**20} MB"


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"])
def test_a_zip_bomb_is_refused_by_its_declared_size(part: str) -> None:
    packed = bomb(name=part)

    assert len(packed) < 300_000

    assert "unpacks to more than 40 MB" in only_fault(packed).reason


def test_a_zip_bomb_that_lies_about_its_size_is_refused_while_it_is_measured() -> None:
    assert "damaged" in only_fault(lying_bomb()).reason


def test_a_workbook_of_entities_is_refused() -> None:
    import io
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx_of(ships(1)))) as good, zipfile.ZipFile(out, "w") as bad:
        for part in good.infolist():
            text = good.read(part)
            if part.filename.endswith("sheet1.xml"):
                text = b'<!DOCTYPE lolz [<!ENTITY lol "lol">]>' + text
            bad.writestr(part, text)

    assert "definitions" in only_fault(out.getvalue()).reason


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"PK\x03\x04" + b"x" * 100, "damaged"),
        (xlsx_of(ships(2))[:900], "damaged"),
        (b"[1, 2]", "not a list of ships"),
        (b'[{"name": "Tiger"', "not JSON"),
        (b'[{"name": "Tiger", "name": "Lion"}]', "twice in one ship"),
        (b"[" * 100_000, "nested too deeply"),
        (random.Random(2).randbytes(50_000), "not a text file"),
        (b"GIF89a\x00\x00", "not a text file"),
    ],
)
def test_a_file_that_is_not_a_table_of_ships_is_refused_in_one_sentence(raw: bytes, reason: str) -> None:
    assert reason in only_fault(raw).reason


def test_a_file_of_too_many_ships_is_refused() -> None:
    assert [fault.reason for fault in read_table(csv_of(ships(5_001))).faults] == [
        "has more than 5,000 ships"
    ]
