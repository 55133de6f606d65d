"""What of a turn's report is told of the whole war: the part that score, chronicle, objectives and news read of every turn. Rule: G.IN1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaign.rules.state.events import EVENT_KINDS

# What brings dispatches home: routine, and still needed to know when an admiral heard of something long ago. Rule: G.IN2.
LANDFALL = "arrived"


def history_of(events: Iterable[list[Any]]) -> list[list[Any]]:
    """Those of a report's events that history keeps, as they are and in their order: a tenth of them, in most turns.

    What a fleet does every day is left out, unless it belongs to a battle, is news, or brings news home.
    """
    return [event for event in events if _lasts(event)]


def _lasts(event: list[Any]) -> bool:
    kind = EVENT_KINDS[event[1]]
    return not kind.routine or kind.weighty or event[1] == LANDFALL or bool(event[4].get("battle"))
