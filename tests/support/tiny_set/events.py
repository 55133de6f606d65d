"""The kinds of event, with the data and the sentence of each."""

from __future__ import annotations

from battles.engine.core import log_view
from battles.engine.core.log import Event
from battles.engine.core.telling import (
    REFUSED,
    Data,
    Kind,
    Kinds,
    Names,
    News,
    chosen,
    many,
    plain,
    with_other,
)

_HEX = ("q", "r", "f")


def _fire(ship: str, data: Data, names: Names) -> str:
    return f"{ship} fires at {names.ship(data['target'])}: {many(data['hits'], 'hit')}"


KINDS: Kinds = {
    "placed": Kind(plain("{ship} takes her place"), (*_HEX, "left", "steps"), secret=("left",), step="steps"),
    "arrived": Kind(plain("{ship} comes up"), _HEX, News.LINE),
    "moved": Kind(plain("{ship} steams on"), ("path",)),
    "refused": REFUSED,
    "fire": Kind(_fire, ("target", "hits", "range"), News.SHOT),
    "damage": Kind(
        plain("{ship} is damaged"), ("left", "steps"), News.BENEATH, secret=("left",), step="steps"
    ),
    "sunk": Kind(plain("{ship} sinks"), (), News.LINE),
    "captured": Kind(with_other("{ship} strikes to {other}", "captor"), ("captor", "side"), News.LINE),
    "ended": Kind(
        chosen(
            "The battle ends: {what}", "why", {"beaten": "one side is beaten", "limit": "the day is over"}
        ),
        ("why",),
        News.LINE,
    ),
}


class LogView(log_view.LogView):
    """Reads a log for one side: the points of a prize are her captor's to know."""

    kinds = KINDS

    def hands(self, event: Event) -> bool | None:
        """Who has a boat from now on."""
        return event.data["side"] == self.side if event.kind == "captured" else None
