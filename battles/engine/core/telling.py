"""How the events of a battle are told: kinds of event with their data and their sentence, and the teller of an account.

A rule set gives its kinds as one table. Whatever is read of a log (its page, an account, an email) takes its sentences from there,
so that a thing is said in the same words everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import Scenario

# How the names of fleets of several things end.
_SEVERAL = (
    "auxiliaries",
    "boats",
    "colliers",
    "cripples",
    "cruisers",
    "destroyers",
    "divisions",
    "frigates",
    "galleons",
    "galleys",
    "guarda costas",
    "merchantmen",
    "merchants",
    "prizes",
    "scouts",
    "ships",
    "stragglers",
    "transports",
    "volunteers",
)
# What follows the noun in them: "Destroyers for Dalny", "Cruisers off Cartagena", "Coast squadron, 1st division".
_AFTER_THE_NOUN = re.compile(r",? (?:of|for|at|off|in|with) |, ")
# Nouns whose fleets take an article in a sentence: "the Third Fleet", "the Squadron off Ferrol".
_TAKES_ARTICLE = re.compile(
    r"\b(armada|columns?|divisions?|fleets?|flotillas?|guard|guardship|guarda costa|squadrons?|stations?|trade)$",
    re.IGNORECASE,
)
# Words that a name of several things may begin with and that are no names: "the auxiliary cruisers", but "the Newcastle colliers".
_COMMON = frozenset(
    {
        *(
            "armed",
            "auxiliary",
            "battleships",
            "coast",
            "damaged",
            "fire",
            "guard",
            "guarda",
            "gunboats",
            "light",
            "minelayers",
            "new",
            "old",
            "station",
            "torpedo",
        ),
        *_SEVERAL,
    }
)
# Names that begin with their owner take none, but for an owner with a title: "Rupert's squadron", "the Lord Admiral's fleet".
_OWNED = re.compile(r"^.*?[^\W_](?:'s|s') ")
_TITLED = re.compile(r"\b(Admiral|Army|Duke|Governor|King|Prince|Queen)'s ")
_IN_BRACKETS = re.compile(r" \([^)]*\)$")
_POINTING = ("the ", "an ", "a ", "my ", "our ", "his ")
_PLACED = re.compile(r" (?:at|for|in|off|with) ")
# How the names of states end that take an article.
_WITH_ARTICLE = (
    "Republic",
    "Provinces",
    "States",
    "Empire",
    "Kingdom",
    "Netherlands",
    "League",
    "Confederacy",
)


def with_article(state: str) -> str:
    """A nation's or side's name in the middle of a sentence: "England", "the Dutch Republic"."""
    if state.startswith("The "):
        return f"the {state[4:]}"
    return f"the {state}" if state.endswith(_WITH_ARTICLE) else state


def is_plural(fleet: str) -> bool:
    """Whether a fleet's name is of several things: "Newcastle colliers", "Cripples of the Red (2)"."""
    return _AFTER_THE_NOUN.split(fleet.lower())[0].endswith(_SEVERAL)


def in_prose(fleet: str) -> str:
    """A fleet's name in the middle of a sentence: "the Third Fleet", "Rupert's squadron", "Cripples of the Armada"."""
    if fleet.startswith("The "):
        return f"the {fleet[4:]}"
    if fleet.lower().startswith(_POINTING):
        return fleet
    first, of, rest = fleet.partition(" of ")
    if first == "Flying squadron":
        return f"the flying squadron of {in_prose(rest)}"
    if of and is_plural(first):
        return f"{first} of {in_prose(rest)}"
    if _TITLED.search(fleet):
        return f"the {fleet}"
    takes = _TAKES_ARTICLE.search(_AFTER_THE_NOUN.split(_IN_BRACKETS.sub("", fleet))[0])
    return f"the {fleet}" if takes and not _OWNED.search(fleet) else fleet


def the_fleet(fleet: str, kind: str = "fleet") -> str:
    """A fleet's name in a sentence that takes an article: "the destroyers of Port Arthur", "the Auxiliary cruisers".

    kind: what a name like "Detached at Chemulpo" needs before it.
    """
    name = in_prose(fleet)
    whole, plural = _AFTER_THE_NOUN.split(fleet)[0], is_plural(fleet)
    if (name != fleet and not plural) or fleet.lower().startswith(_POINTING) or _OWNED.search(whole):
        return name
    if plural:
        common = whole.partition(" ")[0].lower() in _COMMON
        return f"the {name[0].lower()}{name[1:]}" if common else f"the {name.removeprefix('the ')}"
    return f"the {kind} “{name}”" if _PLACED.search(fleet) else name


def the_squadron(squadron: str) -> str:
    """A squadron's name in a sentence: "the 4th Division", "the squadron “Detached at Chemulpo”"."""
    return the_fleet(squadron, "squadron")


@dataclass(frozen=True, slots=True)
class Names:
    """Names of ships, squadrons and sides by id, for words."""

    ships: Mapping[str, str]
    squadrons: Mapping[str, str]
    sides: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, scenario: Scenario) -> Names:
        """Those of a scenario."""
        return cls(
            {ship.id: ship.name for _, _, ship in scenario.ships()},
            {squadron.id: squadron.name for side in scenario.sides for squadron in side.squadrons},
            {side.id: side.name for side in scenario.sides},
        )

    def ship(self, code: object) -> str:
        """A ship's name, or what she is called by where she has none."""
        return self.ships.get(str(code), str(code))

    def squadron(self, code: object) -> str:
        """A squadron's name."""
        return self.squadrons.get(str(code), str(code))

    def side(self, code: object) -> str:
        """A side's name."""
        return self.sides.get(str(code), str(code))


Data = Mapping[str, Any]
# Makes the sentence of an event, without a full stop, from the name of its ship, its data and the names of the others.
Sentence = Callable[[str, Data, Names], str]


class News(Enum):
    """How the account of a turn takes an event.

    LINE: on a line of its own. BENEATH: on an indented line, beneath the sailing. SHOT: summed up with the others of its side.
    """

    NONE = auto()
    LINE = auto()
    BENEATH = auto()
    SHOT = auto()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event.

    fields: names of the data that every event of this kind has. secret: those of them that the enemy does not read; words does
    without. hidden: the enemy reads nothing of it. when: which events are news, by their data; None for all. step: the datum that
    counts the damage that shows; an event with it is news only when there is more of it than before. shot: what a SHOT is called.
    """

    words: Sentence
    fields: tuple[str, ...] = ()
    news: News = News.NONE
    secret: tuple[str, ...] = ()
    hidden: bool = False
    when: Callable[[Data], bool] | None = None
    step: str = ""
    shot: str = "broadside"


Kinds = Mapping[str, Kind]


def listed(words: Iterable[str], link: str = "and") -> str:
    """a, b and c."""
    *before, last = [*words] or [""]
    return f"{', '.join(before)} {link} {last}" if before else last


def many(count: int, one: str, plural: str = "") -> str:
    """A number of things."""
    return f"{count} {one if count == 1 else plural or one + 's'}"


def code_words(code: object) -> str:
    """A code of the rules as words: `order/out-of-arc` is "out of arc"."""
    return str(code).rpartition("/")[2].replace("-", " ").replace("_", " ")


def plain(text: str) -> Sentence:
    """A sentence about the ship alone."""
    return lambda ship, data, names: text.format(ship=ship)


def with_other(text: str, field: str) -> Sentence:
    """A sentence about the ship and another, whose id stands in a field of the event."""
    return lambda ship, data, names: text.format(ship=ship, other=names.ship(data[field]))


def chosen(text: str, field: str, sayings: Mapping[str, str]) -> Sentence:
    """A sentence that says `{what}` by a code in a field of the event."""
    return lambda ship, data, names: text.format(
        ship=ship, what=sayings.get(data[field], code_words(data[field]))
    )


def true(field: str) -> Callable[[Data], bool]:
    """Whether a datum is true: for `when`."""
    return lambda data: bool(data[field])


def officer(ship: str, data: Data, names: Names) -> str:
    """The fate of a flag officer."""
    name = str(data["officer"] or "The flag officer")
    return f"{name}{',' if ',' in name else ''} is {data['fate']} aboard {ship}"


def refused(ship: str, data: Data, names: Names) -> str:
    """An order that was dropped."""
    return f"{ship} cannot carry out {data['token']}: {code_words(data['code'])}"


# Throws of one ship against another, by their reason. The key names first the ship that throws.
_AGAINST = {"shot": "Shot by {} at {}", "defence": "Defence of {} against {}"}


def die(_: str, data: Data, names: Names) -> str:
    """What was thrown for, and by whom: the subjects stand in the key behind clause and turn."""
    parts = str(data["key"]).split("/")
    named = [names.ships.get(part) or names.squadrons.get(part) or "" for part in parts]
    sides = [part for part in parts if part in ("port", "starboard")]
    found = [*dict.fromkeys(name for name in named if name)]
    who = " and ".join(found)
    reason = " ".join(names.ships.get(word, word) for word in str(data["reason"]).split())
    if reason in _AGAINST and len(found) == 2:
        return _AGAINST[reason].format(*found)
    told = f"{who}: {reason}" if who else reason[:1].upper() + reason[1:]
    asks = "?" if reason.startswith(("does ", "do ", "is ", "are ")) else ""
    return f"{told}, {sides[0]}{asks}" if sides else f"{told}{asks}"


THROW = Kind(die, ("key", "die", "faces", "reason"))
# Of a set that keeps of an order what `RuleSet.refused` says.
REFUSED = Kind(refused, ("token", "code"), hidden=True)


def words(kinds: Kinds, event: Event, names: Names) -> str:
    """An event in words; "" for a kind that the set does not know, as an old log may have."""
    kind = THROW if event.kind == DIE else kinds.get(event.kind)
    return kind.words(names.ship(event.ship) if event.ship else "", event.data, names) if kind else ""


class Teller:
    """Tells one battle turn after turn; remembers how hurt each ship was, so that only news is told."""

    def __init__(self, scenario: Scenario, kinds: Kinds) -> None:
        self._kinds = kinds
        self._names = Names.of(scenario)
        self._side_of = {ship.id: side.id for side, _, ship in scenario.ships()}
        self._steps: dict[str, int] = {}

    def turn(self, events: Iterable[Event]) -> list[str]:
        """The sentences of one turn, in the order of the events; gunfire is summed up by side where it began."""
        told: list[str] = []
        guns: dict[str, list[int]] = {}
        place, shot = 0, ""
        for event in events:
            kind = self._kinds.get(event.kind)
            if kind is None:
                continue
            if kind.news is News.SHOT:
                side = self._side_of.get(event.ship)
                # The guns of a port are no ship of the scenario: what they hit is told of the ships.
                if side is None:
                    continue
                place, shot = place if guns else len(told), kind.shot
                row = guns.setdefault(side, [0, 0, 0])
                row[0] += 1
                row[1] += event.data["hits"]
                row[2] += bool(event.data.get("raked") and event.data["hits"])
            elif self._is_news(kind, event):
                indent = "  " if kind.news is News.BENEATH else ""
                told.append(f"{indent}{words(self._kinds, event, self._names)}.")
        if guns:
            told.insert(place, self._gunfire(guns, shot))
        return told

    def _is_news(self, kind: Kind, event: Event) -> bool:
        if kind.step:
            before = self._steps.get(event.ship, 0)
            self._steps[event.ship] = event.data[kind.step]
            if event.data[kind.step] <= before:
                return False
        return kind.news is not News.NONE and (kind.when is None or kind.when(event.data))

    def _gunfire(self, guns: Mapping[str, list[int]], shot: str) -> str:
        parts = [
            f"{self._names.side(side)} {hits} from {many(shots, shot)}"
            + (f", {rakes} raking" if rakes else "")
            for side, (shots, hits, rakes) in guns.items()
        ]
        return f"Hits: {'; '.join(parts)}."
