"""What of every turn is told of the whole war, from the turns' summaries: no page reads all reports. Rules: G.EN1, G.IN1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaign.models import Campaign, Side, Turn, TurnSummary

Event = list[Any]
SOME = 20  # summaries are read so many at a time


def history(
    campaign: Campaign, side: Side | None, *, last: int | None = None, latest_first: bool = False
) -> Iterator[tuple[Turn, list[Event]]]:
    """The turns that are over, oldest first, each with the events that are told of the war to a side; to the umpire for None.

    last: the number of the turn after which nothing is read. What a side may know is in its own summaries alone; what an admiral may know
    of that is left to the caller. Rules: G.IN1, G.IN4.
    """
    rows = TurnSummary.objects.filter(
        turn__campaign=campaign, turn__void="", turn__phase=Turn.Phase.CLOSED, side=side
    )
    if last is not None:
        rows = rows.filter(turn__number__lte=last)
    # of the turn what its name and the codes of its battles are made from
    rows = rows.select_related("turn").only("events", "turn__campaign", "turn__number", "turn__run")
    for row in rows.order_by("-turn__number" if latest_first else "turn__number").iterator(chunk_size=SOME):
        row.turn.campaign = campaign
        yield row.turn, row.events
