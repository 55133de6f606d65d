"""The README and the documents hold what they say."""

import doctest
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
DOCUMENTS = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
RECIPES = sorted((ROOT / "docs" / "recipes").glob("*.md"))
MADE = re.compile(r"newset|muster|chief\b|strong_wind|_gives_up", re.I)  # what a reader of a recipe makes
each = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)


def test_the_snippet_of_the_engine_runs_as_printed() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_the_readme_can_be_read_in_one_go() -> None:
    assert len(README.read_text().splitlines()) <= 120


@each
def test_pictures_and_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"]\((?!https?:)([^)#]+)[^)]*\)", path.read_text()):
        assert (path.parent / target).exists(), target


@each
def test_files_and_folders_that_are_named_are_there(path: Path) -> None:
    for name in re.findall(
        r"`((?:battles|campaign|fleets|deploy|templates|tests|docs)/[\w./]*\w/?)`", path.read_text()
    ):
        assert (ROOT / name).exists() != bool(path in RECIPES and MADE.search(name)), name


@each
def test_functions_that_are_named_are_there(path: Path) -> None:
    for name in re.findall(r"`((?:battles|campaign|fleets|deploy)(?:\.\w+)+)`", path.read_text()):
        parts = name.split(".")
        module = next(
            (n for n in range(len(parts), 0, -1) if (ROOT / "/".join(parts[:n])).with_suffix(".py").exists()),
            0,
        )
        package = (ROOT / "/".join(parts)).is_dir()
        assert package or module, name
        for word in parts[module:] if module else ():
            assert word in (ROOT / "/".join(parts[:module])).with_suffix(".py").read_text(), name


@each
def test_commands_that_are_named_are_commands(path: Path) -> None:
    text = path.read_text()
    assert set(re.findall(r"manage\.py (\w+)", text)) <= set(get_commands())
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"(?:`|^)make (\w+)(?=[\s`])", text, re.M)) <= targets


@cache
def _words_of_the_code() -> frozenset[str]:
    rooms = (
        file
        for room in ("battles", "campaign", "deploy", "fleets", "tests")
        for file in (ROOT / room).rglob("*.py")
    )
    return frozenset(word for file in rooms for word in re.findall(r"\w+", file.read_text()))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.name)
def test_names_imports_and_commands_of_a_recipe_are_those_of_the_code(path: Path) -> None:
    text = path.read_text()
    names = {name for name in re.findall(r"`([A-Za-z_]{4,})`", text) if not MADE.search(name)}
    assert names - _words_of_the_code() == set()
    for module, imported in re.findall(r"^from ([a-z_.]+) import (.+)$", text, re.M):
        if module != "__future__":
            assert all(hasattr(import_module(module), name) for name in imported.split(", ")), module
    commands = re.findall(r"^\.venv/bin/python (.+)$", text, re.M)
    assert commands
    for word in " ".join(commands).split():
        assert "/" not in word or MADE.search(word) or (ROOT / word).exists(), word


def test_a_recipe_can_be_read_in_one_go() -> None:
    assert {path.name: 150 for path in RECIPES if len(path.read_text().splitlines()) > 150} == {}


def test_every_command_of_ours_is_told() -> None:
    told = set(re.findall(r"manage\.py (\w+)", (ROOT / "docs" / "commands.md").read_text()))
    ours = {
        name for name, app in get_commands().items() if app in ("battles", "campaign", "deploy", "fleets")
    }
    assert ours - told == {"demo_setup", "first_run"}, "steps of `make run`, not for people"


def test_every_variable_that_the_settings_read_is_told() -> None:
    read = set()
    for path in (ROOT / "deploy" / "settings").glob("*.py"):
        read |= set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', path.read_text()))
    told = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
    assert read <= told, sorted(read - told)
