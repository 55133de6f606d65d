"""The parts of a letter about a turn: what is told under which heading, and how much of it. Rules: G.IN1, G.SI2, G.SI3.

A letter is read on a phone: what asks for something comes first, what is like is told once, and what is long is left to the site,
whose report has every entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.accounts.chart import without_dice
from campaign.accounts.words import listed

MOST_ROWS = 10  # of a heading
MOST_SIGHTINGS = 8

# Kinds of events by the heading that they stand under, in the order of the letter. What is not named here is news.
REFUSED = "Orders that could not be carried out"
PRIZES = "Prizes"
YARDS = "Repairs and yards"
MOVEMENTS = "Movements"
NEWS = "News"
HEADINGS: dict[str, tuple[str, ...]] = {
    REFUSED: ("order_refused", "side_order_refused"),
    PRIZES: (
        "prize_in_port", "prize_bought", "prize_sold", "prize_hulked", "prize_exchanged", "salvage", "condemned", "sent_in",
        "burnt_at_sea", "let_go", "rose",
    ),
    YARDS: ("repaired", "mended_at_sea", "yard_dated", "yard_redated", "yard_left", "left_in_yard", "burnt_in_port"),
    MOVEMENTS: (
        "sailed", "arrived", "parted", "escaped", "night", "chase_ended", "parted_company", "left_behind", "rejoined",
        "fleet_ended", "detached", "transferred", "lies_off", "driven_off", "slipped_out", "met_off_port", "sent_ahead",
        "left_astern", "convoy_delivered", "port_attacked", "port_assailed", "guard_fired", "aground", "refloated", "interned",
    ),
    NEWS: (),
}  # fmt: skip
_HEADING = {kind: heading for heading, kinds in HEADINGS.items() for kind in kinds}
# Told in the letter's own parts (battles, losses, sightings), or too small for a letter.
LEFT_OUT = frozenset(
    {
        "battle", "battle_ended", "battle_held", "renewed", "captured", "retaken", "lost", "sighted", "touch_lost", "weather",
        "passed", "chase",
    }
)  # fmt: skip


def sections_of(days: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A report's days as headings with entries: [{"title", "late", "rows": [{"when", "text"}], "more"}].

    more: how many are left to the site. late: it stands behind fleets and sightings in the letter.
    """
    found: dict[str, list[dict[str, str]]] = {heading: [] for heading in HEADINGS}
    for day in days:
        for entry in day["entries"]:
            if entry["kind"] in LEFT_OUT:
                continue
            when = f"{day['date'].rpartition(' ')[0]}, {entry['time']}"
            heading = _HEADING.get(entry["kind"], NEWS)
            found[heading].append({"when": when, "text": without_dice(entry["text"])})
    return [
        {
            "title": heading,
            "late": heading in (MOVEMENTS, NEWS),
            "rows": rows[:MOST_ROWS],
            "more": max(0, len(rows) - MOST_ROWS),
        }
        for heading, rows in found.items()
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
        else:
            merged[key] = {**row, "numbers": [row["number"]]}
    for row in merged.values():
        row["title"] = contacts_title(sorted(row["numbers"]))
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
