"""`make test`: what is reported, by name, and the exit status."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest, suite
from tests.suite import Part, main

ROOT = Path(__file__).resolve().parents[2]


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


WELL = Part(name="lint", command=python(""))
ILL = Part(name="unit", command=python("raise SystemExit(3)"))
ABSENT = Part(
    name="redis",
    command=python(""),
    why_not=lambda: "the program redis-server is not installed",
    get_it="apt-get install redis-server",
)


def test_the_status_is_0_if_all_passed(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([], parts=[WELL]) == 0
    assert "passed: lint" in capfd.readouterr().out


def test_a_failure_is_named_and_the_parts_after_it_run_too(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([], parts=[ILL, WELL]) == 1
    out = capfd.readouterr().out
    assert "FAILED: unit" in out
    assert "exit status 3" in out
    assert "passed: lint" in out


def test_a_part_that_cannot_run_is_skipped_by_name_with_what_to_do(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([], parts=[ABSENT, WELL]) == 0
    expected = (
        "SKIPPED: redis: the program redis-server is not installed, to get it: apt-get install redis-server"
    )
    assert expected in capfd.readouterr().out.splitlines()


def test_missing_programs_are_installed_where_possible(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(suite, "install", installed.append)
    part = Part(
        name="browser",
        command=python(""),
        package="chromium",
        why_not=lambda: "" if installed else "none is installed",
    )
    assert main([], parts=[part]) == 0
    assert installed == ["chromium"]
    assert "passed: browser" in capfd.readouterr().out


def test_a_server_that_does_not_start_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    @contextlib.contextmanager
    def broken() -> Iterator[Mapping[str, str]]:
        raise RuntimeError("no room on the disk")
        yield {}

    assert main([], parts=[Part(name="postgres", command=python(""), server=broken)]) == 1
    assert "FAILED: postgres (0 s): RuntimeError: no room on the disk" in capfd.readouterr().out


def test_only_the_part_itself_gets_its_servers_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_DATABASE_URL", "postgres://elsewhere/x")

    @contextlib.contextmanager
    def server() -> Iterator[Mapping[str, str]]:
        yield {"TEST_DATABASE_URL": "postgres://here/x"}

    check = "import os; assert os.environ.get('TEST_DATABASE_URL') == {!r}"
    with_server = Part(name="postgres", command=python(check.format("postgres://here/x")), server=server)
    without = Part(name="sqlite", command=python(check.format(None)))
    assert main([], parts=[with_server, without]) == 0


def test_parts_side_by_side_run_at_the_same_time_and_each_prints_its_output_whole(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    meet = """
import pathlib, sys, time
mine, other = sys.argv[1:]
pathlib.Path(mine).touch()
print("waiting", flush=True)
for _ in range(500):
    if pathlib.Path(other).exists():
        print("met", flush=True)
        raise SystemExit
    time.sleep(0.02)
raise SystemExit(4)
"""
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    parts = [
        Part(name="redis", command=(*python(meet), one, two), beside="live"),
        Part(name="browser", command=(*python(meet), two, one), beside="live"),
    ]
    assert main([], parts=parts) == 0
    out = capfd.readouterr().out
    assert "=== redis\nwaiting\nmet\n" in out
    assert "=== browser\nwaiting\nmet\n" in out


def test_a_part_aloud_prints_before_those_beside_it_have_ended(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    gone = str(tmp_path / "gone")
    waits = f"""
import pathlib, time
print("waited", flush=True)
while not pathlib.Path({gone!r}).exists():
    time.sleep(0.02)
"""
    leads = f"import pathlib; print('led', flush=True); pathlib.Path({gone!r}).touch()"
    parts = [
        Part(name="sqlite", command=python(leads), beside="first", aloud=True),
        Part(name="redis", command=python(waits), beside="first"),
    ]
    assert main([], parts=parts) == 0
    out = capfd.readouterr().out
    assert out.index("led") < out.index("waited")


def test_a_part_after_another_of_its_row_begins_when_that_one_has_ended(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "ended"
    slow = f"import pathlib, time; time.sleep(0.3); pathlib.Path({str(mark)!r}).touch()"
    late = f"import pathlib, sys; sys.exit(not pathlib.Path({str(mark)!r}).exists())"
    parts = [
        Part(name="postgres", command=python(late), beside="first", after="browser"),
        Part(name="browser", command=python(slow), beside="first"),
    ]
    assert main([], parts=parts) == 0
    assert main(["postgres"], parts=parts) == 0, "it waits for no part that does not run"


def test_parts_are_chosen_by_name(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["lint"], parts=[WELL, ILL]) == 0
    assert "unit" not in capfd.readouterr().out
    assert main(["lnt"], parts=[WELL, ILL]) == 2


def test_every_part_that_needs_a_program_says_how_to_get_it() -> None:
    assert [part.name for part in suite.PARTS if bool(part.package or part.get_it) != bool(part.get_it)] == []
    assert {part.name for part in suite.PARTS} >= {"lint", "types", "sqlite", "postgres", "redis", "browser"}


def test_only_database_tests_run_again_on_the_other_database() -> None:
    files = ("tests/deploy/test_health.py", "tests/deploy/test_env.py", "tests/deploy/test_keys.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--only-db", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    chosen = {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    assert chosen == {"tests/deploy/test_health.py"}


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("tests/campaign/rules/test_gales.py", False),
        ("tests/campaign/test_roles.py", False),
        ("tests/campaign/services/test_turns.py", True),
    ],
)
def test_files_without_a_test_for_the_other_database_are_not_even_read(path: str, read: bool) -> None:
    asked = SimpleNamespace(rootpath=ROOT, getoption=lambda name: name == "--only-db")
    assert (conftest.pytest_ignore_collect(ROOT / path, asked) is not True) == read
    assert conftest.pytest_ignore_collect(ROOT / path, SimpleNamespace(getoption=lambda name: False)) is None


def test_a_part_on_request_runs_only_when_it_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    asked = Part(name="compiled", command=python(""), on_request=True)
    assert main([], parts=[WELL, asked]) == 0
    assert "compiled" not in capfd.readouterr().out
    assert main(["compiled"], parts=[WELL, asked]) == 0
    assert "passed: compiled" in capfd.readouterr().out
