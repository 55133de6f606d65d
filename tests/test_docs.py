"""The README and the documents say what is true."""

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
# Every command that a document shows, with the file of the test that runs it.
RUN_BY = {
    "manage.py about": "tests/deploy/test_small_commands.py",
    "manage.py audit": "tests/campaign/services/test_audit.py",
    "manage.py backup": "tests/deploy/test_backup.py",
    "manage.py campaign_demo": "tests/campaign/test_demo.py",
    "manage.py chronicle": "tests/deploy/test_small_commands.py",
    "manage.py showcase": "tests/deploy/test_showcase.py",
    "manage.py export_campaign": "tests/campaign/services/test_archive.py",
    "manage.py fight": "tests/engine/test_command_line.py",
    "manage.py import_campaign": "tests/campaign/services/test_archive.py",
    "manage.py import_register": "tests/fleets/test_register_import.py",
    "manage.py install_check": "tests/deploy/test_install_check.py",
    "manage.py load_registers": "tests/fleets/test_register_import.py",
    "manage.py load_theatres": "tests/deploy/test_small_commands.py",
    "manage.py make_administrator": "tests/deploy/test_make_administrator.py",
    "manage.py migrate": "tests/support/processes.py",
    "manage.py odds": "tests/engine/test_command_line.py",
    "manage.py receive_mail": "tests/deploy/test_receive_mail.py",
    "manage.py restore": "tests/deploy/test_backup.py",
    "manage.py serve": "tests/processes/test_site.py",
    "manage.py turn": "tests/campaign/services/test_umpire.py",
    "manage.py verify": "tests/deploy/test_verify.py",
}
# Those that no test runs, with the reason.
NOT_RUN = {
    "make bench": "its figures depend on the machine; `make test` runs no benchmark",
    "make cases": "a part of `make test` with one option",
    "make chaos": "half an hour",
    "make clean": "deletes what the tests work with",
    "make fast": "some minutes; tests/engine/core/test_compiled.py tests how a build is chosen",
    "make fast-check": "some minutes; the part `compiled` of the suite is the same with fewer seeds",
    "make format": "changes files; `make lint` checks what it would change",
    "make lint": "is itself a part of `make test`",
    "make mutants": "ten minutes",
    "make parts": "prints a list of `make test`",
    "make replays": "tests/deploy/test_verify.py runs its first command, tests/engine/generic its games",
    "make run": "makes an environment and serves; tests/processes starts the same steps",
    "make screenshots": "some twenty minutes; tests/browser/test_every_page.py looks over a part of the pages",
    "make setup": "makes the environment in which the tests run",
    "make sixty": "some minutes; `make test` plays shorter campaigns",
    "make study": "some minutes",
    "make test": "would run itself",
    "make types": "is itself a part of `make test`",
    "make wheel": "begins with a build; tests/engine/core/test_compiled.py packs one",
}
each = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)


def test_the_snippet_of_the_engine_runs_as_printed() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_the_readme_can_be_read_in_one_go() -> None:
    assert len(README.read_text().splitlines()) <= 120


@each
def test_pictures_and_links_work(path: Path) -> None:
    for target in re.findall(r"]\((?!https?:)([^)#]+)[^)]*\)", path.read_text()):
        assert (path.parent / target).exists(), target


@each
def test_named_files_and_folders_exist(path: Path) -> None:
    for name in re.findall(
        r"`((?:battles|campaign|fleets|deploy|templates|tests|docs)/[\w./]*\w/?)`", path.read_text()
    ):
        assert (ROOT / name).exists() != bool(path in RECIPES and MADE.search(name)), name


@each
def test_named_functions_exist(path: Path) -> None:
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
def test_named_commands_are_commands(path: Path) -> None:
    text = path.read_text()
    assert set(re.findall(r"manage\.py (\w+)", text)) <= set(get_commands())
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"(?:`|^)make ([\w-]+)(?=[\s`])", text, re.M)) <= targets


def test_every_command_shown_is_run_by_a_test_or_has_a_reason_why_not() -> None:
    text = "\n".join(path.read_text() for path in DOCUMENTS)
    shown = set(re.findall(r"manage\.py \w+", text))
    shown |= {f"make {target}" for target in re.findall(r"(?:`|^)make ([\w-]+)(?=[\s`])", text, re.M)}
    assert shown == {*RUN_BY, *NOT_RUN}
    for command, file in RUN_BY.items():
        run = (ROOT / file).read_text()
        assert re.search(rf'["\[(, ]{command.split()[1]}["\] ,]', run), (command, file)


@cache
def _words_of_the_code() -> frozenset[str]:
    rooms = (
        file
        for room in ("battles", "campaign", "deploy", "fleets", "tests")
        for file in (ROOT / room).rglob("*.py")
    )
    return frozenset(word for file in rooms for word in re.findall(r"\w+", file.read_text()))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.name)
def test_a_recipes_names_imports_and_commands_match_the_code(path: Path) -> None:
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


def test_every_command_of_ours_is_documented() -> None:
    told = set(re.findall(r"manage\.py (\w+)", (ROOT / "docs" / "commands.md").read_text()))
    ours = {
        name for name, app in get_commands().items() if app in ("battles", "campaign", "deploy", "fleets")
    }
    assert ours - told == {"demo_setup", "first_run"}, "steps of `make run`, not for people"


def test_every_variable_that_the_settings_read_is_documented() -> None:
    read = set()
    for path in (ROOT / "deploy" / "settings").glob("*.py"):
        read |= set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', path.read_text()))
    told = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
    assert read <= told, sorted(read - told)
