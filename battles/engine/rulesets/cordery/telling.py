"""The sentences of a Cordery log."""

from __future__ import annotations

from battles.engine.core.squares import NAMES as POINTS
from battles.engine.core.telling import Data, Names, many

ENDS = {
    "beaten": "one side has no ships left",
    "parted": "the fleets have parted",
    "nightfall": "night falls",
    "limit": "the time is up",
}
FALLS = {
    "sunk_gunfire": "sunk by gunfire",
    "sunk_torpedo": "sunk by a torpedo",
    "sunk_ramming": "sunk by ramming",
}
RESULTS = {
    "bridge": "the bridge is hit, and the ship is out of control",
    "turret_fore": "the fore turret is destroyed",
    "turret_aft": "the aft turret is destroyed",
    "no_turret": "a hit where a turret was",
    "engines": "the engines are hit",
    "engines_again": "a hit in engines that are damaged already",
    "flooded": "engine and boiler rooms are flooded",
    "battery_port": "the port battery is destroyed",
    "battery_stbd": "the starboard battery is destroyed",
    "no_battery": "a hit where a battery was",
    "fire": "a fire breaks out",
    "burning": "a hit in the fire that burns already",
    "rudder": "the rudder is gone",
    "further": "further damage",
    "one": "further damage below the water line",
    "two": "great damage below the water line",
}
_QUIET = frozenset({"no_turret", "no_battery", "engines_again", "burning", "further", "one", "two"})
_WEAPONS = {"main": "main guns", "port": "port battery", "stbd": "starboard battery"}
_DONE = ("unhurt", "lightly damaged", "damaged", "badly damaged", "hardly afloat")


def _areas(count: int) -> str:
    return many(count, "area")


def placed(ship: str, data: Data, names: Names) -> str:
    return f"{ship} lies in area {data['x']}, {data['y']}, heading {POINTS[data['h']]}"


def arrived(ship: str, data: Data, names: Names) -> str:
    return f"{ship} comes up in area {data['x']}, {data['y']}, heading {POINTS[data['h']]}"


def fire(ship: str, data: Data, names: Names) -> str:
    return (
        f"{ship} fires her {_WEAPONS[data['weapon']]} at {names.ship(data['target'])}, {_areas(data['range'])} away, "
        f"{many(data['dice'], 'die', 'dice')}: {many(data['hits'], 'hit')}"
    )


def torpedo(ship: str, data: Data, names: Names) -> str:
    what = f"hits ({data['hits']} of {many(data['dice'], 'die', 'dice')})" if data["hits"] else "misses"
    return f"{ship} fires a torpedo at {names.ship(data['target'])}, {_areas(data['range'])} away: it {what}"


def tells(data: Data) -> bool:
    """Whether a major hit shows."""
    return data["result"] not in _QUIET


def damage(ship: str, data: Data, names: Names) -> str:
    return f"{ship} is {_DONE[data['steps']]}: {many(data['left'], 'flotation point')} left"


def initiative(_: str, data: Data, names: Names) -> str:
    if not data["dice"]:
        return f"{names.side(data['first'])} is surprised and moves first"
    throws = ", ".join(f"{a} to {b}" for a, b in zip(data["dice"][::2], data["dice"][1::2], strict=True))
    return f"{names.side(data['first'])} moves first ({throws})"


def moved(ship: str, data: Data, names: Names) -> str:
    tokens = str(data["tokens"])
    ahead = tokens.count("F")
    turns = [
        word for letter, word in (("L", "port"), ("R", "starboard")) for _ in range(tokens.count(letter))
    ]
    did = f"steams {_areas(ahead)}" if ahead else "steams on the spot"
    turned = f", turns to {' and to '.join(turns)}" if turns else ""
    return f"{ship} {did}{turned}, heading {POINTS[data['path'][-1][2]]}"


def rammed(ship: str, data: Data, names: Names) -> str:
    how = "end on" if data["head_on"] else "in the side"
    other = names.ship(data["target"])
    return (
        f"{ship} rams {other} {how}{' with a ram bow' if data['ram'] else ''}: {other} loses "
        f"{many(data['other'], 'flotation point')}, {ship} {data['own']}"
    )


def left(ship: str, data: Data, names: Names) -> str:
    return f"{ship} gets away" if data["safe"] else f"{ship} leaves the battle"


def saved(ship: str, data: Data, names: Names) -> str:
    return f"Of the {data['of']} men of {ship}, {data['men']} are saved"


def ended(_: str, data: Data, names: Names) -> str:
    points = ", ".join(f"{names.side(side)} {points}" for side, points in data["scores"].items())
    won = f"{names.side(data['winner'])} holds the field" if data["winner"] else "No side holds the field"
    return f"The battle ends: {ENDS[data['why']]}. {won}. Points: {points}"
