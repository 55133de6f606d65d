"""The words of a ship's ledger: kinds of entries, and the sentence that each makes of its numbers and names. Rule: G.SV1."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any

from fleets.models import ServiceRecord

KINDS: Mapping[str, str] = {
    "mustered": "Mustered for {navy}, {squadron}: {men:man:men} of a complement of {complement}.",
    "assigned": "Joined {squadron} of {fleet}.",
    "flagship": "Became flagship of {squadron}.",
    "captain": "{officer} took command.",
    "fought": "Fought in {battle}: {hits_given:hit} given, {hits_taken:hit} taken.",
    "damaged": "Damaged in {battle}: {percent} per cent of her hull gone, {steps:step} of damage.",
    "took": "Took {prize} in {battle}, with {prisoners:prisoner}.",
    "captured": "Taken by {captor} for {navy} in {battle}, {prisoners:prisoner} in her.",
    "retaken": "Retaken by {captor} for {navy} in {battle}, {prisoners:prisoner} in her.",
    "lost": "{fate} in {battle}, {hits_taken:hit} taken.",
    "interned": "Interned after {battle}.",
    "foundered": "Foundered {cause} near {place}.",
    "wrecked": "Wrecked near {place}, {cause}.",
    "sunk": "Sunk {cause} near {place}.",
    "burnt": "Burnt by her captors near {place}.",
    "let_go": "Let go by her captors.",
    "detached": "Detached from {fleet} near {place}.",
    "transferred": "Went over to {fleet}.",
    "delivered": "Came to {place} with her cargo.",
    "released": "Released at {place}.",
    "parted": "Parted company with {fleet} in a gale and was driven {miles:mile} to leeward.",
    "left_behind": "Left behind by {fleet} near {place}.",
    "aground": "Took the ground near {place}.",
    "refloated": "Floated off near {place}.",
    "rose": "Her people rose upon the prize crew and took her back for {navy}.",
    "uprising": "The prisoners in her rose and were beaten down.",
    "saved": "Retaken at sea by {captor} for {navy}.",
    "seized": "Taken at sea by {captor} for {navy}.",
    "sent_in": "Sent in to {place}.",
    "interned_in_port": "Interned at {place}.",
    "rejoined": "Rejoined {fleet}.",
    "officer": "{officer} {fate} in {battle}.",
    "renamed": "Renamed {name}, formerly {former}.",
    "repaired": "Repaired at {place}: {work}.",
}


def sentence(record: ServiceRecord) -> str:
    """An entry in words; a correction says why it was made and by whom. Rule: G.SV1."""
    words = _words(record.kind, record.data)
    if record.corrects_id is None:
        return words
    return f"Correction: {words} ({record.data.get('reason', '')}, {record.data.get('by', '')})"


class _Counted(int):
    """A number that writes its noun: `{hits:hit}` gives "1 hit" or "3 hits", `{men:man:men}` the irregular ones."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(int(self))
        one, _, many = spec.partition(":")
        return f"{int(self)} {one if self == 1 else many or one + 's'}"


def _words(kind: str, data: Mapping[str, Any]) -> str:
    values = {
        name: _Counted(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in data.items()
    }
    return KINDS[kind].format_map(values)


def names_in(kind: str) -> set[str]:
    """What the data of an entry of this kind has to hold."""
    return {name for _, name, _, _ in Formatter().parse(KINDS[kind]) if name}
