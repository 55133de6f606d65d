"""The events of a Kohler log in words, one line each. Reads what is there: of an enemy's event part may be missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from battles.engine.core.hexes import NAMES as POINTS
from battles.engine.core.log import DIE, Event
from battles.engine.rulesets.kohler.card import points_text

if TYPE_CHECKING:
    from battles.boards import Names

Data = Mapping[str, Any]
STRENGTHS = ("still", "light", "normal", "strong", "a gale")
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


def _many(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _die(_: str, data: Data, names: Names) -> str:
    """What was thrown for, and by whom: the subjects stand in the key behind clause and turn."""
    parts = str(data["key"]).split("/")
    named = [names.ships.get(part) or names.squadrons.get(part) or "" for part in parts]
    sides = [part for part in parts if part in ("port", "starboard")]
    who = " and ".join(dict.fromkeys(name for name in named if name))
    reason = str(data["reason"])
    told = f"{who}: {reason}" if who else reason[:1].upper() + reason[1:]
    return f"{told}, {sides[0]}" if sides else told


def _fire(ship: str, data: Data, names: Names) -> str:
    mods = ", ".join(f"{str(name).replace('_', ' ')} {value:+d}" for name, value in data.get("mods", ()))
    points = f", {points_text(data['points'])} fire points" if "points" in data else ""
    reach = "in the same hex" if not data["range"] else f"at {_many(data['range'], 'hex', 'hexes')}"
    return (
        f"{ship} fires her {data['side']} broadside at {names.ship(data['target'])} {reach}: "
        f"score {data['score']}{f' ({mods})' if mods else ''}{points}, {_many(data['hits'], 'hit')}"
    )


def _damage(ship: str, data: Data, names: Names) -> str:
    if "left" not in data:
        return f"{ship} shows {_many(data['steps'], 'step')} of damage"
    lost = [f"{data['struct']} of her hull"] * bool(data["struct"]) + [f"{data['board']} of her men"] * bool(
        data["board"]
    )
    return f"{ship} loses {' and '.join(lost) or 'nothing'}: {_many(data['left'], 'point')} left, {_many(data['steps'], 'step')} lost"


def _recounted(ship: str, data: Data, names: Names) -> str:
    left = f"{_many(data['left'], 'point')} left, " if "left" in data else ""
    return f"{ship} is counted afresh, men and timber: {left}{_many(data['steps'], 'step')} lost"


def _moved(ship: str, data: Data, names: Names) -> str:
    path = data["path"]
    hexes = sum(1 for a, b in zip(path, path[1:], strict=False) if a[:2] != b[:2]) - bool(data.get("drift"))
    turns = sum(1 for a, b in zip(path, path[1:], strict=False) if a[2] != b[2])
    did = f"sails {_many(hexes, 'hex', 'hexes')}" if hexes > 0 else "makes no way"
    turned = f", turns {_many(turns, 'hexside')}" if turns else ""
    drift = ", then drifts" if data.get("drift") else ""
    return f"{ship} {did}{turned}{drift}, heading {POINTS[path[-1][2]]}"


def _wind(_: str, data: Data, names: Names) -> str:
    return f"Wind {STRENGTHS[data['strength']]}, blowing towards {POINTS[data['towards']]} of the board"


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


def _plain(text: str) -> Callable[[str, Data, Names], str]:
    return lambda ship, data, names: text.format(ship=ship)


def _with(text: str, field: str) -> Callable[[str, Data, Names], str]:
    return lambda ship, data, names: text.format(ship=ship, other=names.ship(data[field]))


def _fires(ship: str, data: Data, names: Names) -> str:
    return f"{ship} burns"


_TELLERS: Mapping[str, Callable[[str, Data, Names], str]] = {
    DIE: _die,
    "placed": lambda ship, data, names: (
        f"{ship} in hex {data['q']}, {data['r']}, heading {POINTS[data['f']]}"
    ),
    "warned": lambda ship, data, names: (
        f"{names.squadron(data['squadron'])} has {data['ships']} ships, outside the advised size"
    ),
    "disorder": lambda ship, data, names: f"{ship} is out of her place, in hex {data['q']}, {data['r']}",
    "wind": _wind,
    "caught": _plain("{ship} is caught in irons"),
    "arrived": _plain("{ship} comes up"),
    "fired_ship": _plain("{ship} is fired"),
    "initiative": _initiative,
    "straggler": _plain("{ship} is out of command"),
    "groups": _groups,
    "moved": _moved,
    "drifted": _plain("{ship} drifts down wind"),
    "refused": lambda ship, data, names: (
        f"{ship} cannot carry out {data['token']}: {str(data['code']).replace('_', ' ')}"
    ),
    "helm": lambda ship, data, names: (
        f"{ship} with her helm hit steers {_FORCED.get(data['forced'], data['forced'])}"
    ),
    "contact": _contact,
    "avoided": _with("{ship} and {other} get clear of each other", "target"),
    "locked": _with("{ship} and {other} are fast", "target"),
    "freed": _with("{ship} and {other} are apart again", "target"),
    "placing": lambda ship, data, names: f"{ship} lies to {data['side']} of {names.ship(data['target'])}",
    "aground": _plain("{ship} takes the ground"),
    "wrecked": _plain("{ship} is driven ashore and lost"),
    "refloated": _plain("{ship} floats off"),
    "gone": _plain("{ship} leaves the battle"),
    "fire": _fire,
    "damage": _damage,
    "recounted": _recounted,
    "boarding": _boarding,
    "captured": _with("{ship} is taken by {other}", "captor"),
    "retaken": _with("{ship} is taken back by {other}", "by"),
    "critical": lambda ship, data, names: (
        f"{ship}, critical check: {data['score']}, {_RESULTS.get(data['result'], data['result'])}"
    ),
    "guns_out": lambda ship, data, names: f"{ship} has a gun deck swept for {_many(data['turns'], 'turn')}",
    "alight": _plain("{ship} is on fire"),
    "burns": _fires,
    "fire_out": _plain("{ship} puts a fire out"),
    "exploded": _plain("{ship} blows up"),
    "sunk": lambda ship, data, names: f"{ship} sinks {_SUNK.get(data.get('by', ''), '')}".rstrip(),
    "burnt_out": _plain("The fire ship {ship} burns out"),
    "flag_hit": lambda ship, data, names: f"{data.get('officer') or 'The flag officer'} is hit aboard {ship}",
    "new_flagship": lambda ship, data, names: f"{ship} now leads {names.squadron(data['squadron'])}",
    "officer": lambda ship, data, names: (
        f"{data.get('officer') or 'The flag officer'} of {ship}: {data['fate']}"
    ),
    "taken_after": _with("{ship}, disabled, strikes to {other}", "captor"),
    "ended": lambda ship, data, names: f"The battle ends: {ENDS.get(data['why'], data['why'])}",
}
