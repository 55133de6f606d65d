"""The calendars of the openings: each can be read, brings what it says, and plays."""

from __future__ import annotations

import pytest

from campaign.models import CalendarRow
from campaign.selectors.turn.coming import yet_to_come
from campaign.selectors.turn.facts import turn_facts
from tests.campaign.services.test_openings import OPENINGS, registers, started  # noqa: F401 - a fixture

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.CA1", "G.CA2", "G.CA4")]
# What each opening's calendar does: its acting rows with the number of ships that they bring.
BROUGHT = {
    "channel_1588": {"volunteers": 12, "parma": 20, "nassau": 20},
    "narrow_seas_1666": {"beaufort": 24, "vlie_trade": 12},
    "atlantic_1805": {"lauriston": 0, "gravina": 5, "cochrane": 1, "stirling": 5},
    "caribbean": {"torres": 12, "ogle": 29, "wentworth": 45},
    "yellow_sea_1904": {
        "first_army": 30, "nisshin": 2, "second_army": 40, "otowa": 1, "new_destroyers": 3, "rozhestvensky": 38,
    },
}  # fmt: skip


@pytest.mark.parametrize("theatre", OPENINGS)
def test_a_campaign_begins_with_the_calendar_of_its_opening(
    registers: None, tiny_set: None, theatre: str
) -> None:  # noqa: F811
    campaign = started(theatre)
    acting = CalendarRow.objects.filter(campaign=campaign).exclude(deed="")
    assert {row.code: len(row.sheets.get("ships", ())) for row in acting} == BROUGHT[theatre]
    texts = CalendarRow.objects.filter(campaign=campaign, deed="")
    assert len(texts) > 2 and not set(texts.values_list("code", flat=True)) & set(BROUGHT[theatre])
    facts, _ = turn_facts(campaign.turns.get())
    waiting = yet_to_come(campaign).ships
    assert len(waiting) == sum(BROUGHT[theatre].values()) and not waiting & set(facts.ships)
