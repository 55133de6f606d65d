"""The record of clauses, from whole runs of pytest in folders of their own."""

import json
from pathlib import Path

import pytest

from tests.support.clauses_plugin import merged

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = "from tests.support.clauses_plugin import pytest_configure\n"
INI = "[pytest]\nmarkers =\n  clause(*ids): x\naddopts = -p xdist.plugin -p no:cacheprovider --import-mode=importlib\n"
FIRE = """
import pytest

@pytest.mark.clause("K.F7", "K.F17")
def test_a_rake_doubles(): pass

@pytest.mark.clause("K.F7")
def test_a_miss(): assert OK

@pytest.mark.parametrize("case", [pytest.param(1, id="K.M3/turns-once"), pytest.param(2, id="K.S0.2b/sets-sail")])
def test_case(case): pass

def test_of_no_clause(): pass
"""
A_RAKE = "test_fire.py::test_a_rake_doubles"
A_MISS = "test_fire.py::test_a_miss"
CASES = {
    "K.M3": ["test_fire.py::test_case[K.M3/turns-once]"],
    "K.S0.2b": ["test_fire.py::test_case[K.S0.2b/sets-sail]"],
}


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini(INI)
    pytester.makeconftest(CONFTEST)
    pytester.mkdir("browser").joinpath("conftest.py").touch()  # a folder with its own, as the project has
    pytester.makepyfile(test_fire=FIRE.replace("OK", "True"))
    return pytester


def record(folder: pytest.Pytester) -> dict[str, list[str]]:
    return dict(json.loads((folder.path / "var" / "clauses.json").read_text()))


def run(folder: pytest.Pytester, *words: str) -> None:
    folder.runpytest_inprocess(*words)


@pytest.mark.parametrize("spread", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_passed_tests_are_recorded_by_clause(folder: pytest.Pytester, spread: tuple[str, ...]) -> None:
    run(folder, *spread)
    assert record(folder) == {"K.F17": [A_RAKE], "K.F7": [A_MISS, A_RAKE], **CASES}


@pytest.mark.parametrize("spread", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_failed_tests_drop_out(folder: pytest.Pytester, spread: tuple[str, ...]) -> None:
    run(folder)
    folder.makepyfile(test_fire=FIRE.replace("OK", "False"))
    run(folder, *spread)
    assert record(folder) == {"K.F17": [A_RAKE], "K.F7": [A_RAKE], **CASES}


@pytest.mark.parametrize(
    "words", [("-k", "miss"), (A_MISS,), ("-k", "miss", "-n", "2"), (A_MISS, "-n", "2")], ids=" ".join
)
def test_a_run_of_one_test_leaves_the_others_as_they_were(
    folder: pytest.Pytester, words: tuple[str, ...]
) -> None:
    run(folder)
    before = record(folder)
    run(folder, *words)
    assert record(folder) == before


@pytest.mark.parametrize("spread", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_a_deleted_test_drops_out(folder: pytest.Pytester, spread: tuple[str, ...]) -> None:
    run(folder)
    folder.makepyfile(test_fire=FIRE.replace("OK", "True").replace("test_a_miss", "test_a_near_miss"))
    run(folder, "-k", "no_clause", *spread)
    assert record(folder)["K.F7"] == [A_RAKE]


def test_the_tests_of_a_deleted_file_drop_out(folder: pytest.Pytester) -> None:
    folder.makepyfile(test_wind="import pytest\n@pytest.mark.clause('K.W1')\ndef test_it_veers(): pass\n")
    run(folder)
    assert record(folder)["K.W1"] == ["test_wind.py::test_it_veers"]
    (folder.path / "test_wind.py").unlink()
    run(folder, "test_fire.py")
    assert "K.W1" not in record(folder)


def test_a_clause_that_a_test_no_longer_carries_drops_out(folder: pytest.Pytester) -> None:
    run(folder)
    folder.makepyfile(test_fire=FIRE.replace("OK", "True").replace('"K.F7", "K.F17"', '"K.F7"'))
    run(folder)
    assert "K.F17" not in record(folder)


@pytest.mark.parametrize(
    "body",
    [
        "def test_it_veers(): pytest.skip('no wind')",
        "def test_it_veers(breaks_before): pass",
        "def test_it_veers(breaks_after): pass",
    ],
    ids=["skipped", "set-up failed", "tear-down failed"],
)
def test_a_test_that_did_not_pass_completely_does_not_count(folder: pytest.Pytester, body: str) -> None:
    fixtures = (
        "import pytest\n@pytest.fixture\ndef breaks_before(): assert False\n"
        "@pytest.fixture\ndef breaks_after():\n    yield\n    assert False\n"
    )
    folder.makepyfile(test_wind=f"{fixtures}@pytest.mark.clause('K.W1')\n{body}\n")
    run(folder)
    assert "K.W1" not in record(folder)


def test_collecting_the_tests_writes_nothing(folder: pytest.Pytester) -> None:
    run(folder, "--collect-only")
    assert not (folder.path / "var").exists()


WITH_RESULTS = f"""{CONFTEST}
from tests.support import clause_results

clause_results.write = lambda ran, passed, failed: [f"Results: {{len(passed)}} passed, {{len(failed)}} failed."]

def pytest_addoption(parser):
    parser.addoption("--clauses", action="store_true")
"""


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (("--clauses", "-n", "2"), True),
        (("-n", "0"), False),
        (("--clauses", "-k", "rakes or miss"), False),
        (("--clauses", "test_fire.py"), False),
    ],
    ids=["whole run", "without clauses", "chosen by words", "one file"],
)
def test_only_a_whole_run_of_the_clauses_writes_the_results_for_the_site(
    folder: pytest.Pytester, words: tuple[str, ...], written: bool
) -> None:
    folder.makeini(f"{INI}testpaths = .\n")
    folder.makeconftest(WITH_RESULTS)
    folder.makepyfile(test_fire=FIRE.replace("OK", "False"))
    # in a process of its own, for its conftest changes a module of the site
    output = folder.runpytest_subprocess(*words, timeout=60).stdout.str()
    assert ("Results: 4 passed, 1 failed." in output) is written


def test_a_merge_keeps_what_did_not_run() -> None:
    old = {"K.F7": ["a::old", "b::kept"], "K.F8": ["a::old"]}
    new = merged(old, ran={"a::old": ["K.F9"], "a::bad": ["K.F7"]}, passed={"a::old"}, gone=[])
    assert new == {"K.F7": ["b::kept"], "K.F9": ["a::old"]}
