"""Whether an objective holds: as things are, and as a side knows them. Rules: G.OB1, G.OB2, G.OB4."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import floor

from battles.engine.core.fates import Fate
from campaign.rules.aims.bodies import Body, reported
from campaign.rules.aims.marks import mark_points
from campaign.rules.chart.objectives import LINE, AimKind, FirstDay, Opening, Pay, Row
from campaign.rules.chart.types import TurnFacts
from campaign.rules.contact.contact import MIDDLES
from campaign.rules.contact.sighting import band
from campaign.rules.state.aims import NEVER, Tally, Watch
from campaign.rules.state.clock import DAY
from campaign.rules.state.duties import Duties
from campaign.rules.state.world import Chart

HUNDRED = 100
# Men ashore are told to a third side in the bands of sail, each sail being so many men. Rule: G.LD3.
MEN_A_SAIL = 500


class View:
    """What an objective is judged by. real: the bodies as they are. reader: the side that judges, "" for what is so."""

    def __init__(self, chart: Chart, real: list[Body], reader: str = "") -> None:
        self.chart, self.real, self.reader = chart, real, reader
        self._told: list[Body] | None = None

    def enemies_of(self, side: str) -> frozenset[str]:
        """Sides at war with one."""
        facts = self.chart.facts
        return frozenset(other for other in facts.sides if frozenset((side, other)) in facts.at_war)

    def of(self, side: str) -> list[Body]:
        """Bodies in which a side has a fighting ship. A reader knows an ally's where their own ships are in company."""
        if self.reader and self.reader in self.enemies_of(side):
            return self._reports()
        seen = (body for body in self.real if not self.reader or self.reader in body.values)
        return [body for body in seen if side in body.values]

    def against(self, side: str) -> list[Body]:
        """Bodies hostile to a side."""
        if self.reader and self.reader not in self.enemies_of(side):
            return self._reports()
        hostile = self.enemies_of(side) & ({self.reader} if self.reader else set(self.chart.facts.sides))
        return [body for body in self.real if hostile & set(body.values)]

    def _reports(self) -> list[Body]:
        if self._told is None:
            places = {place for row in self.chart.facts.objectives for place in row.where}
            self._told = reported(self.chart, self.reader, places)
        return self._told


def _of_side(body: Body, side: str) -> Fraction:
    """A side's share of a body's fighting value; all of it where no one knows whose it is."""
    return body.values.get(side, body.values.get("", Fraction(0)))


def _gather(view: View, row: Row, tally: Tally) -> bool:
    """One body at one of the places is strong enough, and the ally is in it; alone: no hostile one there is half as strong."""
    opening = view.chart.facts.opening.values.get(row.side, Fraction(0))
    foes = [body.value for body in view.against(row.side) if not body.places.isdisjoint(row.at)]
    return any(
        not body.places.isdisjoint(row.at)
        and not (row.alone and any(2 * foe >= body.value for foe in foes))
        and (not row.with_ or "" in body.values or row.with_ in body.values)
        and (
            body.line >= row.least_line
            if row.least_line
            else body.whole * HUNDRED >= opening * row.least_percent
        )
        for body in view.of(row.side)
    )


def _sea(view: View, row: Row, tally: Tally) -> bool:
    """Enough value at one of the places, and half as much of the enemy's at none."""
    least = mark_points(view.chart.facts, row.least_marks)
    own = (
        sum((_of_side(body, row.side) for body in view.of(row.side) if place in body.places), Fraction(0))
        for place in row.places
    )
    foes = (body.value for body in view.against(row.side) if not body.places.isdisjoint(row.places))
    return any(value >= least for value in own) and not any(2 * value >= least for value in foes)


def _close(view: View, row: Row, tally: Tally) -> bool:
    """A fighting ship lay off the port all day, and no enemy went in or out."""
    watch = view.chart.state.aims.watches.get(row.id, Watch())
    if view.reader and view.reader in view.enemies_of(row.side):
        return any(row.port in body.places for body in view.of(row.side))
    return watch.hours >= DAY and not (watch.noticed if view.reader else watch.broken)


def _bring(view: View, row: Row, tally: Tally) -> bool:
    """So many ships of the line have come in, or so much of the convoy's cargo."""
    if row.what == LINE:
        there = [body for body in view.of(row.side) if not body.places.isdisjoint(row.to)]
        nameless = sum((body.line for body in there if not body.liners), Fraction(0))
        return len(came_in(view, row, tally)) + nameless >= row.number
    if view.reader and view.reader in view.enemies_of(row.side):
        return False
    return delivered_share(view.chart.state.duties, row) * HUNDRED >= row.share


def came_in(view: View, row: Row, tally: Tally) -> tuple[str, ...]:
    """Ships of the line that a row has brought in by now, in the order of codes. Rule: G.OB1."""
    there = [body for body in view.of(row.side) if not body.places.isdisjoint(row.to)]
    now = (ship for body in there for ship in body.liners.get(row.side, ()))
    return tuple(sorted({*tally.ships, *now}))


def delivered_share(duties: Duties, row: Row) -> Fraction:
    """The share of a convoy's cargo that has been delivered, 0 to 1. Rule: G.OB1."""
    convoy = duties.convoys.get(row.what)
    return Fraction(convoy.delivered, convoy.value) if convoy is not None and convoy.value else Fraction(0)


def _land(view: View, row: Row, tally: Tally) -> bool:
    """So many men are ashore. Who is neither their side nor the owner of the beach knows their number in bands."""
    return sum(_men(view, row.side, place) for place in row.at) >= row.men


def _men(view: View, side: str, place: str) -> int:
    chart = view.chart
    men = chart.state.holdings.ashore.get((side, place), 0)
    reader = chart.facts.sides.get(view.reader)
    if reader is None or reader.code == side or not men or chart.owner_of(place) in reader.nations:
        return men
    return int(MIDDLES[band(-(-men // MEN_A_SAIL))] * MEN_A_SAIL)


def _own(view: View, row: Row, tally: Tally) -> bool:
    """The side owns all the ports; with `each` at least one of them."""
    number = len(owned(view.chart, row))
    return number > 0 if row.each else number == len(row.ports)


def owned(chart: Chart, row: Row) -> tuple[str, ...]:
    """The ports of a row that its side owns. Rule: G.OB1."""
    nations = chart.facts.sides[row.side].nations
    return tuple(port for port in row.ports if chart.owner_of(port) in nations)


def _destroy(view: View, row: Row, tally: Tally) -> bool:
    """At most so much of the enemy's group is left."""
    return _left(view.chart, row) * HUNDRED <= row.left


def _keep(view: View, row: Row, tally: Tally) -> bool:
    """At least so much of the own group is left."""
    return _left(view.chart, row) * HUNDRED >= row.left


def _left(chart: Chart, row: Row) -> Fraction:
    group = group_of(chart.facts.opening, row, chart.facts.at_war)
    return share_left(group, gone(chart, row, group))


def group_of(opening: Opening, row: Row, at_war: Collection[frozenset[str]]) -> dict[str, FirstDay]:
    """The ships that a row would destroy or keep, as they were on the first day, by code. Rule: G.OB1."""
    enemies = [side for side in opening.values if frozenset((row.side, side)) in at_war]
    return opening.group(row.group, [row.side] if row.kind is AimKind.KEEP else enemies)


def share_left(group: Mapping[str, FirstDay], lost: Collection[str]) -> Fraction:
    """What is left of a group without the ships that are lost, as a share of its opening value, 0 to 1; 1 for no ships. Rule: G.OB1."""
    whole = sum((ship.value for ship in group.values()), Fraction(0))
    left = sum((ship.value for code, ship in group.items() if code not in lost), Fraction(0))
    return left / whole if whole else Fraction(1)


def gone(chart: Chart, row: Row, group: Mapping[str, FirstDay]) -> set[str]:
    """Ships of a row's group that are not afloat under their own colours; for *keep*, those interned as well. Rule: G.OB1."""
    state = chart.state
    found = set()
    for code, first in group.items():
        if code in state.duties.interned:
            if row.kind is AimKind.KEEP:
                found.add(code)
            continue
        ship = state.ships.get(code)
        if ship is None or ship.fate is not Fate.AFLOAT or ship.side != first.side or ship.prize:
            found.add(code)
    return found


def _raid(view: View, row: Row, tally: Tally) -> bool:
    """A raid on one of the ports came off, since the row's first day."""
    raids = view.chart.state.holdings.raids
    first = first_hour(row, view.chart.facts)
    return any(raid.side == row.side and raid.port in row.ports and raid.hour >= first for raid in raids)


def _deny(view: View, row: Row, tally: Tally) -> bool:
    """The enemy has not achieved that row."""
    return view.chart.state.aims.tallies.get(row.objective, Tally()).achieved == NEVER


HOLDS: Mapping[AimKind, Callable[[View, Row, Tally], bool]] = {
    AimKind.BRING: _bring,
    AimKind.LAND: _land,
    AimKind.OWN: _own,
    AimKind.CLOSE: _close,
    AimKind.GATHER: _gather,
    AimKind.SEA: _sea,
    AimKind.DESTROY: _destroy,
    AimKind.KEEP: _keep,
    AimKind.RAID: _raid,
    AimKind.DENY: _deny,
}


def holds(view: View, row: Row, tally: Tally) -> bool:
    """Whether a row holds as its view has it. tally: what has been counted of it so far. Rule: G.OB1."""
    return HOLDS[row.kind](view, row, tally)


def readers(facts: TurnFacts, row: Row) -> Sequence[str]:
    """Sides that may read a row, in the order of codes: all of them, of a secret one its own alone. Rule: G.OB4."""
    return sorted(facts.sides) if row.public else [row.side]


def marks_at_end(chart: Chart, row: Row) -> int:
    """What a row that holds pays when it is asked once: for each port, by the share of the cargo, or in full. Rule: G.OB2."""
    if row.each:
        return row.marks * len(owned(chart, row))
    return floor(row.marks * delivered_share(chart.state.duties, row)) if row.pay is Pay.SHARE else row.marks


def first_hour(row: Row, facts: TurnFacts) -> int:
    """The hour of the first 06:00 at which a row is asked. Rule: G.OB1."""
    return hour_of(facts.start_date, row.from_) if row.from_ else 0


def last_hour(row: Row, facts: TurnFacts) -> int | None:
    """The hour of the last 06:00 at which a row is asked, None for the last of the campaign. Rule: G.OB1."""
    return hour_of(facts.start_date, row.by) if row.by else None


def hour_of(start_date: str, day: str) -> int:
    """The hour of 06:00 on a day. Both are ISO dates."""
    return (date.fromisoformat(day) - date.fromisoformat(start_date)).days * DAY
