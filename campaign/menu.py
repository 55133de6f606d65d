"""The menu of a campaign: its pages in sections, by role. The words of an entry are the title of its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.models import Membership

Role = Membership.Role
EVERYONE = frozenset({Role.UMPIRE, Role.ADMIRAL, Role.OBSERVER})
PLAYERS = frozenset({Role.UMPIRE, Role.ADMIRAL})
ADMIRALS, UMPIRES = frozenset({Role.ADMIRAL}), frozenset({Role.UMPIRE})

# Sections with their pages: name of the address, words, whose it is, and its name as `here` where that is another.
SECTIONS: tuple[tuple[str, tuple[tuple[str, str, frozenset[Role], str], ...]], ...] = (
    (
        "Play",
        (
            ("campaign", "Chart", EVERYONE, ""),
            ("desk", "Umpire's desk", UMPIRES, ""),
            ("fleet_table", "Orders", ADMIRALS, ""),
            ("dockyards", "Dockyards", PLAYERS, ""),
            ("prizes", "Prizes", PLAYERS, ""),
            ("groups", "Groups", PLAYERS, ""),
            ("odds", "Odds of a battle", PLAYERS, ""),
        ),
    ),
    (
        "What happened",
        (
            ("reports", "Reports", PLAYERS, "report"),
            ("news", "News and letters", EVERYONE, ""),
            ("gazettes", "Gazettes", EVERYONE, ""),
            ("chronicle", "Chronicle", EVERYONE, ""),
            ("calendar", "Calendar", EVERYONE, ""),
        ),
    ),
    ("Who wins", (("objectives", "Objectives", EVERYONE, ""), ("standings", "Score", EVERYONE, ""))),
    (
        "Campaign",
        (
            ("people", "People", EVERYONE, ""),
            ("clock", "Deadlines", EVERYONE, ""),
            ("mailbox", "Emails", EVERYONE, ""),
            ("rules_in_force", "Campaign settings", EVERYONE, "rules"),
            ("publicity", "Public page", UMPIRES, ""),
            ("log", "Umpire's log", EVERYONE, ""),
            ("fairness", "Fair dice", EVERYONE, ""),
        ),
    ),
)
# Always in sight, on a phone too; the others where there is room.
FIRST = ("campaign", "desk", "fleet_table", "reports")
OBSERVERS_FIRST = ("campaign", "gazettes")
WIDE = ("news", "dockyards", "prizes")


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the menu. number: of what awaits the reader there. wide: in the strip only where there is room."""

    page: str
    words: str
    here: bool
    number: int
    wide: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """The menu for one reader. strip: the entries that are always in sight. number: of all that awaits them."""

    strip: tuple[Entry, ...]
    sections: tuple[tuple[str, tuple[Entry, ...]], ...]
    number: int


def menu_of(role: str, here: str, numbers: Mapping[str, int]) -> Menu:
    """The menu for a role. here: the page that is being shown. numbers: of what awaits the reader, by entry."""
    sections = tuple(
        (
            title,
            tuple(
                Entry(page, words, here == (shown or page), numbers.get(page, 0), page in WIDE)
                for page, words, roles, shown in rows
                if role in roles
            ),
        )
        for title, rows in SECTIONS
    )
    entries = {entry.page: entry for _, rows in sections for entry in rows}
    first = OBSERVERS_FIRST if role == Role.OBSERVER else FIRST
    strip = tuple(entries[page] for page in (*first, *WIDE) if page in entries)
    return Menu(strip, sections, sum(numbers.values()))


def numbers_of(rows: Iterable[tuple[str, int]]) -> dict[str, int]:
    """How much awaits a reader at each entry."""
    found: dict[str, int] = {}
    for entry, number in rows:
        found[entry] = found.get(entry, 0) + number
    return found
