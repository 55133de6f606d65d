"""No cause of a loss that a rule set or the chart stores reaches a reader as it is stored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battles.engine.play import play_for_odds
from campaign.accounts.words import CAUSES
from tests.support import sets
from tests.support.sets import SETS

RULES = Path(__file__).resolve().parents[2] / "campaign" / "rules"


@pytest.mark.usefixtures("tiny_set")
@pytest.mark.parametrize("name", SETS)
def test_every_loss_of_a_rule_sets_battles_has_words(name: str) -> None:
    """Between them the seeds lose ships in every way in which one is lost in the first eight battles of any set."""
    battle = sets.meeting(name, 8, 8)
    lost = {
        entry.cause for seed in (0, 1, 5) for entry in play_for_odds(battle, seed).ships if entry.fate.lost
    }
    assert lost - {""} <= CAUSES.keys()


def test_every_loss_on_the_chart_has_words() -> None:
    found = {
        cause for path in RULES.rglob("*.py") for cause in re.findall(r'cause="([^"]+)"', path.read_text())
    }
    assert len(found) >= 4
    assert found <= CAUSES.keys()


def test_kohlers_causes_by_clause_have_words() -> None:
    from battles.engine.rulesets.kohler import damage

    assert set(damage._CAUSES.values()) <= CAUSES.keys()
