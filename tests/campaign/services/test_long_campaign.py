"""Sixty days under automatic admirals: at the end the books are in order and everything can be computed again."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Turn
from campaign.services.desk.audit import campaign_audit
from campaign.services.turn.verify import Verdict, campaign_verify
from tests.campaign.services.conftest import start
from tests.campaign.services.test_turns import rows_agree
from tests.support.turns import turn_closes

pytestmark = pytest.mark.one_database


@pytest.mark.clause("G.CL2", "G.FA1", "G.SV1", "G.BT3")
def test_sixty_days_of_a_small_war_are_in_order_and_can_be_proved(db: Any) -> None:
    campaign = start(automatic=True, demo_seed="sixty")
    campaign.turn_days = 10
    campaign.settings = {"end_turn_on": "none"}
    campaign.save()
    Turn.objects.update(days=10)
    while True:
        campaign.refresh_from_db()
        following = campaign.turns.filter(phase=Turn.Phase.OPEN).first()
        if campaign.calendar_day >= 60 or following is None:
            break
        rows_agree(turn_closes(following))
        campaign.refresh_from_db()
        assert list(campaign_audit(campaign=campaign)) == []
    assert campaign.calendar_day >= 60
    findings = list(campaign_verify(campaign=campaign))
    assert {finding.verdict for finding in findings} == {Verdict.AGREES}
