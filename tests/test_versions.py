"""Every change that affects the dice is a new version of its rules, with a line in their change notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from battles.engine import registry
from battles.engine.changes import changes, version
from battles.engine.fingerprint import rules_hash
from battles.rule_books import CAMPAIGN, file_of, names, rule_book
from campaign.rules.turn.fingerprint import chart_hash


def fingerprint(name: str) -> str:
    return chart_hash() if name == CAMPAIGN else rules_hash(name)


def advice(folder: Path, now: str) -> str:
    """What is missing in the change notes of some rules; "" when nothing is."""
    newest = changes(folder)[0]
    if newest.fingerprint == now:
        return ""
    return f"{folder}/changes.toml: add version {newest.number + 1} with a note, fingerprint = {now!r}"


@pytest.mark.parametrize("name", names())
def test_the_dice_rules_match_the_newest_version(name: str) -> None:
    assert advice(file_of(name).parent, fingerprint(name)) == ""


@pytest.mark.parametrize("name", names())
def test_versions_count_up_and_each_says_what_changed(name: str) -> None:
    listed = changes(file_of(name).parent)

    assert [change.number for change in listed] == list(range(len(listed), 0, -1))
    assert [change.made for change in listed] == sorted((change.made for change in listed), reverse=True)
    assert len({change.fingerprint for change in listed}) == len(listed)
    assert all(change.notes and all(note.endswith(".") for note in change.notes) for change in listed)


def test_a_changed_fingerprint_requires_a_version_and_a_note(tmp_path: Path) -> None:
    rows = (("2", "b", "Gales are harder."), ("1", "a", "First."))
    (tmp_path / "changes.toml").write_text(
        "".join(
            f'[[version]]\nnumber = {number}\nmade = 2026-11-22\nfingerprint = "{mark}"\nnotes = ["{note}"]\n'
            for number, mark, note in rows
        )
    )

    assert advice(tmp_path, "b") == ""
    assert advice(tmp_path, "c").endswith("add version 3 with a note, fingerprint = 'c'")


@pytest.mark.parametrize("name", registry.names())
def test_battles_are_stored_with_the_newest_version_and_the_rule_book_lists_them_all(name: str) -> None:
    listed = changes(registry.folder(name))

    assert version(name) == listed[0].number
    assert rule_book(name).changes == listed
