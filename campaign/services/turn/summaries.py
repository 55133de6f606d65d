"""Summaries of turns: what pages about the whole war read of a report, stored in the transaction that stores the report.

Whatever writes or changes a report calls `summaries_write`; `audit` proves that stored and recomputed are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaign.accounts.history import history_of, news_of
from campaign.models import Report, TurnSummary


def summary_of(side: int | None, events: list[Any]) -> dict[str, list[Any]]:
    """The columns of a report's summary. side: its key, None for the umpire."""
    return {"events": history_of(events), "news": news_of(events) if side is not None else []}


def summaries_write(*, reports: Iterable[Report]) -> None:
    """Store the summaries of some reports, all of their turns, in the place of those that the turns had.

    A turn that a rollback has voided has none.
    """
    rows = [
        TurnSummary(
            turn_id=report.turn_id, side_id=report.side_id, **summary_of(report.side_id, report.events)
        )
        for report in reports
        if not report.turn.void
    ]
    summaries_drop(turns={row.turn_id for row in rows})
    TurnSummary.objects.bulk_create(rows)


def summaries_drop(*, turns: Iterable[int]) -> None:
    """Delete the summaries of turns, by their keys, that no longer count. Rule: G.UM3."""
    TurnSummary.objects.filter(turn__in=list(turns)).delete()
