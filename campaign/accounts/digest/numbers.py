"""Numbers in words, and lists that name the greatest ships alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from campaign.accounts.words import Names, listed

Event = list[Any]
Worth = Callable[[str], Any]
# So many of those that are alike are named, and so many sentences of a kind are told one by one.
NAMED = 4
_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def number_in_words(number: int) -> str:
    """A number as narrative has it: in words to twelve."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def several(number: int, one: str, many: str = "") -> str:
    """A number of things in words: "eleven ships", "13 ships", "one man"."""
    return f"{number_in_words(number)} {one if number == 1 else many or one + 's'}"


def some(codes: Iterable[str], names: Names, worth: Worth = len, most: int = NAMED) -> str:
    """Ships by name, the worthiest first, and how many more: "Triumph, Royal Katherine and six more"; "" for none."""
    ordered = sorted(dict.fromkeys(codes), key=lambda code: (-worth(code), names.get(code, code)))
    told = [names.get(code, "a ship") for code in ordered]
    if len(told) > most + 1:
        told[most:] = [f"{number_in_words(len(told) - most)} more"]
    return listed(told)
