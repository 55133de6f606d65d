"""The parts of a letter about a turn: what is told under which heading, and how much of it. Rules: G.IN1, G.SI2, G.SI3.

A letter is read on a phone: what asks for something comes first, what is like is told once, and what is long is left to the site,
whose report has every entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.accounts.chart import perhaps_in_words, without_dice
from campaign.accounts.words import listed
from campaign.rules.state.events import EVENT_KINDS, Part

MOST_ROWS = 5  # of a heading
MOST_SIGHTINGS = 5

# The headings of the parts that are told by lists, in the order of the letter. What is in none of them has parts of its own.
HEADINGS: dict[Part, str] = {
    Part.REFUSED: "Orders that could not be carried out",
    Part.PRIZES: "Prizes, searches and ships sent in",
    Part.YARDS: "Repairs and yards",
    Part.MOVEMENTS: "Movements",
    Part.NEWS: "News",
}


def sections_of(days: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A report's days as headings with entries: [{"title", "late", "rows": [{"when", "text"}], "more"}].

    more: how many are left to the site. late: it stands behind fleets and sightings in the letter.
    """
    found: dict[Part, list[dict[str, str]]] = {part: [] for part in HEADINGS}
    for day in days:
        for entry in day["entries"]:
            part = EVENT_KINDS[entry["kind"]].part
            if part in found:
                when = f"{day['date'].rpartition(' ')[0]}, {entry['time']}"
                found[part].append({"when": when, "text": without_dice(entry["text"])})
    return [
        {
            "title": HEADINGS[part],
            "late": part in (Part.MOVEMENTS, Part.NEWS),
            "rows": rows[:MOST_ROWS],
            "more": max(0, len(rows) - MOST_ROWS),
        }
        for part, rows in found.items()
        if rows
    ]


def sightings_told(rows: Iterable[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """Reports for a letter, and how many are left to the chart: one row for reports that say the same, the greatest force first.

    rows: of one turn, newest first.
    """
    told = sorted(
        sightings_merged(rows), key=lambda row: -_strength(row["sail"])
    )  # stable: the newest first among equals
    left = sum(len(row["numbers"]) for row in told[MOST_SIGHTINGS:])
    return told[:MOST_SIGHTINGS], left


def sightings_merged(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row for reports that say the same, in the order in which they come; `title` and `numbers`: of their contacts."""
    merged: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in ("side", "date", "time", "sail", "where", "course"))
        if key in merged:
            merged[key]["numbers"].append(row["number"])
            merged[key]["observers"].append(row.get("observer", ""))
            merged[key]["under"] += row.get("under", ())
        else:
            merged[key] = {
                **row,
                "numbers": [row["number"]],
                "observers": [row.get("observer", "")],
                "under": [*row.get("under", ())],
            }
    for row in merged.values():
        row["title"] = contacts_title(sorted(row["numbers"]))
        if len(row["numbers"]) == 1:
            row["title"] += perhaps_in_words(row.get("perhaps", 0))
        row["observer"] = listed(list(dict.fromkeys(filter(None, row.pop("observers")))))
        if len(row["numbers"]) > 1 and row["sail"].endswith(("sail", "ships")):
            row["sail"] += " each"
    return list(merged.values())


def _strength(sail: str) -> int:
    """The least number of ships that a report speaks of."""
    digits = sail.partition("–")[0].partition(" ")[0]
    return int(digits) if digits.isdecimal() else 1


def contacts_title(numbers: list[int]) -> str:
    """ "Contact 6", "Contacts 6, 7 and 8"."""
    if len(numbers) == 1:
        return f"Contact {numbers[0]}"
    shown = [str(number) for number in numbers]
    if len(shown) > 6:
        shown[5:] = [f"{len(shown) - 5} more"]
    return f"Contacts {listed(shown)}"
