"""What of a turn's report is told of the whole war: the part that score, chronicle, objectives and news read of every turn. Rule: G.IN1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaign.rules.state.events import EVENT_KINDS

# Routine, and paid every morning all the same. Rule: G.VP1.
SCORING = frozenset({"objective_paid"})
# Routine, and what brings dispatches home. Rule: G.IN2.
LANDFALL = "arrived"


def history_of(events: Iterable[list[Any]]) -> list[list[Any]]:
    """Those of a report's events that history keeps, as they are and in their order: a tenth of them, in most turns.

    What a fleet does every day is left out, unless it belongs to a battle or scores.
    """
    return [event for event in events if _lasts(event)]


def news_of(events: Iterable[list[Any]]) -> list[list[Any]]:
    """Those others that it takes to tell when an admiral hears of something, however long ago it was: news, and landfalls. Rule: G.IN2."""
    return [event for event in events if not _lasts(event) and _is_news(event[1])]


def _lasts(event: list[Any]) -> bool:
    return not EVENT_KINDS[event[1]].routine or event[1] in SCORING or bool(event[4].get("battle"))


def _is_news(kind: str) -> bool:
    return EVENT_KINDS[kind].weighty or kind == LANDFALL
