"""Names and words of the accounts: compass points, numbers of sail, and what a reader may call a ship, a fleet or a place.

A code that the reader has no name for is never printed. Rules: G.IN1, G.SI2.
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
ONE_OF = {
    "line": "a ship of the line",
    "frigate": "a frigate",
    "merchant": "a merchantman",
    "fire ship": "a fire ship",
    "small craft": "a small craft",
}

Teller = Callable[[Data, Names], str]


def compass(degrees: int) -> str:
    """Degrees as a point of the compass, in words."""
    return POINTS[round(degrees / 22.5) % 16]


def listed(words: list[str]) -> str:
    """a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, noun: str) -> str:
    """A number of things: "1 ship", "12 ships"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sail_in_words(band: str, kinds: tuple[str, ...] | list[str] = ()) -> str:
    """What a report tells of numbers and kinds: "20-39 sail, ships of the line and frigates among them". Rule: G.SI2."""
    number = "a single sail" if band == "1" else f"{band.replace('-', '–').replace('+', ' or more')} sail"
    if not kinds:
        return number
    if band == "1":
        return f"{number}, {ONE_OF.get(kinds[0], kinds[0])}"
    return f"{number}, {listed([KINDS_PLURAL.get(kind, kind) for kind in kinds])} among them"


def position_in_words(latitude: int, longitude: int) -> str:
    """Hundredths of a degree as 51°48′ N, 2°00′ E."""
    return f"{_minutes(latitude)} {'N' if latitude >= 0 else 'S'}, {_minutes(longitude)} {'E' if longitude >= 0 else 'W'}"


def _minutes(hundredths: int) -> str:
    degrees, rest = divmod(abs(hundredths), 100)
    return f"{degrees}°{round(rest * 0.6):02d}′"


def fleet_name(data: Data, names: Names) -> str:
    """A fleet by the name that the reader has for it."""
    return names.get(str(data.get("fleet", "")), "an enemy fleet")


def parent_name(data: Data, names: Names) -> str:
    """The fleet that others leave, mid-sentence; named after one of those that leave it, it is what remains."""
    parent = names.get(str(data.get("parent", "")), "the fleet")
    leaving = {names[code] for code in data.get("ships", ()) if code in names}
    return "the rest of the fleet" if parent in leaving else parent


def opening(words: str) -> str:
    """Words at the head of a sentence."""
    return words[:1].upper() + words[1:]


def place_name(code: Any, names: Names) -> str:
    """A place by its name, as it stands in a sentence after "to" or "from": "the Tyne", "the waters west of the Hinder banks"."""
    name = _in_a_sentence(code, names).removeprefix("off ")
    return f"the waters {name}" if name.startswith(_QUARTERS) else name


_QUARTERS = ("north of", "south of", "east of", "west of")


def _in_a_sentence(code: Any, names: Names) -> str:
    name = names.get(str(code), "a place at sea").split(" (")[0]
    return name[:1].lower() + name[1:] if name.lower().startswith(("the ", "off ", *_QUARTERS)) else name


def near_place(code: Any, names: Names) -> str:
    """Near a place, which is named by code or by its own name: "near the Galloper", "off Cromer"."""
    name = _in_a_sentence(code, {str(code): str(code), **names})
    return name if name.startswith(("off ", *_QUARTERS)) else f"near {name}"


def ship_name(code: Any, names: Names) -> str:
    """A ship by the name that the reader has for her."""
    return names.get(str(code), "a ship")


def side_name(code: Any, names: Names) -> str:
    """A side by its name, as it stands in a sentence: "England", "the Dutch Republic"."""
    name = names.get(str(code), "the enemy")
    return f"the {name}" if name.split()[-1] in _WITH_ARTICLE else name


_WITH_ARTICLE = frozenset(
    {"Republic", "Empire", "Provinces", "States", "Kingdom"}
)  # last words of such names
