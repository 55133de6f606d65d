"""The sentences of a Kohler log. They read what is there: of an enemy's event the secret data are missing."""

from __future__ import annotations

from battles.engine.core.hexes import NAMES as POINTS
from battles.engine.core.telling import Data, Names, code_words, many
from battles.engine.rulesets.kohler.card import points_text
from battles.engine.rulesets.kohler.passage import REFUSALS

STRENGTHS = ("still", "light", "normal", "strong", "gale")
ENDS = {
    "gale": "a gale parts the fleets",
    "beaten": "one side can fight no longer",
    "parted": "the fleets have parted",
    "nightfall": "night falls",
    "limit": "the time is up",
}
_RESULTS = {
    "none": "nothing more",
    "fire": "a fire breaks out",
    "guns": "a gun deck is swept",
    "helm": "the helm is hit",
    "flag": "the flag officer is hit",
}
FORCED = {"port": "turns to port", "starboard": "turns to starboard", "no_turn": "keeps straight on"}
FALLS = {
    "": "sinks",
    "gunfire": "sinks under gunfire",
    "fire": "sinks, burnt out",
    "burning": "burns to the water",
    "aground": "breaks up on the shoal",
}
_HELD = {
    "grapple": "{ship} grapples {other}",
    "tangle": "{ship} runs foul of {other}",
    "fireship": "{ship}, alight, lies fast alongside {other}",
}
_LEVELS = ("", ", slowed", ", slowed", ", disabled")


def placed(ship: str, data: Data, names: Names) -> str:
    return f"{ship} lies in hex {data['q']}, {data['r']}, heading {POINTS[data['f']]}"


def warned(_: str, data: Data, names: Names) -> str:
    return f"{names.squadron(data['squadron'])} has {data['ships']} ships, which is not the advised size"


def disorder(ship: str, data: Data, names: Names) -> str:
    return f"{ship} is out of place, in hex {data['q']}, {data['r']}"


_IN_FULL = {
    "N": "north", "NE": "north-east", "SE": "south-east", "S": "south", "SW": "south-west", "NW": "north-west",
}  # fmt: skip


def wind(_: str, data: Data, names: Names) -> str:
    point = f"the {_IN_FULL[POINTS[data['towards']]]} of the board"
    if not data["strength"]:
        return f"The air is still; the next wind will blow towards {point}"
    gale = data["strength"] == len(STRENGTHS) - 1
    return f"A {'gale' if gale else STRENGTHS[data['strength']] + ' wind'} blows towards {point}"


def _change(what: str, by: int) -> str:
    return f"{what} {by:+d}".replace("-", "−") if by else f"no {what}"


def initiative(_: str, data: Data, names: Names) -> str:
    parts = (
        f"die {data['die']}, {_change('bonus', data['bonus'])}, {_change('penalty', -abs(data['penalty']))}"
    )
    return f"{names.squadron(data['squadron'])}: initiative {data['value']} ({parts})"


def groups(_: str, data: Data, names: Names) -> str:
    order = (f"{names.squadron(code)} ({value})" for code, value, *_ in data["groups"])
    return "The groups move in this order, by initiative: " + "; ".join(order)


def moved(ship: str, data: Data, names: Names) -> str:
    path = data["path"]
    hexes = sum(1 for a, b in zip(path, path[1:], strict=False) if a[:2] != b[:2]) - bool(data["drift"])
    turns = sum(1 for a, b in zip(path, path[1:], strict=False) if a[2] != b[2])
    did = f"sails {many(hexes, 'hex', 'hexes')}" if hexes > 0 else "makes no way"
    turned = f", turns {many(turns, 'hexside')}" if turns else ""
    drift = ", then drifts" if data["drift"] else ""
    return f"{ship} {did}{turned}{drift}, heading {POINTS[path[-1][2]]}"


def refused(ship: str, data: Data, names: Names) -> str:
    code = str(data["code"])
    why = REFUSALS[code][1] if code in REFUSALS else code_words(code)
    return f"{ship} cannot carry out {data['token']}: {why}"


def contact(ship: str, data: Data, names: Names) -> str:
    other, made = names.ship(data["target"]), data["made"]
    totals = f"({data['attacker']} to {data['defender']})"
    if data["kind"] == "tangle":
        return f"{ship} comes into the hex of {other} and {'fouls her' if made else 'keeps clear'} {totals}"
    tries = "to grapple" if data["kind"] == "grapple" else "to lay herself alongside"
    return f"{ship} tries {tries} {other} and {'succeeds' if made else 'fails'} {totals}"


def locked(ship: str, data: Data, names: Names) -> str:
    return _HELD[data["kind"]].format(ship=ship, other=names.ship(data["target"]))


def placing(ship: str, data: Data, names: Names) -> str:
    return f"{ship} lies on the {data['side']} side of {names.ship(data['target'])}"


def fire(ship: str, data: Data, names: Names) -> str:
    mods = ", ".join(f"{code_words(name)} {value:+d}" for name, value in data["mods"])
    points = (
        f", {points_text(data['points'])} fire point{'s' * (data['points'] > 2)}" if "points" in data else ""
    )
    reach = f", {many(data['range'], 'hex', 'hexes')} away" if data["range"] else " in the same hex"
    return (
        f"{ship} fires her {data['side']} broadside at {names.ship(data['target'])}{reach}: "
        f"score {data['score']}{f' ({mods})' if mods else ''}{points}, {many(data['hits'], 'hit')}"
    )


def damage(ship: str, data: Data, names: Names) -> str:
    steps = f"{many(data['steps'], 'step')} lost{_LEVELS[data['level']]}"
    if "left" not in data:
        return f"{ship} shows damage: {steps}"
    lost = many(data["struct"] + data["board"], "hull point")
    men = ""
    if data["board"]:
        men = f", {data['board']} of them in men" if data["struct"] else " in men"
    return f"{ship} loses {lost}{men}: {data['left']} left, {steps}"


def recounted(ship: str, data: Data, names: Names) -> str:
    left = f"{many(data['left'], 'hull point')} left, " if "left" in data else ""
    return f"{ship} is counted afresh: {left}{many(data['steps'], 'step')} lost"


def boarding(ship: str, data: Data, names: Names) -> str:
    parties = " against ".join(
        names.ship(code) + (f" ({data[total]})" if total in data else "")
        for code, total in ((ship, "own"), (data["target"], "other"))
    )
    if not data["winner"]:
        return f"Boarding: {parties}; neither gives way"
    return f"Boarding: {parties}; {names.ship(data['winner'])} wins, cutting down {data['inflicted']} for {data['cost']}"


def critical(ship: str, data: Data, names: Names) -> str:
    return f"Critical check for {ship}: {data['score']}, {_RESULTS.get(data['result'], data['result'])}"


def guns_out(ship: str, data: Data, names: Names) -> str:
    return f"{ship} has a gun deck out of action for {many(data['turns'], 'turn')}"


def flag_hit(ship: str, data: Data, names: Names) -> str:
    return f"{data['officer'] or 'The flag officer'} is hit aboard {ship}"


def new_flagship(ship: str, data: Data, names: Names) -> str:
    return f"{ship} now leads {names.squadron(data['squadron'])}"
