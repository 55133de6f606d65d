"""What a turn's summary keeps of a report: all that score, chronicle, objectives and news ask for."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.accounts.history import history_of, news_of
from campaign.rules.chart.types import Settings
from campaign.rules.state.events import EVENT_KINDS
from campaign.rules.turn.score import points_of
from campaign.selectors.reports.every_event import is_told
from campaign.selectors.told import OBJECTIVES, PUBLIC

# What any event may carry, so that each kind that scores does.
DATA: dict[str, Any] = {
    "ship": "s", "side": "ENG", "captor": "NLD", "won": True, "by": "NLD", "place": "dover", "loser": "NLD",
    "marks": "3", "result": "burnt",
    "points": "2", "value": "9", "fleet": "f",
    "objective": "o", "words": "Hold it.", "fleets": {"ENG": ["f"], "NLD": ["g"]},
}  # fmt: skip


def event(kind: str, **data: Any) -> list[Any]:
    return [7, kind, "G.VP1", ["ENG"], data]


@pytest.mark.clause("G.VP1", "G.IN1")
def test_objectives_that_score_or_are_announced_or_public_are_kept_as_they_are() -> None:
    scoring = {
        kind for kind in EVENT_KINDS if list(points_of([(7, kind, DATA)], {"s": 5}, Settings(), 1))  # type: ignore[dict-item]
    }  # fmt: skip
    assert {"captured", "lost", "objective_paid", "convoy_delivered"} <= scoring
    for kind in EVENT_KINDS:
        one = event(kind, **DATA)
        if kind in scoring | PUBLIC | OBJECTIVES or is_told(one):
            assert history_of([one]) == [one], kind
        elif EVENT_KINDS[kind].weighty:
            assert news_of([one]) == [one], kind


def test_the_daily_work_of_fleets_is_left_out_unless_it_belongs_to_a_battle_or_brings_news() -> None:
    day = [event("weather"), event("arrived"), event("sighted"), event("chase"), event("chase", battle="b01")]
    assert (history_of(day), news_of(day)) == ([day[4]], day[1:3])
