"""The luck page: dice thrown against dice expected, by clause and side, with the spread. Only dice that are revealed. Rules: G.FA2, G.IN1.

Counts come from closed turns and written battles. A side reads its own dice of the chart and those that are no one's once the turn's
secrets are open, for how often its lookouts were thrown for tells who passed them; of its battles it reads what its own log shows.
Everything is open to the umpire, and to everyone when the campaign is over.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from battles.luck import ALL, merged
from battles.models import Battle, BattleLog
from campaign.models import Campaign, Membership, Turn
from campaign.selectors.revealed import revealed

# Mean and variance of one die. Rule: G.FA1.
_DICE = {"D6": (3.5, 35 / 12), "D8": (4.5, 5.25), "D100": (50.5, 833.25), "DAve": (3.5, 11 / 12)}
_FACES = {
    "D6": dict.fromkeys(range(1, 7), 1 / 6),
    "D8": dict.fromkeys(range(1, 9), 1 / 8),
    "DAve": {2: 1 / 6, 3: 1 / 3, 4: 1 / 3, 5: 1 / 6},
}
FEWEST = 30  # below this many dice a spread says nothing


@dataclass(frozen=True, slots=True)
class LuckRow:
    """Dice of one kind for one clause and side. z: standard deviations of the mean from the expected; words: what that says."""

    clause: str
    side: str
    die: str
    count: int
    mean: float
    expected: float
    spread: float
    z: float
    words: str


@dataclass(frozen=True, slots=True)
class FaceRow:
    """All dice of one kind of a side, face by face. faces: (face, times, expected). words: what chi-square says."""

    side: str
    die: str
    count: int
    faces: tuple[tuple[int, int, float], ...]
    words: str


@dataclass(frozen=True, slots=True)
class Luck:
    """What a reader may know of the dice. turns, battles: how many are counted."""

    rows: tuple[LuckRow, ...]
    faces: tuple[FaceRow, ...]
    turns: int
    battles: int


def luck_for(campaign: Campaign, membership: Membership) -> Luck:
    """The dice that a member may read. Four queries at most, however many dice. Rules: G.FA2, G.IN1."""
    over = campaign.status == Campaign.Status.CLOSED
    everything = membership.role == Membership.Role.UMPIRE or over
    side = "" if everything else membership.side.code if membership.side is not None else None
    if side is None:
        return Luck((), (), 0, 0)  # an observer sees them when the campaign is over
    closed = campaign.turns.filter(phase=Turn.Phase.CLOSED)
    if not everything:
        closed = closed.filter(number__in=revealed(campaign).chart)
    turns = list(closed.values_list("luck", flat=True))
    logs = BattleLog.objects.filter(battle__book=campaign.book_id, battle__status=Battle.Status.WRITTEN)
    kept = [luck for luck in logs.values_list("luck", flat=True) if everything or side in luck]
    chart = [turn if everything else _own(turn, side) for turn in turns]
    count = merged(*chart, *(luck.get(ALL if everything else side, {}) for luck in kept))
    names = {"": "no side", **dict(campaign.sides.values_list("navy__code", "name"))}
    return Luck(tuple(_rows(count, names)), tuple(_face_rows(count, names)), len(turns), len(kept))


def _own(luck: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Of a turn's count the dice of one side and those that are no one's."""
    own = {
        clause: {s: dice for s, dice in sides.items() if s in ("", side)} for clause, sides in luck.items()
    }
    return {clause: sides for clause, sides in own.items() if sides}


def _rows(count: Mapping[str, Any], names: Mapping[str, str]) -> Iterable[LuckRow]:
    for clause in sorted(count):
        for side in sorted(count[clause]):
            for die, faces in sorted(count[clause][side].items()):
                if die in _DICE:
                    yield luck_row(clause, names.get(side, side), die, {int(f): n for f, n in faces.items()})


def luck_row(clause: str, side: str, die: str, faces: Mapping[int, int]) -> LuckRow:
    """One line: mean thrown, expected, and how far apart for so many dice."""
    number = sum(faces.values())
    expected, variance = _DICE[die]
    mean = sum(face * times for face, times in faces.items()) / number
    spread = math.sqrt(variance / number)
    z = (mean - expected) / spread
    return LuckRow(
        clause, side, die, number, round(mean, 2), expected, round(spread, 2), round(z, 1), _words(z, number)
    )


def _words(z: float, number: int) -> str:
    if number < FEWEST:
        return "too few dice to say"
    high = "high" if z > 0 else "low"
    far = abs(z)
    if far < 1:
        return "as expected"
    if far < 2:
        return f"a little {high}, as often happens"
    return f"{high}, which happens 1 time in {'20' if far < 2.6 else '100' if far < 3.3 else '1,000'}"


def _face_rows(count: Mapping[str, Any], names: Mapping[str, str]) -> Iterable[FaceRow]:
    by_side: dict[tuple[str, str], dict[int, int]] = {}
    for sides in count.values():
        for side, dice in sides.items():
            for die, faces in dice.items():
                if die in _FACES:
                    row = by_side.setdefault((side, die), {})
                    for face, times in faces.items():
                        row[int(face)] = row.get(int(face), 0) + times
    for (side, die), faces in sorted(by_side.items()):
        yield face_row(names.get(side, side), die, faces)


def face_row(side: str, die: str, faces: Mapping[int, int]) -> FaceRow:
    """All faces of one kind of die, and what chi-square says of them."""
    number = sum(faces.values())
    shares = _FACES[die]
    rows = tuple((face, faces.get(face, 0), round(number * share, 1)) for face, share in shares.items())
    chi = sum((faces.get(face, 0) - number * share) ** 2 / (number * share) for face, share in shares.items())
    return FaceRow(side, die, number, rows, _chi_words(chi, len(shares) - 1, number))


def _chi_words(chi: float, freedom: int, number: int) -> str:
    """Wilson and Hilferty: the cube root of chi-square by its degrees of freedom is nearly normal."""
    if number < FEWEST:
        return "too few dice to say"
    spread = math.sqrt(2 / (9 * freedom))
    z = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / spread
    if z < 1.65:
        return "fair"
    return "uneven, which happens 1 time in 20" if z < 2.33 else "very uneven, which happens 1 time in 100"
