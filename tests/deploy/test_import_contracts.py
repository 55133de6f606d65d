"""Who may import whom: the contracts hold, and each is shown to report an import that breaks it."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).parent / "lint-imports"

SKELETON = (
    *(
        "fleets.__init__",
        "fleets.models.__init__",
        "fleets.models.ships",
        "fleets.selectors",
        "fleets.services",
    ),
    *("battles.__init__", "battles.models", "battles.selectors", "battles.services", "battles.tasks"),
    *("battles.views", "battles.admin", "battles.engine.__init__", "battles.engine.core.__init__"),
    *(
        "battles.engine.core.dice",
        "battles.engine.rulesets.__init__",
        "battles.engine.rulesets.kohler.__init__",
    ),
    *("battles.engine.rulesets.kohler.fire", "battles.engine.rulesets.thomas.__init__"),
    *("campaign.__init__", "campaign.models", "campaign.selectors", "campaign.services", "campaign.tasks"),
    *("campaign.views", "campaign.admin", "campaign.rules.__init__", "campaign.rules.turn.__init__"),
    "campaign.rules.turn.turn",
    *("deploy.__init__", "deploy.urls"),
)
DOWNWARD = {
    "deploy.urls": "import campaign.views",
    "campaign.views": "from campaign.services import *",
    "campaign.tasks": "import campaign.services",
    "campaign.services": "import json\nfrom battles import services\nimport campaign.selectors, campaign.rules.turn.turn",
    "campaign.selectors": "import campaign.models",
    "campaign.models": "import fleets.models.ships",
    "campaign.rules.turn.turn": "import dataclasses\nimport battles.engine.core.dice",
    "battles.services": "import battles.engine.rulesets.kohler\nimport fleets.services",
    "battles.models": "import fleets.models",
    "battles.engine.rulesets.kohler.fire": "import hashlib, jsonschema\nimport battles.engine.core.dice",
    "fleets.services": "import battles.engine.core.dice\nimport fleets.models.ships",
}
FOR_TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import "
BREAKS = {
    "Rooms import downward only": [
        ("fleets.services", "import battles.services"),
        ("battles.services", "import campaign.models"),
        ("campaign.services", "import deploy.urls"),
        ("fleets.selectors", "from campaign import rules"),
    ],
    "In every package the parts stand in an order, without a circle": [
        ("campaign.selectors", "import campaign.services"),
        ("battles.engine.core.dice", "import battles.engine.rulesets.kohler.fire"),
        ("campaign.selectors", f"{FOR_TYPES}campaign.services"),
    ],
    "The rules engine and the campaign rules are pure": [
        ("battles.engine.core.dice", "import django.conf"),
        ("battles.engine.rulesets.kohler.fire", "from celery import shared_task"),
        ("battles.engine.core.dice", "import battles.models"),
        ("campaign.rules.turn.turn", "import fleets.services"),
        ("campaign.rules.turn.turn", "def late():\n    import campaign.selectors"),
    ],
    "The rules engine knows nothing of the campaign rules": [
        ("battles.engine.core.dice", "import campaign.rules.turn.turn"),
    ],
    "A rule set never imports another": [
        ("battles.engine.rulesets.kohler.fire", "import battles.engine.rulesets.thomas"),
    ],
    "Rule sets stand on the core": [
        ("battles.engine.core.dice", "import battles.engine.rulesets.kohler"),
    ],
    "The site runs without the tools of development": [
        ("campaign.selectors", "import shapely"),
        ("campaign.rules.turn.turn", "import numpy"),
    ],
    "In a room: pages and tasks, services, selectors, models": [
        ("battles.services", "import battles.views"),
        ("campaign.selectors", "import campaign.services"),
        ("fleets.models.ships", "import fleets.selectors"),
        ("battles.views", "import battles.tasks"),
        ("campaign.admin", "import campaign.views"),
    ],
    "Models of the fleets are touched through services and selectors": [
        ("campaign.services", "import fleets.models"),
        ("battles.services", "from fleets.models.ships import Ship"),
    ],
}


def contract_names() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return [contract["name"] for contract in settings["contracts"]]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A small house of the same rooms under the project's own contracts."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests" / "support").mkdir(parents=True)
    shutil.copy(ROOT / "tests/support/import_contracts.py", tmp_path / "tests/support")
    for package in (tmp_path / "tests", tmp_path / "tests/support"):
        (package / "__init__.py").touch()
    for module in SKELETON:
        path = module_path(tmp_path, module)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(DOWNWARD.get(module, "") + "\n")
    (tmp_path / "battles/engine/rulesets/__init__.py").touch()
    return tmp_path


def module_path(house: Path, module: str) -> Path:
    return house / f"{module.replace('.', '/')}.py"


def lint(folder: Path) -> tuple[int, dict[str, str]]:
    """Exit status and, by contract, KEPT or BROKEN."""
    done = subprocess.run(
        [LINT, "--no-logo", "--no-cache"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    verdicts = {}
    for line in done.stdout.splitlines():
        for name in contract_names():
            if line.startswith(f"{name} ") and line.split()[len(name.split())] in {"KEPT", "BROKEN"}:
                verdicts[name] = line.split()[len(name.split())]
    assert set(verdicts) == set(contract_names()), done.stdout + done.stderr
    return done.returncode, verdicts


def test_imports_downward_keep_every_contract(house: Path) -> None:
    status, verdicts = lint(house)
    assert status == 0
    assert set(verdicts.values()) == {"KEPT"}


def test_a_higher_room_may_name_a_model_of_the_fleets_in_its_annotations(house: Path) -> None:
    path = module_path(house, "campaign.services")
    path.write_text(f"{path.read_text()}{FOR_TYPES}fleets.models\n")
    assert lint(house)[0] == 0


def test_every_contract_is_broken_once_here() -> None:
    assert set(BREAKS) == set(contract_names())


@pytest.mark.parametrize(
    ("name", "module", "line"), [(name, *pair) for name, pairs in BREAKS.items() for pair in pairs]
)
def test_an_import_that_breaks_a_contract_is_reported_by_its_name(
    house: Path, name: str, module: str, line: str
) -> None:
    path = module_path(house, module)
    path.write_text(f"{path.read_text()}{line}\n")
    status, verdicts = lint(house)
    assert status == 1
    assert verdicts[name] == "BROKEN"
