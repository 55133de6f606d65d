"""The sentences of a Barker log, in sections by room; append only."""

from __future__ import annotations

from itertools import pairwise

from battles.engine.core.telling import Data, Names, is_plural, listed, many, the_squadron, with_article

# --- shooting ---

FALLS = {
    "fire": "sunk by gunfire",
    "torpedo": "sunk by a torpedo",
    "mine": "sunk by a mine",
    "ram": "rammed and sunk",
    "nets": "lost in the nets",
    "exploded": "destroyed when its magazine explodes",
}
_GRADES = {"none": "no effect", "lesser": "hit", "greater": "hit hard"}


def shot(ship: str, data: Data, names: Names) -> str:
    return (
        f"{ship} fires at {names.ship(data['target'])}, {data['range']:,} yd away, "
        f"{data['attack']} against {data['defence']}: {_GRADES[data['grade']]}"
    )


def damage(ship: str, data: Data, names: Names) -> str:
    if not data["crippled"]:
        return f"{ship} is damaged" + (" again" if data["steps"] > 1 else "")
    return (
        f"{ship} is crippled and on fire" if data["steps"] == 3 else f"{ship}, crippled, is damaged further"
    )


def lit(ship: str, data: Data, names: Names) -> str:
    if data["target"]:
        return f"{ship} turns its searchlight on {names.ship(data['target'])}"
    return f"{ship} puts its searchlight out"


def flag_lost(ship: str, data: Data, names: Names) -> str:
    return f"The flag of {the_squadron(names.squadron(data['squadron']))} is lost with {ship}"


# --- light and sight ---

PHASES = {
    "night": "night",
    "dawn": "dawn",
    "sunrise": "sunrise",
    "day": "full day",
    "sunset": "sunset",
    "dusk": "dusk",
}
MODES = {"combat": "The enemy is in sight", "cruising": "Nobody is in sight any more, and both fleets cruise"}
TYPES = {
    "BB": "battleship", "C1": "1st-class cruiser", "C2": "2nd-class cruiser", "C3": "3rd-class cruiser", "SC": "scout cruiser",
    "TBD": "pair of destroyers", "TB": "pair of torpedo boats", "SUB": "submarine", "LINER": "liner", "TRANSPORT": "transport",
    "TRAMP": "tramp", "SAIL": "sailing vessel", "FISH": "fishing fleet", "AMC": "armed merchant cruiser", "RAIDER_L": "raider",
    "RAIDER_T": "raider", "MINELAYER": "minelayer", "BATTERY": "shore battery", "INSTALLATION": "shore installation",
}  # fmt: skip
_MEANS = {"hoist": "by flags", "searchlight": "by searchlight", "lamp": "by lamp", "wireless": "by wireless"}


def banks(ship: str, data: Data, names: Names) -> str:
    kinds = listed(sorted({row[0] for row in data["banks"]}))
    return f"There is {kinds} on the water" if kinds else "The air is clear"


def sighted(ship: str, data: Data, names: Names) -> str:
    return f"{names.side(data['side'])} sights {ship}, a {TYPES[data['type']]}"


def lost_sight(ship: str, data: Data, names: Names) -> str:
    return f"{names.side(data['side'])} loses sight of {ship}"


def signal(ship: str, data: Data, names: Names) -> str:
    words = data.get("words") or data["read"]
    said = " ".join(word or "…" for word in words) if words else "in code"
    return f"{ship} signals {_MEANS[data['means']]}: {said}"


# --- movement ---

_EDGES = {0: "north", 9_000: "east", 18_000: "south", 27_000: "west"}


def moved(ship: str, data: Data, names: Names) -> str:
    """How far along the path of the middle of the base, pivots left out, and the last heading."""
    path = data["path"]
    legs = [(a, b) for a, b in pairwise(path) if a[2] == b[2]]
    yards = sum(round(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5) for a, b in legs) // 100
    turns = sum(a[2] != b[2] for a, b in pairwise(path))
    turned = f", {many(turns, 'turn')}" if turns else ""
    return f"{ship} steams {yards:,} yd{turned}, heading {round(path[-1][2] / 100) % 360:03d}"


def left(ship: str, data: Data, names: Names) -> str:
    return f"{ship} leaves the battle to the {_EDGES[data['edge']]}"


# --- traffic ---


def mined(ship: str, data: Data, names: Names) -> str:
    return f"{ship} runs into mines, {data['attack']} against {data['defence']}: {_GRADES[data['grade']]}"


def marker(ship: str, data: Data, names: Names) -> str:
    return "Bubbles are seen" if data["on"] else "Bubbles are seen no more"


def disclosed(ship: str, data: Data, names: Names) -> str:
    return f"{ship} shows herself to be a {TYPES[data['type']]}".replace("a armed", "an armed")


def searched(ship: str, data: Data, names: Names) -> str:
    found = "finds contraband: she is a prize" if data["prize"] else "lets her go"
    return f"{ship} searches {names.ship(data['target'])} and {found}"


def flag(ship: str, data: Data, names: Names) -> str:
    return f"The flag of {the_squadron(names.squadron(data['squadron']))} goes from {ship} to {names.ship(data['to'])}"


# --- set-up and end ---

_CHARACTERS = (
    "no man of mark",
    "a gunnery fanatic",
    "a man of paint and brightwork",
    "a man who fears torpedoes",
    "gallant or mad",
    "a cautious man",
    "a chivalrous man",
)
_WEATHERS = {
    "calm": "in a calm",
    "fog": "with fog on the water",
    "squalls": "with squalls about",
    "none": "in settled weather",
    "rough": "in a rough sea",
}
_PHASES = {
    "night": "by night",
    "dawn": "at dawn",
    "sunrise": "at sunrise",
    "day": "by day",
    "sunset": "at sunset",
    "dusk": "at dusk",
}
SALVAGE = {"lost": "is a total loss", "fast": "is still aground", "afloat": "is afloat again"}
_CAUSES = {
    "annihilation": "one side has no ships left",
    "retreat": "one side has left the field",
    "contact_lost": "contact is lost",
    "time": "time is up",
    "nightfall": "night falls",
}


def opened(ship: str, data: Data, names: Names) -> str:
    return f"The battle opens {_PHASES[data['phase']]}, {_WEATHERS[data['weather']]}"


def commander(ship: str, data: Data, names: Names) -> str:
    name = names.squadron(data["squadron"])
    led, who = the_squadron(name), _CHARACTERS[data["character"]]
    return f"{led[:1].upper()}{led[1:]} {'are' if is_plural(name) else 'is'} led from {ship} by {who}"


def ended(ship: str, data: Data, names: Names) -> str:
    winner = (
        f"{with_article(names.side(data['winner']))} has won" if data["winner"] else "neither side has won"
    )
    return f"The battle is over: {_CAUSES[data['cause']]}, and {winner}"
