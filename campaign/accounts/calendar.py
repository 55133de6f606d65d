"""What the calendar brings, told as sentences: fleets, convoys, armies, wars and peace. Rules: G.CA1, G.CA2, G.CA4, G.CA5."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.telling import is_plural, the_fleet
from campaign.accounts.words import (
    Data,
    Names,
    Teller,
    at_place,
    counted,
    listed,
    opening,
    place_name,
    side_name,
)
from campaign.calendar import spoken

_WHY = {
    "no port": "Its side has no port left to come to.",
    "no fleet": "The fleet is no more.",
    "no room": "The fleet has no room for the men.",
}
_TIES = {"war": "are at war", "alliance": "are allies", "peace": "are at peace"}


def _who(data: Data) -> str:
    """A fleet, mid-sentence, under the name that the calendar gives it: who is told of it may not know it by its code."""
    return the_fleet(str(data.get("name") or "a fleet"))


def _reinforced(data: Data, names: Names) -> str:
    name = str(data.get("name", ""))
    # The calendar's fleets are called by several ships, others by one, which may be the "John and Mary".
    arrives = "arrive" if is_plural(name) or " and " in name else "arrives"
    return f"{opening(_who(data))} {arrives} {at_place(data.get('place'), names)}."


def _convoy_gathers(data: Data, names: Names) -> str:
    ships = counted(len(data.get("ships", ())), "merchantman", "merchantmen")
    where, to = at_place(data.get("place"), names), place_name(data.get("to"), names)
    return f"{opening(_who(data))}: {ships} gather {where}, bound for {to}."


def _army_ready(data: Data, names: Names) -> str:
    men = counted(int(data.get("men", 0)), "soldier")
    if not data.get("place"):
        return f"{men} are aboard {_who(data)}."
    boats = int(data.get("boats", 0))
    carried = f" {opening(_who(data))} ({counted(boats, 'ship')}) can carry them all." if boats else ""
    return f"{men} are {at_place(data['place'], names)}, ready to embark.{carried}"


def _hostility(data: Data, names: Names) -> str:
    sides = [side_name(code, names) for code in data.get("sides", ())]
    return " ".join(
        filter(None, (f"{opening(listed(sides))} {_TIES[str(data['tie'])]}.", data.get("text", "")))
    )


def _peace(data: Data, names: Names) -> str:
    return " ".join(filter(None, ("Peace is made.", data.get("text", ""))))


def _calendar_dated(data: Data, names: Names) -> str:
    return (
        f"A die ({data['face']}) sets {spoken(str(data['date']))} as the date of this event: {data['text']}"
    )


def _calendar_fails(data: Data, names: Names) -> str:
    die = f" (the die shows {data['face']})" if data.get("face") is not None else ""
    why = _WHY.get(str(data.get("why", "")), "")
    return " ".join(filter(None, (f"An event of the calendar does not happen{die}: {data['text']}", why)))


TELLERS: Mapping[str, Teller] = {
    "reinforced": _reinforced,
    "convoy_gathers": _convoy_gathers,
    "army_ready": _army_ready,
    "hostility": _hostility,
    "peace": _peace,
    "calendar_dated": _calendar_dated,
    "calendar_fails": _calendar_fails,
}
