"""How a side's ships fall into squadrons and divisions when they muster, and in which order they sail.

Squadrons are as in the register. One of more than ten ships is divided into divisions of six to ten around its flag officers,
because a squadron that is too large is hard to command (K.S4 advises 4 to 10). Eleven ships cannot be divided so; they make
divisions of six and five. Nothing here is final: the squadrons can be changed afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST = 10
LEAST = 6
_FLAGS = {"flagship": 0, "vice_flag": 1, "rear_flag": 2}
_VAN, _CENTRE, _REAR, _LAST = range(4)
_PLACES = {"van": _VAN, "centre": _CENTRE, "center": _CENTRE, "rear": _REAR}
# The first squadron is the commander-in-chief's and sails in the centre; the second leads, the third closes the line.
_NUMBERED = {"first": _CENTRE, "second": _VAN, "third": _REAR}


@dataclass(frozen=True, slots=True)
class Mustered:
    """A ship as it musters. key: whatever the caller knows it by. role: as in the register. guns: 0 when not known."""

    key: int
    squadron: str
    division: str = ""
    role: str = "private"
    guns: int = 0


@dataclass(frozen=True, slots=True)
class Division:
    """Ships under one flag in the order of sailing, the flagship first."""

    name: str
    flagship: int
    ships: tuple[int, ...]


def divided(ships: Sequence[Mustered]) -> list[Division]:
    """All ships in divisions, in the order of sailing: van, centre, rear; within these, as the register has them."""
    squadrons: dict[str, list[Mustered]] = {}
    for ship in ships:
        squadrons.setdefault(ship.squadron, []).append(ship)
    made: list[Division] = []
    for name in _order_of_sailing(squadrons):
        made += _divide(name, squadrons[name])
    return made


def _order_of_sailing(squadrons: dict[str, list[Mustered]]) -> list[str]:
    """Squadrons whose place is not given sail with the one of the same admiral (the name in brackets), else last."""
    places = {name: _place(name, ships) for name, ships in squadrons.items()}
    by_admiral = {
        _admiral(name): place for name, place in places.items() if place is not None and _admiral(name)
    }
    settled = {
        name: place if place is not None else by_admiral.get(_admiral(name), _LAST)
        for name, place in places.items()
    }
    return sorted(squadrons, key=lambda name: settled[name])


def _place(name: str, ships: Sequence[Mustered]) -> int | None:
    told = {_PLACES[ship.division.lower()] for ship in ships if ship.division.lower() in _PLACES}
    if len(told) == 1:
        return told.pop()
    words = re.findall(r"[a-z]+", name.lower())
    if words and words[0] in _PLACES:
        return _PLACES[words[0]]
    if len(words) > 1 and words[0] in _NUMBERED and words[1] == "squadron":
        return _NUMBERED[words[0]]
    return None


def _admiral(name: str) -> str:
    found = re.search(r"\(([^)]+)\)\s*$", name)
    return found.group(1).casefold() if found else ""


def _divide(name: str, ships: Sequence[Mustered]) -> list[Division]:
    sizes = sizes_of(len(ships), flags=sum(ship.role in _FLAGS for ship in ships))
    leaders = _leaders(ships, len(sizes))
    bodies = _bodies(ships, leaders, sizes)
    label = "{0}, {1} division" if len(sizes) > 1 else "{0}"
    return [
        Division(label.format(name, _ordinal(number)), leader.key, tuple(ship.key for ship in body))
        for number, (leader, body) in enumerate(zip(leaders, bodies, strict=True), start=1)
    ]


def sizes_of(ships: int, *, flags: int = 0) -> tuple[int, ...]:
    """Sizes of the divisions of a squadron, the larger ones first: as many as flags if they can all have six to ten ships."""
    if ships <= MOST:
        return (ships,)
    fewest, most = -(-ships // MOST), max(ships // LEAST, -(-ships // MOST))
    number = min(max(flags, fewest), most)
    small, larger = divmod(ships, number)
    return tuple(small + (n < larger) for n in range(number))


def _leaders(ships: Sequence[Mustered], number: int) -> list[Mustered]:
    """The flagships in the order of sailing: the vice-admirals lead, the flag in the middle, the rear-admirals close.

    Where flags are fewer than divisions, ships with most guns lead and sail behind the flag.
    """
    ranked = sorted(ships, key=lambda ship: (_FLAGS.get(ship.role, len(_FLAGS)), -ship.guns))
    places = {"vice_flag": _VAN, "rear_flag": _REAR}
    return sorted(ranked[:number], key=lambda ship: places.get(ship.role, _CENTRE))


def _bodies(
    ships: Sequence[Mustered], leaders: Sequence[Mustered], sizes: Sequence[int]
) -> list[list[Mustered]]:
    """Ships go to a leader of their own division in the register while there is room, the others fill up in register order."""
    bodies = [[leader] for leader in leaders]
    flying = {leader.key for leader in leaders}
    waiting = []
    for ship in ships:
        if ship.key in flying:
            continue
        own = [
            number
            for number, leader in enumerate(leaders)
            if ship.division and leader.division == ship.division and len(bodies[number]) < sizes[number]
        ]
        if own:
            bodies[min(own, key=lambda number: len(bodies[number]))].append(ship)
        else:
            waiting.append(ship)
    room = (number for number, size in enumerate(sizes) for _ in range(size - len(bodies[number])))
    for ship, number in zip(waiting, list(room), strict=True):
        bodies[number].append(ship)
    return bodies


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def codes(fleet_code: str, count: int) -> list[str]:
    """Codes of a fleet's squadrons: unique wherever the fleet's code is."""
    return [f"{fleet_code}-S{number}" for number in range(1, count + 1)]
