"""What one reader knows of their own side's affairs: all of it at once, or their own fleets and the news that has reached them.

Rules: G.IN1, G.IN2, G.IN4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from campaign.models import Campaign, Membership, Side, Sighting, Station, Turn, TurnSummary
from campaign.rules.chart import types as t
from campaign.rules.chart.dispatches import HOURS_A_DAY, Post, codes_in, headquarters, landfalls
from campaign.rules.chart.theatre import geometry
from campaign.rules.state.holdings import Holdings, theatre_now
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.absences import stood_in_for
from campaign.selectors.turn.facts import pure_theatre, theatre_of

Role = Membership.Role
Event = list[Any]
# What an admiral knows wherever they are, because no fleet brings it as news. What objectives have paid is told as it was, and what the
# calendar says of armies and politics comes by post. Rules: G.CA1, G.OB4.
EVERYWHERE = frozenset(
    {
        *("weather", "gale", "objective_achieved", "objective_paid", "port_taken"),
        *("army_ready", "hostility", "peace", "calendar_fails"),
    }
)


def knows_by_ship(campaign: Campaign) -> bool:
    """Whether an admiral of this campaign sees their own fleets only. Rule: G.IN4."""
    return bool(settings_from(campaign.settings).knowledge == "by ship")


def fleets_in_sight(membership: Membership) -> frozenset[int] | None:
    """Keys of the fleets that an admiral sees as they are; None when they see all of their side's. Rule: G.IN4.

    Fleets that no one commands are in the commander-in-chief's own hands. While they stand in for another, they see that one's too.
    """
    if membership.role != Role.ADMIRAL or membership.side is None or not knows_by_ship(membership.campaign):
        return None
    return frozenset().union(*map(_own_fleets, (membership, *stood_in_for(membership))))


def _own_fleets(membership: Membership) -> frozenset[int]:
    """Keys of the fleets that an admiral commands in person, whoever stands in for them."""
    assert membership.side is not None  # the callers have looked
    own = set(membership.commands.values_list("fleet", flat=True))
    if membership.chief:
        own |= set(membership.side.navy.fleets.filter(command=None).values_list("pk", flat=True))
    return frozenset(own)


@dataclass
class Ken:
    """One admiral's knowledge in a campaign that is played by ship. Built by `ken_of`; hour: of the chart, now."""

    membership: Membership
    fleets: frozenset[str]
    side_fleets: frozenset[str]
    hour: int

    @cached_property
    def _theatre(self) -> t.Theatre:
        return theatre_of(self.membership.campaign)

    @cached_property
    def _history(self) -> list[Event]:
        """What the side's summaries keep: every battle, port and landfall, and all news."""
        rows = TurnSummary.objects.filter(
            turn__campaign=self.membership.campaign, turn__void="", side=self.membership.side
        )
        kept = rows.order_by("turn__number").values_list("events", "news")
        return [event for turn in kept for event in sorted(chain(*turn), key=lambda event: event[0])]

    @cached_property
    def _taken(self) -> list[tuple[int, str, str]]:
        """Ports that have changed hands, as (hour, port, nation), in order: everyone knows of them. Rule: G.LD4."""
        campaign = self.membership.campaign
        first = pure_theatre(campaign.theatre).places
        nations = {side.code: side.nations[0] for side in campaign.sides.select_related("navy")}
        return [
            (hour, data["place"], first[data["place"]].owner if data["back"] else nations[data["side"]])
            for hour, kind, _, _, data in self._history
            if kind == "port_taken"
        ]

    def _theatre_at(self, hour: int) -> t.Theatre:
        """The theatre with its ports as they were held at an hour: what was known then stays known. Rules: G.IN2, G.LD4."""
        owners = {port: nation for taken, port, nation in self._taken if taken <= hour}
        return theatre_now(pure_theatre(self.membership.campaign.theatre), Holdings(owners), hour)

    def _post(self, hour: int) -> Post:
        """The dispatches of the side, from where its headquarters were at an hour. Rules: G.IN2, G.LD4."""
        assert self.membership.side is not None  # ken_of makes one for admirals alone
        changes = sum(taken <= hour for taken, _, _ in self._taken)
        if changes not in self._posts:
            theatre, nations = self._theatre_at(hour), self.membership.side.nations
            settings = settings_from(self.membership.campaign.settings)
            self._posts[changes] = Post(theatre, settings, headquarters(theatre, nations), self._landfalls)
        return self._posts[changes]

    @cached_property
    def _posts(self) -> dict[int, Post]:
        return {}

    @cached_property
    def _landfalls(self) -> tuple[tuple[int, str], ...]:
        assert self.membership.side is not None  # ken_of makes one for admirals alone
        nations = self.membership.side.nations
        events = [(hour, kind, data) for hour, kind, _, _, data in self._history]
        if not self._taken:
            return landfalls(events, self._theatre, nations)
        return tuple(
            row for event in events for row in landfalls([event], self._theatre_at(event[0]), nations)
        )

    @cached_property
    def _battles(self) -> dict[str, tuple[str, frozenset[str]]]:
        """Place and own fleets of every battle, by its code in the turn and the turn's hours: codes begin again each turn."""
        return {
            f"{hour // HOURS_A_DAY}/{data['battle']}": (str(data.get("place", "")), frozenset(codes_in(data)))
            for hour, kind, _, _, data in self._history
            if kind == "battle"
        }

    @cached_property
    def place(self) -> str:
        """Where dispatches find them: at headquarters as commander-in-chief, else with the first of their fleets."""
        if self.membership.chief:
            return ""
        # of their own, not of those they stand in for: they stay where they are
        station = Station.objects.filter(fleet__command__membership=self.membership)
        first = station.order_by("fleet__code").first()
        if first is None:
            return ""
        return geometry(self._theatre).nearest(t.Position(first.at, first.to, first.run))

    def known_at(self, event: Event) -> int:
        """The hour at which they learn of an event of their side. Rules: G.IN2, G.IN4."""
        hour, kind, _, _, data = event
        near, there = self._scene(hour, data)
        if kind in EVERYWHERE or there & self.fleets:
            return int(hour)
        post = self._post(int(hour))
        if post.settings.news == "at once":
            return int(hour)
        return post.at_place(post.at_base(hour, near, there & self.side_fleets), self.place)

    def _scene(self, hour: int, data: dict[str, Any]) -> tuple[str, frozenset[str]]:
        """The place nearest to an event, and every code that had to do with it."""
        codes = frozenset(codes_in(data))
        near = str(data.get("near") or data.get("place") or "")
        if data.get("battle"):
            for day in (hour // HOURS_A_DAY, hour // HOURS_A_DAY - 1):
                fought = self._battles.get(f"{day}/{data['battle']}")
                if fought is not None:
                    return fought[0] if fought[0] in self._theatre.places else near, codes | fought[1]
        if near not in self._theatre.places:
            own = min(codes & self.side_fleets, default="")
            near = self._last_place(own) if own else ""
        return near, codes

    def known(self, events: Iterable[Event]) -> list[Event]:
        """Those events of their side that they know by now."""
        return [event for event in events if self.known_at(event) <= self.hour]

    def news(self, since: int) -> list[tuple[int, Event]]:
        """What reached them after an hour of the chart and had not been theirs to see, with the hour it came, newest first."""
        dated = [(self.known_at(event), event) for event in self._history]
        late = [(at, event) for at, event in dated if since < at <= self.hour and at > event[0]]
        return sorted(late, key=lambda row: (-row[0], -row[1][0]))

    def report_known(self, report: Sighting) -> bool:
        """Whether they know of a sighting that fleets of their side reported. Rules: G.SI2, G.IN4, G.IG1."""
        if self.fleets & {report.observer, *report.observers}:
            return True
        shore = report.observer in self._theatre.places
        place = report.observer if shore else self._last_place(report.observer)
        data = {"place": place} if shore else {"fleet": report.observer, "place": place}
        return self.known_at([report.hour, "sighted", "G.SI2", [], data]) <= self.hour

    def _last_place(self, fleet: str) -> str:
        station = Station.objects.filter(
            fleet__navy__book=self.membership.campaign.book_id, fleet__code=fleet
        ).first()
        return station.at if station is not None else ""


def ken_of(membership: Membership) -> Ken | None:
    """What limits a reader's knowledge of their own side; None when nothing does. Rule: G.IN4."""
    keys = fleets_in_sight(membership)
    if keys is None or membership.side is None:
        return None
    codes = dict(membership.side.navy.fleets.values_list("pk", "code"))
    campaign = membership.campaign
    return Ken(
        membership,
        frozenset(codes[key] for key in keys if key in codes),
        frozenset(codes.values()),
        HOURS_A_DAY * campaign.calendar_day,
    )


def turn_events(turn: Turn, side: Side | None, ken: Ken | None) -> list[Event]:
    """A side's events of a turn as a reader knows them; the umpire's for no side. Rules: G.IN1, G.IN4."""
    row = turn.reports.filter(side=side).first()
    events = list(row.events) if row is not None else []
    return ken.known(events) if ken is not None else events
