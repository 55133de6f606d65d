"""Weather, sailing, sighting, gales and shoals told as sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping

from battles.engine.core.telling import is_plural, the_fleet
from campaign.accounts.words import (
    STRENGTHS,
    UNDER_STEAM,
    VISIBILITY,
    Data,
    Names,
    Teller,
    as_goal,
    compass,
    contact_name,
    counted,
    fleet_name,
    hour_in_words,
    listed,
    near_place,
    opening,
    parent_name,
    place_name,
    position_in_words,
    sail_in_words,
    ship_name,
    telling,
    with_parent,
    zone_name,
)


def _weather(data: Data, names: Names) -> str:
    zone = zone_name(data.get("zone", ""))
    strength = str(data.get("strength", ""))
    wind = STRENGTHS.get(strength, strength)
    if strength != "still":
        wind += f" from the {compass(int(data.get('wind_from', 0)))}"
    seen = VISIBILITY.get(str(data.get("visibility", "")), "clear")
    return f"In the {zone} zone there is {wind}; the weather is {seen}."


def _sailed(data: Data, names: Names) -> str:
    here, there = (names.get(str(data.get(field))) or "" for field in ("place", "to"))
    start = as_goal(here, there) if here else place_name("", names)
    return f"{fleet_name(data, names)} gets under way from {start}."


def _sighted(data: Data, names: Names) -> str:
    where = position_in_words(int(data["latitude"]), int(data["longitude"]))
    course = f", steering {compass(int(data['course']))}" if data.get("course") is not None else ""
    seen = sail_in_words(str(data["band"]), data.get("kinds", ()), steam=UNDER_STEAM in names)
    contact = f"{contact_name(data['number'], names)}{perhaps_in_words(int(data.get('perhaps', 0)))}"
    who = (
        fleet_name(data, names) if data.get("fleet") else f"The lookout at {place_name(data['place'], names)}"
    )
    told = f"{who} sights {contact}: {seen}, at {where}{course}"
    return f"{told}{_again(data, int(data['number']))}."


def _touch_lost(data: Data, names: Names) -> str:
    # A fleet met off a blockaded port is seen before a report has numbered it.
    contact = contact_name(data["number"], names) if data.get("number") else "the enemy"
    again = _again(data, int(data.get("number", 0)))
    if data.get("into"):
        return (
            f"{opening(contact)} joins contact {data['into']}, in sight of {fleet_name(data, names)}{again}."
        )
    return f"{fleet_name(data, names)} loses sight of {contact}{again}."


def perhaps_in_words(number: int) -> str:
    """The staff's remark on a contact: ", perhaps the same as contact 12"; "" for none. Rule: G.IG2."""
    return f", perhaps the same as contact {number}" if number else ""


def _again(data: Data, number: int) -> str:
    """What was gained and lost again soon after: "; lost to sight at 11:00, seen again at 12:00 as contact 13". Rule: G.IG2."""
    told = []
    for hour, kind, now, into in data.get("times", ()):
        at = f"at {hour_in_words(hour)}"
        if kind == "sighted":
            told.append(f"seen again {at}" if now == number else f"seen again {at} as contact {now}")
        else:
            told.append(
                f"together with contact {into} from {hour_in_words(hour)}" if into else f"lost to sight {at}"
            )
        number = now
    return f"; {', '.join(told)}" if told else ""


def _rejoined(data: Data, names: Names) -> str:
    parted = the_fleet(names.get(str(data.get("parted", "")), "what had parted company"))
    fleet = fleet_name(data, names)
    return f"{parted} rejoins {'it' if fleet in parted else fleet}."


def _small_squadrons(data: Data) -> str:
    return counted(int(data.get("squadrons", 1)), "small squadron")


def _mustered(data: Data, names: Names) -> str:
    is_ = "is" if int(data.get("squadrons", 1)) == 1 else "are"
    where = near_place(data.get("place"), names)
    return (
        f"{fleet_name(data, names)} musters {where}: {_small_squadrons(data)} {is_} merged into the others."
    )


def _muster_due(data: Data, names: Names) -> str:
    return f"{fleet_name(data, names)} has {_small_squadrons(data)}. Its admiral can have the ships mustered."


def _aground(data: Data, names: Names) -> str:
    ships = [ship_name(code, names) for code in data.get("ships", ())]
    verb = "takes" if len(ships) == 1 else "take"
    return f"{listed(ships)} {verb} the ground {near_place(data.get('place'), names)}."


def _gale(data: Data, names: Names) -> str:
    zone = zone_name(data.get("zone", ""))
    return f"A gale from the {compass(int(data.get('wind_from', 0)))} begins in the {zone} zone."


def _rode_out(data: Data, names: Names) -> str:
    thrown = [
        f"{ship_name(code, names)} {face} against {steps}" for code, face, steps in data.get("thrown", ())
    ]
    gone = [ship_name(code, names) for code in data.get("foundered", ())]
    ended = f"{listed(gone)} founder{'s' if len(gone) == 1 else ''}" if gone else "all ships survive"
    return (
        f"{fleet_name(data, names)} meets the gale; the damaged ships throw ({', '.join(thrown)}): {ended}."
    )


_DICE = re.compile(r"; the damaged ships throw \(.*?\)(?=: )")


def without_dice(told: str) -> str:
    """A sentence without the dice that it recounts ship by ship, for a letter that is read on a phone."""
    return _DICE.sub("", told)


def _parted_company(data: Data, names: Names) -> str:
    who = the_fleet(str(data["name"])) if data.get("name") else fleet_name(data, names)
    return f"{who} parts company{with_parent(who, parent_name(data, names))} in the gale, driven {data.get('miles', 0)} nm off."


def _interned(data: Data, names: Names) -> str:
    ships = [ship_name(code, names) for code in data.get("ships", ())]
    place = names.get(str(data.get("place", "")), "a neutral port")
    return f"{place} interns {listed(ships)}, which outstayed the shelter of a neutral port."


def _fleet_ended(data: Data, names: Names) -> str:
    name = names.get(str(data.get("fleet", "")), "")
    # a detachment of one ship has the ship's name
    if sum(name == other for other in names.values()) > 1:
        who = f"The detachment {name}"
    else:
        who = f"The fleet “{name}”" if is_plural(name) else the_fleet(name or "an enemy fleet")
    return f"{opening(who)} has no ships left."


TELLERS: Mapping[str, Teller] = {
    "weather": _weather,
    "gale": _gale,
    "order_refused": telling("The orders of {fleet} could not be carried out: {reasons}"),
    "sailed": _sailed,
    "passed": telling("{fleet} passes {place}."),
    "arrived": telling("{fleet} reaches the end of its route {at_place}."),
    "sighted": _sighted,
    "touch_lost": _touch_lost,
    "rode_out": _rode_out,
    "parted_company": _parted_company,
    "left_behind": telling("{Parent} leaves {ships} behind {near_place}."),
    "aground": _aground,
    "refloated": telling("{ship} floats off with the tide {near_place}."),
    "interned": _interned,
    "rejoined": _rejoined,
    "mustered": _mustered,
    "muster_due": _muster_due,
    "fleet_ended": _fleet_ended,
}
