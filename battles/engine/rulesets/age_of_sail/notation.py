"""Orders of one ship in one line.

    A4 S2 A3 | port>D02 starboard>D03=5,sails board:D02 repair:main weigh:yes detach:yes

Left of the bar her path: A ahead, P and S a point to port or starboard, each with the centimetres that it is repeated for; nothing at all
leaves it to her captain. Right of the bar, in any order, what else is ordered; what is left out is the captain's. side>ship is a volley of
that broadside, =step,aim says after how many centimetres and at what (hull or sails), without a step from where she ends; side>- holds
its fire. board:ship runs aboard that enemy or fights on with it, board:- boards no one. part:ship tries to part from that ship, once for
each; part:- from none. repair:mast raises fore, main or mizzen, repair:- none. crew:2 sends so many decks as a prize crew. anchor:3 drops
anchor after 3 centimetres. lose:mizzen,fore names the masts that she gives up first. weigh, detach and withdraw are yes or no. In ids,
spaces, bars, % and equal signs are written %20, %7C, %25, %3D. Section "Orders" of rules.md.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from battles.engine.core.errors import NotationError
from battles.engine.core.orders import halves, is_target
from battles.engine.rulesets.age_of_sail.card import MASTS
from battles.engine.rulesets.age_of_sail.play import Orders, Shot
from battles.engine.rulesets.age_of_sail.tables import HITS_ON, SIDES

MOST_STEPS = 60
_TURNS = {"A": 0, "P": -1, "S": 1}
_ANSWERS = {"yes": True, "no": False}
_FLAGS = ("weigh", "detach", "withdraw")
AT_END = 999


def parse(text: str) -> Orders:
    """Read one line. Raises NotationError naming every word that is wrong."""
    left, right = halves(text)
    wrong: list[str] = []
    turns = [turn for word in left for turn in _path(word, wrong)]
    if len(turns) > MOST_STEPS:
        wrong.append(f"a path of {len(turns)} steps: up to {MOST_STEPS}")
    found: dict[str, Any] = {"turns": tuple(turns)} if left else {}
    shots: dict[str, Shot] = {}
    for word in right:
        if is_target(word):
            _shot(word, shots, wrong)
        else:
            _other(word, found, wrong)
    if wrong:
        raise NotationError("; ".join(wrong))
    return Orders(**found, shots=shots)


def _path(word: str, wrong: list[str]) -> list[int]:
    match = re.fullmatch(r"([APS])([1-9]\d?)?", word)
    if match is None:
        wrong.append(f"{word!r} is not part of a path: A, P or S and a number of centimetres")
        return []
    return [_TURNS[match[1]]] * int(match[2] or 1)


def _shot(word: str, shots: dict[str, Shot], wrong: list[str]) -> None:
    """A volley: side>ship, side>ship=step,aim, side>-. Rule: A.F7."""
    side, _, rest = word.partition(">")
    target, _, how = rest.partition("=")
    step, aim = AT_END, "hull"
    for part in how.split(",") if how else ():
        if part in HITS_ON:
            aim = part
        elif re.fullmatch(r"\d{1,2}", part):
            step = int(part)
        else:
            wrong.append(f"{part!r} in {word!r} is neither a number of centimetres nor hull or sails")
    if side not in SIDES or not target or side in shots:
        wrong.append(f"{word!r} is not a volley: port or starboard, once each, > and the id of a ship, or -")
        return
    shots[side] = Shot(side, step, "" if target == "-" else unquote(target), aim)


def _other(word: str, found: dict[str, Any], wrong: list[str]) -> None:
    name, _, value = word.partition(":")
    if name == "part" and value:
        found["part"] = (*found.get("part", ()), *(() if value == "-" else (unquote(value),)))
    elif name in found:
        wrong.append(f"{name!r} is ordered twice")
    elif name == "board" and value:
        found["board"] = "" if value == "-" else unquote(value)
    elif name in _FLAGS and value in _ANSWERS:
        found[name] = _ANSWERS[value]
    elif name in ("crew", "anchor") and re.fullmatch(r"\d{1,2}", value):
        found[name] = int(value)
    elif name == "repair" and value in (*MASTS, "-"):
        found["repair"] = "" if value == "-" else value
    elif name == "lose" and value and all(mast in MASTS for mast in value.split(",")):
        found["masts"] = tuple(value.split(","))
    else:
        wrong.append(f"{word!r} is not an order in this rule set")
