"""The README holds what it says."""

import doctest
import re
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()


def test_its_snippet_of_the_engine_runs_as_printed() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_its_pictures_and_folders_are_there() -> None:
    for picture in re.findall(r"!\[[^]]*]\(([^)]+)\)", README):
        assert (ROOT / picture).is_file(), picture
    rooms = README.partition("## Map of the house")[2].partition("##")[0]
    for folder in re.findall(r"^\| `([^`]+)`", rooms, re.M):
        assert (ROOT / folder).is_dir(), folder


def test_its_commands_are_commands() -> None:
    named = set(re.findall(r"`manage\.py (\w+)", README))
    assert len(named) >= 6
    assert named <= set(get_commands())
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`make (\w+)`", README)) <= targets


def test_every_variable_that_the_settings_read_is_told() -> None:
    read = set()
    for path in (ROOT / "deploy" / "settings").glob("*.py"):
        read |= set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', path.read_text()))
    table = README.partition("## Settings")[2].partition("## Dependencies")[0]
    told = set(re.findall(r"`([A-Z_]+)`", table))
    assert read <= told, sorted(read - told)
