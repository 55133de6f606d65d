"""Names and words of the accounts: compass points, numbers of sail, and what a reader may call a ship, a fleet or a place.

A code that the reader has no name for is never printed. Rules: G.IN1, G.SI2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from battles.engine.core.telling import is_plural, the_fleet, with_article
from campaign.rules.state.clock import DAWN, clock

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
VISIBILITY = {"clear": "clear", "haze": "hazy", "fog": "foggy"}
# How long a battle lasted: what ends the sentence.
ENDINGS = {
    "gale": "until a gale parted the fleets",
    "beaten": "until one side could fight no longer",
    "parted": "until the fleets parted",
    "nightfall": "until nightfall",
    "limit": "until time ran out",
}
CHASES = {
    "in port": "the chase runs into port",
    "shelter": "the chase runs in among the shoals",
    "gale": "the gale puts an end to the chase",
    "out of sight": "the chase is lost to sight",
    "no wish to fight": "neither side wants to fight on",
    "too strong": "the enemy is too strong",
    "given up": "the chase is given up",
}
# What becomes of a ship, as the account tells it and as it is said later.
FATES = {
    "sunk": ("is sunk", "was sunk"),
    "blown up": ("blows up", "blew up"),
    "burnt": ("is burnt", "was burnt"),
    "foundered": ("founders", "foundered"),
    "wrecked": ("is wrecked", "was wrecked"),
    "scuttled": ("is scuttled by its own crew", "was scuttled by its own crew"),
    "interned": ("is interned", "was interned"),
    "missing": ("is missing", "is missing"),
}
# How a ship was lost, by the cause that its rule set stores, where that tells more than the fate.
CAUSES = {
    "abandoned": "is abandoned by its crew",
    "aground": "is lost aground",
    "burning": "is burnt by a fire ship",
    "burnt": "is burnt",
    "driven ashore": "is driven ashore and wrecked",
    "exploded": "blows up",
    "fire": "is burnt",
    "fire ship": "is burnt as a fire ship",
    "fouled": "is lost in fishing nets",
    "foundered": "founders",
    "from the strain of the weather": "founders in heavy weather",
    "gunfire": "is sunk by gunfire",
    "by a long shot": "is sunk by a long shot",
    "by its own people": "is burnt by its own people",
    "in the raid": "is burnt in the raid",
    "by the guns of the port": "is sunk by the guns of the port",
    "in the gale": "founders in the gale",
    "mined": "is sunk by a mine",
    "rowed ashore by her slaves": "is rowed ashore by its slaves",
    "scuttled": "is scuttled by its own crew",
    "sunk": "founders",
    "sunk by gunfire": "is sunk by gunfire",
    "sunk_gunfire": "is sunk by gunfire",
    "sunk_ramming": "is sunk by ramming",
    "sunk_torpedo": "is sunk by a torpedo",
    "blown up": "blows up",
}
KINDS_PLURAL = {
    "line": "ships of the line",
    "frigate": "frigates",
    "merchant": "merchantmen",
    "fire ship": "fire ships",
    "small craft": "small craft",
}
ONE_OF = {
    "line": "a ship of the line",
    "frigate": "a frigate",
    "merchant": "a merchantman",
    "fire ship": "a fire ship",
    "small craft": "a small craft",
}

# The same where ships go by steam: the kinds of the chart are those of the age of sail.
STEAMERS_PLURAL = {
    "line": "battleships", "frigate": "cruisers", "merchant": "merchantmen", "small craft": "torpedo craft",
}  # fmt: skip
ONE_STEAMER = {
    "line": "a battleship",
    "frigate": "a cruiser",
    "merchant": "a merchantman",
    "small craft": "a torpedo craft",
}
# Stands among the names that a reader knows where the theatre's period is that of steam; no code has a space.
UNDER_STEAM = "under steam"
# Stands among the names of a reader who knows every side's reports. Each side numbers its contacts, so theirs are told by side.
EVERY_SIDE = "every side"
# Stands there, with the side's name, while an event is told to such a reader that one side knows.
OF_SIDE = "of a side"

Teller = Callable[[Data, Names], str]
# The earliest nightfall of any theatre, by the clock.
DUSK = 17


def period_names(document: Mapping[str, Any]) -> dict[str, str]:
    """What the names of a campaign say of its age. document: of its theatre, whose `period` is sail or steam."""
    return {UNDER_STEAM: "steam"} if document.get("period") == "steam" else {}


def ending_of(event: list[Any]) -> str:
    """How a battle ended, by its `battle_ended` event. On the chart the last turn of a battle is the last one before nightfall (G.CO6)."""
    hour, *_, data = event
    ended = str(data.get("ended", ""))
    return "nightfall" if ended == "limit" and not DAWN <= clock(hour) < DUSK else ended


def compass(degrees: int) -> str:
    """Degrees as a point of the compass, in words."""
    return POINTS[round(degrees / 22.5) % 16]


def listed(words: list[str]) -> str:
    """a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: "1 ship", "12 ships"; with a plural of their own "3 men"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def duration_in_words(minutes: int) -> str:
    """How long something lasted: "7 hours 30 minutes"."""
    units = zip(divmod(minutes, 60), ("hour", "minute"), strict=True)
    return " ".join(counted(number, unit) for number, unit in units if number) or "less than a minute"


def times(number: int) -> str:
    """How often: "once", "twice", "12 times"."""
    return {1: "once", 2: "twice"}.get(number) or counted(number, "time")


def pounds(number: object) -> str:
    """A sum of money."""
    return f"£{int(str(number)):,}"


def sail_in_words(band: str, kinds: tuple[str, ...] | list[str] = (), *, steam: bool = False) -> str:
    """What a report tells of numbers and kinds: "20–39 sail, including ships of the line and frigates". Rule: G.SI2.

    steam: whether ships go by steam: "20–39 ships, including battleships and cruisers".
    """
    one, several = (ONE_STEAMER, STEAMERS_PLURAL) if steam else (ONE_OF, KINDS_PLURAL)
    if band == "1":
        single = f"a single {'ship' if steam else 'sail'}"
        return f"{single}, {one.get(kinds[0], kinds[0])}" if kinds else single
    number = f"{band.replace('-', '–').replace('+', ' or more')} {'ships' if steam else 'sail'}"
    return f"{number}, including {listed([several.get(kind, kind) for kind in kinds])}" if kinds else number


def hour_in_words(hour: int) -> str:
    """An hour of the chart as a time of day: a chart's day begins at 06:00. Rule: G.CL1."""
    return f"{(hour + 6) % 24:02d}:00"


def position_in_words(latitude: int, longitude: int) -> str:
    """Hundredths of a degree as 51°48′ N, 2°00′ E."""
    return f"{_minutes(latitude)} {'N' if latitude >= 0 else 'S'}, {_minutes(longitude)} {'E' if longitude >= 0 else 'W'}"


def _minutes(hundredths: int) -> str:
    degrees, rest = divmod(abs(hundredths), 100)
    return f"{degrees}°{round(rest * 0.6):02d}′"


def fleet_name(data: Data, names: Names) -> str:
    """A fleet by the name that the reader has for it, mid-sentence."""
    return the_fleet(names.get(str(data.get("fleet", "")), "an enemy fleet"))


def parent_name(data: Data, names: Names) -> str:
    """The fleet that others leave, mid-sentence; named after one of those that leave it, it is what remains."""
    parent = names.get(str(data.get("parent", "")), "the fleet")
    leaving = {names[code] for code in data.get("ships", ()) if code in names}
    return "the rest of the fleet" if parent in leaving else the_fleet(parent)


_PLURAL_VERBS = {
    "is": "are",
    "has": "have",
    "passes": "pass",
    "reaches": "reach",
    "goes": "go",
    "tries": "try",
    "detaches": "detach",
    "carries": "carry",
}
_PLURAL_LATER = {
    " and is met": " and are met",
    " and sends ": " and send ",
    " and succeeds": " and succeed",
    ", loses ": ", lose ",
    " and loses ": " and lose ",
    " and makes for ": " and make for ",
    " its route": " their route",
    " its station": " their station",
    " its fleet": " their fleet",
    " its cargo": " their cargo",
    " its orders": " their orders",
    " and has no ": " and have no ",
    " its slowest": " their slowest",
}


def side_does(side: str, one: str, several: str) -> str:
    """A side with its verb: "England loses", "France and Spain lose". side: its name in a sentence."""
    return f"{side} {several if ' and ' in side else one}"


def with_parent(who: str, parent: str) -> str:
    """With whom ships part company: " with Albemarle's fleet"; "" where their own name says it, as that of its stragglers does."""
    return "" if parent in who else f" with {parent}"


def agreeing(told: str, fleets: list[str]) -> str:
    """A sentence with plural verbs if it is about a fleet whose name is plural: "Newcastle colliers get under way"."""
    for fleet in fleets:
        subject = re.compile(rf"(^|; )({re.escape(fleet)}) (\w+s)\b", re.IGNORECASE)
        if is_plural(fleet) and subject.search(told):
            told = subject.sub(_in_the_plural, told)
            for one, several in _PLURAL_LATER.items():
                told = told.replace(one, several)
    return told


def _in_the_plural(found: re.Match[str]) -> str:
    before, fleet, verb = found.groups()
    return f"{before}{fleet} {in_the_plural(verb)}"


def in_the_plural(verb: str) -> str:
    """A verb of the third person as one of several things: "are" for "is"."""
    return _PLURAL_VERBS.get(verb, verb.removesuffix("s"))


def opening(words: str) -> str:
    """Words at the head of a sentence."""
    return words[:1].upper() + words[1:]


def place_name(code: Any, names: Names) -> str:
    """A place by its name, as it appears in a sentence after "to" or "from": "the Tyne", "the waters west of the Hinder Banks"."""
    return as_goal(names.get(str(code), _UNKNOWN))


def at_place(code: Any, names: Names) -> str:
    """At a place: "at the Galloper", "off Cromer"."""
    return at(names.get(str(code), _UNKNOWN))


def near_place(code: Any, names: Names) -> str:
    """Near a place, which is named by code or by its own name: "near the Galloper", "off Cromer"."""
    return near(names.get(str(code), str(code)))


_UNKNOWN = "a place at sea"
_QUARTERS = tuple(f"{quarter} of" for quarter in (
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
))  # fmt: skip
# Waters whose names take an article in a sentence, by how they begin and how they end.
_WATERS = ("Bay of ", "Central Sea of ", "Firth of ", "Gulf of ", "Northern Sea of ", "Sea of ", "Strait of ")
_WATERS_END = ("Atlantic", " Bank", " Caribbean", " Channel", " Knock", " Passage", " Sea", " Strait")
# Waters that a fleet lies in, not at.
_SPREAD = re.compile(
    r"^(?:Bay|Firth|Gulf|Strait) of |\b(?:Downs|Atlantic|Bay|Caribbean|Channel|Passage|Reach|Roads?|Sea|Sound|Straits?)$"
)


def in_a_sentence(place: str) -> str:
    """A place's name in the middle of a sentence: "the Nore", "off Cromer", "Harwich"."""
    name = place.split(" (")[0]
    beside = next((word for word in ("off", *_QUARTERS) if name.lower().startswith(f"{word} ")), "")
    if beside:
        return f"{beside} {in_a_sentence(name[len(beside) + 1 :])}"
    if name.lower().startswith("the "):
        return name[:1].lower() + name[1:]
    takes = name.startswith(_WATERS) or name.endswith(_WATERS_END) or name.split(",")[0].endswith(" Islands")
    return f"the {name}" if takes else name


def as_goal(place: str, other: str = "") -> str:
    """A place's name after "to" or "from".

    other: the place at the other end of the same sentence; of "Port Arthur" and "off Port Arthur" the second is the waters off it.
    """
    full = in_a_sentence(place)
    name = full.removeprefix("off ")
    if name.startswith(_QUARTERS) or (name != full and other and in_a_sentence(other) == name):
        return f"the waters {full}"
    return name


def at(place: str) -> str:
    """At a place of this name, or in waters of this name: "at Dover", "in Calais Road"."""
    return _beside("in" if _is_spread(place) else "at", place)


def _is_spread(place: str) -> bool:
    return bool(_SPREAD.search(place.split(" (")[0].split(",")[0]))


def near(place: str) -> str:
    """Near a place of this name."""
    return _beside("near", place)


def scene(place: str) -> str:
    """Where a battle is fought, by the name of its place: "off the Galloper", "in the Strait of Dover", "west of the Hinder Banks"."""
    named = place.split(", off ")[0]
    return _beside("in" if _is_spread(named) else "off", named) if named else ""


def scenes_listed(scenes: Sequence[str]) -> str:
    """Scenes of battles, each in the words of `scene`: "off Chemulpo and Port Arthur"."""
    if all(scene.startswith("off ") for scene in scenes):
        return f"off {listed([scene.removeprefix('off ') for scene in scenes])}"
    return listed(list(scenes))


def _beside(word: str, place: str) -> str:
    name = in_a_sentence(place)
    return name if name.startswith(("off ", *_QUARTERS)) else f"{word} {name}"


def zone_name(zone: Any) -> str:
    """A weather zone by its name: "Sea of Japan"."""
    return " ".join(word if word == "of" else word.capitalize() for word in str(zone).split("_"))


def ship_name(code: Any, names: Names) -> str:
    """A ship by the name that the reader has for her."""
    return names.get(str(code), "a ship")


def side_name(code: Any, names: Names) -> str:
    """A side by its name, as it appears in a sentence: "the Dutch Republic"."""
    return with_article(names.get(str(code), "the enemy"))


def owned(owner: str) -> str:
    """An owner before what they have: "Japan's", "Pirates'"."""
    return f"{owner}'" if owner.endswith("s") else f"{owner}'s"


def contact_name(number: Any, names: Names) -> str:
    """A contact by its number, with whose number it is where the reader knows every side's: "contact 8 in England's list"."""
    if OF_SIDE not in names:
        return f"contact {number}"
    return f"contact {number} in {owned(with_article(names[OF_SIDE]))} list"


def bare_side(code: Any, names: Names) -> str:
    """A side by its name in brackets."""
    return names.get(str(code), "the enemy")


_WORDS: Mapping[str, Teller] = {
    "fleet": fleet_name,
    "Parent": lambda data, names: opening(parent_name(data, names)),
    "ship": lambda data, names: ship_name(data.get("ship"), names),
    "ships": lambda data, names: (
        listed([ship_name(code, names) for code in data.get("ships", ())]) or "no ship"
    ),
    "place": lambda data, names: place_name(data.get("place"), names),
    "at_place": lambda data, names: at_place(data.get("place"), names),
    "near_place": lambda data, names: near_place(data.get("place"), names),
    "captor": lambda data, names: side_name(data.get("captor"), names),
    "pounds": lambda data, names: pounds(data.get("pounds", 0)),
    "days": lambda data, names: counted(int(data.get("days", 0)), "day"),
    "officer": lambda data, names: str(data.get("name", "An officer")),
    "aboard": lambda data, names: (
        f" in {ship_name(data['ship'], names)}" if data.get("ship") in names else ""
    ),
    "die": lambda data, names: f" (the die shows {data['face']})" if data.get("face") is not None else "",
    "reasons": lambda data, names: " ".join(str(fault[2]) for fault in data.get("faults", ())),
    "own_parent": lambda data, names: the_fleet(names.get(str(data.get("parent", "")), "the fleet")),
    "giver": lambda data, names: the_fleet(names.get(str(data.get("giver", "")), "the fleet")),
}


_IN_BRACES = re.compile(r"\{(\w+)\}")


def _filled(template: str, data: Data, names: Names) -> str:
    """A template with the words of an event in their places."""
    return template.format_map(
        {name: _WORDS[name](data, names) for name in set(_IN_BRACES.findall(template))}
    )


def telling(template: str) -> Teller:
    """What tells an event by a template alone: "{fleet} passes {place}." """
    return partial(_filled, template)
