"""Ships on the same side whose names are so similar that they may be one ship entered twice."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from fleets.models import RegisterEntry

ALIKE = 0.84
_PREFIXES = re.compile(r"^(hms|hnlms|the|de|het|la|le|les|el|il|uss|ijn|rn|mv|ss)\s+")
_SAINTS = re.compile(r"\b(saint|sainte|sint|st|ste|san|santa|sao)\b")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries with similar names. alike: 0 to 100."""

    one: RegisterEntry
    other: RegisterEntry
    alike: int


def plain_name(name: str) -> str:
    """A name without accents, capitals, articles and a language's word for saint, so that similar names compare alike."""
    bare = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    bare = re.sub(r"[^a-z0-9()]+", " ", bare).strip()
    return _SAINTS.sub("st", _PREFIXES.sub("", bare))


def pairs_alike(entries: Iterable[RegisterEntry], *, least: float = ALIKE) -> list[Pair]:
    """Pairs on one side, most similar first. Names that differ in brackets were made different on purpose and are left out.

    Only names that share half of their letter triples are compared, so that two thousand ships take only a moment.
    """
    by_side: dict[str, list[tuple[RegisterEntry, str]]] = defaultdict(list)
    for entry in entries:
        by_side[entry.side.casefold()].append((entry, plain_name(entry.name)))
    found = [pair for ships in by_side.values() for pair in _pairs(ships, least)]
    return sorted(found, key=lambda pair: (-pair.alike, pair.one.name, pair.one.pk))


def _pairs(ships: list[tuple[RegisterEntry, str]], least: float) -> Iterable[Pair]:
    triples = [_triples(name) for _, name in ships]
    holders: dict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(triples):
        shared = Counter(earlier for triple in own for earlier in holders[triple])
        for earlier, count in shared.items():
            if 2 * count < min(len(own), len(triples[earlier])):
                continue
            (one, first), (other, second) = ships[earlier], ships[number]
            if first != second and ("(" in first or "(" in second):
                continue
            ratio = SequenceMatcher(a=first, b=second, autojunk=False).ratio()
            if ratio >= least:
                yield Pair(one, other, round(100 * ratio))
        for triple in own:
            holders[triple].append(number)


def _triples(name: str) -> set[str]:
    padded = f"  {name} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
