"""A side's contacts for reading: each is one line, its latest report, with the older ones under it. Rules: G.IG2, G.SI2, G.SI3."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from battles.engine.core.telling import the_fleet
from campaign.accounts import UNDER_STEAM, compass, listed, position_in_words, sail_in_words
from campaign.accounts.words import as_goal
from campaign.calendar import hour_spoken, moment
from campaign.models import Sighting
from campaign.selectors.people.knowing import Ken

# So many of those that saw a contact are named.
NAMED = 3


class Contact(NamedTuple):
    """A contact of a side: its latest report, and the older ones, the newest first."""

    latest: Sighting
    older: tuple[Sighting, ...]


def contacts_of(reports: Iterable[Sighting], ken: Ken | None) -> list[Contact]:
    """The contacts of some reports that a reader knows of, in the order of their latest ones. reports: the oldest first.

    The reports of a contact that another has been seen to take in stand under that one. Rules: G.IG1, G.IG2.
    """
    known = [report for report in reports if ken is None or ken.report_known(report)]
    taken_in = {(row.side_id, number): (row.side_id, row.number) for row in known for number in row.joined}
    found: dict[tuple[int, int], list[Sighting]] = {}
    for report in known:
        key = (report.side_id, report.number)
        while key in taken_in:  # a number that has ended is never given again, so this ends too
            key = taken_in[key]
        found.setdefault(key, []).append(report)
    contacts = []
    for (_, number), rows in found.items():
        latest = next(row for row in reversed(rows) if row.number == number)
        contacts.append(Contact(latest, tuple(row for row in reversed(rows) if row is not latest)))
    return sorted(contacts, key=lambda contact: (contact.latest.hour, contact.latest.pk))


def report_row(
    contact: Contact, start_date: str, names: Mapping[str, str], places: Collection[str]
) -> dict[str, Any]:
    """A contact as a row of text. names: of the fleets that the reader knows by name; whose fleet was seen is never read.

    places: codes of the theatre's places, from which a contact is seen by a look-out.
    """
    report = contact.latest
    at = moment(start_date, report.hour)
    return {
        "number": report.number,
        "perhaps": report.perhaps,
        "side": report.side.name,
        "date": f"{at.day} {at:%B %Y}",
        "time": f"{at:%H:%M}",
        "hour": report.hour,
        "where": position_in_words(report.latitude, report.longitude),
        "band": report.band,
        "sail": sail_in_words(report.band, report.kinds, steam=UNDER_STEAM in names),
        "course": report.course,
        "observer": seen_by(report, names, places),
        "under": under(contact, start_date, names),
    }


def seen_by(report: Sighting, names: Mapping[str, str], places: Collection[str]) -> str:
    """The fleets that saw a contact, the greatest first: "the Red, the White and 2 more"; "" for none that the reader can name.

    places: codes of the theatre's places.
    """
    codes = report.observers or [report.observer]
    known = list(
        dict.fromkeys(
            f"the lookout at {as_goal(names[code])}" if code in places else the_fleet(names[code])
            for code in codes
            if names.get(code)
        )
    )
    more = [f"{len(known) - NAMED} more"] if len(known) > NAMED else []
    return listed([*known[:NAMED], *more])


def under(contact: Contact, start_date: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """The older reports of a contact as lines, the newest first. Rule: G.IG2."""
    return tuple(
        f"{hour_spoken(start_date, row.hour)}: {sail_in_words(row.band, row.kinds, steam=UNDER_STEAM in names)}, at "
        f"{position_in_words(row.latitude, row.longitude)}"
        f"{f', steering {compass(row.course)}' if row.course is not None else ''}"
        for row in contact.older
    )
