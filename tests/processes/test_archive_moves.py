"""A campaign moves from SQLite to PostgreSQL by its archive, and plays on there as it would have here."""

from pathlib import Path

import pytest

from campaign.services.archive.people import ADDRESSES
from campaign.services.archive.writing import campaign_export
from campaign.services.turn.playing import turn_play
from tests.campaign.services.conftest import first_turn_played
from tests.support.processes import plain_environment, script

ARRIVE = """
import sys
from django.core.management import call_command
from django.db import connection
from campaign.models import Campaign
from campaign.services.turn.playing import turn_play
assert connection.vendor == "postgresql"
call_command("load_theatres", verbosity=0)
call_command("import_campaign", sys.argv[1])
call_command("audit", "small")
call_command("verify", "small", "--quiet")
Campaign.objects.update(status="active", paused=None)
print(turn_play(turn=Campaign.objects.get().turns.get(phase="open")).state_hash)
call_command("audit", "small")
call_command("verify", "small", "--quiet")
"""


@pytest.mark.processes
@pytest.mark.one_database
@pytest.mark.django_db
def test_a_campaign_of_sqlite_plays_on_in_postgresql(tmp_path: Path, postgres: str) -> None:
    campaign, path = first_turn_played(), tmp_path / "small.zip"
    campaign_export(campaign=campaign, to=path, people=ADDRESSES, with_secrets=True)
    env = plain_environment(
        DATABASE_URL=postgres, VAR_DIR=str(tmp_path / "var"), DJANGO_SETTINGS_MODULE="deploy.settings.dev"
    )

    lines = script(ARRIVE, str(path), env=env).splitlines()

    assert "small: A small war, 2 turns, paused" in lines
    assert lines.count("A small war: no errors found") == 2
    assert len([line for line in lines if line.endswith(" checks agree")]) == 2
    assert turn_play(turn=campaign.turns.get(phase="open")).state_hash in lines
