"""Dice that are never global and never silent.

A face is a function of a seed and a key, not of the order in which dice are thrown, so that correcting one order changes only
its own dice. Rules: G.FA1 (keyed dice), G.FA2 (what the luck page reads).
"""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Self

from battles.engine.core.log import Log, Throw

Subject = str | int


class Die(StrEnum):
    """The kinds of die on the table."""

    D6 = "D6"
    D8 = "D8"
    D100 = "D100"
    AVERAGE = "DAve"


AVERAGE_FACES = (2, 3, 3, 4, 4, 5)
_SIDES = {Die.D6: 6, Die.D8: 8, Die.D100: 100, Die.AVERAGE: 6}
# A byte at or above the limit is passed over, so that every face is equally likely.
_LIMIT = {die: 256 - 256 % sides for die, sides in _SIDES.items()}


class DiceError(ValueError):
    """A throw that cannot be: a repeated key, too many dice, a scripted face that no such die has, a script too short or long."""


def keyed_faces(seed: bytes, key: str, die: Die, count: int) -> tuple[int, ...]:
    """Faces of `count` dice for a key.

    Bytes of SHA-256(seed, 0, key, 0, block), block a decimal number from 0, taken in order; D6 = b mod 6 + 1 for b < 252,
    else the next byte; D8 = b mod 8 + 1; D100 = b mod 100 + 1 for b < 200. Rule: G.FA1.
    """
    sides, limit = _SIDES[die], _LIMIT[die]
    faces: list[int] = []
    prefix = seed + b"\0" + key.encode() + b"\0"
    block = 0
    while len(faces) < count:
        for byte in hashlib.sha256(prefix + str(block).encode()).digest():
            if byte < limit:
                faces.append(byte % sides + 1)
                if len(faces) == count:
                    break
        block += 1
    if die is Die.AVERAGE:
        return tuple(AVERAGE_FACES[face - 1] for face in faces)
    return tuple(faces)


class Dice(ABC):
    """What a rule throws. Subclasses say where the faces come from.

    `log`, when given, receives an event for every throw, in the order thrown.
    """

    def __init__(self, *, prefix: str = "", log: Log | None = None) -> None:
        self.prefix = prefix
        self.log = log

    def throw(
        self, die: Die, count: int, *, clause: str, subjects: tuple[Subject, ...], reason: str = ""
    ) -> tuple[int, ...]:
        """Throw `count` dice of one kind and return their faces in order.

        clause: the rule that asks for the throw. subjects: codes that make the key unique in this battle or turn (turn number,
        ship id, broadside); never database ids. Raises DiceError on a repeated key.
        """
        key = "/".join((self.prefix, clause, *map(str, subjects)))
        faces = self._faces(key, die, count)
        if self.log is not None:
            self.log.threw(Throw(key, die.value, faces, clause, reason))
        return faces

    def d6(self, *, clause: str, subjects: tuple[Subject, ...], reason: str = "") -> int:
        """One six-sided die."""
        return self.throw(Die.D6, 1, clause=clause, subjects=subjects, reason=reason)[0]

    def d8(self, *, clause: str, subjects: tuple[Subject, ...], reason: str = "") -> int:
        """One eight-sided die."""
        return self.throw(Die.D8, 1, clause=clause, subjects=subjects, reason=reason)[0]

    def average(self, *, clause: str, subjects: tuple[Subject, ...], reason: str = "") -> int:
        """One average die: 2, 3, 3, 4, 4, 5."""
        return self.throw(Die.AVERAGE, 1, clause=clause, subjects=subjects, reason=reason)[0]

    def d100(self, *, clause: str, subjects: tuple[Subject, ...], reason: str = "") -> int:
        """A number from 1 to 100."""
        return self.throw(Die.D100, 1, clause=clause, subjects=subjects, reason=reason)[0]

    @abstractmethod
    def _faces(self, key: str, die: Die, count: int) -> tuple[int, ...]:
        """The faces of a key."""


class KeyedDice(Dice):
    """Dice of everything that is kept: faces from seed and key. Rule: G.FA1."""

    def __init__(self, seed: bytes, *, prefix: str = "", log: Log | None = None) -> None:
        super().__init__(prefix=prefix, log=log)
        self._seed = seed
        self._used: set[str] = set()

    def _faces(self, key: str, die: Die, count: int) -> tuple[int, ...]:
        if key in self._used:
            raise DiceError(f"the dice of {key} have been thrown already")
        self._used.add(key)
        return keyed_faces(self._seed, key, die, count)


class FastDice(Dice):
    """Dice for statistics that no one keeps: one generator a run, keys ignored, a few times faster than keyed dice."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._bits = random.Random(seed).getrandbits

    def throw(
        self, die: Die, count: int, *, clause: str, subjects: tuple[Subject, ...], reason: str = ""
    ) -> tuple[int, ...]:
        """Throw without building a key or a record."""
        return self._faces("", die, count)

    def _faces(self, key: str, die: Die, count: int) -> tuple[int, ...]:
        sides, limit = _SIDES[die], _LIMIT[die]
        faces: list[int] = []
        while len(faces) < count:
            byte = self._bits(8)
            if byte < limit:
                faces.append(byte % sides + 1)
        if die is Die.AVERAGE:
            return tuple(AVERAGE_FACES[face - 1] for face in faces)
        return tuple(faces)


class ScriptedDice(Dice):
    """Faces given beforehand, for tests and for dice thrown on a real table.

    Use as a context manager: leaving it raises DiceError when a face is left over. `throws` keeps what was asked for.
    """

    def __init__(self, faces: Iterable[int], *, log: Log | None = None) -> None:
        super().__init__(log=log)
        self._left = list(faces)
        self.throws: list[Throw] = []

    def throw(
        self, die: Die, count: int, *, clause: str, subjects: tuple[Subject, ...], reason: str = ""
    ) -> tuple[int, ...]:
        """Take the next faces of the script. Raises DiceError when it is used up or names a face this die has not."""
        faces = super().throw(die, count, clause=clause, subjects=subjects, reason=reason)
        self.throws.append(Throw("/".join((clause, *map(str, subjects))), die.value, faces, clause, reason))
        return faces

    def _faces(self, key: str, die: Die, count: int) -> tuple[int, ...]:
        if len(self._left) < count:
            raise DiceError(f"no face left for {count} {die.value} of {key}")
        faces, self._left = tuple(self._left[:count]), self._left[count:]
        possible: Sequence[int] = AVERAGE_FACES if die is Die.AVERAGE else range(1, _SIDES[die] + 1)
        if any(face not in possible for face in faces):
            raise DiceError(f"{faces} is not a throw of {die.value} for {key}")
        return faces

    def finish(self) -> None:
        """Raise DiceError when faces are left over."""
        if self._left:
            raise DiceError(f"faces left over: {self._left}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.finish()
