"""Facts that the umpire lets a side know, or everyone, field by field. Rule: G.IN3."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db import transaction

from campaign.accounts import with_article
from campaign.calendar import at_spoken, chart_time
from campaign.models import Campaign, Release, Side, Sighting, Station, UmpireAction
from campaign.rules.chart.dispatches import HOURS_A_DAY
from campaign.rules.chart.types import Position
from campaign.selectors.orders.condition import hull_words
from campaign.selectors.sea.places import place_in_words
from campaign.selectors.turn.facts import pure_theatre
from campaign.selectors.turn.sheets import ship_kind

if TYPE_CHECKING:
    from fleets.models import Fleet

FIELDS = {
    "seen": "where it is now",
    "kind": "how many ships of which kinds",
    "name": "its name and its commander",
    "nation": "which flag it flies",
    "state": "how badly its hulls are damaged",
}


class ReleaseRefused(ValueError):
    """Facts that cannot be released; the text says why."""


def facts_release(
    *, campaign: Campaign, umpire: str, side: Side | None, fleet: Fleet, fields: Collection[str], reason: str
) -> list[Release]:
    """Let a side know facts of a fleet that is not its own, as they are now. side: None for everyone. fields: of FIELDS.

    Everyone can read in the umpire's log that facts were released and why, not which. Raises ReleaseRefused. Rules: G.IN3, G.UM1.
    """
    if (side is not None and side.campaign_id != campaign.pk) or fleet.navy.book_id != campaign.book_id:
        raise ReleaseRefused("Choose a side and a fleet of this campaign.")
    if side is not None and fleet.navy_id == side.navy_id:
        raise ReleaseRefused(
            f"{fleet.name} belongs to {with_article(side.name)}. Nothing about it is secret from that side."
        )
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown or not fields:
        raise ReleaseRefused(f"Choose what to release: {', '.join(FIELDS)}.")
    if not reason.strip():
        raise ReleaseRefused("Enter a reason. Everyone can read it in the umpire's log.")
    hour = HOURS_A_DAY * campaign.calendar_day
    values = _values(campaign, fleet)
    subject = _subject(campaign, side, fleet)
    with transaction.atomic():
        rows = [
            Release.objects.create(
                campaign=campaign,
                side=side,
                subject=subject,
                field=name,
                value=values[name],
                hour=hour,
                by=umpire,
            )
            for name in FIELDS
            if name in fields
        ]
        UmpireAction.objects.create(
            campaign=campaign,
            actor=umpire,
            action="released facts to a side" if side is not None else "released facts to everyone",
            reason=reason.strip(),
        )
    return rows


def _subject(campaign: Campaign, side: Side | None, fleet: Fleet) -> str:
    """A fleet as the side knows it: by the number of its last report, else as one that it has not seen. Rule: G.SI3."""
    if side is None:
        return f"A fleet of {with_article(fleet.navy.side.name)}"
    seen = Sighting.objects.filter(turn__campaign=campaign, side=side, fleet_code=fleet.code)
    last = seen.order_by("-hour").first()
    if last is None:
        return "A fleet that you have not sighted"
    return f"Contact {last.number}, seen {at_spoken(chart_time(campaign.start_date, last.hour))}"


def _values(campaign: Campaign, fleet: Fleet) -> dict[str, str]:
    ships = list(campaign.book.ships.filter(squadron__fleet=fleet, fate="afloat"))
    kinds: dict[str, int] = {}
    for ship in ships:
        kind = ship_kind(ship.ship_type).value
        kinds[kind] = kinds.get(kind, 0) + 1
    station = Station.objects.get(fleet=fleet)
    where = Position(station.at, station.to, station.run)
    commander = f", under {fleet.commander}" if fleet.commander else ""
    return {
        "seen": place_in_words(pure_theatre(campaign.theatre), where).capitalize(),
        "kind": ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds)) or "no ships",
        "name": f"{fleet.name}{commander}",
        "nation": fleet.navy.nation.name,
        "state": hull_words(campaign.book.rule_set, ships),
    }
