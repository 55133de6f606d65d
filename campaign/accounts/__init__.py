"""Chart events told as sentences, with names in place of codes. A code that the reader has no name for is never printed.

names maps codes of places, fleets, ships and sides to names; what is missing belongs to somebody else and is told as "the enemy"
or left out. One module a topic, each with its TELLERS. Rules: G.IN1, G.SI2.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from battles.engine.core.telling import the_fleet
from campaign.accounts import ashore, battles, calendar, chart, duties, landings, mines, objectives, shipping
from campaign.accounts.words import (
    EVERY_SIDE,
    FATES,
    OF_SIDE,
    UNDER_STEAM,
    Names,
    Teller,
    agreeing,
    compass,
    counted,
    ending_of,
    listed,
    opening,
    period_names,
    position_in_words,
    sail_in_words,
    with_article,
)

TELLERS: Mapping[str, Teller] = {
    **chart.TELLERS,
    **battles.TELLERS,
    **duties.TELLERS,
    **ashore.TELLERS,
    **landings.TELLERS,
    **mines.TELLERS,
    **shipping.TELLERS,
    **calendar.TELLERS,
    **objectives.TELLERS,
}


def sentence(event: list[Any], names: Names) -> str:
    """One event as a sentence. event: [hour, kind, clause, knows, data]. Raises KeyError for a kind that nobody told us of."""
    _, kind, _, knows, data = event
    if EVERY_SIDE in names and len(knows) == 1 and knows[0] in names:
        names = ChainMap({OF_SIDE: names[knows[0]]}, dict(names))
    if kind == "battle_ended":
        data = {**data, "ended": ending_of(event)}
    named = (data.get("fleet"), data.get("parent"), data.get("parted"))
    fleets = [the_fleet(names[code]) for code in named if code in names]
    return opening(agreeing(TELLERS[kind](data, names), fleets))
