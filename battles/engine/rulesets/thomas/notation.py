"""Orders of one ship in one line, and what is wrong with them as things stand.

    S45 5.5 P30 heave-to | port>S02 ahead>- board:S02 alongside:cut gunners:4 secure:S05=6 strike:no

Left of the bar how she moves: a turn, a distance in inches, a turn (P to port, S to starboard, in degrees), each of which may be
left out, and what she announces: boats, heave-to, sail (rows now, sails next move), cut-cable, tow:ship. "-" alone is to stay as
she is; nothing at all leaves her movement to her captain. Right of the bar, in any order, what else is ordered; what is left out
is the captain's. group>ship names a target for port, starboard, ahead or astern, group>- holds its fire. board:ship may come
several times, the first in contact is boarded, board:- boards no one. secure:ship=men, or without men as many as it takes;
secure:- secures no one. The rest are name:value (see `WORDS`). In ids, spaces, bars, % and equal signs are written %20,
%7C, %25, %3D. Rules: T.B4, T.B10f, T.B12b, T.O6d, T.S19.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import unquote

from battles.engine.core.errors import NotationError
from battles.engine.core.orders import halves, is_target, joined, written
from battles.engine.rulesets.thomas.play import Course, Orders
from battles.engine.rulesets.thomas.tables import DEGREE, INCH, Arc

BOARDING = ("board", "cut", "hold")
# Words of yes or no: as written, and the field they stand for.
WORDS: Mapping[str, str] = {
    "underway": "under_way",
    "hoist": "dishonour",
    "oars": "to_oars",
    "castoff": "cast_off",
    "withdraw": "withdraw",
    "cut": "cut",
    "join": "join",
    "jettison": "jettison",
    "strike": "strike",
    "save": "save",
}
_ANNOUNCED: Mapping[str, str] = {
    "boats": "boats",
    "heave-to": "heave_to",
    "sail": "raise_sail",
    "cut-cable": "cut_cable",
}
_ANSWERS = {"yes": True, "no": False}
_TURN = re.compile(r"([PS])(\d{1,3}(?:\.\d{1,2})?)", re.IGNORECASE | re.ASCII)
_INCHES = re.compile(r"\d{1,3}(?:\.\d{1,3})?", re.ASCII)
_MEN = re.compile(r"\d{1,4}", re.ASCII)


def parse(text: str) -> Orders:
    """Read one line of orders. Raises NotationError naming every word that cannot be read or contradicts another."""
    movement, rest = halves(text)
    wrong: list[str] = []
    course = _course(movement, wrong)
    found: dict[str, Any] = {"targets": {}}
    for word in rest:
        if is_target(word):
            _target(word, found["targets"], wrong)
        else:
            _word(word, found, wrong)
    if wrong:
        raise NotationError("; ".join(wrong))
    return Orders(course=course, **found)


def _course(words: list[str], wrong: list[str]) -> Course | None:
    """The movement half of a line, None when it is left to the captain. Rule: T.B4."""
    if not words:
        return None
    if words == ["-"]:
        return Course()
    found: dict[str, Any] = {}
    for word in words:
        turn = _TURN.fullmatch(word)
        name = _ANNOUNCED.get(word.lower())
        if turn is not None:
            _put(found, "turn2" if "distance" in found else "turn1", _turn(turn), word, wrong)
        elif _INCHES.fullmatch(word) is not None:
            _put(found, "distance", int(Fraction(word) * INCH), word, wrong)
        elif name is not None:
            found[name] = True
        elif word.lower().startswith("tow:") and len(word) > 4:
            _put(found, "take_in_tow", unquote(word[4:]), word, wrong)
        else:
            wrong.append(
                f"{word!r} is not a movement: use P or S with degrees, inches, boats, heave-to, sail, cut-cable, tow:ship, or - alone"
            )
    return Course(**found)


def _turn(match: re.Match[str]) -> int:
    side, degrees = match.groups()
    by = int(Fraction(degrees) * DEGREE)
    return -by if side.upper() == "P" else by


def _put(found: dict[str, Any], name: str, value: object, word: str, wrong: list[str]) -> None:
    if name in found:
        wrong.append(f"{word!r} is one too many: there is already a {_SAID.get(name, name)} here")
    found[name] = value


_SAID = {
    "turn1": "first turn (put a second one after the distance)",
    "turn2": "second turn",
    "take_in_tow": "ship to tow",
}


def _target(word: str, targets: dict[Arc, str], wrong: list[str]) -> None:
    group, _, code = word.partition(">")
    group = group.lower()
    if group not in {arc.value for arc in Arc} or not code:
        wrong.append(
            f"{word!r} is not a target: use port, starboard, ahead or astern > ship, or > - to hold fire"
        )
    elif Arc(group) in targets:
        wrong.append(f"{group} has two targets; give each group one")
    else:
        targets[Arc(group)] = "" if code == "-" else unquote(code)


def _word(word: str, found: dict[str, Any], wrong: list[str]) -> None:
    """A word right of the bar that is not a target."""
    name, _, value = word.partition(":")
    name = name.lower()
    if name == "board" and value:
        _several(found, wrong, word, "board", None if value == "-" else unquote(value))
    elif name == "secure" and value:
        _secure(found, wrong, word, value)
    elif name in WORDS and value.lower() in _ANSWERS:
        _put(found, WORDS[name], _ANSWERS[value.lower()], word, wrong)
    elif name == "alongside" and value.lower() in BOARDING:
        _put(found, "alongside", value.lower(), word, wrong)
    elif name == "gunners" and _MEN.fullmatch(value) is not None:
        _put(found, "gunners", int(value), word, wrong)
    elif name == "irons" and (turn := _TURN.fullmatch(value)) is not None:
        _put(found, "irons_turn", _turn(turn), word, wrong)
    else:
        wrong.append(
            f"{word!r} is not known here: use group>ship, board:ship, secure:ship=men, alongside:board, cut or hold, gunners:men,"
            f" irons:P or S with degrees, or yes or no for {', '.join(WORDS)}"
        )


def _several(found: dict[str, Any], wrong: list[str], word: str, name: str, code: str | None) -> None:
    """A ship more in a list, or no one, which must stand alone."""
    if name in found and (code is None or not found[name] or code in found[name]):
        wrong.append(f"{word!r} contradicts or repeats an earlier order")
    found[name] = (*found.get(name, ()), *(() if code is None else (code,)))


def _secure(found: dict[str, Any], wrong: list[str], word: str, value: str) -> None:
    known: dict[str, int] | None = found.get("secure")
    if value == "-":
        if known is not None:
            wrong.append(f"{word!r} contradicts an earlier order")
        found["secure"] = {}
        return
    code, equals, men = value.partition("=")
    code = unquote(code)
    if not code or (equals and _MEN.fullmatch(men) is None):
        wrong.append(f"{word!r} is not a prize to secure: use secure:ship=men, or secure:ship")
    elif known is not None and (not known or code in known):
        wrong.append(f"{word!r} contradicts or repeats an earlier order")
    else:
        found["secure"] = {**(known or {}), code: int(men) if equals else -1}


def render(orders: Orders) -> str:
    """Write orders in one line, so that `parse` gives the same orders back."""
    left = "" if orders.course is None else " ".join(_movement(orders.course)) or "-"
    right = list(_others(orders))
    return joined(left, right)


def _movement(course: Course) -> Iterator[str]:
    if course.turn1:
        yield _write_turn(course.turn1)
    if course.distance or course.turn2:
        yield _decimal(course.distance, INCH)
    if course.turn2:
        yield _write_turn(course.turn2)
    for word, name in _ANNOUNCED.items():
        if getattr(course, name):
            yield word
    if course.take_in_tow:
        yield f"tow:{written(course.take_in_tow)}"


def _others(orders: Orders) -> Iterator[str]:
    for arc, code in orders.targets.items():
        yield f"{arc.value}>{written(code) or '-'}"
    if orders.board is not None:
        yield from [f"board:{written(code)}" for code in orders.board] or ["board:-"]
    if orders.secure is not None:
        rows = [
            f"secure:{written(code)}" + (f"={men}" if men >= 0 else "") for code, men in orders.secure.items()
        ]
        yield from rows or ["secure:-"]
    if orders.alongside is not None:
        yield f"alongside:{orders.alongside}"
    if orders.gunners is not None:
        yield f"gunners:{orders.gunners}"
    if orders.irons_turn is not None:
        yield f"irons:{_write_turn(orders.irons_turn)}"
    for word, name in WORDS.items():
        answer = getattr(orders, name)
        if answer is not None:
            yield f"{word}:{'yes' if answer else 'no'}"


def _write_turn(by: int) -> str:
    return f"{'P' if by < 0 else 'S'}{_decimal(abs(by), DEGREE)}"


def _decimal(value: int, unit: int) -> str:
    """A whole number of small units as a decimal of great ones, exactly. unit: a power of ten."""
    whole, rest = divmod(value, unit)
    return f"{whole}.{rest:0{len(str(unit)) - 1}d}".rstrip("0").rstrip(".")
