"""The words of a ship's ledger: kinds of entries, and the sentence that each makes of its numbers and names. Rule: G.SV1."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from string import Formatter
from typing import Any

from battles.engine.core.telling import with_article
from fleets.models import OfficerRecord, ServiceRecord

KINDS: Mapping[str, str] = {
    "mustered": "Mustered for {navy}, {squadron}: {men:man:men} of a complement of {complement}.",
    "assigned": "Joined {squadron} of {fleet}.",
    "flagship": "Became flagship of {squadron}.",
    "captain": "{officer} took command.",
    "fought": "Fought in {battle}: {hits_given:hit} given, {hits_taken:hit} taken.",
    "damaged": "Damaged in {battle}: {percent}% of her hull gone, {steps:step} of damage.",
    "took": "Took {prize} in {battle}, with {prisoners:prisoner}.",
    "captured": "Taken by {captor} for {navy} in {battle}, {prisoners:prisoner} in her.",
    "retaken": "Retaken by {captor} for {navy} in {battle}, {prisoners:prisoner} in her.",
    "lost": "{fate} in {battle}, {hits_taken:hit} taken.",
    "interned": "Interned after {battle}.",
    "foundered": "Foundered {cause} near {place}.",
    "wrecked": "Wrecked near {place}, {cause}.",
    "sunk": "Sunk {cause} near {place}.",
    "burnt": "Burnt by her captors near {place}.",
    "burnt_in_harbour": "Burnt at {place}.",
    "captured_in_harbour": "Taken at {place} for {navy}.",
    "retaken_in_harbour": "Retaken at {place} for {navy}.",
    "let_go": "Released by her captors.",
    "detached": "Detached from {fleet} near {place}.",
    "transferred": "Went over to {fleet}.",
    "delivered": "Arrived at {place} with her cargo.",
    "released": "Released at {place}.",
    "parted": "Parted company with {fleet} in a gale and was driven {miles:mile} to leeward.",
    "left_behind": "Left behind by {fleet} near {place}.",
    "aground": "Ran aground near {place}.",
    "refloated": "Floated off near {place}.",
    "rose": "Her people rose upon the prize crew and took her back for {navy}.",
    "uprising": "The prisoners in her rose and were beaten down.",
    "saved": "Retaken at sea by {captor} for {navy}.",
    "seized": "Taken at sea by {captor} for {navy}.",
    "sent_in": "Sent into {place}.",
    "interned_in_port": "Interned at {place}.",
    "rejoined": "Rejoined {fleet}.",
    "people_saved": "{men:man was:men were} saved from her by {others}.",
    "took_up": "Saved {men:man:men} from {lost}.",
    "castaways": "{men:man:men} of {navy} came ashore from her wreck near {place}.",
    "castaways_taken": "{men:man:men} of {navy} came ashore from her wreck near {place} and were taken by {captor}.",
    "officer": "{officer} {fate} in {battle}.",
    "renamed": "Renamed {name}, formerly {former}.",
    "repaired": "Repaired at {place}: {work}.",
    "in_yard": "Went into the yard at {place}: {work}.",
    "yard_left": "Left the yard at {place} with her work undone.",
    "left_in_port": "Stayed at {place} when {fleet} sailed.",
    "mended_at_sea": "Repaired at sea with what was on board.",
    "prize_in_port": "Brought into {place} and put before the prize court.",
    "condemned": "Condemned as a prize at {place}, valued at £{pounds}.",
    "bought_in": "Bought into service for {navy} at {place} for £{pounds}.",
    "sold": "Sold out of the service at {place} for £{pounds}.",
    "hulked": "Made a hulk at {place}.",
    "burnt_prize": "Burnt by her captors at {place}.",
    "given_back": "Returned to {navy} at {place} for £{pounds}.",
    "men_moved": "{men:man went:men went} over from her to {other}.",
    "men_joined": "{men:man:men} joined her from {other}.",
    "flag_hoisted": "{officer} hoisted his flag in her.",
    "officer_hit": "{officer} {fate}.",
    "amended": "Corrected: {changes} ({reason}, {by}).",
}

# A set that counts no steps of damage has none to tell.
_WITHOUT_STEPS = "Damaged in {battle}: {percent}% of her hull gone."

OFFICER_KINDS: Mapping[str, str] = {
    "command": "Took command of {ship}.",
    "flag": "Hoisted his flag in {ship}, {squadron}.",
    "killed": "Killed in {ship}.",
    "wounded": "Wounded in {ship}.",
    "captured": "Taken in {ship}.",
    "drowned": "Drowned in {ship}.",
    "fit": "Recovered from his wounds.",
}


def spoken(when: str) -> str:
    """A chart time as people write it: 1 June 1666, 06:00; a date alone has no hour."""
    at = datetime.fromisoformat(when)
    day = f"{at.day} {at:%B} {at.year}"
    return f"{day}, {at:%H:%M}" if "T" in when else day


def at_spoken(when: str) -> str:
    """A chart time in the middle of a sentence: at 06:00 on 1 June 1666; of a date alone, on 1 June 1666."""
    day, _, hour = spoken(when).partition(", ")
    return f"at {hour} on {day}" if hour else f"on {day}"


def sentence(record: ServiceRecord) -> str:
    """An entry in words; a correction says why it was made and by whom. Rule: G.SV1."""
    words = _words(record.kind, record.data)
    if record.corrects_id is None:
        return words
    return f"Correction: {words} ({record.data.get('reason', '')}, {record.data.get('by', '')})"


def officer_sentence(record: OfficerRecord) -> str:
    """An entry of an officer's record in words. Rule: G.SV1."""
    return OFFICER_KINDS[record.kind].format_map(record.data)


class _Counted(int):
    """A number that writes its noun: `{hits:hit}` gives "1 hit" or "3 hits", `{men:man:men}` the irregular ones."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(int(self))
        one, _, many = spec.partition(":")
        return f"{int(self):,} {one if self == 1 else many or one + 's'}"


def _words(kind: str, data: Mapping[str, Any]) -> str:
    values = {
        name: _Counted(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in data.items()
    }
    values |= {name: with_article(data[name]) for name in ("captor", "navy") if name in data}
    template = _WITHOUT_STEPS if kind == "damaged" and not data.get("steps") else KINDS[kind]
    return template.format_map(values)


def names_in(kind: str) -> set[str]:
    """What the data of an entry of this kind has to hold."""
    return {name for _, name, _, _ in Formatter().parse(KINDS[kind]) if name}
