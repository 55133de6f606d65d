"""Phrases chosen and filled: the choice is keyed, so that a number reads the same whenever it is printed, and the next one differs."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from campaign.accounts.gazette.papers import Paper, in_figures, phrases_of
from campaign.accounts.words import counted, duration_in_words, listed, opening

_ALTERNATIVES = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_WORD = re.compile(r"\{(\w+)\}")
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ORDINALS = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
MOST_SHIPS, MOST_PEOPLE = 6, 4


def spelled(number: int) -> str:
    """A number in words to ninety-nine, in figures beyond."""
    if number < len(_ONES):
        return _ONES[number]
    if number > 99:
        return f"{number:,}"
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")


def ordinal(number: int) -> str:
    """A number's place in a row: "third", "14th"."""
    if number < len(_ORDINALS):
        return _ORDINALS[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


class Pen:
    """Writes in one paper's voice. seed: names campaign and side. number: of the turn.

    A slot's phrases take turns: which begins follows from the seed, and each use and each turn goes on to the next.
    """

    def __init__(self, paper: Paper, seed: str, number: int) -> None:
        self.paper = paper
        self.phrases = phrases_of(paper.voice)
        self.figures = in_figures(paper.voice)
        self.seed, self.number = seed, number
        self.used: Counter[str] = Counter()

    def write(self, slot: str, number: int = 1, **words: str) -> str:
        """A phrase for a slot, filled; "" where the voice has none. number: of what it is about, for one or many.

        A phrase with a word that is not known this time is passed over.
        """
        known = {"fleet": self.paper.fleet, "side": self.paper.side, **words}
        usable = [
            text for text in self.phrases[slot] if all(known.get(w.lower()) for w in _WORD.findall(text))
        ]
        if not usable:
            return ""
        first = hashlib.sha256(f"{self.seed}/{slot}".encode()).digest()[0]
        chosen = usable[(first + self.number + self.used[slot]) % len(usable)]
        self.used[slot] += 1
        return opening(filled(chosen, number, known))

    def count(self, number: int) -> str:
        """A number as the voice writes it."""
        return f"{number:,}" if self.figures else spelled(number)

    def ships(self, names: Sequence[str]) -> str:
        """Ships by name with their article, the rest counted: "the Prince, the Swiftsure and three more"."""
        told = [name if name.lower().startswith("the ") else f"the {name}" for name in names]
        return self._some(told, MOST_SHIPS)

    def people(self, names: Sequence[str]) -> str:
        """People by name, the rest counted."""
        return self._some(list(names), MOST_PEOPLE)

    def _some(self, told: list[str], most: int) -> str:
        if len(told) > most + 1:
            told[most:] = [f"{self.count(len(told) - most)} more"]
        return listed(told)

    def hours(self, minutes: int) -> str:
        """How long a fight lasted: "six hours", "an hour and a half"; to the minute in figures."""
        if self.figures:
            return duration_in_words(minutes)
        hours, half = divmod(round(minutes / 30), 2)
        if hours == 0:
            return "half an hour" if half else "some minutes"
        whole = "an hour" if hours == 1 else f"{spelled(hours)} hours"
        return f"{whole} and a half" if half else whole

    def fleet_of(self, number: int) -> str:
        """A number of ships: "three ships"."""
        return counted(number, "ship") if self.figures else f"{spelled(number)} ship{'s' * (number != 1)}"


def filled(text: str, count: int, words: Mapping[str, str]) -> str:
    """A phrase with its words: [one|many] by the count, {word} as it is, {Word} as a sentence begins, {WORD} in capitals."""

    def word(found: re.Match[str]) -> str:
        name = found[1]
        value = words[name.lower()]
        return (
            value.upper()
            if len(name) > 1 and name.isupper()
            else opening(value)
            if name[0].isupper()
            else value
        )

    chosen = _ALTERNATIVES.sub(lambda found: found[1 if count == 1 else 2], text)
    return _WORD.sub(word, chosen)
