"""Orders in plain words: a template of them for an email, and what a reply says, line by line. Pure; no order is judged here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

TOKEN = re.compile(r"\bWG-([0-9]{1,12})-([0-9]{1,12})-([a-z2-7]{16})\b", re.I)
MOST_LINES = 600
MOST_PLACES = 60  # in a route
MOST_GUESSES = 3  # suggestions of what the writer may have meant, per route
FLEET = "fleet"
ROUTE = "route"
STAY = "stay"

# The words before the colon, by field of an order. We write the first and understand them all: old ones stay, for old emails.
LABELS: Mapping[str, tuple[str, ...]] = {
    FLEET: ("Fleet", "Orders for", "Fleet of"),
    ROUTE: ("Route", "Course", "Sail to"),
    "stance": ("Stance",),
    "on_arrival": ("On arrival", "Arrival", "At the end"),
    "target": ("Keep company with", "Escort"),
    "greatest_odds": ("Greatest odds accepted", "Greatest odds", "Odds"),
    "gauge": ("Weather gauge", "Gauge", "Weather gage", "Gage"),
    "fight_at": ("Fight at", "Range"),
    "break_off": ("Break off at", "Break off"),
    "at_nightfall": ("At nightfall", "Nightfall"),
    "after_battle": ("After an undecided battle", "After battle"),
    "at_sound_of_guns": ("At the sound of guns", "Sound of guns"),
    "chase_hours": ("Hours to chase", "Chase hours"),
    "chase": ("Attack and chase", "Chase"),
    "board": ("Board the enemy", "Board", "Boarding"),
    "fire_ships": ("Use fire ships", "Fire ships"),
    "cripples_to": (
        "Crippled ships and prizes go to", "Cripples and prizes go to", "Cripples to", "Cripples go to",
    ),
    "rendezvous": ("Rendezvous",),
    "disabled": ("Ships that cannot be towed", "Ships that nobody can tow", "Disabled"),
    "shoals": ("Off shoals without a pilot", "Shoals"),
    "prizes": ("Captured enemy ships", "Ships we capture", "Ships that we take", "Prizes"),
    "prize_escort": ("Escort for crippled ships and prizes", "Crippled ships and prizes", "Cripples and prizes", "Prize escort"),
    "slowest": ("Slowest ships when chased", "Chased, the slowest ships", "Slowest", "The slowest ships"),
    "hopeless": ("Against hopeless odds", "Hopeless odds", "Hopeless"),
    "shelter": ("Shelter when blockading", "Blockading, shelter at", "Shelter at", "Shelter"),
}  # fmt: skip
_TOKEN_LABELS = frozenset({"token", "replytoken"})
_LINE = re.compile(r"^[*•\-\s]*([A-Za-z][A-Za-z ,’'-]{1,39}?)\s*:(?!//)\s*(.*?)[\s*]*$")
_DIVIDE = re.compile(r"\s*(?:,|;|→|-+>|>|\s[-–—]\s|\bthen\b)\s*")


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a reply. field: of an order; "" for an unknown label. value: the words after the colon."""

    field: str
    label: str
    value: str


@dataclass(slots=True)
class Block:
    """What a reply says about one fleet. fleet: as written, "" when none was named. unread: lines that are not orders."""

    fleet: str
    said: list[Said] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def plain(words: str) -> str:
    """Words as they are compared: lower-case letters and figures only, no accents, no article before a name."""
    bare = unicodedata.normalize("NFKD", words.casefold().strip())
    bare = bare.removeprefix("the ").removeprefix("the_")
    return "".join(letter for letter in bare if letter.isalnum())


_FIELDS = {plain(label): name for name, labels in LABELS.items() for label in labels}


def tokens_in(*texts: str) -> list[tuple[int, int, str]]:
    """Every reply token in some texts, in order: turn, membership, signature."""
    return [
        (int(found[1]), int(found[2]), found[3].lower()) for text in texts for found in TOKEN.finditer(text)
    ]


def blocks_in(lines: Iterable[str], own: Mapping[str, str] = MappingProxyType({})) -> list[Block]:
    """What a reply says, one block per fleet. lines: the sender's own, without quotations. own: a rule set's own labels, by field.

    Words before the first fleet are a greeting unless they are orders. An unknown label is kept, so that it can be refused, unless
    it follows an empty line and resembles no label: then it is prose. A line that an email program broke continues in the next.
    """
    fields = _FIELDS | {plain(label): name for name, label in own.items()}
    blocks: list[Block] = []
    gap = True
    for line in list(lines)[:MOST_LINES]:
        if not line:
            gap = True
            continue
        found = _said(line, fields)
        if found is not None and found.field == FLEET:
            blocks.append(Block(found.value))
        elif found is not None and found.field:
            if not blocks:
                blocks.append(Block(""))
            blocks[-1].said.append(found)
        elif blocks and not _is_token(line):
            _take_other(blocks[-1], line, found, gap, fields)
        gap = False
    return [block for block in blocks if block.fleet or block.said]


def _said(line: str, fields: Mapping[str, str]) -> Said | None:
    match = _LINE.match(line)
    return Said(fields.get(plain(match[1]), ""), match[1].strip(), match[2]) if match else None


def _is_token(line: str) -> bool:
    return bool(TOKEN.search(line)) or plain(line.partition(":")[0]) in _TOKEN_LABELS


def _take_other(block: Block, line: str, found: Said | None, gap: bool, fields: Mapping[str, str]) -> None:
    """A line that names no field: the rest of a route, a label with a slip in it, or prose."""
    last = block.said[-1] if block.said else None
    if found is None and last is not None and not gap and _goes_on(last):
        block.said[-1] = Said(last.field, last.label, f"{last.value} {line}")
    elif found is not None and (not gap or get_close_matches(plain(found.label), fields, 1, 0.75)):
        block.said.append(found)
    else:
        block.unread.append(line)


def _goes_on(said: Said) -> bool:
    """Whether a line was broken: it ends at a comma, or is as long as email programs allow."""
    whole = len(said.label) + len(said.value) + 2
    return said.field == ROUTE and (said.value.endswith((",", "-", "–", ";", ">")) or whole > 60)


def nearest_label(label: str) -> str:
    """The label that the writer may have meant; "" for none."""
    close = get_close_matches(plain(label), _FIELDS, 1, 0.6)
    return LABELS[_FIELDS[close[0]]][0] if close else ""


def places_in(value: str, names: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """A route in words as codes, and an error for each part that names no place, with the nearest name where there is one.

    names: the names of each place by its code. Names may hold a comma. "stay" is the empty route.
    """
    known = {plain(name): code for code, own in names.items() for name in (*own, code)}
    pieces = [piece for piece in _DIVIDE.split(value) if piece.strip(" .")]
    if len(pieces) > MOST_PLACES:
        return [], [f"A route can name up to {MOST_PLACES} places. Shorten it."]
    if [plain(piece) for piece in pieces] in (["stay"], ["none"], ["stayhere"], ["staywhereyouare"]):
        return [], []
    codes: list[str] = []
    unknown: list[str] = []
    at = 0
    while at < len(pieces):
        for taken in (3, 2, 1):  # the longest name first
            code = known.get(plain(" ".join(pieces[at : at + taken])))
            if code:
                break
        if code:
            codes.append(code)
        else:
            guess = len(unknown) < MOST_GUESSES
            unknown.append(_unknown(pieces[at], known if guess else {}, names))
        at += taken
    return codes, unknown


def _unknown(piece: str, known: Mapping[str, str], names: Mapping[str, Sequence[str]]) -> str:
    close = get_close_matches(plain(piece[:60]), known, 1, 0.75)
    meant = f" Did you mean {names[known[close[0]]][0]}?" if close else ""
    return f"“{piece[:60]}” is not a place on the chart.{meant}"


def choice_in(value: str, choices: Sequence[tuple[str, str]]) -> str | None:
    """The key of the choice that was written: by its key, its label, or the beginning of only one label. None for none or several."""
    said = plain(value)
    for key, label in choices:
        if said in (plain(key), plain(label)) or value.strip() == label:
            return key
    begun = {key for key, label in choices if said and plain(label).startswith(said)}
    return begun.pop() if len(begun) == 1 else None


def truth_in(value: str) -> bool | None:
    """Yes or no; None for neither."""
    return {"yes": True, "y": True, "on": True, "true": True, "no": False, "n": False, "off": False, "false": False}.get(
        plain(value)
    )  # fmt: skip
