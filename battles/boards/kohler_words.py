"""The events of a Kohler log in words, one line each. Reads what is there: of an enemy's event part may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from battles.boards.common import Data, Teller, die, many, plain, with_other
from battles.engine.core.hexes import NAMES as POINTS
from battles.engine.core.log import DIE, Event
from battles.engine.rulesets.kohler.card import points_text

if TYPE_CHECKING:
    from battles.boards import Names

STRENGTHS = ("still", "light", "normal", "strong", "gale")
ENDS = {
    "gale": "a gale parts the fleets",
    "beaten": "one side can fight no more",
    "parted": "the fleets have parted",
    "nightfall": "night falls",
    "limit": "the time is up",
}
_RESULTS = {
    "none": "nothing more",
    "fire": "fire",
    "guns": "a gun deck swept",
    "helm": "helm hit",
    "flag": "flag officer hit",
}
_FORCED = {"port": "to port", "starboard": "to starboard", "no_turn": "straight on"}
_SUNK = {"gunfire": "under gunfire", "fire": "by fire", "burning": "burnt to the water"}


def words(event: Event, names: Names) -> str:
    """An event in words. A kind that has none gives ""."""
    teller = _TELLERS.get(event.kind)
    return teller(names.ship(event.ship) if event.ship else "", event.data, names) if teller else ""


def _fire(ship: str, data: Data, names: Names) -> str:
    mods = ", ".join(f"{str(name).replace('_', ' ')} {value:+d}" for name, value in data.get("mods", ()))
    points = f", {points_text(data['points'])} fire points" if "points" in data else ""
    reach = "in the same hex" if not data["range"] else f"at {many(data['range'], 'hex', 'hexes')}"
    return (
        f"{ship} fires her {data['side']} broadside at {names.ship(data['target'])} {reach}: "
        f"score {data['score']}{f' ({mods})' if mods else ''}{points}, {many(data['hits'], 'hit')}"
    )


def _damage(ship: str, data: Data, names: Names) -> str:
    if "left" not in data:
        return f"{ship} shows {many(data['steps'], 'step')} of damage"
    lost = [f"{data['struct']} of her hull"] * bool(data["struct"]) + [f"{data['board']} of her men"] * bool(
        data["board"]
    )
    return f"{ship} loses {' and '.join(lost) or 'nothing'}: {many(data['left'], 'point')} left, {many(data['steps'], 'step')} lost"


def _recounted(ship: str, data: Data, names: Names) -> str:
    left = f"{many(data['left'], 'point')} left, " if "left" in data else ""
    return f"{ship} is counted afresh, men and timber: {left}{many(data['steps'], 'step')} lost"


def _moved(ship: str, data: Data, names: Names) -> str:
    path = data["path"]
    hexes = sum(1 for a, b in zip(path, path[1:], strict=False) if a[:2] != b[:2]) - bool(data.get("drift"))
    turns = sum(1 for a, b in zip(path, path[1:], strict=False) if a[2] != b[2])
    did = f"sails {many(hexes, 'hex', 'hexes')}" if hexes > 0 else "makes no way"
    turned = f", turns {many(turns, 'hexside')}" if turns else ""
    drift = ", then drifts" if data.get("drift") else ""
    return f"{ship} {did}{turned}{drift}, heading {POINTS[path[-1][2]]}"


def _wind(_: str, data: Data, names: Names) -> str:
    strength = "a gale" if data["strength"] == len(STRENGTHS) - 1 else STRENGTHS[data["strength"]]
    return f"Wind {strength}, blowing towards {POINTS[data['towards']]} of the board"


def _initiative(ship: str, data: Data, names: Names) -> str:
    parts = f"die {data['die']}, bonus {data['bonus']:+d}, penalty {-abs(data['penalty']):+d}"
    return f"{names.squadron(data['squadron'])}: initiative {data['value']} ({parts})"


def _groups(_: str, data: Data, names: Names) -> str:
    order = (f"{names.squadron(code)} ({value})" for code, value, *_ in data["groups"])
    return "Order: " + ", ".join(order)


def _contact(ship: str, data: Data, names: Names) -> str:
    what = {"grapple": "to grapple", "fireship": "to lay herself alongside", "tangle": "and runs foul of"}[
        data["kind"]
    ]
    totals = f"{data['attacker']} to {data['defender']}"
    return (
        f"{ship} tries {what} {names.ship(data['target'])}: {totals}, {'held' if data['made'] else 'clear'}"
        if (data["kind"] != "tangle")
        else f"{ship} comes into the hex of {names.ship(data['target'])}: {totals}, {'foul' if data['made'] else 'clear'}"
    )


def _boarding(ship: str, data: Data, names: Names) -> str:
    own, other = data.get("own", "?"), data.get("other", "?")
    winner = f"{names.ship(data['winner'])} wins" if data["winner"] else "neither gives way"
    lost = f", {data['inflicted']} inflicted for {data['cost']}" if data["winner"] else ""
    return f"Boarding: {ship} {own}, {names.ship(data['target'])} {other}; {winner}{lost}"


def _fires(ship: str, data: Data, names: Names) -> str:
    return f"{ship} burns"


_TELLERS: Mapping[str, Teller] = {
    DIE: die,
    "placed": lambda ship, data, names: (
        f"{ship} in hex {data['q']}, {data['r']}, heading {POINTS[data['f']]}"
    ),
    "warned": lambda ship, data, names: (
        f"{names.squadron(data['squadron'])} has {data['ships']} ships, outside the advised size"
    ),
    "disorder": lambda ship, data, names: f"{ship} is out of her place, in hex {data['q']}, {data['r']}",
    "wind": _wind,
    "caught": plain("{ship} is caught in irons"),
    "arrived": plain("{ship} comes up"),
    "fired_ship": plain("{ship} is fired"),
    "initiative": _initiative,
    "straggler": plain("{ship} is out of command"),
    "groups": _groups,
    "moved": _moved,
    "drifted": plain("{ship} drifts down wind"),
    "refused": lambda ship, data, names: (
        f"{ship} cannot carry out {data['token']}: {str(data['code']).replace('_', ' ')}"
    ),
    "helm": lambda ship, data, names: (
        f"{ship} with her helm hit steers {_FORCED.get(data['forced'], data['forced'])}"
    ),
    "contact": _contact,
    "avoided": with_other("{ship} and {other} get clear of each other", "target"),
    "locked": with_other("{ship} and {other} are fast", "target"),
    "freed": with_other("{ship} and {other} are apart again", "target"),
    "placing": lambda ship, data, names: f"{ship} lies to {data['side']} of {names.ship(data['target'])}",
    "aground": plain("{ship} takes the ground"),
    "wrecked": plain("{ship} is driven ashore and lost"),
    "refloated": plain("{ship} floats off"),
    "gone": plain("{ship} leaves the battle"),
    "fire": _fire,
    "damage": _damage,
    "recounted": _recounted,
    "boarding": _boarding,
    "captured": with_other("{ship} is taken by {other}", "captor"),
    "retaken": with_other("{ship} is taken back by {other}", "by"),
    "critical": lambda ship, data, names: (
        f"{ship}, critical check: {data['score']}, {_RESULTS.get(data['result'], data['result'])}"
    ),
    "guns_out": lambda ship, data, names: f"{ship} has a gun deck swept for {many(data['turns'], 'turn')}",
    "alight": plain("{ship} is on fire"),
    "burns": _fires,
    "fire_out": plain("{ship} puts a fire out"),
    "exploded": plain("{ship} blows up"),
    "sunk": lambda ship, data, names: f"{ship} sinks {_SUNK.get(data.get('by', ''), '')}".rstrip(),
    "burnt_out": plain("The fire ship {ship} burns out"),
    "flag_hit": lambda ship, data, names: f"{data.get('officer') or 'The flag officer'} is hit aboard {ship}",
    "new_flagship": lambda ship, data, names: f"{ship} now leads {names.squadron(data['squadron'])}",
    "officer": lambda ship, data, names: (
        f"{data.get('officer') or 'The flag officer'} of {ship}: {data['fate']}"
    ),
    "taken_after": with_other("{ship}, disabled, strikes to {other}", "captor"),
    "ended": lambda ship, data, names: f"The battle ends: {ENDS.get(data['why'], data['why'])}",
}
