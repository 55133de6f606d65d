"""Which meetings a reader can ask about: contacts within reach of their fleets; for the umpire any two fleets. Rules: G.IN1, G.SI2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from campaign.accounts import UNDER_STEAM, period_names, position_in_words, sail_in_words
from campaign.models import Campaign, Membership, Sighting, Station, Turn
from campaign.rules.chart import types as t
from campaign.rules.chart.points import SCALE, Point, miles_between
from campaign.rules.chart.theatre import geometry
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.chart.contacts import contacts_of
from campaign.selectors.orders.orders import cruising_speed
from campaign.selectors.people.access import stations_for
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.turn.facts import theatre_of

# Miles that a contact may have made for each hour since it was reported.
MILES_AN_HOUR = 4


class Meeting(NamedTuple):
    """A contact that a fleet may meet in the turn. miles: to where it was reported; hours: since then."""

    number: int
    sail: str
    where: str
    miles: int
    hours: int

    @property
    def key(self) -> str:
        """The contact as a question names it."""
        return str(self.number)


def contacts_known(membership: Membership, turn: Turn) -> list[Sighting]:
    """The last report of each contact of a reader's side that is not yet listed as older. Rules: G.SI3, G.IG2, G.IN4."""
    campaign, hour = membership.campaign, 24 * turn.first_day
    if membership.side_id is None:
        return []
    since = hour - settings_from(campaign.settings).fold_hours
    rows = Sighting.objects.filter(turn__campaign=campaign, side=membership.side_id, hour__gte=since)
    rows = rows.as_told().select_related("side__navy", "turn").order_by("hour", "pk")
    return [contact.latest for contact in contacts_of(rows, ken_of(membership))]


def contact_choices(membership: Membership, turn: Turn) -> list[tuple[str, str]]:
    """Those contacts as choices of a form, the newest first: number and words."""
    steam = UNDER_STEAM in period_names(membership.campaign.theatre.document)
    return [
        (
            str(row.number),
            f"Contact {row.number}: {sail_in_words(row.band, row.kinds, steam=steam)}, {max(0, 24 * turn.first_day - row.hour)} h ago",
        )
        for row in reversed(contacts_known(membership, turn))
    ]


def meetings_of(membership: Membership, turn: Turn, station: Station) -> list[Meeting]:
    """The contacts that a fleet may meet before the turn is over, the nearest first: as far as it can sail in a fair wind."""
    campaign = membership.campaign
    reports = contacts_known(membership, turn) if not station.held_by else []
    if not reports:
        return []
    hour, theatre = 24 * turn.first_day, theatre_of(campaign)
    here = geometry(theatre).point(t.Position(station.at, station.to, station.run))
    knots, _ = cruising_speed(campaign, station)
    steam = UNDER_STEAM in period_names(campaign.theatre.document)
    found = []
    for report in reports:
        there = Point(report.latitude * SCALE // 100, report.longitude * SCALE // 100)
        age = max(0, hour - report.hour)
        miles = miles_between(here, there) // t.MILLI
        if miles <= knots * 24 * turn.days + MILES_AN_HOUR * age:
            sail = sail_in_words(report.band, report.kinds, steam=steam)
            where = position_in_words(report.latitude, report.longitude)
            found.append(Meeting(report.number, sail, where, miles, age))
    return sorted(found, key=lambda row: (row.miles, row.number))


class Opposed(NamedTuple):
    """Fleets of a side and of its enemies, as choices of a form: code and name."""

    side: str
    fleets: tuple[tuple[str, str], ...]


def fleets_by_side(membership: Membership) -> list[Opposed]:
    """The fleets that a reader may see, by side, in the order of sides."""
    return list(_by_side(membership.campaign, stations_for(membership).filter(held_by="")))


def _by_side(campaign: Campaign, stations: Iterable[Station]) -> Iterable[Opposed]:
    rows: dict[str, list[tuple[str, str]]] = {}
    for station in stations:
        rows.setdefault(station.fleet.navy.code, []).append((station.fleet.code, station.fleet.name))
    for side in campaign.sides.select_related("navy"):
        if side.code in rows:
            yield Opposed(side.name, tuple(rows[side.code]))
