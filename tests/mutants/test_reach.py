"""Which tests reach what is at module level: those that run a function which uses it, and those that ask for it themselves."""

from pathlib import Path

from tests.mutants.reach import Reach
from tests.mutants.sites import sites

ROOM = b"YEARS = (1588, 1666)\nPORTS = (3, 4)\n"
TESTS = """from fleets.things import PORTS, YEARS

ALL = list(PORTS)

def test_years():
    assert YEARS[0] == 1588

def test_nothing():
    assert True
"""


def test_a_table_is_reached_by_the_test_that_names_it_and_by_a_file_that_is_made_of_it(
    tmp_path: Path,
) -> None:
    for path, text in (("fleets/things.py", ROOM.decode()), ("tests/test_things.py", TESTS)):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text)
    for room in ("battles", "campaign"):
        (tmp_path / room).mkdir()
    tests = {f"tests/test_things.py::{name}": 0.1 for name in ("test_years", "test_nothing")}
    reach = Reach(tmp_path, {}, {"tests/test_things.py": 1}, tests)
    found = {site.old: reach.of(site) for site in sites("fleets/things.py", ROOM)}
    assert found["1588"] == found["1666"] == ["tests/test_things.py::test_years"]
    assert found["3"] == sorted(tests)
