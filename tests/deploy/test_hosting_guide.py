"""The guide for hosts names commands, units, files and settings that there are. `python -m tests.hosting` plays it."""

from __future__ import annotations

import re

import pytest
from django.core.management import get_commands

from tests.hosting.__main__ import blocks
from tests.support.processes import ROOT

TYPED = "\n".join(script for _, _, script in blocks())


def test_the_guide_has_the_blocks_that_are_played_at_their_time() -> None:
    marks = [mark for _, mark, _ in blocks() if mark]
    assert marks == ["not-run", "pipe", "upgrade", "back"]
    assert sum(not mark for _, mark, _ in blocks()) >= 12


def test_its_commands_are_commands() -> None:
    named = set(re.findall(r"^weather-gage (\w+)", TYPED, re.M))
    assert len(named) >= 6
    assert named <= set(get_commands())


def test_its_units_are_supplied() -> None:
    supplied = {path.name for path in (ROOT / "deploy" / "systemd").iterdir()}
    named = {
        word
        for line in re.findall(r"^systemctl .*", TYPED, re.M)
        for word in re.findall(r"weather-gage[\w.-]*", line)
    }
    assert len(named) >= 4
    for name in named - {"weather-gage"}:  # part of a pattern
        assert name in supplied or f"{name}.service" in supplied, name


def test_every_unit_but_the_first_waits_for_the_tables() -> None:
    apart = {"weather-gage-prepare.service", "weather-gage-backup.service"}
    services = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
    assert len(services) >= 7
    for path in services:
        waits = {"Requires=weather-gage-prepare.service", "After=weather-gage-prepare.service"} <= set(
            path.read_text().splitlines()
        )
        assert waits == (path.name not in apart), path.name
        assert (
            path.name == "weather-gage-backup.service" or "PartOf=weather-gage.target" in path.read_text()
        ), path.name


@pytest.mark.parametrize("name", re.findall(r"^([A-Z_]+)=", TYPED, re.M))
def test_its_settings_are_documented(name: str) -> None:
    if name != "DEBIAN_FRONTEND":
        assert f"`{name}`" in (ROOT / "docs" / "settings.md").read_text()
