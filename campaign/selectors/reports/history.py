"""What of every turn is told of the whole war, from the turns' summaries: no page reads all reports. Rules: G.EN1, G.IN1."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.db.models import BinaryField
from django.db.models.functions import Cast

from campaign.models import Campaign, Side, Turn, TurnSummary
from campaign.models.packed import unpacked

Event = list[Any]
SOME = 20  # summaries are read so many at a time


def history(
    campaign: Campaign, side: Side | None, *, last: int | None = None, latest_first: bool = False
) -> Iterator[tuple[Turn, list[Event]]]:
    """The turns that are over, oldest first, each with the events that are told of the war to a side; to the umpire for None.

    last: the number of the turn after which nothing is read. What a side may know is in its own summaries alone; what an admiral may know
    of that is left to the caller. Rules: G.IN1, G.IN4.
    """
    closed = campaign.turns.filter(phase=Turn.Phase.CLOSED)
    if last is not None:
        closed = closed.filter(number__lte=last)
    # what a turn's name and the codes of its battles are made from
    turns = {turn.pk: turn for turn in closed.only("campaign", "number", "run")}
    rows = TurnSummary.objects.filter(turn__in=closed, side=side).values_list(
        "turn", Cast("events", BinaryField())
    )
    for key, stored in rows.order_by("-turn__number" if latest_first else "turn__number").iterator(SOME):
        turn = turns[key]
        turn.campaign = campaign
        yield turn, list(_events(bytes(stored)))


@lru_cache(maxsize=1024)
def _events(stored: bytes) -> tuple[Event, ...]:
    """A summary's events: what a long war has told is unpacked once in a process. They are known by their bytes, whoever may read them."""
    return tuple(unpacked(stored))
