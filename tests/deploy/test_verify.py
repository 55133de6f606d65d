"""`manage.py verify`: one line per check, and an exit status that a script can read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.models import Campaign, Turn
from tests.campaign.services.conftest import first_turn_played
from tests.support.versions import Shelf

pytestmark = pytest.mark.one_database


@pytest.fixture
def played(db: None) -> Campaign:
    """A small war after its first turn."""
    return first_turn_played()


def _verify(*args: str) -> str:
    out = io.StringIO()
    call_command("verify", *args, stdout=out)
    return out.getvalue()


@pytest.mark.clause("G.FA1")
def test_a_sound_campaign_prints_one_line_per_check_and_a_total(played: Campaign) -> None:
    lines = _verify("small").splitlines()

    assert all(line.startswith("ok  ") for line in lines[:-1])
    assert any(line.startswith("ok  turn 1: played again") for line in lines)
    assert lines[-1] == f"A small war: {len(lines) - 1} checks agree"
    assert _verify("small", "--quiet").splitlines() == lines[-1:]


@pytest.mark.clause("G.FA1")
def test_a_difference_is_reported_as_a_failure(played: Campaign) -> None:
    Turn.objects.filter(number=1).update(state_hash="0" * 64)
    out = io.StringIO()

    with pytest.raises(CommandError, match="A small war: 1 of [0-9]+ checks differ") as refused:
        call_command("verify", "small", "--quiet", stdout=out)

    assert refused.value.returncode == 1
    assert out.getvalue() == "DIFFERENT  turn 1: played again, it ends in a different state\n"


def test_an_unknown_campaign_gives_one_clear_line(played: Campaign) -> None:
    with pytest.raises(CommandError, match="no campaign 'nowhere'; available: small") as refused:
        _verify("nowhere")

    assert refused.value.returncode == 2


@pytest.mark.clause("G.FA1")
def test_all_checks_every_campaign_and_every_archive(
    played: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Shelf(tmp_path, monkeypatch).leave("cordery")
    lines = _verify("--all").splitlines()

    assert lines[0] == "ok  Version 5 of the rules “Cordery, ironclads 1870–1905”: its archive is whole"
    assert lines[-1].startswith("A small war: ")
    assert _verify("--all", "--quiet").splitlines() == lines[-1:]


def test_all_ends_with_status_1_and_names_a_campaign_that_differs_and_an_archive_that_was_changed(
    played: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Turn.objects.filter(number=1).update(state_hash="0" * 64)
    shelf = Shelf(tmp_path, monkeypatch)
    shelf.leave("cordery")
    (shelf.folder / "cordery-5.tar.xz").write_bytes(b"")

    with pytest.raises(
        CommandError, match=r"(?s)cordery-5.tar.xz has been changed.*A small war: 1 of "
    ) as refused:
        call_command("verify", "--all", "--quiet", stdout=io.StringIO())

    assert refused.value.returncode == 1


@pytest.mark.parametrize("words", [(), ("small", "--all")])
def test_it_wants_a_campaign_or_all_of_them(words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="name a campaign, or use --all"):
        _verify(*words)
