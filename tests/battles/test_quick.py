"""The quick references: every rule set has one, and what it prints is what the set's own code plays by."""

from __future__ import annotations

import re

import pytest
from django.utils.html import strip_tags

from battles.boards import PRESENTATIONS
from battles.engine import registry
from battles.engine.rulesets.age_of_sail import tables as age_of_sail
from battles.engine.rulesets.cordery import tables as cordery
from battles.engine.rulesets.kohler import tables as kohler
from battles.engine.rulesets.thomas import tables as thomas
from battles.quick import quick_reference


def text(name: str, title: str = "") -> str:
    """The tables of a set as text, cells apart by bars."""
    html = "".join(table.html for table in quick_reference(name).tables if table.title.startswith(title))
    return re.sub(r"\s*\|[\s|]*", "|", strip_tags(re.sub(r"</t[hd]>", "|", html)))


@pytest.mark.parametrize("name", registry.names())
def test_every_set_has_its_sequence_of_play_and_its_tables(name: str) -> None:
    found = quick_reference(name)

    assert [step.name for step in found.steps] == [step.name for step in registry.rule_set(name).steps]
    assert len(found.tables) >= 5
    assert all("<table>" in table.html or "<p>" in table.html for table in found.tables)
    titles = [table.title for table in found.tables if table.title]
    assert len(titles) == len(set(titles))
    assert not [title for title in titles if title.startswith(PRESENTATIONS[name].off_table or ("\0",))]


def test_the_tables_say_what_the_code_plays_by() -> None:
    fire = text("kohler", "T1")
    for row in kohler.T1.values():
        assert "|" + "|".join(map(str, row)) + "|" in fire
    reach = {
        gun.value: (close // thomas.INCH, most // thomas.INCH) for gun, (close, most) in thomas.REACH.items()
    }
    bands = text("thomas", "TS-4")
    for gun, (close, most) in reach.items():
        assert re.search(rf"{gun}\|0 to {close}\|.*over {most}\b", bands)
    kills = text("thomas", "TS-10")
    for face, pair in enumerate(zip(thomas.KILLS_AT_2, thomas.KILLS_AT_3, strict=True), start=1):
        assert f"|{face}|{pair[0]}|{pair[1]}|" in kills
    hits = text("age_of_sail")
    for number, far in enumerate(age_of_sail.BANDS):
        cells = [f"{age_of_sail.HITS_ON[part][number]}" for part in ("hull", "sails")]
        assert re.search(rf"–{far // age_of_sail.CM}\|{cells[0]}(–6)?\|{cells[1]}(–6)?\|", hits)
    iron = text("cordery")
    for (head_on, ram), dice in cordery.RAMMING.items():
        row = iron.split("head-on (" if head_on else "side-on (")[1].split("|")
        assert row[1 if ram else 2] == f"{dice[0]} / {dice[1]}"


def test_an_empty_corner_of_a_table_is_no_header() -> None:
    tables = quick_reference("age_of_sail").tables
    assert "<td></td>" in "".join(table.html for table in tables)
    assert not any("></th>" in table.html for table in tables)
