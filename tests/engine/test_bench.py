"""The benchmarks measure what they say, and can be compared with the record."""

from __future__ import annotations

import json

from tests.bench import RECORD, ROWS, Row, _ship_turns, measure


def test_a_row_gives_seconds_memory_and_how_many_ships_sailed() -> None:
    found = measure(Row("small", lambda: _ship_turns(200, "squadron", turns=2), 1))
    assert found["seconds"] > 0
    assert found["mb"] > 1
    assert 700 < found["units"] <= 800
    assert found["unit"] == "ship-turn"


def test_the_record_holds_rows_that_exist() -> None:
    record = json.loads(RECORD.read_text())
    assert set(record) <= {row.name for row in ROWS}
    assert all(row["seconds"] > 0 for row in record.values())
