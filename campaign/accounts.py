"""Chart events told as sentences, with names in place of codes. A code that the reader has no name for is never printed.

names maps codes of places, fleets, ships and sides to names; what is missing belongs to somebody else and is told as "the enemy"
or left out. Rules: G.IN1, G.SI2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Names = Mapping[str, str]
Data = Mapping[str, Any]

POINTS = (
    "north", "north-north-east", "north-east", "east-north-east", "east", "east-south-east", "south-east",
    "south-south-east", "south", "south-south-west", "south-west", "west-south-west", "west", "west-north-west",
    "north-west", "north-north-west",
)  # fmt: skip
STRENGTHS = {
    "still": "no wind",
    "light": "a light wind",
    "moderate": "a moderate wind",
    "strong": "a strong wind",
    "gale": "a gale",
}
VISIBILITY = {"clear": "clear", "haze": "hazy", "fog": "thick with fog"}
ENDINGS = {
    "gale": "a gale parted the fleets",
    "beaten": "one side could fight no more",
    "parted": "the fleets parted",
    "nightfall": "night ended it",
    "limit": "the day's time was spent",
}
CHASES = {
    "in port": "the chase ran into port",
    "shelter": "the chase ran in among the shoals",
    "gale": "the gale put an end to the chase",
    "out of sight": "the chase was lost to sight",
    "no wish to fight": "nobody wished to fight any more",
    "given up": "the chase was given up",
}
FATES = {
    "sunk": "was sunk",
    "blown up": "blew up",
    "burnt": "was burnt",
    "foundered": "foundered",
    "wrecked": "was wrecked",
    "scuttled": "was scuttled by her own people",
    "interned": "was interned",
    "missing": "is missing",
}
KINDS_PLURAL = {
    "line": "ships of the line",
    "frigate": "frigates",
    "merchant": "merchantmen",
    "fire ship": "fire ships",
    "small craft": "small craft",
}


def compass(degrees: int) -> str:
    """Degrees as a point of the compass, in words."""
    return POINTS[round(degrees / 22.5) % 16]


def listed(words: list[str]) -> str:
    """a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def sail_in_words(band: str, kinds: tuple[str, ...] | list[str] = ()) -> str:
    """What a report tells of numbers and kinds: "20-39 sail, ships of the line and frigates among them". Rule: G.SI2."""
    number = "a single sail" if band == "1" else f"{band.replace('-', '–').replace('+', ' or more')} sail"
    if not kinds:
        return number
    if band == "1":
        return f"{number}, of the kind {kinds[0]}"
    return f"{number}, {listed([KINDS_PLURAL.get(kind, kind) for kind in kinds])} among them"


def position_in_words(latitude: int, longitude: int) -> str:
    """Hundredths of a degree as 51°48′ N, 2°00′ E."""
    return f"{_minutes(latitude)} {'N' if latitude >= 0 else 'S'}, {_minutes(longitude)} {'E' if longitude >= 0 else 'W'}"


def _minutes(hundredths: int) -> str:
    degrees, rest = divmod(abs(hundredths), 100)
    return f"{degrees}°{round(rest * 0.6):02d}′"


def sentence(event: list[Any], names: Names) -> str:
    """One event as a sentence. event: [hour, kind, clause, knows, data]. Raises KeyError for a kind that nobody told us of."""
    _, kind, _, _, data = event
    text = TELLERS[kind](data, names)
    return text[:1].upper() + text[1:]


def _fleet(data: Data, names: Names) -> str:
    return names.get(str(data.get("fleet", "")), "an enemy fleet")


def _place(code: Any, names: Names) -> str:
    name = names.get(str(code), "a place at sea").split(" (")[0]
    for word in ("The ", "Off ", "North of", "South of", "East of", "West of"):
        if name.startswith(word):
            return word.lower() + name[len(word) :]
    return name


def _near(code: Any, names: Names) -> str:
    """Near a place, which is named by code or by its own name: "near the Galloper", "off Cromer"."""
    name = _place(code, {str(code): str(code), **names})
    relative = name.startswith(("off ", "north of", "south of", "east of", "west of"))
    return name if relative else f"near {name}"


def _ship(code: Any, names: Names) -> str:
    return names.get(str(code), "a ship")


def _side(code: Any, names: Names) -> str:
    return names.get(str(code), "the enemy")


def _weather(data: Data, names: Names) -> str:
    zone = str(data.get("zone", "")).replace("_", " ")
    strength = str(data.get("strength", ""))
    wind = STRENGTHS.get(strength, strength)
    if strength != "still":
        wind += f" from the {compass(int(data.get('wind_from', 0)))}"
    seen = VISIBILITY.get(str(data.get("visibility", "")), "clear")
    return f"In the {zone} zone {wind}; the weather is {seen}."


def _gale(data: Data, names: Names) -> str:
    zone = str(data.get("zone", "")).replace("_", " ")
    return f"A gale from the {compass(int(data.get('wind_from', 0)))} begins in the {zone} zone."


def _order_refused(data: Data, names: Names) -> str:
    reasons = [str(fault[2]) for fault in data.get("faults", ())] or [str(data.get("text", ""))]
    return f"The orders of {_fleet(data, names)} could not be carried out: {' '.join(filter(None, reasons))}"


def _sailed(data: Data, names: Names) -> str:
    to = f", bound for {_place(data['to'], names)}" if data.get("to") else ""
    return f"{_fleet(data, names)} gets under way from {_place(data.get('place'), names)}{to}."


def _passed(data: Data, names: Names) -> str:
    return f"{_fleet(data, names)} passes {_place(data.get('place'), names)}."


def _arrived(data: Data, names: Names) -> str:
    return f"{_fleet(data, names)} comes to {_place(data.get('place'), names)}, the end of its route."


def _sighted(data: Data, names: Names) -> str:
    where = position_in_words(int(data["latitude"]), int(data["longitude"]))
    course = f", steering {compass(int(data['course']))}" if data.get("course") is not None else ""
    seen = sail_in_words(str(data["band"]), data.get("kinds", ()))
    return f"{_fleet(data, names)} sights contact {data['number']}: {seen}, in {where}{course}."


def _touch_lost(data: Data, names: Names) -> str:
    return f"{_fleet(data, names)} has lost sight of contact {data.get('number', '')}.".replace(" .", ".")


def _chase(data: Data, names: Names) -> str:
    miles = f" at {round(int(data['range']) / 1000)} miles" if "range" in data else ""
    return f"{_fleet(data, names)} steers for contact {data.get('number', '')}{miles}."


def _chase_ended(data: Data, names: Names) -> str:
    why = str(data.get("why", ""))
    return f"{_fleet(data, names)}: {CHASES.get(why, why or 'the chase is over')}."


def _night(data: Data, names: Names) -> str:
    face = f" (the die shows {data['face']})" if "face" in data else ""
    ended = "gets away" if data.get("away") else "cannot get away"
    return f"Night falls; {_fleet(data, names)} tries to be gone and {ended}{face}."


def _escaped(data: Data, names: Names) -> str:
    return f"{_fleet(data, names)} is away in the night, with twelve hours of free sailing."


def _parted(data: Data, names: Names) -> str:
    own = [names[code] for code in data.get("fleets", ()) if code in names]
    return f"{listed(own) or 'The fleets'}: both sides wish to be gone, and the fleets part."


def _battle(data: Data, names: Names) -> str:
    sides = [_side(code, names) for code in data.get("fleets", {})]
    where = f" {_near(data['place'], names)}" if data.get("place") else ""
    gauge = f" {_side(data['gauge'], names)} has the weather gauge." if data.get("gauge") else ""
    surprised = data.get("surprised") or ()
    caught = f" {listed([_side(code, names) for code in surprised])} is surprised." if surprised else ""
    return f"Battle{where} between {listed(sides) or 'the fleets'}.{gauge}{caught}"


def _battle_ended(data: Data, names: Names) -> str:
    ended = ENDINGS.get(str(data.get("ended", "")), "it was over")
    hours, minutes = divmod(int(data.get("minutes", 0)), 60)
    spent = f"{hours} h {minutes:02d} min"
    holder = f" {_side(data['held_field'], names)} holds the field." if data.get("held_field") else ""
    return f"The battle is over after {spent}: {ended}.{holder}"


def _captured(data: Data, names: Names) -> str:
    taker = f" by {_ship(data['captor_ship'], names)}" if data.get("captor_ship") in names else ""
    return f"{_ship(data.get('ship'), names)} ({_side(data.get('side'), names)}) is taken{taker} for {_side(data.get('captor'), names)}."


def _retaken(data: Data, names: Names) -> str:
    return (
        f"{_ship(data.get('ship'), names)} is retaken and comes back to {_side(data.get('captor'), names)}."
    )


def _lost(data: Data, names: Names) -> str:
    fate = FATES.get(str(data.get("fate", "")), "is lost")
    cause = f" ({data['cause']})" if data.get("cause") else ""
    return f"{_ship(data.get('ship'), names)} ({_side(data.get('side'), names)}) {fate}{cause}."


def _officer(data: Data, names: Names) -> str:
    aboard = f" in {_ship(data['ship'], names)}" if data.get("ship") in names else ""
    verb = {"captured": "is taken", "wounded": "is wounded", "killed": "is killed"}.get(
        str(data.get("fate")), "is hurt"
    )
    return f"{data.get('name', 'An officer')} {verb}{aboard}."


def _fleet_ended(data: Data, names: Names) -> str:
    return f"{_fleet(data, names)} has no ship left."


def _rode_out(data: Data, names: Names) -> str:
    thrown = [f"{_ship(code, names)} {face} against {steps}" for code, face, steps in data.get("thrown", ())]
    gone = [_ship(code, names) for code in data.get("foundered", ())]
    ended = f"{listed(gone)} cannot live in it" if gone else "all of them live through it"
    return f"{_fleet(data, names)} meets the gale; the damaged ships throw ({', '.join(thrown)}): {ended}."


def _parted_company(data: Data, names: Names) -> str:
    who = data.get("name") or _fleet(data, names)
    parent = names.get(str(data.get("parent", "")), "the fleet")
    return f"{who} parts company with {parent} in the gale, driven {data.get('miles', 0)} miles off."


def _left_behind(data: Data, names: Names) -> str:
    ships = [_ship(code, names) for code in data.get("ships", ())]
    parent = names.get(str(data.get("parent", "")), "the fleet")
    return f"{parent} leaves {listed(ships)} behind near {_place(data.get('place'), names)}."


def _aground(data: Data, names: Names) -> str:
    ships = [_ship(code, names) for code in data.get("ships", ())]
    verb = "takes" if len(ships) == 1 else "take"
    return f"{listed(ships)} {verb} the ground {_near(data.get('place'), names)}."


def _refloated(data: Data, names: Names) -> str:
    return f"{_ship(data.get('ship'), names)} floats off with the tide {_near(data.get('place'), names)}."


def _rose(data: Data, names: Names) -> str:
    face = f" (the die shows {data['face']})" if "face" in data else ""
    if data.get("won"):
        ended = f"take her back for {_side(data.get('captor'), names)}"
    else:
        ended = "are beaten down"
    return f"The prisoners in {_ship(data.get('ship'), names)} rise upon her prize crew and {ended}{face}."


def _sent_in(data: Data, names: Names) -> str:
    ships = [_ship(code, names) for code in data.get("ships", ())]
    parent = names.get(str(data.get("parent", "")), "the fleet")
    return f"{parent} sends {listed(ships)} in to {_place(data.get('place'), names)}."


def _interned(data: Data, names: Names) -> str:
    ships = [_ship(code, names) for code in data.get("ships", ())]
    place = names.get(str(data.get("place", "")), "a neutral port")
    return f"{place} interns {listed(ships)}, which outstayed the shelter of a neutral port."


def _rejoined(data: Data, names: Names) -> str:
    parted = names.get(str(data.get("parted", "")), "what had parted company")
    return f"{parted} joins {_fleet(data, names)} again."


def _renewed(data: Data, names: Names) -> str:
    return "Both sides mean to go on with the battle."


TELLERS: Mapping[str, Callable[[Data, Names], str]] = {
    "weather": _weather,
    "gale": _gale,
    "order_refused": _order_refused,
    "sailed": _sailed,
    "passed": _passed,
    "arrived": _arrived,
    "sighted": _sighted,
    "touch_lost": _touch_lost,
    "chase": _chase,
    "chase_ended": _chase_ended,
    "night": _night,
    "escaped": _escaped,
    "parted": _parted,
    "battle": _battle,
    "battle_ended": _battle_ended,
    "captured": _captured,
    "retaken": _retaken,
    "lost": _lost,
    "officer": _officer,
    "rode_out": _rode_out,
    "parted_company": _parted_company,
    "left_behind": _left_behind,
    "aground": _aground,
    "refloated": _refloated,
    "rose": _rose,
    "sent_in": _sent_in,
    "interned": _interned,
    "rejoined": _rejoined,
    "fleet_ended": _fleet_ended,
    "renewed": _renewed,
}
